#include "arrays.h"

#include <stdio.h>
#include <string.h>

/* ---- Names ---- */

#define NAMES                                                                                                          \
    NAME(data_ptr)                                                                                                     \
    NAME(numel)                                                                                                        \
    NAME(is_contiguous)                                                                                                \
    NAME(get_device)                                                                                                   \
    NAME(dtype)                                                                                                        \
    NAME(__cuda_array_interface__)                                                                                     \
    NAME(data)                                                                                                         \
    NAME(typestr)                                                                                                      \
    NAME(shape)                                                                                                        \
    NAME(strides)                                                                                                      \
    NAME(stream)

/* Strings of Python, made once. */
static struct {
#define NAME(name) PyObject *name;
    NAMES
#undef NAME
} names;

int arrays_start(void)
{
#define NAME(name)                                                                                                     \
    if (!names.name && !(names.name = PyUnicode_InternFromString(#name)))                                              \
        return -1;
    NAMES
#undef NAME
    return 0;
}

/* ---- Types of elements ---- */

static const struct {
    const char *name; /* of NumPy and torch */
    uint8_t code, bits;
} element_names[] = {
    {"float32", DLPACK_FLOAT, 32},
    {"float64", DLPACK_FLOAT, 64},
    {"float16", DLPACK_FLOAT, 16},
    {"bfloat16", DLPACK_BFLOAT, 16},
    {"int32", DLPACK_INT, 32},
    {"int64", DLPACK_INT, 64},
    {"int8", DLPACK_INT, 8},
    {"int16", DLPACK_INT, 16},
    {"uint8", DLPACK_UINT, 8},
    {"uint16", DLPACK_UINT, 16},
    {"uint32", DLPACK_UINT, 32},
    {"uint64", DLPACK_UINT, 64},
    {"bool", DLPACK_BOOL, 8},
    {"complex64", DLPACK_COMPLEX, 64},
    {"complex128", DLPACK_COMPLEX, 128},
    {"float8_e4m3fn", DLPACK_FLOAT8_FIRST, 8},
    {"float8_e5m2", DLPACK_FLOAT8_FIRST, 8},
};

const char *array_type_name(const struct array *array, char text[32])
{
    for (size_t i = 0; i < sizeof element_names / sizeof *element_names; i++)
        if (element_names[i].code == array->code && element_names[i].bits == array->bits) {
            snprintf(text, 32, array->lanes > 1 ? "%s x %u" : "%s", element_names[i].name, array->lanes);
            return text;
        }
    snprintf(text, 32, "a type of %u bits", (unsigned)array->bits * array->lanes);
    return text;
}

/* Finds the type of "torch.float32". False for an unknown name. */
static int find_element(const char *name, uint8_t *code, uint8_t *bits)
{
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; i < sizeof element_names / sizeof *element_names; i++)
        if (strcmp(dot ? dot + 1 : name, element_names[i].name) == 0) {
            *code = element_names[i].code;
            *bits = element_names[i].bits;
            return 1;
        }
    return 0;
}

/* ---- By the table ---- */

static int read_table(const struct dlpack_table *table, PyObject *object, const struct label *label,
                      struct array *array)
{
    struct dlpack_tensor tensor;
    int64_t count = 1;
    if (table->tensor_from_object(object, &tensor)) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError, "%s: %s gives no address", label->kernel, label->argument);
        return -1;
    }
    if (tensor.device_type != DLPACK_CUDA && tensor.device_type != DLPACK_CUDA_MANAGED) {
        PyErr_Format(PyExc_ValueError, "%s: %s is not on a GPU (device type %d of DLPack)", label->kernel,
                     label->argument, (int)tensor.device_type);
        return -1;
    }
    array->contiguous = 1;
    for (int32_t d = tensor.rank - 1; d >= 0; d--) {
        if (tensor.strides && tensor.shape[d] != 1 && tensor.strides[d] != count)
            array->contiguous = 0;
        count *= tensor.shape[d];
    }
    if (count == 0)
        array->contiguous = 1;
    array->address = (char *)tensor.data + tensor.byte_offset;
    array->count = count;
    array->device = tensor.device_type == DLPACK_CUDA ? tensor.device_id : -1;
    array->code = tensor.code;
    array->bits = tensor.bits;
    array->lanes = tensor.lanes;
    array->readonly = 0;
    array->table = table;
    return 0;
}

/* ---- By data_ptr() ---- */

/* The integer that a method without arguments returns. -1 with an exception. */
static long long ask(PyObject *object, PyObject *name)
{
    long long number = -1;
    PyObject *value = PyObject_CallMethodObjArgs(object, name, NULL);
    if (value) {
        number = PyLong_AsLongLong(value);
        Py_DECREF(value);
    }
    return number;
}

