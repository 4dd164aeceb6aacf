/* The command line: how options are read, what values they take, which exit status comes of it, and what is printed. */
#include "config.h"

#include <setjmp.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "cmd/access.h"
#include "cmd/cmd.h"
#include "cmd/json.h"
#include "cmd/picture.h"
#include "cmd/run.h"

/* --- fixtures ----------------------------------------------------------------------------------------------------- */

static int new_context(void **state)
{
	struct cmd_ctx *ctx = calloc(1, sizeof *ctx);
	ctx->arena = arena_new();
	*state = ctx;
	return 0;
}

static int free_context(void **state)
{
	struct cmd_ctx *ctx = *state;
	diag_free(&ctx->diag);
	arena_free(ctx->arena);
	free(ctx);
	return 0;
}

static const char *message(const struct cmd_ctx *ctx, size_t index)
{
	return index < ctx->diag.count ? ctx->diag.entries[index].message : "";
}

/* Not inline: gcc 12 takes a failure that cannot be for one with a null argument. */
__attribute__((noinline)) static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in '%s'", part, text);
}

static void forget_messages(struct cmd_ctx *ctx)
{
	diag_free(&ctx->diag);
	ctx->diag = (struct diag){0};
}

/* What a whole command line printed, and its exit status. */
struct outcome {
	int status;
	struct buf out, err;
};

static int redirect(int fd, FILE *file)
{
	int kept = dup(fd);
	dup2(fileno(file), fd);
	return kept;
}

static void restore(int fd, int kept, FILE *file, struct buf *text)
{
	char bytes[4096];
	dup2(kept, fd);
	close(kept);
	rewind(file);
	for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0;)
		buf_append(text, bytes, n);
	fclose(file);
}

static struct outcome command(const char *first, ...)
{
	struct outcome outcome = {0};
	char name[] = "simttutor", *argv[16] = {name};
	int argc = 1;
	va_list args;
	va_start(args, first);
	for (const char *arg = first; arg; arg = va_arg(args, const char *))
		argv[argc++] = strdup(arg);
	va_end(args);
	fflush(stdout);
	fflush(stderr);
	FILE *out = tmpfile(), *err = tmpfile();
	assert_true(out && err);
	int kept_out = redirect(STDOUT_FILENO, out), kept_err = redirect(STDERR_FILENO, err);
	char *given[16];
	memcpy(given, argv, sizeof given); /* cmd_main moves them about */
	outcome.status = cmd_main(argc, argv);
	fflush(stdout);
	fflush(stderr);
	restore(STDOUT_FILENO, kept_out, out, &outcome.out);
	restore(STDERR_FILENO, kept_err, err, &outcome.err);
	for (int i = 1; i < argc; i++)
		free(given[i]);
	return outcome;
}

static void free_outcome(struct outcome *outcome)
{
	buf_free(&outcome->out);
	buf_free(&outcome->err);
}

#define ASSERT_COMMAND(wanted, out_has, err_has, ...)                                                                  \
	do {                                                                                                           \
		struct outcome outcome_ = command(__VA_ARGS__, NULL);                                                  \
		assert_has(buf_str(&outcome_.out), out_has);                                                           \
		assert_has(buf_str(&outcome_.err), err_has);                                                           \
		assert_int_equal(outcome_.status, wanted);                                                             \
		free_outcome(&outcome_);                                                                               \
	} while (0)

/* --- options ------------------------------------------------------------------------------------------------------ */

static void options_are_read_in_every_spelling(void **state)
{
	(void)state;
	static const char *const said = "\"wavefronts\": 2";
	ASSERT_COMMAND(EXIT_OK, said, "", "access", "--space", "shared", "--op", "ld", "--format", "json", "lane*2");
	ASSERT_COMMAND(EXIT_OK, said, "", "access", "--space=shared", "--op=ld", "--format=json", "lane*2");
	ASSERT_COMMAND(EXIT_OK, said, "", "access", "lane*2", "--space", "shared", "--op", "ld", "--format", "json");
	ASSERT_COMMAND(EXIT_OK, said, "", "access", "--sp", "shared", "--op", "ld", "--fo", "json", "--", "lane*2");
}

