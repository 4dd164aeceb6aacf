/* machine/race/missing.h: what is missing between the two sides of a data race, as far as that can be told. */
#pragma once

enum race_missing {
	RACE_MISSING_NOTHING,
	RACE_MISSING_SYNCWARP,    /* between lanes of a warp */
	RACE_MISSING_BARRIER,     /* between warps of a block */
	RACE_MISSING_ORDER,       /* between blocks: an atomic operation, or a flag with fences */
	RACE_MISSING_FENCE,       /* a flag was read, without a fence of sufficient scope after it */
	RACE_MISSING_ATOMIC,      /* one side is atomic, the other is not */
	RACE_MISSING_SCOPE,       /* both are, but the scope of one does not reach the other's block */
	RACE_MISSING_SAME_SIZE,   /* both are strong, but of different sizes, so they overlap in part */
	RACE_MISSING_WAIT,        /* an asynchronous copy has not been waited for */
	RACE_MISSING_WAIT_READ,   /* an asynchronous product that reads it has not been waited for */
	RACE_MISSING_PROXY_FENCE, /* it was stored by the generic proxy, and is accessed by the asynchronous one */
	RACE_MISSING_CLUSTER,     /* between blocks of a cluster, in shared memory: the cluster's barrier */
	RACE_MISSING_UPDATE,      /* threads load, change and store one place, which is to be one atomic operation */
	RACE_MISSING_ONE_VALUE,   /* lanes of one instruction store different values to one address */
	RACE_MISSING_SAME_VALUE,  /* nothing this time: both stored the same value, but data can make that another */
	RACE_MISSING_LOCK_FENCES, /* both held a lock, which orders them only with fences */
};

const char *race_missing_name(enum race_missing missing); /* "barrier"; NULL for nothing */
