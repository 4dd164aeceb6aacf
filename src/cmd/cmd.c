#include "config.h"
#include "cmd/cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <jansson.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/portable.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cmd/confined.h"
#include "cmd/course.h"
#include "cmd/json.h"
#include "cmd/lesson.h"
#include "front/canvas/canvas.h"
#include "front/canvas/theme.h"
#include "front/tui/tui.h"
#include "front/tutor/tutor.h"
#include "gpu/client/gpu.h"
#include "tools/compile/compile.h"
#include "tools/sandbox/sandbox.h"

/* --- files that the user names to be written ---------------------------------------------------------------------- */

#define FILE_MAX ((size_t)256 << 20)

bool output_check(struct cmd_ctx *ctx, const struct output *output)
{
	struct stat info;
	bool exists = file_descriptor(output->path) < 0 && stat(output->path, &info) == 0;
	const char *slash = strrchr(output->path, '/');
	file_remove_leftovers(
		slash ? arena_strndup(ctx->arena, output->path, (size_t)(slash + 1 - output->path)) : ".");
	if (!exists || output->force || (S_ISREG(info.st_mode) && info.st_size == 0) || S_ISFIFO(info.st_mode) ||
		S_ISCHR(info.st_mode))
		return true;

	/* Whether the command wrote it, some other time. */
	if (S_ISREG(info.st_mode)) {
		struct diag quiet = {0};
		struct buf text = {0};
		size_t len = strlen(output->mark);
		bool own = file_read(output->path, FILE_MAX, &text, &quiet) && text.len >= len &&
			memcmp(text.data, output->mark, len) == 0;
		buf_free(&text);
		diag_free(&quiet);
		if (own)
			return true;
	}

	const char *kind = file_kind(info.st_mode);
	if (S_ISDIR(info.st_mode) || S_ISSOCK(info.st_mode))
		diag_error(&ctx->diag, (struct diag_pos){.file = output->path}, "cannot write: it is %s", kind);
	else
		diag_error(&ctx->diag, (struct diag_pos){.file = output->path},
			"%s: there is %s already that this command did not write; --force overwrites it",
			output->option, kind ? kind : "a file");
	return false;
}

bool output_write(struct cmd_ctx *ctx, const struct output *output, const struct buf *text)
{
	return output_check(ctx, output) && file_write(output->path, buf_str(text), text->len, &ctx->diag);
}

#define COMMAND(name) extern const struct cmd_entry cmd_##name##_entry;
#include "cmd/commands.def"
#undef COMMAND

const struct cmd_entry *const cmd_table[] = {
#define COMMAND(name) &cmd_##name##_entry,
#include "cmd/commands.def"
#undef COMMAND
	NULL,
};

/* --- the program -------------------------------------------------------------------------------------------------- */

#define OPTIONS_MAX 64

const struct cmd_option cmd_global_options[] = {
	{"gpu", 0, "SPEC",
		N_("where to measure: none, local[:N], ssh:HOST, command:CMD or pool:FILE, which has one of these a line; several are tried in turn")},
	{"gpu-idle", 0, "SECONDS|never",
		N_("let the GPU go after so long without a measurement: 5 10 30 60 120 300 600 1800 3600, or never; 60 for command:CMD")},
	{"theme", 0, "NAME",
		N_("colors:")
#define THEME(id, name, ...) " " name
#include "front/canvas/themes.def"
#undef THEME
			", or auto"},
	{"ascii", 0, "on|off", N_("letters and dashes only, also where the terminal has more")},
	{"help", 'h', NULL, N_("show how to use the command")},
	{0},
};

const struct compile_ctx *cmd_compile_ctx(struct cmd_ctx *ctx)
{
	struct compile_ctx *compile = arena_alloc(ctx->arena, sizeof *compile);
	*compile = (struct compile_ctx){ctx->arena, &ctx->diag, &ctx->paths, cmd_print_log, cmd_print_progress};
	return compile;
}

bool cmd_is(const struct cmd_parsed *parsed, const char *name)
{
	return parsed->option && strcmp(parsed->option->name, name) == 0;
}

