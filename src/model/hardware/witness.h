/* model/hardware/witness.h: where a number or a picture comes from; each one names its witness. */
#pragma once

enum witness {
	WITNESS_NONE,
	WITNESS_MODEL,    /* computed from what the SIMT machine did */
	WITNESS_LIVE,     /* a GPU, just now */
	WITNESS_RECORDED, /* a GPU, earlier: stored with the lesson */
};

const char *witness_name(enum witness witness); /* "model" */