static void an_argument_after_two_dashes_is_not_an_option(void **state)
{
	(void)state;
	ASSERT_COMMAND(EXIT_OK, "\"wavefronts\": 1", "", "access", "--space=shared", "--op=ld", "--format=json", "--",
		"-lane + 31");
}

static void wrong_options_are_named(void **state)
{
	(void)state;
	ASSERT_COMMAND(EXIT_USAGE, "", "access: unknown or ambiguous option '--frob'", "access", "--frob");
	ASSERT_COMMAND(EXIT_USAGE, "", "unknown or ambiguous option '--s'", "run", "--s", "1");
	ASSERT_COMMAND(EXIT_USAGE, "", "access: unknown option '-l'", "access", "-lane");
	ASSERT_COMMAND(EXIT_USAGE, "", "goes after '--'", "access", "-lane");
	ASSERT_COMMAND(EXIT_USAGE, "", "show: option '--view' needs a value", "show", "--view");
	ASSERT_COMMAND(EXIT_USAGE, "", "usage: simttutor show", "show", "--view");
}

static void global_options_may_come_before_the_command(void **state)
{
	(void)state;
	ASSERT_COMMAND(EXIT_OK, "simttutor ", "", "--gpu", "none", "--version");
	ASSERT_COMMAND(EXIT_OK, "simttutor ", "", "--gpu=none", "-V");
	ASSERT_COMMAND(EXIT_OK, "usage: simttutor [--gpu SPEC]", "", "--gpu=none", "--help");
	ASSERT_COMMAND(EXIT_USAGE, "", "frob", "--gpu", "frob", "access", "--space=shared", "--op=ld", "lane");
	ASSERT_COMMAND(EXIT_OK, "wavefronts", "", "--gpu", "none", "access", "--space=shared", "--op=ld",
		"--format=json", "lane");
}

static void an_unknown_command_is_refused(void **state)
{
	(void)state;
	ASSERT_COMMAND(EXIT_USAGE, "", "there is no command 'frob'; `simttutor help` lists them", "frob");
}

/* --- help --------------------------------------------------------------------------------------------------------- */

/* Blanks and newlines are one blank each. */
static void flatten(struct buf *text)
{
	size_t n = 0;
	for (size_t i = 0; i < text->len; i++) {
		bool blank = text->data[i] == ' ' || text->data[i] == '\n';
		if (!blank || (n && text->data[n - 1] != ' '))
			text->data[n++] = blank ? ' ' : text->data[i];
	}
	text->data[text->len = n] = '\0';
}

/* Those that a group names are options, and have their beginning in the help. */
static void options_are_there(const struct cmd_entry *entry, const char *names, const char *help)
{
	char name[64];
	for (const char *at = names; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
		const struct cmd_option *o = entry->options;
		snprintf(name, sizeof name, "%.*s", (int)strcspn(at, " "), at);
		while (o->name && strcmp(o->name, name) != 0)
			o++;
		assert_non_null(o->name);
		char *begins = strndup(o->help, strcspn(o->help, ".;"));
		assert_has(help, begins);
		free(begins);
	}
}

static void every_command_has_its_help(void **state)
{
	(void)state;
	struct buf all = {0};
	cmd_help_all(&all);
	for (int i = 0; cmd_table[i]; i++) {
		const struct cmd_entry *entry = cmd_table[i];
		struct buf one = {0};
		cmd_help_one(entry, &one);
		assert_has(buf_str(&all), entry->summary);
		flatten(&one);
		if (!entry->groups && !entry->examples)
			assert_has(buf_str(&one), entry->usage);
		for (const struct cmd_option *o = entry->options; o && o->name && !entry->groups; o++) {
			assert_has(buf_str(&one), o->name);
			assert_has(buf_str(&one), o->help);
			assert_true(!o->arg || strstr(buf_str(&one), o->arg));
		}
		for (const struct cmd_group *g = entry->groups; g && g->title; g++)
			options_are_there(entry, g->options, buf_str(&one));
		for (const struct cmd_option *o = cmd_global_options; o->name && !entry->verbatim; o++)
			assert_has(buf_str(&one), o->name); /* those of a compiler are its own */
		buf_free(&one);
	}
	buf_free(&all);
}

