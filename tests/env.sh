# simttutor env and builds as people have them: Makefiles that call nvcc, or name simttutor cc for it, with nvcc behind it and
# with clang alone.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
if nm "$top_builddir/src/runtime/libcudart.so.13" | grep -q '__asan_init\|__tsan_init'; then
	skip_all "a library with sanitizers needs a program with them"
fi
command -v make > "$work/out" || skip_all "needs make"
unset NVCC MAKEFLAGS MFLAGS MAKELEVEL CXX CXXFLAGS CUDAFLAGS LDFLAGS # of the make that runs the tests
unset CPLUS_INCLUDE_PATH C_INCLUDE_PATH LIBRARY_PATH LD_RUN_PATH LD_LIBRARY_PATH CUDA_PATH CUDA_HOME CUDAToolkit_ROOT
SIMTTUTOR_PROGRAMS=yes && export SIMTTUTOR_PROGRAMS

usual_path=$PATH
all_path=$PATH
clang_path=
old_ifs=$IFS
IFS=:
for folder in $PATH; do
	[ -x "$folder/nvcc" ] || clang_path=$clang_path${clang_path:+:}$folder
done
IFS=$old_ifs

# --- what is printed ---
mkdir "$work/it's a \$folder" && cd "$work" || exit 99
capture "$simttutor" env
ends 0 && grep -q "^export PATH='/.*/bin'" "$work/out" && [ "$(grep -vc '^export [A-Za-z_]*=' "$work/out")" = 0 ]
report $? "env prints commands for a shell"
eval "$("$simttutor" env)" && first=$PATH && eval "$("$simttutor" env)"
[ "$PATH" = "$first" ] && [ "$(command -v nvcc)" -ef "$simttutor" ]
report $? "after them nvcc is simttutor, and another time changes nothing"
[ -f "$CUDA_PATH/include/cuda_runtime.h" ] && [ -e "$CUDA_PATH/lib64/libcudart.so" ] && [ -e "$CUDA_PATH/lib64/stubs/libcuda.so" ]
report $? "the toolkit that they name has headers and libraries"
capture "$simttutor" env more
[ "$status" = 2 ]
report $? "env takes no arguments"
PATH=$usual_path
unset CPLUS_INCLUDE_PATH C_INCLUDE_PATH LIBRARY_PATH LD_RUN_PATH LD_LIBRARY_PATH CUDA_PATH CUDA_HOME CUDAToolkit_ROOT

# --- a project of three files, with a header of device code, and one of the host's compiler ---
three() {
	mkdir "$1" "$1/include" && cd "$1" || exit 99
	cat > Makefile << 'E'
NVCC = nvcc
NVCCFLAGS = -std=c++14 -O3 -arch=native -lineinfo -g -G -Xptxas -O3,-v -Xcompiler "-Wall -Wextra" --use_fast_math \
	--expt-relaxed-constexpr --extended-lambda -Iinclude -Wno-deprecated-gpu-targets
OBJS = main.o sums.o scale.o host.o
sums: $(OBJS)
	$(NVCC) $(NVCCFLAGS) -rdc=true -o $@ $(OBJS) -lcudart -lm
%.o: %.cu
	$(NVCC) $(NVCCFLAGS) -dc -MMD -MP -MF $*.d -MT $@ -o $@ $<
host.o: host.cpp
	$(NVCC) -x cu $(NVCCFLAGS) -c $< -o $@
-include $(OBJS:.o=.d)
E
	echo '__device__ float scaled(float v);' > include/scale.cuh
	printf '#include "scale.cuh"\n__device__ float scaled(float v) { return 2 * v; }\n' > scale.cu
	cat > sums.cu << 'E'
#include <scale.cuh>
__global__ void sums(float *v) { v[threadIdx.x] = scaled(v[threadIdx.x]); }
E
	cat > host.cpp << 'E'
#include <cstdio>
void print(float v) { printf("%g\n", v); }
E
	cat > main.cu << 'E'
__global__ void sums(float *v);
void print(float v);
int main()
{
	float *v;
	cudaMallocManaged(&v, 32 * sizeof *v);
	for (int i = 0; i < 32; i++)
		v[i] = i;
	sums<<<1, 32>>>(v);
	cudaDeviceSynchronize();
	print(v[31]);
	cudaFree(v);
}
E
}
project() { # WHICH: with the compiler that PATH has
	three "$work/$1 argument"
	capture make NVCC="$simttutor cc"
	ends 0 && capture ./sums && [ "$(cat "$work/out")" = 62 ]
	report $? "$1: make NVCC=\"simttutor cc\", which make exports"
	grep -q '^sums.o: .*' sums.d && grep -q 'include/scale.cuh' sums.d && grep -q '^include/scale.cuh:' sums.d && ! grep -q simttutor- sums.d
	report $? "$1: the dependencies name the reader's files"
	sed 's/2 \*/3 */' scale.cu > new && sleep 1 && mv new scale.cu && touch include/scale.cuh
	capture make NVCC="$simttutor cc"
	ends 0 && printed out 'sums.cu' && ! printed out 'main.cu' && capture ./sums && [ "$(cat "$work/out")" = 93 ]
	report $? "$1: what depends on a header is made again, and nothing else"
	three "$work/$1 variable"
	sed '/^NVCC =/d' Makefile > new && mv new Makefile
	NVCC="$simttutor cc" capture make
	ends 0 && capture ./sums && [ "$(cat "$work/out")" = 62 ]
	report $? "$1: NVCC in the environment"
	three "$work/$1 name"
	(
		eval "$("$simttutor" env)"
		capture make && capture ./sums
		exit "$status"
	)
	[ $? = 0 ] && [ "$(cat "$work/out")" = 62 ]
	report $? "$1: by the name of nvcc, with nothing changed"
	capture "$simttutor" run ./sums
	printed err '1 launch, no problems'
	report $? "$1: simttutor run reports on it"
}

