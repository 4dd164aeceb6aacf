/* model/hardware/listing.h: the machine code of a kernel as text, each instruction with the line of PTX that it was
 * made from; by whom and for which GPU it was made, and what a thread of it takes.
 *
 * The text is a disassembler's (model/profile/disassembly.c), or was recorded: printable ASCII, one instruction without
 * its semicolon. What pads a function at its end is left out. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define LISTING_INSTRS_MAX 4096 /* of a kernel; of a longer one there is no listing */
#define LISTING_TEXT_MAX 120    /* bytes of one */
#define LISTING_INSTR_BYTES 16u

struct listing_instr {
	uint32_t ptx_line; /* 0: none */
	uint32_t address;  /* in its function; 0: the first of one */
	const char *text;
};

struct code_listing {
	const char *target;                   /* "sm_90" */
	const char *compiler;                 /* "ptxas 13.0.88" */
	int registers;                        /* of a thread */
	int stack, spill_stores, spill_loads; /* bytes of a thread */
	const struct listing_instr *instrs;   /* the kernel's, then those of functions that it calls */
	int n;
	/* elf_fingerprint_code of the kernel's; NULL: it is not known, or functions of their own are called */
	const char *code;
	/* Of the kernel's first PTX instruction, then; 0: where it is now. Comments before it may have changed since */
	int first_line;
};

/* What an instruction does. */
enum listing_kind { LISTING_ARITHMETIC, LISTING_MEMORY, LISTING_CONTROL, LISTING_MOVE, LISTING_OTHER, LISTING_KINDS };
enum listing_kind listing_kind_of(const char *text);

/* Whether a text is one that a listing may hold. */
bool listing_text_is_good(const char *text);
