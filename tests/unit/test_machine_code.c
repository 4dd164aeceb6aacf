/* Machine code in a cubin, and how often it is executed: model/profile/cubin.h, model/profile/machine_code.c. The
 * cubins are made here, instruction by instruction, each with the line of the PTX that it is said to be made from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/elf.h"
#include "model/hardware/timeline.h"
#include "model/profile/private.h"

static struct arena *arena;

/* --- cubins ------------------------------------------------------------------------------------------------------- */

enum {
	FMA = 0x223,
	SUM = 0x210,
	LOAD = 0x981,
	STORE = 0x986,
	SET = 0x20c,
	BRANCH = 0x947,
	EXIT = 0x94d,
	CALL = 0x944,
	NOTHING = 0x918
};
#define ALWAYS 7

struct line_of_code {
	unsigned op, guard;
	int to; /* of a branch or call: index */
	int ptx_line;
};

static void put_code(const struct line_of_code *code, int n, uint8_t *out)
{
	for (int i = 0; i < n; i++) {
		uint64_t low = code[i].op | (uint64_t)code[i].guard << 12, high = 0x03800000;
		if (code[i].op == BRANCH || code[i].op == CALL) {
			int64_t words = 4 * ((int64_t)code[i].to - i - 1);
			low |= ((uint64_t)words & 0xFF) << 16 | (uint64_t)(words >> 8) << 34;
			high |= (uint64_t)(words >> 8) >> 30 & 0x3FFFF;
		}
		memcpy(out + 16 * i, &low, 8);
		memcpy(out + 16 * i + 8, &high, 8);
	}
}

/* A program of lines: an address, then for each instruction its line and a row. */
static size_t put_lines(const struct line_of_code *code, int n, uint8_t *out, size_t *address_at)
{
	static const uint8_t header[] = {2, 0, 16, 0, 0, 0, 1, 1, 0xFB, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0};
	uint8_t *p = out + 4;
	memcpy(p, header, sizeof header);
	p[2] = (uint8_t)(sizeof header - 6);
	p += sizeof header;
	*p++ = 0, *p++ = 9, *p++ = 2;
	*address_at = (size_t)(p - out);
	memset(p, 0, 8);
	p += 8;
	for (int i = 0, line = 1; i < n; i++) {
		int by = code[i].ptx_line - line;
		line = code[i].ptx_line;
		*p++ = 3; /* by so many lines, in three bytes */
		*p++ = (uint8_t)((by & 0x7F) | 0x80);
		*p++ = (uint8_t)((by >> 7 & 0x7F) | 0x80);
		*p++ = (uint8_t)(by >> 14 & 0x7F);
		*p++ = 1; /* a row */
		*p++ = 2; /* 16 bytes on */
		*p++ = 16;
	}
	*p++ = 0, *p++ = 1, *p++ = 1;
	uint32_t len = (uint32_t)(p - out - 4);
	memcpy(out, &len, 4);
	return (size_t)(p - out);
}

static const char names[] = "\0.names\0.symtab\0.nv_debug_line_sass\0.rela.nv_debug_line_sass\0.text.k";

static uint32_t name(const char *wanted)
{
	for (size_t i = 1; i < sizeof names; i++)
		if (strcmp(names + i, wanted) == 0 && names[i - 1] == '\0')
			return (uint32_t)i;
	return 0;
}

#define FILE_MOST 65536
static uint8_t file[FILE_MOST];

