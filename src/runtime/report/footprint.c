/* Bytes that a piece of work accesses: of kernels by pages, of copies by their rows. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "runtime/report/report_order.h"

#define PAGE_BITS 12
#define PAGE_BYTES ((uint64_t)1 << PAGE_BITS)
#define PAGE_WORDS (PAGE_BYTES / 64)
#define RECENT 64
#define BYTES_MOST ((size_t)1 << 30) /* of all footprints; beyond, accesses are not kept */

struct page {
	uint64_t number; /* the address, divided by PAGE_BYTES */
	uint64_t *bits[ACCESS_KINDS];
};

struct box {
	enum access_kind kind;
	struct footprint_box at;
};

struct report_footprint {
	struct page *pages;
	int n, cap;
	int *table, table_size; /* indices into pages, from 1; 0: free */
	int recent[RECENT];     /* pages that were found last, from 1, by number */
	struct box *boxes;
	int n_boxes, boxes_cap;
};

static size_t kept; /* bytes */

struct report_footprint *report_footprint_new(void)
{
	return base_calloc(1, sizeof(struct report_footprint));
}

void report_footprint_free(struct report_footprint *f)
{
	if (!f)
		return;
	for (int i = 0; i < f->n; i++)
		for (int k = 0; k < ACCESS_KINDS; k++)
			if (f->pages[i].bits[k]) {
				free(f->pages[i].bits[k]);
				__atomic_fetch_sub(&kept, PAGE_WORDS * sizeof(uint64_t), __ATOMIC_RELAXED);
			}
	free(f->pages);
	free(f->table);
	free(f->boxes);
	free(f);
}

/* --- pages -------------------------------------------------------------------------------------------------------- */

static uint64_t hash(uint64_t number)
{
	return number * 0x9E3779B97F4A7C15u >> 32;
}

static int *slot_of(const struct report_footprint *f, uint64_t number)
{
	uint64_t at = hash(number) & (uint64_t)(f->table_size - 1);
	while (f->table[at] && f->pages[f->table[at] - 1].number != number)
		at = (at + 1) & (uint64_t)(f->table_size - 1);
	return &f->table[at];
}

static const struct page *find_page(const struct report_footprint *f, uint64_t number)
{
	int at = f->table_size ? *slot_of(f, number) : 0;
	return at ? &f->pages[at - 1] : NULL;
}

static struct page *make_page(struct report_footprint *f, uint64_t number)
{
	int *recent = &f->recent[(number ^ number >> 6) % RECENT];
	if (*recent && f->pages[*recent - 1].number == number)
		return &f->pages[*recent - 1];
	if (2 * f->n >= f->table_size) {
		free(f->table);
		f->table_size = f->table_size ? 2 * f->table_size : 16;
		f->table = base_calloc((size_t)f->table_size, sizeof *f->table);
		for (int i = 0; i < f->n; i++)
			*slot_of(f, f->pages[i].number) = i + 1;
	}
	int *slot = slot_of(f, number);
	if (!*slot) {
		*(struct page *)vec_push(f->pages, f->n, f->cap) = (struct page){.number = number};
		*slot = f->n;
	}
	*recent = *slot;
	return &f->pages[*slot - 1];
}

/* NULL: there are too many. */
static uint64_t *make_bits(struct page *page, enum access_kind kind)
{
	size_t bytes = PAGE_WORDS * sizeof(uint64_t);
	if (!page->bits[kind] && __atomic_load_n(&kept, __ATOMIC_RELAXED) < BYTES_MOST) {
		page->bits[kind] = base_calloc(1, bytes);
		__atomic_fetch_add(&kept, bytes, __ATOMIC_RELAXED);
	}
	return page->bits[kind];
}

void report_footprint_add(struct report_footprint *f, enum access_kind kind, uint64_t address, size_t bytes)
{
	while (bytes) {
		uint64_t offset = address % PAGE_BYTES;
		size_t in_page = PAGE_BYTES - offset < bytes ? PAGE_BYTES - offset : bytes;
		uint64_t *bits = make_bits(make_page(f, address >> PAGE_BITS), kind);
		address += in_page;
		bytes -= in_page;
		while (in_page && bits) {
			uint64_t bit = offset % 64;
			size_t here = 64 - bit < in_page ? 64 - bit : in_page;
			bits[offset / 64] |= (here == 64 ? ~(uint64_t)0 : ((uint64_t)1 << here) - 1) << bit;
			offset += here;
			in_page -= here;
		}
	}
}

