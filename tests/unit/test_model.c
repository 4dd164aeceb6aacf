#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "model/hardware/access.h"
#include "model/hardware/counters.h"
#include "model/hardware/metrics.h"
#include "model/hardware/roofs.h"
#include "model/hardware/sums.h"

#define CC 90

static const int widths[] = {1, 2, 4, 8, 16};
#define N_WIDTHS 5

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(random_state >> 33) % n;
}

static struct warp_access strided(enum access_op op, int width, int stride)
{
	struct warp_access a = {.space = SPACE_SHARED, .op = op, .width = (uint8_t)width, .active = WARP_FULL_MASK};
	for (int lane = 0; lane < 32; lane++)
		a.address[lane] = (uint64_t)(lane * stride * width);
	return a;
}

/* Elements of a window, so that small windows give broadcasts and large ones scatter; some lanes off, some pairs
 * equal. */
static struct warp_access scattered(enum access_op op, int width)
{
	struct warp_access a = {.space = SPACE_SHARED, .op = op, .width = (uint8_t)width, .active = WARP_FULL_MASK};
	uint32_t window = 1 + random_below(random_below(2) ? 40 : 4000), shape = random_below(4);
	for (int lane = 0; lane < 32; lane++)
		a.address[lane] = random_below(window) * (uint64_t)width;
	for (int lane = 0; lane < 32 && shape;
		lane++) /* 1: equal to the neighbor; 2: two lanes on; 3: one of them broken */
		a.address[lane] = a.address[lane & ~(shape == 1 ? 1 : 2)];
	if (shape == 3)
		a.address[random_below(32)] = 0;
	if (random_below(2))
		a.active = random_below(65536) << 16 | random_below(65536);
	return a;
}

static int waves(struct warp_access a)
{
	return bank_wavefronts(&a, CC, NULL, 0);
}

static int gcd(int a, int b)
{
	return b ? gcd(b, a % b) : a;
}

/* With stride s in units of 4 bytes or more, a lane every s units of a ring of `ring` units: gcd(s, ring) lanes of each
 * ring-full share a unit of banks, unless s is 0 and all share the word too. */
static int units_per_bank(int lanes, int stride, int ring)
{
	return stride == 0 ? 1 : (lanes * gcd(stride, ring) + ring - 1) / ring;
}

static void strides_follow_the_greatest_common_divisor(void **state)
{
	(void)state;
	for (int s = 0; s <= 65; s++) {
		assert_int_equal(waves(strided(ACCESS_LOAD, 4, s)), s ? gcd(s, 32) : 1);
		assert_int_equal(waves(strided(ACCESS_STORE, 4, s)), s ? gcd(s, 32) : 1);
		assert_int_equal(waves(strided(ACCESS_LOAD, 8, s)), s ? 2 * gcd(s, 16) : 1);
		assert_int_equal(waves(strided(ACCESS_STORE, 8, s)), 2 * units_per_bank(16, s, 16));
		assert_int_equal(waves(strided(ACCESS_STORE, 16, s)), 4 * units_per_bank(8, s, 8));
		assert_int_equal(waves(strided(ACCESS_LOAD, 16, s)), s ? 4 * gcd(s, 8) : 2);
		assert_int_equal(waves(strided(ACCESS_ATOMIC, 4, s)), s ? gcd(s, 32) : 32);
		assert_int_equal(waves(strided(ACCESS_LOAD, 2, 2 * s)), s ? gcd(s, 32) : 1);
		assert_int_equal(waves(strided(ACCESS_LOAD, 1, 4 * s)), s ? gcd(s, 32) : 1);
	}
	assert_int_equal(waves(strided(ACCESS_LOAD, 1, 1)), 1);
	assert_int_equal(waves(strided(ACCESS_STORE, 2, 1)), 1);
}

/* The rules of 16-byte loads, spelled with the addresses in the open: i^1 and i^2, and what breaks them. */
static void wide_loads_pair_up(void **state)
{
	(void)state;
	struct warp_access a = strided(ACCESS_LOAD, 16, 1);
	uint32_t groups[BANKS_GROUPS_MAX];

	assert_int_equal(bank_ideal(&a, CC), 4);
	for (int lane = 0; lane < 32; lane++)
		a.address[lane] = (uint64_t)(lane / 2 * 16);
	assert_int_equal(waves(a), 2);
	assert_int_equal(bank_groups(&a, CC, groups), 2);
	assert_int_equal(groups[0], 0x0000FFFF);
	assert_int_equal(groups[1], 0xFFFF0000);
	a.op = ACCESS_STORE; /* stores never pair */
	assert_int_equal(waves(a), 4);
	a.op = ACCESS_LOAD;
	a.address[31] = 0;
	assert_int_equal(waves(a), 4);
	assert_int_equal(bank_ideal(&a, CC), 4);
	a.active = 0x7FFFFFFF; /* the broken pair has one lane left: no pair any more */
	assert_int_equal(bank_ideal(&a, CC), 2);
	for (int lane = 0; lane < 32; lane++)
		a.address[lane] = (uint64_t)((lane / 4 * 2 + lane % 2) * 16);
	a.active = 0xFFFFFFFF;
	assert_int_equal(waves(a), 2);
	a.address[2] += 16;
	assert_int_equal(bank_ideal(&a, CC), 4);
}