static int read_dtype(struct arrays *arrays, PyObject *object, const struct label *label)
{
    PyObject *dtype = PyObject_GetAttr(object, names.dtype), *text = NULL, *bytes = NULL;
    int code = -1;
    if (dtype && dtype == arrays->dtype) {
        Py_DECREF(dtype);
        return 0;
    }
    if (dtype && (text = PyObject_Str(dtype)) && (bytes = PyUnicode_AsUTF8String(text))) {
        if (find_element(PyBytes_AsString(bytes), &arrays->dtype_code, &arrays->dtype_bits))
            code = 0;
        else
            PyErr_Format(PyExc_TypeError, "%s: %s has elements of %U, which buffers cannot have", label->kernel,
                         label->argument, text);
    }
    Py_XDECREF(text);
    Py_XDECREF(bytes);
    Py_XDECREF(arrays->dtype);
    arrays->dtype = code ? NULL : dtype;
    if (code)
        Py_XDECREF(dtype);
    return code;
}

static int read_data_ptr(struct arrays *arrays, PyObject *object, const struct label *label, struct array *array)
{
    long long address = ask(object, names.data_ptr), count, contiguous, device;
    if ((address == -1 && PyErr_Occurred()) || ((count = ask(object, names.numel)) < 0) ||
        (contiguous = ask(object, names.is_contiguous)) < 0 || read_dtype(arrays, object, label))
        return -1;
    device = ask(object, names.get_device);
    if (device == -1 && PyErr_Occurred())
        return -1;
    if (device < 0) {
        PyErr_Format(PyExc_ValueError, "%s: %s is not on a GPU", label->kernel, label->argument);
        return -1;
    }
    *array = (struct array){.address = (char *)(uintptr_t)address,
                            .count = count,
                            .device = (int)device,
                            .code = arrays->dtype_code,
                            .bits = arrays->dtype_bits,
                            .lanes = 1,
                            .contiguous = contiguous != 0};
    return 0;
}

/* ---- By __cuda_array_interface__ ---- */

/* Reads "<f4". */
static int read_typestr(struct arrays *arrays, PyObject *value, const struct label *label)
{
    static const struct {
        char kind;
        uint8_t code;
    } kinds[] = {{'f', DLPACK_FLOAT},   {'i', DLPACK_INT},  {'u', DLPACK_UINT},
                 {'c', DLPACK_COMPLEX}, {'b', DLPACK_BOOL}, {'V', DLPACK_OPAQUE}};
    if (value && value == arrays->typestr)
        return 0;
    PyObject *bytes = value ? PyUnicode_AsUTF8String(value) : NULL;
    const char *text = bytes ? PyBytes_AsString(bytes) : "";
    char kind = 0;
    unsigned size = 0;
    int found = -1;
    if (strlen(text) > 2 && *text != '>' && sscanf(text + 1, "%c%u", &kind, &size) == 2 && size > 0 && size <= 31)
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (kinds[i].kind == kind) {
                arrays->typestr_code = kinds[i].code;
                arrays->typestr_bits = (uint8_t)(8 * size);
                found = 0;
            }
    if (found && !PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%s: %s has elements of type %s, which buffers cannot have", label->kernel,
                     label->argument, text);
    Py_XDECREF(bytes);
    Py_XDECREF(arrays->typestr);
    arrays->typestr = found ? NULL : value;
    Py_XINCREF(arrays->typestr);
    return found;
}

/* Counts the elements of a shape, and compares the strides, in bytes, with those of a contiguous array. */
static int read_shape(PyObject *shape, PyObject *strides, struct array *array)
{
    Py_ssize_t rank = shape ? PyTuple_Size(shape) : -1;
    array->count = 1;
    array->contiguous = 1;
    for (Py_ssize_t d = rank - 1; d >= 0; d--) {
        long long size = PyLong_AsLongLong(PyTuple_GetItem(shape, d)), stride;
        if (size < 0)
            return -1;
        if (strides && strides != Py_None && size != 1) {
            stride = PyLong_AsLongLong(PyTuple_GetItem(strides, d));
            if (PyErr_Occurred())
                return -1;
            if (stride != array->count * array->bits / 8)
                array->contiguous = 0;
        }
        array->count *= size;
    }
    if (array->count == 0)
        array->contiguous = 1;
    return rank < 0 ? -1 : 0;
}

