/* The command line of simttutor cc, a compiler's, and what becomes of what was built. */
#include "config.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cmd/confined.h"
#include "tools/compile/build.h"

#define PROGRAM_MAX ((size_t)256 << 20)

struct cc_line {
	struct build_request request;
	const char *output; /* NULL: by the usual name */
	bool compile_only, device_link, all_cuda;
};

extern const struct cmd_entry cmd_cc_entry;

enum cc_form { CC_ALONE, CC_JOINED, CC_VALUE };

/* What is read, and of which word. */
struct cc_reading {
	struct cmd_ctx *ctx;
	struct cc_line *line;
	const char *word;
};

static bool refuse_word(const struct cc_reading *r, const char *why)
{
	cmd_usage(r->ctx, &cmd_cc_entry, "%s: %s", r->word, why);
	return false;
}

static bool refuse_option(const struct cc_reading *r)
{
	cmd_usage(r->ctx, &cmd_cc_entry, "unknown or ambiguous option '%s'", r->word);
	diag_note(&r->ctx->diag, (struct diag_pos){0}, "`simttutor cc --help` lists those that it knows");
	return false;
}

/* nvcc hands its words to a shell. */
static bool is_shell_safe(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-=.,/:@%";
	return !word[strspn(word, plain)];
}

static bool add(const struct cc_reading *r, struct build_list *list, const char *word)
{
	if (list->n == BUILD_WORDS_MAX)
		return refuse_word(r, "there are too many like this");
	list->words[list->n++] = word;
	return true;
}

static bool add_plain(const struct cc_reading *r, struct build_list *list, const char *word)
{
	return is_shell_safe(word) ? add(r, list, word) : refuse_word(r, "letters, digits and _+-=.,/:@% alone");
}

