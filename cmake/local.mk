# For CMake: a toolchain file by which it compiles CUDA with simttutor cc.
nobase_dist_pkgdata_DATA += cmake/simttutor.cmake cmake/Compiler/simttutor-CUDA.cmake
TESTS += tests/cmake.sh
EXTRA_DIST += tests/cmake.sh
