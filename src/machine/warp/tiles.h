/* machine/warp/tiles.h: the tiles of a warp's matrix instruction: which lane has which of their elements, in which of its registers. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define TILE_LANE_BITS 5
#define TILE_ELEMENT_BITS 7
#define TILES_MAX 3

/* Where the lanes find it. */
enum tile_place {
	TILE_IN_REGISTERS,
	TILE_IN_SHARED /* of a wgmma: the lanes have no elements, but a descriptor says where the tile is */
};

/* A tile and its part in each lane. Element e of lane i is number o of the tile, counted by rows: o is the sum of those numbers whose
 * bit i or e has. Where several warps have it, each has as many rows, the first warp the first. */
struct warp_tile {
	char name; /* 'A', 'B', or 'D', which C is laid out like; 'M' in memory; 'S' and 'T', a matrix that is moved before and after */
	enum tile_place place;
	uint16_t rows, columns;
	uint16_t each;     /* elements of a lane, from the first register on */
	uint16_t distinct; /* of which so many, the first ones, are not had by another lane or element as well */
	uint8_t packed;    /* elements of a register */
	uint8_t bits;      /* of an element */
	uint8_t warps;     /* that have it: 1, or 4 of a wgmma */
	const char *type;  /* "f16" */
	uint16_t lane[TILE_LANE_BITS], element[TILE_ELEMENT_BITS];
};

/* What the instruction does with them. */
enum tiles_use { TILES_MULTIPLIED, TILES_LOADED, TILES_STORED, TILES_MOVED };

struct warp_tiles {
	char name[72]; /* of the instruction, as much as there is room for */
	enum tiles_use use;
	int n; /* 0: there is no such instruction */
	struct warp_tile at[TILES_MAX];
	int matrices; /* of ldmatrix and stmatrix: of 8 by 8, one below the other in the tile, of which lane r has the address of row r */
	int products; /* that lanes i/4 % products == 0, 1, 2 ... compute with tiles of their own; 1: it is one */
	bool sparse;  /* of A, half of the elements of each row are there */
};

/* The number of element e of lane i. */
static inline int warp_tile_number(const struct warp_tile *t, int lane, int e)
{
	int number = 0;
	for (int bit = 0; bit < TILE_LANE_BITS; bit++)
		number += lane >> bit & 1 ? t->lane[bit] : 0;
	for (int bit = 0; bit < TILE_ELEMENT_BITS; bit++)
		number += e >> bit & 1 ? t->element[bit] : 0;
	return number;
}

/* Registers of a lane. */
static inline int warp_tile_registers(const struct warp_tile *t)
{
	return (t->each + t->packed - 1) / t->packed;
}
