#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "model/hardware/occupancy.h"

#define KIB 1024u

enum {
	WARPS = 1 << OCCUPANCY_WARPS,
	BLOCKS = 1 << OCCUPANCY_BLOCKS,
	REGISTERS = 1 << OCCUPANCY_REGISTERS,
	SHARED = 1 << OCCUPANCY_SHARED,
	BARRIERS = 1 << OCCUPANCY_BARRIERS
};

/* By hand; threads, registers, shared, barriers, carve-out -> blocks and what limits them (0 blocks: impossible). */
static const struct {
	int cc;
	struct occupancy_block block;
	uint32_t blocks, limits;
} cases[] = {
	/* warps and blocks */
	{90, {256, 0, 0, 0, 0}, 8, WARPS},
	{90, {64, 0, 0, 0, 0}, 32, WARPS | BLOCKS},
	{90, {32, 0, 0, 0, 0}, 32, BLOCKS},
	{90, {1, 0, 0, 0, 0}, 32, BLOCKS},
	{90, {33, 0, 0, 0, 0}, 32, WARPS | BLOCKS},
	{90, {1024, 0, 0, 0, 0}, 2, WARPS},
	{90, {1025, 0, 0, 0, 0}, 0, WARPS},
	{90, {0, 0, 0, 0, 0}, 0, WARPS},
	{90, {672, 0, 0, 0, 0}, 3, WARPS}, /* 21 warps: 63 of 64 */
	{75, {1024, 0, 0, 0, 0}, 1, WARPS},
	{75, {32, 0, 0, 0, 0}, 16, BLOCKS},
	{86, {1024, 0, 0, 0, 0}, 1, WARPS}, /* 32 of 48 warps */
	{89, {32, 0, 0, 0, 0}, 24, BLOCKS},
	{110, {512, 0, 0, 0, 0}, 3, WARPS},
	{120, {64, 0, 0, 0, 0}, 24, WARPS | BLOCKS},
	/* registers: 32 a thread are 1024 a warp, of 16384 on each sub-partition */
	{90, {256, 32, 0, 0, 0}, 8, WARPS | REGISTERS},
	{90, {256, 33, 0, 0, 0}, 6, REGISTERS}, /* 1056 -> 1280 a warp: 12 on a sub-partition, 48 on the SM */
	{90, {256, 40, 0, 0, 0}, 6, REGISTERS},
	{90, {256, 41, 0, 0, 0}, 5, REGISTERS}, /* 1536: 10, 40 */
	{90, {256, 1, 0, 0, 0}, 8, WARPS},
	{90, {256, 255, 0, 0, 0}, 1, REGISTERS}, /* 8192: 2, 8 */
	{90, {257, 255, 0, 0, 0}, 0, REGISTERS}, /* 9 warps, taken as 12 */
	{90, {160, 255, 0, 0, 0}, 1, REGISTERS}, /* 5 warps, taken as 8: just fits */
	{90, {288, 168, 0, 0, 0}, 1, REGISTERS}, /* 12 * 5376 = 64512 */
	{90, {288, 169, 0, 0, 0}, 0, REGISTERS}, /* 12 * 5632 = 67584 */
	{90, {32, 256, 0, 0, 0}, 0, REGISTERS},
	{90, {1024, 64, 0, 0, 0}, 1, REGISTERS},
	{90, {1024, 65, 0, 0, 0}, 0, REGISTERS},
	{90, {96, 48, 0, 0, 0}, 13, REGISTERS}, /* 1536: 10, 40 warps by threes */
	{75, {256, 64, 0, 0, 0}, 4, WARPS | REGISTERS},
	{86, {128, 40, 0, 0, 0}, 12, WARPS | REGISTERS},
	/* shared memory: a KiB more in each block from 8.0 on */
	{90, {128, 0, 48 * KIB, 0, 0}, 4, SHARED}, /* 228 / 49 */
	{90, {128, 0, 227 * KIB, 0, 0}, 1, SHARED},
	{90, {128, 0, 227 * KIB + 1, 0, 0}, 0, SHARED},
	{90, {128, 0, 75 * KIB, 0, 0}, 3, SHARED},                /* 3 * 76 = 228 */
	{90, {128, 0, 75 * KIB + 1, 0, 0}, 2, SHARED},            /* 128 bytes past it */
	{90, {128, 0, 13 * KIB + 256, 0, 0}, 16, WARPS | SHARED}, /* 14592 * 16 = 233472 */
	{90, {128, 0, 13 * KIB + 257, 0, 0}, 15, SHARED},
	{75, {128, 0, 64 * KIB, 0, 0}, 1, SHARED},
	{75, {128, 0, 32 * KIB, 0, 0}, 2, SHARED}, /* nothing reserved */
	{75, {128, 0, 32 * KIB + 1, 0, 0}, 1, SHARED},
	{75, {64, 0, 4 * KIB + 1, 0, 0}, 15, SHARED}, /* 4352, in units of 256 */
	{86, {128, 0, 99 * KIB, 0, 0}, 1, SHARED},
	{86, {128, 0, 100 * KIB, 0, 0}, 0, SHARED},
	{80, {128, 0, 163 * KIB, 0, 0}, 1, SHARED},
	{87, {128, 0, 80 * KIB, 0, 0}, 2, SHARED},
	{90, {32, 0, UINT32_MAX, 0, 0}, 0, SHARED},
	/* carve-out */
	{90, {64, 0, 31 * KIB, 0, 100 * KIB}, 3, SHARED},
	{90, {64, 0, 31 * KIB, 0, 100 * KIB + 1}, 4, SHARED}, /* 132 */
	{90, {64, 0, 100 * KIB, 0, 8 * KIB}, 1, SHARED},      /* 132 holds one of 101 */
	{90, {64, 0, 1 * KIB, 0, 1}, 4, SHARED},              /* 8 / 2 */
	{90, {64, 0, 31 * KIB, 0, 228 * KIB}, 7, SHARED},
	{75, {64, 0, 8 * KIB, 0, 32 * KIB}, 4, SHARED},
	/* named barriers */
	{90, {64, 0, 0, 1, 0}, 32, WARPS | BLOCKS},
	{90, {64, 0, 0, 2, 0}, 32, WARPS | BLOCKS | BARRIERS},
	{90, {64, 0, 0, 16, 0}, 4, BARRIERS},
	{86, {64, 0, 0, 3, 0}, 5, BARRIERS},
	/* 7.5: 32 warps, 16 blocks and 64 KiB, of which nothing is reserved (Turing Tuning Guide, Occupancy) */
	{75, {64, 0, 0, 0, 0}, 16, WARPS | BLOCKS},
	{75, {96, 0, 0, 0, 0}, 10, WARPS},      /* 30 of 32 */
	{75, {256, 65, 0, 0, 0}, 3, REGISTERS}, /* 2304 a warp: 7 on a sub-partition, 28 */
	{75, {128, 0, 64 * KIB + 1, 0, 0}, 0, SHARED},
	/* 8.0: 64 warps, 32 blocks, 164 and 163 KiB (Ampere Tuning Guide, Occupancy) */
	{80, {32, 0, 0, 0, 0}, 32, BLOCKS},
	{80, {1024, 0, 0, 0, 0}, 2, WARPS},
	{80, {256, 40, 0, 0, 0}, 6, REGISTERS},
	{80, {256, 0, 40 * KIB, 0, 0}, 4, SHARED}, /* 4 * 41 = 164 */
	{80, {256, 0, 40 * KIB + 1, 0, 0}, 3, SHARED},
	{80, {128, 0, 163 * KIB + 1, 0, 0}, 0, SHARED},
	/* 8.6: 48 warps, 16 blocks, 100 and 99 KiB (the same guide) */
	{86, {32, 0, 0, 0, 0}, 16, BLOCKS},
	{86, {96, 0, 0, 0, 0}, 16, WARPS | BLOCKS},
	{86, {256, 40, 0, 0, 0}, 6, WARPS | REGISTERS},
	{86, {256, 41, 0, 0, 0}, 5, REGISTERS},
	{86, {128, 0, 24 * KIB, 0, 0}, 4, SHARED},     /* 4 * 25 = 100 */
	{86, {128, 0, 24 * KIB + 1, 0, 0}, 3, SHARED}, /* 128 bytes past it */
	/* 8.9: 48 warps, 24 blocks, 100 and 99 KiB (Ada Tuning Guide, Occupancy) */
	{89, {64, 0, 0, 0, 0}, 24, WARPS | BLOCKS},
	{89, {1024, 0, 0, 0, 0}, 1, WARPS},
	{89, {64, 0, 3 * KIB, 0, 0}, 24, WARPS | BLOCKS},                /* 25 by shared memory */
	{89, {64, 0, 3 * KIB + 128, 0, 0}, 24, WARPS | BLOCKS | SHARED}, /* 4224 */
	{89, {64, 0, 3 * KIB + 256, 0, 0}, 23, SHARED},                  /* 4352 */
	{89, {128, 0, 99 * KIB, 0, 0}, 1, SHARED},
	{89, {128, 0, 99 * KIB + 1, 0, 0}, 0, SHARED},
	/* 10.0: 64 warps, 32 blocks, 228 and 227 KiB (Blackwell Tuning Guide, Occupancy) */
	{100, {32, 0, 0, 0, 0}, 32, BLOCKS},
	{100, {1024, 0, 0, 0, 0}, 2, WARPS},
	{100, {256, 33, 0, 0, 0}, 6, REGISTERS},
	{100, {128, 0, 227 * KIB, 0, 0}, 1, SHARED},
	{100, {128, 0, 227 * KIB + 1, 0, 0}, 0, SHARED},
	/* 12.0: 48 warps, 24 blocks, 100 and 99 KiB (Programming Guide, technical specifications) */
	{120, {32, 0, 0, 0, 0}, 24, BLOCKS},
	{120, {512, 0, 0, 0, 0}, 3, WARPS},
	{120, {1024, 0, 0, 0, 0}, 1, WARPS},
	{120, {256, 41, 0, 0, 0}, 5, REGISTERS},
	{120, {128, 0, 49 * KIB, 0, 0}, 2, SHARED}, /* 2 * 50 = 100 */
	{120, {128, 0, 99 * KIB + 1, 0, 0}, 0, SHARED},
	{120, {128, 0, 32 * KIB, 0, 64 * KIB}, 1, SHARED}, /* 33 of 64 */
	/* several at a time */
	{90, {256, 64, 57 * KIB - KIB, 0, 0}, 4, REGISTERS | SHARED},
	{90, {256, 255, 227 * KIB, 16, 0}, 1, REGISTERS | SHARED},
};

