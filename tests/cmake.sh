# CMake with cmake/simttutor.cmake: a project of CUDA and C++, with a static and a shared library and device code of several files.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
if nm "$top_builddir/src/runtime/libcudart.so.13" | grep -q '__asan_init\|__tsan_init'; then
	skip_all "a library with sanitizers needs a program with them"
fi
command -v cmake > "$work/out" || skip_all "needs cmake"
command -v make > "$work/out" || skip_all "needs make"
case $("${CLANG:-clang}" --version 2> /dev/null) in
*"clang version 1"[4-9]*) NVCC=: && export NVCC ;;
*) skip_all "needs clang" ;;
esac
unset MAKEFLAGS MFLAGS MAKELEVEL CXXFLAGS CUDAFLAGS LDFLAGS # of the make that runs the tests
toolchain=$top_srcdir/cmake/simttutor.cmake
mkdir "$work/project" "$work/project/headers" && cd "$work/project" || exit 99
cat > CMakeLists.txt << 'E'
cmake_minimum_required(VERSION 3.18)
project(scaling LANGUAGES CXX CUDA)
add_library(parts STATIC part.cu)
target_include_directories(parts PUBLIC headers)
set_target_properties(parts PROPERTIES CUDA_SEPARABLE_COMPILATION ON POSITION_INDEPENDENT_CODE ON)
add_library(negates SHARED negate.cu)
add_executable(scaling main.cu host.cpp)
target_compile_definitions(scaling PRIVATE FACTOR=7)
target_compile_features(scaling PRIVATE cuda_std_17)
set_target_properties(scaling PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_ARCHITECTURES "75;90")
target_link_libraries(scaling PRIVATE parts negates)
E
echo '__device__ int scaled(int value);' > headers/part.h
cat > part.cu << 'E'
#include "part.h"
__device__ int scaled(int value) { return TWO * value; }
E
cat > negate.cu << 'E'
__global__ void negate(int *p) { *p = -*p; }
void run_negate(int *p) { negate<<<1, 1>>>(p); }
E
cat > host.cpp << 'E'
#include <cstdio>
void print(int value) { std::printf("%d\n", value); }
E
cat > main.cu << 'E'
#include <part.h>
void print(int value);
void run_negate(int *p);
__global__ void scale(int *p) { *p = FACTOR * scaled(*p); }
int main()
{
	int *p;
	cudaMallocManaged(&p, sizeof *p);
	*p = 3;
	scale<<<1, 1>>>(p);
	run_negate(p);
	cudaDeviceSynchronize();
	print(*p);
	cudaFree(p);
}
E
configure() { # FOLDER SIMTTUTOR
	cmake -G "Unix Makefiles" -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DSIMTTUTOR="$2" -DCMAKE_BUILD_TYPE=Release \
		-DCMAKE_CUDA_FLAGS=-DTWO=2 -B "$1" .
}
capture configure build "$simttutor"
[ "$status" = 0 ] && [ -f build/Makefile ]
report $? "a project with CUDA is configured"
capture make -C build VERBOSE=1
[ "$status" = 0 ] && [ -x build/scaling ] && grep -q 'simttutor cc .*-O3 -DNDEBUG' "$work/out"
report $? "and built, with the options of its type"
capture build/scaling
[ "$status" = 0 ] && [ "$(cat "$work/out")" = -42 ]
report $? "the program runs by itself, with device code of a library"
change() { # FILE COMMAND OBJECT: by sed, until make can see that it is newer than the object
	sed "$2" "$1" > new && mv new "$1"
	until [ -n "$(find "$1" -newer "$3")" ]; do touch "$1"; done
}
change part.cu 's/TWO \* value/3 * value/' build/CMakeFiles/parts.dir/part.cu.o
capture make -C build && capture build/scaling
[ "$(cat "$work/out")" = -63 ]
report $? "what has changed is built again"
change negate.cu '$ s/.*/wrong/' build/CMakeFiles/negates.dir/negate.cu.o
capture make -C build
[ "$status" != 0 ] && printed err 'negate.cu:2:'
report $? "what is wrong with a source is said with its line"
# What a student types.
own_folder=$(CDPATH= cd "$top_srcdir" && pwd)
capture "$simttutor" cc --cmake
[ "$status" = 0 ] && [ "$(cat "$work/out")" = "$own_folder/cmake/simttutor.cmake" ]
report $? "cc --cmake names the toolchain file"
PATH=$top_builddir:$PATH && export PATH
capture env CMAKE_TOOLCHAIN_FILE="$("$simttutor" cc --cmake)" cmake -G "Unix Makefiles" -DCMAKE_CUDA_FLAGS=-DTWO=2 -B exported .
[ "$status" = 0 ] && [ -f exported/Makefile ]
report $? "with that in the environment a project is configured as ever"
capture_all env CUDACXX="simttutor cc" cmake -G "Unix Makefiles" -B detected .
[ "$status" != 0 ] && printed out 'eval "$(simttutor env)"'
report $? "where CMake is to find out by itself, it shows what to do"
capture configure other "$work/none"
[ "$status" != 0 ] && printed err "$work/none"
report $? "without simttutor nothing is configured"
finish
