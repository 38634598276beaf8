#pragma GCC diagnostic ignored "-Wpedantic" /* Python keeps functions as void * */
#include "launcher.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <structmember.h>

#include "arrays.h"
#include "elements.h"
#include "numbers.h"
#include "plan.h"

/* PEP 590 for types of the limited API of Python 3.10, which lacks these names. */
#define HAVE_VECTORCALL (1ul << 11)
typedef PyObject *vectorcall(PyObject *callable, PyObject *const *arguments, size_t flagged_count, PyObject *names);
static const size_t count_mask = ~((size_t)1 << (8 * sizeof(size_t) - 1));

struct launcher {
    PyObject_HEAD vectorcall *call;
    PyObject *owner;       /* keeps the sequence alive */
    PyObject *find_stream; /* (array, stream) -> handle: the stream of an array without a table, or of an object */
    char name[256];        /* of the kernel, for messages */
    int device;            /* ordinal */
    struct plan plan;
    struct element *elements; /* of the buffers that are parameters */
    struct element *numbers;  /* of the only launch's arguments, if a call may give all of them */
    struct arrays arrays;
};

/* ---- A call ---- */

static int raise_mismatch(const struct launcher *self, size_t parameter, const struct array *array)
{
    const struct cutune_buffer *buffer = &self->plan.sequence->buffers[self->plan.parameters[parameter]];
    char type[32];
    array_type_name(array, type);
    if (array->device >= 0 && array->device != self->device)
        PyErr_Format(PyExc_ValueError, "%s: %s is on the GPU %d, and the kernel is for the GPU %d", self->name,
                     buffer->name, array->device, self->device);
    else if (!element_matches(&self->elements[parameter], array))
        PyErr_Format(PyExc_TypeError, "%s: %s has elements of %s, and the space's buffer is %s[%zu]", self->name,
                     buffer->name, type, buffer->type, buffer->count);
    else if (!array->contiguous)
        PyErr_Format(PyExc_ValueError, "%s: %s is strided, and the space's buffer %s[%zu] is contiguous", self->name,
                     buffer->name, buffer->type, buffer->count);
    else if (array->readonly && buffer->written)
        PyErr_Format(PyExc_ValueError, "%s: %s is read-only, and the kernel writes it", self->name, buffer->name);
    else
        PyErr_Format(PyExc_ValueError, "%s: %s has %lld elements of %s, and the space's buffer is %s[%zu]", self->name,
                     buffer->name, (long long)array->count, type, buffer->type, buffer->count);
    return -1;
}

/* Asks Python for the current stream of an array's framework, or for the handle of a stream. None: unknown. */
static int ask_stream(struct launcher *self, PyObject *array, PyObject *given, int *has_stream, void **stream)
{
    PyObject *found = PyObject_CallFunctionObjArgs(self->find_stream, array, given, NULL);
    if (found && found != Py_None) {
        *has_stream = 1;
        *stream = PyLong_AsVoidPtr(found);
    }
    Py_XDECREF(found);
    return PyErr_Occurred() ? -1 : 0;
}

/* Reads an argument into the buffers of a call. The first array that tells a stream does so for the call. */
static int read_argument(struct launcher *self, size_t parameter, PyObject *object, char **buffers, int *has_stream,
                         void **stream)
{
    unsigned number = self->plan.parameters[parameter];
    const struct cutune_buffer *buffer = &self->plan.sequence->buffers[number];
    const struct element *element = &self->elements[parameter];
    struct array array;
    void *named;
    const struct label label = {self->name, buffer->name};
    if (array_read(&self->arrays, object, &label, &array, &named))
        return -1;
    if (!array.contiguous || (array.device >= 0 && array.device != self->device) ||
        (uint64_t)array.count * array.bits * array.lanes != (uint64_t)buffer->bytes * 8 ||
        !element_matches(element, &array) || (array.readonly && buffer->written))
        return raise_mismatch(self, parameter, &array);
    buffers[number] = array.address;
    if (*has_stream)
        return 0;
    *has_stream = array.table || named;
    *stream = named;
    if (array.table)
        return array.table->current_stream(DLPACK_CUDA, self->device, stream) ? -1 : 0;
    return named ? 0 : ask_stream(self, object, Py_None, has_stream, stream);
}

/* Reads `stream=`: a handle, None for the current stream, or an object. */
static int read_stream(struct launcher *self, PyObject *given, int *has_stream, void **stream)
{
    if (given == Py_None)
        return 0;
    if (!PyLong_Check(given))
        return ask_stream(self, Py_None, given, has_stream, stream);
    *has_stream = 1;
    *stream = PyLong_AsVoidPtr(given);
    return PyErr_Occurred() ? -1 : 0;
}

/* "smooth takes 2 arrays (out, in), or all 3 arguments, not 1". */
static int raise_count(const struct launcher *self, size_t count)
{
    char names[1024] = "", all[64] = "";
    size_t length = 0, wanted = self->plan.parameter_count;
    for (size_t i = 0; i < wanted && length < sizeof names; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
                                   self->plan.sequence->buffers[self->plan.parameters[i]].name);
    if (self->plan.full_count)
        snprintf(all, sizeof all, ", or all %zu arguments", self->plan.full_count);
    PyErr_Format(PyExc_TypeError, "%s takes %zu arrays (%s)%s, not %zu", self->name, wanted, names, all, count);
    return -1;
}

