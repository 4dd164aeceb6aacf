# Programs as they come: with NVIDIA's runtime linked in, with a path to its libraries, and scripts of Python.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
library=$top_builddir/src/runtime
if nm "$library/libcudart.so.13" | grep -q '__asan_init\|__tsan_init'; then
	skip_all "a library with sanitizers needs a program with them"
fi
[ -e "$library/libsimttutor-audit.so" ] || skip_all "the dynamic linker has no auditors here"
case $("${CLANG:-clang}" --version 2> /dev/null) in
*"clang version 1"[4-9]*) ;;
*) skip_all "needs clang" ;;
esac
SIMTTUTOR_PROGRAMS=yes
export SIMTTUTOR_PROGRAMS
mkdir "$work/project" && cd "$work/project" || exit 99
prints() { # STATUS TEXT: how a program ended and what it printed, whatever was reported of it
	[ "$status" = "$1" ] && [ "$(cat "$work/out")" = "$2" ]
}

# --- a runtime linked in ---------------------------------------------------------------------------------------------
# What stands for NVIDIA's: functions by its names that do nothing but fail, of two instructions each.
cat > program.cu << 'E'
#include <cstdio>
__global__ void twice(int *a) { a[threadIdx.x] *= 2; }
int main()
{
	int *a, h[32], version = 0;
	for (int i = 0; i < 32; i++)
		h[i] = i;
	if (cudaMalloc(&a, sizeof h))
		return puts("no memory"), 9;
	cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
	twice<<<1, 32>>>(a);
	cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
	cudaRuntimeGetVersion(&version);
	printf("%d of %d: %s\n", h[31], version / 1000, cudaGetErrorName(cudaFree(a)));
}
E
{
	for function in cudaMalloc cudaMemcpy cudaFree cudaRuntimeGetVersion cudaLaunchKernel __cudaRegisterFatBinary \
		__cudaRegisterFunction __cudaRegisterVar __cudaRegisterFatBinaryEnd __cudaUnregisterFatBinary \
		__cudaPushCallConfiguration __cudaPopCallConfiguration; do
		echo "int $function(void) { return 999; }"
	done
	echo 'void __simttutorManaged(void) {} /* what simttutor cc asks for */'
	echo 'const char *cudaGetErrorName(int e) { return e ? "failed" : "cudaSuccess"; }'
} > runtime.c
echo 'int cudaMemAdvise_v2(void) { return 999; }' > older.c
capture env NVCC=: "$simttutor" cc -c program.cu -o program.o
ends 0 && capture ${CC:-cc} -O2 -fPIC -c runtime.c && ends 0 && capture ${CC:-cc} -O2 -c older.c && ends 0 &&
	capture ${CXX:-c++} program.o runtime.o -o linked && ends 0 &&
	capture ${CXX:-c++} program.o runtime.o older.o -o linked-12 && ends 0
