/* A cluster: a row for each of its blocks, and in it how many requests go to the shared memory of each of them. The
 * larger form has boxes, and bytes below the requests. */
#include <stdio.h>
#include <string.h>

#include "front/view/draw.h"
#include "machine/warp/warp.h"

#define LABEL 9 /* "▸ block 12" is cut, "▸   12  3" fits */
#define LABEL_ROOMY 14
#define CELL_MAX 9
#define SHADES 4

struct cluster_picture {
	struct canvas *canvas;
	struct rect rect;
	const struct view_input *input;
	const struct warp_cluster *cluster;
	int n, label, cell, height; /* of a cell */
	uint64_t most;              /* requests of one block to another */
};

static const char *cluster_lacks(const struct view_input *input)
{
	return input->cluster && input->cluster->n > 1 ? NULL : "The kernel was launched without clusters.";
}

/* "812", "12k", "3M": as many columns as there are; '+' where that is not enough. */
static void write_count(uint64_t v, int cols, char out[24])
{
	static const char *const units[] = {"", "k", "M", "G"};
	int unit = 0;
	snprintf(out, 24, "%llu", (unsigned long long)v);
	while ((int)strlen(out) > cols && unit < 3) {
		v = (v + 500) / 1000;
		snprintf(out, 24, "%llu%s", (unsigned long long)v, units[++unit]);
	}
	if ((int)strlen(out) > cols)
		snprintf(out, 24, "+");
}

/* What goes to another block is shaded by how much of the most it is. */
static enum role shade_of(const struct cluster_picture *p, int from, int to)
{
	uint64_t requests = p->cluster->at[from][to].requests;
	if (!requests)
		return ROLE_IDLE;
	if (from == to)
		return ROLE_LANE;
	return view_wave_role((int)((p->most - requests) * SHADES / (p->most ? p->most + 1 : 1)));
}

/* --- in words ----------------------------------------------------------------------------------------------------- */

struct cluster_sums {
	uint64_t own, away, atomics, bytes;
};