static bool add_macro(const struct cc_reading *r, enum build_macro kind, const char *text)
{
	static const char letters[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	struct build_request *q = &r->line->request;
	size_t n = strspn(text, letters);
	if (kind != BUILD_INCLUDE && (!n || strchr("0123456789", *text) || (text[n] && text[n] != '=')))
		return refuse_word(r, "a macro is NAME or NAME=VALUE");
	if (strpbrk(text, kind == BUILD_INCLUDE ? "\n\"" : "\n") || q->n_macros == BUILD_WORDS_MAX)
		return refuse_word(r, "a macro, or a header, on one line, and not too many");
	q->macros[q->n_macros].kind = kind;
	q->macros[q->n_macros++].text = text;
	return true;
}

/* --- what becomes of an option ------------------------------------------------------------------------------------ */

static bool use_output(const struct cc_reading *r, const char *value)
{
	r->line->output = value;
	return true;
}

static bool use_compile_only(const struct cc_reading *r, const char *value)
{
	(void)value;
	return r->line->compile_only = true;
}

static bool use_folder(const struct cc_reading *r, const char *value)
{
	return add(r, &r->line->request.folders, value);
}

static bool use_define(const struct cc_reading *r, const char *value)
{
	return add_macro(r, BUILD_DEFINE, value);
}

static bool use_undefine(const struct cc_reading *r, const char *value)
{
	return add_macro(r, BUILD_UNDEFINE, value);
}

static bool use_include(const struct cc_reading *r, const char *value)
{
	return add_macro(r, BUILD_INCLUDE, value);
}

static bool use_library_folder(const struct cc_reading *r, const char *value)
{
	return add(r, &r->line->request.library_folders, value);
}

static bool use_library(const struct cc_reading *r, const char *value)
{
	static const char *const ours[] = {"cudart", "cudart_static", "cudadevrt"};
	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
		if (strcmp(value, ours[i]) == 0)
			return true;
	if (strcmp(value, "cuda") == 0)
		return r->line->request.driver = true;
	if (strcmp(value, "nvrtc") == 0)
		return r->line->request.as_needed = true;
	return add(r, &r->line->request.link, arena_printf(r->ctx->arena, "-l%s", value));
}

static bool use_standard(const struct cc_reading *r, const char *value)
{
	r->line->request.standard = true;
	return add_plain(r, &r->line->request.compile, arena_printf(r->ctx->arena, "-std=%s", value));
}

static bool use_compile(const struct cc_reading *r, const char *value)
{
	(void)value;
	return add_plain(r, &r->line->request.compile, r->word);
}

static bool use_nvcc(const struct cc_reading *r, const char *value)
{
	(void)value;
	return add_plain(r, &r->line->request.nvcc, r->word);
}

static bool use_host(const struct cc_reading *r, const char *value)
{
	(void)value;
	return add_plain(r, &r->line->request.host, r->word);
}

static bool use_host_list(const struct cc_reading *r, const char *value)
{
	bool ok = is_shell_safe(value) || refuse_word(r, "letters, digits and _+-=.,/:@% alone");
	while (ok && *value) {
		size_t len = strcspn(value, ",");
		if (len)
			ok = add(r, &r->line->request.host, arena_strndup(r->ctx->arena, value, len));
		value += len + (value[len] == ',');
	}
	return ok;
}

static bool use_host_and_link(const struct cc_reading *r, const char *value)
{
	return use_host(r, value) && add(r, &r->line->request.link, r->word);
}

static bool use_warning(const struct cc_reading *r, const char *value)
{
	if (strncmp(value, "l,", 2) == 0)
		return add(r, &r->line->request.link, r->word);
	return use_host(r, value);
}

static bool use_link(const struct cc_reading *r, const char *value)
{
	(void)value;
	return add(r, &r->line->request.link, r->word);
}

static bool use_linker(const struct cc_reading *r, const char *value)
{
	return add(r, &r->line->request.link, "-Xlinker") && add(r, &r->line->request.link, value);
}

static bool use_fast_math(const struct cc_reading *r, const char *value)
{
	(void)value;
	return r->line->request.fast_math = true;
}

static bool use_relocatable(const struct cc_reading *r, const char *value)
{
	bool is = strcmp(value, "true") == 0;
	r->line->request.relocatable = is;
	return is || strcmp(value, "false") == 0 || refuse_word(r, "true or false");
}

/* -dc: -rdc=true -c */
static bool use_device_compile(const struct cc_reading *r, const char *value)
{
	(void)value;
	return r->line->request.relocatable = r->line->compile_only = true;
}

static bool use_device_link(const struct cc_reading *r, const char *value)
{
	(void)value;
	return r->line->request.relocatable = r->line->device_link = true;
}

static bool use_default_stream(const struct cc_reading *r, const char *value)
{
	bool own = strcmp(value, "per-thread") == 0;
	if (!own && strcmp(value, "legacy") != 0)
		return refuse_word(r, "legacy or per-thread");
	r->line->request.per_thread = own;
	return !own || add(r, &r->line->request.nvcc, "--default-stream=per-thread");
}

static bool use_language(const struct cc_reading *r, const char *value)
{
	if (strcmp(value, "cu") != 0 && strcmp(value, "cuda") != 0)
		return refuse_word(r, "only cu");
	return r->line->all_cuda = true;
}

static bool use_ignore(const struct cc_reading *r, const char *value)
{
	(void)r, (void)value;
	return true;
}

/* The first number of sm_90, compute_90, or arch=compute_90,code=sm_90; the highest of several options, and of `native`
 * and `all` the machine's. */
static bool use_arch(const struct cc_reading *r, const char *value)
{
	int *arch = &r->line->request.arch, found = 0;
	const char *at = strstr(value, "sm_"), *number = strstr(value, "compute_");
	if (number)
		found = (int)strtol(number + strlen("compute_"), NULL, 10);
	else if (at)
		found = (int)strtol(at + strlen("sm_"), NULL, 10);
	else if (strcmp(value, "native") == 0 || strncmp(value, "all", 3) == 0)
		return true;
	if (found < 50 || found >= 200)
		return refuse_word(r, "a compute capability as in sm_90");
	*arch = found > *arch ? found : *arch;
	return true;
}

/* --- words -------------------------------------------------------------------------------------------------------- */

static const struct cc_option {
	const char *spelling;
	enum cc_form form;
	bool (*use)(const struct cc_reading *r, const char *value);
	const char *help;
} options[] = {
#define CC_OPTION(spelling, form, use, help) {spelling, CC_##form, use_##use, help},
#include "cmd/cc_options.def"
#undef CC_OPTION
};
#define N_CC_OPTIONS (sizeof options / sizeof *options)

static const struct cc_option *find_option(const char *word)
{
	const struct cc_option *best = NULL;
	for (size_t i = 0; i < N_CC_OPTIONS; i++) {
		size_t n = strlen(options[i].spelling);
		bool joins = options[i].form == CC_JOINED ||
			(options[i].form == CC_VALUE && (n == 2 || word[n] == '='));
		if (strncmp(word, options[i].spelling, n) != 0 || (word[n] && !joins))
			continue;
		if (!best || n > strlen(best->spelling))
			best = &options[i];
	}
	return best;
}

/* What an input is, by the end of its name; false: a compiler does not know it. */
static bool cc_kind(const char *path, enum build_kind *kind)
{
	static const struct {
		const char *end;
		enum build_kind kind;
	} ends[] = {{".cu", BUILD_CUDA}, {".cpp", BUILD_CXX}, {".cc", BUILD_CXX}, {".cxx", BUILD_CXX}, {".c", BUILD_C},
		{".o", BUILD_LINKED}, {".a", BUILD_LINKED}, {".so", BUILD_LINKED}};
	size_t n = strlen(path);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		size_t m = strlen(ends[i].end);
		if (n > m && strcmp(path + n - m, ends[i].end) == 0) {
			*kind = ends[i].kind;
			return true;
		}
	}
	return false;
}

