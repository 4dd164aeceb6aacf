/* machine/simt/warp_state.h: a warp: its registers, the paths on which its lanes go, where they reconverge, how they
 * wait for each other, and the functions they are in. Inside simt/ only.
 *
 * A branch that splits the active lanes makes a reconvergence point at its immediate post-dominator, and a path for
 * each side. One path runs, the side that falls through first; a path that comes to its reconvergence point waits there
 * for the others. When all lanes of the point that live have arrived, they go on as one path towards the point around
 * it. When the next point is already at that address no new one is made, so a loop that lanes leave one by one stays
 * flat.
 *
 * Left alone, the newest ready path runs until it reconverges, as on a reconvergence stack. What independent thread
 * scheduling adds is forward progress, that no lane waits forever: a path that waits at a *.sync or a barrier lets the
 * others run, and when a block only polls memory, the paths of its warps yield: first their turn, to other paths that
 * are ready (simt_paths_yield_turn), and after that reconvergence, so that lanes go on without those they wait for
 * (simt_paths_yield_reconvergence). */
#pragma once
#include "machine/simt/code.h"

struct arena;
struct machine;
struct program;

#define NO_POINT UINT32_MAX
#define NO_FRAME UINT32_MAX
#define NO_BARRIER UINT32_MAX

/* Where lanes reconverge: the immediate post-dominator of the branch at which they diverged or, of a call, where they
 * go on when they have returned. */
struct reconverge_point {
	uint32_t pc, frame; /* where they go on */
	uint32_t callee;    /* of a call: the frame they return from; NO_FRAME: this is not a call */
	uint32_t mask;      /* lanes that are to reconverge, as far as they live; 0: not in use */
	uint32_t arrived;   /* those that wait here */
	uint32_t parent;    /* the next point on their way, or NO_POINT */
};

enum path_state { PATH_READY, PATH_AT_SYNC, PATH_AT_BARRIER };

/* Lanes that go on together, while another path of their warp runs. */
struct path {
	enum path_state state;
	uint32_t pc, frame, mask;
	uint32_t point;        /* where they next reconverge with others, or NO_POINT */
	const struct code *at; /* what they wait at; pc is the instruction after it */
	uint32_t waits_for;    /* AT_SYNC: the lanes that its mask names; AT_BARRIER: the barrier */
	uint32_t held;         /* AT_BARRIER: the lanes whose predicate bar.red takes holds */
	uint32_t passed; /* lanes that waited for it to reconverge and were let go: they did not come where it waits */
};

/* What lanes that called a function together have of their own there. Frame 0 is the kernel's. */
struct frame {
	uint8_t *regs, *memory;                /* regs lies in memory; NULL: the frame is not in use, or the kernel's */
	struct undefined_registers *undefined; /* undefined.h; NULL: none are */
	const struct code_unit *unit;
	const struct code *call;        /* by which it was made; NULL: the kernel's */
	uint32_t caller, depth;         /* frame; calls up to here */
	uint64_t local_base, local_end; /* in local memory: its part, and the end of what there is */
	uint32_t next_free;
	uint32_t stack_used[WARP_SIZE]; /* of ptx_kernel.stack, bytes */
};

enum warp_state {
	WARP_RUNS,
	WARP_WAITS, /* at a barrier, or no path of it is ready */
	WARP_DONE,
};

/* Local memory of a warp, one thread's after the other. */
struct local_memory {
	uint8_t *bytes;
	uint64_t size, charged; /* room for one thread in it; what of it the block's calls have asked for */
	uint8_t *first;         /* what it begins with; another one is on the heap */
	uint8_t *undefined;     /* undefined.h: a bit for each byte, likewise; NULL: none are */
};

#define POLLS 4 /* instructions of a loop that polls several words */

/* A strong read of global memory. */
struct poll {
	uint64_t at; /* instruction and address */
	uint64_t value;
};

/* How a warp has polled, so that one that waits in vain is found. */
struct polling {
	/* Where it last polled what it had polled before; NULL: in neither this turn of the block nor the one
	 * before. */
	const struct code *at;
	uint32_t polls; /* how often, in this turn */
	struct poll last[POLLS];
	bool polled;           /* a strong operation changed nothing, in this round of turns */
	uint32_t idle_rounds;  /* in which it polled, since memory was changed or it had other work; */
	uint32_t quiet_rounds; /* and in which it did not, since then */
};

/* What lanes of a warp did at the cluster's barrier. */
struct cluster_lanes {
	uint32_t arrived;      /* in the phase that is not complete */
	uint32_t passed;       /* their phase is complete, and they have not waited for it */
	const struct code *by; /* the last arrival */
};

struct frame_list {
	struct frame *at;
	uint32_t n, cap, free; /* free: the first of a list */
};

/* Lanes that a branch sent two ways. */
struct parting {
	const struct code *by;
	uint32_t lanes[2];
};

