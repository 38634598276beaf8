#pragma GCC diagnostic ignored "-Wpedantic" /* Python keeps functions as void * */
#include "function.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cutune.h>

#include "arrays.h"
#include "driver.h"
#include "elements.h"

enum { PARAMETERS_MAX = 256 };

enum parameter { PARAMETER_ADDRESS, PARAMETER_NULL, PARAMETER_NUMBER };

struct function {
    PyObject_HEAD PyObject
        *find_stream; /* (array, stream) -> handle: the stream of an array without a table, or of an object */
    char name[256];   /* of the kernel, for messages */
    int device;       /* ordinal */
    CUdevice handle;
    CUcontext context;   /* the primary one */
    CUkernel kernel;     /* for every context */
    CUfunction function; /* for the primary context */
    unsigned block[3], shared_bytes, attribute_count;
    CUlaunchAttribute attributes[2];
    size_t count; /* of parameters */
    enum parameter kinds[PARAMETERS_MAX];
    struct element numbers[PARAMETERS_MAX];
    struct arrays arrays;
};

/* The bytes of a parameter. */
union value {
    void *address;
    uint64_t integer;
    float single_precision;
    double double_precision;
};

/* ---- A call ---- */

static int read_number(const struct function *self, size_t parameter, PyObject *object, union value *value)
{
    const struct element *element = &self->numbers[parameter];
    if (element->code == DLPACK_FLOAT) {
        double number = PyFloat_AsDouble(object);
        if (element->bits == 64)
            value->double_precision = number;
        else
            value->single_precision = (float)number;
    } else if (element->code == DLPACK_BOOL) {
        value->integer = (uint64_t)PyObject_IsTrue(object);
    } else if (element->code == DLPACK_INT) {
        value->integer = (uint64_t)PyLong_AsLongLong(object);
        int64_t back = (int64_t)(value->integer << (64u - element->bits)) >> (64u - element->bits);
        if (!PyErr_Occurred() && back != (int64_t)value->integer)
            PyErr_SetNone(PyExc_OverflowError);
    } else {
        value->integer = PyLong_AsUnsignedLongLong(object);
        if (!PyErr_Occurred() && element->bits < 64 && value->integer >> element->bits)
            PyErr_SetNone(PyExc_OverflowError);
    }
    if (!PyErr_Occurred())
        return 0;
    int large = PyErr_ExceptionMatches(PyExc_OverflowError);
    PyErr_Clear();
    PyErr_Format(large ? PyExc_OverflowError : PyExc_TypeError, "%s: argument %zu, %R, is no number of %u bits",
                 self->name, parameter + 1, object, element->bits);
    return -1;
}

/* The stream of an array or of a given object, asked of Python. None: the default stream. */
static int ask_stream(const struct function *self, PyObject *array, PyObject *given, void **stream)
{
    PyObject *found = PyObject_CallFunctionObjArgs(self->find_stream, array, given, NULL);
    if (found && found != Py_None)
        *stream = PyLong_AsVoidPtr(found);
    Py_XDECREF(found);
    return PyErr_Occurred() ? -1 : 0;
}

/* Reads an array; the first one tells the stream unless the call does. */
static int read_array(struct function *self, size_t parameter, PyObject *object, int *has_stream, void **stream,
                      void **address)
{
    char text[32];
    struct array array;
    void *named;
    snprintf(text, sizeof text, "argument %zu", parameter + 1);
    const struct label label = {self->name, text};
    if (object == Py_None) {
        *address = NULL;
        return 0;
    }
    if (array_read(&self->arrays, object, &label, &array, &named))
        return -1;
    if (array.device >= 0 && array.device != self->device) {
        PyErr_Format(PyExc_ValueError, "%s: %s is on the GPU %d, and the kernel is for the GPU %d", self->name, text,
                     array.device, self->device);
        return -1;
    }
    *address = array.address;
    if (*has_stream)
        return 0;
    *has_stream = 1;
    *stream = named;
    if (array.table)
        return array.table->current_stream(DLPACK_CUDA, self->device, stream) ? -1 : 0;
    return named ? 0 : ask_stream(self, object, Py_None, stream);
}