static bool read_input(const struct cc_reading *r)
{
	struct build_request *q = &r->line->request;
	struct build_input input = {.path = r->word, .kind = BUILD_CUDA};
	if (!cc_kind(r->word, &input.kind) && !r->line->all_cuda)
		return refuse_word(r, "sources end in .cu, .cpp, .cc, .cxx or .c, what is linked in .o, .a or .so");
	if (q->n_inputs == BUILD_WORDS_MAX)
		return refuse_word(r, "too many files");
	q->inputs[q->n_inputs++] = input;
	return true;
}

/* The option's value: what follows its spelling, or `next`, whose word is used up then. */
static bool read_option(struct cc_reading *r, const struct cc_option *o, const char *next, bool *used)
{
	const char *value = r->word + strlen(o->spelling);
	if (o->form == CC_VALUE && *value == '=')
		value++;
	else if (o->form == CC_VALUE && !*value) {
		if (!next)
			return refuse_word(r, "a value is missing");
		value = next;
		*used = true;
	}
	return o->use(r, value);
}

/* Reads the words. False with an error. */
static bool cc_read(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n, struct cc_line *out)
{
	struct cc_reading r = {.ctx = ctx, .line = out};
	*out = (struct cc_line){0};
	for (int i = 0; i < n; i++) {
		bool used = false;
		r.word = args[i].value;
		const struct cc_option *o = *r.word == '-' ? find_option(r.word) : NULL;
		if (*r.word == '-' && !o)
			return refuse_option(&r);
		if (o ? !read_option(&r, o, i + 1 < n ? args[i + 1].value : NULL, &used) : !read_input(&r))
			return false;
		i += used;
	}

	struct build_request *q = &out->request;
	for (int i = 0; i < q->n_inputs && out->all_cuda; i++)
		if (q->inputs[i].kind == BUILD_CXX || q->inputs[i].kind == BUILD_C)
			q->inputs[i].kind = BUILD_CUDA;
	if (!q->n_inputs)
		cmd_usage(ctx, &cmd_cc_entry, "which file? CUDA source, FILE.cu");
	else if (out->compile_only && out->output && q->n_inputs > 1)
		cmd_usage(ctx, &cmd_cc_entry, "-c and -o take one file");
	else
		return true;
	return false;
}

/* The options as lines of the help. */
static const char *cc_help(void)
{
	static char text[8192];
	size_t at = 0;
	for (size_t i = 0; i < N_CC_OPTIONS; i++)
		if (*options[i].help)
			at += (size_t)snprintf(
				text + at, sizeof text - at, "  %-18s %s\n", options[i].spelling, options[i].help);
	return text;
}