static void hand_computed_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct occupancy o = occupancy(cases[i].cc, &cases[i].block);
		if (o.blocks != cases[i].blocks || o.limits != cases[i].limits)
			print_error("case %zu, CC %d, %u threads, %u registers, %u bytes: %u blocks, limits 0x%x\n", i,
				cases[i].cc, cases[i].block.threads, cases[i].block.registers, cases[i].block.shared,
				o.blocks, o.limits);
		assert_int_equal(o.blocks, cases[i].blocks);
		assert_int_equal(o.limits, cases[i].limits);
		assert_int_equal(o.state, cases[i].blocks ? OCCUPANCY_OK : OCCUPANCY_IMPOSSIBLE);
		assert_int_equal(o.warps, cases[i].blocks * ((cases[i].block.threads + 31) / 32));
	}
}

static void percent_is_of_the_warps(void **state)
{
	(void)state;
	struct occupancy o = occupancy(90, &(struct occupancy_block){256, 33, 0, 0, 0});
	assert_int_equal(o.max_warps, 64);
	assert_true(o.percent == 75);
	o = occupancy(86, &(struct occupancy_block){1024, 0, 0, 0, 0});
	assert_int_equal(o.max_warps, 48);
	assert_true(o.percent > 66.66 && o.percent < 66.67);
	assert_true(occupancy(90, &(struct occupancy_block){257, 255, 0, 0, 0}).percent == 0);
}

