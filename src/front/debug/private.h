/* front/debug/private.h: what the files of debug/ share. */
#pragma once
#include "front/debug/debug.h"
#include "front/debug/object.h"
#include "model/profile/device.h"

/* Where a job stops. */
enum debug_goal {
	GOAL_NONE,
	GOAL_STEP,        /* the followed warp is next */
	GOAL_LINE,        /* and at another source line */
	GOAL_ENTRY,       /* and enters a source line; for going back only */
	GOAL_BREAK,       /* a breakpoint */
	GOAL_BLOCK,       /* another block */
	GOAL_ANY,         /* one instruction on */
	GOAL_AT,          /* a step */
	GOAL_LINE_ACCESS, /* the followed warp makes an access in the line, or enters it where it makes none */
};

/* One way of running. Going back is two of them: `seek` looks, from the start up to `to`, for the last place that fits;
 * then the job goes there. */
struct debug_job {
	enum debug_goal goal;
	enum debug_goal seek; /* GOAL_NONE: no longer, or not going back */
	uint64_t times;       /* that many times are left */
	uint64_t back;        /* going back: which of the matching places, counted from the last, from 1 */
	uint64_t to;          /* GOAL_AT, and end of the seeking: the step */
	int line, depth; /* GOAL_LINE: the source line it began on, and in how many calls; GOAL_LINE_ACCESS: the line */
	bool any;        /* GOAL_LINE_ACCESS: no instruction of the line makes an access */
	bool nothing;    /* no such place was found: return to where going back began, and report it */
	bool found;
	uint64_t found_at;
	uint32_t found_block, found_warp; /* to follow there */
};

/* Steps of the followed warp, the latest ones. */
struct debug_trail_entry {
	uint64_t step;
	uint32_t active;
	bool entry; /* it entered a source line */
};
#define TRAIL 16384 /* a power of two */

struct debug_trail {
	struct debug_trail_entry at[TRAIL]; /* entry i is at[i % TRAIL] */
	uint64_t n;                         /* ever made since the start, or since the warp is followed */
	uint64_t since;                     /* the step from which on it has all */
};

/* The followed warp's last step. */
struct debug_track {
	int line;          /* source line it was last on, 0: none yet */
	bool was_followed; /* the last step of the launch was its */
	int instr, depth;  /* -1: none; calls of functions it was in then */
};

/* Of each warp, whatever its block: the last access. */
struct debug_accesses {
	struct {
		struct simt_site site;
		struct warp_access access;
	} last[BLOCK_WARPS_MAX];
	uint32_t has; /* bit w: warp w has made one since the start */
};

/* Registers that instructions write: those of instruction i are regs[from[i]] to regs[from[i + 1] - 1]. */
struct debug_defs {
	int *regs, *from;
};

/* Per warp of the block that runs, and register: the step after it was last written, 0: never. */
struct debug_written {
	uint64_t *step;
	uint32_t block;
};

/* What the reader put there, lane by lane: into a register of the running code, or so many bytes at generic
 * addresses. */
struct debug_change {
	uint64_t step; /* that many warp instructions had been executed */
	uint32_t block, warp, lanes;
	int reg; /* -1: memory */
	uint32_t bytes;
	uint64_t address[WARP_SIZE], value[WARP_SIZE];
	char text[2 * DEBUG_PROMPT_MAX];
};

struct debug_changes {
	struct debug_change *at; /* by step */
	size_t n, cap;
};

struct debug_private {
	struct arena *arena; /* lives as long as the debugger */
	struct arena *run;   /* as long as one start of the launch */
	const struct launch *launch;
	struct source ptx;
	uint64_t limit;
	struct simt_launch machine;
	struct simt_listener listener;
	struct simt_report report;
	uint32_t checks;   /* asked for */
	bool unchecked;    /* this start does without, as it only looks for a place it has been at */
	uint64_t furthest; /* steps ever executed */
	bool is_new;       /* the step that is being executed is the first time */
	struct profile_device *device;
	struct simt_session *session;