/* --- the command --- */

static int run_cc(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static const char *object_name(struct arena *arena, const char *source)
{
	const char *name = path_last(source), *dot = strrchr(name, '.');
	return arena_printf(arena, "%.*s.o", (int)(dot ? (size_t)(dot - name) : strlen(name)), name);
}

static const char *output_name(struct cmd_ctx *ctx, const struct cc_line *line, int i)
{
	return line->output          ? line->output
		: line->compile_only ? object_name(ctx->arena, line->request.inputs[i].path)
		: line->device_link  ? "a_dlink.o"
				     : "a.out";
}

static void needs_of_cc(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	struct diag quiet = needs->ctx->diag;
	struct cc_line *line = arena_alloc(needs->ctx->arena, sizeof *line);
	needs->ctx->diag = (struct diag){0};
	if (cc_read(needs->ctx, args, n, line)) {
		cmd_needs_build(needs, &line->request);
		cmd_needs_output(needs, output_name(needs->ctx, line, 0));
	}
	diag_free(&needs->ctx->diag);
	needs->ctx->diag = quiet;
	needs->tools = true;
}

const struct cmd_entry cmd_cc_entry = {
	.name = "cc",
	.usage = "[OPTION]... FILE... [-o PROGRAM]",
	.summary = N_("compile a whole CUDA program, which then runs on the machine"),
	.details = N_(
		"Compiles and links as nvcc would, so that Makefiles can say NVCC=\"simttutor cc\", and CMake has it by a toolchain "
		"file, whose name --cmake prints: after export CMAKE_TOOLCHAIN_FILE=$(simttutor cc --cmake) projects are configured as ever. "
		"CMake's own detection, with CUDACXX or CMAKE_CUDA_COMPILER, knows nvcc and clang alone. It makes a program whose "
		"kernels the SIMT machine runs, without a GPU: ./PROGRAM, or simttutor run PROGRAM. The compiler is nvcc "
		"where it is installed, or named by NVCC; else clang 14 or later, or CLANG, alone, without anything of "
		"NVIDIA's, with CUDA headers of simttutor's own: the runtime's API, vector types, mathematics, atomics, "
		"warp intrinsics, cuda_fp16.h, cuda_bf16.h, cooperative_groups.h and cuda/atomic. NVCC=: passes over nvcc. What "
		"needs CUB, Thrust or NVIDIA's other libraries needs nvcc. g++, or the "
		"program that CUDAHOSTCXX names, links what nvcc compiled. Mathematics of kernels that clang compiled is "
		"the host's library's, within the errors that NVIDIA publishes and not to its last bits. Device code is "
		"PTX with line tables, optimized.\n"
		"Files are CUDA (.cu), C++ (.cpp, .cc, .cxx), C (.c), and objects, archives and libraries (.o, .a, .so). "
		"With -rdc=true kernels and __device__ functions call __device__ functions and use variables of other files; their "
		"PTX is linked when the program begins, and not when it is made: what is missing is reported then. "
		"Compilers run in a private folder and confined, as for simttutor run."),
	.verbatim = cc_help,
	.examples = (const struct cmd_example[]){{"cc homework.cu -o homework && ./homework 512", "256"},
		{"cc -g homework.cu -o homework && simttutor run homework 1024",
			"simttutor: homework.cu:8: race: thread 128 of block 0 stores to shared memory at 0x200 (line 8), and thread 0 loaded it (line 11)"},
		{"cc -c homework.cu && simttutor cc homework.o -o homework && ./homework", "128"},
		{"cc -O2 -std=c++20 -Xcompiler -Wall -o homework homework.cu && ./homework 256", "128"},
		{"cc --cmake", "simttutor.cmake"}, {0}},
	.run = run_cc,
	.needs = needs_of_cc,
};

/* What was made goes to the reader's file; a program can be executed by whom the umask lets. */
static bool keep(struct cmd_ctx *ctx, const char *from, const char *to, bool is_program)
{
	struct buf bytes = {0};
	bool ok = file_read(from, PROGRAM_MAX, &bytes, &ctx->diag) && file_write(to, bytes.data, bytes.len, &ctx->diag);
	buf_free(&bytes);
	int fd = ok && is_program ? open(to, O_RDONLY | O_CLOEXEC) : -1;
	struct stat info;
	if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
		mode_t mask = umask(0);
		umask(mask);
		fchmod(fd, info.st_mode | (0111 & ~mask));
	}
	if (fd >= 0)
		close(fd);
	return ok;
}