static void each_resource_has_its_own_number(void **state)
{
	(void)state;
	struct occupancy o = occupancy(90, &(struct occupancy_block){256, 40, 2048, 1, 0});
	static const uint32_t by[OCCUPANCY_N] = {8, 32, 6, 76, 64};
	assert_memory_equal(o.by, by, sizeof by);
	o = occupancy(75, &(struct occupancy_block){256, 0, 0, 0, 0});
	assert_int_equal(o.by[OCCUPANCY_REGISTERS], OCCUPANCY_UNLIMITED);
	assert_int_equal(o.by[OCCUPANCY_SHARED], OCCUPANCY_UNLIMITED);
	assert_int_equal(o.by[OCCUPANCY_BARRIERS], OCCUPANCY_UNLIMITED);
	assert_string_equal(occupancy_resource_name(OCCUPANCY_SHARED), "shared");
}

/* What blocks are given never exceeds what the SM has, and one more block would, of a resource that limits them. */
static void what_blocks_are_given_fits(void **state)
{
	(void)state;
	for (int i = 0; occupancy_cc(i); i++) {
		for (uint32_t threads = 32; threads <= 1024; threads += 96) {
			struct occupancy_block block = {.threads = threads, .registers = 40, .shared = 3000};
			struct occupancy o = occupancy(occupancy_cc(i), &block);
			for (int r = 0; r < OCCUPANCY_N; r++) {
				struct occupancy_use use = occupancy_use(
					occupancy_cc(i), &block, (enum occupancy_resource)r);
				assert_true(use.block * o.blocks <= use.sm);
				assert_true(use.sm || o.by[r] == OCCUPANCY_UNLIMITED);
				if (r == OCCUPANCY_WARPS || r == OCCUPANCY_BLOCKS || r == OCCUPANCY_SHARED)
					assert_int_equal(o.by[r], use.sm / use.block);
			}
		}
	}
	assert_int_equal(occupancy_use(1, &(struct occupancy_block){.threads = 32}, OCCUPANCY_WARPS).sm, 0);
}