	struct debug_job job;
	uint64_t slice;                         /* warp instructions left in this slice */
	int stop_break;                         /* the breakpoint that stopped the job, 0: none */
	struct debug_break *here;               /* the one that stops at the point that came last; NULL: none */
	char condition_fault[DEBUG_PROMPT_MAX]; /* why its condition has no value; "" */
	struct debug_changes changes;
	bool warp_ended; /* the followed warp's end stopped it */
	bool arrived;    /* not only the slice is over */

	struct debug_trail trail;
	struct debug_track track;
	struct debug_accesses accesses;
	uint8_t *stops; /* per instruction: breakpoints that may stop there */
	struct debug_defs defs;
	struct debug_written written;
	uint32_t last_block, highest_block; /* of the last step; begun so far */
	enum debug_action last_move;        /* what REPEAT does */
	int part;                           /* of the program, that registers hold the values of */
	bool fresh;                         /* registers hold the values of the followed warp at the stop before */
};

/* debug.c */
bool debug_start(struct debug *debug, struct diag *diag);
int debug_depth_at(const struct debug *debug, int instr); /* calls that the followed warp is in when this comes next */
void debug_say(struct debug *debug, const char *format, ...) __attribute__((format(printf, 2, 3)));
void debug_complain(struct debug *debug, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* text.c: a packed word's halves, "1.5,-2", the lowest first */
void debug_write_halves(
	uint64_t bits, uint32_t bytes, enum debug_number number, enum debug_digits digits, struct buf *out);

/* run.c */
void debug_job_begin(struct debug *debug, enum debug_goal goal, uint64_t times);
void debug_job_begin_back(struct debug *debug, enum debug_goal goal, uint64_t times);
void debug_job_goto(struct debug *debug, uint64_t step);
void debug_job_again(struct debug *debug, uint64_t step); /* from the start, whatever the step is now */

/* breaks.c: a warp has come to an instruction; the breakpoint that stops it here, NULL: none. */
struct debug_break *debug_break_pass(struct debug *debug, const struct simt_point *at);
void debug_break_toggle(struct debug *debug, enum debug_text text, int line);
void debug_break_write(const struct debug_break *b, struct buf *out);

/* assign.c: what was changed at a step happens again; a change now. */
void debug_changes_apply(struct debug *debug, uint64_t step);
void debug_changes_write(const struct debug *debug, struct buf *out);
bool debug_change_undo(struct debug *debug); /* begins the job that goes back there; false: there is none */

/* access.c: whether an instruction goes to shared or global memory. */
bool debug_instr_goes_to_memory(const struct debug *debug, int instr);
void debug_access_look(struct debug *debug);

/* cursor.c */
void debug_cursor_home(struct debug *debug);
bool debug_cursor_find(struct debug *debug, const char *word);

/* --- object.c, value.c and expression.c --------------------------------------------------------------------------- */

/* Built-in variables, each a number of a lane. */
#define DEBUG_BUILTINS 18
extern const char *const debug_builtin_names[DEBUG_BUILTINS];

bool debug_tag_is_address(int tag);
bool debug_tag_is_record(int tag);

/* Makes an object the member of it that this entry is. */
void debug_object_member(const struct debug_at *at, int member, struct debug_object *o);

/* Makes a pointer what it points to, in each lane; false: it is none. */
bool debug_object_follow(const struct debug_at *at, struct debug_object *o);

bool debug_object_is_real(const struct debug_at *at, const struct debug_object *o);

/* Makes it lie at an address of each lane's own: its own, and so many of its size on. False: it is not in memory. */
bool debug_object_spread(const struct debug_at *at, struct debug_object *o, const int64_t index[WARP_SIZE]);

/* The generic address of a byte of it, where it is in memory. */
bool debug_object_address(
	const struct debug_at *at, const struct debug_object *o, int lane, uint64_t from, uint64_t *out);

/* debug_object_find in so many indices. */
bool debug_object_find_in(
	const struct debug_at *at, const char **text, int depth, struct debug_object *out, const char **why);

/* The value of an index, lane by lane: whole numbers. */
bool debug_expression_index(
	const struct debug_at *at, const char *text, size_t len, int depth, int64_t out[WARP_SIZE], const char **why);
