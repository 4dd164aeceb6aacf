#include "config.h"
#include "tools/compile/build.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "model/hardware/access.h"
#include "tools/compile/libraries.h"
#include "tools/sandbox/process.h"
#include "tools/sandbox/sandbox.h"

#define SOURCE_MAX ((size_t)16 << 20)
#define PTX_MAX ((size_t)64 << 20)
#define LOG_MAX ((size_t)1 << 20)
#define ARGS_MAX (6 * BUILD_WORDS_MAX)

/* What is in the private folder, called as no file of the reader is. */
#define MACROS "simttutor-macros.h"
#define UNIT "simttutor-unit-"
#define SOURCE_FOLDER "simttutor-source-"
#define FOLDER "simttutor-folder-"
#define LIBRARY_FOLDER "simttutor-library-"
#define HEADERS "simttutor-include"
#define RUNTIME "simttutor-runtime"
#define LINKED "simttutor-linked-"
#define PROGRAM "simttutor-program"
#define PARTS "simttutor-parts"
#define SHARED_FOLDER "simttutor-shared-"
#define ARCHIVE "simttutor-archive.a"

struct build_words {
	const char *at[ARGS_MAX];
	int n;
};

/* There is room: of everything that a request has, there are BUILD_WORDS_MAX at most. */
static void put(struct build_words *w, const char *word)
{
	assert(w->n + 1 < ARGS_MAX);
	w->at[w->n++] = word;
}

static void put_all(struct build_words *w, const char *const *all)
{
	for (int i = 0; all[i]; i++)
		put(w, all[i]);
}

static void put_list(struct build_words *w, const struct build_list *list)
{
	for (int i = 0; i < list->n; i++)
		put(w, list->words[i]);
}

/* Takes away those from `first` on that begin so. */
static void drop(struct build_words *w, int first, const char *beginning)
{
	int kept = first;
	for (int i = first; i < w->n; i++)
		if (strncmp(w->at[i], beginning, strlen(beginning)) != 0)
			w->at[kept++] = w->at[i];
	w->n = kept;
}

/* "simttutor-unit-3.o" */
static char *numbered(const struct build *b, const char *stem, int i, const char *end)
{
	return arena_printf(b->ctx->arena, "%s%d%s", stem, i, end);
}

