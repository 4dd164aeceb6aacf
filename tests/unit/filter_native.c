/* The filter for the architecture that this is built for. */
#define confine_filter filter_native_build
#define confine_seccomp filter_native_seccomp
#define confine_seccomp_offered filter_native_offered
#include "tools/sandbox/confine_seccomp.c"

#ifdef ARCH
#include "unit/filter_table.h"
const struct filter_arch filter_native = FILTER_ARCH("this machine", filter_native_build);
#else
#include "unit/filter.h"
const struct filter_arch filter_native = {.name = "this machine"};
#endif