# --- the examples of a book, with a header that is beside their folder ---
book() { # WHICH
	mkdir -p "$work/$1 book/common" "$work/$1 book/ch2" && cd "$work/$1 book/ch2" || exit 99
	printf '#define CHECK(call) do { if (call) return 1; } while (0)\n' > ../common/common.h
	printf 'APPS = one two\nall: $(APPS)\n%%: %%.cu\n\tnvcc -O2 -arch=sm_20 -o $@ $<\n' > Makefile
	printf '#include "../common/common.h"\n#include <stdio.h>\n__global__ void k() { printf("one\\n"); }\nint main() { k<<<1, 1>>>(); CHECK(cudaDeviceReset()); return 0; }\n' > one.cu
	sed 's/one/two/' one.cu > two.cu
	(
		eval "$("$simttutor" env)"
		capture make -j2 && capture ./one && capture ./two
		exit "$status"
	)
	[ $? = 0 ] && [ "$(cat "$work/out")" = two ]
	report $? "$1: the examples of a book"
}

# --- CMake, which finds the compiler as nvcc ---
with_cmake() { # WHICH
	if ! command -v cmake > /dev/null; then
		skip "$1: CMake configures and builds a project as it is" "needs cmake"
		return
	fi
	mkdir -p "$work/$1 cmake/include" && cd "$work/$1 cmake" || exit 99
	cat > CMakeLists.txt << 'E'
cmake_minimum_required(VERSION 3.18)
project(halves LANGUAGES CXX CUDA)
add_executable(halves main.cu kernel.cu print.cpp)
target_include_directories(halves PRIVATE include)
set_property(TARGET halves PROPERTY CUDA_ARCHITECTURES 75)
E
	printf 'void halve(int *p);\nvoid print(int v);\n' > include/halves.h
	printf '#include "halves.h"\n__global__ void half(int *p) { *p /= 2; }\nvoid halve(int *p) { half<<<1, 1>>>(p); }\n' > kernel.cu
	printf '#include <cstdio>\n#include "halves.h"\nvoid print(int v) { std::printf("%%d\\n", v); }\n' > print.cpp
	cat > main.cu << 'E'
#include "halves.h"
int main()
{
	int *p;
	cudaMallocManaged(&p, sizeof *p);
	*p = 42;
	halve(p);
	cudaDeviceSynchronize();
	print(*p);
	cudaFree(p);
}
E
	(
		eval "$("$simttutor" env)"
		capture cmake -G "Unix Makefiles" -B build . && capture make -C build && capture build/halves
		exit "$status"
	)
	[ $? = 0 ] && [ "$(cat "$work/out")" = 21 ]
	report $? "$1: CMake configures and builds a project as it is"
}

