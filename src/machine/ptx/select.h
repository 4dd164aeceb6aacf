/* machine/ptx/select.h: the parts of a word that an operand of a video instruction names, as %r1.b3, %r1.h10 or %r1.b7604.
 *
 * ptx_operand.value of a register holds them; 0: none are named. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct ptx_form;

/* As in PTX. */
void ptx_print_select(const struct ptx_form *form, int64_t select, struct buf *out);

enum {
	PTX_SELECT_BYTE = 0x100, /* of a word: .b0 to .b3, the number in the lower bits; */
	PTX_SELECT_HALF = 0x200, /* .h0 and .h1 */
	PTX_SELECT_MASK = 0x400, /* of a vector that is written: a bit for each element */
	PTX_SELECT_LIST =
		0x10000, /* of one that is read: four bits for each element, of 3 that say which, a and b side by side */
};

static inline int ptx_select_bits(int64_t select)
{
	return select & PTX_SELECT_BYTE ? 8 : select & PTX_SELECT_HALF ? 16 : 32;
}

static inline int ptx_select_shift(int64_t select)
{
	return select ? (int)(select & 3) * ptx_select_bits(select) : 0;
}

/* Which element of a and b is in place k; `other` without a list. */
static inline int ptx_select_element(int64_t select, int k, int other)
{
	return select ? (int)(select >> 4 * k & 7) : other;
}

static inline bool ptx_select_writes(int64_t select, int k)
{
	return !select || select >> k & 1;
}
