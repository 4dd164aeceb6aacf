/* machine/ptx/tiles.h: the tiles of a matrix instruction, as the machine lays them out. */
#pragma once
#include "base/arena.h"
#include "machine/ptx/tables.h"
#include "machine/warp/tiles.h"

struct ptx_instr;

/* False, and n 0, for what moves or multiplies no tiles. */
bool ptx_tiles_of(const struct ptx_instr *instr, struct warp_tiles *out);

/* Which of a line's instructions is the one to look at: 2 a product, 1 one that moves tiles, 0 none of them. */
int ptx_tiles_rank(const struct ptx_form *form);

/* The same of an opcode alone, as written: "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"; A of a wgmma is in shared memory. NULL, or
 * why there are none, in `arena`. */
const char *ptx_tiles_of_opcode(struct arena *arena, const char *opcode, struct warp_tiles *out);