# --- what else build systems ask for ---
options() { # WHICH
	mkdir "$work/$1 options" && cd "$work/$1 options" || exit 99
	cat > k.cu << 'E'
#include <cstdio>
#include "value.h"
__global__ void k(int *p) { *p = VALUE; }
__global__ void beyond(int *p) { p[threadIdx.x + 64] = 1; }
int run(bool wrong)
{
	int *p, v = 0;
	cudaMalloc(&p, sizeof *p);
	k<<<1, 1>>>(p);
	if (wrong)
		beyond<<<1, 1>>>(p);
	cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost);
	cudaFree(p);
	return v;
}
E
	printf '#ifndef VALUE\n#define VALUE 5\n#endif\n' > value.h
	printf 'int run(bool);\n#include <cstdio>\nint main(int n, char **) { printf("%%d\\n", run(n > 1)); }\n' > m.cpp
	eval "$("$simttutor" env)"
	capture nvcc --version
	ends 0 && grep -q '^nvcc: NVIDIA (R) Cuda compiler driver' "$work/out" && grep -q 'release 1[23]\.[0-9]*, V1[23]\.' "$work/out" && printed out simttutor
	report $? "$1: nvcc --version, as build systems read it"
	capture nvcc -V
	ends 0 && printed out release
	report $? "$1: nvcc -V"
	capture nvcc --help
	ends 0 && printed out 'simttutor cc' && printed out '-rdc'
	report $? "$1: nvcc --help"
	capture nvcc --dryrun k.cu m.cpp -o dry
	[ "$status" = 0 ] && [ ! -e dry ] && printed err '#$ TOP=/' && [ "$(grep -c '^#. [^ ]*/\(clang\|nvcc\|g++\) ' "$work/err")" -ge 3 ]
	report $? "$1: --dryrun shows the commands and runs none"
	nvcc -c k.cu m.cpp && nvcc -lib -o libk.a k.o && nvcc m.o -L. -lk -o static && capture ./static && [ "$(cat "$work/out")" = 5 ]
	report $? "$1: a static library"
	capture nvcc -arch=sm_35 m.o k.o -o objects
	ends 0 && capture ./objects && [ "$(cat "$work/out")" = 5 ]
	report $? "$1: nothing is said of targets where objects are linked"
	capture "$simttutor" run ./static wrong
	printed err 'k.cu:11' && printed err 'k.cu:4'
	report $? "$1: objects that were made without -g have the lines of launches and kernels"
	nvcc -Xcompiler -fPIC -shared -o libs.so k.cu && nvcc m.cpp -o shared -L. -ls -Xlinker -rpath,"$PWD" && capture ./shared && [ "$(cat "$work/out")" = 5 ]
	report $? "$1: a shared library"
	nvcc m.cpp libs.so -o named -Xlinker=-rpath="$PWD" && capture ./named && [ "$(cat "$work/out")" = 5 ]
	report $? "$1: a shared library by its file"
	printf '%s\n' '-DVALUE=7 -I "."' '@more' > words && echo "-o 'by words' k.cu" > more
	nvcc --options-file words m.cpp && capture "./by words" && [ "$(cat "$work/out")" = 7 ]
	report $? "$1: files of options, within each other"
	echo '@words' > words
	capture nvcc @words
	[ "$status" = 2 ] && printed err 'too deep'
	report $? "$1: a file of options that names itself is an error"
	capture nvcc -M k.cu
	ends 0 && grep -q '^k.o: ' "$work/out" && printed out value.h && printed out stdio && ! printed out simttutor-unit
	report $? "$1: -M"
	capture nvcc -MM k.cu -MT 'a b' -MQ '$c'
	ends 0 && grep -q '^a b $$c:' "$work/out" && printed out value.h && ! printed out stdio
	report $? "$1: -MM with targets"
	nvcc -ptx -arch=compute_75 k.cu && grep -q '\.entry _Z1kPi' k.ptx && nvcc -ptx k.cu
	report $? "$1: -ptx, and again"
	cp k.cu k.d && capture nvcc -c -MD -MF k.d k.cu
	[ "$status" = 1 ] && cmp -s k.cu k.d
	report $? "$1: no file but one of rules is replaced by rules"
	for arch in native all all-major sm_35 sm_90 compute_80 sm_90a; do
		nvcc -arch=$arch -c k.cu -o arch.o || echo "$arch"
	done > "$work/out" 2> "$work/err"
	nvcc -gencode arch=compute_75,code=sm_75 -gencode=arch=compute_80,code=[sm_80,compute_80] -c k.cu -o arch.o || echo gencode >> "$work/out"
	[ ! -s "$work/out" ]
	report $? "$1: architectures in every form"
	for standard in c++11 c++14 c++17 c++20; do
		nvcc -std=$standard -c k.cu -o standard.o || echo "$standard"
	done > "$work/out" 2> "$work/err"
	[ ! -s "$work/out" ]
	report $? "$1: standards of C++"
	sed 's/<<</<< </; s/>>>/>> >/' k.cu > spaced.cu
	capture nvcc -c spaced.cu
	ends 0 && grep -q '>> >' spaced.cu
	report $? "$1: launches with spaces within their brackets"
	printf '#include <cstdio>\nint main(int n, char **word) { while (n > 1) puts(word[--n]); return 3; }\n' > words.cu
	capture nvcc -run words.cu -o 'its words' -run-args one,two
	[ "$status" = 3 ] && [ "$(tr '\n' ' ' < "$work/out")" = "two one " ] && [ -x 'its words' ]
	report $? "$1: -run runs what was made, with its arguments and status"
	capture nvcc -run -o never.o missing.cu
	[ "$status" = 3 ] && [ ! -s "$work/out" ] && [ ! -e never.o ]
	report $? "$1: -run runs nothing where nothing was made"
	capture nvcc -run -c words.cu
	[ "$status" = 2 ] && printed err '-run'
	report $? "$1: -run is of programs"
	nvcc -E k.cu -DVALUE=8 -o k.i && nvcc -E k.cu -DVALUE=8 -o k.i && capture nvcc -E k.cu -DVALUE=8
	ends 0 && cmp -s k.i "$work/out" && grep -q '{ \*p = 8; }' k.i && grep -q '^# .*"\(k.cu\|.*/k.cu\)"' k.i && ! grep -q 'simttutor-\(unit\|scratch\)' k.i
	report $? "$1: -E prints what the compiler sees, with names of the reader's files"
	if command -v g++ > /dev/null; then
		printf '#include <cuda_runtime.h>\n#include <cstdio>\nint run(bool);\nint main() { int n; cudaGetDeviceCount(&n); printf("%%d\\n", run(false) + n); }\n' > g.cpp
		nvcc -c k.cu -o k.o && g++ -I/usr/local/none/include g.cpp k.o -o host -L/usr/local/none/lib64 -lcudart && capture ./host && [ "$(cat "$work/out")" = 6 ] &&
			g++ g.cpp k.o -o host -lcudart_static -lrt -lpthread -ldl && capture ./host && [ "$(cat "$work/out")" = 6 ]
		report $? "$1: g++ finds headers and runtime"
	fi
	printf '%s\n' 'extern "C" int cublasCreate_v2(void **); extern "C" int cufftPlan1d(int *, int, int, int);' \
		'int main() { void *h; int p; return cublasCreate_v2(&h) + cufftPlan1d(&p, 1, 2, 3); }' > blas.cu
	capture nvcc blas.cu -lcublas -lcufft
	[ "$status" = 1 ] && [ "$(grep -c 'cuBLAS (cublasCreate_v2), cuFFT (cufftPlan1d) are libraries' "$work/err")" = 1 ]
	report $? "$1: what is called of NVIDIA's libraries is named, once"
	capture nvcc k.cu m.cpp -lcublas -lcurand -o unused
	ends 0
	report $? "$1: libraries of NVIDIA's that are not called are left out"
	PATH=$usual_path
	unset CPLUS_INCLUDE_PATH C_INCLUDE_PATH LIBRARY_PATH LD_RUN_PATH LD_LIBRARY_PATH CUDA_PATH CUDA_HOME CUDAToolkit_ROOT
}

case $(PATH=$clang_path; "${CLANG:-clang}" --version 2> /dev/null) in
*"clang version 1"[4-9]*)
	PATH=$clang_path
	project "clang alone"
	printf '#include <cublas_v2.h>\nint main() {}\n' > blas.cu
	capture "$simttutor" cc blas.cu
	[ "$status" = 1 ] && printed err 'cuBLAS (cublas_v2.h) is a library'
	report $? "clang alone: a header of NVIDIA's libraries names the library"
	book "clang alone"
	with_cmake "clang alone"
	usual_path=$clang_path
	options "clang alone"
	;;
*) skip "clang alone" "needs clang" ;;
esac
PATH=$all_path
usual_path=$all_path
if command -v nvcc > /dev/null && [ "$(nvcc --version | grep -c 'release 1[23]')" = 1 ]; then
	project "nvcc"
	book "nvcc"
	options "nvcc"
else
	skip "nvcc" "needs nvcc"
fi
finish
