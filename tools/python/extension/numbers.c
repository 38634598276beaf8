#include "numbers.h"

#include <string.h>

int number_known(const struct element *element)
{
    if (element->components != 1)
        return 0;
    return element->code == DLPACK_FLOAT ? element->bits >= 32 : element->code != DLPACK_BFLOAT;
}

/* "smooth: argument 3 is a str, and the space has an integer, int". */
static void raise_type(PyObject *object, const struct cutune_argument *argument, const char *kind, const char *kernel,
                       size_t position)
{
    PyErr_Clear();
    PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");
    if (name)
        PyErr_Format(PyExc_TypeError, "%s: argument %zu is a %S, and the space has %s, %s", kernel, position + 1, name,
                     kind, argument->type);
    Py_XDECREF(name);
}

/* The space's integer as Python's; NULL with an exception. */
static PyObject *own_integer(const struct cutune_argument *argument, const struct element *element)
{
    unsigned long long bits = 0;
    memcpy(&bits, argument->value, argument->bytes < sizeof bits ? argument->bytes : sizeof bits);
    if (element->code != DLPACK_INT)
        return PyLong_FromUnsignedLongLong(bits);
    unsigned shift = 64u - element->bits;
    return PyLong_FromLongLong((long long)(bits << shift) >> shift);
}

static int check_integer(PyObject *object, const struct cutune_argument *argument, const struct element *element,
                         const char *kernel, size_t position)
{
    PyObject *given = PyNumber_Index(object), *own = given ? own_integer(argument, element) : NULL;
    int same = own ? PyObject_RichCompareBool(given, own, Py_EQ) : -1;
    if (!given && PyErr_ExceptionMatches(PyExc_TypeError))
        raise_type(object, argument, "an integer", kernel, position);
    else if (same == 0)
        PyErr_Format(PyExc_ValueError, "%s: argument %zu is %S, and the space has %S: another size is another kernel",
                     kernel, position + 1, given, own);
    Py_XDECREF(given);
    Py_XDECREF(own);
    return same == 1 ? 0 : -1;
}

int number_read(PyObject *object, const struct cutune_argument *argument, const struct element *element,
                const char *kernel, size_t position, union number *number)
{
    double value;
    if (element->code != DLPACK_FLOAT)
        return check_integer(object, argument, element, kernel, position);
    value = PyFloat_AsDouble(object);
    if (value == -1 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_TypeError))
            raise_type(object, argument, "a number", kernel, position);
        return -1;
    }
    if (element->bits == 32)
        number->single_precision = (float)value;
    else
        number->double_precision = value;
    return 1;
}
