/* gpu/wire/wire.h: the protocol between the front end and simttutor-gpu, used by both.
 *
 * One JSON object a line (UTF-8, at most WIRE_LINE_MAX bytes) each way. The worker speaks first: a hello with the
 * protocol version. The front end sends numbered requests; each gets any number of "progress" lines and one "result" or
 * one "error" with a stable code and a sentence. doc/protocol.md documents every message. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "machine/launch/launch.h"

#define WIRE_PROTOCOL 1
#define WIRE_LINE_MAX ((size_t)64 << 20)
#define WIRE_BUFFERS_MAX                                                                                               \
	(WIRE_LINE_MAX / 4 * 3 - ((size_t)1 << 20)) /* bytes of buffers that fit in one message, as base64 */
#define WIRE_METRICS_MAX 256
#define WIRE_INSTR_BYTES 16 /* machine instructions stand at multiples of it */
#define WIRE_HEADERS_MAX 256
#define WIRE_DEFINES_MAX 64
#define WIRE_ADDRESS_MAX ((int64_t)1 << 56) /* of memory that a launch names */
#define WIRE_SAMPLES_MAX 65536
#define WIRE_LINES_MAX 100000
#define WIRE_LINE_NONE                                                                                                 \
	16777215 /* in a .loc of the PTX of WIRE_LINES: of no line, as 0, which PTX compilers pass over, cannot say */

/* WIRE_ERROR(ID, code, what the reader can do) */
enum wire_error_code {
#define WIRE_ERROR(id, code, remedy) WIRE_##id,
#include "gpu/wire/errors.def"
#undef WIRE_ERROR
	WIRE_ERRORS
};

const char *wire_error_name(enum wire_error_code code);   /* "no_driver" */
const char *wire_error_remedy(enum wire_error_code code); /* one sentence for the reader */
enum wire_error_code wire_error_find(const char *name);   /* WIRE_ERRORS when unknown */
bool wire_error_is_fatal(enum wire_error_code code);      /* the worker's CUDA context or CUPTI is dead, and it ends */
bool wire_error_asks_again(enum wire_error_code code);    /* the same request may well be answered by another worker */
bool wire_error_blames_kernel(enum wire_error_code code); /* the kernel may have brought it on */

/* Where a worker runs, which decides how locks are opened there. */
enum wire_place { WIRE_HOST, WIRE_CONTAINER, WIRE_WSL, WIRE_PLACES };

const char *wire_place_name(enum wire_place place);  /* "container" */
const char *wire_place_words(enum wire_place place); /* "in a container" */
enum wire_place wire_place_find(const char *name);   /* WIRE_PLACES when unknown */

/* One line that helps at a place. */
struct wire_remedy {
	enum wire_place place;
	const char *text;
};

/* The lines for an error whose remedy depends on the place, that of `here` first; how many: 0 to WIRE_PLACES. */
int wire_error_remedies(enum wire_error_code code, enum wire_place here, struct wire_remedy out[WIRE_PLACES]);

/* What the worker found, as far as it got. Strings are "" and numbers 0 where it did not get. */
struct wire_gpu {
	const char *name, *chip; /* "NVIDIA H200", "GH100" */
	const char *uuid;
	int cc; /* 90 */
	int sms;
	int driver_cuda;                     /* CUDA version of the driver, 13000 */
	const char *driver;                  /* "580.159.04" */
	bool addresses;                      /* memory can be where a launch wants it (struct launch_memory) */
	int cupti;                           /* CUPTI API version */
	const char *cupti_version;           /* "13.0.85" where known, else the API version */
	bool counters;                       /* may counters be read here and now? */
	enum wire_error_code counters_error; /* why not, where counters is false */
	const char *counters_message;        /* likewise, one sentence */
};

struct wire_error {
	enum wire_error_code code;
	const char *message;
};

/* See messages.def. */
enum wire_kind {
#define WIRE_REQUEST(ID, name, type, members) WIRE_##ID,
#define WIRE_REPLY(ID, name, type) WIRE_RESULT_##ID,
#define WIRE_MESSAGE(ID, name, type, id, members) WIRE_##ID,
#include "gpu/wire/messages.def"
#undef WIRE_REQUEST
#undef WIRE_REPLY
#undef WIRE_MESSAGE
	WIRE_KINDS
};

struct wire_measurement {
	const char *const *metrics; /* hardware names, as asked */
	const double *values;
	const bool *available; /* false: this GPU does not have the metric */
	int n;
	int passes;
	double worker_ms;     /* request read to result ready */
	const void **buffers; /* per argument, bytes after the run; NULL where not asked or scalar */
	const size_t *buffer_bytes;
	int n_buffers;
	int registers;       /* of a thread, as compiled for this GPU; 0: not known */
	const void **memory; /* of the launch's memory, the same */
	const size_t *memory_bytes;
	int n_memory;
};

/* What counters did over a kernel's life. Samples follow each other without a gap; those before and after the kernel
 * are among them, and hold what is counted of an idle GPU. */