static int read_grid(const struct function *self, PyObject *object, unsigned grid[3])
{
    Py_ssize_t count = PySequence_Size(object);
    grid[0] = grid[1] = grid[2] = 1;
    if (count < 1 || count > 3) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s: the grid %R has not one to three sizes", self->name, object);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PySequence_GetItem(object, i);
        grid[i] = item ? (unsigned)PyLong_AsUnsignedLong(item) : 0;
        Py_XDECREF(item);
    }
    return PyErr_Occurred() ? -1 : 0;
}

static CUresult start(const struct function *self, int primary, const unsigned grid[3], void **values, CUstream stream)
{
    CUfunction function = primary ? self->function : (CUfunction)self->kernel;
    if (self->attribute_count) {
        CUlaunchConfig config = {.gridDimX = grid[0],
                                 .gridDimY = grid[1],
                                 .gridDimZ = grid[2],
                                 .blockDimX = self->block[0],
                                 .blockDimY = self->block[1],
                                 .blockDimZ = self->block[2],
                                 .sharedMemBytes = self->shared_bytes,
                                 .hStream = stream,
                                 .attrs = (CUlaunchAttribute *)self->attributes,
                                 .numAttrs = self->attribute_count};
        return driver.cuLaunchKernelEx(&config, function, values, NULL);
    }
    return driver.cuLaunchKernel(function, grid[0], grid[1], grid[2], self->block[0], self->block[1], self->block[2],
                                 self->shared_bytes, stream, values, NULL);
}

static int launch(const struct function *self, const unsigned grid[3], void **values, CUstream stream)
{
    struct driver_scope scope;
    CUresult result = driver_enter(self->context, self->handle, &scope);
    if (result == CUDA_SUCCESS)
        result = start(self, scope.primary, grid, values, stream);
    driver_leave(&scope);
    return driver_check(result, self->name);
}

/* (grid, arguments, stream) */
static PyObject *call(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    struct function *self = (struct function *)object;
    PyObject *grid_object, *sequence, *given;
    union value values[PARAMETERS_MAX];
    void *places[PARAMETERS_MAX], *stream = NULL;
    unsigned grid[3];
    Py_ssize_t next = 0;
    if (keywords || !PyArg_ParseTuple(arguments, "OOO:Function", &grid_object, &sequence, &given) ||
        read_grid(self, grid_object, grid))
        return NULL;
    int has_stream = given != Py_None;
    if (has_stream && PyLong_Check(given))
        stream = PyLong_AsVoidPtr(given);
    else if (has_stream && ask_stream(self, Py_None, given, &stream))
        return NULL;
    for (size_t i = 0; i < self->count && !PyErr_Occurred(); i++) {
        values[i].integer = 0;
        places[i] = &values[i];
        if (self->kinds[i] == PARAMETER_NULL)
            continue;
        PyObject *item = PySequence_GetItem(sequence, next++);
        if (item && self->kinds[i] == PARAMETER_ADDRESS)
            read_array(self, i, item, &has_stream, &stream, &values[i].address);
        else if (item)
            read_number(self, i, item, &values[i]);
        Py_XDECREF(item); /* the caller's sequence keeps it */
    }
    if (!PyErr_Occurred() && PySequence_Size(sequence) != next)
        PyErr_Format(PyExc_TypeError, "%s takes %zd arguments", self->name, next);
    if (PyErr_Occurred() || (grid[0] && grid[1] && grid[2] && launch(self, grid, places, (CUstream)stream)))
        return NULL;
    Py_RETURN_NONE;
}

/* ---- The object ---- */

static int read_types(struct function *self, PyObject *types)
{
    Py_ssize_t count = PyTuple_Size(types);
    if (count < 0 || count > PARAMETERS_MAX) {
        PyErr_Format(PyExc_ValueError, "%s has more than %d parameters", self->name, PARAMETERS_MAX);
        return -1;
    }
    self->count = (size_t)count;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *name = PyUnicode_AsUTF8String(PyTuple_GetItem(types, i));
        const char *text = name ? PyBytes_AsString(name) : NULL;
        self->kinds[i] = !text                          ? PARAMETER_NULL
                         : strcmp(text, "address") == 0 ? PARAMETER_ADDRESS
                         : strcmp(text, "null") == 0    ? PARAMETER_NULL
                                                        : PARAMETER_NUMBER;
        if (text && self->kinds[i] == PARAMETER_NUMBER) {
            element_find(text, &self->numbers[i]);
            const struct element *element = &self->numbers[i];
            if (element->components != 1 || element->code == DLPACK_BFLOAT ||
                (element->code == DLPACK_FLOAT && element->bits < 32))
                PyErr_Format(PyExc_TypeError, "%s: a number of the type %s cannot be passed", self->name, text);
        }
        Py_XDECREF(name);
        if (PyErr_Occurred())
            return -1;
    }
    return 0;
}