void report_footprint_add_box(struct report_footprint *f, enum access_kind kind, const struct footprint_box *box)
{
	*(struct box *)vec_push(f->boxes, f->n_boxes, f->boxes_cap) = (struct box){kind, *box};
}

void report_footprint_merge(struct report_footprint *into, struct report_footprint *from)
{
	if (!into->n && !into->n_boxes) {
		struct report_footprint empty = *into;
		*into = *from;
		*from = empty;
		return;
	}
	for (int i = 0; i < from->n; i++)
		for (int k = 0; k < ACCESS_KINDS; k++) {
			const uint64_t *bits = from->pages[i].bits[k];
			uint64_t *to = bits ? make_bits(make_page(into, from->pages[i].number), k) : NULL;
			for (size_t w = 0; to && w < PAGE_WORDS; w++)
				to[w] |= bits[w];
		}
	for (int i = 0; i < from->n_boxes; i++)
		*(struct box *)vec_push(into->boxes, into->n_boxes, into->boxes_cap) = from->boxes[i];
}

/* Bytes from the first to after the last. */
static uint64_t box_span(const struct footprint_box *b)
{
	return (b->depth - 1) * b->slice + (b->height - 1) * b->pitch + b->width;
}

void report_footprint_erase(struct report_footprint *f, uint64_t address, size_t bytes)
{
	for (int i = 0; i < f->n; i++) {
		uint64_t begin = f->pages[i].number << PAGE_BITS;
		if (begin + PAGE_BYTES <= address || begin >= address + bytes)
			continue;
		for (int k = 0; k < ACCESS_KINDS; k++)
			for (uint64_t b = 0; f->pages[i].bits[k] && b < PAGE_BYTES; b++)
				if (begin + b - address < bytes)
					f->pages[i].bits[k][b / 64] &= ~((uint64_t)1 << b % 64);
	}
	int n = 0;
	for (int i = 0; i < f->n_boxes; i++) {
		const struct footprint_box *b = &f->boxes[i].at;
		if (b->address + box_span(b) <= address || b->address >= address + bytes)
			f->boxes[n++] = f->boxes[i];
	}
	f->n_boxes = n;
}

/* --- meetings ----------------------------------------------------------------------------------------------------- */

/* Which kinds of the other a kind races with. */
static const uint8_t races[ACCESS_KINDS] = {
	[ACCESS_READS] = 1 << ACCESS_WRITES | 1 << ACCESS_WRITES_STRONG,
	[ACCESS_WRITES] = 1 << ACCESS_READS | 1 << ACCESS_WRITES | 1 << ACCESS_READS_STRONG | 1 << ACCESS_LOOKS |
		1 << ACCESS_WRITES_STRONG,
	[ACCESS_READS_STRONG] = 1 << ACCESS_WRITES,
	[ACCESS_LOOKS] = 1 << ACCESS_WRITES,
	[ACCESS_WRITES_STRONG] = 1 << ACCESS_READS | 1 << ACCESS_WRITES,
};

static bool is_write(enum access_kind kind)
{
	return kind == ACCESS_WRITES || kind == ACCESS_WRITES_STRONG;
}

static void note(struct footprint_meeting *out, bool *found, uint64_t address, enum access_kind a, enum access_kind b)
{
	if (!*found || address < out->address)
		*out = (struct footprint_meeting){address, is_write(a), is_write(b)};
	else if (address == out->address) {
		out->a_writes |= is_write(a);
		out->b_writes |= is_write(b);
	}
	*found = true;
}

static void meet_pages(const struct page *a, const struct page *b, struct footprint_meeting *out, bool *found)
{
	for (int i = 0; i < ACCESS_KINDS; i++)
		for (int k = 0; k < ACCESS_KINDS; k++) {
			if (!(races[i] >> k & 1) || !a->bits[i] || !b->bits[k])
				continue;
			for (size_t w = 0; w < PAGE_WORDS; w++) {
				uint64_t both = a->bits[i][w] & b->bits[k][w];
				if (!both)
					continue;
				note(out, found, (a->number << PAGE_BITS) + w * 64 + (uint64_t)__builtin_ctzll(both), i,
					k);
				break;
			}
		}
}