/* Compilers make the name of device code that is to be linked from that of its file. */
static char *unit_source(const struct build *b, int i)
{
	const struct build_input *in = &b->request->inputs[i];
	const char *end = in->kind == BUILD_CUDA ? ".cu" : in->kind == BUILD_C ? ".c" : ".cpp";
	char real[PATH_MAX];
	if (in->kind != BUILD_CUDA || !b->request->relocatable)
		return numbered(b, UNIT, i, end);
	const char *path = realpath(in->path, real) ? real : in->path;
	uint64_t hash = hash_bytes(HASH_START, path, strlen(path));
	return arena_printf(b->ctx->arena, UNIT "%d-%016llx%s", i, (unsigned long long)hash, end);
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static const char *working_folder(struct arena *arena)
{
	char working[PATH_MAX];
	return arena_strdup(arena, getcwd(working, sizeof working) ? working : "/");
}

static const char *absolute(struct arena *arena, const char *path)
{
	return *path == '/' ? path : path_join(arena, working_folder(arena), path);
}

/* Up to its slash: "", "sub/", "/home/r/". */
static const char *own_folder(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? arena_strndup(arena, path, (size_t)(slash - path) + 1) : "";
}

static const char *headers_folder(const struct build *b)
{
	return path_join(b->ctx->arena, b->ctx->paths->data, "include/");
}

/* As it can stand in source text. */
static const char *plain_name(struct arena *arena, const char *name)
{
	char *plain = arena_strdup(arena, name);
	for (char *c = plain; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7F || strchr("\"\\", *c))
			*c = '_';
	return plain;
}

/* What compilers print of our names; `own` goes before them. */
static size_t list_names(const struct build *b, const char *own, bool absolutely, struct renamed *names)
{
	const struct build_request *r = b->request;
	struct arena *arena = b->ctx->arena;
	size_t n = 0;
	for (int i = 0; i < r->n_inputs; i++) {
		const char *folder = own_folder(arena, r->inputs[i].path);
		names[n++] = (struct renamed){arena_printf(arena, "%s" SOURCE_FOLDER "%d/", own, i),
			absolutely ? absolute(arena, folder) : folder};
		names[n++] = (struct renamed){arena_printf(arena, "%s" LINKED "%d", own, i), r->inputs[i].path};
	}
	for (int i = 0; i < r->folders.n; i++)
		names[n++] = (struct renamed){arena_printf(arena, "%s" FOLDER "%d/", own, i),
			path_join(arena, absolutely ? absolute(arena, r->folders.words[i]) : r->folders.words[i], "")};
	names[n++] = (struct renamed){arena_printf(arena, "%s" HEADERS "/", own), headers_folder(b)};
	return n;
}

#define NAMES_MAX (3 * BUILD_WORDS_MAX + 8)
#define PROGRAM_TEXT_MAX ((size_t)256 << 20) /* of what a preprocessor prints */

/* A tool's messages, with the names of our files as the reader's. */
static void print_log(const struct build *b, const struct buf *log)
{
	struct renamed names[2 * NAMES_MAX];
	struct buf out = {0};
	struct arena *arena = b->ctx->arena;
	const char *own = path_join(arena, b->scratch.path, "");
	size_t n = list_names(b, own, false, names);
	size_t m = list_names(b, "", false, names + n);
	renamed_put(buf_str(log), log->len, names, n, &out);
	struct buf again = {0};
	renamed_put(buf_str(&out), out.len, names + n, m, &again);
	if (again.len && again.data[again.len - 1] != '\n')
		buf_putc(&again, '\n');
	b->ctx->print_log(&again);
	buf_free(&out);
	buf_free(&again);
}

/* --- the private folder ------------------------------------------------------------------------------------------- */

/* nvcc names the source in PTX by its folder, the private one, unless it is given from the root. */
static bool copy_source(struct build *b, int i)
{
	const char *path = b->request->inputs[i].path;
	const char *shown = compile_here_is_clang(&b->here) ? path : absolute(b->ctx->arena, path);
	struct buf text = {0}, copy = {0};
	bool ok = file_read_text(path, SOURCE_MAX, &text, b->ctx->diag);
	buf_printf(&copy, "#line 1 \"%s\"\n", plain_name(b->ctx->arena, shown));
	if (ok && text.len && compile_here_is_clang(&b->here)) {
		/* nvcc reads kernel<< <grid, block> >>(), as some editors lay it out; clang wants <<< and >>> in one
		 * piece. Columns stay. */
		char *at = text.data, *end;
		while (at && (at = strstr(at, "<< <")) != NULL) {
			int quotes = 0; /* of a string that it is in */
			for (const char *c = at; c > text.data && c[-1] != '\n'; c--)
				quotes += c[-1] == '"';
			if (quotes % 2) {
				at += 4;
				continue;
			}
			at[0] = ' ';
			at[2] = '<';
			end = strstr(at, ">> >");
			const char *stop = strchr(at, ';');
			if (end && (!stop || end < stop)) {
				end[2] = '>';
				end[3] = ' ';
			}
			at += 4;
		}
	}
	compile_here_put_source(&b->here, &text, &copy);
	ok = ok && scratch_write(&b->scratch, unit_source(b, i), copy.data, copy.len, b->ctx->diag);
	buf_free(&text);
	buf_free(&copy);
	return ok;
}

static bool write_macros(struct build *b)
{
	const struct build_request *r = b->request;
	struct buf text = {0};
	for (int i = 0; i < r->n_macros; i++) {
		const char *macro = r->macros[i].text;
		size_t name = strcspn(macro, "=");
		if (r->macros[i].kind == BUILD_DEFINE)
			buf_printf(
				&text, "#define %.*s %s\n\n", (int)name, macro, macro[name] ? macro + name + 1 : "1");
		else if (r->macros[i].kind == BUILD_UNDEFINE)
			buf_printf(&text, "#undef %s\n", macro);
	}
	for (int i = 0; i < r->n_macros; i++)
		if (r->macros[i].kind == BUILD_INCLUDE)
			buf_printf(&text, "#include \"%s\"\n", r->macros[i].text);
	bool ok = scratch_write(&b->scratch, MACROS, buf_str(&text), text.len, b->ctx->diag);
	buf_free(&text);
	return ok;
}

static bool link_folder(struct build *b, const char *name, const char *folder)
{
	const char *target = absolute(b->ctx->arena, folder);
	b->reads[b->n_reads++] = target;
	return scratch_link(&b->scratch, name, target, b->ctx->diag);
}

static const char *linked_end(const char *path)
{
	const char *dot = strrchr(path_last(path), '.');
	return dot && strcmp(dot, ".a") == 0 ? ".a" : ".o";
}

/* A library is linked by its own name, which a program asks for when it starts. */
static bool is_shared(const char *path)
{
	const char *name = path_last(path), *at = strstr(name, ".so");
	return at && at > name && (!at[3] || at[3] == '.');
}

static bool prepare_input(struct build *b, int i)
{
	const struct build_input *in = &b->request->inputs[i];
	if (in->kind == BUILD_LINKED && is_shared(in->path)) {
		const char *folder = own_folder(b->ctx->arena, in->path);
		return link_folder(b, numbered(b, SHARED_FOLDER, i, ""),
			path_join(b->ctx->arena, absolute(b->ctx->arena, folder), ""));
	}
	if (in->kind == BUILD_LINKED)
		return link_folder(b, numbered(b, LINKED, i, linked_end(in->path)), in->path);
	return copy_source(b, i) &&
		link_folder(b, numbered(b, SOURCE_FOLDER, i, ""),
			path_join(b->ctx->arena, absolute(b->ctx->arena, own_folder(b->ctx->arena, in->path)), ""));
}

static bool prepare(struct build *b)
{
	const struct build_request *r = b->request;
	bool ok = write_macros(b) && link_folder(b, HEADERS, headers_folder(b)) &&
		link_folder(b, RUNTIME, b->ctx->paths->runtime);
	for (int i = 0; i < r->headers.n; i++)
		b->reads[b->n_reads++] = absolute(b->ctx->arena, r->headers.words[i]);
	for (int i = 0; ok && i < r->n_inputs; i++)
		ok = prepare_input(b, i);
	for (int i = 0; ok && i < r->folders.n; i++)
		ok = link_folder(b, numbered(b, FOLDER, i, ""), r->folders.words[i]);
	for (int i = 0; ok && i < r->library_folders.n; i++)
		ok = link_folder(b, numbered(b, LIBRARY_FOLDER, i, ""), r->library_folders.words[i]);
	return ok;
}

/* --- running tools ------------------------------------------------------------------------------------------------ */

static struct sandbox_job job_of(const struct build *b, const struct build_words *w)
{
	return (struct sandbox_job){
		.argv = w->at, .scratch = &b->scratch, .log_max = LOG_MAX, .reads = b->reads, .n_reads = b->n_reads};
}

/* Once, however many sources and symbols there are. */
static void explain_library(struct build *b, const struct buf *log)
{
	b->explained = b->explained || compile_explain_libraries(b->ctx->diag, buf_str(log));
}

/* A command as nvcc -v shows it. */
static void print_command(const struct build *b, const struct build_words *w)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-=.,/:@%";
	struct buf line = {0};
	buf_puts(&line, "#$");
	for (int i = 0; i < w->n; i++)
		buf_printf(&line, w->at[i][strspn(w->at[i], plain)] ? " \"%s\"" : " %s", w->at[i]);
	buf_putc(&line, '\n');
	print_log(b, &line);
	buf_free(&line);
}