static size_t columns(const char *line)
{
	size_t n = 0;
	for (; *line; line++)
		n += (*line & 0xC0) != 0x80; /* not the rest of a letter in UTF-8 */
	return n;
}

static void help_lines_fit_a_terminal_but_for_options(void **state)
{
	(void)state;
	for (int i = 0; cmd_table[i]; i++) {
		struct buf text = {0};
		cmd_help_one(cmd_table[i], &text);
		bool examples = cmd_table[i]->examples != NULL;
		char *options = strstr(text.data, examples ? "\nusage:" : "\noptions:");
		assert_non_null(options);
		*options = '\0';
		char *line = strchr(text.data, '\n'); /* the usage is one line, and so is the line of an example */
		for (line = strtok(line, "\n"); line; line = strtok(NULL, "\n"))
			assert_true(columns(line) <= 78 || strncmp(line, "  simttutor ", 12) == 0);
		buf_free(&text);
	}
}

static void sections_of_the_manual_are_made_by_name(void **state)
{
	(void)state;
	static const char *const sections[] = {"commands", "keys", "views", "phases", "latencies", "errors"};
	struct buf text = {0};
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
		text.len = 0;
		assert_true(cmd_help_man(sections[i], &text));
		assert_has(buf_str(&text), ".It ");
	}
	assert_false(cmd_help_man("frob", &text));
	buf_free(&text);
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static void whole_numbers_have_bounds(void **state)
{
	struct cmd_ctx *ctx = *state;
	static const struct cmd_option option = {"count", 0, "N", "how many"};
	static const struct {
		const char *text;
		bool ok;
		uint64_t value;
	} rows[] = {{"3", true, 3}, {"10", true, 10}, {"0x0A", true, 10}, {"2", false, 0}, {"11", false, 0},
		{"", false, 0}, {"-5", false, 0}, {"+5", false, 0}, {" 5", false, 0}, {"5x", false, 0},
		{"99999999999999999999999", false, 0}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint64_t value;
		const struct cmd_parsed arg = {&option, rows[i].text};
		assert_int_equal(cmd_whole(ctx, &arg, 3, 10, &value), rows[i].ok);
		if (rows[i].ok)
			assert_int_equal(value, rows[i].value);
		else
			assert_string_equal(message(ctx, ctx->diag.count - 1), "expected a whole number from 3 to 10");
	}
	assert_string_equal(ctx->diag.entries[0].file, "--count");
}

static void sizes_are_columns_by_rows(void **state)
{
	struct cmd_ctx *ctx = *state;
	static const char *const wrong[] = {"", "80", "80x", "x24", "80x24x", "80x24 ", "19x24", "80x4", "1001x24",
		"80x1001", "-80x24", "99999999999x24"};
	int cols = 1, rows = 2;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_false(cmd_size(ctx, wrong[i], &cols, &rows));
	assert_true(cols == 1 && rows == 2);
	assert_int_equal(ctx->diag.errors, sizeof wrong / sizeof *wrong);
	assert_true(cmd_size(ctx, "20x5", &cols, &rows) && cols == 20 && rows == 5);
	assert_true(cmd_size(ctx, "1000x1000", &cols, &rows) && cols == 1000 && rows == 1000);
}

static void compute_capabilities_have_a_point_or_not(void **state)
{
	struct cmd_ctx *ctx = *state;
	static const char *const wrong[] = {"", "9", "9.", "9.00", "9.0a", "-9.0", "0.5", "999.0", "49", "200", "20.0"};
	int cc;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_false(cmd_cc(ctx, wrong[i], &cc));
	assert_true(cmd_cc(ctx, "9.0", &cc) && cc == 90);
	assert_true(cmd_cc(ctx, "86", &cc) && cc == 86);
	assert_true(cmd_cc(ctx, "12.1", &cc) && cc == 121);
	assert_true(cmd_cc(ctx, "5.0", &cc) && cc == 50);
	assert_true(cmd_cc(ctx, "199", &cc) && cc == 199);
}

