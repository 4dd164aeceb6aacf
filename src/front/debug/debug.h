/* front/debug/debug.h: a kernel stepped warp instruction by warp instruction: state and actions, without a terminal.
 *
 * One warp is followed: it is the one that panes show, `step` advances and lines count for. The others run in between
 * as the machine schedules them. A step number is how many warp instructions of the launch were executed before. Going
 * back starts the launch again and runs to an earlier step, which a simt_session takes the same way each time.
 *
 * What takes long is a job: an action or command begins it, debug_work runs a slice of it. With nothing to wait for
 * (tests, scripts) debug_finish does all of it. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/key.h"
#include "machine/launch/launch.h"
#include "machine/ptx/program.h"
#include "machine/simt/session.h"
#include "machine/warp/warp.h"
#include "model/hardware/access.h"

/* --- a kernel before it runs -------------------------------------------------------------------------------------- */

/* Its PTX as rows to show, the source line of each instruction, where lines begin, and what instructions read and
 * write. Does not change afterwards. */

/* A row of the PTX pane: an instruction, or a label. */
struct debug_row {
	int line;         /* in the PTX text */
	int instr;        /* first one of the line, -1: a label */
	const char *text; /* blanks tidied, comments left out, names as in the source */
};

/* An instruction, numbered as ptx_instr_count does: the kernel's, then those of the functions that it may call. */
struct debug_instr {
	const struct ptx_instr *code;
	int part; /* of program->parts */
	int row;
	int line;    /* of the source, 0: none. One inlined from another file has that of the one before it */
	bool begins; /* its line begins here, in the text or at the head of a loop */
};

/* The kernel, or a function: they have registers of their own, which are numbered here through all parts. */
struct debug_part {
	const struct ptx_part *of;
	const char *name; /* as in the source where that is known */
	int first_instr, first_reg;
};

struct debug_reg {
	const char *name;
	enum ptx_type type;
	char kind;       /* 'F', 'S', 'P', or 'X' for addresses and bits */
	int part, index; /* which one of its part */
};

struct debug_program {
	const struct ptx_kernel *kernel;
	const char *name;     /* of the kernel, as in the source where that is known */
	const char *file;     /* of the source lines, NULL: they are those of the PTX */
	struct source source; /* its text; n_lines 0: not at hand */
	struct debug_part *parts;
	struct debug_instr *instrs;
	struct debug_reg *regs;
	struct debug_row *rows;
	int n_parts, n_instrs, n_regs, n_rows;
	const struct debug_dwarf *dwarf; /* variables of the source; NULL: nothing says what they are */
};

struct debug_program *debug_program_new(
	struct arena *arena, const struct ptx_kernel *kernel, const struct source *ptx, const struct source *source);

/* The row's text of an instruction. */
const char *debug_instr_text(const struct debug_program *program, int instr);

/* The two texts of a kernel, each with lines of its own. */
enum debug_text { DEBUG_SOURCE, DEBUG_PTX };

/* The first line from `line` on that has an instruction, 0: none. */
int debug_line_with_code(const struct debug_program *program, enum debug_text text, int line);

/* Registers of an instruction, its guard among those read. Each register once. */
#define DEBUG_USES_MAX 40
struct debug_uses {
	int written[DEBUG_USES_MAX], read[DEBUG_USES_MAX];
	int n_written, n_read;
};
void debug_uses(const struct debug_program *program, int index, struct debug_uses *out);

/* --- the debugger ------------------------------------------------------------------------------------------------- */

enum debug_action {
#define ACTION(id, name, help) DEBUG_ACT_##id,
#include "front/debug/actions.def"
#undef ACTION
	DEBUG_ACTIONS
};

#define DEBUG_PROMPT_MAX 200

enum debug_pane {
	DEBUG_PANE_REGISTERS,
	DEBUG_PANE_MEMORY,
	DEBUG_PANE_PATHS,
	DEBUG_PANE_WARPS,
	DEBUG_PANE_VARIABLES,
	DEBUG_PANE_COUNT
};

/* How a number is shown. */
enum debug_number {
	DEBUG_NUMBER_AUTO,
	DEBUG_NUMBER_HEX,
	DEBUG_NUMBER_INT,
	DEBUG_NUMBER_FLOAT,
	DEBUG_NUMBER_F16X2,  /* each 16 bits a half, the lowest first */
	DEBUG_NUMBER_BF16X2, /* likewise of bfloat16 */
	DEBUG_NUMBERS
};

/* A command may ask to see a pane (its number), or the whole screen. */
enum debug_show { DEBUG_SHOW_NOTHING = -2, DEBUG_SHOW_SCREEN = -1 };

/* What commands ask of the screen; screen_debug_take carries it out. */
struct debug_wishes {
	enum debug_show show; /* to be seen now; the caller sets it back */
	bool registers;       /* their pane, from its first row on */
	bool lane;            /* the registers from the followed lane on */
	bool help;            /* the list of keys */
};

/* Where the reader is in the code: both are moved together, one has the keys. */
struct debug_cursor {
	bool in_ptx;
	int line, row; /* source line from 1; row of program->rows */
};

