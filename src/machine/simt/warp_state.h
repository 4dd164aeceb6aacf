/* machine/simt/warp_state.h: a warp: its registers, the paths on which its lanes go, and the functions they are in. Inside simt/
 * only. */
#pragma once
#include "machine/simt/cluster.h"
#include "machine/simt/code.h"

#define NO_JOIN UINT32_MAX
#define NO_FRAME UINT32_MAX
#define NO_BARRIER UINT32_MAX

/* Where lanes reconverge: the immediate post-dominator of the branch at which they diverged or, of a call, where they
 * go on when they have returned. */
struct join {
	uint32_t pc, frame; /* where they go on */
	uint32_t callee;    /* of a call: the frame they return from; NO_FRAME: this is not a call */
	uint32_t mask;      /* lanes that are to reconverge, as far as they live; 0: not in use */
	uint32_t arrived;   /* those that wait here */
	uint32_t parent;    /* the next join on their way, or NO_JOIN */
};

enum path_state { PATH_READY, PATH_AT_SYNC, PATH_AT_BARRIER };

/* Lanes that go on together, while another path of their warp runs. */
struct path {
	enum path_state state;
	uint32_t pc, frame, mask;
	uint32_t join;         /* where they next reconverge with others, or NO_JOIN */
	const struct code *at; /* what they wait at; pc is the instruction after it */
	uint32_t waits_for;    /* AT_SYNC: the lanes that its mask names; AT_BARRIER: the barrier */
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

#define LOOKS 4 /* instructions of a loop that looks at several words */

/* A strong read of global memory. */
struct look {
	uint64_t at; /* instruction and address */
	uint64_t value;
};

/* How a warp has polled, so that one that waits in vain is found. */
struct polling {
	const struct code *
		at; /* where it last looked at what it had looked at before; NULL: in neither this turn of the block nor the one before */
	uint32_t looks; /* how often, in this turn */
	struct look last[LOOKS];
	bool polled;           /* a strong operation changed nothing, in this round of turns */
	uint32_t idle_rounds;  /* in which it polled, since memory was changed or it had other work; */
	uint32_t quiet_rounds; /* and in which it did not, since then */
};

struct frame_list {
	struct frame *at;
	uint32_t n, cap, free; /* free: the first of a list */
};

struct path_list {
	struct path *at; /* the newest last */
	uint32_t n, cap;
};

struct join_list {
	struct join *at;
	uint32_t n, cap;
};

struct warp {
	uint8_t *bank[BANKS];
	uint32_t pc, active, join; /* the running path; no lane is active when none runs */
	uint32_t rpc;              /* pc of its join, or NOWHERE */
	uint32_t live;             /* lanes that have not ended */
	uint32_t carry;            /* the carry flag of each lane */
	struct machine *m;
	struct products *products;   /* wgmma.h; NULL: none */
	struct async *async;         /* operations in flight: async.h; NULL: none */
	struct undefined *undefined; /* undefined.h; NULL: no lane has found an uninitialized byte in this block */
	struct local_memory local;
	uint32_t frame;                 /* of the running path */
	uint64_t local_base, local_end; /* of the frame that is in bank[BANK_REGS], nearly always the running path's */
	struct frame_list frames;
	struct path_list paths; /* the others */
	struct join_list joins;
	uint32_t index;        /* in the block */
	struct simt_site site; /* of what was last reported to the listener: simt_warp_site */
	enum warp_state state;
	bool loose; /* lanes went on without those they should have reconverged with: simt_paths_loosen */
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