/* Runs the tool, unless commands are only to be shown. False, with an error, when that fails. */
static bool run_tool_on(struct build *b, const struct build_words *w, struct buf *log)
{
	if (b->request->verbose || b->request->dry)
		print_command(b, w);
	if (b->request->dry)
		return true;
	struct sandbox_job job = job_of(b, w);
	struct sandbox_end end = sandbox_run(&job, log);
	print_log(b, log);
	if (!sandbox_succeeded(&end))
		compile_here_report(&b->here, w->at[0], &end, log);
	return sandbox_succeeded(&end);
}

/* Its messages are printed, and what they mean. */
static bool run_tool(struct build *b, const struct build_words *w)
{
	struct buf log = {0};
	bool ok = run_tool_on(b, w, &log);
	if (!ok) {
		explain_library(b, &log);
		if (!b->explained)
			compile_here_explain_header(&b->here, &log);
	}
	buf_free(&log);
	return ok;
}

/* --- compiling ---------------------------------------------------------------------------------------------------- */

static void put_folders(const struct build *b, int unit, struct build_words *w)
{
	put(w, "-iquote");
	put(w, numbered(b, SOURCE_FOLDER, unit, ""));
	for (int i = 0; i < b->request->folders.n; i++) {
		put(w, "-I");
		put(w, numbered(b, FOLDER, i, ""));
	}
}