static size_t make_cubin(const struct line_of_code *code, int n)
{
	enum { NAMES = 1, SYMBOLS, LINES, RELOCATIONS, TEXT, SECTIONS };
	Elf64_Ehdr header = {.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = SECTIONS, .e_shstrndx = NAMES};
	Elf64_Shdr s[SECTIONS] = {0};
	Elf64_Sym symbols[2] = {{0}, {.st_shndx = TEXT}};
	Elf64_Rela relocation = {.r_info = ELF64_R_INFO(1ull, 1)};
	size_t at = sizeof header + sizeof s, address_at;
	memset(file, 0, sizeof file);
	memcpy(header.e_ident, ELFMAG, SELFMAG);
	header.e_ident[EI_CLASS] = ELFCLASS64;
	header.e_ident[EI_DATA] = ELFDATA2LSB;
	header.e_shoff = sizeof header;
	s[NAMES] = (Elf64_Shdr){
		.sh_name = name(".names"), .sh_type = SHT_STRTAB, .sh_offset = at, .sh_size = sizeof names};
	memcpy(file + at, names, sizeof names);
	at += sizeof names;
	s[SYMBOLS] = (Elf64_Shdr){
		.sh_name = name(".symtab"), .sh_type = SHT_SYMTAB, .sh_offset = at, .sh_size = sizeof symbols};
	memcpy(file + at, symbols, sizeof symbols);
	at += sizeof symbols;
	s[TEXT] = (Elf64_Shdr){
		.sh_name = name(".text.k"), .sh_type = SHT_PROGBITS, .sh_offset = at, .sh_size = 16 * (size_t)n};
	put_code(code, n, file + at);
	at += 16 * (size_t)n;
	s[LINES] = (Elf64_Shdr){.sh_name = name(".nv_debug_line_sass"), .sh_type = SHT_PROGBITS, .sh_offset = at};
	s[LINES].sh_size = put_lines(code, n, file + at, &address_at);
	at += s[LINES].sh_size;
	relocation.r_offset = address_at;
	s[RELOCATIONS] = (Elf64_Shdr){.sh_name = name(".rela.nv_debug_line_sass"),
		.sh_type = SHT_RELA,
		.sh_offset = at,
		.sh_size = sizeof relocation,
		.sh_link = SYMBOLS,
		.sh_info = LINES};
	memcpy(file + at, &relocation, sizeof relocation);
	at += sizeof relocation;
	memcpy(file, &header, sizeof header);
	memcpy(file + sizeof header, s, sizeof s);
	assert_true(at < FILE_MOST);
	return at;
}

static const struct line_of_code some[] = {{LOAD, ALWAYS, 0, 7}, {FMA, 3, 0, 300}, {BRANCH, 0, 1, 9},
	{CALL, ALWAYS, 5, 9}, {EXIT, ALWAYS, 0, 10}, {SUM, ALWAYS, 0, 10}, {BRANCH, ALWAYS, 6, 10}};
#define N_SOME ((int)(sizeof some / sizeof *some))

static void instructions_have_lines_pipes_and_targets(void **state)
{
	(void)state;
	struct cubin c;
	assert_true(cubin_read(arena, file, make_cubin(some, N_SOME), &c));
	assert_int_equal(c.n, N_SOME);
	for (int i = 0; i < c.n; i++)
		assert_int_equal(c.instrs[i].ptx_line, some[i].ptx_line);
	assert_true(c.instrs[0].pipe == PIPE_LSU && c.instrs[0].begins && !c.instrs[0].is_conditional);
	assert_true(c.instrs[1].pipe == PIPE_FMA && c.instrs[1].is_conditional);
	assert_true(c.instrs[2].flow == CUBIN_BRANCH && c.instrs[2].target == 1 && c.instrs[2].is_conditional);
	assert_true(c.instrs[3].flow == CUBIN_CALL && c.instrs[3].target == 5);
	assert_true(c.instrs[4].flow == CUBIN_END);
	assert_true(c.instrs[5].pipe == PIPE_ALU);
	assert_true(c.instrs[6].flow == CUBIN_END); /* to itself */
}

/* Each file that is cut off, and each with one other byte, is read or refused, and what is read is in order. */
static void broken_files_are_refused(void **state)
{
	(void)state;
	size_t len = make_cubin(some, N_SOME);
	struct cubin c;
	for (size_t cut = 0; cut < len; cut++) {
		uint8_t *copy = malloc(cut + 1);
		memcpy(copy, file, cut);
		struct arena *own = arena_new();
		assert_false(cubin_read(own, copy, cut, &c));
		arena_free(own);
		free(copy);
	}
	static const uint8_t others[] = {0, 1, 0x7F, 0x80, 0xFF};
	for (size_t at = 0; at < len; at++)
		for (size_t k = 0; k < sizeof others; k++) {
			uint8_t *copy = malloc(len);
			memcpy(copy, file, len);
			copy[at] = others[k];
			struct arena *own = arena_new();
			if (cubin_read(own, copy, len, &c))
				for (int i = 0; i < c.n; i++)
					assert_true(c.instrs[i].target >= -1 && c.instrs[i].target < c.n);
			arena_free(own);
			free(copy);
		}
}

/* --- how often ---------------------------------------------------------------------------------------------------- */

/* A kernel whose lines are numbered: 1 to 7 are in front. */
#define HEAD                                                                                                           \
	".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n)\n{\n"          \
	".reg .b32 %r<9>; .reg .b64 %a<9>; .reg .f32 %f<9>; .reg .pred %q<9>;\n\n"
