/* machine/launch/launch.h: one kernel launch as a person writes it: grid, block, shared bytes and arguments.
 *
 * The same description drives the SIMT machine and the GPU, so both see the same bytes. Argument grammar (also in
 * simttutor-lesson.5):
 *   u32:7   f32:1.5   b64:0x10            scalars
 *   u32[]:1,2,3                           a buffer with these values
 *   f32[1024]                             a buffer of zeros
 *   u32[1024]:iota                        0, 1, 2, ... (integers wrap; f16 ends at 65504)
 *   f32[1024]:random@7                    seeded; floats in [0, 1), integers over their whole range
 *   u32[1024]:uninit                      never written: to use it before it is stored to is a fault. Bytes 0xA5
 *   u32[64]:uninit@32..63                 so for these elements; zeros before and after
 *   u32[64]:iota,uninit@7                 iota and random@SEED but for an element, or FIRST..LAST
 *   u32[1024]:=0xffffffff                 this value in every element; ,uninit@ may follow
 *   b8[]:@file                            raw bytes of a file
 *   texture:{f32[64x48]:iota, filter linear, address wrap, normalized}   a texture, as a texture object
 *   surface:{u8x4[64x48], layers 2}       a surface, as a surface object
 *   tensormap:{f32[64x48]:iota, box 16x8, strides 256, step 1x2, swizzle 128, fill nan}
 *       a tensor, by a tensor map of 128 bytes: sizes and box from the innermost dimension, strides of the others in
 *       bytes
 *   tensormap:{f16[64x9x9x2], pixels 16, channels 64, lower -1x-1, upper -1x-1}
 *       one of pixels, for .im2col: channels, then W (H, D) and images; the corners of the bounding box, from the
 *       first and from the end of W (H, D)
 *   texture@NAME:{...}  surface@NAME:{...}   what the .texref or .surfref NAME stands for: not a parameter
 * A texture has one to three sizes, texels of 1, 2 or 4 channels (f32, u8x2, f16x4), and what a buffer may hold. It
 * may have `layers N`, or be a `cube`, whose six faces come one after the other; `floats` reads its integers as
 * floats; the filter is nearest, the address mode clamp (border, wrap, mirror; one for each dimension, or for all),
 * and coordinates count texels unless `normalized`.
 *   (u32:7; f32[64]:iota; f32:1,2,3)      a struct by value: members in order, where C lays them out; a buffer is a
 *                                         pointer
 *                                         to it, several values are an array; "@16 u32:7" is aligned to 16 bytes
 *   &(u32:7; f32[64])                     a buffer that holds this struct
 *   fn:square                             the address of a function of the module, by its name there or in the source
 *   table=u32[1024]                       a buffer with a name
 *   table                                 its address, in a later argument, struct or launch
 * Types: u8 s8 b8 u16 s16 b16 f16 u32 s32 b32 f32 u64 s64 b64 f64. Integers are decimal, 0x hex or 0b binary and must
 * fit their type (a b type takes both signed and unsigned ones); floats are decimal or hex, "inf" or "nan", rounded to
 * the nearest. Blanks around a value are fine.
 *
 * Numbers are read and written with the C locale's decimal point: the program must leave LC_NUMERIC alone. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "machine/warp/texture.h"

enum launch_type {
	LAUNCH_U8,
	LAUNCH_S8,
	LAUNCH_B8,
	LAUNCH_U16,
	LAUNCH_S16,
	LAUNCH_B16,
	LAUNCH_F16,
	LAUNCH_U32,
	LAUNCH_S32,
	LAUNCH_B32,
	LAUNCH_F32,
	LAUNCH_U64,
	LAUNCH_S64,
	LAUNCH_B64,
	LAUNCH_F64,
	LAUNCH_TYPES
};

enum launch_fill { LAUNCH_VALUES, LAUNCH_ZERO, LAUNCH_SAME, LAUNCH_IOTA, LAUNCH_RANDOM };

struct launch_arg;

enum launch_to { LAUNCH_TO_BUFFER, LAUNCH_TO_NAMED, LAUNCH_TO_FUNCTION };

/* Eight bytes of an argument, or of the buffer it is, that are an address, which only who launches it knows. */
struct launch_pointer {
	size_t offset; /* of these bytes, which are 0 in what launch_arg_fill writes */
	enum launch_to to;
	const struct launch_arg *buffer; /* LAUNCH_TO_BUFFER */
	const char *name;                /* of the buffer of an argument, or of a function */
	int member;                      /* of the whole argument: how many members stand before it */
};

struct launch_texture {
	struct warp_texture shape;
	const char *reference; /* the .texref or .surfref of the module that it is; NULL: it is passed as a parameter */
};