static void unknown_capabilities_are_reported(void **state)
{
	(void)state;
	static const int unknown[] = {0, -1, 70, 72, 76, 91, 99, 102, 122, 130, 900};
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
		struct occupancy o = occupancy(unknown[i], &(struct occupancy_block){256, 32, 0, 0, 0});
		assert_int_equal(o.state, OCCUPANCY_UNKNOWN_CC);
		assert_int_equal(o.blocks, 0);
		assert_int_equal(occupancy_free_registers(unknown[i], &(struct occupancy_block){256, 0, 0, 0, 0}), 0);
	}
}

/* The number where it drops, found the long way round. */
static uint32_t free_registers_slowly(int cc, struct occupancy_block block)
{
	block.registers = 0;
	struct occupancy without = occupancy(cc, &block);
	uint32_t most = 0;
	for (block.registers = 1; without.blocks && block.registers <= 300; block.registers++)
		if (occupancy(cc, &block).blocks == without.blocks)
			most = block.registers;
	return most;
}

static void registers_are_free_up_to_where_they_limit(void **state)
{
	(void)state;
	assert_int_equal(occupancy_free_registers(90, &(struct occupancy_block){256, 99, 0, 0, 0}), 32);
	assert_int_equal(occupancy_free_registers(90, &(struct occupancy_block){32, 0, 0, 0, 0}), 64);
	assert_int_equal(occupancy_free_registers(90, &(struct occupancy_block){32, 0, 227 * KIB, 0, 0}), 255);
	assert_int_equal(occupancy_free_registers(90, &(struct occupancy_block){1025, 0, 0, 0, 0}), 0);
	for (int i = 0; occupancy_cc(i); i++)
		for (uint32_t threads = 1; threads <= 1024; threads += 37) {
			struct occupancy_block block = {threads, 0, threads * 16, 0, 0};
			assert_int_equal(occupancy_free_registers(occupancy_cc(i), &block),
				free_registers_slowly(occupancy_cc(i), block));
		}
}

