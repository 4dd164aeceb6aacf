/* The command line of simttutor cc, a compiler's, and what becomes of what was built. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cmd/confined.h"
#include "cmd/headers.h"
#include "tools/compile/build.h"
#include "tools/sandbox/sandbox.h"
#include "tools/compile/libraries.h"

#define PROGRAM_MAX ((size_t)256 << 20)

#define RESPONSES_MAX 8 /* files of options within each other */
#define RESPONSE_MAX ((size_t)1 << 20)

/* What is made: of all inputs, or of each a file. */
enum cc_action { CC_PROGRAM, CC_OBJECTS, CC_PTX, CC_TEXT, CC_RULES, CC_ARCHIVE, CC_DEVICE_LINK };

struct cc_line {
	struct build_request request;
	enum cc_action action;
	const char *output, *folder; /* NULL: by the usual name, in the working folder */
	const char *rules;           /* the dependency file; NULL: by the usual name */
	struct buf *targets;         /* of its rules; empty: the output */
	bool phony;                  /* headers are targets, too */
	bool forces_kind;            /* -x */
	enum build_kind kind;
	bool version; /* is asked for, and nothing else */
	bool runs;    /* the program, when it has been made */
	struct build_list run_words;
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

/* Words with commas between. */
static bool use_run_words(const struct cc_reading *r, const char *value)
{
	for (const char *comma; (comma = strchr(value, ',')) != NULL; value = comma + 1)
		if (!add(r, &r->line->run_words, arena_strndup(r->ctx->arena, value, (size_t)(comma - value))))
			return false;
	return add(r, &r->line->run_words, value);
}

/* As it is, or so that make reads it as this name. */
static bool use_target(const struct cc_reading *r, const char *value)
{
	struct buf *targets = r->line->targets;
	bool quoted = strncmp(r->word, "-MQ", 3) == 0;
	buf_puts(targets, targets->len ? " " : "");
	for (; *value; value++) {
		if (quoted && (*value == ' ' || *value == '#'))
			buf_putc(targets, '\\');
		else if (quoted && *value == '$')
			buf_putc(targets, '$');
		buf_putc(targets, *value);
	}
	return true;
}

static bool use_library(const struct cc_reading *r, const char *value)
{
	static const char *const ours[] = {"cudart", "cudart_static", "cudadevrt", "nvrtc_static", "nvrtc-builtins",
		"nvptxcompiler_static", "culibos"};
	if (compile_is_library(value)) /* what it is called for is named when the linker misses it */
		return true;
	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
		if (strcmp(value, ours[i]) == 0)
			return true;
	if (strcmp(value, "cuda") == 0)
		return r->line->request.driver = true;
	if (strcmp(value, "nvrtc") == 0)
		return r->line->request.as_needed = true;
	return add(r, &r->line->request.link, arena_printf(r->ctx->arena, "-l%s", value));
}

/* Words for the compiler of host code that its linking needs, too. */
static bool is_of_linker(const char *word)
{
	static const char *const both[] = {"-fopenmp", "-pthread", "-fsanitize", "-static-lib", "-pg", "--coverage",
		"-fprofile", "-flto", "-rdynamic"};
	for (size_t i = 0; i < sizeof both / sizeof *both; i++)
		if (strncmp(word, both[i], strlen(both[i])) == 0)
			return true;
	return false;
}

static bool use_host_list(const struct cc_reading *r, const char *value)
{
	bool ok = true;
	while (ok && *value) {
		size_t len = strcspn(value, ", ");
		const char *word = arena_strndup(r->ctx->arena, value, len);
		if (len)
			ok = add_plain(r, &r->line->request.host, word) &&
				(!is_of_linker(word) || add(r, &r->line->request.link, word));
		value += len + (value[len] != '\0');
	}
	return ok;
}

static bool use_linker(const struct cc_reading *r, const char *value)
{
	bool ok = true;
	while (ok && *value) {
		size_t len = strcspn(value, ",");
		if (len)
			ok = add(r, &r->line->request.link, "-Xlinker") &&
				add(r, &r->line->request.link, arena_strndup(r->ctx->arena, value, len));
		value += len + (value[len] == ',');
	}
	return ok;
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
	static const struct {
		const char *name;
		enum build_kind kind;
	} languages[] = {{"cu", BUILD_CUDA}, {"cuda", BUILD_CUDA}, {"c++", BUILD_CXX}, {"c", BUILD_C}};
	for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
		if (strcmp(value, languages[i].name) == 0) {
			r->line->kind = languages[i].kind;
			return r->line->forces_kind = true;
		}
	return refuse_word(r, "cu, c++ or c");
}

/* Older ones, of books and their Makefiles, are compiled for that. */
#define ARCH_LEAST 50

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
	if (found < 10 || found >= 200)
		return refuse_word(r, "a compute capability as in sm_90");
	found = found < ARCH_LEAST ? ARCH_LEAST : found;
	*arch = found > *arch ? found : *arch;
	return true;
}