static void usage_errors_say_which_command(void **state)
{
	struct cmd_ctx *ctx = *state;
	assert_int_equal(cmd_usage(ctx, cmd_table[0], "%d things", 3), EXIT_USAGE);
	assert_has(message(ctx, 0), cmd_table[0]->name);
	assert_has(message(ctx, 0), "3 things");
	assert_has(message(ctx, 1), cmd_table[0]->usage);
}

/* --- pictures ----------------------------------------------------------------------------------------------------- */

static void formats_are_chosen_by_name_or_by_the_terminal(void **state)
{
	struct cmd_ctx *ctx = *state;
	int format;
	assert_true(picture_format(ctx, "svg", &format) && format == CANVAS_FORMAT_SVG);
	assert_true(picture_format(ctx, "json", &format) && format == PICTURE_JSON);
	assert_false(picture_format(ctx, "pdf", &format));
	assert_string_equal(message(ctx, 0), "expected " PICTURE_FORMATS);
	ctx->color = true;
	assert_int_equal(picture_choose(ctx, PICTURE_DEFAULT), CANVAS_FORMAT_ANSI);
	assert_int_equal(picture_choose(ctx, CANVAS_FORMAT_HTML), CANVAS_FORMAT_HTML);
	ctx->color = false;
	assert_int_equal(picture_choose(ctx, PICTURE_DEFAULT), CANVAS_FORMAT_TEXT);
}

static void empty_rows_at_the_end_are_cut(void **state)
{
	struct cmd_ctx *ctx = *state;
	struct canvas *canvas = canvas_new(30, 8);
	struct buf text = {0};
	canvas_put(canvas, 2, 3, 'x', ROLE_LANE);
	picture_crop(canvas);
	assert_int_equal(canvas->rows, 3);
	picture_write(ctx, canvas, CANVAS_FORMAT_TEXT, "title", &text);
	assert_string_equal(buf_str(&text), "\n\n   x\n");
	buf_free(&text);
	canvas_free(canvas);
	canvas = canvas_new(30, 8);
	picture_crop(canvas);
	assert_int_equal(canvas->rows, 1);
	canvas_free(canvas);
}

static void an_explicit_format_has_colors_unless_no_color_forbids(void **state)
{
	struct cmd_ctx *ctx = *state;
	struct canvas *canvas = canvas_new(20, 5);
	struct buf text = {0};
	canvas_put(canvas, 0, 0, 'x', ROLE_CONFLICT);
	unsetenv("NO_COLOR");
	picture_write(ctx, canvas, CANVAS_FORMAT_ANSI, "title", &text);
	assert_has(buf_str(&text), "38;5;");
	text.len = 0;
	setenv("NO_COLOR", "1", 1);
	picture_write(ctx, canvas, CANVAS_FORMAT_ANSI, "title", &text);
	assert_null(strstr(buf_str(&text), "38;5;"));
	unsetenv("NO_COLOR");
	buf_free(&text);
	canvas_free(canvas);
}

/* --- accesses ----------------------------------------------------------------------------------------------------- */

static struct warp_access shared_load(uint8_t width)
{
	return (struct warp_access){.space = SPACE_SHARED, .op = ACCESS_LOAD, .width = width};
}

static void an_expression_gives_each_lane_its_element(void **state)
{
	struct cmd_ctx *ctx = *state;
	struct warp_access access = shared_load(8);
	assert_true(cmd_access_parse_expr(ctx->arena, "(lane ^ 1) * 3 + (lane > 30)", &access, &ctx->diag));
	assert_int_equal(access.active, UINT32_MAX);
	for (unsigned lane = 0; lane < 32; lane++)
		assert_int_equal(access.address[lane], ((lane ^ 1) * 3 + (lane > 30)) * 8);
}

