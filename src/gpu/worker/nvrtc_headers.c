#include "gpu/worker/nvrtc.h"

/* The spellings are those of the toolkit's <cuda/std/...>, so that both may be included. */
#define LIMITS                                                                                                         \
	"#pragma once\n"                                                                                               \
	"#define CHAR_BIT 8\n"                                                                                         \
	"#define SCHAR_MIN         (-128)\n"                                                                           \
	"#define SCHAR_MAX         127\n"                                                                              \
	"#define UCHAR_MAX         255\n"                                                                              \
	"#define SHRT_MIN  (-SHRT_MAX - 1)\n"                                                                          \
	"#define SHRT_MAX  0x7fff\n"                                                                                   \
	"#define USHRT_MAX 0xffff\n"                                                                                   \
	"#define INT_MIN   (-INT_MAX - 1)\n"                                                                           \
	"#define INT_MAX   0x7fffffff\n"                                                                               \
	"#define UINT_MAX  0xffffffff\n"                                                                               \
	"#define LLONG_MIN  (-LLONG_MAX - 1)\n"                                                                        \
	"#define LLONG_MAX  0x7fffffffffffffffLL\n"                                                                    \
	"#define ULLONG_MAX 0xffffffffffffffffUL\n"

#define INTEGERS                                                                                                                  \
	"#pragma once\n"                                                                                                          \
	"using int8_t = signed char; using int16_t = signed short; using int32_t = signed int;\n"                                 \
	"using int64_t = signed long long; using uint8_t = unsigned char; using uint16_t = unsigned short;\n"                     \
	"using uint32_t = unsigned int; using uint64_t = unsigned long long;\n"                                                   \
	"using intptr_t = int64_t; using uintptr_t = uint64_t;\n"                                                                 \
	"namespace std { using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t; using ::uint8_t; using ::uint16_t;\n" \
	"using ::uint32_t; using ::uint64_t; using ::intptr_t; using ::uintptr_t; }\n"

#define FLOATS                                                                                                         \
	"#pragma once\n"                                                                                               \
	"#define FLT_MAX 3.402823466e+38F\n"                                                                           \
	"#define FLT_MIN 1.175494351e-38F\n"                                                                           \
	"#define FLT_EPSILON 1.192092896e-07F\n"                                                                       \
	"#define DBL_MAX 1.7976931348623157e+308\n"                                                                    \
	"#define DBL_MIN 2.2250738585072014e-308\n"                                                                    \
	"#define DBL_EPSILON 2.2204460492503131e-16\n"

#define BUILT_IN "#pragma once\n"

/* NVRTC knows printf, assert, malloc, memcpy, size_t and the functions of mathematics by itself. */
const struct nvrtc_header nvrtc_headers[] = {
	{"assert.h", BUILT_IN},
	{"cassert", BUILT_IN},
	{"cfloat", FLOATS},
	{"climits", LIMITS},
	{"cmath", BUILT_IN},
	{"cstddef", BUILT_IN},
	{"cstdint", INTEGERS},
	{"cstdio", BUILT_IN},
	{"cstdlib", BUILT_IN},
	{"cstring", BUILT_IN},
	{"device_launch_parameters.h", BUILT_IN},
	{"float.h", FLOATS},
	{"limits.h", LIMITS},
	{"math.h", BUILT_IN},
	{"stddef.h", BUILT_IN},
	{"stdint.h", INTEGERS},
	{"stdio.h", BUILT_IN},
	{"stdlib.h", BUILT_IN},
	{"string.h", BUILT_IN},
	{0},
};