enum cc_use {
	USE_output,
	USE_output_folder,
	USE_ignore,
	USE_compile_only,
	USE_ptx,
	USE_archive,
	USE_folder,
	USE_define,
	USE_undefine,
	USE_include,
	USE_all_dependencies,
	USE_user_dependencies,
	USE_all_rules,
	USE_user_rules,
	USE_rules_file,
	USE_target,
	USE_phony,
	USE_library_folder,
	USE_library,
	USE_standard,
	USE_compile,
	USE_optimization,
	USE_host_debug,
	USE_verbose,
	USE_dry,
	USE_version,
	USE_host,
	USE_text,
	USE_run,
	USE_run_words,
	USE_nvcc,
	USE_arch,
	USE_default_stream,
	USE_relocatable,
	USE_device_compile,
	USE_device_link,
	USE_shared,
	USE_link,
	USE_fast_math,
	USE_language,
	USE_host_list,
	USE_warning,
	USE_host_and_link,
	USE_linker
};

/* What becomes of an option. */
static bool use_option(const struct cc_reading *r, enum cc_use use, const char *value)
{
	struct cc_line *line = r->line;
	struct build_request *request = &line->request;
	switch (use) {
	case USE_ignore: return true;

	/* What is made, and where. PTX, also where machine code was asked for. */
	case USE_output: line->output = value; return true;
	case USE_output_folder: line->folder = value; return true;
	case USE_compile_only: line->action = CC_OBJECTS; return true;
	case USE_ptx: line->action = CC_PTX; return true;
	case USE_text: line->action = CC_TEXT; return true;
	case USE_archive: line->action = CC_ARCHIVE; return true;
	case USE_run: return line->runs = true;
	case USE_run_words: return use_run_words(r, value);
	case USE_device_compile: /* -rdc=true -c */ line->action = CC_OBJECTS; return request->relocatable = true;
	case USE_device_link: line->action = CC_DEVICE_LINK; return request->relocatable = true;
	case USE_relocatable:
		request->relocatable = strcmp(value, "true") == 0;
		return request->relocatable || strcmp(value, "false") == 0 || refuse_word(r, "true or false");
	case USE_version: return line->version = true;
	case USE_verbose: return request->verbose = true;
	case USE_dry: return request->dry = true;

	/* Rules for make. */
	case USE_all_rules:
		line->action = CC_RULES;
		request->dependencies = BUILD_ALL_HEADERS;
		return true;
	case USE_user_rules:
		line->action = CC_RULES;
		request->dependencies = BUILD_USER_HEADERS;
		return true;
	case USE_all_dependencies: request->dependencies = BUILD_ALL_HEADERS; return true;
	case USE_user_dependencies: request->dependencies = BUILD_USER_HEADERS; return true;
	case USE_rules_file: line->rules = value; return true;
	case USE_target: return use_target(r, value);
	case USE_phony: return line->phony = true;

	/* The preprocessor and the compilers. */
	case USE_folder: return add(r, &request->folders, value);
	case USE_define: return add_macro(r, BUILD_DEFINE, value);
	case USE_undefine: return add_macro(r, BUILD_UNDEFINE, value);
	case USE_include: return add_macro(r, BUILD_INCLUDE, value);
	case USE_language: return use_language(r, value);
	case USE_arch: return use_arch(r, value);
	case USE_standard:
		request->standard = true;
		return add_plain(r, &request->compile, arena_printf(r->ctx->arena, "-std=%s", value));
	case USE_optimization: return add_plain(r, &request->compile, arena_printf(r->ctx->arena, "-O%s", value));
	case USE_compile: return add_plain(r, &request->compile, r->word);
	case USE_host_debug: request->host_debug = true; return add(r, &request->compile, "-g");
	case USE_fast_math: return request->fast_math = true;
	case USE_default_stream: return use_default_stream(r, value);
	case USE_nvcc: return add_plain(r, &request->nvcc, r->word);
	case USE_host: return add_plain(r, &request->host, r->word);
	case USE_host_list: return use_host_list(r, value);
	case USE_host_and_link: return add_plain(r, &request->host, r->word) && add(r, &request->link, r->word);
	case USE_warning:
		return strncmp(value, "l,", 2) == 0 ? add(r, &request->link, r->word)
						    : add_plain(r, &request->host, r->word);

	/* The linker. */
	case USE_library: return use_library(r, value);
	case USE_library_folder: return add(r, &request->library_folders, value);
	case USE_link: return add(r, &request->link, r->word);
	case USE_shared: return add(r, &request->link, "-shared");
	case USE_linker: return use_linker(r, value);
	}
	return true;
}

