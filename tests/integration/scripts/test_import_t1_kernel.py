#!/usr/bin/env python3
"""The script behind `cutune import`: KernelSpecification, member by member, the notes on parts not imported,
and the places of errors.

    test_import_t1_kernel.py FOLDER_OF_THE_SCRIPT PROGRAM"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(2))
import test_import_t1 as base  # noqa: E402

SOURCE = """// __global__ void k(int a);
#include "elsewhere.h"
#define k(x) in_directive
__constant__ float table[4], other[4];
extern "C" __global__ void __launch_bounds__(64, 2) k(float *out, const float *in, /* n, */ int n) { out[0] = in[0] * size; }
__global__ void with_table(float *out, const float *in, int n, const float *table);
__global__ void declared(float *out); __global__ void declared(float *out, const float *in, int n) {}
__global__ void none(void); __global__ void spaced ( ); template <typename T, int N> __global__ void pairs(T (*p)(int, int), pair<int, T> q, int r) {}\n"""
DEVICE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../space/devices/H200.csv")
TUNED = "#ifndef kernel_tuner\n#define x 1\n#endif\n__global__ void tuned(float *out, float *in, int n) { block_size_y + grid_size_x; }\n"
OUT = {"Name": "out", "Type": "float", "MemoryType": "Vector", "Size": 64, "AccessType": "WriteOnly"}
IN = {"Name": "in", "Type": "float", "MemoryType": "Vector", "Size": 64, "FillType": "Random", "AccessType": "ReadOnly"}
N = {"Name": "n", "Type": "int32", "MemoryType": "Scalar", "FillValue": 64}
SIZED = "__global__ void sized(float *out, float *in, int n) { out[block_size_z] = in[0]; }\n"
ELSEWHERE = """__global__ void elsewhere(float *out, const float *in, int n, const float *table) {}
template <typename T, int N> __global__ void typed(T *out, const T *in, int n) {}
namespace ns { __global__ void k(float *out, const float *in, int n) {} }\n"""
OWN = """#define size 16
constexpr int depth = 4;
#if !defined(width)
#define width 1
#endif
#define block_size_y 1
// #define block_size_x 3
extern "C" __global__ void k(float *out, const float *in, int n) { out[block_size_y] = in[size * depth * width]; }
"""
REFERENCE = {"Name": "right", "FillType": "BinaryRaw", "DataSource": "data.bin", "TargetName": "out"}
TABLE = dict(IN, Name="table", Size=4, MemType="Constant")


def description(arguments=(OUT, IN, N), config=None, conditions=(), **members):
    """A description with parameters x: 1, 2, 4, 8, y: 3 and w: row, col; a member None is left out."""
    specification = {"Language": "CUDA", "KernelName": "k", "KernelFile": "k.cu", "LocalSize": {"X": "x"}, "GlobalSize": {"X": "64"},
                     "Arguments": list(arguments)}
    specification.update(members)
    parameters = [{"Name": "x", "Values": "[1, 2, 4, 8]", "Default": 2}, {"Name": "y", "Values": "[3]", "Default": 3},
                  {"Name": "w", "Values": "['row', 'col']", "Default": "row"}]
    whole = {"ConfigurationSpace": {"TuningParameters": parameters, "Conditions": list(conditions)}, "BenchmarkConfig": config,
             "KernelSpecification": {name: value for name, value in specification.items() if value is not None}}
    return json.dumps(whole, indent=1)


def one(**members):
    """With one more argument."""
    more = {**IN, "Name": "more", **members}
    return description([OUT, IN, N, {name: value for name, value in more.items() if value is not None}])


def scalar(**members):
    return one(**{"MemoryType": "Scalar", "FillType": None, "AccessType": None, "Size": None, **members})


# A description, and a line of its space.
LINES = [
    (description(), 'kernel k "k.cu"'),
    (description(KernelName="ns::k"), 'kernel "ns::k" "k.cu"'),
    (description(KernelName="typed", KernelTypeNames=["float", "2"]), 'kernel "typed<float, 2>" "k.cu"'),
    (description(KernelFile="./k.cu"), 'kernel k "k.cu"'),
    (description(KernelFile="inner/in.cu"), 'kernel k "inner/in.cu"'),
    (description(Language="CUPY"), 'kernel k "k.cu"'),
    (description(Language="NVCUDA"), 'kernel k "k.cu"'),
    (description(Language="PYCUDA"), 'kernel k "k.cu"'),
    (description(Language=None), 'kernel k "k.cu"'),
    (description(CompilerOptions=["-DN=1", "", " --use_fast_math "]), 'option "-DN=1"\noption "--use_fast_math"'),
    (description(CompilerOptions="-std=c++17"), 'option "-std=c++17"'),
    # Block and grid.
    (description(LocalSize={"X": "x", "Y": "2 * y", "Z": "1"}), "block x, 2 * y"),
    (description(LocalSize={"X": 32, "Y": 1, "Z": "4"}), "block 32, 1, 4"),
    (description(LocalSize={"X": 1}), "block 1\ngrid 64\n\nreference default"),
    (description(LocalSize={"X": "x // 2 + 1"}), "block x / 2 + 1"),
    (description(LocalSize={"X": "8 / x"}), "block 8 / x"),
    (description(LocalSize={"X": "16 if w == 'row' else 32"}), "block w == row ? 16 : 32"),
    (description(GlobalSize={"X": "(64 + x - 1) // x", "Y": "1", "Z": 2}), "grid (64 + x - 1) / x, 1, 2"),
    (description(GlobalSize={"X": "math.ceil(64 / x)"}), "grid 64 / x"),
    (description(GlobalSize={"X": "ceil(64 / y)"}), "grid ceildiv(64, y)"),
    (description(GlobalSizeType="CUDA"), "grid 64"),
    (description(GlobalSizeType="OpenCL"), "grid ceildiv(64, x)"),
    (description(GlobalSizeType="OpenCL", GlobalSize={"X": "64", "Y": "y"}, LocalSize={"X": "x + 1", "Y": "y"}),
     "grid ceildiv(64, x + 1), ceildiv(y, y)"),
    (description(GlobalSizeType="OpenCL", GridDivX=["x", "y + 1", 1]), "grid ceildiv(64, x * (y + 1))"),
    (description(GlobalSizeType="OpenCL", GridDivX=["x", "y + 1"]), "grid ceildiv(64, x * (y + 1))"),
    (description(GlobalSizeType="OpenCL", GridDivX=["x + 1"]), "grid ceildiv(64, x + 1)"),
    (description(GlobalSizeType="OpenCL", GridDivX=["1"]), "grid 64"),
    (description(GlobalSizeType="OpenCL", GridDivX=[]), "grid ceildiv(64, x)"),
    (description(ProblemSize=[100, 200], GridDivX=["x", "y"], GridDivY=["2"]), "grid ceildiv(100, x * y), ceildiv(200, 2)"),
    (description(ProblemSize=[100, 200, 1], GridDivY=["y"], LocalSize={"X": "x", "Y": 7}),
     "grid ceildiv(100, x), ceildiv(200, y)"),
    (description(ProblemSize=100, GlobalSize=None), "grid ceildiv(100, x)"),
    (description(ProblemSize=["10**2"], GlobalSize=None, LocalSize={"X": 1}), "grid 100"),
    (description(ProblemSize=[100]), "grid 64"),
    (description(ProblemSize=[100], GlobalSize=None, GridDivX=["x"], GridDivY=["z"]), "grid ceildiv(100, x)"),
    (description(ProblemSize=[100, 7], GlobalSize=None, GridDivY=["y"], GridDivZ=["z"]), "grid ceildiv(100, x), ceildiv(7, y)"),
    (description(ProblemSize=100, GridDivY=["x"]), "grid 64"),
    (description(ProblemSize=[], KernelTypeNames=[], CompilerOptions=[], GridDivX=[], ReferenceArguments=[], ReferenceData=[]),
     'kernel k "k.cu"'),
    (description(SharedMemory=0), "grid 64\n\nreference default"),
    (description(SharedMemory=1024), "shared 1024"),
    (description(SharedMemory="4 * (x + y)"), "shared 4 * (x + y)"),
    # Constants of the file.
    (description(config={"size": 16, "big": 8}, GlobalSize={"X": "big * x"}), "define size = 16\nlet big = 8"),
    (description(config={"size": 16, "depth": 4, "width": 2}, KernelFile="own.cu", SharedMemory="size * depth * width"),
     "define width = 2\n\nkernel"),
    (description(config={"size": 16, "depth": 4, "width": 2}, KernelFile="own.cu", SharedMemory="size * depth * width"),
     "shared 16 * 4 * width"),
    (description(KernelFile="own.cu", LocalSize={"X": "x", "Y": "y"}), "param w = row, col\n\nkernel"),
    (description(config={"in_directive": 16}), "define in_directive = 16"),
    (description(config={"size": 16}, SharedMemory="size * x"), "shared size * x"),
    (description([dict(OUT, Size="ProblemSize[0] * ProblemSize[1]"), IN, N], ProblemSize=[5, 7]), "buffer out float[35] output"),
    (description([dict(OUT, Size="sum(ProblemSize) + max(x) - 1"), IN, N], ProblemSize=[5, 7]), "buffer out float[19] output"),
    (description([dict(OUT, Size="ProblemSize * 2"), IN, N], ProblemSize=5), "buffer out float[10] output"),
    (description([dict(OUT, Size="y * y"), IN, N]), "buffer out float[9] output"),
    (description([dict(OUT, Size="size * max(y)"), IN, N], config={"size": 5}), "buffer out float[15] output"),
    (description([dict(OUT, Size="1e3"), IN, N]), "buffer out float[1000] output"),
    # Definitions of Kernel Tuner.
    (description(KernelName="tuned", KernelFile="tuned.cu", LocalSize={"X": "x", "Y": "y"}, GlobalSize={"X": "x + 1"}),
     "define kernel_tuner = 1\ndefine block_size_y = y\ndefine grid_size_x = x + 1\n\nkernel"),
    (description(KernelName="tuned", KernelFile="tuned.cu", GlobalSize={"X": "x + 1"}).replace('"w"', '"block_size_x"'),
     "define kernel_tuner = 1\ndefine block_size_y = 1\ndefine grid_size_x = x + 1\n\nkernel"),
    (description(KernelName="sized", KernelFile="sized.cu").replace('"w"', '"block_size_x"'), "define block_size_z = 1\n\nkernel"),
    (description(KernelName="sized", KernelFile="sized.cu"), "param w = row, col\n\nkernel"),
    # Types and fills of buffers.
    (one(), "buffer more float[64] random"),
    (one(Type="int8"), "buffer more int8_t[64] random"),
    (one(Type="uint64"), "buffer more uint64_t[64] random"),
    (one(Type="double2"), "buffer more double2[64] random"),
    (one(Type="float3"), "buffer more float[192] random"),
    (one(Type="half4"), "buffer more half[256] random"),
    (one(Type="custom", TypeSize=12), "buffer more uchar[768] random"),
    (one(Type="custom", TypeSize=1), "buffer more uchar[64] random"),
    (one(FillValue=2.5), "buffer more float[64] random 0..2.5"),
    (one(FillValue=-2), "buffer more float[64] random -2..0"),
    (one(FillValue=0), "buffer more float[64] zero"),
    (one(Type="int32", FillValue=9.0), "buffer more int[64] random 0..9"),
    (one(Type="int32", FillValue=-2**31), "buffer more int[64] random -2147483648..0"),
    (one(Type="uint8", FillValue=255), "buffer more uint8_t[64] random 0..255"),
    (one(Type="int16", FillValue=32767), "buffer more int16_t[64] random 0..32767"),
    (one(Type="uint8", FillType="Constant", FillValue=0), "buffer more uint8_t[64] zero"),
    (one(Type="custom", TypeSize=12, FillType="Constant", FillValue=-1), "buffer more uchar[768] zero"),
    (one(Type="custom", TypeSize=12, FillValue=3), "buffer more uchar[768] random"),
    (one(FillType="Constant", FillValue=0.0), "buffer more float[64] zero"),
    (one(FillType="Constant", FillValue="3 / 2"), "buffer more float[64] random 1.5..1.5"),
    (one(FillType=None, FillValue=7, Type="uint8"), "buffer more uint8_t[64] random 7..7"),
    (one(FillType="Constant", Type="bool", FillValue=True), "buffer more bool[64] random 1..1"),
    (one(FillType="Generator", DataSource=" i "), "buffer more float[64] iota"),
    (one(FillType="Generator", DataSource="2 * 3"), "buffer more float[64] random 6..6"),
    (one(FillType="Generator", DataSource="3 / 2"), "buffer more float[64] random 1.5..1.5"),
    (one(FillType="Generator", DataSource="6 / 2", Type="int32"), "buffer more int[64] random 3..3"),
    (one(FillType="Generator", DataSource="3 / 2", Type="int32"), "buffer more int[64] zero"),
    (one(FillType="Generator", DataSource="i", Type="custom", TypeSize=3), "buffer more uchar[192] zero"),
    (one(FillType="Generator", DataSource="i % 2"), "buffer more float[64] random"),
    (one(FillType="Generator", DataSource="i % 2", Type="int32"), "buffer more int[64] zero"),
    (one(FillType="BinaryRaw", DataSource="data.bin"), 'buffer more float[64] file("data.bin")'),
    (one(FillType="Script", DataSource="x.py"), "buffer more float[64] random"),
    (one(FillType="Uninitialized"), "buffer more float[64] zero"),
    # Use of the buffers by the kernel.
    (description([OUT, IN, dict(OUT, Name="two", Output=1), N]), "buffer out float[64] scratch"),
    (description(), "buffer out float[64] output"),
    (description([dict(OUT, FillType="Constant", FillValue=0), IN, N]), "buffer out float[64] zero inout"),
    (description([dict(OUT, FillType="Uninitialized"), IN, N]), "buffer out float[64] output"),
    (one(AccessType="ReadWrite"), "buffer more float[64] random inout"),
    (one(AccessType="ReadWrite", FillType=None), "buffer more float[64] zero inout"),
    (one(AccessType=None), "buffer more float[64] random inout"),
    (one(Output=1), "buffer more float[64] random inout"),
    (description([dict(OUT, Output=1), dict(OUT, Name="more", Output=0), N]), "buffer more float[64] scratch"),
    (description([dict(OUT, Output=1), dict(IN, AccessType="ReadWrite"), N]), "buffer in float[64] random inout"),
    # Arguments.
    (description(), "args out, in, int 64"),
    (description([dict(N, Type="uint8"), OUT]), "args uint8_t 64, out"),
    (scalar(FillValue=0.1), "args out, in, int 64, float 0.1"),
    (scalar(FillValue=-3, Type="double"), "args out, in, int 64, double -3"),
    (scalar(FillValue="x * y", Type="int64"), "args out, in, int 64, int64_t x * y"),
    (scalar(FillValue="1 / x"), "args out, in, int 64, float 1.0 * 1 / x"),
    (scalar(FillValue=2, Type="float2"), "args out, in, int 64, float2 { 2, 2 }"),
    (scalar(FillValue=2, Type="float3"), "args out, in, int 64, struct { float 2, float 2, float 2 }"),
    (scalar(FillValue=True, Type="bool"), "args out, in, int 64, bool 1"),
    (description([OUT, IN, N, TABLE]), "constant table = table\nargs out, in, int 64"),
    (description([OUT, IN, N, TABLE], KernelName="with_table"), "constant table = table\nargs out, in, int 64, table"),
    (description([OUT, IN, N, TABLE], KernelName="elsewhere"), "constant table = table\nargs out, in, int 64, table"),
    (description([OUT, IN, N, dict(TABLE, MemoryType="Symbol", MemType=None)], KernelName="elsewhere"),
     "constant table = table\nargs out, in, int 64"),
    (description([OUT, IN, N, dict(N, Name="other", MemType="Constant")]), "buffer other int[1] random 64..64\nconstant other = other"),
    (description([OUT, IN, N, dict(IN, MemoryType="Local")], SharedMemory="x"), "args out, in, int 64\n\nblock x\ngrid 64\nshared x + 256"),
    # Names.
    (one(Name=None), "buffer argument3 float[64] random"),
    (one(Name="a b"), "buffer a_b float[64] random"),
    (one(Name="3d"), "buffer _3d float[64] random"),
    (one(Name="out"), "buffer out_ float[64] random"),
    (one(Name="x"), "buffer x_ float[64] random"),
    (one(Name="row"), "buffer row_ float[64] random"),
    (one(Name="min"), "buffer min_ float[64] random"),
    (one(Name="warp"), "buffer warp_ float[64] random"),
    (one(Name="null"), "buffer null_ float[64] random"),
    (one(Name="chunk_offset"), "buffer chunk_offset_ float[64] random"),
    (one(Name="chunk_length"), "buffer chunk_length_ float[64] random"),
    # Parts that T1 lacks.
    (description(), "reference default\ntolerance out rel 1e-4 abs 1e-4"),
    (description([dict(OUT, Type="half"), dict(OUT, Name="count", Type="int32"), N]),
     "reference default\ntolerance out rel 1e-2 abs 1e-2\nhost w"),
    (description(), "default x=2 y=3 w=row"),
    (description(ReferenceArguments=[REFERENCE]), 'reference out file("data.bin")\ntolerance'),
    (description(ReferenceData={"ReferenceArguments": [{"Name": "right", "FillType": "BinaryRaw", "DataSource": "data.bin"}],
                                "ValidationPairs": [{"ReferenceName": "right", "TargetName": "out"}]}),
     'reference out file("data.bin")\ntolerance'),
    (description([OUT, dict(OUT, Name="x"), N], ReferenceArguments=[{**REFERENCE, "TargetName": "x"}]),
     'reference x_ file("data.bin")\nreference default\ntolerance out'),
    (description(ReferenceArguments=[]), "reference default\ntolerance"),
    (description(conditions=["x > 2", "x < 8 or w == 'col'"]), "default x=4 y=3 w=row"),
    (description(conditions=["x == 8", "x < 8 or w == 'col'"]), "default x=8 y=3 w=col"),
]

# A description, and the lines under "Not imported", without those of every description.
NOTES = [
    (description(), []),
    (description(BenchmarkName="b", Stream=None), []),
    (description(Stream=1), ["KernelSpecification.Stream: cutune measures in its own way"]),
    (description(Misc={"jitify": True}), ["KernelSpecification.Misc: cutune does not use it"]),
    (description(SimulationInput="results"), ["KernelSpecification.SimulationInput: `cutune --replay` searches recorded results"]),
    (description(ReferenceArguments=[{**REFERENCE, "TargetName": "in"}, {**REFERENCE, "FillType": "Generator"}]),
     ["KernelSpecification.ReferenceArguments[0]: it belongs to no output",
      "KernelSpecification.ReferenceArguments[1].FillType: expected results are read from files alone, with BinaryRaw"]),
    (description(ReferenceData={"ReferenceArguments": [{"Name": "r"}], "ValidationPairs": [{"ReferenceName": "s", "TargetName": "out"}]}),
     ["KernelSpecification.ReferenceData.ReferenceArguments[0]: it belongs to no output"]),
    (description(CompilerOptions=["-O3", "--gpu-architecture=sm_80", "-lineinfo", "-Xcompiler -Wall"]),
     ["KernelSpecification.CompilerOptions[0]: -O3: NVRTC, which compiles kernels, has no such option",
      "KernelSpecification.CompilerOptions[1]: --gpu-architecture=sm_80: cutune compiles for the device",
      "KernelSpecification.CompilerOptions[3]: -Xcompiler -Wall: NVRTC, which compiles kernels, has no such option"]),
    (description(CompilerOptions=["-std=c++11", "--std=c++14", "-std=c++20"]),
     ["KernelSpecification.CompilerOptions[0]: -std=c++11: cutune's headers need C++17, the default",
      "KernelSpecification.CompilerOptions[1]: --std=c++14: cutune's headers need C++17, the default"]),
    (description(ProblemSize=[100], GridDivX=["x"]), ["KernelSpecification.GlobalSize: the grid is that of ProblemSize and GridDiv"]),
    (description(GridDivX=["x"]), ["KernelSpecification.GridDivX: the grid is that of GlobalSize, which counts blocks"]),
    (description(ProblemSize=100, GridDivY=["x"], GridDivZ=["x"]),
     ["KernelSpecification.GridDivY: the problem has 1 dimension", "KernelSpecification.GridDivZ: the problem has 1 dimension"]),
    (description(ProblemSize=[100, 1], GridDivX=["x"], GridDivZ=["x"], GlobalSize=None),
     ["KernelSpecification.GridDivZ: the problem has 2 dimensions"]),
    (description(config={"size": 16}, KernelFile="own.cu"), ["BenchmarkConfig.size: the source has its own constant of this name"]),
    (description(config={"x": 1, "size": 2, "a-b": 3, "f": 0.5, "iterations": 10, "warp": 32}),
     ["BenchmarkConfig.x: the name is taken", "BenchmarkConfig.a-b: this cannot be a name in a space",
      "BenchmarkConfig.f: cutune uses its integers alone", "BenchmarkConfig.warp: the name is taken",
      "BenchmarkConfig.iterations: neither an expression nor the source uses it"]),
    (one(Order=3), ["KernelSpecification.Arguments[3].Order: cutune does not use it"]),
    (one(TypeSize=8), ["KernelSpecification.Arguments[3].TypeSize: a float has 4 bytes"]),
    (one(MemType="Texture"), ["KernelSpecification.Arguments[3].MemType: the argument is in global memory"]),
    (one(FillType="Generator", DataSource="sin(i)"),
     ["KernelSpecification.Arguments[3].DataSource: a space has no expression of the element's number: random instead; see `by "
      "KERNEL` and `file` of the statement `buffer`"]),
    (one(FillType="BinaryHDF", Type="int32"),
     ["KernelSpecification.Arguments[3].FillType: a space has no fill like BinaryHDF: zero instead; see `by KERNEL` and `file` "
      "of the statement `buffer`"]),
    (one(Type="custom", TypeSize=12, FillType="Constant", FillValue=1),
     ["KernelSpecification.Arguments[3].FillValue: a custom type has no numbers but 0: zero instead; see `by KERNEL` and `file` "
      "of the statement `buffer`"]),
    (one(FillType="Uninitialized"), ["KernelSpecification.Arguments[3].FillType: the kernel reads the buffer: filled with zeros"]),
    (one(AccessType=None), ["KernelSpecification.Arguments[3].AccessType: the file lacks it: ReadWrite"]),
    (description([OUT, dict(IN, Output=1), N]),
     ["KernelSpecification.Arguments[1].AccessType: the argument is an output: ReadWrite"]),
    (description([dict(OUT, Output=1), dict(IN, AccessType="ReadWrite"), N]),
     ["KernelSpecification.Arguments[1].Output: the argument is restored and compared, too: it is ReadWrite"]),
    (scalar(FillValue=1, MemType="Global", FillType="Constant", AccessType="ReadOnly"), []),
    (description(ReferenceArguments=[{**REFERENCE, "Type": "float", "TypeSize": 4, "Size": 64, "MemoryType": "Vector",
                                      "AccessType": "ReadOnly"}]), []),
    (one(MemoryType="Scalar", FillValue=1, AccessType="ReadWrite", FillType="Random"),
     ["KernelSpecification.Arguments[3].FillType: a scalar is the number of FillValue",
      "KernelSpecification.Arguments[3].AccessType: a kernel gets a scalar by value"]),
    (description([OUT, IN, N, dict(TABLE, AccessType="ReadWrite")]),
     ["KernelSpecification.Arguments[3].AccessType: a kernel cannot write constant memory"]),
    (description([OUT, IN, N, dict(TABLE, Output=1)]),
     ["KernelSpecification.Arguments[3].Output: a kernel cannot write constant memory"]),
    (description([OUT, IN, N, TABLE], KernelName="declared"),
     ["KernelSpecification.Arguments[3].MemType: the source does not say whether the kernel has a parameter for it, too: assumed"]),
    (one(Name="x"), ["KernelSpecification.Arguments[3].Name: the buffer is x_"]),
    (description(conditions=["x > 2"]),
     ["ConfigurationSpace.TuningParameters[].Default: the default breaks Conditions[0]: x=4 instead"]),
    (description(conditions=["x / (y - 3) > 0"]),
     ["ConfigurationSpace.TuningParameters[].Default: the default breaks Conditions[0], and no valid one was found"]),
    (description(conditions=["y > 3"]),
     ["ConfigurationSpace.TuningParameters[].Default: the default breaks Conditions[0], and no valid one was found"]),
]

# A description, the beginning of the text at its error, and a part of the message.
ERRORS = [
    (description(Language="OpenCL"), '"OpenCL"', "OpenCL is another language"),
    (description(Language="HIP"), '"HIP"', "CUDA kernels"),
    (description(KernelName=None), "{", "has no 'KernelName'"),
    (description(KernelFile=None), "{", "has no 'KernelFile'"),
    (description(LocalSize=None), "{", "has no 'LocalSize'"),
    (description(arguments=()), "{", "has no 'Arguments'"),
    (description(KernelName=1), "1", "not a string"),
    (description(KernelName='k"'), '"k\\""', "cannot write this text"),
    (description(KernelFile="nowhere.cu"), '"nowhere.cu"', "there is no file nowhere.cu"),
    (description(KernelFile="inner"), '"inner"', "there is no file inner"),
    (description(KernelTypeNames="float"), '"float"', "not a list of strings"),
    (description(CompilerOptions=[1]), "1", "not a string"),
    (description(CompilerOptions=['-D"x"']), '"-D', "cannot write this text"),
    (description(LocalSize={"Y": 1}), "{", "'LocalSize' has no 'X'"),
    (description(LocalSize={"X": 1, "W": 1}), '"W"', "unknown member 'W'"),
    (description(LocalSize="x"), '"x"', "not an object"),
    (description(LocalSize={"X": "z"}), "z", "no parameter 'z'"),
    (description(LocalSize={"X": "w"}), "w", "a number is needed"),
    (description(LocalSize={"X": "x / 4"}), "/ 4", "may be a fraction"),
    (description(LocalSize={"X": 1.5}), "1.5", "not an integer"),
    (description(LocalSize={"X": [1]}), "[", "neither a number nor an expression"),
    (description(LocalSize={"X": "x +"}), '"', "not a Python expression"),
    (description(GlobalSize=None), "{", "neither 'GlobalSize' nor 'ProblemSize'"),
    (description(GlobalSize={"X": "64 // q"}), "q", "no parameter 'q'"),
    (description(GlobalSize={"X": "ProblemSize[2]"}, ProblemSize=[1, 2]), "[2]", "subscripts"),
    (description(GlobalSizeType="Vulkan"), '"Vulkan"', "neither CUDA nor OpenCL"),
    (description(ProblemSize=[], GlobalSize=None), "{", "neither 'GlobalSize' nor 'ProblemSize'"),
    (description(ProblemSize=[1, 1, 1, 1]), "[", "one to three numbers"),
    (description(ProblemSize=[0]), "0", "less than 1"),
    (description(ProblemSize=[0.5]), "0.5", "not an integer"),
    (description(ProblemSize=[{}]), "{}", "neither a number nor an expression"),
    (description(GridDivX="x"), '"x"', "not a list"),
    (description(GridDivX=["x / 3"]), "/ 3", "may be a fraction"),
    (description(SharedMemory="z"), "z", "no parameter 'z'"),
    (description(config=[1]), "[", "not an object"),
    (description({}), "{", "has no 'Arguments'"),
    (description([1]), "1", "not an object"),
    (description([IN]), "[", "nothing to compare"),
    (description([dict(IN, MemoryType="Local", AccessType="WriteOnly")]), "[", "nothing to compare"),
    (one(MemoryType="Texture"), '"Texture"', "none of Scalar Vector"),
    (one(MemoryType=None), "{", "none of Scalar Vector"),
    (one(Type="float5"), '"float5"', "type of the argument is unknown"),
    (one(Type="custom"), "{", "needs its bytes"),
    (one(Type="custom", TypeSize=0), "0", "needs its bytes"),
    (one(Size=None), "{", "no 'Size'"),
    (one(Size=0), "0", "less than 1"),
    (one(Size="x"), '"x"', "not an integer"),
    (one(Size="max(q)"), "q", "unknown name 'q'"),
    (one(Size=[1]), "[", "neither a number nor an expression"),
    (one(AccessType="Write"), '"Write"', "none of ReadOnly"),
    (one(Output=2), "2", "neither 0 nor 1"),
    (one(FillType=1), "1", "not a string"),
    (one(FillType="Constant"), "{", "needs a 'FillValue'"),
    (one(FillType="Constant", FillValue="'a'"), '"\'a\'"', "not a number"),
    (one(Type="int32", FillValue=0.5), "0.5", "not an integer"),
    (one(Type="uint8", FillValue=256), "256", "256 does not fit the type uint8"),
    (one(Type="int16", FillValue=-32769), "-32769", "does not fit"),
    (one(Type="int16", FillValue=32768), "32768", "does not fit"),
    (one(Type="uint32", FillValue=-1), "-1", "does not fit"),
    (one(Type="bool", FillValue=2), "2", "does not fit"),
    (one(FillType="Generator"), "{", "needs an expression"),
    (one(FillType="BinaryRaw"), "{", "needs the name of a file"),
    (one(FillType="BinaryRaw", DataSource="no.bin"), '"no.bin"', "there is no file no.bin"),
    (one(Name=1), "1", "not a string"),
    (description(ReferenceArguments={}), "{}", "not a list"),
    (description(ReferenceData={"ValidationPairs": {}}), "{}", "not a list"),
    (description(ReferenceArguments=[{**REFERENCE, "DataSource": "no.bin"}]), '"no.bin"', "there is no file no.bin"),
    (description(ReferenceArguments=[{**REFERENCE, "DataSource": None}]), "{", "needs the name of a file"),
    (description(ReferenceArguments=[{**REFERENCE, "TargetName": 1}]), "1", "not a string"),
    (description([OUT, IN, N, dict(TABLE, Name="a b")]), '"a b"', "no name of a variable"),
    (scalar(), "{", "no 'FillValue'"),
    (scalar(FillValue="z"), "z", "no parameter 'z'"),
    (scalar(FillValue="w"), "w", "a number is needed"),
    (scalar(FillValue=0.5, Type="int32"), "0.5", "not an integer"),
    (scalar(FillValue=1, Type="double4"), '"double4"', "cannot be passed"),
]


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder, self.before = tempfile.mkdtemp(), os.getcwd()
        os.chdir(self.folder)
        os.mkdir("inner")
        for name, text in (("k.cu", SOURCE), ("elsewhere.h", ELSEWHERE), ("tuned.cu", TUNED), ("sized.cu", SIZED), ("own.cu", OWN), ("data.bin", "data" * 64),
                           ("inner/in.cu", "extern \"C\" __global__ void k(float *out, const float *in, int n) {}"), ("file.json", "")):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)

    def tearDown(self):
        os.chdir(self.before)
        shutil.rmtree(self.folder)


# A type of T1, that of a buffer of ten with its elements, and the bytes of one.
TYPES = [("bool", "bool[10]", 1), ("byte", "int8_t[10]", 1), ("int8", "int8_t[10]", 1), ("uint8", "uint8_t[10]", 1),
         ("int16", "int16_t[10]", 2), ("uint16", "uint16_t[10]", 2), ("int", "int[10]", 4), ("int32", "int[10]", 4),
         ("uint", "uint[10]", 4), ("uint32", "uint[10]", 4), ("int64", "int64_t[10]", 8), ("uint64", "uint64_t[10]", 8),
         ("half", "half[10]", 2), ("float", "float[10]", 4), ("double", "double[10]", 8), ("int2", "int2[10]", 8),
         ("int4", "int4[10]", 16), ("half2", "half[20]", 4), ("half16", "half[160]", 32), ("float2", "float2[10]", 8),
         ("float3", "float[30]", 12), ("float4", "float4[10]", 16), ("float8", "float[80]", 32), ("double2", "double2[10]", 16),
         ("double4", "double[40]", 32)]


class Types(Folder):
    def test_types(self):
        """Names and sizes; floats have a tolerance, and a fill that spaces lack becomes random in them."""
        for name, element, size in TYPES:
            with self.subTest(type=name):
                local = {"Type": name, "Size": 1, "MemoryType": "Local"}
                reply = base.convert(description([dict(OUT, Type=name, Size=10, FillType="Script"), local, N], KernelName="none"))
                exact = name.startswith(("int", "uint", "bool", "byte"))
                fill = "zero" if exact else "random"
                self.assertIn("\nbuffer out %s %s inout\n" % (element, fill), reply.get("space", reply))
                self.assertIn("\nshared %d\n" % size, reply["space"])
                self.assertEqual(not exact, "\ntolerance out" in reply["space"])


class Members(Folder):
    def test_lines(self):
        for text, expected in LINES:
            with self.subTest(text=text, expected=expected):
                reply = base.convert(text)
                self.assertIn("\n" + expected, reply.get("space", reply))
                self.assertIn(reply["space"][reply["space"].index("\n" + expected) + 1 + len(expected)], "\n ")
                self.assertEqual(reply["space"].count("\n"), len(reply["origins"]))

    def test_accepted(self):
        """The language accepts each of these spaces, and their names are free there."""
        paths = []
        for number, (text, expected) in enumerate(LINES):
            paths.append("%d.space" % number)
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write(base.convert(text)["space"])
        for path in paths:
            done = subprocess.run([PROGRAM, "check", path, "--device-file", DEVICE], capture_output=True, text=True)
            with self.subTest(text=LINES[int(path.split(".")[0])][0]):
                self.assertEqual(0, done.returncode, done.stderr)

    def test_notes(self):
        for text, expected in NOTES:
            with self.subTest(text=text):
                reply = base.convert(text)
                self.assertEqual(expected, reply.get("notes", reply))
                for note in expected:
                    self.assertIn("\n#   %s\n" % note, reply["space"])

    def test_errors(self):
        for text, begin, message in ERRORS:
            with self.subTest(text=text, message=message):
                reply = base.convert(text)
                self.assertIn(message, reply.get("error", reply))
                line, column = reply["at"]
                self.assertTrue(text.split("\n")[line - 1][column - 1:].startswith(begin), reply)

    def test_origins(self):
        """Each statement has the place of its origin."""
        text = description(SharedMemory=64)
        reply = base.convert(text)
        lines = text.split("\n")
        at = dict(zip(reply["space"].split("\n"), reply["origins"]))
        for line, begin in (('kernel k "k.cu"', '"k"'), ("block x", "{"), ("shared 64", "64"), ("buffer out float[64] output", "{")):
            self.assertTrue(lines[at[line][0] - 1][at[line][1] - 1:].startswith(begin), line)


class Heads(Folder):
    """The first comment names the reference of the results."""
    def test_heads(self):
        for text, head in ((description(), "T1 has no reference"), (description(ReferenceArguments=[REFERENCE]), "It has the expected"),
                           (description([OUT, dict(OUT, Name="b"), N], ReferenceArguments=[REFERENCE]), "Outputs without reference data")):
            self.assertTrue(base.convert(text)["space"].startswith("# Imported from the T1 description file.json. " + head))


class Files(Folder):
    """The space names its files relative to its own folder."""
    def kernel_line(self, path, output="", file="k.cu"):
        reply = base.convert(description(KernelFile=file), path, output)
        return next(line for line in reply.get("space", "%s" % reply).split("\n") if line.startswith("kernel") or "error" in line)

    def test_folders(self):
        absolute = os.path.join(os.path.realpath(self.folder), "k.cu")
        for path, output, file, expected in (
                ("file.json", "", "k.cu", "k.cu"), ("file.json", "out.space", "k.cu", "k.cu"),
                ("file.json", "inner/out.space", "k.cu", "../k.cu"), ("file.json", os.path.join(self.folder, "o"), "k.cu", "k.cu"),
                (os.path.join(self.folder, "file.json"), "", "k.cu", "k.cu"), ("file.json", "", absolute, absolute),
                ("inner/in.json", "", "in.cu", "in.cu"), ("inner/in.json", "", "k.cu", "../k.cu"),
                ("inner/in.json", "out.space", "in.cu", "inner/in.cu")):
            with self.subTest(path=path, output=output, file=file):
                shutil.copy("file.json", "inner/in.json")
                self.assertEqual('kernel k "%s"' % expected, self.kernel_line(path, output, file))

    def test_linked_folder(self):
        os.symlink("inner", "linked")
        self.assertEqual('kernel k "../k.cu"', self.kernel_line("file.json", "linked/out.space"))
        self.assertEqual('kernel k "inner/in.cu"', self.kernel_line("file.json", "out.space", "linked/in.cu"))


class Source(Folder):
    def test_parameters(self):
        import source
        text = source.read("k.cu")
        for kernel, counts in (("k", {3}), ("with_table", {4}), ("declared", {1, 3}), ("none", {0}), ("spaced", {0}), ("pairs<float, 3>", {3}),
                               ("ns::k", {3}), ("ns:: k", {3}), ("absent", set()), ("", set())):
            self.assertEqual(counts, source.parameter_counts(text, kernel), kernel)
        self.assertEqual("", source.read("nowhere.cu"))
        with open("latin.cu", "wb") as file:
            file.write(b"// \xe9\n__global__ void k(int a) {}")
        self.assertEqual({1}, source.parameter_counts(source.read("latin.cu"), "k"))
        self.assertEqual(set(), source.parameter_counts("__global__ void k(int a, int b", "k"))
        for unit in ("/*", "__global__ ", "__global__ void k(int a, ", "//", "#", '"'):  # ends soon
            self.assertLessEqual(source.parameter_counts(unit * 50000, "k"), {1, 2}, unit)


class RandomKernels(Folder, base.RandomInput):
    PIECES = base.RandomInput.PIECES + [
        "ProblemSize", "ProblemSize[0]", "math.ceil(", "[]", "{}", '"KernelSpecification"', '"Arguments"', '"Type"', '"MemoryType"', '"Size"',
        '"FillType"', '"FillValue"', '"DataSource"', '"AccessType"', '"MemType"', '"Output"', '"GridDivX"', '"Scalar"', '"Vector"', '"Local"',
        '"Symbol"', '"Constant"', '"Random"', '"Generator"', '"BinaryRaw"', '"ReadWrite"', '"WriteOnly"', '"custom"', '"OpenCL"']

    def setUp(self):
        Folder.setUp(self)
        base.RandomInput.setUp(self)
        self.texts = [text for text, *_ in LINES + NOTES + ERRORS]


if __name__ == "__main__":
    unittest.main()