static void set_attributes(struct function *self, const unsigned cluster[3], int cooperative)
{
    if (cluster[0]) {
        CUlaunchAttribute *attribute = &self->attributes[self->attribute_count++];
        attribute->id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        attribute->value.clusterDim.x = cluster[0];
        attribute->value.clusterDim.y = cluster[1];
        attribute->value.clusterDim.z = cluster[2];
    }
    if (cooperative) {
        CUlaunchAttribute *attribute = &self->attributes[self->attribute_count++];
        attribute->id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
        attribute->value.cooperative = 1;
    }
}

/* Loads the code, which stays loaded until the process ends. */
static int load(struct function *self, const void *cubin, const char *entry, const unsigned cluster[3])
{
    CUlibrary library;
    CUcontext popped;
    if (driver_check(driver.cuDevicePrimaryCtxRetain(&self->context, self->handle), "opening the device") ||
        driver_check(driver.cuCtxPushCurrent(self->context), "opening the device"))
        return -1;
    CUresult result = driver.cuLibraryLoadData(&library, cubin, NULL, NULL, 0, NULL, NULL, 0);
    if (result == CUDA_SUCCESS)
        result = driver.cuLibraryGetKernel(&self->kernel, library, entry);
    if (result == CUDA_SUCCESS && self->shared_bytes)
        result = driver.cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)self->shared_bytes,
                                             self->kernel, self->handle);
    if (result == CUDA_SUCCESS && cluster[0] * cluster[1] * cluster[2] > 8)
        result = driver.cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1, self->kernel,
                                             self->handle);
    if (result == CUDA_SUCCESS)
        result = driver.cuKernelGetFunction(&self->function, self->kernel);
    driver.cuCtxPopCurrent(&popped);
    return driver_check(result, entry);
}

static int init(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    struct function *self = (struct function *)object;
    const char *name, *cubin, *entry;
    Py_ssize_t bytes;
    PyObject *types, *find_stream;
    unsigned cluster[3];
    int cooperative;
    if (keywords ||
        !PyArg_ParseTuple(arguments, "sy#si(III)I(III)pO!O:Function", &name, &cubin, &bytes, &entry, &self->device,
                          &self->block[0], &self->block[1], &self->block[2], &self->shared_bytes, &cluster[0],
                          &cluster[1], &cluster[2], &cooperative, &PyTuple_Type, &types, &find_stream)) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "a function takes no keywords");
        return -1;
    }
    if (self->find_stream) {
        PyErr_SetString(PyExc_RuntimeError, "a function is initialised once");
        return -1;
    }
    snprintf(self->name, sizeof self->name, "%s", name);
    Py_INCREF(find_stream);
    self->find_stream = find_stream;
    set_attributes(self, cluster, cooperative);
    if (read_types(self, types) || driver_open() ||
        driver_check(driver.cuDeviceGet(&self->handle, self->device), "finding the device"))
        return -1;
    return load(self, cubin, entry, cluster);
}

static void dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    struct function *self = (struct function *)object;
    arrays_free(&self->arrays);
    Py_CLEAR(self->find_stream);
    release(object);
    Py_DECREF(type);
}

PyObject *function_type(void)
{
    static PyType_Slot slots[] = {
        {Py_tp_init, init}, {Py_tp_dealloc, dealloc},
        {Py_tp_call, call}, {Py_tp_doc, "Machine code that launches when called with a grid, arguments and a stream."},
        {0, NULL},
    };
    static PyType_Spec spec = {.name = "cutune._launch.Function",
                               .basicsize = sizeof(struct function),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                               .slots = slots};
    return PyType_FromSpec(&spec);
}
