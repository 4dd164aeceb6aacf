/* model/hardware/value.h: numbers that know when they are missing, and where a number or a picture comes from: each one
 * names its witness. */
#pragma once
#include "base/buf.h"

enum witness {
	WITNESS_NONE,
	WITNESS_MODEL,    /* computed from what the SIMT machine did */
	WITNESS_LIVE,     /* a GPU, just now */
	WITNESS_RECORDED, /* a GPU, earlier: stored with the lesson */
};

const char *witness_name(enum witness witness); /* "model" */

enum value_state {
	VALUE_NONE, /* not requested, or not available from this witness */
	VALUE_OK,
	VALUE_PENDING,     /* requested, not yet answered */
	VALUE_UNDEFINED,   /* 0 / 0: nothing of the kind happened (no branch, no shared load) */
	VALUE_UNSUPPORTED, /* not collected on this compute capability */
	VALUE_NO_GPU,
	VALUE_NO_PERMISSION,
	VALUE_FAILED,       /* the measurement failed; the session knows why */
	VALUE_NOT_LAUNCHED, /* a defect would end the launch on a GPU, or hang it; or only the machine can launch it */
	VALUE_OTHER_GPU,    /* the kernel needs another GPU than the one at hand */
	VALUE_STALE,        /* recorded from another version of the kernel or launch */
	VALUE_NOT_MODELED,  /* the model would have to know what is not documented and was not measured */
	VALUE_MODEL_ONLY,   /* no GPU counts it */
	VALUE_COVERED,      /* it answers a question that is open */
};

struct value {
	/* Of VALUE_UNSUPPORTED: the compute capability, of VALUE_OTHER_GPU the one that is needed; 0 when it is not
	 * known */
	double v;
	enum value_state state;
};

static inline struct value value_ok(double v)
{
	return (struct value){v, VALUE_OK};
}

static inline struct value value_missing(enum value_state why)
{
	return (struct value){0, why};
}

static inline struct value value_unsupported(int cc)
{
	return (struct value){cc, VALUE_UNSUPPORTED};
}

/* A few words for a missing value ("no GPU", "needs permission"); "" when it is there. */
const char *value_reason(enum value_state state);

/* Those words, with more detail where there is: "not collected on CC 9.0". */
void value_explain(struct value value, struct buf *out);

/* A number for people, at most 4 significant decimals, thousands separated by nothing: "2", "1.5", "67584", "3.214". */
void value_format(double v, struct buf *out);
