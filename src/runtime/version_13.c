/* CUDA 13's library. */
#include "runtime/state.h"

const int runtime_version = 13000;