/* The first byte of [begin, end) that the box has; UINT64_MAX: none. */
static uint64_t first_in_box(const struct footprint_box *b, uint64_t begin, uint64_t end)
{
	uint64_t last = b->address + box_span(b);
	begin = begin > b->address ? begin : b->address;
	end = end < last ? end : last;
	if (begin >= end)
		return UINT64_MAX;
	for (size_t z = b->depth > 1 && b->slice ? (begin - b->address) / b->slice : 0; z < b->depth; z++) {
		uint64_t slice = b->address + z * b->slice;
		if (slice >= end)
			break;
		uint64_t into = begin > slice ? begin - slice : 0;
		size_t y = b->height > 1 && b->pitch ? into / b->pitch : 0;
		for (; y < b->height; y++) {
			uint64_t row = slice + y * b->pitch;
			if (row >= end)
				break;
			if (row + b->width > begin)
				return row > begin ? row : begin;
		}
	}
	return UINT64_MAX;
}

static void meet_boxes(const struct box *a, const struct box *b, struct footprint_meeting *out, bool *found)
{
	for (size_t z = 0; z < a->at.depth; z++)
		for (size_t y = 0; y < a->at.height; y++) {
			uint64_t row = a->at.address + z * a->at.slice + y * a->at.pitch;
			uint64_t at = first_in_box(&b->at, row, row + a->at.width);
			if (at == UINT64_MAX)
				continue;
			note(out, found, at, a->kind, b->kind);
			return;
		}
}

static void meet_box_bits(const struct box *box, const struct page *page, enum access_kind kind, bool box_is_a,
	struct footprint_meeting *out, bool *found)
{
	uint64_t begin = page->number << PAGE_BITS;
	for (uint64_t b = 0; page->bits[kind] && b < PAGE_BYTES; b++)
		if (page->bits[kind][b / 64] >> b % 64 & 1 &&
			first_in_box(&box->at, begin + b, begin + b + 1) != UINT64_MAX) {
			note(out, found, begin + b, box_is_a ? box->kind : kind, box_is_a ? kind : box->kind);
			return;
		}
}

static void meet_box_page(
	const struct box *box, const struct page *page, bool box_is_a, struct footprint_meeting *out, bool *found)
{
	uint64_t begin = page->number << PAGE_BITS;
	if (first_in_box(&box->at, begin, begin + PAGE_BYTES) == UINT64_MAX)
		return;
	for (enum access_kind k = 0; k < ACCESS_KINDS; k++)
		if (races[box->kind] >> k & 1 && k != ACCESS_LOOKS)
			meet_box_bits(box, page, k, box_is_a, out, found);
}

bool report_footprint_meet(
	const struct report_footprint *a, const struct report_footprint *b, struct footprint_meeting *out)
{
	bool found = false;
	if (a->n > b->n && b->table_size) {
		for (int i = 0; i < b->n; i++) {
			const struct page *page = find_page(a, b->pages[i].number);
			if (page)
				meet_pages(page, &b->pages[i], out, &found);
		}
	} else {
		for (int i = 0; i < a->n; i++) {
			const struct page *page = find_page(b, a->pages[i].number);
			if (page)
				meet_pages(&a->pages[i], page, out, &found);
		}
	}
	for (int i = 0; i < a->n_boxes; i++) {
		for (int k = 0; k < b->n_boxes; k++)
			if (races[a->boxes[i].kind] >> b->boxes[k].kind & 1)
				meet_boxes(&a->boxes[i], &b->boxes[k], out, &found);
		for (int k = 0; k < b->n; k++)
			meet_box_page(&a->boxes[i], &b->pages[k], true, out, &found);
	}
	for (int i = 0; i < b->n_boxes; i++)
		for (int k = 0; k < a->n; k++)
			meet_box_page(&b->boxes[i], &a->pages[k], false, out, &found);
	return found;
}

bool report_footprint_tells(const struct report_footprint *a, const struct report_footprint *b, bool fence)
{
	for (int i = 0; i < b->n; i++) {
		const uint64_t *looks = b->pages[i].bits[ACCESS_LOOKS];
		const uint64_t *reads = fence ? b->pages[i].bits[ACCESS_READS_STRONG] : NULL;
		if (!looks && !reads)
			continue;
		const struct page *other = find_page(a, b->pages[i].number);
		const uint64_t *writes = other ? other->bits[ACCESS_WRITES_STRONG] : NULL;
		for (size_t w = 0; writes && w < PAGE_WORDS; w++)
			if (writes[w] & ((looks ? looks[w] : 0) | (reads ? reads[w] : 0)))
				return true;
		struct footprint_meeting m;
		bool found = false;
		for (int k = 0; looks && k < a->n_boxes; k++)
			if (a->boxes[k].kind == ACCESS_WRITES)
				meet_box_bits(&a->boxes[k], &b->pages[i], ACCESS_LOOKS, true, &m, &found);
		if (found)
			return true;
	}
	return false;
}