report $? "a program is linked with what stands for NVIDIA's runtime"
capture ./linked
prints 9 "no memory"
report $? "by itself it has what is linked into it"
capture "$simttutor" run linked
prints 0 "62 of 13: cudaSuccess" && printed err '1 launch, no problems' && printed err 'twice<<<1, 32>>>'
report $? "run puts the machine in its place"
capture "$simttutor" run linked-12
prints 0 "62 of 12: cudaSuccess"
report $? "of the version that it has the functions of"
strip -o stripped linked
capture "$simttutor" run stripped
ends 1 && said err "it does not use libcudart.so.12, libcudart.so.13 or libcuda.so.1"
report $? "a program without symbols is refused"
capture "$simttutor" run --record kept linked
prints 0 "62 of 13: cudaSuccess" && capture "$simttutor" run kept/* && ends 0
report $? "its launches are kept, and run again"

case $(${NVCC:-nvcc} --version 2> /dev/null) in
*"release 13."*)
	capture ${NVCC:-nvcc} -o by-nvcc program.cu
	ends 0 && capture "$simttutor" run by-nvcc && prints 0 "62 of 13: cudaSuccess"
	report $? "the runtime that nvcc links in is replaced"
	capture ${NVCC:-nvcc} -dc -o part.o program.cu
	ends 0 && capture ${NVCC:-nvcc} -o by-nvcc part.o && ends 0 && capture "$simttutor" run by-nvcc &&
		prints 0 "62 of 13: cudaSuccess"
	report $? "also in a program of separate compilation"
	;;
*)
	skip "the runtime that nvcc links in is replaced" "needs nvcc of CUDA 13"
	skip "also in a program of separate compilation" "needs nvcc of CUDA 13"
	;;
esac

# --- a path to its libraries -----------------------------------------------------------------------------------------
mkdir nvidia
capture ${CC:-cc} -shared -Wl,-soname,libcudart.so.13 runtime.o -o nvidia/libcudart.so.13
ends 0 && capture ${CXX:-c++} program.o -Wl,--disable-new-dtags,-rpath,"$PWD/nvidia" nvidia/libcudart.so.13 -o with-path &&
	ends 0 && { capture ./with-path; prints 9 "no memory"; }
report $? "by itself a program finds the libraries that its path names"
capture "$simttutor" run with-path
prints 0 "62 of 13: cudaSuccess"
report $? "run has it find the machine's"

mkdir compiler && echo 'int nvrtcVersion(int *major, int *minor) { *major = 13, *minor = 77; return 0; }' > compiler.c
cat > asks.c << 'E'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	int major = 0, minor = 0;
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : 0, *driver = dlopen("libcuda.so.1", RTLD_NOW);
	int (*version)(int *, int *) = library ? (int (*)(int *, int *))dlsym(library, "nvrtcVersion") : 0;
	int error = version ? version(&major, &minor) : -1;
	printf("%d %d %d.%d\n", driver != 0, error, major, minor);
	return 0;
}
E
capture ${CC:-cc} -shared -fPIC -Wl,-soname,libnvrtc.so.13 compiler.c -o compiler/libnvrtc.so.13
ends 0 && capture ${CC:-cc} asks.c -o asks -ldl && ends 0
report $? "what stands for NVRTC is linked, and a program that asks for it by its path"
capture env LD_LIBRARY_PATH="$PWD/compiler" "$simttutor" run --source compiler asks -- "$PWD/compiler/libnvrtc.so.13"
prints 0 "1 0 13.77"
report $? "the machine's NVRTC passes a call on to the one that it was found instead of"

# --- Python ----------------------------------------------------------------------------------------------------------
cat > words.py << 'E'
import sys
print(sys.argv[1:])
sys.exit(7)
E
cat > twice.ptx << 'E'
.version 7.0
.target sm_70
.address_size 64
.visible .entry twice(.param .u64 p)
{
	.reg .b64 %d<4>;
	.reg .b32 %r<3>;
	ld.param.u64 %d1, [p];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %d2, %r1, 4;
	add.u64 %d3, %d1, %d2;
	ld.global.u32 %r2, [%d3];
	add.u32 %r2, %r2, %r2;
	st.global.u32 [%d3], %r2;
	ret;
}
E
cat > driver.py << 'E'
import ctypes, os
ctypes.CDLL(os.path.abspath("nvidia/libcudart.so.13"))
cuda = ctypes.CDLL("libcuda.so.1")
def done(error):
    assert error == 0, error
context, module, kernel, memory = (ctypes.c_void_p() for _ in range(4))
done(cuda.cuInit(0))
done(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
done(cuda.cuCtxSetCurrent(context))
done(cuda.cuModuleLoadData(ctypes.byref(module), open("twice.ptx", "rb").read() + b"\0"))
done(cuda.cuModuleGetFunction(ctypes.byref(kernel), module, b"twice"))
done(cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(128)))
host = (ctypes.c_int * 32)(*range(32))
done(cuda.cuMemcpyHtoD_v2(memory, host, ctypes.c_size_t(128)))
arguments = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.byref(memory), ctypes.c_void_p))
done(cuda.cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, None, arguments, None))
done(cuda.cuMemcpyDtoH_v2(host, memory, ctypes.c_size_t(128)))
print(host[31])
E
if python3 -c 'import ctypes' 2> /dev/null; then
	capture "$simttutor" run words.py -- one '$(two)'
	prints 7 "['one', '\$(two)']"
	report $? "a script has its arguments and its status"
	capture "$simttutor" run driver.py
	prints 0 62 && printed err '1 launch, no problems' && printed err 'driver.py:16 '
	report $? "a script's driver is the machine, whatever it loads before"
	echo "import os, tempfile; f = tempfile.NamedTemporaryFile(); print(os.path.dirname(f.name) == os.environ['CUPY_CACHE_DIR'])" > keeps.py
	capture "$simttutor" run keeps.py
	prints 0 True
	report $? "a script has a private folder for what it makes"
	mkdir "$work/other" && echo secret > "$work/other/file"
	echo "print(open('twice.ptx').readline().strip(), flush=True); open('$work/other/file')" > reading.py
	capture "$simttutor" run reading.py
	prints 1 ".version 7.0" && printed err "PermissionError"
	report $? "a script reads its own folder and not another"
else
	for test in "a script has its arguments and its status" "a script has a private folder for what it makes" "a script's driver is the machine, whatever it loads before" \
		"a script reads its own folder and not another"; do
		skip "$test" "needs python3 with ctypes"
	done
fi
capture env PATH=/nonexistent "$simttutor" run words.py
ends 3 && said err "words.py: a Python script needs python3, which is not in PATH" && said err "SIMTTUTOR_PYTHON=FILE"
report $? "a script without an interpreter"
finish