int cmd_usage(struct cmd_ctx *ctx, const struct cmd_entry *entry, const char *format, ...)
{
	struct buf text = {0};
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	diag_error(&ctx->diag, (struct diag_pos){0}, "%s: %s", entry->name, buf_str(&text));
	diag_note(&ctx->diag, (struct diag_pos){0}, "usage: simttutor %s%s%s", entry->name, *entry->usage ? " " : "",
		entry->usage);
	buf_free(&text);
	return EXIT_USAGE;
}

bool cmd_bad_value(struct cmd_ctx *ctx, const char *option, const char *value, const char *expected)
{
	diag_error(&ctx->diag, diag_pos_in(option, value, value), "expected %s", expected);
	return false;
}

bool cmd_whole(struct cmd_ctx *ctx, const struct cmd_parsed *arg, uint64_t least, uint64_t most, uint64_t *out)
{
	char *end;
	errno = 0;
	*out = strtoull(arg->value, &end, 0);
	if (arg->value[0] >= '0' && arg->value[0] <= '9' && !*end && !errno && *out >= least && *out <= most)
		return true;
	return cmd_bad_value(ctx, arena_printf(ctx->arena, "--%s", arg->option->name), arg->value,
		arena_printf(ctx->arena, "a whole number from %" PRIu64 " to %" PRIu64, least, most));
}

