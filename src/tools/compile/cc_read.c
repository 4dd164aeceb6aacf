#include "tools/compile/cc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum cc_form { CC_ALONE, CC_JOINED, CC_VALUE };

/* What is read, and of which word. */
struct cc_reading {
	struct cmd_ctx *ctx;
	struct cc_line *line;
	const char *word;
};

extern const struct cmd_entry cmd_cc_entry;

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

/* --- what becomes of an option ---------------------------------------------------------------------------------------- */

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

/* The first number of sm_90, compute_90, or arch=compute_90,code=sm_90; the highest of several options, and of `native` and
 * `all` the machine's. */
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

/* --- words ------------------------------------------------------------------------------------------------------------ */

static const struct cc_option {
	const char *spelling;
	enum cc_form form;
	bool (*use)(const struct cc_reading *r, const char *value);
	const char *help;
} options[] = {
#define CC_OPTION(spelling, form, use, help) {spelling, CC_##form, use_##use, help},
#include "tools/compile/cc_options.def"
#undef CC_OPTION
};
#define N_OPTIONS (sizeof options / sizeof *options)

static const struct cc_option *find_option(const char *word)
{
	const struct cc_option *best = NULL;
	for (size_t i = 0; i < N_OPTIONS; i++) {
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

bool cc_kind(const char *path, enum build_kind *kind)
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

static bool check_line(struct cmd_ctx *ctx, struct cc_line *line)
{
	struct build_request *q = &line->request;
	for (int i = 0; i < q->n_inputs && line->all_cuda; i++)
		if (q->inputs[i].kind == BUILD_CXX || q->inputs[i].kind == BUILD_C)
			q->inputs[i].kind = BUILD_CUDA;
	if (!q->n_inputs)
		cmd_usage(ctx, &cmd_cc_entry, "which file? CUDA source, FILE.cu");
	else if (line->compile_only && line->output && q->n_inputs > 1)
		cmd_usage(ctx, &cmd_cc_entry, "-c and -o take one file");
	else
		return true;
	return false;
}

bool cc_read(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n, struct cc_line *out)
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
	return check_line(ctx, out);
}

const char *cc_help(void)
{
	static char text[8192];
	size_t at = 0;
	for (size_t i = 0; i < N_OPTIONS; i++)
		if (*options[i].help)
			at += (size_t)snprintf(
				text + at, sizeof text - at, "  %-18s %s\n", options[i].spelling, options[i].help);
	return text;
}
