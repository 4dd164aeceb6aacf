/* What the commands hand to other programs and read from them: CUDA source with its headers, messages of compilers,
 * what ptxas and hunspell answer. The programs are scripts written here. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "cmd/spelling.h"
#include "tools/compile/compile.h"
#include "tools/compile/ptxas.h"

/* --- fixtures ----------------------------------------------------------------------------------------------------- */

static char folder[] = "/tmp/simttutor-cmd-XXXXXX";
static struct cmd_ctx ctx;

static int new_folder(void **state)
{
	(void)state;
	strcpy(folder + sizeof folder - 7, "XXXXXX");
	ctx = (struct cmd_ctx){.arena = arena_new()};
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	char command[100];
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	unsetenv("PTXAS");
	unsetenv("HUNSPELL");
	diag_free(&ctx.diag);
	arena_free(ctx.arena);
	return system(command);
}

/* Writes FOLDER/name; its path. */
static const char *write_file(const char *name, const char *text)
{
	const char *path = path_join(ctx.arena, folder, name);
	assert_true(file_write(path, text, strlen(text), &ctx.diag));
	return path;
}

/* A shell script that stands in for `program`, a variable of the environment. */
static void stand_in(const char *variable, const char *script)
{
	const char *path = write_file(variable, script);
	assert_int_equal(chmod(path, 0755), 0);
	setenv(variable, path, 1);
}

static void make_folder(const char *name)
{
	assert_int_equal(mkdir(path_join(ctx.arena, folder, name), 0755), 0);
}

static const char *message(size_t index)
{
	return index < ctx.diag.count ? ctx.diag.entries[index].message : "";
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in '%s'", part, text);
}

/* --- source and headers ------------------------------------------------------------------------------------------- */

static void headers_travel_once_and_by_absolute_names(void **state)
{
	(void)state;
	make_folder("deep");
	make_folder("ours");
	write_file("ours/simt.h", "// ours\n");
	write_file("deep/one.h", "#include \"two.h\"\n");
	const char *near = write_file("deep/two.h", "// beside one.h\n");
	write_file("two.h", "// beside the source\n");
	const char *path = write_file("k.cu",
		"#include <simt.h>\n"
		"  #  include \"deep/one.h\" // here\n"
		"#include \"two.h\"\n"
		"#include \"two.h\"\n"
		"#include <cstdio>\n"
		"#include \"not_there.h\"\n"
		"// #include \"two.h\"\n"
		"#define X 1");
	struct cuda_source *source = cuda_source_read(
		cmd_compile_ctx(&ctx), path, path_join(ctx.arena, folder, "ours"));
	assert_non_null(source);
	assert_int_equal(source->n, 5);
	assert_string_equal(source->files[0].shown, path);
	const char *sent = source->files[0].sent;
	assert_has(sent, "/deep/one.h\" // here\n");
	assert_has(sent, "#include <cstdio>\n#include \"not_there.h\"\n// #include \"two.h\"\n#define X 1");
	assert_null(strstr(sent, "<simt.h>"));
	for (int i = 1; i < source->n; i++)
		assert_int_equal(source->files[i].file[0], '/');
	bool found = false;
	for (int i = 1; i < source->n; i++)
		found |= strcmp(source->files[i].shown, near) == 0 &&
			!strcmp(source->files[i].text, "// beside one.h\n");
	assert_true(found);
}

static void headers_that_include_each_other_are_read_once(void **state)
{
	(void)state;
	write_file("a.h", "#pragma once\n#include \"b.h\"\n");
	write_file("b.h", "#pragma once\n#include \"a.h\"\n");
	struct cuda_source *source = cuda_source_read(
		cmd_compile_ctx(&ctx), write_file("k.cu", "#include \"a.h\"\n"), folder);
	assert_non_null(source);
	assert_int_equal(source->n, 3);
}

static void too_many_headers_are_refused(void **state)
{
	(void)state;
	struct buf text = {0};
	for (int i = 0; i <= WIRE_HEADERS_MAX; i++) {
		const char *name = arena_printf(ctx.arena, "h%d.h", i);
		write_file(name, "");
		buf_printf(&text, "#include \"%s\"\n", name);
	}
	assert_null(cuda_source_read(cmd_compile_ctx(&ctx), write_file("k.cu", buf_str(&text)), folder));
	assert_has(message(0), "headers");
	buf_free(&text);
}

static void a_source_that_is_not_there_is_an_error(void **state)
{
	(void)state;
	assert_null(cuda_source_read(cmd_compile_ctx(&ctx), path_join(ctx.arena, folder, "none.cu"), folder));
	assert_int_equal(ctx.diag.errors, 1);
}

/* --- messages of NVRTC -------------------------------------------------------------------------------------------- */