struct launch_arg {
	enum launch_type type;
	bool buffer;  /* passed as a device address; else by value */
	size_t count; /* elements; 1 for a scalar */
	enum launch_fill fill;
	const struct warp_tensor *tensor;     /* what map of the buffer is passed; NULL: its address */
	const struct launch_texture *texture; /* what the buffer is the texels of; NULL: it is a buffer */
	uint64_t seed;                        /* LAUNCH_RANDOM */
	size_t unwritten, n_unwritten;        /* elements that count as never written: the first, and how many */
	const void *bytes; /* LAUNCH_VALUES: count elements, LAUNCH_SAME: one; little endian, in the arena */
	const char *name;  /* of the buffer; NULL: it has none */
	bool is_struct;    /* bytes of b8, laid out as C does */
	uint32_t align;    /* bytes: of an element, or of the struct */
	struct launch_pointer *pointers; /* in it, or the address that it is */
	int n_pointers;
	const char *text; /* as written; travels to the worker (files are inlined there as values) */
};

/* What a variable of the module holds before the first launch: NAME=ARG. A buffer is the variable's bytes; an address
 * to one is written as a struct of one member, (f32[64]). */
struct launch_set {
	const char *variable; /* as in the PTX or the source */
	struct launch_arg value;
};

struct snapshot; /* machine/snapshot/snapshot.h */

/* Memory at the very address that pointers name. */
struct launch_memory {
	uint64_t address;
	size_t bytes;
	const void *data; /* the first `n_data` of them; the others are zeros */
	size_t n_data;
};

struct launch {
	const char *kernel; /* entry name */
	uint32_t grid[3], block[3];
	uint32_t cluster[3]; /* blocks of a cluster, 0: as the kernel says */
	uint32_t shared;     /* dynamic shared memory, bytes */
	struct launch_arg *args;
	int n_args;
	bool cooperative;              /* a cooperative launch: the grid can synchronize */
	const struct launch *before;   /* launched first, over the same memory; NULL: none */
	const struct launch_set *sets; /* likewise, of all of them; only the first launch's count */
	int n_sets;
	const struct snapshot *kept; /* its parameters and memory, instead of arguments; NULL: arguments say */
	/* For a GPU, beside the buffers of arguments, which may then be pointers into it as numbers: in the order of
	 * addresses. */
	const struct launch_memory *memory;
	int n_memory;
};

#define LAUNCH_ARGS_MAX 64
#define LAUNCH_STRUCT_MAX 32764 /* bytes, as many as all parameters of a kernel */
#define LAUNCH_UNINIT_BYTE 0xA5
#define LAUNCH_BUFFER_MAX ((size_t)1 << 30) /* bytes of one buffer */
#define LAUNCH_MEMORY_MAX 65536

size_t launch_type_size(enum launch_type type);
const char *launch_type_name(enum launch_type type);
bool launch_type_is_float(enum launch_type type);
bool launch_type_is_bits(enum launch_type type); /* b8 to b64 */

/* Parses one argument. On a fault returns false and adds an error at the column in `text`, shown as file `what`. Files
 * are read relative to the working folder; NULL `what` forbids them (arguments from a lesson or over the wire). */
bool launch_arg_parse(
	struct arena *arena, const char *what, const char *text, struct launch_arg *out, struct diag *diag);

/* Parses "NAME=ARG" of a variable, with the same grammar. */
bool launch_set_parse(
	struct arena *arena, const char *what, const char *text, struct launch_set *out, struct diag *diag);

/* Whether only the machine can launch it: it, or what comes before, has addresses in arguments, names of buffers,
 * functions, or sets variables, or a program made it. */
bool launch_is_for_machine(const struct launch *launch);

/* Parses "X[,Y[,Z]]" into three positive numbers, missing ones 1. Limits as CUDA's: grid 2^31-1, 65535, 65535. */
bool launch_dim_parse(const char *what, const char *text, uint32_t out[3], struct diag *diag);

/* Bytes of the argument: of the buffer, or of the scalar. */
size_t launch_arg_bytes(const struct launch_arg *arg);

/* Writes launch_arg_bytes(arg) bytes to `out`. Deterministic: the machine and the worker fill alike. Random bytes are
 * the outputs of SplitMix64 started at the seed, little endian, one after the other; a float takes the high bits of its
 * bytes as a binary fraction. */
void launch_arg_fill(const struct launch_arg *arg, void *out);

/* Appends element `index` of `bytes` as text. Integers, also of the b types, are decimal. Floats are the shortest
 * decimal that reads back exactly, whole numbers below 1e16 with all their digits; "nan", "inf", "-inf". */
void launch_format(enum launch_type type, const void *bytes, size_t index, struct buf *out);

/* The element as a double; exact for all but 64-bit integers past 2^53. */
double launch_number(enum launch_type type, const void *bytes, size_t index);
