#include "cuda_runtime.h" /* cudaOccupancyMaxActiveBlocksPerMultiprocessor() and the like; nothing of the calculator, which Thrust includes only */
