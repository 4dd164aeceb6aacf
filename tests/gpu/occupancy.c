/* The model's occupancy against the driver's own (cuOccupancyMaxActiveBlocksPerMultiprocessor), over kernels with more
 * and more registers, threads 32 to 1024, shared memory from none to all, barriers and carve-outs. Prints TAP; exits 1
 * when a number differs. Needs a GPU; run by tests/gpu/occupancy.sh. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "model/hardware/occupancy.h"

/* clang-format off */
#define DRIVER_FUNCTIONS(F) \
	F(cuDeviceGetAttribute) F(cuModuleUnload) F(cuFuncGetAttribute) F(cuFuncSetAttribute) \
	F(cuOccupancyMaxActiveBlocksPerMultiprocessor)
/* clang-format on */
#include "tests/gpu/driver.h"

static int cc, block_shared, tests, failures;

/* What a group of configurations came to. */
static long agreed, differed;

static void open_device(void)
{
	CUdevice device = driver_open();
	int major, minor;
	MUST(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
	MUST(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
	MUST(cuDeviceGetAttribute(&block_shared, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device));
	cc = major * 10 + minor;
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

struct kernel {
	int live;  /* values held at a time: about as many registers */
	int fixed; /* bytes of static shared memory */
	int barriers;
	/* once loaded */
	CUmodule module;
	CUfunction function;
	int registers, shared; /* static, as the driver counts it */
};

/* All values are read before the first is written, and volatile accesses keep their order: so many are alive at a
 * time. */
static void write_kernel(const struct kernel *k, struct buf *out)
{
	buf_printf(out,
		".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n\t.reg .b32 %%r<%d>;\n"
		"\t.reg .b64 %%rd<2>;\n",
		k->live + 1);
	if (k->fixed)
		buf_printf(out, "\t.shared .align 4 .b8 fixed[%d];\n", k->fixed);
	buf_puts(out, "\tld.param.u64 %rd1, [p];\n");
	for (int i = 0; i < k->live; i++)
		buf_printf(out, "\tld.volatile.global.u32 %%r%d, [%%rd1+%d];\n", i, 4 * i);
	if (k->fixed)
		buf_printf(out, "\tst.volatile.shared.u32 [fixed], %%r0;\n\tst.volatile.shared.u8 [fixed+%d], %%r0;\n",
			k->fixed - 1);
	for (int i = 0; i < k->barriers; i++)
		buf_printf(out, "\tbar.sync %d;\n", i);
	for (int i = k->live; i-- > 0;)
		buf_printf(out, "\tst.volatile.global.u32 [%%rd1+%d], %%r%d;\n", 4 * (k->live - i), i);
	buf_puts(out, "\tret;\n}\n");
}

static void load_kernel(struct kernel *k)
{
	struct buf ptx = {0};
	write_kernel(k, &ptx);
	MUST(cuModuleLoadData(&k->module, buf_str(&ptx)));
	MUST(cuModuleGetFunction(&k->function, k->module, "k"));
	MUST(cuFuncGetAttribute(&k->registers, CU_FUNC_ATTRIBUTE_NUM_REGS, k->function));
	MUST(cuFuncGetAttribute(&k->shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, k->function));
	MUST(cuFuncSetAttribute(
		k->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, block_shared - k->shared));
	buf_free(&ptx);
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

static void compare(const struct kernel *k, int threads, int dynamic, uint32_t carveout)
{
	struct occupancy_block block = {(uint32_t)threads, (uint32_t)k->registers, (uint32_t)(k->shared + dynamic),
		(uint32_t)k->barriers, carveout};
	struct occupancy o = occupancy(cc, &block);
	int blocks = -1;
	MUST(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k->function, threads, (size_t)dynamic));
	bool same = o.state != OCCUPANCY_UNKNOWN_CC && blocks == (int)o.blocks;
	agreed += same;
	if (!same && differed++ < 20)
		printf("# %d threads, %d registers, %d + %d bytes, %d barriers, carve-out %u: the driver says %d blocks, the model %u\n",
			threads, k->registers, k->shared, dynamic, k->barriers, carveout, blocks, o.blocks);
}

/* Every 32 threads, shared memory in steps that are no multiple of anything, and what lies around whole KiB. */
static void compare_sizes(const struct kernel *k, uint32_t carveout)
{
	int most = block_shared - k->shared;
	for (int threads = 32; threads <= 1024; threads += 32) {
		for (int dynamic = 0; dynamic < most; dynamic += 3001)
			compare(k, threads, dynamic, carveout);
		for (int dynamic = 1024; dynamic <= most; dynamic *= 2)
			for (int d = -1; d <= 1; d++)
				compare(k, threads, dynamic + d, carveout);
		compare(k, threads, most, carveout);
	}
	for (int threads = 1; threads <= 1023; threads += 73)
		compare(k, threads, 0, carveout);
}

static void begin_group(void)
{
	agreed = differed = 0;
}

static void end_group(const char *what)
{
	printf("%sok %d - %s: %ld of %ld configurations agree\n", differed || !agreed ? "not " : "", ++tests, what,
		agreed, agreed + differed);
	failures += differed || !agreed;
	fflush(stdout);
}

static void check_registers(void)
{
	bool seen[512] = {false};
	int n = 0;
	begin_group();
	for (int live = 1; live <= 245; live += live < 16 ? 5 : 9) {
		struct kernel k = {.live = live};
		load_kernel(&k);
		n += !seen[k.registers];
		seen[k.registers] = true;
		compare_sizes(&k, 0);
		MUST(cuModuleUnload(k.module));
	}
	printf("# %d different numbers of registers\n", n);
	end_group("registers, threads, dynamic shared memory");
}

static void check_static(void)
{
	static const int sizes[] = {1, 128, 1000, 1024, 12288, 20001, 49152};
	begin_group();
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct kernel k = {.live = 4, .fixed = sizes[i]};
		load_kernel(&k);
		compare_sizes(&k, 0);
		MUST(cuModuleUnload(k.module));
	}
	end_group("static shared memory");
}

static void check_barriers(void)
{
	begin_group();
	for (int barriers = 1; barriers <= 16; barriers++) {
		struct kernel k = {.live = 4, .barriers = barriers};
		load_kernel(&k);
		for (int threads = 32; threads <= 1024; threads += 32)
			compare(&k, threads, 0, 0);
		MUST(cuModuleUnload(k.module));
	}
	end_group("named barriers");
}

/* A carve-out is asked for as a percentage of the SM's shared memory. */
static void check_carveouts(void)
{
	struct kernel k = {.live = 4};
	int shared;
	MUST(cuDeviceGetAttribute(&shared, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 0));
	load_kernel(&k);
	begin_group();
	for (int percent = 1; percent <= 100; percent += 3) {
		MUST(cuFuncSetAttribute(k.function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, percent));
		compare_sizes(&k, (uint32_t)(shared / 100.0 * percent));
	}
	MUST(cuModuleUnload(k.module));
	end_group("carve-outs");
}

int main(void)
{
	open_device();
	printf("# CC %d.%d, %d bytes of shared memory for a block\n", cc / 10, cc % 10, block_shared);
	check_registers();
	check_static();
	check_barriers();
	check_carveouts();
	printf("1..%d\n", tests);
	return failures > 0;
}