/* The newest last. Those whose lanes are together at a newer one are dropped, so that few are left. */
struct parting_list {
	struct parting at[WARP_SIZE];
	uint32_t n;
};

struct path_list {
	struct path *at; /* the newest last */
	uint32_t n, cap;
};

struct reconverge_list {
	struct reconverge_point *at;
	uint32_t n, cap;
};

struct warp {
	uint8_t *bank[BANKS];
	uint32_t pc, active;    /* the running path; no lane is active when none runs */
	uint32_t point;         /* where it next reconverges with others, or NO_POINT */
	uint32_t reconverge_pc; /* pc of that point, or NOWHERE */
	uint32_t live;          /* lanes that have not ended */
	uint32_t carry;         /* the carry flag of each lane */
	struct machine *m;
	struct wgmma_state *wgmma;   /* wgmma.h; NULL: none */
	struct async *async;         /* operations in flight: async.h; NULL: none */
	struct undefined *undefined; /* undefined.h; NULL: no lane has found an uninitialized byte in this block */
	struct local_memory local;
	uint32_t frame;                 /* of the running path */
	uint64_t local_base, local_end; /* of the frame that is in bank[BANK_REGS], nearly always the running path's */
	struct frame_list frames;
	struct path_list paths; /* the others */
	struct reconverge_list points;
	uint32_t index;        /* in the block */
	struct simt_site site; /* of what was last reported to the listener: simt_warp_site */
	enum warp_state state;
	bool yielded;    /* lanes went on without those they should have reconverged with */
	uint32_t let_go; /* of those, the ones that since then have only found their way, perhaps to the end */
	uint32_t past;   /* likewise since they took the way without a barrier: passed.c */
	struct condition_seen *conditions; /* passed.c; NULL: there are none */
	struct warp_locks *locks;          /* locks.h; NULL: it has taken none */
	struct parting_list partings;
	struct polling polling;
	struct cluster_lanes at_cluster;
	uint32_t barrier;            /* that all lanes wait at, or NO_BARRIER */
	const struct code *waits_at; /* the barrier instruction of the running path, if it waits */
};

/* The warp at `c`, for the listener. */
static inline const struct simt_site *simt_warp_site(struct warp *w, const struct code *c)
{
	w->site.instr = (int)c->index;
	return &w->site;
}

/* Makes a frame the one that operands are read from and written to. */
static inline void simt_frame_view(struct warp *w, uint32_t frame)
{
	const struct frame *f = &w->frames.at[frame];
	w->bank[BANK_REGS] = f->regs;
	w->local_base = f->local_base;
	w->local_end = f->local_end;
}

/* --- how lanes and warps wait for each other ---------------------------------------------------------------------- */

#define NAMED_BARRIERS 16
#define BARRIERS NAMED_BARRIERS
#define CLUSTER_BARRIER NAMED_BARRIERS /* path.waits_for at the barrier of the cluster */

/* What the lanes that converge at a *.sync bring with them. */
struct exchange {
	uint32_t lanes;            /* that converge */
	uint32_t held;             /* of those, the ones whose predicate operand holds */
	uint64_t value[WARP_SIZE]; /* of each, the source operand */
};

/* A barrier of the block. */
struct barrier {
	bool has_arrivals;
	uint32_t arrived;         /* warps */
	uint32_t expected;        /* warps, 0: all that live */
	uint32_t all, any, count; /* of bar.red */
	const struct code *first; /* by which a warp arrived first, and which warp */
	uint32_t first_warp;
	const struct code *last; /* by which a warp arrived last, and which warp */
	uint32_t last_warp;
};

/* converge.c: executes a *.sync instruction, or one of the same kind that takes the lanes that are active. */
exec_fn simt_exec_converge, simt_exec_converge_here;
void simt_converge_decode(struct code *c); /* exec_warp.c */

/* Lanes have ended: lets paths that wait at a *.sync go on if they can. */
void simt_converge_update(struct warp *w);

/* Lanes wait at a *.sync for others that cannot come: reports that, and they go on without those, as lanes of a GPU do.
 * False: none waits at one. */
bool simt_converge_without(struct warp *w);

/* Reports a mask with `named`, where `here` are; `lanes` are those of the defect. */
void simt_report_mask(struct warp *w, const struct code *c, uint32_t lanes, uint32_t named, uint32_t here);

/* barrier.c: lanes have ended: completes barriers that waited for them. */
void simt_barriers_update(struct warp *w);

/* No warp can go on, but some wait: reports why. */
void simt_barriers_deadlock(struct machine *m);

/* The block has ended: reports a barrier at which more warps should have arrived. */
void simt_barriers_end(struct machine *m);

/* Lanes that have ended went another way at a branch, and so past a barrier at which others waited: reports that. */
void simt_barriers_passed(struct warp *w, const struct code *barrier, uint32_t lanes, const struct warp *waited,
	const struct code *branch);

/* passed.c: finds the conditions around barriers of the machine's program; makes room for what a warp does there;
 * forgets that, as a block begins or a barrier is complete. */
