# simttutor.cmake: a toolchain file by which CMake compiles CUDA with `simttutor cc`, with or without NVIDIA's toolkit:
#
#     cmake -DCMAKE_TOOLCHAIN_FILE=$(simttutor cc --cmake) -B build
#
# CMake's own detection asks nvcc what it runs inside; here all that it would find is said. What else it has to know of the compiler is in
# Compiler/simttutor-CUDA.cmake. The program that is made has the machine's runtime, and runs by itself or by `simttutor run`.
find_program(SIMTTUTOR simttutor HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" DOC "simttutor, which compiles CUDA")
if(NOT SIMTTUTOR)
	message(FATAL_ERROR "simttutor is not in PATH; name it by -DSIMTTUTOR=FILE")
endif()
# Projects that CMake makes to try something, too.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SIMTTUTOR)
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")

set(CMAKE_CUDA_COMPILER "${SIMTTUTOR}")
set(CMAKE_CUDA_COMPILER_ARG1 cc)
set(CMAKE_CUDA_COMPILER_ID simttutor)
set(CMAKE_CUDA_COMPILER_ID_RUN TRUE)
set(CMAKE_CUDA_COMPILER_FORCED TRUE)
set(CMAKE_CUDA_COMPILER_VERSION 13.0)
set(CMAKE_CUDA_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_CUDA_EXTENSIONS_COMPUTED_DEFAULT OFF)
set(CMAKE_CUDA_COMPILE_FEATURES cuda_std_03 cuda_std_11 cuda_std_14 cuda_std_17)
set(CMAKE_CUDA03_COMPILE_FEATURES cuda_std_03)
set(CMAKE_CUDA11_COMPILE_FEATURES cuda_std_11)
set(CMAKE_CUDA14_COMPILE_FEATURES cuda_std_14)
set(CMAKE_CUDA17_COMPILE_FEATURES cuda_std_17)
if(NOT CMAKE_CUDA_ARCHITECTURES)
	set(CMAKE_CUDA_ARCHITECTURES 75 CACHE STRING "of no consequence: the machine runs PTX of the lowest")
endif()