static int read_interface(struct arrays *arrays, PyObject *object, const struct label *label, struct array *array,
                          void **stream)
{
    PyObject *all = PyObject_GetAttr(object, names.__cuda_array_interface__), *data, *value;
    int code = -1;
    *array = (struct array){.device = -1, .lanes = 1};
    if (!all)
        return -1;
    data = PyDict_Check(all) ? PyDict_GetItemWithError(all, names.data) : NULL;
    if (data && PyTuple_Check(data) && PyTuple_Size(data) == 2) {
        array->address = PyLong_AsVoidPtr(PyTuple_GetItem(data, 0));
        array->readonly = PyObject_IsTrue(PyTuple_GetItem(data, 1)) == 1;
        if (!PyErr_Occurred() && !read_typestr(arrays, PyDict_GetItemWithError(all, names.typestr), label)) {
            array->code = arrays->typestr_code;
            array->bits = arrays->typestr_bits;
            code = read_shape(PyDict_GetItemWithError(all, names.shape), PyDict_GetItemWithError(all, names.strides),
                              array);
        }
    }
    value = code ? NULL : PyDict_GetItemWithError(all, names.stream);
    if (value && value != Py_None)
        *stream = PyLong_AsVoidPtr(value);
    if (!PyErr_Occurred() && code)
        PyErr_Format(PyExc_TypeError, "%s: %s has no valid __cuda_array_interface__", label->kernel, label->argument);
    Py_DECREF(all);
    return PyErr_Occurred() ? -1 : code;
}

/* ---- Types of arrays ---- */

/* The newest table that this version can read; NULL: none. */
static const struct dlpack_table *find_table(PyObject *type)
{
    const struct dlpack_table *table = NULL;
    PyObject *capsule = PyObject_GetAttrString(type, "__dlpack_c_exchange_api__");
    if (capsule && PyCapsule_IsValid(capsule, "dlpack_exchange_api"))
        table = PyCapsule_GetPointer(capsule, "dlpack_exchange_api");
    PyErr_Clear();
    Py_XDECREF(capsule);
    while (table && table->major != DLPACK_MAJOR)
        table = table->previous;
    return table && table->tensor_from_object && table->current_stream ? table : NULL;
}

/* NULL with an exception for an object that is no array. */
static const struct known_type *learn(struct arrays *arrays, PyObject *object, const struct label *label)
{
    PyObject *type = (PyObject *)Py_TYPE(object);
    struct known_type found = {.type = type, .table = find_table(type)};
    if (found.table)
        found.route = ROUTE_TABLE;
    else if (PyObject_HasAttr(object, names.data_ptr))
        found.route = ROUTE_DATA_PTR;
    else if (PyObject_HasAttr(object, names.__cuda_array_interface__))
        found.route = ROUTE_INTERFACE;
    if (found.route == ROUTE_NONE) {
        PyObject *module = PyObject_GetAttrString(type, "__module__");
        PyObject *name = PyObject_GetAttrString(type, "__qualname__");
        if (name && module)
            PyErr_Format(PyExc_TypeError, "%s: %s is a %S.%S, not an array on the GPU", label->kernel, label->argument,
                         module, name);
        Py_XDECREF(name);
        Py_XDECREF(module);
        return NULL;
    }
    struct known_type *place = &arrays->known[arrays->next++ % (sizeof arrays->known / sizeof *arrays->known)];
    PyObject *replaced = place->type;
    *place = (struct known_type){0};
    Py_XDECREF(replaced); /* may run Python code that comes here */
    Py_INCREF(type);
    *place = found;
    return place;
}

static const struct known_type *find_type(const struct arrays *arrays, const PyObject *object)
{
    for (size_t i = 0; i < sizeof arrays->known / sizeof *arrays->known; i++)
        if (arrays->known[i].type == (PyObject *)Py_TYPE(object))
            return &arrays->known[i];
    return NULL;
}

int array_read(struct arrays *arrays, PyObject *object, const struct label *label, struct array *array, void **stream)
{
    const struct known_type *known = find_type(arrays, object);
    *stream = NULL;
    if (!known)
        known = learn(arrays, object, label);
    if (!known)
        return -1;
    if (known->route == ROUTE_TABLE)
        return read_table(known->table, object, label, array);
    if (known->route == ROUTE_DATA_PTR)
        return read_data_ptr(arrays, object, label, array);
    return read_interface(arrays, object, label, array, stream);
}

void arrays_free(struct arrays *arrays)
{
    for (size_t i = 0; i < sizeof arrays->known / sizeof *arrays->known; i++)
        Py_XDECREF(arrays->known[i].type);
    Py_XDECREF(arrays->dtype);
    Py_XDECREF(arrays->typestr);
}