void simt_passed_find(struct machine *m);
void simt_passed_prepare(struct warp *w);
void simt_passed_begin(struct warp *w);

/* The running path is at such a branch, which `taken` take; `lanes` that were let go do what others can see. */
void simt_passed_branch(struct warp *w, const struct code *c, uint32_t taken);
void simt_passed_act(struct warp *w, const struct code *c, uint32_t lanes);

/* The running path, with lanes that were let go, is at a branch, which `taken` take. */
void simt_passed_decide(struct warp *w, const struct code *c, uint32_t taken);

/* Whether path `p`, which waits, comes to `pc` in the kernel whatever it does, so that lanes that go on there went past
 * what it waits at. Where the kernel ends there, and the path may end elsewhere, they have only ended before it. */
bool simt_passed_rejoins(const struct warp *w, const struct path *p, uint32_t pc);

/* Of `lanes`, which go on at `pc` of the kernel without path `p`, those that took a way out beside the condition of
 * what it waits at, such as an early return. nvcc lets one that stores something take the way of those that stay. */
uint32_t simt_passed_beside(const struct warp *w, const struct path *p, uint32_t lanes, uint32_t pc);

/* A barrier of the whole block is about to be complete, at which `first` waits. */
void simt_passed_check(struct machine *m, const struct code *barrier, struct warp *first);

/* --- which lanes run together, and where they reconverge ---------------------------------------------------------- */

/* A warp begins with `lanes`, and ends. */
void simt_paths_start(struct warp *w, uint32_t lanes);
void simt_paths_free(struct warp *w);

/* The active lanes diverge at branch `c`: those in `taken` go to its target and the others on at pc, or each to its own
 * target. They reconverge where it says. */
void simt_paths_diverge(struct warp *w, const struct code *c, uint32_t taken);
void simt_paths_switch(struct warp *w, const struct code *c, const uint32_t target[WARP_SIZE]);

/* The running path has come to its reconvergence point. */
void simt_paths_arrive(struct warp *w);

/* The lanes of `mask` end. */
void simt_paths_exit(struct warp *w, uint32_t mask);

/* The active lanes but those of `mask` go on at pc, which is after a call, when the others have come there too. */
void simt_paths_stay(struct warp *w, uint32_t mask);

/* `lanes` go to `pc` in `frame`, and when all of them have returned or ended, those that returned go on after the call.
 * They run at once when the path has no others; those that are left call something else. */
void simt_paths_call(struct warp *w, uint32_t lanes, uint32_t pc, uint32_t frame);

/* `lanes` of the running path return: they no longer arrive at reconvergence points inside the function. */
void simt_paths_return(struct warp *w, uint32_t lanes);

/* `lanes` of the running path wait at `c`; the rest of it goes on. The caller calls simt_paths_next when no lane of it
 * is left. */
void simt_paths_park(struct warp *w, const struct code *c, enum path_state state, uint32_t lanes, uint32_t waits_for);

/* No path runs: lets one run, if any is ready. */
void simt_paths_next(struct warp *w);

/* The running path polls in vain: it yields its turn to the newest other path that is ready, and has the next one after
 * all others. False: there is no other. */
bool simt_paths_yield_turn(struct warp *w);

/* The running path polls in vain: the lanes that wait for it at the next reconvergence point where there are any go on
 * without it. They reconverge with it at the point around that one, or when all lanes of the warp come to one barrier.
 * False: no lane waits. */
bool simt_paths_yield_reconvergence(struct warp *w);

/* Whether a path waits at a *.sync for lanes that were let go. */
bool simt_paths_are_passed(const struct warp *w);

/* Whether a path waits for other lanes of its warp, at a *.sync or a barrier of the block. */
bool simt_paths_wait_for_lanes(const struct warp *w);

/* No path of the warp can run, and some wait at a *.sync or a barrier: the lanes at the innermost reconvergence point
 * where there are any go on without those they wait for. False: no lane waits at one. */
bool simt_paths_give_up_reconvergence(struct warp *w);

/* --- calls -------------------------------------------------------------------------------------------------------- */

/* The slots of what a function and a call pass. */
bool simt_call_decode_unit(struct machine *m, struct code_unit *unit, struct arena *arena);
void simt_call_decode(struct program *p, struct code *c, struct arena *arena);

/* `lanes` of the running path return, or end if it is the kernel that they are in. */
void simt_call_return(struct warp *w, uint32_t lanes);

/* What a call passes to a built-in function, and gives back, up to 8 bytes. */
uint64_t simt_call_argument(const struct warp *w, const struct code *c, int n, int lane);
void simt_call_result(struct warp *w, const struct code *c, int lane, uint64_t value);

/* Frames: the kernel's alone; none; without one that all lanes have left. */
void simt_frames_start(struct warp *w);
void simt_frames_free(struct warp *w);
void simt_frame_drop(struct warp *w, uint32_t frame);