static void draw_cluster(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct warp_cluster *c = input->cluster;
	bool roomy = input->roomy;
	struct cluster_picture p = {.canvas = canvas,
		.rect = rect,
		.input = input,
		.cluster = c,
		.n = c->n < CLUSTER_RANKS_MAX ? (int)c->n : CLUSTER_RANKS_MAX,
		.label = roomy ? LABEL_ROOMY : LABEL,
		.height = 1};
	struct view_notes notes = {0};
	p.cell = (rect.cols - p.label) / p.n;
	p.cell = p.cell > CELL_MAX ? CELL_MAX : p.cell < 2 ? 2 : p.cell;
	if (rect.cols < p.label + p.cell * p.n)
		p.label = rect.cols - p.cell * p.n;
	if (roomy && 3 * p.n + 4 <= rect.rows && p.cell > 5)
		p.height = 2;
	for (int i = 0; i < p.n * p.n; i++)
		if (i / p.n != i % p.n && c->at[i / p.n][i % p.n].requests > p.most)
			p.most = c->at[i / p.n][i % p.n].requests;

	struct rect lead = {p.rect.row, p.rect.col, 1, p.label - 1};
	canvas_text_fit(p.canvas, lead, ROLE_DIM, p.label < LABEL ? " to" : " to rank");
	for (int to = 0; to < p.n; to++)
		canvas_textf(p.canvas, p.rect.row, p.rect.col + p.label + to * p.cell,
			(uint32_t)to == p.cluster->watched ? ROLE_WATCHED : ROLE_DIM, "%*d",
			p.height > 1 ? p.cell / 2 : p.cell - 1, p.cell > 2 ? to : to % 10);

	int pitch = p.height > 1 ? 3 : 1, fit = (rect.rows - 1) / pitch, shown = p.n <= fit ? p.n : fit - 1;
	for (int rank = 0; rank < shown; rank++) {
		int row = rect.row + 1 + rank * pitch;
		bool watched = (uint32_t)rank == p.cluster->watched;
		enum role role = watched ? ROLE_WATCHED : ROLE_DIM;
		canvas_put(p.canvas, row, p.rect.col, watched ? GLYPH_POINT_RIGHT : ' ', role);
		if (p.label < LABEL) {
			canvas_textf(p.canvas, row, p.rect.col + 1, role, "%2d", rank);
		} else {
			if (p.height > 1)
				canvas_textf(p.canvas, row, p.rect.col + 2, role, "block %u", p.cluster->block[rank]);
			canvas_textf(p.canvas, row + p.height - 1, p.rect.col + (p.height > 1 ? 2 : 1), role,
				p.height > 1 ? "rank %d" : "from %d", rank);
			view_spot_of(p.canvas, p.input, (struct rect){row, p.rect.col, 1, p.label - 1}, THING_WARP,
				view_warp_index(p.cluster->block[rank], 0));
		}

		for (int to = 0; to < p.n; to++) {
			const struct cluster_traffic *t = &p.cluster->at[rank][to];
			struct rect r = {row, p.rect.col + p.label + to * p.cell, 1, p.cell - 1};
			char text[24];
			if (!t->requests) {
				/* where the number would be */
				canvas_put(p.canvas, row, r.col + (p.height == 1 ? r.cols - 1 : (r.cols - 1) / 2),
					GLYPH_MIDDLE_DOT, ROLE_IDLE);
				continue;
			}
			write_count(t->requests, r.cols, text);
			if (p.height == 1) {
				canvas_textf(p.canvas, row, r.col, shade_of(&p, rank, to), "%*s", r.cols, text);
				continue;
			}
			view_draw_cell(p.canvas, r, shade_of(&p, rank, to), text);
			write_count(t->bytes, r.cols - 1, text);
			canvas_textf(p.canvas, row + 1, r.col, ROLE_DIM, "%*sB", r.cols - 1, text);
		}
	}
	int row = rect.row + 1 + shown * pitch;
	if (shown < p.n) {
		canvas_textf(canvas, row, rect.col + 1, ROLE_DIM, "⋮ %d more blocks", p.n - shown);
		return;
	}

	struct cluster_sums sums = {0};
	for (int i = 0; i < p.n * p.n; i++) {
		const struct cluster_traffic *t = &c->at[i / p.n][i % p.n];
		if (i / p.n == i % p.n) {
			sums.own += t->requests;
			continue;
		}
		sums.away += t->requests;
		sums.atomics += t->atomics;
		sums.bytes += t->bytes;
	}

	uint64_t all = sums.own + sums.away;
	if (!sums.away)
		view_notes_add(&notes, ROLE_STRONG, "no block accesses another's shared memory");
	else
		view_notes_add(&notes, ROLE_STRONG,
			"%.0f\u00A0%% of the requests leave the block: %llu, with %llu\u00A0bytes",
			100.0 * (double)sums.away / (double)all, (unsigned long long)sums.away,
			(unsigned long long)sums.bytes);
	if (sums.atomics)
		view_notes_add(&notes, ROLE_TEXT,
			sums.atomics == 1 ? "%llu of them is atomic" : "%llu of them are atomic",
			(unsigned long long)sums.atomics);
	view_notes_add(&notes, ROLE_DIM,
		"requests of shared memory in the whole kernel, of this cluster; one to several blocks counts for each of them");
	view_notes_add(&notes, ROLE_DIM,
		"each block of a cluster has its own shared memory; the watched one is block\u00A0%u, rank\u00A0%u",
		c->block[c->watched], c->watched);

	int left = rect.row + rect.rows - row, need = view_notes_fit(&notes, left, rect.cols);
	view_notes_draw(canvas, (struct rect){row + (need < left && pitch == 1), rect.col, need, rect.cols}, &notes);
}

static void describe_cluster(const struct view_input *input, struct buf *out)
{
	const struct warp_cluster *c = input->cluster;
	for (uint32_t from = 0; from < c->n && from < CLUSTER_RANKS_MAX; from++) {
		buf_printf(out, "Block %u, rank %u: %llu request%s of its own shared memory", c->block[from], from,
			(unsigned long long)c->at[from][from].requests, c->at[from][from].requests == 1 ? "" : "s");
		for (uint32_t to = 0; to < c->n && to < CLUSTER_RANKS_MAX; to++)
			if (to != from && c->at[from][to].requests)
				buf_printf(out, ", %llu of rank %u's, %llu bytes",
					(unsigned long long)c->at[from][to].requests, to,
					(unsigned long long)c->at[from][to].bytes);
		buf_puts(out, ".\n");
	}
}

const struct view_drawer view_drawer_cluster = {.draw = draw_cluster,
	.lacks = cluster_lacks,
	.describe = describe_cluster};