/* The arguments of a call. */
struct given {
    char *buffers[PLAN_BUFFERS_MAX];
    union number numbers[CUTUNE_ARGUMENTS_MAX];
    const void *replaced[CUTUNE_ARGUMENTS_MAX];
    void *stream;
    int has_stream;
};

/* Reads the arrays and numbers of the only launch, in the order of its arguments. */
static int read_all(struct launcher *self, PyObject *const *arguments, struct given *given)
{
    const struct cutune_launch *only = self->plan.sequence->launches;
    size_t array = 0;
    for (size_t i = 0; i < self->plan.full_count; i++) {
        const struct cutune_argument *argument = &only->arguments[i];
        int replaced = 0;
        if (argument->kind == CUTUNE_ARGUMENT_BUFFER) {
            if (read_argument(self, array++, arguments[i], given->buffers, &given->has_stream, &given->stream))
                return -1;
        } else {
            replaced = number_read(arguments[i], argument, &self->numbers[i], self->name, i, &given->numbers[i]);
        }
        if (replaced < 0)
            return -1;
        given->replaced[i] = replaced ? &given->numbers[i] : NULL;
    }
    return 0;
}

static int launch(struct launcher *self, PyObject *const *arguments, size_t count, PyObject *stream)
{
    struct given given; /* large: not cleared */
    given.stream = NULL;
    given.has_stream = 0;
    if (!self->elements) {
        PyErr_SetString(PyExc_RuntimeError, "the launcher is not initialised");
        return -1;
    }
    int all = count == self->plan.full_count && count;
    if (!all && count != self->plan.parameter_count)
        return raise_count(self, count);
    if (stream && read_stream(self, stream, &given.has_stream, &given.stream))
        return -1;
    if (all && read_all(self, arguments, &given))
        return -1;
    for (size_t i = 0; i < count && !all; i++)
        if (read_argument(self, i, arguments[i], given.buffers, &given.has_stream, &given.stream))
            return -1;
    return plan_launch(&self->plan, given.buffers, all ? given.replaced : NULL, (CUstream)given.stream);
}

static PyObject *call(PyObject *callable, PyObject *const *arguments, size_t flagged_count, PyObject *names)
{
    struct launcher *self = (struct launcher *)callable;
    size_t count = flagged_count & count_mask;
    PyObject *stream = NULL;
    Py_ssize_t name_count = names ? PyTuple_Size(names) : 0;
    for (Py_ssize_t i = 0; i < name_count; i++) {
        PyObject *name = PyTuple_GetItem(names, i);
        if (PyUnicode_CompareWithASCIIString(name, "stream") != 0) {
            PyErr_Format(PyExc_TypeError, "%s has no keyword %U: arrays are passed in order, and stream=", self->name,
                         name);
            return NULL;
        }
        stream = arguments[count + (size_t)i];
    }
    if (launch(self, arguments, count, stream))
        return NULL;
    Py_RETURN_NONE;
}

/* Calls that come with a tuple, such as those of subclasses before Python 3.12. */
static PyObject *call_with_tuple(PyObject *callable, PyObject *arguments, PyObject *keywords)
{
    PyObject *items[PLAN_BUFFERS_MAX + 1], *names = NULL, *result = NULL;
    Py_ssize_t count = PyTuple_Size(arguments), given = keywords ? PyDict_Size(keywords) : 0;
    if (count > PLAN_BUFFERS_MAX || given > 1) {
        PyErr_SetString(PyExc_TypeError, "too many arguments: arrays are passed in order, and stream=");
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        items[i] = PyTuple_GetItem(arguments, i);
    if (given) {
        PyObject *key;
        Py_ssize_t at = 0;
        PyDict_Next(keywords, &at, &key, &items[count]);
        names = PyTuple_Pack(1, key);
        if (!names)
            return NULL;
    }
    result = call(callable, items, (size_t)count, names);
    Py_XDECREF(names);
    return result;
}

/* ---- The object ---- */

static void clear(struct launcher *self)
{
    plan_free(&self->plan);
    arrays_free(&self->arrays);
    PyMem_Free(self->elements);
    PyMem_Free(self->numbers);
    self->elements = self->numbers = NULL;
    Py_CLEAR(self->owner);
    Py_CLEAR(self->find_stream);
}

/* Finds the types of all that a call gives. */
static int describe(struct launcher *self)
{
    struct plan *plan = &self->plan;
    self->elements = PyMem_Malloc((plan->parameter_count + 1) * sizeof *self->elements);
    self->numbers = PyMem_Malloc((plan->full_count + 1) * sizeof *self->numbers);
    if (!self->elements || !self->numbers) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < plan->parameter_count; i++)
        element_find(plan->sequence->buffers[plan->parameters[i]].type, &self->elements[i]);
    for (size_t i = 0; i < plan->full_count; i++) {
        const struct cutune_argument *argument = &plan->sequence->launches->arguments[i];
        self->numbers[i] = (struct element){0};
        if (argument->kind != CUTUNE_ARGUMENT_VALUE)
            continue;
        element_find(argument->type, &self->numbers[i]);
        if (!number_known(&self->numbers[i]))
            plan->full_count = 0; /* ends the loop */
    }
    return 0;
}