/* A command or a word being typed. */
struct debug_prompt {
	char text[DEBUG_PROMPT_MAX];
	char mark;                       /* ':' or '/', 0: there is no prompt */
	char command[DEBUG_PROMPT_MAX];  /* the one before, which Up gives again */
	char searched[DEBUG_PROMPT_MAX]; /* what was last searched for */
};

struct debug_setup {
	struct ptx_module *module;
	const struct launch *launch;
	uint64_t steps;       /* limit of the launch, 0: the machine's */
	uint32_t checks;      /* SIMT_CHECK_...: what to look for */
	uint32_t block, warp; /* to follow first */
	int cc;
	struct source ptx;    /* the PTX's text */
	struct source source; /* of the file that most lines are of; n_lines 0: its text is not at hand */
};

#define DEBUG_ANY UINT32_MAX /* any block, warp, or lane */

struct debug_break {
	int number;           /* as the reader calls it, from 1 */
	enum debug_text text; /* that has the line */
	int line;
	uint32_t block, warp, lane;                              /* only there; DEBUG_ANY */
	bool by_instruction;                                     /* whoever set it speaks of an instruction */
	uint64_t hits;                                           /* how often it stopped a run */
	char condition[DEBUG_PROMPT_MAX], log[DEBUG_PROMPT_MAX]; /* "": none; log: what is said there, without a stop */
	char hit_op;                                             /* '=', '>', '<' or '%', 0: whenever it is passed */
	uint64_t hit_n, passes; /* passes: since the launch began or it was set, where the condition held */
};
#define DEBUG_BREAKS_MAX 64

struct debug_breaks {
	struct debug_break at[DEBUG_BREAKS_MAX];
	int n;
};

enum debug_warp_state {
	DEBUG_WARP_AWAITED,
	DEBUG_WARP_RUNS,
	DEBUG_WARP_AT_BARRIER,
	DEBUG_WARP_AT_SYNC,
	DEBUG_WARP_ENDED
};

/* A warp as it is now. Lanes that are in none of the masks have ended, or were never there. */
struct debug_warp {
	enum debug_warp_state state;
	int instr;          /* it goes on at; -1: nowhere, or the end of the kernel */
	uint32_t active;    /* lanes that go on there */
	uint32_t executing; /* those whose guard predicate holds */
	uint32_t waiting;   /* lanes on other paths */
	int n_paths;
	struct simt_path paths[SIMT_PATHS_MAX];
};

enum debug_access_when { DEBUG_ACCESS_NONE, DEBUG_ACCESS_NEXT, DEBUG_ACCESS_LAST };

/* An access of the followed warp: of the instruction that is next, or else the last one it made. */
struct debug_access {
	enum debug_access_when when;
	int instr;
	struct warp_access access;
};

struct debug_register {
	uint64_t lanes[WARP_SIZE]; /* bits extended by zero; predicates 0 or 1 */
	uint32_t changed;          /* lanes whose value is another than at the stop before */
	uint64_t written;          /* step after the followed warp last wrote it, 0: never */
	bool displayed;
};

/* Messages to the reader. */
struct debug_said {
	char notice[1024];  /* why it stopped, or what is wrong; until the next key */
	bool wrong;         /* the notice is an error */
	struct buf output;  /* what print and the like say; the caller empties it */
	struct buf printed; /* what the kernel printed, the first time it came there; the caller empties it */
};

/* How large the launch is. */
struct debug_extent {
	uint32_t grid[3], block[3]; /* blocks of the launch, threads of a block */
	uint64_t blocks;
	uint32_t warps, threads; /* of a block */
};

struct debug {
	const struct debug_program *program;
	struct simt_result result; /* how it ended; once `ended` */
	struct simt_defect defect; /* when that is a defect: both its sides */
	bool ended;
	struct simt_point next; /* unless ended */
	uint64_t step;          /* warp instructions executed */
	struct debug_extent extent;
	int cc;

	uint32_t block, warp;             /* followed */
	unsigned followed;                /* how often another warp has been */
	uint32_t lane;                    /* followed, DEBUG_ANY: all */
	struct debug_warp now;            /* the followed warp */
	struct debug_register *registers; /* by number in the kernel */
	struct debug_access access;
	uint64_t *executions; /* per instruction: warp instructions executed, all warps */

	struct debug_breaks breaks;

	struct debug_cursor cursor;
	enum debug_number number;
	struct debug_prompt prompt;
	struct debug_wishes wishes;
	bool quit;

	struct debug_said said;

	struct debug_private *private;
};

/* NULL with diagnostics when the launch cannot be: arguments that do not fit the kernel, too much memory. A launch
 * whose shape is refused by the machine is there and has ended. */
struct debug *debug_new(const struct debug_setup *setup, struct diag *diag);
void debug_free(struct debug *debug);

/* Carries out an action, or begins the job that does; one that makes no sense now says so. Those of the screen (HELP,
 * ZOOM, panes, pages) do nothing here. */
void debug_act(struct debug *debug, enum debug_action action);