static void ideal_counts_the_groups_that_take_part(void **state)
{
	(void)state;
	static const struct {
		enum access_op op;
		int width;
		uint32_t active;
		int ideal;
	} cases[] = {
		{ACCESS_LOAD, 4, 0xFFFFFFFF, 1},
		{ACCESS_LOAD, 8, 0xFFFFFFFF, 2},
		{ACCESS_STORE, 8, 0xFFFFFFFF, 2},
		{ACCESS_LOAD, 8, 0x55555555, 1},
		{ACCESS_LOAD, 8, 0x0000FFFF, 1},
		{ACCESS_LOAD, 8, 0x00070007, 2},
		{ACCESS_STORE, 8, 0x0000FFFF, 1},
		{ACCESS_STORE, 8, 0x00010001, 2},
		{ACCESS_STORE, 16, 0xFFFFFFFF, 4},
		{ACCESS_STORE, 16, 0x01010001, 3},
		{ACCESS_STORE, 16, 0x00000001, 1},
		{ACCESS_LOAD, 16, 0xFFFFFFFF, 4},
		{ACCESS_LOAD, 16, 0x80000000, 1},
		{ACCESS_ATOMIC, 4, 0xFFFFFFFF, 1},
		{ACCESS_ATOMIC, 4, 0x3, 1},
		{ACCESS_LOAD, 4, 0, 0},
		{ACCESS_STORE, 16, 0, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct warp_access a = strided(cases[i].op, cases[i].width, 1);
		a.active = cases[i].active;
		assert_int_equal(bank_ideal(&a, CC), cases[i].ideal);
	}
}

/* The largest number of distinct words on one bank over the lanes of `group`, found word by word; atomics share
 * none. */
static int most_words_on_a_bank(const struct warp_access *a, uint32_t group)
{
	uint64_t words[32 * 4];
	int n = 0, most = 0;
	for (int lane = 0; lane < 32; lane++)
		for (int byte = 0; byte < a->width && group >> lane & 1; byte++) {
			uint64_t word = (a->address[lane] + (uint64_t)byte) / 4;
			int i = a->op == ACCESS_ATOMIC ? (byte % 4 ? n - 1 : n) : 0;
			while (i < n && words[i] != word)
				i++;
			if (i == n)
				words[n++] = word;
		}
	for (int bank = 0; bank < 32; bank++) {
		int here = 0;
		for (int i = 0; i < n; i++)
			here += words[i] % 32 == (uint64_t)bank;
		most = here > most ? here : most;
	}
	return most;
}

static bool all_pairs_equal(const struct warp_access *a, int distance)
{
	for (int i = 0; i < 32; i++)
		for (int j = 0; j < i; j++)
			if ((i ^ j) == distance && (a->active >> i & 1) && (a->active >> j & 1) &&
				a->address[i] != a->address[j])
				return false;
	return true;
}

static int brute_force(const struct warp_access *a)
{
	int cut = a->op == ACCESS_STORE && a->width >= 8 ? a->width / 4 : 1, sum = 0;
	if (a->op == ACCESS_LOAD && a->width >= 8)
		cut = a->width / (all_pairs_equal(a, 1) || all_pairs_equal(a, 2) ? 8 : 4);
	for (int g = 0; g < cut; g++) {
		uint32_t group = 0;
		for (int lane = 32 / cut * g; lane < 32 / cut * (g + 1); lane++)
			group |= a->active & 1u << lane;
		sum += most_words_on_a_bank(a, group);
	}
	return sum;
}

static void any_access_matches_the_brute_force(void **state)
{
	(void)state;
	for (int i = 0; i < 60000; i++) {
		struct warp_access a = scattered((enum access_op)(i % 2), widths[i / 2 % N_WIDTHS]);
		assert_int_equal(waves(a), brute_force(&a));
		a = scattered(ACCESS_ATOMIC, 4);
		assert_int_equal(waves(a), brute_force(&a));
	}
}

/* Every active lane is served once, by a wavefront that delivers all its words; no bank delivers a word that no lane
 * asked for. */
static void check_wavefronts(const struct warp_access *a)
{
	struct bank_wavefront out[BANKS_WAVEFRONTS_MAX + 1];
	memset(out, 0x5A, sizeof out);
	int n = bank_wavefronts(a, CC, out, BANKS_WAVEFRONTS_MAX);
	uint32_t served = 0;

	assert_int_equal(n, waves(*a));
	assert_true(n <= BANKS_WAVEFRONTS_MAX && n >= bank_ideal(a, CC));
	assert_int_equal(out[BANKS_WAVEFRONTS_MAX].lanes, 0x5A5A5A5A);
	for (int k = 0; k < n; k++) {
		assert_true(out[k].lanes != 0);
		assert_int_equal(out[k].lanes & served, 0);
		served |= out[k].lanes;
		bool wanted[32] = {false};
		for (int lane = 0; lane < 32; lane++)
			for (int byte = 0; byte < a->width && out[k].lanes >> lane & 1; byte++) {
				int64_t word = (int64_t)((a->address[lane] + (uint64_t)byte) / 4);
				assert_int_equal(out[k].word[word % 32], word);
				wanted[word % 32] = true;
			}
		for (int bank = 0; bank < 32; bank++)
			assert_true(wanted[bank] == (out[k].word[bank] >= 0));
	}
	assert_int_equal(served, a->active);
}

static void wavefronts_serve_each_lane_once(void **state)
{
	(void)state;
	for (int i = 0; i < 30000; i++) {
		struct warp_access a = scattered((enum access_op)(i % 2), widths[i / 2 % N_WIDTHS]);
		check_wavefronts(&a);
		a = scattered(ACCESS_ATOMIC, 4);
		check_wavefronts(&a);
	}
}

static void wavefronts_go_in_the_order_of_lanes(void **state)
{
	(void)state;
	struct warp_access a = strided(ACCESS_LOAD, 4, 2);
	struct bank_wavefront out[BANKS_WAVEFRONTS_MAX];

	assert_int_equal(bank_wavefronts(&a, CC, out, 2), 2);
	assert_int_equal(out[0].lanes, 0x0000FFFF);
	assert_int_equal(out[1].lanes, 0xFFFF0000);
	assert_int_equal(out[1].word[2], 34);
	assert_int_equal(out[1].word[3], -1);
	a = strided(ACCESS_STORE, 16, 1);
	assert_int_equal(bank_wavefronts(&a, CC, out, 3), 4); /* fewer slots than wavefronts */
	assert_int_equal(out[2].lanes, 0x00FF0000);
}

static void addresses_may_be_anywhere(void **state)
{
	(void)state;
	for (int i = 0; i < N_WIDTHS; i++) {
		struct warp_access a = strided(ACCESS_LOAD, widths[i], 1);
		for (int lane = 0; lane < 32; lane++)
			a.address[lane] = 0 - (uint64_t)((lane + 1) * widths[i]);
		check_wavefronts(&a);
		assert_int_equal(sector_uses(&a, NULL), widths[i]);
	}
}

/* Bytes marked one by one in a window of memory, then counted. */
static void sectors_are_what_the_bytes_touch(void **state)
{
	(void)state;
	static bool touched[4096 * 16];
	for (int i = 0; i < 20000; i++) {
		struct warp_access a = scattered(ACCESS_LOAD, widths[i % N_WIDTHS]);
		struct sector_use uses[SECTORS_MAX];
		int sectors = 0, bytes = 0, at = 0;

		a.space = SPACE_GLOBAL;
		memset(touched, 0, sizeof touched);
		for (int lane = 0; lane < 32; lane++)
			if (a.active >> lane & 1)
				memset(touched + a.address[lane], 1, a.width);
		assert_int_equal(sector_uses(&a, uses), sector_uses(&a, NULL));
		for (size_t s = 0; s < sizeof touched / 32; s++) {
			uint32_t mask = 0, lanes = 0;
			for (int b = 0; b < 32; b++)
				mask |= (uint32_t)touched[s * 32 + (size_t)b] << b;
			if (!mask)
				continue;
			for (int lane = 0; lane < 32; lane++)
				lanes |= (uint32_t)(a.active >> lane & 1 && a.address[lane] / 32 == s) << lane;
			assert_int_equal(uses[at].sector, s);
			assert_int_equal(uses[at].bytes, mask);
			assert_int_equal(uses[at].lanes, lanes);
			at++, sectors++;
			bytes += __builtin_popcount(mask);
		}
		struct access_cost cost = access_cost(&a, CC);
		assert_int_equal(cost.sectors, sectors);
		assert_int_equal(cost.bytes_used, bytes);
		assert_int_equal(cost.bytes_moved, 32 * sectors);
		assert_int_equal(cost.ideal_sectors, ceil(bytes / 32.0));
		assert_true(cost.ideal_sectors <= cost.sectors);
		assert_int_equal(cost.requests, a.active != 0);
		assert_int_equal(cost.wavefronts | cost.bank_conflicts | cost.ideal_wavefronts, 0);
	}
}

static void costs_say_how_sure_they_are(void **state)
{
	(void)state;
	for (int op = 0; op <= ACCESS_ATOMIC; op++)
		for (int i = 0; i < N_WIDTHS; i++) {
			struct warp_access a = strided((enum access_op)op, widths[i], 1);
			assert_int_equal(access_cost(&a, 90).exact, op != ACCESS_ATOMIC || widths[i] == 4);
			assert_false(access_cost(&a, 75).exact);
			a.space = SPACE_GLOBAL;
			assert_int_equal(access_cost(&a, 90).exact, op != ACCESS_ATOMIC);
		}
	struct warp_access none = strided(ACCESS_LOAD, 4, 1);
	none.active = 0;
	struct access_cost cost = access_cost(&none, CC);
	assert_int_equal(cost.requests, 1); /* as an H200 counts them */
	assert_int_equal(cost.wavefronts | cost.ideal_wavefronts | cost.bank_conflicts, 0);
	none.space = SPACE_GLOBAL;
	assert_int_equal(access_cost(&none, CC).requests, 0);
	assert_string_equal(warp_op_name(ACCESS_ATOMIC), "atom");
	assert_string_equal(warp_op_name(ACCESS_STORE), "st");
	assert_string_equal(warp_space_name(SPACE_GLOBAL), "global");
}

/* Numbers counted on an H200: tests/validate/h200-patterns.txt has more of them. */
static void atomics_take_turns(void **state)
{
	(void)state;
	static const struct {
		enum access_op op;
		int width, stride, waves, ideal, conflicts, requests;
	} rows[] = {
		{ACCESS_ATOMIC, 4, 0, 32, 1, 31, 1},
		{ACCESS_ATOMIC, 4, 1, 1, 1, 0, 1},
		{ACCESS_REDUCE, 4, 2, 2, 1, 1, 1},
		{ACCESS_EXCHANGE, 4, 0, 32, 1, 31, 1},
		{ACCESS_EXCHANGE, 8, 1, 2, 2, 0, 1},
		{ACCESS_EXCHANGE, 8, 0, 32, 2, 30, 1},
		{ACCESS_CAS, 4, 1, 2, 2, 0, 1},
		{ACCESS_CAS, 4, 0, 64, 2, 31, 1},
		{ACCESS_CAS, 8, 1, 4, 4, 0, 1},
		{ACCESS_CAS, 8, 2, 8, 4, 2, 1},
		{ACCESS_COUNT, 4, 0, 1, 1, 0, 1},
		{ACCESS_COUNT, 4, 2, 2, 1, 1, 1},
		{ACCESS_ADD_FLOAT, 4, 1, 2, 2, 0, 1},
		{ACCESS_ADD_FLOAT, 4, 0, 64, 2, 0, 32},
		{ACCESS_LOAD_MATRIX, 16, 0, 4, 4, 0, 1},
		{ACCESS_LOAD_MATRIX, 16, 8, 32, 4, 28, 1},
		{ACCESS_STORE_MATRIX, 16, 1, 4, 4, 0, 1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct warp_access a = strided(rows[i].op, rows[i].width, rows[i].stride);
		struct access_cost cost = access_cost(&a, CC);
		assert_int_equal(cost.wavefronts, rows[i].waves);
		assert_int_equal(cost.ideal_wavefronts, rows[i].ideal);
		assert_int_equal(cost.bank_conflicts, rows[i].conflicts);
		assert_int_equal(cost.requests, rows[i].requests);
		assert_true(cost.exact);
		a.active = 0;
		assert_int_equal(access_cost(&a, CC).requests, !warp_op_is_atomic(rows[i].op));
	}
	/* All 32 in one bank: 32 + 31 + ... + 1 words to load, round after round. */
	struct warp_access one_bank = strided(ACCESS_ADD_FLOAT, 4, 32);
	assert_int_equal(access_cost(&one_bank, CC).loop_load_wavefronts, 528);
	assert_int_equal(access_cost(&one_bank, CC).loop_loads, 32);
}

static void atomics_count_a_sector_for_each_turn(void **state)
{
	(void)state;
	static const struct {
		int width, stride, sectors;
	} rows[] = {{4, 0, 32}, {4, 1, 4}, {8, 1, 8}, {4, 8, 32}, {8, 0, 32}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct warp_access a = strided(ACCESS_ATOMIC, rows[i].width, rows[i].stride);
		a.space = SPACE_GLOBAL;
		assert_int_equal(access_cost(&a, CC).sectors, rows[i].sectors);
		a.op = ACCESS_REDUCE;
		assert_int_equal(access_cost(&a, CC).sectors, rows[i].sectors);
	}
	/* Two addresses in one sector, 16 lanes each, and one in another: 16 + 1 turns. */
	struct warp_access a = strided(ACCESS_ATOMIC, 4, 0);
	a.space = SPACE_GLOBAL;
	for (int lane = 16; lane < 31; lane++)
		a.address[lane] = 4;
	a.address[31] = 32;
	assert_int_equal(access_cost(&a, CC).sectors, 17);
}

/* Word w of lane l of local memory lies at 128 w + 4 l. */
static void local_memory_is_interleaved(void **state)
{
	(void)state;
	static const struct {
		int width, stride, sectors, requests;
	} rows[] = {
		{4, 0, 4, 1},
		{4, 1, 32, 1},
		{1, 0, 4, 1},
		{1, 1, 8, 1},
		{8, 0, 8, 2},
		{16, 0, 16, 4},
		{16, 1, 128, 4},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct warp_access a = strided(ACCESS_LOAD, rows[i].width, rows[i].stride);
		a.space = SPACE_LOCAL;
		struct access_cost cost = access_cost(&a, CC);
		assert_int_equal(cost.sectors, rows[i].sectors);
		assert_int_equal(cost.requests, rows[i].requests);
		assert_int_equal(cost.bytes_moved, 32 * rows[i].sectors);
		a.active = 0;
		assert_int_equal(access_cost(&a, CC).requests, 0);
	}
}

static void constants_are_reported_one_address_at_a_time(void **state)
{
	(void)state;
	static const struct {
		int width, stride, replays, requests;
	} rows[] = {
		{4, 0, 0, 1},
		{4, 1, 31, 1},
		{1, 1, 31, 1},
		{8, 3, 31, 1},
		{16, 0, 0, 4},
		{16, 1, 124, 4},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct warp_access a = strided(ACCESS_LOAD, rows[i].width, rows[i].stride);
		a.space = SPACE_CONST;
		assert_int_equal(access_cost(&a, CC).replays, rows[i].replays);
		assert_int_equal(access_cost(&a, CC).requests, rows[i].requests);
		a.active = 0;
		assert_int_equal(access_cost(&a, CC).replays, 0);
	}
}

static void not_every_access_exists(void **state)
{
	(void)state;
	(void)state;
	assert_true(access_widths(SPACE_SHARED, ACCESS_CAS) & 8 && access_widths(SPACE_CONST, ACCESS_LOAD) & 1);
	assert_false(access_widths(SPACE_CONST, ACCESS_STORE) & 4 || access_widths(SPACE_SHARED, ACCESS_ATOMIC) & 1);
	assert_false(access_widths(SPACE_GLOBAL, ACCESS_LOAD_MATRIX) & 16 ||
		access_widths(SPACE_SHARED, ACCESS_LOAD_MATRIX) & 4);
	for (int op = 0; op < ACCESS_OPS_N; op++)
		assert_true(warp_op_name((enum access_op)op)[0]);
}

static bool is_sentence_part(const char *text)
{
	return strlen(text) >= 8 && text[strlen(text) - 1] != '.' && !strstr(text, "  ");
}

static void every_row_is_complete_and_unique(void **state)
{
	(void)state;
	for (int i = 0; i < COUNTERS; i++) {
		const struct counter *c = &counter_table[i];
		assert_true(strstr(c->hw, "__") || !strncmp(c->hw, "CU_", 3));
		assert_true(strchr(c->hw, '.') || c->trust >= COUNTER_ROUGH);
		assert_true(c->unit[0] != '\0');
		assert_true(is_sentence_part(c->meaning));
		assert_int_equal(counter_find(c->hw), i); /* a second of the same name would not be found */
	}
	for (int i = 0; i < METRICS; i++) {
		const struct metric *m = &metric_table[i];
		for (const char *p = m->name; *p; p++)
			assert_true(islower((unsigned char)*p) || isdigit((unsigned char)*p) || *p == '_');
		assert_true(m->label[0] && m->unit[0] && strlen(m->label) <= 30);
		assert_true(is_sentence_part(m->meaning));
		assert_true(m->group < METRIC_GROUPS && m->scale > 0 && m->num.n > 0);
		assert_true(m->num.n <= METRIC_TERMS_MAX && m->den.n <= METRIC_TERMS_MAX);
		assert_int_equal(metric_find(m->name), i);
		for (int j = 0; j < i; j++)
			assert_string_not_equal(metric_table[j].label, m->label);
	}
	assert_int_equal(counter_find("no__such.sum"), COUNTER_NONE);
	assert_int_equal(metric_find(""), METRIC_NONE);
}

static bool metric_uses(enum metric_id metric, enum counter_id counter)
{
	enum counter_id of[METRIC_COUNTERS_MAX];
	for (int i = metric_counters(metric, of); i-- > 0;)
		if (of[i] == counter)
			return true;
	return false;
}

static void what_only_the_model_counts_is_asked_of_no_gpu(void **state)
{
	(void)state;
	const char *names[COUNTERS];
	int n = counter_hardware_names(names), of_model = 0;
	for (int i = 0; i < n; i++)
		assert_string_not_equal(names[i], counter_table[COUNTER_PTX_INSTRUCTIONS].hw);
	for (int i = 0; i < COUNTERS; i++)
		of_model += counter_is_of_model((enum counter_id)i);
	assert_int_equal(n + of_model, COUNTERS);
	assert_true(metric_is_of_model(METRIC_PTX_INSTRUCTIONS) && !metric_is_of_model(METRIC_INSTRUCTIONS));
	assert_false(metric_is_collected(METRIC_PTX_INSTRUCTIONS, 90));
	struct counts counts = {0};
	assert_string_equal(value_reason(metric_value(METRIC_PTX_INSTRUCTIONS, &counts).state), "model only");
	counts.c[COUNTER_PTX_INSTRUCTIONS] = value_unsupported(90);
	assert_int_equal(metric_value(METRIC_PTX_INSTRUCTIONS, &counts).state, VALUE_MODEL_ONLY);
	counts.c[COUNTER_PTX_INSTRUCTIONS] = value_missing(VALUE_FAILED);
	assert_int_equal(metric_value(METRIC_PTX_INSTRUCTIONS, &counts).state, VALUE_FAILED);
	counts.c[COUNTER_PTX_INSTRUCTIONS] = value_ok(12);
	assert_true(metric_value(METRIC_PTX_INSTRUCTIONS, &counts).v == 12);
}

static void what_a_gpu_cannot_count_is_reported(void **state)
{
	(void)state;
	struct buf out = {0};
	struct counts counts = {0};
	assert_true(counter_is_collected(COUNTER_STALL_GMMA, 90) && !counter_is_collected(COUNTER_STALL_GMMA, 86));
	assert_true(counter_is_collected(COUNTER_TIME, 999) && !counter_is_collected(COUNTER_TIME, 61));
	assert_true(
		metric_is_collected(METRIC_DRAM_THROUGHPUT, 120) && !metric_is_collected(METRIC_DRAM_THROUGHPUT, 121));
	counts.c[COUNTER_STALL_GMMA] = value_unsupported(86);
	value_explain(metric_value(METRIC_STALL_GMMA, &counts), &out);
	assert_string_equal(buf_str(&out), "not collected on CC 8.6");
	buf_clear(&out);
	value_explain(value_missing(VALUE_UNSUPPORTED), &out);
	value_explain(value_missing(VALUE_NO_GPU), &out);
	assert_string_equal(buf_str(&out), "not collected hereno GPU");
	buf_free(&out);
	for (int i = 1; i < chip_count; i++)
		assert_true(chip_table[i].cc >= chip_table[i - 1].cc);
}

static void sums_of_counters_need_all_of_them(void **state)
{
	(void)state;
	struct counts counts = {0};
	struct buf out = {0};
	counts.c[COUNTER_GLOBAL_ATOM_REQUESTS] = value_ok(3);
	counts.c[COUNTER_GLOBAL_RED_REQUESTS] = value_ok(1);
	counts.c[COUNTER_GLOBAL_ATOM_SECTORS] = value_ok(6);
	assert_int_equal(metric_value(METRIC_GLOBAL_ATOM_SECTORS_PER_REQUEST, &counts).state, VALUE_NONE);
	counts.c[COUNTER_GLOBAL_RED_SECTORS] = value_missing(VALUE_FAILED);
	assert_int_equal(metric_value(METRIC_GLOBAL_ATOM_SECTORS_PER_REQUEST, &counts).state, VALUE_FAILED);
	counts.c[COUNTER_GLOBAL_RED_SECTORS] = value_ok(8);
	assert_true(metric_value(METRIC_GLOBAL_ATOM_SECTORS_PER_REQUEST, &counts).v == 3.5);
	metric_formula(METRIC_GLOBAL_ATOM_SECTORS_PER_REQUEST, NULL, &out);
	assert_string_equal(buf_str(&out),
		"(l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum + "
		"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum) / (l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum + "
		"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum)");
	buf_clear(&out);
	metric_formula(METRIC_GLOBAL_ATOM_REQUESTS, NULL, &out);
	assert_string_equal(buf_str(&out),
		"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum + "
		"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum");
	buf_free(&out);
}

static void machine_instructions_come_first_and_the_counter_wins(void **state)
{
	(void)state;
	const char *own = counter_table[COUNTER_SHARED_ST_REQUESTS].hw,
		   *quick = counter_per_instruction(COUNTER_SHARED_ST_REQUESTS);
	struct counts counts = {0};
	struct buf out = {0};
	counts_set_named(&counts, &(struct named_counts){&quick, &(double){1}, NULL, 1, 0});
	assert_true(counts.c[COUNTER_SHARED_ST_REQUESTS].v == 1);
	metric_formula(METRIC_SHARED_ST_REQUESTS, &counts, &out);
	assert_string_equal(buf_str(&out), quick);
	buf_clear(&out);
	counts_set_named(&counts, &(struct named_counts){&own, &(double){4}, NULL, 1, 0});
	counts_set_named(&counts, &(struct named_counts){&quick, &(double){1}, NULL, 1, 0});
	assert_true(counts.c[COUNTER_SHARED_ST_REQUESTS].v == 4);
	metric_formula(METRIC_SHARED_ST_REQUESTS, &counts, &out);
	assert_string_equal(buf_str(&out), own);
	buf_free(&out);
}

static void only_what_stands_for_a_counter_can_be_missing_for_it(void **state)
{
	(void)state;
	const bool no = false;
	const char *first = counter_per_instruction(COUNTER_SHARED_ST_REQUESTS),
		   *same = counter_per_instruction(COUNTER_GLOBAL_LD_SECTORS);
	struct counts counts = {0};
	assert_true(counter_is_replaced(COUNTER_GLOBAL_LD_SECTORS, 90));
	assert_false(counter_is_replaced(COUNTER_GLOBAL_LD_SECTORS, 80)); /* nobody compared them there */
	assert_false(counter_is_replaced(COUNTER_SHARED_ST_REQUESTS, 90));
	assert_false(counter_is_replaced(COUNTER_TIME, 90));
	assert_false(counter_is_replaced(COUNTER_GLOBAL_ATOM_SECTORS, 90));
	counts_set_named(&counts, &(struct named_counts){&first, &(double){0}, &no, 1, 90});
	assert_int_equal(counts.c[COUNTER_SHARED_ST_REQUESTS].state, VALUE_NONE);
	counts_set_named(&counts, &(struct named_counts){&same, &(double){0}, &no, 1, 90});
	assert_int_equal(counts.c[COUNTER_GLOBAL_LD_SECTORS].state, VALUE_UNSUPPORTED);
}

static void kernels_that_do_more_than_load_and_store_are_found(void **state)
{
	(void)state;
	static const struct {
		const char *ptx;
		bool only;
	} rows[] = {{"\tld.global.f32 %f1, [%rd1];\n\tst.shared.f32 [%r1], %f1;\n\tadd.f32 %f2, %f1, %f1;\n", true},
		{".shared .align 4 .b8 tile[4096];\n\tmov.u32 %predicted, atomic;\n", true},
		{"\tatom.global.add.u32 %r1, [%rd1], 1;\n", false}, {"\tred.global.add.u32 [%rd1], 1;\n", false},
		{"\tcp.async.ca.shared.global [%r1], [%rd1], 4;\n", false},
		{"{ call.uni (r), printf, (a, b); }", false}, {"@%p1 fence.sc.gpu;", false},
		{"\tprefetch.global.L2 [%rd1];", false}, {"", true}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(counter_only_loads(rows[i].ptx, strlen(rows[i].ptx)), rows[i].only);
}

static void what_is_counted_per_machine_instruction_is_named_once(void **state)
{
	(void)state;
	for (int id = 0; id < COUNTERS; id++) {
		const char *quick = counter_per_instruction((enum counter_id)id);
		if (!quick)
			continue;
		assert_int_equal(counter_find_per_instruction(quick), id);
		assert_int_equal(counter_find(quick), COUNTER_NONE);
	}
	assert_int_equal(counter_find_per_instruction("smsp__inst_executed.sum"), COUNTER_NONE);
}

static void local_words_are_interleaved(void **state)
{
	(void)state;
	static const struct {
		uint8_t width;
		uint32_t active;
		int step;
		uint64_t sectors;
	} cases[] = {
		{4, 0xFFFFFFFF, 0, 4},
		{4, 0xFFFFFFFF, 4, 32},
		{1, 0xFFFFFFFF, 1, 8},
		{8, 0xFFFFFFFF, 0, 8},
		{16, 0xFFFFFFFF, 0, 16},
		{4, 0x1, 0, 1},
		{4, 0x101, 0, 2},
		{4, 0, 0, 0},
		{2, 0xFF, 0, 1},
	};
	struct arena *arena = arena_new();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sums sums = {0};
		uint64_t offset[WARP_SIZE];
		for (int lane = 0; lane < WARP_SIZE; lane++)
			offset[lane] = (uint64_t)(lane * cases[i].step);
		struct warp_access a = {
			.space = SPACE_LOCAL, .op = ACCESS_LOAD, .width = cases[i].width, .active = cases[i].active};
		memcpy(a.address, offset, sizeof offset);
		sums_access(arena, &sums, &a, CC);
		uint64_t words = cases[i].width > 4 ? cases[i].width / 4 : 1;
		assert_int_equal(sums.traffic[SPACE_LOCAL][TRAFFIC_LOAD].requests, cases[i].active ? words : 0);
		assert_int_equal(sums.traffic[SPACE_LOCAL][TRAFFIC_LOAD].sectors, cases[i].sectors);
	}
	arena_free(arena);
}

static void every_counter_serves_a_metric(void **state)
{
	(void)state;
	for (int i = 0; i < COUNTERS; i++) {
		bool used = false;
		for (int m = 0; m < METRICS; m++)
			used |= metric_uses((enum metric_id)m, (enum counter_id)i);
		assert_true(used);
	}
}

static void missing_numbers_stay_missing(void **state)
{
	(void)state;
	struct counts counts = {0};
	for (int m = 0; m < METRICS; m++)
		assert_int_equal(metric_value((enum metric_id)m, &counts).state,
			metric_is_of_model((enum metric_id)m) ? VALUE_MODEL_ONLY : VALUE_NONE);
	counts_start_model(&counts);
	assert_int_equal(metric_value(METRIC_ACHIEVED_OCCUPANCY, &counts).state, VALUE_NONE);
	assert_int_equal(metric_value(METRIC_TIME, &counts).state, VALUE_NONE);
	assert_int_equal(metric_value(METRIC_BRANCH_EFFICIENCY, &counts).state, VALUE_UNDEFINED);
	assert_int_equal(metric_value(METRIC_SHARED_LD_REQUESTS, &counts).state, VALUE_OK);
	counts.c[COUNTER_BRANCH_UNIFORM] = value_ok(3);
	counts.c[COUNTER_BRANCH_TARGETS] = value_missing(VALUE_NO_PERMISSION);
	assert_int_equal(metric_value(METRIC_BRANCH_EFFICIENCY, &counts).state, VALUE_NO_PERMISSION);
	counts.c[COUNTER_BRANCH_UNIFORM] = value_missing(VALUE_UNSUPPORTED);
	assert_int_equal(metric_value(METRIC_BRANCH_EFFICIENCY, &counts).state, VALUE_UNSUPPORTED);
	counts.c[COUNTER_TIME] = value_ok(2500);
	assert_true(fabs(metric_value(METRIC_TIME, &counts).v - 2.5) < 1e-12);
	assert_string_equal(value_reason(VALUE_OK), "");
	for (int s = 0; s <= VALUE_STALE; s++)
		assert_int_equal(value_reason((enum value_state)s)[0] == '\0', s == VALUE_OK);
}

/* What is counted without a picture is what the picture shows. */
static uint8_t half_seen(const struct warp_access *a, int first)
{
	bool same = true, adjacent = true;
	for (int lane = first + 1; lane < first + WARP_HALF_SIZE; lane++) {
		same &= a->address[lane] == a->address[first];
		adjacent &= a->address[lane] == a->address[lane - 1] + a->width;
	}
	return same ? HALF_SAME : adjacent ? HALF_ADJACENT : HALF_SPREAD;
}

static void short_counts_are_right(void **state)
{
	(void)state;
	uint64_t seed = 7;
	for (int i = 0; i < 4000; i++) {
		struct warp_access a = {.space = i & 1 ? SPACE_SHARED : SPACE_GLOBAL,
			.op = (enum access_op)(i / 2 % 3),
			.width = (uint8_t)(1 << i % 5),
			.active = i % 3 ? 0xFFFFFFFF : 0};
		uint64_t window = (uint64_t)1 << (2 + i % 13), stride = (uint64_t)(i % 40);
		for (int lane = 0; lane < WARP_SIZE; lane++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			int place = i & 64 ? lane % 16 + lane / 16 * (i / 128 % 20)
					   : lane; /* half-warps that share words, or not */
			uint64_t element = i & 32 ? (seed >> 33) % window : (uint64_t)place * stride;
			a.address[lane] = (0x7F0000000000 + element) * a.width;
			a.active ^= i % 3 ? 0 : (uint32_t)(seed >> 40 & 1) << lane;
		}
		struct sector_use uses[SECTORS_MAX];
		struct bank_wavefront waves[BANKS_WAVEFRONTS_MAX];
		int n = sector_uses(&a, uses), bytes = 0;
		assert_int_equal(sector_count(a.active, a.address), n);
		while (n--)
			bytes += __builtin_popcount(uses[n].bytes);
		assert_int_equal(sector_bytes(a.width, a.active, a.address), bytes);
		uint64_t sectors_reported = 5, bytes_reported = 7;
		sector_tally(&a, &sectors_reported, &bytes_reported);
		assert_int_equal(sectors_reported - 5, sector_uses(&a, NULL));
		assert_int_equal(bytes_reported - 7, bytes);
		struct warp_access known = a; /* the same is counted when the machine has seen how they follow */
		for (int half = 0; half < WARP_HALVES; half++)
			known.half[half] = half_seen(&a, half * WARP_HALF_SIZE);
		sector_tally(&known, &sectors_reported, &bytes_reported);
		assert_int_equal(sectors_reported - 5, 2 * sector_uses(&a, NULL));
		assert_int_equal(bytes_reported - 7, 2 * bytes);
		assert_int_equal(
			bank_wavefronts(&a, CC, NULL, 0), bank_wavefronts(&a, CC, waves, BANKS_WAVEFRONTS_MAX));
	}
}

static double count_of(const struct counts *counts, enum counter_id id)
{
	assert_int_equal(counts->c[id].state, VALUE_OK);
	return counts->c[id].v;
}

static void counts_follow_what_ran(void **state)
{
	(void)state;
	struct counts counts;
	struct sums sums = {0};
	struct arena *arena = arena_new();
	counts_start_model(&counts);
	struct warp_access a = strided(ACCESS_LOAD, 4, 8);
	sums_access(arena, &sums, &a, CC);
	a.active = 0;
	sums_access(arena, &sums, &a, CC);
	a = strided(ACCESS_STORE, 8, 1);
	sums_access(arena, &sums, &a, CC);
	sums_global(arena, &sums, &a, ACCESS_STORE);
	a.width = 4;
	sums_global(arena, &sums, &a, ACCESS_LOAD);
	a.active = 0xF;
	sums_global(arena, &sums, &a, ACCESS_ATOMIC);
	a.active = 0;
	sums_global(arena, &sums, &a, ACCESS_REDUCE);
	a = strided(ACCESS_CAS, 4, 0);
	sums_access(arena, &sums, &a, CC);
	a = strided(ACCESS_LOAD_MATRIX, 16, 1);
	sums_access(arena, &sums, &a, CC);
	a = strided(ACCESS_ADD_FLOAT, 4, 32);
	sums_access(arena, &sums, &a, CC);
	a = strided(ACCESS_LOAD, 4, 1);
	a.space = SPACE_CONST;
	sums_access(arena, &sums, &a, CC);
	a = strided(ACCESS_ATOMIC, 4, 0);
	sums_global(arena, &sums, &a, ACCESS_REDUCE);
	sums_instruction(&sums, 0xF);
	sums_instruction(&sums, 0);
	sums_floats(&sums, FLOAT_ADD, 0xFF);
	sums_floats(&sums, FLOAT_PRODUCT, 0x1);
	sums_floats(&sums, FLOAT_MULTIPLY_ADD, 0x7);
	sums_branch(&sums, 0xFF, 0xFF);
	sums_branch(&sums, 0xFF, 0);
	sums_branch(&sums, 0xFF, 1);
	sums_branch(&sums, 0, 0);
	counts_add_sums(&counts, &sums);
	static const struct {
		enum counter_id id;
		double v;
	} expect[] = {
		/* 2 loads and the 32 of the loop; 8 wavefronts, 4 of ldmatrix, 528 of the loop */
		{COUNTER_SHARED_LD_REQUESTS, 34},
		{COUNTER_SHARED_LD_WAVEFRONTS, 540},
		{COUNTER_SHARED_LD_CONFLICTS, 503},
		{COUNTER_SHARED_ATOM_REQUESTS, 33},
		{COUNTER_SHARED_ATOM_WAVEFRONTS, 128},
		{COUNTER_SHARED_ATOM_CONFLICTS, 31},
		{COUNTER_LDMATRIX_REQUESTS, 1},
		{COUNTER_CONST_REPLAYS, 31},
		{COUNTER_GLOBAL_ATOM_SECTORS, 1},
		{COUNTER_GLOBAL_RED_REQUESTS, 1},
		{COUNTER_GLOBAL_RED_SECTORS, 32},
		{COUNTER_SHARED_ST_REQUESTS, 1},
		{COUNTER_SHARED_ST_WAVEFRONTS, 2},
		{COUNTER_SHARED_ST_CONFLICTS, 0},
		{COUNTER_GLOBAL_ST_REQUESTS, 1},
		{COUNTER_GLOBAL_ST_SECTORS, 8},
		{COUNTER_GLOBAL_LD_REQUESTS, 1},
		{COUNTER_GLOBAL_LD_SECTORS, 8},
		{COUNTER_PTX_INSTRUCTIONS, 2},
		{COUNTER_THREAD_INSTRUCTIONS, 4},
		{COUNTER_BRANCH_TARGETS, 3},
		{COUNTER_BRANCH_UNIFORM, 2},
		{COUNTER_FLOAT_ADDS, 8},
		{COUNTER_FLOAT_PRODUCTS, 1},
		{COUNTER_FLOAT_MULTIPLY_ADDS, 3},
	};
	for (size_t i = 0; i < sizeof expect / sizeof *expect; i++)
		assert_true(count_of(&counts, expect[i].id) == expect[i].v);
	struct sums both = {0};
	sums_add(arena, &both, &sums);
	sums_add(arena, &both, &sums);
	struct counts twice;
	counts_start_model(&twice);
	counts_add_sums(&twice, &both);
	for (size_t i = 0; i < sizeof expect / sizeof *expect; i++)
		assert_true(count_of(&twice, expect[i].id) == 2 * expect[i].v);
	assert_int_equal(twice.c[COUNTER_TIME].state, VALUE_NONE);
	assert_true(fabs(metric_value(METRIC_FLOAT_OPERATIONS, &counts).v - (8 + 1 + 2 * 3)) < 1e-12);
	assert_true(fabs(metric_value(METRIC_SHARED_LD_WAVES_PER_REQUEST, &twice).v - 540.0 / 34) < 1e-12);
	arena_free(arena);
}

/* A launch under roofs of 100 operations and 10, 4 and 2 bytes in a nanosecond. */
static void a_launch_lies_below_the_roof_of_its_tightest_memory(void **state)
{
	(void)state;
	const struct roofs roofs = {"GPU", "today",
		{[ROOF_FLOAT] = {100, ""},
			[ROOF_L1] = {8, ""},
			[ROOF_SHARED] = {10, ""},
			[ROOF_L2] = {4, ""},
			[ROOF_DRAM] = {2, ""}}};
	struct counts counts = {0};
	double x, y;
	counts.c[COUNTER_FLOAT_ADDS] = value_ok(200);
	counts.c[COUNTER_FLOAT_PRODUCTS] = value_ok(0);
	counts.c[COUNTER_FLOAT_MULTIPLY_ADDS] = value_ok(300);
	counts.c[COUNTER_TIME] = value_ok(50);
	counts.c[COUNTER_L1_SECTORS] = value_ok(4);
	counts.c[COUNTER_SHARED_LD_WAVEFRONTS] = value_ok(2);
	counts.c[COUNTER_SHARED_ST_WAVEFRONTS] = value_ok(1);
	counts.c[COUNTER_SHARED_ATOM_WAVEFRONTS] = value_ok(0);
	counts.c[COUNTER_L2_SM_SECTORS] = value_ok(4);
	counts.c[COUNTER_DRAM_BYTES] = value_ok(100);
	struct roof_work work = roof_work_of(&counts);
	assert_true(fabs(work.bytes[ROOF_LEVEL_L1].v - (4 * 32 + 3 * 128)) < 1e-12);
	assert_true(fabs(work.bytes[ROOF_LEVEL_L2].v - 128) < 1e-12);
	assert_true(roof_rate(&work, &y) && fabs(y - 800.0 / 50) < 1e-12);
	assert_true(roof_intensity(&work, ROOF_LEVEL_DRAM, &x) && fabs(x - 8) < 1e-12);
	/* 51.2, 32 and 50 nanoseconds: L1 by what shared memory gives */
	assert_int_equal(roof_tightest(&roofs, &work), ROOF_LEVEL_L1);
	assert_int_equal(roof_tightest(NULL, &work), ROOF_LEVEL_DRAM);
	assert_true(fabs(roof_above(&roofs, ROOF_LEVEL_DRAM, 8) - 16) < 1e-12);
	assert_true(fabs(roof_above(&roofs, ROOF_LEVEL_DRAM, 80) - 100) < 1e-12);
	counts.c[COUNTER_DRAM_BYTES] = value_missing(VALUE_NO_GPU);
	counts.c[COUNTER_L2_SM_SECTORS] = value_ok(0);
	work = roof_work_of(&counts);
	assert_false(roof_intensity(&work, ROOF_LEVEL_DRAM, &x));
	assert_false(roof_intensity(&work, ROOF_LEVEL_L2, &x));
	assert_int_equal(work.bytes[ROOF_LEVEL_DRAM].state, VALUE_NO_GPU);
}

/* Those of the model's GPU are there, in an order that all GPUs have. */
static void the_roofs_of_the_model_were_measured(void **state)
{
	(void)state;
	const struct roofs *roofs = roofs_of(ROOFS_MODEL_GPU);
	assert_non_null(roofs);
	assert_null(roofs_of("NVIDIA H2"));
	assert_null(roofs_of(NULL));
	for (int kind = 0; kind < ROOF_KINDS; kind++) {
		assert_true(roofs->of[kind].rate > 0);
		assert_int_equal(roof_find(roof_kind_table[kind].name), kind);
	}
	assert_int_equal(roof_find("wood"), ROOF_KINDS);
	assert_true(roofs->of[ROOF_DRAM].rate > roofs->of[ROOF_COPY].rate);
	assert_true(roofs->of[ROOF_L2].rate > roofs->of[ROOF_DRAM].rate);
	assert_true(roof_level_rate(roofs, ROOF_LEVEL_L1) > roofs->of[ROOF_L2].rate);
	assert_true(roofs->of[ROOF_TENSOR].rate > roofs->of[ROOF_FLOAT].rate);
}

static void what_waited_is_counted_again(void **state)
{
	(void)state;
	struct counts model = {0}, hardware;
	model.c[COUNTER_SHARED_LD_WAVEFRONTS] = value_ok(128);
	model.c[COUNTER_SHARED_ST_WAVEFRONTS] = value_ok(64);
	model.c[COUNTER_SHARED_LD_REQUESTS] = value_ok(128);
	hardware = model;
	assert_int_equal(counter_compare(COUNTER_SHARED_LD_WAVEFRONTS, &model, &hardware, value_missing(VALUE_NONE)),
		COUNTER_SAME);
	hardware.c[COUNTER_SHARED_LD_WAVEFRONTS].v = hardware.c[COUNTER_SHARED_LD_REQUESTS].v = 130;
	assert_int_equal(
		counter_compare(COUNTER_SHARED_LD_WAVEFRONTS, &model, &hardware, value_ok(192)), COUNTER_WAITED);
	/* the instructions say that there really were more, or say nothing */
	assert_int_equal(
		counter_compare(COUNTER_SHARED_LD_WAVEFRONTS, &model, &hardware, value_ok(194)), COUNTER_DIFFERS);
	assert_int_equal(counter_compare(COUNTER_SHARED_LD_WAVEFRONTS, &model, &hardware, value_missing(VALUE_NONE)),
		COUNTER_DIFFERS);
	/* fewer is never waiting, and a request is counted once */
	hardware.c[COUNTER_SHARED_LD_WAVEFRONTS].v = 126;
	assert_int_equal(
		counter_compare(COUNTER_SHARED_LD_WAVEFRONTS, &model, &hardware, value_ok(192)), COUNTER_DIFFERS);
	assert_int_equal(
		counter_compare(COUNTER_SHARED_LD_REQUESTS, &model, &hardware, value_ok(192)), COUNTER_DIFFERS);
	assert_true(metric_counts_waits(METRIC_SHARED_LD_CONFLICTS_PER_REQUEST));
	assert_false(metric_counts_waits(METRIC_SHARED_LD_REQUESTS));
	assert_false(metric_counts_waits(METRIC_GLOBAL_LD_SECTORS_PER_REQUEST));
}

static void trust_is_that_of_the_weakest(void **state)
{
	(void)state;
	assert_int_equal(metric_trust(METRIC_SHARED_LD_WAVES_PER_REQUEST), COUNTER_EXACT);
	assert_int_equal(metric_trust(METRIC_BRANCH_EFFICIENCY), COUNTER_CLOSE);
	assert_int_equal(metric_trust(METRIC_THEORETICAL_OCCUPANCY), COUNTER_ROUGH);
	assert_int_equal(metric_trust(METRIC_TIME), COUNTER_ROUGH);
	assert_int_equal(metric_trust(METRIC_REGISTERS), COUNTER_HARDWARE);
}

static void numbers_and_formulas_read_well(void **state)
{
	(void)state;
	static const struct {
		double v;
		const char *text;
	} cases[] = {
		{2, "2"},
		{1.5, "1.5"},
		{67584, "67584"},
		{3.21449, "3.214"},
		{0, "0"},
		{-0.0, "0"},
		{-1.25, "-1.25"},
		{2095104, "2095104"},
		{1234.56, "1235"},
		{999.96, "1000"},
		{0.0123456, "0.01235"},
		{100, "100"},
		{31.996, "32"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = {0};
		value_format(cases[i].v, &out);
		assert_string_equal(buf_str(&out), cases[i].text);
		buf_free(&out);
	}
	struct buf out = {0};
	metric_formula(METRIC_SHARED_LD_REQUESTS, NULL, &out);
	assert_string_equal(buf_str(&out), "smsp__inst_executed_op_shared_ld.sum");
	buf_clear(&out);
	metric_formula(METRIC_BRANCH_EFFICIENCY, NULL, &out);
	assert_string_equal(
		buf_str(&out), "100 * smsp__sass_branch_targets_threads_uniform.sum / smsp__sass_branch_targets.sum");
	buf_free(&out);
}

static void names_of_line_counts_are_unique(void **state)
{
	(void)state;
	for (int i = 0; i < LINE_COUNTS; i++) {
		const struct line_count *row = &line_count_table[i];
		assert_int_equal(line_count_find(row->hw), i);
		assert_true(strlen(row->meaning) > 10);
		for (int k = 0; k < i; k++)
			assert_string_not_equal(row->name, line_count_table[k].name);
	}
	assert_int_equal(line_count_find("smsp__no_such"), LINE_COUNTS);
}

static void tables_of_lines_stay_in_order(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct line_table table = {0};
	struct line_counts none = line_table_total(&table);
	assert_int_equal(none.c[LINE_COUNT_SECTORS].state, VALUE_NONE);
	for (uint32_t i = 0; i < 200; i++) {
		int line = (int)(i * 37 % 100);
		struct line_row *row = line_table_row(arena, &table, line);
		assert_int_equal(row->line, line);
		row->counts.c[LINE_COUNT_SECTORS] = value_ok(row->counts.c[LINE_COUNT_SECTORS].v + line);
		row->counts.c[LINE_COUNT_GLOBAL_REQUESTS] = value_ok(i < 100 ? 0 : 4);
	}
	assert_int_equal(table.n, 100);
	for (int i = 0; i < table.n; i++) {
		assert_int_equal(table.rows[i].line, i);
		assert_true(line_table_find(&table, i)->c[LINE_COUNT_SECTORS].v == 2 * i);
	}
	assert_null(line_table_find(&table, 100));
	assert_null(line_table_find(&table, -1));
	struct line_counts total = line_table_total(&table);
	assert_true(total.c[LINE_COUNT_SECTORS].v == 99 * 100);
	assert_true(line_counts_sectors(&total).v == 99 * 100 / 400.0);
	assert_int_equal(line_counts_wavefronts(&total).state, VALUE_NONE);
	assert_int_equal(line_counts_requests(&total).state, VALUE_NONE);
	arena_free(arena);
}

/* A line that copies to shared memory without a request of its own, as cp.async does, is none of them. */
static void shared_wavefronts_are_those_of_requests(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct line_table table = {0};
	assert_int_equal(line_table_shared_wavefronts(&table).state, VALUE_NONE);
	for (int line = 1; line <= 3; line++) {
		struct line_counts *counts = &line_table_row(arena, &table, line)->counts;
		counts->c[LINE_COUNT_WAVEFRONTS] = value_ok(10 * line);
		counts->c[LINE_COUNT_SHARED_REQUESTS] = value_ok(line == 1 ? 0 : 5);
	}
	struct value all = line_table_shared_wavefronts(&table);
	assert_true(all.state == VALUE_OK && all.v > 49 && all.v < 51);
	arena_free(arena);
}

static void estimates_say_between_what(void **state)
{
	(void)state;
	const struct metric_error *error = metric_error(METRIC_CYCLES);
	struct buf text = {0}, expected = {0};
	double least, most;
	assert_true(metric_range(METRIC_CYCLES, 1000, &least, &most));
	assert_true(least == 1000 * error->least && most == 1000 * error->most && least < 1000 && most > 1000);
	assert_true(metric_write_range(METRIC_CYCLES, 1000, &text));
	buf_puts(&expected, "≈");
	value_format(least, &expected);
	buf_puts(&expected, "–");
	value_format(most, &expected);
	assert_string_equal(buf_str(&text), buf_str(&expected));
	/* nothing is said by a range of which the one end is many times the other */
	error = metric_error(METRIC_STALL_DRAIN);
	assert_true(error->most > 20 * error->least);
	buf_clear(&text);
	assert_true(metric_write_range(METRIC_STALL_DRAIN, 8, &text));
	assert_string_equal(buf_str(&text), "rough");
	/* DRAM does no more than the reads that do nothing else */
	assert_true(metric_range(METRIC_DRAM_THROUGHPUT, 3700, &least, &most));
	assert_true(least < 3700 && most == roofs_of(ROOFS_MODEL_GPU)->of[ROOF_DRAM].rate);
	assert_true(metric_range(METRIC_DRAM_THROUGHPUT, 10, &least, &most) && most < 100);
	/* a share is never more than all */
	assert_true(metric_range(METRIC_BRANCH_EFFICIENCY, 99, &least, &most) && most == 100);
	buf_clear(&text);
	assert_true(metric_write_off(METRIC_TIME, 10, &text));
	buf_clear(&expected);
	buf_printf(&expected, "±%.0f%%", metric_error(METRIC_TIME)->off);
	assert_string_equal(buf_str(&text), buf_str(&expected));
	buf_clear(&text);
	assert_true(metric_write_off(METRIC_BRANCH_EFFICIENCY, 100, &text)); /* in points, and not beyond 100 */
	assert_string_equal(buf_str(&text), "±10");
	buf_clear(&text);
	assert_false(metric_write_off(METRIC_STALL_MIO, 1, &text)); /* more than all of it */
	assert_false(metric_write_off(METRIC_THEORETICAL_OCCUPANCY, 50, &text));
	/* exact numbers have none, nor have estimates that never differed */
	assert_false(metric_range(METRIC_GLOBAL_LD_REQUESTS, 5, &least, &most));
	assert_false(metric_range(METRIC_THEORETICAL_OCCUPANCY, 50, &least, &most));
	buf_free(&text);
	buf_free(&expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(estimates_say_between_what),
		cmocka_unit_test(strides_follow_the_greatest_common_divisor),
		cmocka_unit_test(wide_loads_pair_up),
		cmocka_unit_test(ideal_counts_the_groups_that_take_part),
		cmocka_unit_test(any_access_matches_the_brute_force),
		cmocka_unit_test(wavefronts_serve_each_lane_once),
		cmocka_unit_test(wavefronts_go_in_the_order_of_lanes),
		cmocka_unit_test(addresses_may_be_anywhere),
		cmocka_unit_test(sectors_are_what_the_bytes_touch),
		cmocka_unit_test(costs_say_how_sure_they_are),
		cmocka_unit_test(atomics_take_turns),
		cmocka_unit_test(atomics_count_a_sector_for_each_turn),
		cmocka_unit_test(local_memory_is_interleaved),
		cmocka_unit_test(constants_are_reported_one_address_at_a_time),
		cmocka_unit_test(not_every_access_exists),
		cmocka_unit_test(every_row_is_complete_and_unique),
		cmocka_unit_test(every_counter_serves_a_metric),
		cmocka_unit_test(what_only_the_model_counts_is_asked_of_no_gpu),
		cmocka_unit_test(what_a_gpu_cannot_count_is_reported),
		cmocka_unit_test(sums_of_counters_need_all_of_them),
		cmocka_unit_test(machine_instructions_come_first_and_the_counter_wins),
		cmocka_unit_test(only_what_stands_for_a_counter_can_be_missing_for_it),
		cmocka_unit_test(kernels_that_do_more_than_load_and_store_are_found),
		cmocka_unit_test(what_is_counted_per_machine_instruction_is_named_once),
		cmocka_unit_test(local_words_are_interleaved),
		cmocka_unit_test(missing_numbers_stay_missing),
		cmocka_unit_test(counts_follow_what_ran),
		cmocka_unit_test(a_launch_lies_below_the_roof_of_its_tightest_memory),
		cmocka_unit_test(the_roofs_of_the_model_were_measured),
		cmocka_unit_test(short_counts_are_right),
		cmocka_unit_test(what_waited_is_counted_again),
		cmocka_unit_test(trust_is_that_of_the_weakest),
		cmocka_unit_test(numbers_and_formulas_read_well),
		cmocka_unit_test(names_of_line_counts_are_unique),
		cmocka_unit_test(tables_of_lines_stay_in_order),
		cmocka_unit_test(shared_wavefronts_are_those_of_requests),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