/* What an earlier compilation has made, or nothing: a source whose name was given for -o is not lost. */
static bool may_replace(struct cmd_ctx *ctx, const char *to)
{
	struct stat info;
	char mark[4];
	if (stat(to, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0)
		return true;
	int fd = open(to, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is_made = fd >= 0 && file_get_all(fd, mark, sizeof mark) && memcmp(mark, "\177ELF", sizeof mark) == 0;
	if (fd >= 0)
		close(fd);
	if (!is_made)
		diag_error(&ctx->diag, (struct diag_pos){.file = to},
			"there is a file already that is neither program nor object; it is not replaced");
	return is_made;
}

static bool make(struct cmd_ctx *ctx, struct build *build, const struct cc_line *line)
{
	bool ok = true;
	const char *from;
	if (line->device_link)
		return (from = build_device_link(build)) != NULL && keep(ctx, from, output_name(ctx, line, 0), false);
	if (!line->compile_only)
		return (from = build_program(build)) != NULL && keep(ctx, from, output_name(ctx, line, 0), true);
	for (int i = 0; i < line->request.n_inputs && ok; i++)
		if (line->request.inputs[i].kind != BUILD_LINKED)
			ok = (from = build_object(build, i)) != NULL &&
				keep(ctx, from, output_name(ctx, line, i), false);
	return ok;
}

static const char *toolchain(struct cmd_ctx *ctx)
{
	return path_join(ctx->arena, ctx->paths.data, "cmake/simttutor.cmake");
}

static bool names_word(const struct cmd_parsed *args, int n, const char *word)
{
	for (int i = 0; i < n; i++)
		if (strcmp(args[i].value, word) == 0)
			return true;
	return false;
}

static int run_cc(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	if (n == 1 && names_word(args, n, "--cmake")) {
		struct buf out = {0};
		escape_line(&out, "%s", toolchain(ctx));
		bool ok = cmd_print(ctx, &out);
		buf_free(&out);
		return ok ? EXIT_OK : EXIT_FAILED;
	}
	if (n > 1 && names_word(args, n, "-v") && names_word(args, n, "CMakeCUDACompilerId.cu")) {
		/* CMake's own detection knows nvcc and clang with NVIDIA's toolkit and no third compiler, however it
		 * answers. Of a compiler that makes nothing of this source it shows what that printed, when it was
		 * content. */
		struct buf out = {0};
		escape_line(&out,
			"CMake cannot find out by itself about simttutor cc. Say in the shell, and configure again:");
		escape_line(&out, "    export CMAKE_TOOLCHAIN_FILE=%s", toolchain(ctx));
		bool ok = cmd_print(ctx, &out);
		buf_free(&out);
		return ok ? EXIT_OK : EXIT_FAILED;
	}
	struct cc_line *line = arena_alloc(ctx->arena, sizeof *line);
	struct build *build = arena_alloc(ctx->arena, sizeof *build);
	if (!cc_read(ctx, args, n, line))
		return EXIT_USAGE;

	int n_outputs = line->compile_only ? line->request.n_inputs : 1;
	for (int i = 0; i < n_outputs; i++)
		if ((!line->compile_only || line->request.inputs[i].kind != BUILD_LINKED) &&
			!may_replace(ctx, output_name(ctx, line, i)))
			return EXIT_FAILED;

	int status = build_begin(build, cmd_compile_ctx(ctx), &line->request);
	if (status == EXIT_OK && !make(ctx, build, line))
		status = EXIT_FAILED;
	build_end(build);
	return status;
}