/* --- words -------------------------------------------------------------------------------------------------------- */

static const struct cc_option {
	const char *spelling;
	enum cc_form form;
	enum cc_use use;
	const char *help;
} options[] = {
#define CC_OPTION(spelling, form, use, help) {spelling, CC_##form, USE_##use, help},
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
	} ends[] = {{".cu", BUILD_CUDA}, {".cpp", BUILD_CXX}, {".cc", BUILD_CXX}, {".cxx", BUILD_CXX},
		{".C", BUILD_CXX}, {".c++", BUILD_CXX}, {".c", BUILD_C}, {".o", BUILD_LINKED}, {".obj", BUILD_LINKED},
		{".lo", BUILD_LINKED}, {".a", BUILD_LINKED}, {".so", BUILD_LINKED}};
	size_t n = strlen(path);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		size_t m = strlen(ends[i].end);
		if (n > m && strcmp(path + n - m, ends[i].end) == 0) {
			*kind = ends[i].kind;
			return true;
		}
	}
	const char *version = strstr(path_last(path), ".so.");
	*kind = BUILD_LINKED;
	return version && version > path_last(path);
}

static bool read_input(const struct cc_reading *r)
{
	struct build_request *q = &r->line->request;
	struct build_input input = {.path = r->word, .kind = BUILD_CUDA};
	if (!cc_kind(r->word, &input.kind) && !r->line->forces_kind)
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
	return use_option(r, o->use, value);
}

/* Whether each input becomes a file of its own. */
static bool makes_each(const struct cc_line *line)
{
	return line->action == CC_OBJECTS || line->action == CC_PTX || line->action == CC_TEXT ||
		line->action == CC_RULES;
}

/* --- files of options: @FILE and --options-file FILE --- */

static bool is_options_file(const char *word)
{
	return strcmp(word, "--options-file") == 0 || strcmp(word, "-optf") == 0;
}

struct word_list {
	const char **at;
	int n, cap;
};

/* Takes words apart as a shell would: quotation marks and backslashes keep blanks. */
static void split_words(struct arena *arena, const char *at, struct word_list *out)
{
	static const char blank[] = " \t\r\n\f\v";
	struct buf word = {0};
	while (*(at += strspn(at, blank))) {
		char quote = '\0';
		buf_clear(&word);
		for (; *at && (quote || !strchr(blank, *at)); at++) {
			if (*at == quote)
				quote = '\0';
			else if (!quote && (*at == '"' || *at == '\''))
				quote = *at;
			else if (*at == '\\' && quote != '\'' && at[1])
				buf_putc(&word, *++at);
			else
				buf_putc(&word, *at);
		}
		*(const char **)vec_push_in(arena, out->at, out->n, out->cap) = arena_strdup(arena, buf_str(&word));
	}
	buf_free(&word);
}

static bool expand_word(struct cmd_ctx *ctx, const char *word, int depth, struct word_list *out);

static bool expand_file(struct cmd_ctx *ctx, const char *path, int depth, struct word_list *out)
{
	struct word_list words = {0};
	struct buf text = {0};
	if (depth == RESPONSES_MAX) {
		cmd_usage(ctx, &cmd_cc_entry, "%s: files of options name each other too deep", path);
		return false;
	}
	bool ok = file_read_text(path, RESPONSE_MAX, &text, &ctx->diag);
	if (ok)
		split_words(ctx->arena, buf_str(&text), &words);
	buf_free(&text);
	for (int i = 0; i < words.n && ok; i++) {
		bool names = is_options_file(words.at[i]) && i + 1 < words.n;
		ok = names ? expand_file(ctx, words.at[i + 1], depth + 1, out)
			   : expand_word(ctx, words.at[i], depth + 1, out);
		i += names;
	}
	return ok;
}