static void every_capability_has_a_gpu_that_stands_for_it(void **state)
{
	const char *name = NULL;
	(void)state;
	assert_int_equal(occupancy_sms(90, &name), 132);
	assert_string_equal(name, "H200");
	assert_int_equal(occupancy_sms(90, NULL), 132);
	assert_string_equal(occupancy_gpu(80)->name, "A100");
	assert_int_equal(occupancy_gpu(80)->memory_kib, 80 << 20);
	assert_int_equal(
		(uint64_t)occupancy_gpu(90)->memory_kib << 10, 150109880320); /* cudaDeviceProp.totalGlobalMem of one */
	assert_int_equal(occupancy_gpu(80)->clock_khz, 1410000);
	assert_null(occupancy_gpu(13));
	assert_int_equal(occupancy_sms(13, &name), 0);
	for (int i = 0; occupancy_cc(i); i++)
		assert_true(occupancy_sms(occupancy_cc(i), NULL) > 0);
}

/* Only what was compared with a GPU goes without saying so. */
static void what_is_documented_alone_is_marked(void **state)
{
	(void)state;
	assert_null(occupancy_doubt(90));
	for (int i = 0; occupancy_cc(i); i++)
		if (occupancy_cc(i) != 90)
			assert_string_equal(occupancy_doubt(occupancy_cc(i)), "documented, not verified here");
	assert_string_equal(occupancy_doubt(61), "not documented here, not verified");
	assert_string_equal(occupancy_sm(90)->verified, "H200");
}

/* What must hold on every SM: a larger block, more registers or more shared memory never let more blocks in, and
 * nothing resident takes more than there is. */
static void more_of_anything_admits_no_more_blocks(void **state)
{
	(void)state;
	for (int i = 0; occupancy_cc(i); i++) {
		int cc = occupancy_cc(i);
		assert_true(cc > (i ? occupancy_cc(i - 1) : 0));
		for (uint32_t threads = 32; threads <= 1024; threads += 32)
			for (uint32_t registers = 8; registers <= 248; registers += 16) {
				struct occupancy_block block = {threads, registers, threads * 24, 1, 0}, more = block;
				struct occupancy o = occupancy(cc, &block);
				assert_true(o.warps <= o.max_warps && o.warps * 32 * registers <= 65536);
				more.registers += 7;
				assert_true(occupancy(cc, &more).blocks <= o.blocks);
				more = block;
				more.threads += 31;
				assert_true(occupancy(cc, &more).blocks <= o.blocks);
				more = block;
				more.shared += 1000;
				assert_true(occupancy(cc, &more).blocks <= o.blocks);
			}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hand_computed_cases),
		cmocka_unit_test(percent_is_of_the_warps),
		cmocka_unit_test(each_resource_has_its_own_number),
		cmocka_unit_test(what_blocks_are_given_fits),
		cmocka_unit_test(unknown_capabilities_are_reported),
		cmocka_unit_test(registers_are_free_up_to_where_they_limit),
		cmocka_unit_test(every_capability_has_a_gpu_that_stands_for_it),
		cmocka_unit_test(what_is_documented_alone_is_marked),
		cmocka_unit_test(more_of_anything_admits_no_more_blocks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
