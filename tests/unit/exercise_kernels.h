/* A lesson whose only step is an exercise, and attempts at it: for the tests of grade and attempt.
 * The kernel is to double n words; what is wrong with it at first is that it loads each of them twice. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "front/tutor/tutor.h"

#define EXERCISE_THREADS 64

static const char exercise_lesson[] =
	"---\n"
	"format: 1\n"
	"title: Twice\n"
	"track: Tests\n"
	"summary: A lesson for the tests.\n"
	"takeaway: Done.\n"
	"parameters: [{name: n, values: [1, 33, 40, 64], default: 64}]\n"
	"---\n"
	"\n"
	"## Mend it\n"
	"\n"
	"Text.\n"
	"\n"
	"```simt\n"
	"id: mend\n"
	"launch: {kernel: twice, grid: \"1\", block: \"64\"}\n"
	"args: [\"u32[{n}]:iota\", \"u32[{n}]\", \"u32:{n}\"]\n"
	"results: {1: \"2 * arg0[i]\"}\n"
	"views: [source, numbers]\n"
	"metrics: [global_load_requests]\n"
	"exercise:\n"
	"  goals:\n"
	"  - {text: loaded once, at: [{n: 40}, {n: 33}], holds: global_load_requests > 0 && global_load_requests == (n + 31) / 32}\n"
	"  - global_load_sectors_per_request == 4\n"
	"  tries: [{n: 1}, {n: 40}]\n"
	"  hints: [one, two, three]\n"
	"  explain: It took {= global_load_requests}.\n"
	"```\n";

/* The parts of the kernel that attempts differ in: `guard` lets threads past n leave, `loads` fills %r3, `last` is what
 * comes between the store and the end. */
struct exercise_kernel {
	const char *name, *guard, *loads, *compute, *store, *last;
	int line; /* of the source that all instructions are said to be from; 0: none */
};

#define EXERCISE_GUARD "\tsetp.ge.u32 %p1, %r2, %r1;\n\t@%p1 bra done;\n"
#define EXERCISE_LOAD "\tld.global.u32 %r3, [%rd4];\n"
#define EXERCISE_STORE "\tst.global.u32 [%rd5], %r4;\n"
#define EXERCISE_DOUBLE "\tshl.b32 %r4, %r3, 1;\n"

static const struct exercise_kernel exercise_kernels[] = {
	{"start", EXERCISE_GUARD, EXERCISE_LOAD EXERCISE_LOAD, EXERCISE_DOUBLE, EXERCISE_STORE, "", 3},
	{"right", EXERCISE_GUARD, EXERCISE_LOAD, EXERCISE_DOUBLE, EXERCISE_STORE, "", 3},
	{"nothing", EXERCISE_GUARD, EXERCISE_LOAD, EXERCISE_DOUBLE, "", "", 3},
	{"four times", EXERCISE_GUARD, EXERCISE_LOAD, "\tshl.b32 %r4, %r3, 2;\n", EXERCISE_STORE, "", 3},
	{"unguarded", "", EXERCISE_LOAD, EXERCISE_DOUBLE, EXERCISE_STORE, "", 3},
	{"racing", EXERCISE_GUARD, EXERCISE_LOAD, EXERCISE_DOUBLE, "\tst.global.u32 [%rd2], %r4;\n" EXERCISE_STORE, "",
		3},
	{"without lines", "", EXERCISE_LOAD, EXERCISE_DOUBLE, EXERCISE_STORE, "", 0},
	{"at 64", EXERCISE_GUARD,
		EXERCISE_LOAD "\tsetp.eq.u32 %p0, %r1, 64;\n\t@%p0 bra once;\n" EXERCISE_LOAD "once:\n",
		EXERCISE_DOUBLE, EXERCISE_STORE, "", 3},
	{"endless", EXERCISE_GUARD, EXERCISE_LOAD, EXERCISE_DOUBLE, EXERCISE_STORE, "again:\n\tbra.uni again;\n", 3},
};

/* Its PTX; to be freed. */
static char *exercise_ptx(const char *name)
{
	const struct exercise_kernel *k = exercise_kernels;
	struct buf out = {0};
	while (strcmp(k->name, name) != 0)
		k++;
	buf_puts(&out, ".version 6.3\n.target sm_75\n.address_size 64\n");
	if (k->line)
		buf_puts(&out, ".file 1 \"twice.cu\"\n");
	buf_puts(&out,
		".visible .entry twice(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n"
		"\t.reg .pred %p<2>;\n\t.reg .b32 %r<8>;\n\t.reg .b64 %rd<8>;\n");
	if (k->line)
		buf_printf(&out, "\t.loc 1 %d 0\n", k->line);
	buf_printf(&out,
		"\tld.param.u64 %%rd1, [in];\n\tld.param.u64 %%rd2, [out];\n\tld.param.u32 %%r1, [n];\n\tmov.u32 %%r2, %%tid.x;\n"
		"\tmul.wide.u32 %%rd3, %%r2, 4;\n\tadd.s64 %%rd4, %%rd1, %%rd3;\n\tadd.s64 %%rd5, %%rd2, %%rd3;\n%s%s%s%s%sdone:\n\tret;\n}\n",
		k->guard, k->loads, k->compute, k->store, k->last);
	return buf_steal(&out);
}

/* DATA/lessons/01-twice, with the start of the exercise. */
static bool exercise_write(const char *data)
{
	struct buf path = {0};
	struct diag diag = {0};
	char *ptx = exercise_ptx("start");
	const char *const files[][2] = {
		{"lesson.md", exercise_lesson}, {"exercise/start.cu", "start\n"}, {"exercise/start.ptx", ptx}};
	bool ok = true;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		buf_clear(&path);
		buf_printf(&path, "%s/lessons/01-twice/%s", data, files[i][0]);
		ok = file_write(buf_str(&path), files[i][1], strlen(files[i][1]), &diag) && ok;
	}
	free(ptx);
	buf_free(&path);
	diag_free(&diag);
	return ok;
}