struct wire_samples {
	const char *const *metrics; /* hardware names, as asked */
	const double *const
		*values; /* of each metric: `n`, each over its sample; NULL: this GPU does not have the metric */
	int n_metrics;
	const double *times; /* `n`: nanoseconds from the beginning of the first sample to the end of each */
	int n;
	int interval;     /* nanoseconds between samples, as asked or chosen */
	bool cut;         /* there was no room for the last of them */
	double worker_ms; /* request read to result ready */
};

/* What a kernel with probes wrote, and whether it computed what the kernel does without. */
struct wire_stamped {
	const void *buffer; /* the last argument's bytes after the run */
	size_t bytes;
	int differs;                    /* the first argument whose buffer is another than without probes; -1: none */
	int registers, plain_registers; /* of a thread, with probes and without; 0: not known */
	double worker_ms;
};

struct wire_line {
	int line;             /* as the PTX's .loc says; 0: of what has none, or WIRE_LINE_NONE */
	const double *values; /* of the available metrics */
};

/* Counters of each source line: SASS metrics, summed over the machine instructions of the line. */
struct wire_line_counts {
	const char *const *metrics; /* hardware names, as asked */
	const bool *available;
	int n;
	const struct wire_line *lines; /* those that have machine instructions, executed or not; ascending */
	int n_lines;
	int passes;
	double worker_ms;
	/* where that was asked for, and the code is known: of each machine instruction of the kernel itself, its
	 * address in the place of a line */
	const char *code; /* elf_fingerprint_code of what ran; NULL: not known */
	const struct wire_line *instrs;
	int n_instrs;
};

/* How far a request is: waiting for its turn on the GPU, or counting. */
struct wire_progress {
	int pass, passes;           /* passes made, of how many; 0 of 0 while it waits */
	int waiting;                /* how many are before it; 0: it is its turn */
	const char *const *metrics; /* of a measurement: those that are there already, by their hardware names */
	const double *values;
	int n;
};

/* A launch of a kernel: what every request that runs one is about. */
struct wire_job {
	const char *ptx;
	size_t ptx_len;
	struct launch launch;
};

/* Counters of a launch, and its buffers. */
struct wire_measure {
	struct wire_job job;
	const char *const *metrics;
	int n_metrics; /* 0: only run */
	bool return_buffers;
};

/* A header that comes with a source. `file` is what the #include of it says. */
struct wire_header {
	const char *file, *text;
};

/* CUDA source to be compiled. */
struct wire_compile {
	const char *file, *source; /* what messages and line tables call it; its text */
	const struct wire_header *headers;
	int n_headers;
	const char *const *defines; /* NAME or NAME=VALUE */
	int n_defines;
	int cc; /* compute capability times ten to compile for; 0: the GPU's */
};

struct wire_compiled {
	const char *ptx; /* NULL: the compiler refused the source */
	size_t ptx_len;
	const char *log;      /* its messages, in its own words */
	const char *compiler; /* "NVRTC 13.0" */
	int cc;               /* compiled for */
	double worker_ms;
};

struct wire_message {
	enum wire_kind kind;
	int64_t id; /* 0 for hello */
	union {
		struct {
			int protocol;
			const char *version;
			enum wire_place place;
		} hello;
		struct wire_measure measure;
		struct wire_compile compile;
		struct wire_compiled compiled;
		struct {
			struct wire_job job;
			const char *const *metrics; /* that this GPU counts in one pass */
			int n_metrics;
			int interval; /* nanoseconds; 0: as suits the kernel */
		} sample;
		struct {
			/* with probes: the last argument is their buffer, the others are the plain kernel's */
			struct wire_job job;
			const char *plain; /* PTX of the kernel without */
			size_t plain_len;
		} stamp;
		struct {
			struct wire_job job;
			const char *const *metrics;
			int n_metrics;
			bool instrs; /* by machine instruction, too */
		} lines;
		struct wire_progress progress;
		struct wire_gpu gpu;
		struct wire_measurement measurement;
		struct wire_samples samples;
		struct wire_stamped stamped;
		struct wire_line_counts line_counts;
		struct wire_error error;
	};
};

/* The kind of message that a request of this kind is answered with, when no error is; the kind itself for what is not
 * answered. */
enum wire_kind wire_answer(enum wire_kind request);

/* Appends one line, newline included. Bytes that are no UTF-8 travel as U+FFFD. Values that are not finite travel as
 * "nan", "inf", "-inf"; of a launch's arguments only their texts travel. */
void wire_write(const struct wire_message *message, struct buf *out);

/* Reads one line (without its newline). False with a diagnostic that says what is wrong with it; unknown members are
 * ignored, an unknown kind is a fault. Everything in `arena`. The arguments of a launch hold their `text` alone: the
 * code that runs it reads them with launch_arg_parse. */
bool wire_read(struct arena *arena, const char *line, size_t len, struct wire_message *out, struct diag *diag);

/* --- base64.c: bytes as text (RFC 4648, with padding), for buffers inside JSON ------------------------------------ */

void wire_base64_encode(const void *bytes, size_t len, struct buf *out);

/* Decodes all of `text` into `*bytes` (in the arena) and `*n`. False when it is not base64: wrong length, a character
 * outside the alphabet, misplaced padding. */
bool wire_base64_decode(struct arena *arena, const char *text, size_t len, void **bytes, size_t *n);