static bool expand_word(struct cmd_ctx *ctx, const char *word, int depth, struct word_list *out)
{
	if (*word == '@' && word[1])
		return expand_file(ctx, word + 1, depth, out);
	*(const char **)vec_push_in(ctx->arena, out->at, out->n, out->cap) = word;
	return true;
}

/* The words with those of such files in their places; kept, since the files cannot be read once we are confined. */
static bool expand(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n, const char *const **words, int *n_words)
{
	static struct word_list kept;
	static const char *wrong, *wrong_file;
	static bool done;
	bool ok = !wrong;
	for (int i = 0; i < n && ok && !done; i++) {
		bool names = is_options_file(args[i].value) && i + 1 < n;
		ok = names ? expand_file(ctx, args[i + 1].value, 0, &kept) : expand_word(ctx, args[i].value, 0, &kept);
		i += names;
	}
	if (wrong)
		diag_error(&ctx->diag, (struct diag_pos){.file = wrong_file}, "%s", wrong);
	else if (!ok && ctx->diag.count) {
		const struct diag_entry *first = &ctx->diag.entries[0];
		wrong = arena_strdup(ctx->arena, first->message);
		wrong_file = first->file ? arena_strdup(ctx->arena, first->file) : NULL;
	}
	done = true;
	*words = kept.at;
	*n_words = kept.n;
	return ok;
}

/* Reads the words. False with an error. */
static bool cc_read(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n_args, struct cc_line *out)
{
	static struct buf targets;
	struct cc_reading r = {.ctx = ctx, .line = out};
	const char *const *words;
	int n;
	*out = (struct cc_line){.targets = &targets};
	buf_clear(&targets);
	if (!expand(ctx, args, n_args, &words, &n))
		return false;
	for (int i = 0; i < n; i++) {
		bool used = false;
		r.word = words[i];
		const struct cc_option *o = *r.word == '-' ? find_option(r.word) : NULL;
		if (*r.word == '-' && !o)
			return refuse_option(&r);
		if (o ? !read_option(&r, o, i + 1 < n ? words[i + 1] : NULL, &used) : !read_input(&r))
			return false;
		i += used;
	}

	struct build_request *q = &out->request;
	for (int i = 0; i < q->n_inputs && out->forces_kind; i++)
		if (q->inputs[i].kind != BUILD_LINKED)
			q->inputs[i].kind = out->kind;
	if (!q->n_inputs && !out->version)
		cmd_usage(ctx, &cmd_cc_entry, "which file? CUDA source, FILE.cu");
	else if (makes_each(out) && out->output && q->n_inputs > 1)
		cmd_usage(ctx, &cmd_cc_entry, "-c and -o take one file");
	else if (out->runs && out->action != CC_PROGRAM)
		cmd_usage(ctx, &cmd_cc_entry, "-run takes what is linked to a program");
	else
		return true;
	return false;
}

/* The options as lines of the help. */
static const char *cc_help(void)
{
	static char text[16384];
	size_t at = 0;
	for (size_t i = 0; i < N_CC_OPTIONS; i++)
		if (*options[i].help)
			at += (size_t)snprintf(
				text + at, sizeof text - at, "  %-18s %s\n", options[i].spelling, options[i].help);
	return text;
}

/* --- the command --- */