static int init(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    struct launcher *self = (struct launcher *)object;
    unsigned long long sequence;
    const char *name;
    PyObject *owner, *find_stream;
    int device;
    (void)keywords;
    if (!PyArg_ParseTuple(arguments, "sKiOO:Launcher", &name, &sequence, &device, &owner, &find_stream))
        return -1;
    if (self->elements) {
        PyErr_SetString(PyExc_RuntimeError, "a launcher is initialised once");
        return -1;
    }
    snprintf(self->name, sizeof self->name, "%s", name);
    self->device = device;
    self->call = call;
    Py_INCREF(owner);
    Py_INCREF(find_stream);
    self->owner = owner;
    self->find_stream = find_stream;
    if (plan_open(&self->plan, (const struct cutune_sequence *)(uintptr_t)sequence, device))
        return -1;
    return describe(self);
}

static void dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    clear((struct launcher *)object);
    release(object);
    Py_DECREF(type);
}

/* ((name, type, elements, written), ...) */
static PyObject *get_parameters(PyObject *object, void *context)
{
    const struct launcher *self = (const struct launcher *)object;
    size_t count = self->plan.parameter_count;
    PyObject *all = PyTuple_New((Py_ssize_t)count);
    (void)context;
    for (size_t i = 0; all && i < count; i++) {
        const struct cutune_buffer *buffer = &self->plan.sequence->buffers[self->plan.parameters[i]];
        PyObject *one = Py_BuildValue("ssnO", buffer->name, buffer->type, (Py_ssize_t)buffer->count,
                                      buffer->written ? Py_True : Py_False);
        if (!one || PyTuple_SetItem(all, (Py_ssize_t)i, one)) {
            Py_DECREF(all);
            return NULL;
        }
    }
    return all;
}

/* ((entry, block, grid, shared, cluster, cooperative, repeat, cubin), ...) */
static PyObject *get_launches(PyObject *object, void *context)
{
    const struct launcher *self = (const struct launcher *)object;
    size_t count = self->plan.sequence ? self->plan.sequence->launch_count : 0;
    PyObject *all = PyTuple_New((Py_ssize_t)count);
    (void)context;
    for (size_t i = 0; all && i < count; i++) {
        const struct cutune_launch *from = &self->plan.sequence->launches[i];
        const unsigned *grid = self->plan.launches[i].grid;
        PyObject *one =
            Py_BuildValue("s(III)(III)n(III)iII", from->kernel, from->block[0], from->block[1], from->block[2], grid[0],
                          grid[1], grid[2], (Py_ssize_t)from->shared_bytes, from->cluster[0], from->cluster[1],
                          from->cluster[2], from->cooperative, from->repeat, from->cubin);
        if (!one || PyTuple_SetItem(all, (Py_ssize_t)i, one)) {
            Py_DECREF(all);
            return NULL;
        }
    }
    return all;
}

static PyObject *get_cubins(PyObject *object, void *context)
{
    const struct cutune_sequence *sequence = ((const struct launcher *)object)->plan.sequence;
    size_t count = sequence ? sequence->cubin_count : 0;
    PyObject *all = PyTuple_New((Py_ssize_t)count);
    (void)context;
    for (size_t i = 0; all && i < count; i++) {
        PyObject *one = PyBytes_FromStringAndSize(sequence->cubins[i].bytes, (Py_ssize_t)sequence->cubins[i].count);
        if (!one || PyTuple_SetItem(all, (Py_ssize_t)i, one)) {
            Py_DECREF(all);
            return NULL;
        }
    }
    return all;
}

PyObject *launcher_type(void)
{
    static PyMemberDef members[] = {
        {"__vectorcalloffset__", T_PYSSIZET, offsetof(struct launcher, call), READONLY, NULL},
        {"device", T_INT, offsetof(struct launcher, device), READONLY, "the GPU's number"},
        {0},
    };
    static PyGetSetDef properties[] = {
        {"_parameters", get_parameters, NULL, "(name, type, elements, written) of each array", NULL},
        {"_cubins", get_cubins, NULL, "the machine code", NULL},
        {"_launches", get_launches, NULL,
         "(entry, block, grid, shared, cluster, cooperative, repeat, cubin) of each launch", NULL},
        {0},
    };
    static PyType_Slot slots[] = {
        {Py_tp_init, init},
        {Py_tp_dealloc, dealloc},
        {Py_tp_call, call_with_tuple},
        {Py_tp_members, members},
        {Py_tp_getset, properties},
        {Py_tp_doc, "A loaded kernel that launches when called."},
        {0, NULL},
    };
    static PyType_Spec spec = {.name = "cutune._launch.Launcher",
                               .basicsize = sizeof(struct launcher),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | HAVE_VECTORCALL,
                               .slots = slots};
    return PyType_FromSpec(&spec);
}