bool cmd_has_terminal(void)
{
	const char *term = getenv("TERM");
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

bool cmd_print_raw(struct cmd_ctx *ctx, const struct buf *bytes)
{
	ctx->printed |= bytes->len > 0;
	if (!file_put(STDOUT_FILENO, bytes->data, bytes->len)) {
		if (errno != EPIPE) /* who reads has seen enough: `| head` */
			diag_error(&ctx->diag, (struct diag_pos){.file = "standard output"}, "cannot write: %s",
				strerror(errno));
		return false;
	}
	return true;
}

/* Appends the text as the file descriptor may have it. */
static void show_on(int fd, const struct buf *text, enum escape_form form, struct buf *out)
{
	escape_text(buf_str(text), text->len, form, out);
	if (isatty(fd) && strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
		/* In an 8-bit locale the terminal takes the bytes of a UTF-8 character for several, and some of those
		 * control it. */
		struct buf ascii = {0};
		for (size_t i = 0; i < out->len;) {
			uint32_t ch;
			i += utf8_decode(out->data + i, out->len - i, &ch);
			if (ch < 0x80)
				buf_putc(&ascii, (char)ch);
			else if (utf8_width(ch) > 0)
				buf_putc(&ascii, (char)canvas_ascii(ch));
		}
		buf_free(out);
		*out = ascii;
	}
}

static bool print_as(struct cmd_ctx *ctx, const struct buf *text, enum escape_form form)
{
	struct buf shown = {0};
	show_on(STDOUT_FILENO, text, form, &shown);
	bool ok = cmd_print_raw(ctx, &shown);
	buf_free(&shown);
	return ok;
}

bool cmd_print(struct cmd_ctx *ctx, const struct buf *text)
{
	return print_as(ctx, text, ESCAPE_BLOCK);
}

bool cmd_print_colored(struct cmd_ctx *ctx, const struct buf *text)
{
	return print_as(ctx, text, ESCAPE_SGR);
}

void cmd_print_messages(struct cmd_ctx *ctx)
{
	struct buf messages = {0};
	diag_format(&ctx->diag, &messages);
	cmd_print_log(&messages);
	buf_free(&messages);
	diag_free(&ctx->diag);
	ctx->diag = (struct diag){0};
}

void cmd_print_log(const struct buf *log)
{
	struct buf shown = {0};
	show_on(STDERR_FILENO, log, ESCAPE_BLOCK, &shown);
	(void)file_put(STDERR_FILENO, shown.data, shown.len);
	buf_free(&shown);
}

void cmd_print_progress(const char *text)
{
	struct buf shown = {0};
	buf_putc(&shown, '\r');
	escape_puts(text, &shown);
	buf_puts(&shown, "\033[K");
	(void)file_put(STDERR_FILENO, shown.data, shown.len);
	buf_free(&shown);
}

void cmd_print_all_rows(void)
{
	static const char all_rows[] = "\0337\033[r\0338\033[J"; /* save the cursor, no region, restore, erase below */
	(void)file_put(STDERR_FILENO, all_rows, strlen(all_rows));
}

bool cmd_size(struct cmd_ctx *ctx, const char *text, int *cols, int *rows)
{
	int c, r, end = 0;
	if (sscanf(text, "%4dx%4d%n", &c, &r, &end) != 2 || text[end] || c < 20 || c > 1000 || r < 5 || r > 1000)
		return cmd_bad_value(ctx, "--size", text, "COLSxROWS, from 20x5 to 1000x1000, as in 80x24");
	*cols = c;
	*rows = r;
	return true;
}

bool cmd_cc(struct cmd_ctx *ctx, const char *text, int *cc)
{
	int major, minor, end = 0;
	*cc = 0;
	if (sscanf(text, "%2d.%1d%n", &major, &minor, &end) == 2 && !text[end])
		*cc = major * 10 + minor;
	else if (sscanf(text, "%3d%n", cc, &end) != 1 || text[end])
		*cc = 0;
	return (*cc >= 50 && *cc < 200) ||
		cmd_bad_value(ctx, "--cc", text,
			"a compute capability from 5.0 to 19.9, such as 9.0 or 12.0 (13 would be 1.3)");
}

/* NO_COLOR forbids, CLICOLOR_FORCE demands; else a terminal that is not dumb gets colors. */
static bool wants_color(void)
{
	const char *no = getenv("NO_COLOR"), *force = getenv("CLICOLOR_FORCE"), *term = getenv("TERM");
	if (no && *no)
		return false;
	if (force && *force && strcmp(force, "0") != 0)
		return true;
	return isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

static const struct cmd_entry *find_command(const char *name)
{
	for (int i = 0; cmd_table[i]; i++)
		if (strcmp(cmd_table[i]->name, name) == 0)
			return cmd_table[i];
	return NULL;
}

/* The rows of a command's options and the global ones, in getopt's form. An option's value is its index + 256. */
struct getopt_tables {
	const struct cmd_option *rows[OPTIONS_MAX];
	struct option longs[OPTIONS_MAX + 1];
	char shorts[2 * OPTIONS_MAX + 3];
	int n;
};

static void add_options(struct getopt_tables *t, const struct cmd_option *options)
{
	size_t at = strlen(t->shorts);
	for (const struct cmd_option *o = options; o && o->name && t->n < OPTIONS_MAX; o++, t->n++) {
		t->rows[t->n] = o;
		t->longs[t->n] = (struct option){o->name, o->arg ? required_argument : no_argument, NULL, t->n + 256};
		if (o->letter) {
			t->shorts[at++] = o->letter;
			if (o->arg)
				t->shorts[at++] = ':';
		}
	}
	t->shorts[at] = '\0';
}

static const struct cmd_option *option_of(const struct getopt_tables *t, int value)
{
	if (value >= 256)
		return t->rows[value - 256];
	for (int i = 0; i < t->n; i++)
		if (t->rows[i]->letter == value)
			return t->rows[i];
	return NULL;
}

/* What a command was called with. */
struct command_line {
	const struct cmd_entry *entry;
	int argc;
	char **argv;
	struct cmd_parsed *args; /* room for argc */
	int n;
	bool help; /* --help was given; the rest was not read */
};

static bool check_paths(struct cmd_ctx *ctx, const struct command_line *line)
{
	for (int i = 0; i < line->n; i++) {
		const struct cmd_option *o = line->args[i].option;
		bool is_path = !o || (o->arg && (strcmp(o->arg, "FILE") == 0 || strcmp(o->arg, "DIR") == 0));
		if (is_path && line->args[i].value && !*line->args[i].value) {
			if (o)
				cmd_usage(ctx, line->entry, "--%s: the name of the %s is empty", o->name,
					strcmp(o->arg, "DIR") == 0 ? "folder" : "file");
			else
				cmd_usage(ctx, line->entry, "an argument is empty");
			return false;
		}
	}
	return true;
}

/* An option of the name of a setting, which counts this time. */
static bool sets_once(const struct cmd_option *option)
{
	return (option->arg || strcmp(option->name, "watch-only") == 0) && tutor_setting_find(option->name) != SETTINGS;
}

/* Fills in the last three members. False after a usage error. */
static bool parse_line(struct cmd_ctx *ctx, struct command_line *line)
{
	const struct cmd_entry *entry = line->entry;
	struct getopt_tables t = {.shorts = "-:"}; /* '-': plain arguments in place; ':': our own messages */
	add_options(&t, entry->options);
	add_options(&t, cmd_global_options);
	optind = 0;
	opterr = 0;
	for (int c; (c = getopt_long(line->argc, line->argv, t.shorts, t.longs, NULL)) != -1;) {
		const struct cmd_option *o = c == 1 || c == '?' || c == ':' ? NULL : option_of(&t, c);
		if (c == '?' && optopt > 0 && optopt < 256) {
			/* An argument like -lane is read letter by letter; this is the one that is not known. */
			cmd_usage(ctx, entry, "unknown option '-%c'", optopt);
			diag_note(&ctx->diag, (struct diag_pos){0}, "an argument that begins with '-' goes after '--'");
			return false;
		}
		if (c == '?') {
			cmd_usage(ctx, entry, "unknown or ambiguous option '%s'",
				optind > 0 ? line->argv[optind - 1] : "");
			return false;
		}
		if (c == ':') {
			cmd_usage(ctx, entry, "option '%s' needs a value", line->argv[optind - 1]);
			return false;
		}
		if (o && strcmp(o->name, "help") == 0)
			return line->help = true;
		if (o && strcmp(o->name, "gpu") == 0) {
			const char *spec = gpu_pool(ctx->arena, optarg, (unsigned)getpid(), &ctx->diag);
			if (!spec)
				return false;
			ctx->gpu = gpu_several(ctx->arena, ctx->gpu, spec);
			continue;
		}
		if (o && strcmp(o->name, "theme") == 0) {
			ctx->theme_name = optarg;
		} else if (o && sets_once(o)) {
			const char *value = optarg ? optarg : "on";
			if (!tutor_setting_set(&ctx->settings, tutor_setting_find(o->name), value,
				    diag_pos_in(arena_printf(ctx->arena, "--%s", o->name), value, value), &ctx->diag))
				return false;
		} else {
			line->args[line->n++] = (struct cmd_parsed){o, optarg};
		}
	}
	while (optind < line->argc)
		line->args[line->n++] = (struct cmd_parsed){NULL, line->argv[optind++]};
	return check_paths(ctx, line);
}

/* The theme of --theme, else of SIMTTUTOR_THEME, else of the settings; "auto" and none: CANVAS_THEMES. */
static bool choose_theme(struct cmd_ctx *ctx)
{
	const char *own = getenv("SIMTTUTOR_THEME"), *name = ctx->theme_name ? ctx->theme_name : own;
	bool set = !name || !*name;
	ctx->theme = CANVAS_THEMES;
	if (set)
		name = tutor_setting(&ctx->settings, SETTING_THEME);
	if (strcmp(name, "auto") == 0)
		return true;
	ctx->theme = canvas_theme_find(name);
	const char *own_file = path_join(ctx->arena, ctx->paths.config, "theme");
	if (ctx->theme == CANVAS_THEME_USER)
		canvas_theme_warn(own_file, &ctx->diag);
	if (ctx->theme != CANVAS_THEMES)
		return true;
	if (strcmp(name, "user") == 0 && set) { /* no file keeps a reader from the lessons */
		diag_warn(&ctx->diag, (struct diag_pos){.file = own_file},
			"the settings ask for the theme `user`, which is in this file, and it is not there; THEMES in simttutor(1)");
		return true;
	}
	if (strcmp(name, "user") == 0) {
		diag_error(&ctx->diag, (struct diag_pos){.file = own_file},
			"there is no theme `user`: it is in this file; THEMES in simttutor(1)");
		return false;
	}
	struct buf names = {0};
	canvas_theme_names(", ", &names);
	buf_puts(&names, ", or auto");
	cmd_bad_value(ctx, ctx->theme_name ? "--theme" : "SIMTTUTOR_THEME", name, buf_str(&names));
	buf_free(&names);
	return false;
}

const char *cmd_gpu(const struct cmd_ctx *ctx)
{
	return ctx->gpu ? ctx->gpu : ctx->usual_gpu;
}

void cmd_set_rest(const struct cmd_ctx *ctx, struct gpu *gpu)
{
	const char *seconds = tutor_setting(&ctx->settings, SETTING_GPU_IDLE);
	if (strcmp(seconds, "auto") != 0)
		gpu_set_rest(gpu, (int)strtol(seconds, NULL, 10) * 1000); /* "never": 0 */
}

static int run_entry(struct cmd_ctx *ctx, const struct cmd_entry *entry, int argc, char **argv)
{
	struct command_line line = {.entry = entry, .argc = argc, .argv = argv};
	line.args = arena_array(ctx->arena, struct cmd_parsed, (size_t)argc + 1);

	/* What the reader's file says. Where its GPU cannot be, there is a warning, and the usual one. */
	struct diag wrong = {0};
	const char *path = path_join(ctx->arena, ctx->paths.config, "settings");
	tutor_settings_load(&ctx->settings, path, &ctx->diag);
	const char *spec = tutor_setting(&ctx->settings, SETTING_GPU);
	ctx->usual_gpu = gpu_pool(ctx->arena, spec, (unsigned)getpid(), &wrong);
	struct gpu *gpu = ctx->usual_gpu ? gpu_new(ctx->usual_gpu, ctx->paths.worker, &wrong) : NULL;
	if (!gpu) {
		const struct diag_entry *first = &wrong.entries[0];
		diag_warn(&ctx->diag, (struct diag_pos){.file = path}, "gpu: %s%s%s", first->file ? first->file : "",
			first->file ? ": " : "", first->message);
		ctx->settings.value[SETTING_GPU][0] = '\0';
		ctx->usual_gpu = tutor_setting(&ctx->settings, SETTING_GPU);
	}
	gpu_free(gpu);
	diag_free(&wrong);
	canvas_theme_load(path_join(ctx->arena, ctx->paths.config, "theme"), &ctx->diag);

	bool parsed;
	if (entry->verbatim) {
		/* Every word is an argument, but a lone --help. */
		for (int i = 1; i < argc; i++)
			line.args[line.n++] = (struct cmd_parsed){NULL, argv[i]};
		line.help = line.n == 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
		parsed = line.help || check_paths(ctx, &line);
	} else {
		parsed = parse_line(ctx, &line);
	}
	if (line.help) {
		struct buf text = {0};
		cmd_help_one(entry, &text);
		bool ok = cmd_print(ctx, &text);
		buf_free(&text);
		return ok ? EXIT_OK : EXIT_FAILED;
	}

	if (!parsed)
		return EXIT_USAGE;
	gpu = ctx->gpu ? gpu_new(ctx->gpu, ctx->paths.worker, &ctx->diag) : NULL; /* nothing is started */
	gpu_free(gpu);
	if (ctx->gpu && !gpu)
		return EXIT_USAGE;
	size_t errors = ctx->diag.errors;
	sandbox_check_environment(&ctx->diag);
	confine_check_environment(&ctx->diag);
	if (ctx->diag.errors != errors)
		return EXIT_USAGE;

	/* What the settings and their options mean for this run. */
	ctx->ascii |= tutor_setting_is(&ctx->settings, SETTING_ASCII, "on");
	tui_use(&ctx->settings);
	if (!choose_theme(ctx))
		return EXIT_USAGE;

	if ((entry->of_course || entry->has_course) && !cmd_course_choose(ctx, line.args, &line.n, entry->of_course))
		return EXIT_USAGE;
	if (!cmd_confine(ctx, entry, line.args, line.n))
		return EXIT_FAILED;
	int status = entry->run(ctx, line.args, line.n);
	cmd_confine_end();
	return status;
}

/* Runs the command. Options before its name are global ones and are passed on to it. */
static int dispatch(struct cmd_ctx *ctx, int argc, char **argv)
{
	int at = 1;
	/* By the name of nvcc (simttutor env) it compiles. CMake drops "cc" where it asks for the toolkit. */
	ctx->as_nvcc = argc > 0 && strcmp(path_last(argv[0]), "nvcc") == 0;
	if (ctx->as_nvcc || (argc == 3 && strcmp(argv[2], "__cmake_determine_cuda") == 0))
		return run_entry(ctx, find_command("cc"), argc, argv);
	while (at < argc && argv[at][0] == '-' &&
		(strncmp(argv[at], "--gpu", 5) == 0 || strncmp(argv[at], "--theme", 7) == 0))
		at += strchr(argv[at], '=') ? 1 : 2;
	if (at < argc && (strcmp(argv[at], "--version") == 0 || strcmp(argv[at], "-V") == 0)) {
		struct buf text = {0};
		buf_printf(&text, "%s\n", PACKAGE_STRING);
		bool ok = cmd_print(ctx, &text);
		buf_free(&text);
		return ok ? EXIT_OK : EXIT_FAILED;
	}
	if (at < argc && (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0))
		return run_entry(ctx, find_command("help"), 1, argv);
	if (at >= argc || argv[at][0] == '-')
		return run_entry(ctx, find_command("learn"), argc, argv);
	const struct cmd_entry *entry = find_command(argv[at]);
	if (!entry) {
		/* It may be the name of a lesson, which `learn` opens. */
		const char *name = argv[at];
		struct diag quiet = {0};
		const struct lesson *lesson = NULL;
		int step;
		struct catalog *catalog = cmd_confine(ctx, find_command("list"), NULL, 0)
			? tutor_catalog_load(ctx->arena, &ctx->paths, &quiet)
			: NULL;
		bool found = catalog && lesson_catalog_find(catalog, name, &lesson, &step, &quiet);
		diag_free(&quiet);
		diag_error(&ctx->diag, (struct diag_pos){0}, "there is no command '%s'; `simttutor help` lists them",
			name);
		if (found)
			diag_note(&ctx->diag, (struct diag_pos){0}, "to open the lesson: simttutor learn %s", name);
		return EXIT_USAGE;
	}
	/* drops the name, keeps what was before it */
	memmove(&argv[1 + 1], &argv[1], (size_t)(at - 1) * sizeof *argv);
	return run_entry(ctx, entry, argc - 1, argv + 1);
}

/* Whether `--format json` is among the arguments, also where they are wrong. dispatch reorders them. */
static bool asks_for_json(int argc, char **argv)
{
	bool found = false;
	for (int i = 1; i < argc; i++) {
		size_t name = strcspn(argv[i], "=");
		if (strcmp(argv[i], "--") == 0)
			return found;
		if (name < strlen("--f") || strncmp(argv[i], "--format", name) != 0)
			continue;
		const char *value = argv[i][name] ? argv[i] + name + 1 : i + 1 < argc ? argv[i + 1] : "";
		found = strcmp(value, "json") == 0;
	}
	return found;
}

int cmd_main(int argc, char **argv)
{
	static const int useless[] = {O_WRONLY, O_RDONLY, O_RDONLY};
	base_memory_begin();

	/* What is opened later must not become a standard descriptor that whoever started us has closed: an output
	 * would go there. What is put in its place can be used in the wrong direction only. */
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null", useless[fd]);

	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	text_begin();
	json_set_alloc_funcs(base_malloc, free);
	umask(umask(077) & 077);  /* what the reader makes is his to use */
	signal(SIGPIPE, SIG_IGN); /* a closed pipe is the end of a write, also when it is the worker's */
	signal(SIGXFSZ, SIG_IGN); /* so is a file that grows past what ulimit -f allows */
	signal(SIGCHLD, SIG_DFL); /* some parents leave it ignored, which would hide how a worker ended */
	struct cmd_ctx ctx = {
		.arena = arena_new(),
		.color = wants_color(),
		.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
	};
	portable_set_program(argv[0]);
	paths_find(ctx.arena, &ctx.paths);
	bool json = asks_for_json(argc, argv);
	int status = dispatch(&ctx, argc, argv);
	if (json && status != EXIT_OK && !ctx.printed) {
		/* Who reads JSON gets an object even where the command came to nothing. */
		struct buf out = {0};
		json_t *messages = json_array();
		for (size_t i = 0; i < ctx.diag.count; i++)
			json_array_append_new(messages, cmd_json_message(&ctx.diag.entries[i]));
		cmd_json_write(json_pack("{s:s, s:i, s:o}", "outcome", "error", "status", status, "messages", messages),
			JSON_INDENT(0), &out);
		cmd_print(&ctx, &out);
		buf_free(&out);
	}
	cmd_print_messages(&ctx);
	arena_free(ctx.arena);
	return status;
}