static void messages_keep_their_places(void **state)
{
	(void)state;
	const char *path = write_file("k.cu", "int a;\n\tint b = c;\n");
	struct cuda_source *source = cuda_source_read(cmd_compile_ctx(&ctx), path, folder);
	const char *log = arena_printf(ctx.arena,
		"%s(2): error: identifier \"c\" is undefined\n"
		"  \tint b = c;\n"
		"  \t        ^\n"
		"\n"
		"%s(1): warning #177-D: variable \"a\"\n"
		"            was never used\n"
		"  int a;\n"
		"      ^\n"
		"          detected during something\n"
		"\n"
		"other.h(7): remark: as well\n"
		"\n"
		"1 error detected in the compilation of \"k.cu\".\n",
		source->files[0].file, source->files[0].file);
	assert_true(cuda_source_report(cmd_compile_ctx(&ctx), source, log));
	assert_int_equal(ctx.diag.count, 3);
	const struct diag_entry *e = ctx.diag.entries;
	assert_true(e[0].severity == DIAG_ERROR && e[0].line == 2 && e[0].col == 10);
	assert_string_equal(e[0].file, path);
	assert_string_equal(e[0].message, "identifier \"c\" is undefined");
	assert_string_equal(e[0].source, "\tint b = c;");
	assert_true(e[1].severity == DIAG_WARNING && e[1].line == 1 && e[1].col == 5);
	assert_string_equal(e[1].message, "variable \"a\" was never used; detected during something");
	assert_true(e[2].severity == DIAG_NOTE && e[2].line == 7 && e[2].col == 0);
	assert_string_equal(e[2].file, "other.h");
}

static void a_log_without_an_error_is_recognized(void **state)
{
	(void)state;
	struct cuda_source *source = cuda_source_read(cmd_compile_ctx(&ctx), write_file("k.cu", ""), folder);
	assert_false(cuda_source_report(cmd_compile_ctx(&ctx), source, "k.cu(1): warning: so so\n\n"));
	assert_false(cuda_source_report(
		cmd_compile_ctx(&ctx), source, "nvrtc: something (7) else\nx(y): error\nk.cu(1) error: no colon\n"));
	assert_int_equal(ctx.diag.count, 1);
	assert_true(
		cuda_source_report(cmd_compile_ctx(&ctx), source, "a (b)(3): catastrophic error: odd names are names"));
	assert_string_equal(ctx.diag.entries[1].file, "a (b)");
}

/* --- ptxas -------------------------------------------------------------------------------------------------------- */

static struct ptxas_usage assemble(const char *script, const char *target, int cc)
{
	struct buf ptx = {0};
	stand_in("PTXAS", script);
	buf_printf(&ptx, ".version 8.0\n.target %s\n.entry k() { ret; }\n", target);
	struct ptxas_usage usage = ptxas_usage(cmd_compile_ctx(&ctx), &ptx, "k", cc);
	buf_free(&ptx);
	return usage;
}

static void ptxas_reports_registers_and_barriers(void **state)
{
	(void)state;
	struct ptxas_usage usage = assemble(
		"#!/bin/sh\necho 'ptxas info    : Used 41 registers, used 3 barriers, 2048 bytes smem'\n", "sm_75", 75);
	assert_null(usage.why);
	assert_true(usage.registers == 41 && usage.barriers == 3);
	usage = assemble("#!/bin/sh\necho 'ptxas info : Used 8 registers'\n", "sm_75", 75);
	assert_true(!usage.why && usage.registers == 8 && usage.barriers == 0);
}

static void ptxas_gets_the_architecture_that_the_ptx_asks_for(void **state)
{
	(void)state;
	static const char script[] = "#!/bin/sh\necho \"fatal : $3 $5\"\nexit 1\n";
	assert_has(assemble(script, "sm_90a", 90).why, "for CC 9.0: sm_90a k");
	assert_has(assemble(script, "sm_90a", 100).why, "for CC 10.0: sm_100 k");
	assert_has(assemble(script, "sm_75", 90).why, "for CC 9.0: sm_90 k");
	assert_has(assemble(script, "sm_99999999999999999999a", 90).why, "for CC 9.0: sm_90 k");
}

static const char *why_no_listing(const char *disassembler)
{
	struct buf ptx = {0};
	const char *why = NULL;
	stand_in("PTXAS", "#!/bin/sh\necho 'ptxas info : Used 8 registers'\necho no cubin > kernel.cubin\n");
	setenv("NVDISASM", disassembler, 1);
	buf_puts(&ptx, ".version 8.0\n.target sm_75\n.entry k() { ret; }\n");
	assert_null(ptxas_listing(cmd_compile_ctx(&ctx), &ptx, "k", 75, &why));
	buf_free(&ptx);
	unsetenv("NVDISASM");
	return why;
}

