# The driver by ctypes, as bindings of other languages have it: a module from PTX, a launch, and what comes back.
# out: a device: simttutor (as H200), compute capability 9.0
# out: [3, 4, 5, 6, 7, 8, 9, 10]
# out: CUDA_ERROR_NOT_FOUND: named symbol not found
# gpu: it prints the device's name
import ctypes

cuda = ctypes.CDLL("libcuda.so.1")
PTX = b""".version 6.3
.target sm_75
.address_size 64
.visible .entry add(.param .u64 at, .param .u32 value) {
.reg .u64 %p, %q; .reg .u32 %v, %t;
mov.u32 %t, %tid.x; mul.wide.u32 %q, %t, 4;
ld.param.u64 %p, [at]; cvta.to.global.u64 %p, %p; add.u64 %p, %p, %q;
ld.param.u32 %v, [value]; add.u32 %v, %v, %t; st.global.u32 [%p], %v; ret; }
"""


def text(function, error):
    out = ctypes.c_char_p()
    function(error, ctypes.byref(out))
    return out.value.decode()


def check(error):
    if error:
        raise SystemExit(text(cuda.cuGetErrorName, error))


check(cuda.cuInit(0))
device, major, minor = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
check(cuda.cuDeviceGet(ctypes.byref(device), 0))
check(cuda.cuDeviceGetAttribute(ctypes.byref(major), 75, device))
check(cuda.cuDeviceGetAttribute(ctypes.byref(minor), 76, device))
name = ctypes.create_string_buffer(64)
check(cuda.cuDeviceGetName(name, len(name), device))
print(f"a device: {name.value.decode()}, compute capability {major.value}.{minor.value}")
context, module, kernel = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
check(cuda.cuCtxSetCurrent(context))
check(cuda.cuModuleLoadData(ctypes.byref(module), PTX))
check(cuda.cuModuleGetFunction(ctypes.byref(kernel), module, b"add"))
memory, value = ctypes.c_uint64(), ctypes.c_uint32(3)
out = (ctypes.c_uint32 * 8)()
check(cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(ctypes.sizeof(out))))
arguments = (ctypes.c_void_p * 2)(ctypes.addressof(memory), ctypes.addressof(value))
check(cuda.cuLaunchKernel(kernel, 1, 1, 1, 8, 1, 1, 0, None, arguments, None))
check(cuda.cuMemcpyDtoH_v2(out, memory, ctypes.c_size_t(ctypes.sizeof(out))))
print(list(out))
error = cuda.cuModuleGetFunction(ctypes.byref(kernel), module, b"sub")
print(f"{text(cuda.cuGetErrorName, error)}: {text(cuda.cuGetErrorString, error)}")
check(cuda.cuMemFree_v2(memory))