static int run_cc(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

/* A file's name with another end. */
static const char *name_with(struct arena *arena, const char *path, const char *end)
{
	const char *dot = strrchr(path_last(path), '.');
	return arena_printf(arena, "%.*s%s", (int)(dot ? (size_t)(dot - path) : strlen(path)), path, end);
}

static const char *output_name(struct cmd_ctx *ctx, const struct cc_line *line, int i)
{
	static const char *const ends[] = {[CC_OBJECTS] = ".o", [CC_PTX] = ".ptx", [CC_TEXT] = ".i", [CC_RULES] = ".o"};
	static const char *const usual[] = {
		[CC_PROGRAM] = "a.out", [CC_ARCHIVE] = "a.a", [CC_DEVICE_LINK] = "a_dlink.o"};
	if (line->output && line->action != CC_RULES)
		return line->output;
	const char *name = makes_each(line)
		? name_with(ctx->arena, path_last(line->request.inputs[i].path), ends[line->action])
		: usual[line->action];
	return line->folder ? path_join(ctx->arena, line->folder, name) : name;
}

/* Where the rules for object `i` go; NULL: to standard output, or nowhere. */
static const char *rules_name(struct cmd_ctx *ctx, const struct cc_line *line, int i)
{
	if (line->request.dependencies == BUILD_NO_DEPENDENCIES)
		return NULL;
	if (line->rules)
		return line->rules;
	return line->action == CC_RULES ? line->output : name_with(ctx->arena, output_name(ctx, line, i), ".d");
}

/* The program that is to be run, and with what. */
static const char *program;
static const char *const *program_words;

/* Before this process is confined: a copy of it compiles, and when that has made the program this one becomes it, as if
 * the reader had typed ./a.out. */
static bool compile_in_a_copy(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	(void)needs, (void)args, (void)n;
	int status = 0;
	fflush(NULL);
	pid_t copy = fork();
	if (copy <= 0)
		return copy == 0;
	while (waitpid(copy, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_OK)
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	execv(program, (char *const *)program_words);
	struct buf why = {0};
	escape_line(&why, "simttutor: %s: %s", program, strerror(errno));
	cmd_print_log(&why);
	_exit(EXIT_FAILED);
}

static void needs_of_cc(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	struct diag quiet = needs->ctx->diag;
	struct cc_line *line = arena_alloc(needs->ctx->arena, sizeof *line);
	needs->ctx->diag = (struct diag){0};
	if (cc_read(needs->ctx, args, n, line)) {
		const char *rules = line->version ? NULL : rules_name(needs->ctx, line, 0);
		cmd_needs_build(needs, &line->request);
		program_headers_find(needs, &line->request);
		if (!line->version && (line->action != CC_TEXT || line->output))
			cmd_needs_output(needs, output_name(needs->ctx, line, 0));
		if (rules)
			cmd_needs_output(needs, rules);
		if (line->runs && !line->request.dry && !line->version) {
			const char **words = arena_array(
				needs->ctx->arena, const char *, (size_t)line->run_words.n + 2);
			program = output_name(needs->ctx, line, 0);
			if (!strchr(program, '/'))
				program = arena_printf(needs->ctx->arena, "./%s", program);
			words[0] = program;
			for (int i = 0; i < line->run_words.n; i++)
				words[i + 1] = line->run_words.words[i];
			program_words = words;
			needs->before = compile_in_a_copy;
		}
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
		"Compiles and links as nvcc would. After eval \"$(simttutor env)\" it is what a shell, make and CMake find as nvcc, so that "
		"projects build as they are; make NVCC=\"simttutor cc\" does for one Makefile. For CMake there is a toolchain file, too, "
		"whose name --cmake prints. It makes a program whose "
		"kernels the SIMT machine runs, without a GPU: ./PROGRAM, or simttutor run PROGRAM. The compiler is nvcc "
		"where it is installed, or named by NVCC; else clang 14 or later, or CLANG, alone, without anything of "
		"NVIDIA's, with CUDA headers of simttutor's own: the runtime's API, vector types, mathematics, atomics, "
		"warp intrinsics, cuda_fp16.h, cuda_bf16.h, cooperative_groups.h and cuda/atomic. NVCC=: passes over nvcc. What "
		"needs CUB, Thrust or NVIDIA's other libraries needs nvcc. g++, or the "
		"program that CUDAHOSTCXX names, links what nvcc compiled. Mathematics of kernels that clang compiled is "
		"the host's library's, within the errors that NVIDIA publishes and not to its last bits. Device code is "
		"PTX with line tables, optimized; host code has its lines, too, with or without -g.\n"
		"Files are CUDA (.cu), C++ (.cpp, .cc, .cxx, .C), C (.c), and objects, archives and libraries (.o, .a, .so); @FILE has "
		"more words. NVIDIA's libraries of machine code (cuBLAS, cuFFT, NCCL and so on) are not linked: what a program calls of "
		"them is named. "
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

/* How what compilers make begins. */
static bool is_made(const char *to)
{
	static const char *const marks[] = {"\177ELF", "!<arch>\n", "//\n// Generated by ", "# 0 \"", "# 1 \""};
	char bytes[32] = "";
	int fd = open(to, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is = false, opened = fd >= 0 && file_get(fd, bytes, sizeof bytes - 1) > 0;
	for (size_t i = 0; opened && i < sizeof marks / sizeof *marks; i++)
		is = is || strncmp(bytes, marks[i], strlen(marks[i])) == 0;
	if (fd >= 0)
		close(fd);
	return is;
}

/* What an earlier compilation has made, or nothing: a source whose name was given for -o is not lost. */
static bool may_replace(struct cmd_ctx *ctx, const char *to)
{
	struct stat info;
	if (stat(to, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0 || is_made(to))
		return true;
	diag_error(&ctx->diag, (struct diag_pos){.file = to},
		"there is a file already that is neither program nor object; it is not replaced");
	return false;
}

/* A file of rules is known by its name, or by its first rule. */
static bool may_replace_rules(struct cmd_ctx *ctx, const char *to)
{
	struct stat info;
	struct buf text = {0};
	struct diag quiet = {0};
	enum build_kind kind;
	if (stat(to, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0)
		return true;
	const char *line = file_read_text(to, RESPONSE_MAX * 16, &text, &quiet) ? buf_str(&text) : "";
	const char *colon = strchr(line, ':');
	bool is = !cc_kind(to, &kind) && colon && !memchr(line, '\n', (size_t)(colon - line)) &&
		strchr(" \n\\", colon[1]) != NULL;
	buf_free(&text);
	diag_free(&quiet);
	if (!is)
		diag_error(&ctx->diag, (struct diag_pos){.file = to},
			"there is a file already that has no rules of make; it is not replaced");
	return is;
}

/* Writes what object `i` depends on, where that was asked for. */
static bool write_rules(struct cmd_ctx *ctx, struct build *build, const struct cc_line *line, int i)
{
	const char *to = rules_name(ctx, line, i);
	if (line->request.dependencies == BUILD_NO_DEPENDENCIES || line->request.dry)
		return true;
	struct buf text = {0};
	const char *targets = line->targets->len ? buf_str(line->targets) : output_name(ctx, line, i);
	bool ok = build_put_dependencies(build, i, targets, line->phony, &text);
	ok = ok && (to ? file_write(to, text.data, text.len, &ctx->diag) : cmd_print(ctx, &text));
	buf_free(&text);
	return ok;
}

static bool make_each(struct cmd_ctx *ctx, struct build *build, const struct cc_line *line, int i)
{
	const char *from = line->action == CC_PTX ? build_ptx(build, i)
		: line->action == CC_TEXT         ? build_preprocessed(build, i)
						  : build_object(build, i);
	if (!from || !write_rules(ctx, build, line, i))
		return false;
	if (line->action == CC_TEXT && !line->output && !line->request.dry) {
		struct buf text = {0};
		bool ok = file_read(from, PROGRAM_MAX, &text, &ctx->diag) && cmd_print(ctx, &text);
		buf_free(&text);
		return ok;
	}
	return line->action == CC_RULES || line->request.dry || keep(ctx, from, output_name(ctx, line, i), false);
}

static bool make(struct cmd_ctx *ctx, struct build *build, const struct cc_line *line)
{
	sandbox_allow_seconds(SANDBOX_BUILD_SECONDS);
	if (makes_each(line)) {
		bool ok = true;
		for (int i = 0; i < line->request.n_inputs && ok; i++)
			if (line->request.inputs[i].kind != BUILD_LINKED)
				ok = make_each(ctx, build, line, i);
		return ok;
	}
	const char *from = line->action == CC_DEVICE_LINK ? build_device_link(build)
		: line->action == CC_ARCHIVE              ? build_archive(build)
							  : build_program(build);
	for (int i = 0; i < line->request.n_inputs && from; i++)
		if (line->request.inputs[i].kind != BUILD_LINKED && !write_rules(ctx, build, line, i))
			return false;
	return from && (line->request.dry || keep(ctx, from, output_name(ctx, line, 0), line->action == CC_PROGRAM));
}

/* nvcc -v and --dryrun begin with the folders of the toolkit, which build systems look for there. */
static void print_toolkit(struct cmd_ctx *ctx, int arch)
{
	const char *root = ctx->paths.runtime;
	struct buf out = {0};
	escape_line(&out, "#$ TOP=%s", root);
	escape_line(&out, "#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice", root);
	escape_line(&out, "#$ PATH=%s/bin:%s", root, getenv("PATH") ? getenv("PATH") : "");
	escape_line(&out, "#$ INCLUDES=\"-I%s/include\"", root);
	escape_line(&out, "#$ LIBRARIES=\"-L%s/lib64\"", root);
	if (arch)
		escape_line(&out, "#$ _ARCH_=-arch compute_%d", arch);
	cmd_print_log(&out);
	buf_free(&out);
}

static bool names_word(const struct cmd_parsed *args, int n, const char *word)
{
	for (int i = 0; i < n; i++)
		if (strcmp(args[i].value, word) == 0)
			return true;
	return false;
}

static bool may_write(struct cmd_ctx *ctx, const struct cc_line *line)
{
	int n = makes_each(line) ? line->request.n_inputs : 1;
	for (int i = 0; i < n && !line->request.dry; i++) {
		const char *rules = rules_name(ctx, line, i);
		if (makes_each(line) && line->request.inputs[i].kind == BUILD_LINKED)
			continue;
		if (line->action != CC_RULES && (line->action != CC_TEXT || line->output) &&
			!may_replace(ctx, output_name(ctx, line, i)))
			return false;
		if (rules && !may_replace_rules(ctx, rules))
			return false;
	}
	return true;
}

static int run_cc(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	if (n == 1 && names_word(args, n, "--cmake")) {
		struct buf out = {0};
		escape_line(&out, "%s", path_join(ctx->arena, ctx->paths.data, "cmake/simttutor.cmake"));
		bool ok = cmd_print(ctx, &out);
		buf_free(&out);
		return ok ? EXIT_OK : EXIT_FAILED;
	}
	/* CMake asks so where the toolkit is, of a source that does not exist. */
	if (names_word(args, n, "-v") && names_word(args, n, "__cmake_determine_cuda")) {
		print_toolkit(ctx, 0);
		return EXIT_FAILED;
	}
	if (!ctx->as_nvcc && names_word(args, n, "-v") && names_word(args, n, "CMakeCUDACompilerId.cu")) {
		/* CMake drops "cc" from the commands that it makes of CUDACXX="simttutor cc". Of a compiler that makes
		 * nothing of this source it shows what that printed, when it was content. */
		struct buf out = {0};
		escape_line(&out, "CMake takes a compiler of one word alone. Say in the shell, and configure again:");
		escape_line(&out, "    eval \"$(simttutor env)\"");
		bool ok = cmd_print(ctx, &out);
		buf_free(&out);
		return ok ? EXIT_OK : EXIT_FAILED;
	}
	struct cc_line *line = arena_alloc(ctx->arena, sizeof *line);
	struct build *build = arena_alloc(ctx->arena, sizeof *build);
	if (!cc_read(ctx, args, n, line))
		return EXIT_USAGE;
	program_headers_use(&line->request);
	bool shows = line->request.verbose || line->request.dry;
	if (!line->version && !may_write(ctx, line))
		return EXIT_FAILED;

	int status = build_begin(build, cmd_compile_ctx(ctx), &line->request);
	if (status == EXIT_OK && line->version) {
		struct buf out = {0};
		bool ok = build_put_version(build, &out) && cmd_print(ctx, &out);
		buf_free(&out);
		status = ok ? EXIT_OK : EXIT_FAILED;
	} else if (status == EXIT_OK) {
		if (shows)
			print_toolkit(ctx, build->arch);
		status = make(ctx, build, line) ? EXIT_OK : EXIT_FAILED;
		if (shows && line->action == CC_PROGRAM) {
			/* How an object is linked by another build system: by this program again, which puts its
			 * runtime there. */
			const char *output = output_name(ctx, line, 0);
			const char *root = ctx->paths.runtime;
			struct buf out = {0};
			escape_line(&out,
				"#$ \"%s/bin/nvcc\" -o \"%s\" \"-L%s/lib64\" -lcudadevrt -lcudart_static -lrt -lpthread -ldl",
				root, output, root);
			cmd_print_log(&out);
			buf_free(&out);
		}
	}
	build_end(build);
	if (status != EXIT_OK)
		program_headers_explain(ctx, "-I");
	return status;
}