static void without_machine_code_there_is_no_listing(void **state)
{
	(void)state;
	assert_string_equal(why_no_listing(":"), "the cubin that ptxas wrote is not understood");
	struct ptxas_usage usage = assemble(
		"#!/bin/sh\necho 'ptxas info : Function properties for k'\n"
		"echo '    40 bytes stack frame, 24 bytes spill stores, 20 bytes spill loads'\n"
		"echo 'ptxas info : Used 8 registers'\n",
		"sm_75", 75);
	assert_true(usage.stack == 40 && usage.spill_stores == 24 && usage.spill_loads == 20);
}

static void ptxas_may_be_missing_or_silent(void **state)
{
	(void)state;
	assert_string_equal(assemble("#!/bin/sh\n", "sm_75", 75).why, "ptxas does not report them");
	struct buf ptx = {0};
	setenv("PTXAS", ":", 1);
	assert_string_equal(ptxas_usage(cmd_compile_ctx(&ctx), &ptx, "k", 90).why, "there is no ptxas");
	setenv("PTXAS", "/nonexistent/ptxas", 1);
	assert_string_equal(ptxas_usage(cmd_compile_ctx(&ctx), &ptx, "k", 90).why,
		"PTXAS names '/nonexistent/ptxas', which does not exist");
	setenv("PTXAS", "/usr", 1);
	assert_string_equal(
		ptxas_usage(cmd_compile_ctx(&ctx), &ptx, "k", 90).why, "PTXAS names '/usr', which is a folder");
	assert_int_equal(ctx.diag.count, 0);
}

/* --- hunspell ----------------------------------------------------------------------------------------------------- */

/* Answers like hunspell -l: the words of its last argument, a file, that are wrong, each time they occur. */
static const char hunspell[] =
	"#!/bin/sh\nfor file; do :; done\ntr -cs 'A-Za-z' '\\n' < \"$file\" | grep -x -e wrod -e thsi\ntrue\n";

static void misspelled_words_are_reported_with_their_step(void **state)
{
	(void)state;
	struct span spans[] = {{.style = SPAN_PLAIN, .text = "A thsi here and "}, {.style = SPAN_CODE, .text = "wrod"}};
	struct block block = {.kind = BLOCK_PARAGRAPH, .spans = spans, .n_spans = 2};
	struct step steps[] = {{.id = "first", .title = "The wrod"}, {.id = "second", .title = "Fine"}};
	struct lesson lesson = {.path = "x/lesson.md", .title = "A wrod", .steps = steps, .n_steps = 2};
	lesson.summary = "code is `thsi` and not a word";
	steps[1].text = (struct text){.blocks = &block, .n_blocks = 1};
	ctx.paths.data = folder;
	stand_in("HUNSPELL", hunspell);
	assert_null(spelling_absence(&ctx));
	spelling_check(&ctx, &lesson);
	assert_int_equal(ctx.diag.errors, 3);
	assert_has(message(0), "front matter: the word 'wrod'");
	assert_has(message(1), "step first: the word 'wrod'");
	assert_has(message(2), "step second: the word 'thsi'");
	assert_string_equal(ctx.diag.entries[0].file, "x/lesson.md");
}

static void spelling_needs_hunspell_and_its_dictionary(void **state)
{
	(void)state;
	ctx.paths.data = folder;
	setenv("HUNSPELL", ":", 1);
	assert_string_equal(spelling_absence(&ctx), "there is no hunspell");
	setenv("HUNSPELL", "no-hunspell", 1);
	assert_string_equal(spelling_absence(&ctx), "HUNSPELL names 'no-hunspell', which is not in PATH");
	stand_in("HUNSPELL", "#!/bin/sh\nexit 1\n");
	assert_has(spelling_absence(&ctx), "no dictionary");
	stand_in("HUNSPELL", "#!/bin/sh\necho color\n");
	assert_has(spelling_absence(&ctx), "no dictionary");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, new_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(headers_travel_once_and_by_absolute_names),
		TEST(headers_that_include_each_other_are_read_once),
		TEST(too_many_headers_are_refused),
		TEST(a_source_that_is_not_there_is_an_error),
		TEST(messages_keep_their_places),
		TEST(a_log_without_an_error_is_recognized),
		TEST(ptxas_reports_registers_and_barriers),
		TEST(ptxas_gets_the_architecture_that_the_ptx_asks_for),
		TEST(ptxas_may_be_missing_or_silent),
		TEST(without_machine_code_there_is_no_listing),
		TEST(misspelled_words_are_reported_with_their_step),
		TEST(spelling_needs_hunspell_and_its_dictionary),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