/* A key while there is a prompt. */
void debug_prompt_key(struct debug *debug, key_code key);

/* One command of the prompt's language, or the job that does it begins. False with an error when it is none, or makes
 * no sense now; `at` is the place of the text. An empty line and one that starts with '#' do nothing. */
bool debug_command(struct debug *debug, const char *text, struct diag_pos at, struct diag *diag);

/* Begins the job that runs to where the followed warp makes the access of this number, from 0, in the source line; in a
 * line that has none, to where it enters it. Nothing where the line has no instruction. */
void debug_go_to_line(struct debug *debug, int line, int access);

/* Puts the cursor on a line of the source, or on a row of the PTX; moves it by so many of them; takes it to the
 * other. */
void debug_put_cursor(struct debug *debug, enum debug_text text, int to);
void debug_move_cursor(struct debug *debug, int by);
void debug_turn_cursor(struct debug *debug, enum debug_text text);

/* Whether a job is under way; a slice of it (some hundredths of a second); all of it; no more of it. */
bool debug_busy(const struct debug *debug);
void debug_work(struct debug *debug);
void debug_finish(struct debug *debug);
void debug_cancel(struct debug *debug);

/* What a job is about, in a few words: "running back: 40 %". */
void debug_progress(const struct debug *debug, struct buf *out);

/* Shows the reader a sentence until the next key; puts it away. */
void debug_notice(struct debug *debug, const char *sentence);
void debug_dismiss_notice(struct debug *debug);

/* Another warp of the followed block, as it is now. */
void debug_warp_now(const struct debug *debug, uint32_t warp, struct debug_warp *out);

/* The lanes a warp of this launch has. */
uint32_t debug_lanes(const struct debug *debug, uint32_t warp);

/* The lanes of this warp that made the defect which ended the launch. */
uint32_t debug_lanes_at_fault(const struct debug *debug, uint32_t warp);

/* The instruction that is the other side of the race that ended the launch; -1: it did not. And the one that made the
 * defect, when it is no longer the one its warp is at: a race between blocks is found when they have ended. */
int debug_other_side(const struct debug *debug);
int debug_late_side(const struct debug *debug);

/* Follows another warp, and takes over what is to be seen of it now. */
void debug_follow(struct debug *debug, uint32_t block, uint32_t warp);
void debug_look(struct debug *debug);

/* A breakpoint on a line that has code: its number, 0: there are too many. Takes one away, 0: all; false: there was
 * none. */
int debug_break_add(struct debug *debug, struct debug_break b);
bool debug_break_delete(struct debug *debug, int number);

/* Its condition, an expression as front/debug/object.h has it, whose names are those at its line: false with an error.
 * How often it is to be passed: "3", "== 3", "> 3", "% 3"; NULL, or what is wrong. */
bool debug_break_condition(const struct debug *debug, struct debug_break *b, const char *text, struct diag *diag);
const char *debug_break_count(struct debug_break *b, const char *text);

/* The one that stopped the last run, by its number; 0: none did. */
int debug_stopped_by(const struct debug *debug);

/* What to look for from now on, SIMT_CHECK_...; the launch is run again up to where it is. */
void debug_set_checks(struct debug *debug, uint32_t checks);

/* Bytes of SPACE_GLOBAL, or of SPACE_SHARED of the followed block, as they are now: `*bytes` of them, at most as many
 * as were asked for. NULL: there are none. */
const void *debug_memory(const struct debug *debug, enum mem_space space, uint64_t address, size_t *bytes);

/* Local memory of a lane of the followed warp, likewise, from `address` on, which is that of ld.local. */
const void *debug_local(const struct debug *debug, uint32_t lane, uint64_t address, size_t *bytes);

/* The kernel's parameters, where PTX has them; the text of the PTX. */
const void *debug_params(const struct debug *debug);
const struct source *debug_ptx(const struct debug *debug);

/* Whether a breakpoint is on this line. */
bool debug_has_break(const struct debug *debug, enum debug_text text, int line);

/* Registers to show, most telling first: those that the next instruction writes and reads, those displayed, then the
 * ones last written. Writes at most `cap` numbers and returns how many. */
enum debug_use { DEBUG_USE_NONE, DEBUG_USE_READ, DEBUG_USE_WRITTEN };
struct debug_shown {
	int reg;
	enum debug_use use;
};
int debug_shown(const struct debug *debug, struct debug_shown *out, int cap);

/* Appends one lane's value of a register, as `debug->number` says; a float with four digits, or with all that
 * distinguish it from its neighbors. */
enum debug_digits { DEBUG_DIGITS_FEW, DEBUG_DIGITS_ALL };
void debug_value(const struct debug *debug, int reg, int lane, enum debug_digits digits, struct buf *out);

/* Appends where the followed warp is, on one line: step, block, warp, line, instruction, lanes. */
void debug_where(const struct debug *debug, struct buf *out);

/* Appends where an instruction is, "line 14, PTX 88", and the chain of callers of inlined code, as ptx_location_chain
 * writes it; -1: "the end". Names of files are the PTX's. */
void debug_write_place(const struct debug *debug, int instr, struct buf *out);
