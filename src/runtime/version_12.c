/* CUDA 12's library. */
#include "runtime/state.h"

const int runtime_version = 12000;