/* What both passes of clang have in common. */
static void put_clang(const struct build *b, int unit, struct build_words *w)
{
	static const char *const always[] = {"-x", "cuda", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version",
		"-Wno-pass-failed", "-Xclang", "-fcuda-allow-variadic-functions", "-Xclang", "-target-sdk-version=11.5",
		"-isystem", HEADERS, "-include", MACROS, "-include", "cuda_runtime.h", NULL};
	put(w, b->here.program);
	put_all(w, always);
	put(w, "-Wno-unknown-warning-option"); /* those of nvcc and g++ */
	if (!b->request->standard)
		put(w, "-std=gnu++17");
	/* Which of CUDA this is. CMake knows compilers with its dialect of options by __NVCC__; other sources, CCCL
	 * among them, would expect nvcc's own built-in functions behind that. */
	put_all(w,
		(const char *const[]){
			"-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0", "-D__CUDACC_VER_BUILD__=0", NULL});
	if (strcmp(path_last(b->request->inputs[unit].path), "CMakeCUDACompilerId.cu") == 0)
		put(w, "-D__NVCC__");
	if (b->request->relocatable)
		put(w, "-fgpu-rdc");
	if (b->request->per_thread)
		put(w, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
	put_folders(b, unit, w);
}

/* What the compiler of host code finds out about headers. */
static void put_dependencies(const struct build *b, int i, struct build_words *w)
{
	static const char *const options[] = {
		[BUILD_NO_DEPENDENCIES] = NULL, [BUILD_ALL_HEADERS] = "-MD", [BUILD_USER_HEADERS] = "-MMD"};
	const char *option = options[b->request->dependencies];
	if (!option)
		return;
	put(w, option);
	put(w, "-MF");
	put(w, numbered(b, UNIT, i, ".d"));
}

/* The lines of host code, for what is reported of launches, copies and leaks; -g has them, too. */
static void put_host_lines(const struct build *b, struct build_words *w)
{
	if (!b->request->host_debug)
		put(w, "-g1");
}

/* The words for all compilers; clang's name of the newest standard depends on its version. */
static void put_compile(const struct build *b, struct build_words *w)
{
	static const char *const oldest[] = {"-std=c++98", "-std=c++03", "-std=c++11", "-std=gnu++11"};
	bool clang = compile_here_is_clang(&b->here), older = clang && b->here.clang_version < 17;
	for (int i = 0; i < b->request->compile.n; i++) {
		const char *word = b->request->compile.words[i];
		for (size_t k = 0; clang && k < sizeof oldest / sizeof *oldest; k++)
			if (strcmp(word, oldest[k]) == 0)
				word = "-std=gnu++14"; /* what our headers are written in */
		put(w,
			!older                                      ? word
				: strcmp(word, "-std=c++23") == 0   ? "-std=c++2b"
				: strcmp(word, "-std=gnu++23") == 0 ? "-std=gnu++2b"
								    : word);
	}
}

static bool run_clang_device(struct build *b, int i, const char *ptx)
{
	/* A heap can be full: clang, which takes away what it allocates itself, would not let it be seen. */
	static const char *const device[] = {"--cuda-device-only", "-fno-builtin-malloc", "-S", NULL};
	struct build_words w = {.n = 0};
	put_clang(b, i, &w);
	put_all(&w, device);
	compile_here_put_target(&b->here, b->arch, w.at, &w.n);
	put(&w, b->request->debug_info ? "-O0" : "-O2");
	put(&w, b->request->debug_info ? "-g" : "-gline-tables-only");
	int first = w.n;
	put_compile(b, &w);
	drop(&w, first, "-O"); /* those above count */
	drop(&w, first, "-g");
	if (b->request->fast_math)
		put(&w, "-ffast-math");
	put(&w, "-o");
	put(&w, ptx);
	put(&w, unit_source(b, i));
	return run_tool(b, &w);
}

/* Names of files in line tables lead to the reader's; `end` of `n_end` bytes comes after the text. */
static bool rename_ptx(struct build *b, const char *ptx, const char *ending, size_t n_ending)
{
	if (b->request->dry)
		return true;
	struct arena *arena = b->ctx->arena;
	struct renamed names[NAMES_MAX];
	struct buf text = {0}, out = {0};
	const char *path = path_join(arena, b->scratch.path, ptx);
	bool ok = file_read(path, PTX_MAX, &text, b->ctx->diag);
	const char *own = arena_printf(arena, "\"%s/", b->scratch.path);
	size_t n = list_names(b, own, true, names);
	for (size_t j = 0; j < n; j++)
		names[j].readers = arena_printf(arena, "\"%s", plain_name(arena, names[j].readers));
	names[n++] = (struct renamed){own, arena_printf(arena, "\"%s/", plain_name(arena, working_folder(arena)))};
	for (const char *at = buf_str(&text), *end = at + text.len; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t len = newline ? (size_t)(newline + 1 - at) : (size_t)(end - at);
		bool names_file = strncmp(at + strspn(at, " \t"), ".file", 5) == 0;
		renamed_put(at, len, names, names_file ? n : 0, &out);
		at += len;
	}
	buf_append(&out, ending, n_ending);
	ok = ok && file_write(path, out.data, out.len, b->ctx->diag);
	buf_free(&text);
	buf_free(&out);
	return ok;
}

static bool run_clang(struct build *b, int i, const char *object)
{
	const char *ptx = numbered(b, UNIT, i, ".ptx");
	struct build_words w = {.n = 0};

	/* The text ends in NULs, which say where it ends in the program. */
	if (!run_clang_device(b, i, ptx) || !rename_ptx(b, ptx, "\0\0\0\0\0\0\0", 8))
		return false;

	put_clang(b, i, &w);
	put_all(&w,
		(const char *const[]){"--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", ptx, NULL});
	put_host_lines(b, &w);
	put_dependencies(b, i, &w);
	put_compile(b, &w);
	put_list(&w, &b->request->host);
	put_all(&w, (const char *const[]){"-w", "-c", "-o", object, unit_source(b, i), NULL});
	return run_tool(b, &w);
}

/* Words that nvcc hands to the host's compiler, after what it reads first. */
static const char *host_words(const struct build *b, int unit)
{
	const struct build_list *host = &b->request->host;
	char *all = arena_printf(b->ctx->arena, "-iquote," SOURCE_FOLDER "%d,-include," MACROS "%s", unit,
		b->request->host_debug ? "" : ",-g1");
	for (int i = 0; i < host->n; i++)
		all = arena_printf(b->ctx->arena, "%s,%s", all, host->words[i]);
	return all;
}

/* Preprocesses for the device alone, as nvcc does. */
static bool preprocess_clang(struct build *b, int i, const char *text)
{
	struct build_words w = {.n = 0};
	put_clang(b, i, &w);
	put_all(&w, (const char *const[]){"--cuda-device-only", "-E", NULL});
	compile_here_put_target(&b->here, b->arch, w.at, &w.n);
	put_compile(b, &w);
	put_all(&w, (const char *const[]){"-w", "-o", text, unit_source(b, i), NULL});
	return run_tool(b, &w);
}

/* To an object, or with `to` of "-ptx" to PTX, of "-E" to text. */
static bool run_nvcc(struct build *b, int i, const char *to, const char *made)
{
	struct build_words w = {.n = 0};
	put(&w, b->here.program);
	put_all(&w,
		(const char *const[]){to, b->request->debug_info ? "-G" : "-lineinfo", "-gencode",
			arena_printf(b->ctx->arena, "arch=compute_%d,code=compute_%d", b->arch, b->arch), "-Xcompiler",
			host_words(b, i), NULL});
	put_dependencies(b, i, &w);
	put_compile(b, &w);
	put_list(&w, &b->request->nvcc);
	for (int k = 0; k < b->request->folders.n; k++) {
		put(&w, "-I");
		put(&w, numbered(b, FOLDER, k, ""));
	}
	if (b->request->fast_math)
		put(&w, "-use_fast_math");
	if (b->request->relocatable)
		put(&w, "-rdc=true");
	put_all(&w, (const char *const[]){"-o", made, unit_source(b, i), NULL});
	return run_tool(b, &w);
}

/* Source without device code: with the headers of the runtime, as nvcc compiles it. To an object, with `to` of "-E" to
 * text. */
static bool run_host(struct build *b, int i, const char *to, const char *object)
{
	bool c = b->request->inputs[i].kind == BUILD_C, clang = compile_here_is_clang(&b->here);
	struct build_words w = {.n = 0};
	put(&w, clang ? b->here.program : b->cxx);
	put(&w, "-x");
	put(&w, c ? "c" : "c++");
	if (clang)
		put_all(&w, (const char *const[]){"-isystem", HEADERS, NULL});
	put_folders(b, i, &w);
	if (!clang) /* beside its program */
		put_all(&w,
			(const char *const[]){"-isystem",
				path_join(b->ctx->arena, own_folder(b->ctx->arena, b->here.program), "../include"),
				NULL});
	put_all(&w, (const char *const[]){"-include", MACROS, NULL});
	put_host_lines(b, &w);
	put_dependencies(b, i, &w);
	int first = w.n;
	put_compile(b, &w);
	if (c)
		drop(&w, first, "-std=");
	put_list(&w, &b->request->host);
	put_all(&w, (const char *const[]){to, "-o", object, unit_source(b, i), NULL});
	return run_tool(b, &w);
}

/* Whether a tool that reported success has made it. */
static const char *made(struct build *b, const char *tool, const char *name)
{
	const char *path = path_join(b->ctx->arena, b->scratch.path, name);
	if (file_exists(path) || b->request->dry)
		return path;
	diag_error(b->ctx->diag, (struct diag_pos){.file = b->unit.path},
		"%s reports success, but has made nothing; is it a compiler?", tool);
	return NULL;
}

const char *build_object(struct build *b, int i)
{
	const char *object = numbered(b, UNIT, i, ".o");
	b->unit.path = b->request->inputs[i].path;
	bool ok = b->request->inputs[i].kind != BUILD_CUDA ? run_host(b, i, "-c", object)
		: compile_here_is_clang(&b->here)          ? run_clang(b, i, object)
							   : run_nvcc(b, i, "-c", object);
	return ok ? made(b, b->here.program, object) : NULL;
}

const char *build_ptx(struct build *b, int i)
{
	const char *ptx = numbered(b, UNIT, i, ".ptx");
	b->unit.path = b->request->inputs[i].path;
	bool ok = compile_here_is_clang(&b->here) ? run_clang_device(b, i, ptx) : run_nvcc(b, i, "-ptx", ptx);
	const char *path = ok ? made(b, b->here.program, ptx) : NULL;
	return path && rename_ptx(b, ptx, "", 0) ? path : NULL;
}

/* Lines such as # 1 "FILE" lead to the reader's files. */
static bool rename_text(struct build *b, const char *path)
{
	struct arena *arena = b->ctx->arena;
	struct renamed names[2 * NAMES_MAX];
	struct buf text = {0}, out = {0};
	if (!file_read(path, PROGRAM_TEXT_MAX, &text, b->ctx->diag))
		return false;
	size_t n = list_names(b, arena_printf(arena, "\"%s/", b->scratch.path), false, names);
	n += list_names(b, "\"", false, names + n);
	for (int i = 0; i < b->request->n_inputs; i++)
		names[n++] = (struct renamed){arena_printf(arena, "\"%s\"", unit_source(b, i)),
			arena_printf(arena, "\"%s\"", b->request->inputs[i].path)};
	names[n++] = (struct renamed){
		arena_printf(arena, "\"%s/", b->scratch.path), arena_printf(arena, "\"%s/", working_folder(arena))};
	for (size_t j = 0; j < n; j++)
		if (names[j].readers[0] != '"')
			names[j].readers = arena_printf(arena, "\"%s", names[j].readers);
	for (const char *at = buf_str(&text), *end = at + text.len; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t len = newline ? (size_t)(newline + 1 - at) : (size_t)(end - at);
		renamed_put(at, len, names, *at == '#' ? n : 0, &out);
		at += len;
	}
	bool ok = file_write(path, out.data, out.len, b->ctx->diag);
	buf_free(&text);
	buf_free(&out);
	return ok;
}

const char *build_preprocessed(struct build *b, int i)
{
	const char *text = numbered(b, UNIT, i, ".i");
	b->unit.path = b->request->inputs[i].path;
	bool ok = b->request->inputs[i].kind != BUILD_CUDA ? run_host(b, i, "-E", text)
		: compile_here_is_clang(&b->here)          ? preprocess_clang(b, i, text)
							   : run_nvcc(b, i, "-E", text);
	const char *path = ok ? made(b, b->here.program, text) : NULL;
	return path && (b->request->dry || rename_text(b, path)) ? path : NULL;
}

/* --- dependency files ---------- */

/* A word of a rule without what make takes apart; returns where the next begins, NULL at the end. */
static const char *next_dependency(const char *at, struct buf *word)
{
	buf_clear(word);
	while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r' || (*at == '\\' && at[1] == '\n'))
		at++;
	for (; *at && *at != ' ' && *at != '\t' && *at != '\n' && *at != '\r'; at++) {
		if (*at == '\\' && at[1] == '\n')
			break;
		if ((*at == '\\' && (at[1] == ' ' || at[1] == '#')) || (*at == '$' && at[1] == '$'))
			at++;
		buf_putc(word, *at);
	}
	return word->len ? at : NULL;
}

static void put_dependency(struct buf *out, const char *name)
{
	for (; *name; name++) {
		if (*name == ' ' || *name == '#')
			buf_putc(out, '\\');
		else if (*name == '$')
			buf_putc(out, '$');
		buf_putc(out, *name);
	}
}

bool build_put_dependencies(struct build *b, int i, const char *targets, bool phony, struct buf *out)
{
	struct arena *arena = b->ctx->arena;
	struct renamed names[NAMES_MAX];
	struct buf text = {0}, word = {0}, later = {0};
	const char *own = path_join(arena, b->scratch.path, ""), *unit = unit_source(b, i);
	size_t n = list_names(b, "", false, names);
	if (!file_read(path_join(arena, b->scratch.path, numbered(b, UNIT, i, ".d")), PTX_MAX, &text, b->ctx->diag))
		return false;

	buf_printf(out, "%s:", targets);
	const char *rule = strstr(buf_str(&text), ": ");
	for (const char *at = rule ? rule + 1 : ""; (at = next_dependency(at, &word)) != NULL;) {
		const char *name = buf_str(&word);
		struct buf shown = {0};
		if (strncmp(name, own, strlen(own)) == 0)
			name += strlen(own);
		name += strncmp(name, "./", 2) == 0 ? 2 : 0;
		if (strcmp(name, MACROS) == 0 || strcmp(name, absolute(arena, b->request->inputs[i].path)) == 0)
			continue; /* nvcc names the source a second time, by what #line says */
		if (strcmp(name, unit) == 0)
			buf_puts(&shown, b->request->inputs[i].path);
		else
			renamed_put(name, strlen(name), names, n, &shown);
		buf_puts(out, " \\\n  ");
		put_dependency(out, buf_str(&shown));
		if (phony && strcmp(name, unit) != 0) {
			put_dependency(&later, buf_str(&shown));
			buf_puts(&later, ":\n");
		}
		buf_free(&shown);
	}
	buf_putc(out, '\n');
	buf_append(out, buf_str(&later), later.len);
	buf_free(&text);
	buf_free(&word);
	buf_free(&later);
	return true;
}

/* --- device code of several source files (nvcc -rdc=true) --- */

/* Objects with relocatable device code: what nvlink would make of them is done when the program begins (ptx_combine).
 * Each object calls a function of its own name with its device code; these functions are made here, and register all of
 * it as one module. */
/* By which objects with such code go. */
struct build_part_names {
	const char **of;
	int n, cap;
	bool linked; /* one of them has linked them already: it was made by -dlink */
};

#define OBJECT_MAX ((size_t)512 << 20)

#define CALL "__cudaRegisterLinkedBinary"
#define LINKED_ALREADY "__cudaPrelinkedFatbins" /* nvcc's -dlink has this name in its objects, too */

static const char parts_beginning[] = "struct fatbin { int magic, version; const void *data; const void **parts; };\n"
				      "extern \"C\" {\n"
				      "void **__cudaRegisterFatBinary(void *);\n"
				      "void __cudaRegisterFatBinaryEnd(void **);\n"
				      "void __cudaUnregisterFatBinary(void **);\n"
				      "int atexit(void (*)(void));\n"
				      "#define PART(id) extern const struct fatbin __fatbinwrap##id;\n";
/* That all are named here links an archive's objects, too, of which the host may name nothing. */
static const char parts_middle[] = "#undef PART\n"
				   "}\n"
				   "enum { N = 0\n"
				   "#define PART(id) + 1\n";
static const char parts_end[] = "#undef PART\n"
				"};\n"
				"static const void *" LINKED_ALREADY "[N + 1];\n"
				"static void (*callbacks[N + 1])(void **);\n"
				"static unsigned long n;\n"
				"static struct fatbin all = {0x466243b1, 2, " LINKED_ALREADY ", " LINKED_ALREADY "};\n"
				"static void **handle;\n"
				"static void end() { __cudaUnregisterFatBinary(handle); }\n"
				"static void add(const struct fatbin *wrapper, void (*callback)(void **))\n"
				"{\n"
				"	" LINKED_ALREADY "[n] = wrapper->data;\n"
				"	callbacks[n++] = callback;\n"
				"	if (n != N)\n"
				"		return;\n"
				"	handle = __cudaRegisterFatBinary(&all);\n"
				"	atexit(end);\n"
				"	for (unsigned long i = 0; i < n; i++)\n"
				"		callbacks[i](handle);\n"
				"	__cudaRegisterFatBinaryEnd(handle);\n"
				"}\n"
				"#define PART(id) extern \"C\" void " CALL
				"##id(void (*callback)(void **), void *, void *, void (*)(void *)) \\\n"
				"	{ add(&__fatbinwrap##id, callback); }\n";

static void add_name(struct arena *arena, struct build_part_names *names, const char *name, size_t len)
{
	for (int i = 0; i < names->n; i++)
		if (strlen(names->of[i]) == len && memcmp(names->of[i], name, len) == 0)
			return;
	*(const char **)vec_push_in(arena, names->of, names->n, names->cap) = arena_strndup(arena, name, len);
}

/* Adds those of an object or an archive. False, with an error: it cannot be read. */
static bool build_parts_find(const struct compile_ctx *ctx, const char *path, struct build_part_names *names)
{
	static const char letters[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	struct buf bytes = {0};
	if (!file_read(path, OBJECT_MAX, &bytes, ctx->diag))
		return false;
	const char *at = buf_str(&bytes), *last = at + bytes.len; /* a NUL is there */
	names->linked = names->linked || (bytes.len && memmem(at, bytes.len, LINKED_ALREADY, strlen(LINKED_ALREADY)));
	while (bytes.len && (at = memmem(at, (size_t)(last - at), CALL, strlen(CALL)))) {
		at += strlen(CALL);
		size_t len = strspn(at, letters);
		if (len && !at[len])
			add_name(ctx->arena, names, at, len);
	}
	buf_free(&bytes);
	return true;
}

/* --- other tools --- */

static const char *find_linker(const struct compile_ctx *ctx)
{
	static const char *const names[] = {"g++", "c++", "clang++", NULL};
	return process_find(ctx->arena, "CUDAHOSTCXX", names);
}

static const char *find_archiver(const struct compile_ctx *ctx)
{
	static const char *const names[] = {"ar", "llvm-ar", "llvm-ar-14", NULL};
	return process_find(ctx->arena, "AR", names);
}

/* --- linking ------------------------------------------------------------------------------------------------------ */

/* Writes the source by which code of several files is registered as one; `*any`: there is such code, and nothing has
 * linked it. */
static bool write_parts(struct build *b, bool *any)
{
	const struct build_request *r = b->request;
	struct build_part_names names = {0};
	struct buf text = {0};
	bool ok = true;
	for (int i = 0; i < r->n_inputs && ok && !r->dry; i++)
		ok = build_parts_find(b->ctx,
			r->inputs[i].kind == BUILD_LINKED
				? r->inputs[i].path
				: path_join(b->ctx->arena, b->scratch.path, numbered(b, UNIT, i, ".o")),
			&names);
	*any = names.n && !names.linked;

	/* C++ source text by which the program registers them. */
	const char *const texts[] = {parts_beginning, parts_middle, parts_end};
	for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
		buf_puts(&text, texts[t]);
		for (int i = 0; i < names.n; i++)
			buf_printf(&text, "PART(%s)\n", names.of[i]);
	}

	ok = ok && scratch_write(&b->scratch, PARTS ".cpp", buf_str(&text), text.len, b->ctx->diag);
	buf_free(&text);
	return ok;
}

static void put_linker(const struct build *b, struct build_words *w)
{
	put(w, b->cxx);
	if (strcmp(b->cxx, b->here.program) == 0)
		put(w, "--driver-mode=g++");
}

const char *build_device_link(struct build *b)
{
	struct build_words w = {.n = 0};
	bool any;
	for (int i = 0; i < b->request->n_inputs; i++)
		if (b->request->inputs[i].kind != BUILD_LINKED && !build_object(b, i))
			return NULL;
	b->unit.path = b->request->inputs[0].path;
	if (!write_parts(b, &any))
		return NULL;
	put_linker(b, &w);
	put_all(&w, (const char *const[]){"-w", "-fPIC", "-c", "-o", PARTS ".o", PARTS ".cpp", NULL});
	return run_tool(b, &w) ? made(b, b->cxx, PARTS ".o") : NULL;
}

static bool run_linker(struct build *b)
{
	const struct build_request *r = b->request;
	struct build_words w = {.n = 0};
	struct buf log = {0};
	bool parts;
	if (!write_parts(b, &parts))
		return false;
	put_linker(b, &w);
	put_all(&w, (const char *const[]){"-o", PROGRAM, NULL});
	if (parts)
		put(&w, PARTS ".cpp");
	for (int i = 0; i < r->n_inputs; i++) {
		const char *path = r->inputs[i].path;
		bool linked = r->inputs[i].kind == BUILD_LINKED;
		if (linked && is_shared(path)) {
			put(&w, "-L");
			put(&w, numbered(b, SHARED_FOLDER, i, ""));
			put(&w, arena_printf(b->ctx->arena, "-l:%s", path_last(path)));
		} else {
			put(&w, linked ? numbered(b, LINKED, i, linked_end(path)) : numbered(b, UNIT, i, ".o"));
		}
	}
	for (int i = 0; i < r->library_folders.n; i++) {
		put(&w, "-L");
		put(&w, numbered(b, LIBRARY_FOLDER, i, ""));
	}
	put_list(&w, &r->link);
	if (r->driver)
		put(&w, RUNTIME "/libcuda.so.1");
	if (r->as_needed) {
		put(&w, "-Wl,--as-needed");
		put(&w, RUNTIME "/libcuda.so.1");
		put(&w, numbered(b, RUNTIME "/libnvrtc.so.", b->major, ""));
		put(&w, "-Wl,--no-as-needed");
	}
	put(&w, numbered(b, RUNTIME "/libcudart.so.", b->major, ""));
	put(&w, "-Wl,-rpath");
	put(&w, "-Xlinker");
	put(&w, absolute(b->ctx->arena, b->ctx->paths->runtime));
	put_all(&w, (const char *const[]){"-lpthread", "-ldl", "-lm", NULL});
	bool ok = run_tool_on(b, &w, &log);
	if (!ok) {
		/* What the linker's messages mean, where the reader may not know. */
		const char *text = buf_str(&log);
		if (strstr(text, "undefined reference to `main'"))
			diag_note(b->ctx->diag, (struct diag_pos){0},
				"it has no main(): to run one of its kernels, give its launch with --grid and --block");
		explain_library(b, &log);
	}
	buf_free(&log);
	return ok;
}

const char *build_archive(struct build *b)
{
	struct build_words w = {.n = 0};
	for (int i = 0; i < b->request->n_inputs; i++)
		if (b->request->inputs[i].kind != BUILD_LINKED && !build_object(b, i))
			return NULL;
	b->unit.path = b->request->inputs[0].path;
	put(&w, find_archiver(b->ctx));
	if (!w.at[0]) {
		diag_error(b->ctx->diag, (struct diag_pos){0}, "an archive needs ar, of binutils");
		return NULL;
	}
	put(&w, "rcs");
	put(&w, ARCHIVE);
	for (int i = 0; i < b->request->n_inputs; i++)
		put(&w,
			b->request->inputs[i].kind == BUILD_LINKED
				? numbered(b, LINKED, i, linked_end(b->request->inputs[i].path))
				: numbered(b, UNIT, i, ".o"));
	return run_tool(b, &w) ? made(b, w.at[0], ARCHIVE) : NULL;
}

const char *build_program(struct build *b)
{
	for (int i = 0; i < b->request->n_inputs; i++)
		if (b->request->inputs[i].kind != BUILD_LINKED && !build_object(b, i))
			return NULL;
	b->unit.path = b->request->inputs[0].path;
	if (!run_linker(b))
		return NULL;

	/* The linker is not allowed to change the mode of what it has made, by name. */
	const char *path = made(b, b->cxx, PROGRAM);
	if (path && b->request->dry)
		return path;
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
	bool ok = fd >= 0 && fchmod(fd, 0700) == 0;
	if (path && !ok)
		diag_error(b->ctx->diag, (struct diag_pos){.file = b->unit.path},
			"the program cannot be made executable: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return ok ? path : NULL;
}

/* --- beginning and end -------------------------------------------------------------------------------------------- */

int build_list_tools(const struct compile_ctx *ctx, const char **paths)
{
	const char *found[BUILD_TOOLS_MAX] = {find_linker(ctx), find_archiver(ctx)};
	int n = 0;
	for (int i = 0; i < BUILD_TOOLS_MAX; i++)
		if (found[i])
			paths[n++] = found[i];
	return n;
}

/* What nvcc prints of itself; that of our headers for clang. False with an error. */
bool build_put_version(struct build *b, struct buf *out)
{
	struct build_words w = {.at = {b->here.program, "--version"}, .n = 2};
	if (compile_here_is_clang(&b->here)) {
		/* CMake knows nvcc by the beginning of the first line, and finds its version in another. */
		buf_printf(out,
			"nvcc: NVIDIA (R) Cuda compiler driver, in whose place " PACKAGE_NAME " " PACKAGE_VERSION
			" compiles, with %s\n"
			"Cuda compilation tools, release 13.0, V13.0.0\n",
			b->here.program);
		return true;
	}
	struct buf text = {0};
	struct sandbox_job job = job_of(b, &w);
	struct sandbox_end end = sandbox_run(&job, &text);
	bool ok = sandbox_succeeded(&end) && strstr(buf_str(&text), "release ");
	if (ok) {
		buf_append(out, buf_str(&text), text.len);
		buf_printf(out, "run by " PACKAGE_NAME " " PACKAGE_VERSION ", whose programs need no GPU: %s\n",
			b->here.program);
	} else {
		diag_error(b->ctx->diag, (struct diag_pos){0}, "%s is not nvcc of CUDA 12 or 13", b->here.program);
	}
	buf_free(&text);
	return ok;
}

/* The runtime's version that nvcc's headers are of; our own headers are of 13. */
static int find_major(struct build *b)
{
	struct buf text = {0};
	bool ok = build_put_version(b, &text);
	const char *release = ok ? strstr(buf_str(&text), "release ") : NULL;
	int major = release ? (int)strtol(release + strlen("release "), NULL, 10) : 0;
	buf_free(&text);
	if (!ok || major == 12 || major == 13)
		return major;
	diag_error(b->ctx->diag, (struct diag_pos){0}, "%s is not nvcc of CUDA 12 or 13", b->here.program);
	diag_note(b->ctx->diag, (struct diag_pos){0},
		"NVCC=: has clang compile it, with CUDA headers of " PACKAGE_NAME "'s own");
	return 0;
}

static int check_inputs(struct build *b)
{
	for (int i = 0; i < b->request->n_inputs; i++) {
		const char *path = b->request->inputs[i].path;
		if (file_exists(path))
			continue;
		diag_error(b->ctx->diag, (struct diag_pos){.file = path}, "cannot be read: %s", strerror(errno));
		return EXIT_MISSING;
	}
	return EXIT_OK;
}

int build_begin(struct build *b, const struct compile_ctx *ctx, const struct build_request *request)
{
	*b = (struct build){.ctx = ctx, .request = request, .scratch = SCRATCH_NONE};
	b->unit.path = request->n_inputs ? request->inputs[0].path : NULL;
	b->here = (struct compile_here){
		.ctx = ctx, .request = &b->unit, .cc = request->arch ? request->arch : MODEL_CC_DEFAULT};
	int status = check_inputs(b);
	if (status != EXIT_OK)
		return status;
	if (!compile_here_find(&b->here))
		return compile_here_report_none(&b->here);
	b->cxx = compile_here_is_clang(&b->here) ? b->here.program : find_linker(ctx);
	if (!b->cxx) {
		diag_error(
			ctx->diag, (struct diag_pos){0}, "a program needs a C++ compiler to link it: g++ or clang++");
		return EXIT_MISSING;
	}
	if (!scratch_make_held(&b->scratch, ctx->arena, ctx->diag))
		return EXIT_MISSING;
	if (!prepare(b) || !(b->major = find_major(b)))
		return EXIT_FAILED;
	bool compiles = false;
	for (int i = 0; i < request->n_inputs; i++)
		compiles = compiles || request->inputs[i].kind != BUILD_LINKED;
	b->arch = b->here.cc;
	if (!compiles)
		return EXIT_OK; /* nothing is asked or said of targets where objects are linked */
	struct build_words none = {.n = 0};
	struct sandbox_job job = job_of(b, &none);
	b->arch = compile_here_arch(&b->here, &job);
	return b->arch ? EXIT_OK : EXIT_FAILED;
}

void build_end(struct build *b)
{
	if (b->scratch.path)
		scratch_remove(&b->scratch);
}
