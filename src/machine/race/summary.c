/* What a block leaves for the blocks after it: the first accesses of each kind to each word of global memory.
 *
 * They are summarized again after a fence that reaches other blocks, since those may know what came before it. */
#include <string.h>

#include "base/arena.h"
#include "machine/race/detector.h"

/* Of one block; those beyond are not compared with other blocks. Races may be missed then, none is invented. */
#define SUMMARIES_MAX (2u << 20)

void race_summary_reset(const struct race_detector *d, struct shadow_page *page, const struct grid_clock *others)
{
	memset(page->seen, 0, sizeof page->seen);
	memset(page->part, 0, sizeof page->part);
	page->fences = d->fences;
	page->others = others;
}

void race_summaries_clear(struct race_detector *d)
{
	for (uint32_t i = 0; i < d->summaries.n; i++)
		race_grid_clock_drop(d->summaries.at[i].others);
	d->summaries.n = 0;
}

/* A weak write of another value is summarized again. */
static bool is_weak_write_seen(
	struct shadow_page *page, uint32_t word, const struct shadow_access *access, uint32_t value)
{
	uint32_t bits = shadow_bits(access->bytes), differs = (page->value[word] ^ value) & bits;
	bool seen = !(access->bytes & ~(page->part[word] >> 4)) && !differs;
	page->value[word] = (page->value[word] & ~bits) | (value & bits);
	page->part[word] |= (uint8_t)(access->bytes << 4);
	return seen;
}

/* Whether the block's summaries have such an access already; from now on they do. */
static bool is_seen(struct shadow_page *page, uint32_t word, const struct shadow_access *access, uint32_t value)
{
	int kind = summary_kind(access->kind);
	if (kind == SUMMARY_WEAK_WRITE)
		return is_weak_write_seen(page, word, access, value);
	if (kind == SUMMARY_WEAK_READ) {
		bool seen = !(access->bytes & ~page->part[word]);
		page->part[word] |= access->bytes;
		return seen;
	}
	/* Strong ones are of whole words but for a few, and of one or two. */
	uint16_t bit = (uint16_t)(1u << (kind + (access->size > 4) * SUMMARY_KINDS));
	bool seen = page->seen[word] & bit;
	page->seen[word] |= access->bytes == 0xF ? bit : (uint16_t)0;
	return seen;
}

/* Whether the last summary reaches up to this one, which then becomes part of it. */
static bool extend_last(struct race_detector *d, const struct access_summary *s)
{
	struct access_summary *last = d->summaries.n ? &d->summaries.at[d->summaries.n - 1] : NULL;
	if (!last || last->words + s->words > WARP_SIZE || last->word + last->words != s->word ||
		s->word % PAGE_WORDS == 0)
		return false;
	if (last->lanes << last->words != s->lanes)
		return false;
	if (last->instr != s->instr || last->epoch != s->epoch || last->kind != s->kind || last->bytes != s->bytes ||
		last->size != s->size)
		return false;
	if (last->writes.from != s->writes.from || last->writes.to != s->writes.to)
		return false;
	if (last->warp != s->warp || last->others != s->others || last->value != s->value)
		return false;
	last->words = (uint8_t)(last->words + s->words);
	return true;
}

static void add_summary(struct race_detector *d, const struct access_summary *s)
{
	if (extend_last(d, s))
		return;
	if (d->summaries.n == SUMMARIES_MAX) {
		d->communicates = true;
		return;
	}
	race_grid_clock_keep(s->others);
	*vec_push(d->summaries.at, d->summaries.n, d->summaries.cap) = *s;
}

/* What is to be known of an access and the strong writes to its word. */
static struct write_range writes_of(struct race_detector *d, const struct access_summary *s)
{
	if (!(s->kind & SHADOW_STRONG))
		return race_observed_writes(d, s->word, s->warp, __builtin_ctz(s->lanes));
	return s->kind & SHADOW_WRITES ? race_last_write(d, s->word) : (struct write_range){0};
}

/* Whether a strong write that is like others is not ordered as they may be. */
static bool is_new_write(struct race_detector *d, const struct access_summary *s)
{
	return d->grid->relies && s->kind & SHADOW_STRONG && s->kind & SHADOW_WRITES && race_observed_anew(d, s->word);
}

void race_summarize(struct race_detector *d, struct shadow_page *page, uint32_t word,
	const struct shadow_access *access, uint32_t value)
{
	uint32_t warp = (uint32_t)__builtin_ctz(access->warps);
	struct grid_clock *others = race_thread_clocks(d, warp, __builtin_ctz(access->lanes))->now.more.others;
	struct access_summary summary = {page->number * PAGE_WORDS + word, others, access->instr, access->epoch,
		access->lanes, value, (uint8_t)warp, access->bytes, access->kind, access->size, {0}, 1};

	if (page->others != others)
		race_summary_reset(d, page, others);
	if (is_seen(page, word, access, value) && !is_new_write(d, &summary))
		return;
	if (d->grid->observed_any)
		summary.writes = writes_of(d, &summary);
	add_summary(d, &summary);
}

bool race_summarize_row(struct race_detector *d, struct shadow_page *page, uint32_t word, uint32_t n,
	const struct shadow_access *access, uint32_t lanes)
{
	uint32_t warp = (uint32_t)__builtin_ctz(access->warps);
	const struct warp_clocks *clocks = &d->warps[warp];
	struct grid_clock *others = clocks->common.now.more.others;
	uint8_t any = 0;

	if (!n || clocks->split || d->grid->observed_any)
		return false;
	if (page->others != others)
		race_summary_reset(d, page, others);
	for (uint32_t i = 0; i < n; i++)
		any |= page->part[word + i];
	if (any & access->bytes)
		return false;
	for (uint32_t i = 0; i < n; i++)
		page->part[word + i] |= access->bytes;
	add_summary(d,
		&(struct access_summary){page->number * PAGE_WORDS + word, others, access->instr, access->epoch, lanes,
			0, (uint8_t)warp, access->bytes, access->kind, access->size, {0}, (uint8_t)n});
	return true;
}