static void an_element_must_be_in_memory(void **state)
{
	struct cmd_ctx *ctx = *state;
	static const struct {
		enum mem_space space;
		const char *text, *fault;
	} rows[] = {
		{SPACE_SHARED, "lane - 1", "lane 0: element -1 is before the start of memory"},
		{SPACE_SHARED, "1 / lane", "lane 0: division by zero"},
		{SPACE_SHARED, "lane * 2048", "lane 29: bytes from 237568 on are past"},
		{SPACE_GLOBAL, "0x7FFFFFFFFFFFFFFF", "is past the 2^48 bytes that addresses reach"},
		{SPACE_GLOBAL, "(1 << 46) - 1", NULL},
		{SPACE_GLOBAL, "1 << 46", "lane 0: byte 281474976710656 is past the 2^48"},
		{SPACE_SHARED, "lane *", "expected"},
		{SPACE_SHARED, "thread", "unknown name 'thread'"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct warp_access access = shared_load(4);
		access.space = rows[i].space;
		bool ok = cmd_access_parse_expr(ctx->arena, rows[i].text, &access, &ctx->diag);
		assert_int_equal(ok, !rows[i].fault);
		if (rows[i].fault)
			assert_has(message(ctx, ctx->diag.count - 1), rows[i].fault);
		forget_messages(ctx);
	}
}

/* `n` offsets of 4 bytes each, and `rest`. */
static const char *offsets(struct cmd_ctx *ctx, int n, const char *rest)
{
	struct buf text = {0};
	for (int i = 0; i < n; i++)
		buf_printf(&text, "%s%d", i ? "," : "", 4 * i);
	const char *copy = arena_printf(ctx->arena, "%s%s", buf_str(&text), rest);
	buf_free(&text);
	return copy;
}

static void offsets_name_every_lane(void **state)
{
	struct cmd_ctx *ctx = *state;
	struct warp_access access = shared_load(4);
	assert_true(cmd_access_parse_offsets(offsets(ctx, 32, ""), &access, &ctx->diag));
	assert_int_equal(access.active, UINT32_MAX);
	assert_int_equal(access.address[31], 124);
	assert_true(cmd_access_parse_offsets(offsets(ctx, 30, " , -\t-  "), &access, &ctx->diag));
	assert_int_equal(access.active, UINT32_MAX >> 2);
	assert_true(cmd_access_parse_offsets(offsets(ctx, 30, " - 0x40"), &access, &ctx->diag));
	assert_int_equal(access.active, UINT32_MAX >> 2 | 1u << 31);
	assert_int_equal(access.address[31], 64);
}

static void wrong_offsets_are_pointed_at(void **state)
{
	struct cmd_ctx *ctx = *state;
	static const struct {
		int before;
		const char *rest, *fault;
	} rows[] = {
		{3, "", "3 offsets; a warp has 32 lanes"},
		{1, "", "1 offset; a warp has 32 lanes"},
		{32, ",4", "more than 32 offsets"},
		{2, ",6", "lane 2: byte 6 is not a multiple of the width, 4 bytes"},
		{1, ",-4", "lane 1: an offset is 0 or more"},
		{1, ",,4", "lane 1: expected a byte offset"},
		{1, ",4k", "lane 1: expected a byte offset"},
		{1, ",99999999999999999999", "lane 1: bytes from 18446744073709551615 on are past"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct warp_access access = shared_load(4);
		assert_false(cmd_access_parse_offsets(offsets(ctx, rows[i].before, rows[i].rest), &access, &ctx->diag));
		assert_has(message(ctx, 0), rows[i].fault);
		forget_messages(ctx);
	}
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

/* Reads "NAME VALUE NAME VALUE ... FILE" as `simttutor run` does. */
static bool read_launch(struct cmd_ctx *ctx, struct run *run, const char *line)
{
	struct cmd_parsed args[32];
	int n = 0;
	*run = (struct run){.ctx = ctx, .entry = cmd_table[0]};
	char *copy = arena_strdup(ctx->arena, line), *save = NULL;
	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		const struct cmd_option *option = run_options;
		while (option->name && strcmp(option->name, word) != 0)
			option++;
		args[n++] = option->name ? (struct cmd_parsed){option, option->arg ? strtok_r(NULL, " ", &save) : NULL}
					 : (struct cmd_parsed){NULL, word};
	}
	return run_read(run, args, n);
}

static void a_launch_is_read_from_its_options(void **state)
{
	struct cmd_ctx *ctx = *state;
	struct run run;
	assert_true(read_launch(ctx, &run,
		"k.ptx kernel k grid 2,3 block 32,2,1 shared 0x100 arg u32:7 arg f32[4] print 1 warp 5:1 line 9 "
		"steps 1000 cc 8.6 registers 40 define N=1 define M live format json stop-after 2 cores 3"));
	assert_string_equal(run.file, "k.ptx");
	assert_string_equal(run.kernel, "k");
	assert_int_equal(run.launch.grid[0] * run.launch.grid[1] * run.launch.grid[2], 6);
	assert_int_equal(run.launch.block[0], 32);
	assert_int_equal(run.launch.block[1], 2);
	assert_int_equal(run.launch.shared, 256);
	assert_int_equal(run.launch.n_args, 2);
	assert_true(run.n_prints == 1 && run.prints[0].argument == 1 && run.picture && run.live && run.cc_given);
	assert_true(run.watch.block == 5 && run.watch.warp == 1 && run.watch.line == 9 && run.watch.steps == 1000);
	assert_true(run.cc == 86 && run.registers == 40 && run.n_defines == 2 && run.format == PICTURE_JSON);
	assert_true(run.watch.defects == 2 && run.watch.cores == 3);
}

static void checks_are_a_list_of_names(void **state)
{
	struct cmd_ctx *ctx = *state;
	struct run run;
	assert_true(read_launch(ctx, &run, "k.ptx grid 1 block 1 check race,bounds"));
	assert_int_equal(run.watch.checks, SIMT_CHECK_RACE | SIMT_CHECK_BOUNDS);
	assert_true(read_launch(ctx, &run, "k.ptx grid 1 block 1 check none"));
	assert_int_equal(run.watch.checks, SIMT_CHECK_NONE);
	assert_true(read_launch(ctx, &run, "k.ptx grid 1 block 1 check all"));
	assert_int_equal(run.watch.checks, SIMT_CHECK_ALL);
	assert_false(read_launch(ctx, &run, "k.ptx grid 1 block 1 check race,"));
	assert_false(read_launch(ctx, &run, "k.ptx grid 1 block 1 check rac"));
}

static void wrong_launches_are_refused(void **state)
{
	struct cmd_ctx *ctx = *state;
	static const struct {
		const char *line, *fault;
	} rows[] = {
		{"grid 1 block 1", "which file?"},
		{"k.ptx other.ptx grid 1 block 1", "'other.ptx' is a second one"},
		{"k.ptx block 1", "--grid is missing"},
		{"k.ptx grid 1", "--block is missing"},
		{"k.ptx grid 1 block 32 print 0", "there is no argument 0"},
		{"k.ptx grid 1 block 32 arg u32:1 print 0", "argument 0 is a single value"},
		{"k.ptx grid 1 block 32 warp 0:1", "--warp 0:1 is not in this launch"},
		{"k.ptx grid 1 block 33 warp 0:2", "--warp 0:2 is not in this launch"},
		{"k.ptx grid 2 block 32 warp 2:0", "--warp 2:0 is not in this launch"},
		{"k.ptx grid 1 block 32 warp 0", "expected BLOCK:WARP"},
		{"k.ptx grid 1 block 32 warp 0:32", "expected BLOCK:WARP"},
		{"k.ptx grid 1 block 32 warp 4294967296:0", "expected BLOCK:WARP"},
		{"k.ptx grid 1 block 32 define 1N", "NAME or NAME=VALUE"},
		{"k.ptx grid 1 block 32 define =1", "NAME or NAME=VALUE"},
		{"k.ptx grid 1 block 32 view frob", "schedule, blocks or mask"},
		{"k.ptx grid 1 block 32 format svg", "text or json"},
		{"k.ptx grid 1 block 32 registers 65536", "from 1 to 65535"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct run run;
		assert_false(read_launch(ctx, &run, rows[i].line));
		assert_has(message(ctx, 0), rows[i].fault);
		forget_messages(ctx);
	}
	struct run run;
	assert_true(read_launch(ctx, &run, "k.ptx grid 1 block 33 warp 0:1"));
}

static void there_is_an_end_of_arguments_and_macros(void **state)
{
	struct cmd_ctx *ctx = *state;
	struct run run = {.ctx = ctx, .entry = cmd_table[0]};
	run.launch.args = run.args;
	static const struct cmd_option arg = {"arg", 'a', "ARG", ""}, define = {"define", 'D', "NAME", ""};
	for (int i = 0; i < LAUNCH_ARGS_MAX; i++)
		assert_true(run_read_option(&run, &(struct cmd_parsed){&arg, "u32:1"}));
	assert_false(run_read_option(&run, &(struct cmd_parsed){&arg, "u32:1"}));
	for (int i = 0; i < WIRE_DEFINES_MAX; i++)
		assert_true(run_read_option(&run, &(struct cmd_parsed){&define, "N"}));
	assert_false(run_read_option(&run, &(struct cmd_parsed){&define, "N"}));
	assert_string_equal(message(ctx, 0), "expected at most 64 arguments");
	assert_string_equal(message(ctx, 1), "expected at most 64 macros");
}

/* What a worker says it counted need not be a count. */
static void counts_that_are_none_are_no_integers(void **state)
{
	(void)state;
	static const struct {
		double v;
		json_type type;
	} rows[] = {{7, JSON_INTEGER}, {-1, JSON_INTEGER}, {0x1p53, JSON_INTEGER}, {1e300, JSON_REAL},
		{-1e300, JSON_REAL}, {INFINITY, JSON_NULL}, {NAN, JSON_NULL}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct line_counts counts = {0};
		json_t *object = json_object();
		counts.c[0] = (struct value){.state = VALUE_OK, .v = rows[i].v};
		cmd_json_set_line_counts(object, &counts);
		const json_t *count = json_object_get(object, line_count_table[0].name);
		assert_int_equal(json_typeof(count), rows[i].type);
		assert_true(json_is_null(count) || json_number_value(count) == rows[i].v);
		json_decref(object);
	}
}

int main(void)
{
	/* each command would confine this one process, which runs many */
	setenv("SIMTTUTOR_CONFINE", "no", 1);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_are_read_in_every_spelling),
		cmocka_unit_test(an_argument_after_two_dashes_is_not_an_option),
		cmocka_unit_test(wrong_options_are_named),
		cmocka_unit_test(global_options_may_come_before_the_command),
		cmocka_unit_test(an_unknown_command_is_refused),
		cmocka_unit_test(every_command_has_its_help),
		cmocka_unit_test(help_lines_fit_a_terminal_but_for_options),
		cmocka_unit_test(sections_of_the_manual_are_made_by_name),
		cmocka_unit_test_setup_teardown(whole_numbers_have_bounds, new_context, free_context),
		cmocka_unit_test_setup_teardown(sizes_are_columns_by_rows, new_context, free_context),
		cmocka_unit_test_setup_teardown(compute_capabilities_have_a_point_or_not, new_context, free_context),
		cmocka_unit_test_setup_teardown(usage_errors_say_which_command, new_context, free_context),
		cmocka_unit_test_setup_teardown(
			formats_are_chosen_by_name_or_by_the_terminal, new_context, free_context),
		cmocka_unit_test_setup_teardown(empty_rows_at_the_end_are_cut, new_context, free_context),
		cmocka_unit_test_setup_teardown(
			an_explicit_format_has_colors_unless_no_color_forbids, new_context, free_context),
		cmocka_unit_test_setup_teardown(an_expression_gives_each_lane_its_element, new_context, free_context),
		cmocka_unit_test_setup_teardown(an_element_must_be_in_memory, new_context, free_context),
		cmocka_unit_test_setup_teardown(offsets_name_every_lane, new_context, free_context),
		cmocka_unit_test_setup_teardown(wrong_offsets_are_pointed_at, new_context, free_context),
		cmocka_unit_test_setup_teardown(a_launch_is_read_from_its_options, new_context, free_context),
		cmocka_unit_test_setup_teardown(checks_are_a_list_of_names, new_context, free_context),
		cmocka_unit_test(counts_that_are_none_are_no_integers),
		cmocka_unit_test_setup_teardown(wrong_launches_are_refused, new_context, free_context),
		cmocka_unit_test_setup_teardown(there_is_an_end_of_arguments_and_macros, new_context, free_context),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