static const char loop_ptx[] = HEAD "ld.param.u64 %a0, [p];\n" /* 8 */
				    "ld.param.u32 %r0, [n];\n"
				    "mov.u32 %r1, 0;\n"
				    "again:\n"
				    "ld.global.f32 %f1, [%a0];\n" /* 12 */
				    "fma.rn.f32 %f2, %f1, %f1, %f2;\n"
				    "add.s32 %r1, %r1, 1;\n" /* 14 */
				    "setp.lt.u32 %q1, %r1, %r0;\n"
				    "@%q1 bra again;\n"           /* 16 */
				    "st.global.f32 [%a0], %f2;\n" /* 17 */
				    "ret;\n}\n";

/* One warp that goes around the loop so often, with that machine code. */
static const struct machine_code *execute(
	const char *ptx, const struct line_of_code *code, int n, uint32_t times, struct trace **trace)
{
	struct diag diag = {0};
	struct cubin *cubin = arena_alloc(arena, sizeof *cubin);
	struct ptx_module *module = ptx_parse(arena, "k.ptx", ptx, strlen(ptx), &diag);
	assert_non_null(module);
	struct launch_arg args[2];
	struct launch launch = {.kernel = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .args = args, .n_args = 2};
	assert_true(launch_arg_parse(arena, NULL, "f32[32]", &args[0], &diag));
	assert_true(launch_arg_parse(arena, NULL, arena_printf(arena, "u32:%u", times), &args[1], &diag));
	*trace = profile_trace_run(
		arena, module, &launch, (struct trace_watch){.sms = 1, .resident = 1, .cc = 90}, &diag);
	assert_non_null(*trace);
	assert_true(cubin_read(arena, file, make_cubin(code, n), cubin));
	const struct ptx_kernel *kernel = ptx_find_kernel(module, "k", &diag);
	const struct machine_code *made = profile_machine_code(arena, kernel, cubin, *trace);
	assert_non_null(made);
	diag_free(&diag);
	return made;
}
#define EXECUTE(ptx, code, times, trace) execute(ptx, code, (int)(sizeof(code) / sizeof *(code)), times, trace)

static void loops_are_executed_as_often_as_in_the_trace(void **state)
{
	(void)state;
	static const struct line_of_code code[] = {{SUM, ALWAYS, 0, 8}, {LOAD, ALWAYS, 0, 12}, {FMA, ALWAYS, 0, 13},
		{SUM, ALWAYS, 0, 14}, {SET, ALWAYS, 0, 15}, {BRANCH, 0, 1, 16}, {STORE, ALWAYS, 0, 17},
		{EXIT, ALWAYS, 0, 18}, {BRANCH, ALWAYS, 8, 18}, {NOTHING, ALWAYS, 0, 18}};
	struct trace *trace;
	const struct machine_code *made = EXECUTE(loop_ptx, code, 10, &trace);
	assert_int_equal((int)made->instructions, 1 + 10 * 5 + 2);
	double sum = 0;
	for (uint32_t i = 0; i < trace->warps[0].n; i++)
		sum += (double)made->of_op[trace->warps[0].steps[i].op];
	assert_int_equal((int)(sum + 0.5), (int)made->instructions);
}

/* Four times around are one, and what is left is done one by one. */
static void unrolled_loops_are_executed_less_often(void **state)
{
	(void)state;
	static const struct line_of_code code[] = {{SUM, ALWAYS, 0, 8}, {SET, ALWAYS, 0, 16}, {BRANCH, 0, 14, 16},
		/* 3: four times */
		{LOAD, ALWAYS, 0, 12}, {LOAD, ALWAYS, 0, 12}, {LOAD, ALWAYS, 0, 12}, {LOAD, ALWAYS, 0, 12},
		{FMA, ALWAYS, 0, 13}, {FMA, ALWAYS, 0, 13}, {FMA, ALWAYS, 0, 13}, {FMA, ALWAYS, 0, 13},
		{SUM, ALWAYS, 0, 14}, {SET, ALWAYS, 0, 15}, {BRANCH, 0, 3, 16},
		/* 14: once */
		{LOAD, ALWAYS, 0, 12}, {FMA, ALWAYS, 0, 13}, {SUM, ALWAYS, 0, 14}, {SET, ALWAYS, 0, 15},
		{BRANCH, 0, 14, 16},
		/* 19 */
		{STORE, ALWAYS, 0, 17}, {EXIT, ALWAYS, 0, 18}, {BRANCH, ALWAYS, 21, 18}};
	struct trace *trace;
	/* the first block is three instructions; 11 is twice four and three */
	assert_int_equal((int)EXECUTE(loop_ptx, code, 11, &trace)->instructions, 3 + 2 * 11 + 3 * 5 + 2);
	assert_int_equal((int)EXECUTE(loop_ptx, code, 3, &trace)->instructions, 3 + 3 * 5 + 2);
	assert_int_equal((int)EXECUTE(loop_ptx, code, 8, &trace)->instructions, 3 + 2 * 11 + 2);
}

