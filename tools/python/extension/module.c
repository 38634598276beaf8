/* The extension module cutune._launch: the GPUs of this process, and the types of loaded kernels. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <driver_types.h>

#include "arrays.h"
#include "driver.h"
#include "extension.h"
#include "function.h"
#include "launcher.h"

int raise_error(int code, const char *hint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    PyObject *message = PyUnicode_FromFormatV(format, arguments);
    va_end(arguments);
    PyObject *module = PyImport_ImportModule("cutune._error");
    PyObject *make = module ? PyObject_GetAttrString(module, "make") : NULL;
    PyObject *error = make && message ? PyObject_CallFunction(make, "iOs", code, message, hint) : NULL;
    if (error)
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(message);
    Py_XDECREF(module);
    Py_XDECREF(make);
    Py_XDECREF(error);
    return -1;
}

/* Adds a limit to a dictionary, under its name in spaces. */
static int add_limit(PyObject *limits, const char *name, long long value)
{
    PyObject *number = PyLong_FromLongLong(value);
    int code = number ? PyDict_SetItemString(limits, name, number) : -1;
    Py_XDECREF(number);
    return code;
}

static int add_limits(PyObject *limits, CUdevice device)
{
    static const struct {
        const char *limit;
        enum cudaDeviceAttr attribute; /* the driver's numbers are the same */
    } attributes[] = {
#include "device_attributes.inc"
    };
    size_t memory_bytes = 0;
    int major = 0, minor = 0;
    if (driver_check(driver.cuDeviceTotalMem(&memory_bytes, device), "describing the device") ||
        driver_check(driver.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device),
                     "describing the device") ||
        driver_check(driver.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device),
                     "describing the device") ||
        add_limit(limits, "memory_bytes", (long long)memory_bytes) || add_limit(limits, "cc", major * 10 + minor))
        return -1;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        int value = 0;
        CUresult result = driver.cuDeviceGetAttribute(&value, (CUdevice_attribute)attributes[i].attribute, device);
        if (driver_check(result, "describing the device") || add_limit(limits, attributes[i].limit, value))
            return -1;
    }
    return 0;
}

static PyObject *describe_device(PyObject *module, PyObject *argument)
{
    CUdevice device;
    CUuuid uuid;
    char name[256] = "", text[64];
    size_t length = 0;
    long number = PyLong_AsLong(argument);
    (void)module;
    if (PyErr_Occurred() || driver_open() ||
        driver_check(driver.cuDeviceGet(&device, (int)number), "finding the device") ||
        driver_check(driver.cuDeviceGetName(name, sizeof name, device), "describing the device") ||
        driver_check(driver.cuDeviceGetUuid(&uuid, device), "describing the device"))
        return NULL;
    for (size_t i = 0; i < sizeof uuid.bytes; i++)
        length +=
            (size_t)snprintf(text + length, sizeof text - length,
                             i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", (unsigned char)uuid.bytes[i]);
    PyObject *limits = PyDict_New();
    if (!limits || add_limits(limits, device)) {
        Py_XDECREF(limits);
        return NULL;
    }
    return Py_BuildValue("ssN", name, text, limits);
}

static PyObject *current_device(PyObject *module, PyObject *argument)
{
    CUcontext context = NULL;
    CUdevice device = 0;
    (void)module;
    (void)argument;
    if (driver_open() || driver_check(driver.cuCtxGetCurrent(&context), "finding the current device") ||
        (context && driver_check(driver.cuCtxGetDevice(&device), "finding the current device")))
        return NULL;
    return PyLong_FromLong(device);
}

static PyMethodDef methods[] = {
    {"describe_device", describe_device, METH_O, "(name, UUID, {limit: value}) of the GPU of a number"},
    {"current_device", current_device, METH_NOARGS, "the number of the current GPU; 0 without a context"},
    {0},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "_launch", .m_size = -1, .m_methods = methods};

PyMODINIT_FUNC PyInit__launch(void);
PyMODINIT_FUNC PyInit__launch(void)
{
    PyObject *module = PyModule_Create(&definition), *launcher = launcher_type(), *function = function_type();
    if (module && launcher && function && !arrays_start()) {
        Py_INCREF(launcher); /* a reference is the module's, if it takes it */
        Py_INCREF(function);
        if (!PyModule_AddObject(module, "Launcher", launcher) && !PyModule_AddObject(module, "Function", function)) {
            Py_DECREF(launcher);
            Py_DECREF(function);
            return module;
        }
    }
    Py_XDECREF(launcher);
    Py_XDECREF(function);
    Py_XDECREF(module);
    return NULL;
}
