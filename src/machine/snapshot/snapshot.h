/* machine/snapshot/snapshot.h: one launch of a program with all that it depends on, kept in a file and launched again
 * elsewhere.
 *
 * A file has the PTX and the source text, the configuration, the parameters as bytes, textures, .const variables, and
 * every buffer of global memory at its address with its bytes before the launch, and those that the launch changed. So
 * pointers in parameters and in memory stay good, and a run of the machine is the same, instruction by instruction.
 *
 * What it does not have: what the host or another launch wrote while this one ran. `shared_with_host` says which
 * buffers the host could write then, `beside` that another launch ran; where either mattered, the bytes after a run
 * differ from those that were kept.
 *
 * Files come from strangers: sizes are bounded, a checksum covers all, and what is read is checked before anything is
 * made of it. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "machine/launch/launch.h"
#include "machine/ptx/ptx.h"
#include "machine/simt/simt.h"

#define SNAPSHOT_SUFFIX ".launch"
#define SNAPSHOT_MEMORY_MAX ((size_t)1 << 30) /* bytes of all buffers */
#define SNAPSHOT_FILE_MAX ((size_t)2304 << 20)
#define SNAPSHOT_BUFFERS_MAX 65536
#define SNAPSHOT_TEXTURES_MAX 65536
#define SNAPSHOT_PTX_MAX ((size_t)64 << 20)
#define SNAPSHOT_SOURCE_MAX ((size_t)4 << 20)
#define SNAPSHOT_WORDS_MAX 4096 /* bytes of a name, a place, a message */
#define SNAPSHOT_PARAMS_MAX 32764
#define SNAPSHOT_CONSTANTS_MAX ((size_t)64 << 20)

/* Bytes of a buffer that are not zero, or that changed. */
struct snapshot_piece {
	uint64_t at;
	size_t bytes;
	const uint8_t *data;
};

struct snapshot_pieces {
	struct snapshot_piece *of;
	size_t n, cap;
};

struct snapshot_buffer {
	uint64_t address;
	size_t bytes;
	bool shared_with_host, of_heap, freed;
	bool kept_after;                      /* it was still there when the launch had ended */
	const char *place;                    /* where the program asked for it, "main.cu:12"; "": not known */
	const uint8_t *written;               /* as in struct simt_buffer */
	struct snapshot_pieces before, after; /* what is not zero; what the launch changed */
};

struct snapshot {
	const char *kernel;                     /* as in PTX */
	const char *place;                      /* of the launch in the program, "main.cu:41"; "": not known */
	const char *ptx, *source_name, *source; /* "": the source text is not there */
	size_t ptx_len, source_len;
	uint64_t number; /* among the program's launches, from 1 */
	int cc;
	uint32_t grid[3], block[3], cluster[3], shared;
	bool cooperative, beside;
	const uint8_t *params;
	size_t n_params;
	struct simt_texture *textures;
	uint32_t n_textures;
	uint64_t globals; /* where .global variables are; 0: there are none */
	size_t constants; /* bytes of .const variables */
	struct snapshot_pieces constant;
	struct simt_room room;
	struct snapshot_buffer *buffers;
	size_t n_buffers;
	size_t memory; /* bytes of all of them */
	/* After it; without `ended` the file was written before it began. */
	bool ended;
	enum simt_outcome outcome;
	const char *message; /* "": it was fine */
};

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Whether a file's name says that it is one. */
bool snapshot_is_named(const char *path);

/* Reads a file; what it has is in `arena`. NULL with an error. */
struct snapshot *snapshot_read(struct arena *arena, const char *path, struct diag *diag);

/* Like snapshot_read, for bytes that are in memory and last as long as the arena. */
struct snapshot *snapshot_parse(
	struct arena *arena, const char *path, const void *bytes, size_t len, struct diag *diag);

/* The launch that it is, for profile_run, debug_new and others: launch->kept is the snapshot, and it has no
 * arguments. */
void snapshot_launch(const struct snapshot *snapshot, struct launch *out);

/* --- running it again --------------------------------------------------------------------------------------------- */

/* Its memory as it was before the launch, and the variables of `module`, which must be that of its PTX; the caller
 * frees both, the variables first. False with an error. */
bool snapshot_restore(const struct snapshot *snapshot, const struct ptx_module *module, struct simt_memory **memory,
	struct simt_variables **variables, struct diag *diag);

/* What its textures are in such a memory: those whose texels are not there are none. */
struct simt_texture *snapshot_textures(
	const struct snapshot *snapshot, const struct simt_memory *memory, struct arena *arena);

/* What differs between a memory after the launch and what was kept. */
struct snapshot_difference {
	uint64_t bytes;    /* that differ, in all buffers */
	size_t buffers;    /* that have some */
	int first;         /* of these; -1: nothing differs */
	uint64_t at;       /* the first byte there that does */
	uint8_t now, kept; /* it */
};
struct snapshot_difference snapshot_compare(const struct snapshot *snapshot, const struct simt_memory *memory);

/* The bytes of a buffer, before or after the launch, into `out`. */
void snapshot_fill(const struct snapshot_buffer *buffer, bool after, uint8_t *out);

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* A launch that is being kept: what it begins with is taken at once. `what` has all but buffers, constants and what is
 * after; `place_of` says where the program asked for the memory at an address, "" where that is not known. NULL: it has
 * too much memory, or too many buffers. */
struct snapshot_writer;
typedef const char *snapshot_place_of(void *ctx, uint64_t address, bool *shared_with_host);
struct snapshot_writer *snapshot_begin(const struct snapshot *what, const struct simt_memory *memory,
	const struct simt_variables *variables, snapshot_place_of *place_of, void *ctx);

/* Adds what it has changed: `what` has `beside` and what is after it. */
void snapshot_after(struct snapshot_writer *writer, const struct snapshot *what, const struct simt_memory *memory);

/* The file, complete, in `out`; frees the writer. */
void snapshot_end(struct snapshot_writer *writer, struct buf *out);