/* A subroutine for what is rare is not executed, nor is what calls it. */
static void subroutines_are_rare(void **state)
{
	(void)state;
	static const struct line_of_code code[] = {{SUM, ALWAYS, 0, 8}, {LOAD, ALWAYS, 0, 12}, {FMA, ALWAYS, 0, 13},
		{BRANCH, 0, 6, 13}, {CALL, ALWAYS, 10, 13}, {BRANCH, ALWAYS, 6, 13}, {SUM, ALWAYS, 0, 14},
		{BRANCH, 0, 1, 16}, {STORE, ALWAYS, 0, 17}, {EXIT, ALWAYS, 0, 18}, {FMA, ALWAYS, 0, 18},
		{FMA, ALWAYS, 0, 18}, {0x950, ALWAYS, 0, 18}, {BRANCH, ALWAYS, 13, 18}};
	struct trace *trace;
	assert_int_equal((int)EXECUTE(loop_ptx, code, 5, &trace)->instructions, 1 + 5 * 5 + 2);
}

/* What a guard keeps from doing anything is issued all the same. */
static void guarded_instructions_are_executed(void **state)
{
	(void)state;
	static const char ptx[] = HEAD "ld.param.u64 %a0, [p];\n" /* 8 */
				       "ld.param.u32 %r0, [n];\n"
				       "setp.eq.u32 %q1, %r0, 7;\n" /* 10 */
				       "@%q1 bra over;\n"
				       "ld.global.f32 %f1, [%a0];\n" /* 12 */
				       "fma.rn.f32 %f2, %f1, %f1, %f2;\n"
				       "over:\n"
				       "st.global.f32 [%a0], %f2;\n" /* 15 */
				       "ret;\n}\n";
	static const struct line_of_code code[] = {{SUM, ALWAYS, 0, 8}, {SET, ALWAYS, 0, 10}, {LOAD, 8, 0, 12},
		{FMA, 8, 0, 13}, {STORE, ALWAYS, 0, 15}, {EXIT, ALWAYS, 0, 16}, {BRANCH, ALWAYS, 6, 16}};
	struct trace *trace;
	assert_int_equal((int)EXECUTE(ptx, code, 7, &trace)->instructions, 6); /* which goes over them */
	assert_int_equal((int)EXECUTE(ptx, code, 8, &trace)->instructions, 6);
}

static int open_arena(void **state)
{
	(void)state;
	arena = arena_new();
	return 0;
}

static int close_arena(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)
static void code_has_a_fingerprint(void **state)
{
	(void)state;
	struct elf elf;
	char once[ELF_CODE_PRINT], again[ELF_CODE_PRINT];
	struct line_of_code other[N_SOME];
	memcpy(other, some, sizeof other);
	other[0].ptx_line = 8;
	assert_true(elf_read(arena, file, make_cubin(some, N_SOME), &elf));
	assert_true(elf_fingerprint_code(&elf, "k", once));
	assert_int_equal(strspn(once, "0123456789abcdef"), ELF_CODE_PRINT - 1);
	assert_false(elf_fingerprint_code(&elf, "kernel", again));
	assert_false(elf_fingerprint_code(&elf, "", again));
	/* lines are no code */
	assert_true(elf_read(arena, file, make_cubin(other, N_SOME), &elf) && elf_fingerprint_code(&elf, "k", again));
	assert_string_equal(once, again);
	assert_true(elf_read(arena, file, make_cubin(some, N_SOME - 1), &elf));
	assert_true(elf_fingerprint_code(&elf, "k", again) && strcmp(once, again) != 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(instructions_have_lines_pipes_and_targets),
		TEST(broken_files_are_refused),
		TEST(code_has_a_fingerprint),
		TEST(loops_are_executed_as_often_as_in_the_trace),
		TEST(unrolled_loops_are_executed_less_often),
		TEST(subroutines_are_rare),
		TEST(guarded_instructions_are_executed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
