#include "config.h"
#include "tools/compile/compile_here.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "tools/compile/libraries.h"
#include "tools/sandbox/sandbox.h"
#include "tools/sandbox/process.h"

#define SOURCE_MAX ((size_t)16 << 20)
#define PTX_MAX ((size_t)64 << 20)
#define LOG_MAX ((size_t)1 << 20)
#define LIST_MAX ((size_t)1 << 20)
#define ARGS_MAX 48

/* What is in the private folder, called as no header of the reader is: an #include looks here first. */
#define SOURCE "simttutor-kernel.cu"
#define OUTPUT "simttutor-kernel.ptx"
#define MACROS "simttutor-macros.h"
#define SOURCE_FOLDER "simttutor-source"
#define KERNELS_FOLDER "simttutor-kernels"
#define HEADERS_FOLDER "simttutor-include"

/* The arguments that are always the same, as in kernels/make-ptx. */
static const char *const nvcc_args[] = {"-lineinfo", "-ptx", NULL};
static const char *const clang_args[] = {"-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
	"-Wno-unknown-cuda-version", "-O2", "-gline-tables-only", "-S", NULL};
/* The arguments without a line table. */
static const char *const nvcc_bare[] = {"-ptx", NULL};
static const char *const clang_bare[] = {
	"-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version", "-O2", "-S", NULL};
/* The arguments of code that names its variables; of optimized code neither compiler says where most of them are. */
static const char *const nvcc_debug[] = {"-G", "-ptx", NULL};
static const char *const clang_debug[] = {"-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
	"-Wno-unknown-cuda-version", "-O0", "-g", "-S", NULL};
static const char *const nvcc_list[] = {"--list-gpu-arch", NULL};
static const char *const clang_list[] = {"--target=nvptx64-nvidia-cuda", "-print-supported-cpus", NULL};

/* Headers beside the source are for #include "..." alone. The macros come before the headers that nvcc includes by
 * itself. */
static const char *const nvcc_folders[] = {
	"-Xcompiler", ("-iquote," SOURCE_FOLDER ",-include," MACROS), "-I", KERNELS_FOLDER, NULL};
static const char *const clang_folders[] = {"-iquote", SOURCE_FOLDER, "-I", KERNELS_FOLDER, "-include", MACROS,
	"-include", (KERNELS_FOLDER "/clang.h"), NULL};
/* With CUDA's headers of ours, as a whole program is compiled. */
static const char *const clang_headers[] = {"-iquote", SOURCE_FOLDER, "-I", KERNELS_FOLDER, "-isystem", HEADERS_FOLDER,
	"-std=gnu++17", "-Xclang", "-target-sdk-version=11.5", "-fno-builtin-malloc", "-include", MACROS, "-include",
	"cuda_runtime.h", NULL};

static void nvcc_target(struct arena *arena, int arch, const char *own, const char **argv, int *n)
{
	argv[(*n)++] = arena_printf(arena, "-arch=compute_%d%s", arch, own);
}

/* The oldest PTX that knows the target; clang by itself takes the newest that its toolkit, which is not used, would. */
static void clang_target(struct arena *arena, int arch, const char *own, const char **argv, int *n)
{
	static const struct {
		int arch, ptx;
	} versions[] = {{75, 63}, {80, 70}, {86, 71}, {87, 74}, {90, 78}, {100, 86}};
	size_t i = 0;
	while (i + 1 < sizeof versions / sizeof *versions && versions[i].arch < arch)
		i++;
	argv[(*n)++] = arena_printf(arena, "--cuda-gpu-arch=sm_%d%s", arch, own);
	for (int k = 0; k < 4; k++)
		argv[(*n)++] = k % 2 == 0 ? "-Xclang"
			: k == 1          ? "-target-feature"
					  : arena_printf(arena, "+ptx%d", versions[i].ptx);
}

static const struct compile_tool {
	const char *variable, *names[8]; /* looked for in this order */
	const char *const *args, *const *debug, *const *bare, *const *list, *const *folders;
	const char *prefix; /* of the targets that `list` prints */
	void (*target)(struct arena *arena, int arch, const char *own, const char **argv, int *n);
} tools[] = {
	{"NVCC", {"nvcc"}, nvcc_args, nvcc_debug, nvcc_bare, nvcc_list, nvcc_folders, "compute_", nvcc_target},
	{"CLANG", {"clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14"}, clang_args,
		clang_debug, clang_bare, clang_list, clang_folders, "sm_", clang_target},
};
#define N_TOOLS (sizeof tools / sizeof *tools)

/* One compilation, and how the reader's names for its folders are written. */
struct local_compilation {
	struct compile_here *here;
	struct scratch scratch;
	const char *folder;  /* of the source, up to its slash: "", "sub/", "/home/r/" */
	const char *kernels; /* of simt.h, with a slash */
	const char *headers; /* CUDA's, of ours for clang, with a slash */
	const char *working; /* the folder that relative names start in, with a slash */
	bool names_simt_h;   /* which has CUDA's keywords, as the headers have */
	const char *reads[COMPILE_FOLDERS_MAX + 3];
	int n_reads;
};

bool compile_here_find(struct compile_here *here)
{
	const char *only = here->request ? here->request->compiler : NULL;
	for (size_t i = 0; i < N_TOOLS && !here->program; i++) {
		if (only && strcmp(only, tools[i].variable) != 0)
			continue;
		here->tool = &tools[i];
		here->fault = process_find_fault(here->ctx->arena, tools[i].variable);
		if (here->fault)
			return false;
		here->program = process_find(here->ctx->arena, tools[i].variable, tools[i].names);
	}
	return here->program != NULL;
}

bool compile_here_is_clang(const struct compile_here *here)
{
	return here->tool && strcmp(here->tool->variable, "CLANG") == 0;
}

void compile_here_put_target(const struct compile_here *here, int arch, const char **argv, int *n)
{
	here->tool->target(here->ctx->arena, arch, here->own && arch == here->cc ? "a" : "", argv, n);
	if (!here->clang_version)
		return;
	/* A lane may hand on what it never set, as one that only shuffles from another: that is no promise that the
	 * lane is not here. */
	argv[(*n)++] = "-Xclang";
	argv[(*n)++] = here->clang_version < 15 ? "-disable-noundef-analysis" : "-no-enable-noundef-analysis";
}

int compile_list_tools(const struct compile_ctx *ctx, const char **paths)
{
	_Static_assert(N_TOOLS <= COMPILE_TOOLS_MAX, "room for all");
	int n = 0;
	for (size_t i = 0; i < N_TOOLS; i++)
		if ((paths[n] = process_find(ctx->arena, tools[i].variable, tools[i].names)) != NULL)
			n++;
	return n;
}

/* --- what the compiler sees --------------------------------------------------------------------------------------- */

/* A file's name as it can stand in CUDA source and in PTX, whose strings know no escapes. */
static const char *plain_name(struct arena *arena, const char *name)
{
	char *plain = arena_strdup(arena, name);
	for (char *c = plain; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7F || strchr("\"\\", *c))
			*c = '_';
	return plain;
}

/* nvcc takes `__shared__ alignas(16) float a[64]`, where clang has alignas at the start of a declaration alone: there
 * it becomes __align__, which is clang's attribute. One of a type is left as it is. */
void compile_here_put_source(const struct compile_here *h, const struct buf *text, struct buf *out)
{
	static const char space[] = "__shared__", theirs[] = "alignas(";
	const char *from = buf_str(text), *at = from, *end = from + text->len;
	while (compile_here_is_clang(h) && (at = strstr(at, space)) != NULL) {
		at += strlen(space);
		const char *word = at + strspn(at, " \t\r\n"), *argument = word + strlen(theirs);
		if (word == at || strncmp(word, theirs, strlen(theirs)) != 0 ||
			!(strspn(argument, "0123456789") || strncmp(argument, "sizeof", 6) == 0 ||
				strncmp(argument, "alignof", 7) == 0))
			continue;
		buf_append(out, from, (size_t)(word - from));
		buf_puts(out, "__align__(");
		from = at = argument;
	}
	buf_append(out, from, (size_t)(end - from));
}

static bool write_source(struct local_compilation *c)
{
	struct diag *diag = c->here->ctx->diag;
	struct buf text = {0}, copy = {0};
	const char *given = c->here->request->text;
	if (given)
		buf_puts(&text, given);
	bool ok = given || file_read_text(c->here->request->path, SOURCE_MAX, &text, diag);
	buf_printf(&copy, "#line 1 \"%s\"\n", plain_name(c->here->ctx->arena, c->here->request->path));
	compile_here_put_source(c->here, &text, &copy);
	struct compile_needs needs = compile_read_needs(ok ? buf_str(&text) : NULL);
	c->here->own = needs.own && needs.cc == c->here->cc;
	c->names_simt_h = ok && strstr(buf_str(&text), "simt.h") != NULL;
	ok = ok && scratch_write(&c->scratch, SOURCE, copy.data, copy.len, diag);
	buf_free(&text);
	buf_free(&copy);
	return ok;
}

/* Each macro on a line of its own, and an empty one: its value may end in a backslash. */
static bool write_macros(struct local_compilation *c)
{
	const struct compile_request *r = c->here->request;
	struct buf text = {0};
	buf_puts(&text, "#line 1 \"--define\"\n");
	for (int i = 0; i < r->n_defines; i++) {
		size_t name = strcspn(r->defines[i], "=");
		const char *value = r->defines[i][name] ? r->defines[i] + name + 1 : "1";
		buf_printf(&text, "#define %.*s %s\n\n", (int)name, r->defines[i], value);
	}
	bool ok = scratch_write(&c->scratch, MACROS, buf_str(&text), text.len, c->here->ctx->diag);
	buf_free(&text);
	return ok;
}

static bool prepare(struct local_compilation *c)
{
	const struct compile_ctx *ctx = c->here->ctx;
	const char *path = c->here->request->path, *slash = strrchr(path, '/');
	char working[PATH_MAX];
	bool known = getcwd(working, sizeof working) != NULL;
	c->folder = slash ? arena_strndup(ctx->arena, path, (size_t)(slash - path) + 1) : "";
	c->working = path_join(ctx->arena, known ? working : "/", "");
	c->kernels = path_join(ctx->arena, ctx->paths->data, "kernels/");
	c->headers = path_join(ctx->arena, ctx->paths->data, "include/");
	const char *source = *c->folder == '/' ? c->folder : path_join(ctx->arena, c->working, c->folder);
	if (c->here->request->text) /* it has no folder */
		source = c->kernels;
	c->reads[c->n_reads++] = source;
	c->reads[c->n_reads++] = c->kernels;
	c->reads[c->n_reads++] = c->headers;
	for (int i = 0; i < c->here->request->n_folders && i < COMPILE_FOLDERS_MAX; i++)
		c->reads[c->n_reads++] = c->here->request->folders[i];
	return write_source(c) && write_macros(c) && scratch_link(&c->scratch, SOURCE_FOLDER, source, ctx->diag) &&
		scratch_link(&c->scratch, KERNELS_FOLDER, c->kernels, ctx->diag) &&
		scratch_link(&c->scratch, HEADERS_FOLDER, c->headers, ctx->diag);
}

/* --- what it prints and writes ------------------------------------------------------------------------------------ */

/* nvcc makes names that are unique to a file of its path, the private one, which differs each time: "_", eight
 * hexadecimal digits, and this. One file is compiled alone, so that any digits will do. */
static void put_unique(const char *line, size_t len, struct buf *out)
{
	static const char mark[] = "_19_simttutor_kernel_cu_", hexadecimal[] = "0123456789abcdef";
	size_t from = out->len;
	buf_append(out, line, len);
	for (char *at = out->data + from; (at = strstr(at, mark)) != NULL; at++)
		if (at - out->data >= (ptrdiff_t)from + 9 && at[-9] == '_' && strspn(at - 8, hexadecimal) == 8)
			memset(at - 8, '0', 8);
}

/* --- running it --------------------------------------------------------------------------------------------------- */

static void put_args(const char **argv, int *n, const char *const *args)
{
	for (int i = 0; args[i]; i++)
		argv[(*n)++] = args[i];
}

static int version_in(const char *text)
{
	static const char says[] = "clang version ";
	const char *at = strstr(text, says);
	return at ? (int)strtol(at + strlen(says), NULL, 10) : 0;
}

int compile_here_arch(struct compile_here *h, const struct sandbox_job *like)
{
	const char *argv[ARGS_MAX] = {h->program};
	struct buf list = {0}, how = {0};
	int n = 1;
	put_args(argv, &n, h->tool->list);
	struct sandbox_job job = *like;
	job.argv = argv;
	job.log_max = LIST_MAX;
	struct sandbox_end end = sandbox_run(&job, &list);
	if (!sandbox_succeeded(&end))
		buf_clear(&list);

	/* The newest target of the list that is not newer than `cc`, else the oldest; `cc` itself of a list that has
	 * none. */
	int best = 0, oldest = 0;
	for (const char *at = buf_str(&list); (at = strstr(at, h->tool->prefix)) != NULL;) {
		at += strlen(h->tool->prefix);
		int arch = 0;
		for (; *at >= '0' && *at <= '9' && arch < 1000; at++)
			arch = arch * 10 + *at - '0';
		if (arch && (!oldest || arch < oldest))
			oldest = arch;
		if (arch <= h->cc && arch > best)
			best = arch;
	}
	int arch = best ? best : oldest ? oldest : h->cc;

	h->clang_version = version_in(buf_str(&list));
	buf_free(&list);
	if (!sandbox_succeeded(&end) && !sandbox_failed(&end)) {
		sandbox_describe(&end, &how);
		diag_error(h->ctx->diag, (struct diag_pos){.file = h->request->path}, "%s %s", h->program, how.data);
		buf_free(&how);
		return 0;
	}
	if (arch > h->cc)
		diag_note(h->ctx->diag, (struct diag_pos){0},
			"%s compiles for compute capability %d.%d or later, so the kernel is compiled for that",
			h->program, arch / 10, arch % 10);
	return arch;
}

/* What books have and compilers of today do not, by what these say then; at most one is explained. */
static void explain_older(const struct compile_here *h, const struct buf *log)
{
	static const char clocks[] = "CUDA 13 has taken clock rates from cudaDeviceProp: cudaDeviceGetAttribute() with "
				     "cudaDevAttrClockRate or cudaDevAttrMemoryClockRate has them";
	static const char overlap[] =
		"CUDA 13 has taken deviceOverlap from cudaDeviceProp: asyncEngineCount says how many copies "
		"can go on beside kernels";
	static const char several[] =
		"CUDA 13 has taken cooperative launches on several devices away, and the property with them";
	static const char place[] = "since CUDA 13 a place for managed memory is a cudaMemLocation, not a device's "
				    "number: cudaMemLocation to = {cudaMemLocationTypeDevice, 0}";
	static const char texture[] = "CUDA 12 has taken texture references away: cudaCreateTextureObject() makes an "
				      "object, a parameter of kernels";
	static const char
		shuffle[] = "shuffles say their lanes since CUDA 9: __shfl_down_sync(0xffffffff, value, 16), and so on";
	static const char
		waits[] = "since CUDA 12 kernels do not wait for kernels that they have launched "
			  "(cudaDeviceSynchronize in a kernel); launches by kernels are not emulated here: the "
			  "host has to launch them";
	static const char samples[] =
		"that header is of NVIDIA's samples (cuda-samples, in Common), not of the toolkit: -I FOLDER says where it is";
	static const struct {
		const char *said, *note;
	} older[] = {
		{"has no member \"clockRate\"", clocks},
		{"has no member \"memoryClockRate\"", clocks},
		{"has no member \"deviceOverlap\"", overlap},
		{"has no member \"cooperativeMultiDeviceLaunch\"", several},
		{"from \"int\" to \"cudaMemLocation\"", place},
		{"calling a __host__ function(\"cudaDeviceSynchronize\") from a __global__", waits},
		{"identifier \"cudaThreadSynchronize\"", "that is cudaDeviceSynchronize() today"},
		{"identifier \"__shfl_", shuffle},
		{"undeclared identifier '__shfl_", shuffle},
		{"texture is not a template", texture},
		{"no template named 'texture'", texture},
		{"fatal error: helper_", samples},
		{"fatal error: 'helper_", samples},
	};
	for (size_t i = 0; i < sizeof older / sizeof *older; i++)
		if (strstr(buf_str(log), older[i].said)) {
			diag_note(h->ctx->diag, (struct diag_pos){0}, "%s", older[i].note);
			return;
		}
}

void compile_here_report(
	const struct compile_here *h, const char *program, const struct sandbox_end *end, const struct buf *log)
{
	struct diag_pos pos = {.file = h->request->path};
	struct buf how = {0};
	sandbox_describe(end, &how);
	if (sandbox_failed(end) && log->len)
		diag_error(h->ctx->diag, pos, "%s cannot compile it; its messages are above", program);
	else if (sandbox_failed(end))
		diag_error(h->ctx->diag, pos, "%s cannot compile it and prints nothing: it %s", program, how.data);
	else
		diag_error(h->ctx->diag, pos, "%s %s", program, how.data);
	if (end->outcome == SANDBOX_OUT_OF_TIME)
		diag_note(h->ctx->diag, (struct diag_pos){0}, "SIMTTUTOR_COMPILER_SECONDS=N allows it N seconds");
	buf_free(&how);

	if (!sandbox_failed(end))
		return;

	/* The compiler says only that the permission is missing. */
	const struct confine_support support = confine_support();
	if (strstr(buf_str(log), "Permission denied") && !support.refused && support.abi >= 1)
		diag_note(h->ctx->diag, (struct diag_pos){0},
			"a compiler reads what is installed, the folder of the source and kernels/, and nothing else; " SANDBOX_READS
			"=FOLDER[:FOLDER] allows it more%s",
			h->request->folders ? ", and so does --source FOLDER" : "");

	/* As nvcc and clang say that a kernel launches one. */
	if (strstr(buf_str(log), "requires separate compilation mode") ||
		strstr(buf_str(log), "reference to __global__ function"))
		diag_note(h->ctx->diag, (struct diag_pos){0},
			"kernels that launch kernels (dynamic parallelism) are not emulated: the host has to launch them");
	explain_older(h, log);
}

void compile_here_explain_header(const struct compile_here *h, const struct buf *log)
{
	static const char cccl[] =
		"Thrust, CUB and libcu++ are headers under a free license (CCCL), which clang compiles: a package has "
		"them (Debian and Ubuntu: libthrust-dev, with libcub-dev), or their sources have; -I FOLDER names the "
		"folder that has thrust/ and cub/ (simttutor run: --source FOLDER)";
	static const char nvidia[] = "that header is of a library of NVIDIA's, which clang alone does not have; with "
				     "nvcc, those that are nothing but headers run";
	static const struct {
		const char *starts, *note;
	} theirs[] = {{"thrust/", cccl}, {"cub/", cccl}, {"cuda/", cccl}, {"nv/", cccl}, {"curand_", nvidia},
		{"cutlass/", nvidia}, {"cute/", nvidia}, {"nvrtc.h", nvidia}, {"nvtx3/", nvidia}};
	static const char says[] = "fatal error: '";
	const char *at = strstr(buf_str(log), says);
	if (!at || !compile_here_is_clang(h))
		return;
	for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
		if (strncmp(at + strlen(says), theirs[i].starts, strlen(theirs[i].starts)) == 0) {
			diag_note(h->ctx->diag, (struct diag_pos){0}, "%s", theirs[i].note);
			return;
		}
}

static struct sandbox_end run_with(struct local_compilation *c, int arch, const char *const *folders, struct buf *log)
{
	const struct compile_here *h = c->here;
	const char *argv[ARGS_MAX] = {h->program};
	int n = 1;
	put_args(argv, &n,
		h->request->debug_info              ? h->tool->debug
			: h->request->without_lines ? h->tool->bare
						    : h->tool->args);
	compile_here_put_target(h, arch, argv, &n);
	put_args(argv, &n, folders);
	put_args(argv, &n, (const char *const[]){"-o", OUTPUT, SOURCE, NULL});
	return sandbox_run(&(struct sandbox_job){.argv = argv,
				   .scratch = &c->scratch,
				   .log_max = LOG_MAX,
				   .reads = c->reads,
				   .n_reads = c->n_reads},
		log);
}

/* Most kernels need the few names of clang.h alone, and compile in half the time; the others get all of CUDA's. */
static bool run_tool(struct local_compilation *c, int arch)
{
	const struct compile_here *h = c->here;
	struct buf log = {0};
	struct sandbox_end end = run_with(c, arch, h->tool->folders, &log);
	if (sandbox_failed(&end) && compile_here_is_clang(h) && !c->names_simt_h) {
		buf_clear(&log);
		end = run_with(c, arch, clang_headers, &log);
	}

	struct arena *arena = c->here->ctx->arena;
	const char *own = path_join(arena, c->scratch.path, "");
	const struct renamed names[] = {
		{arena_printf(arena, "%s" SOURCE_FOLDER "/", own), c->folder},
		{arena_printf(arena, "%s" KERNELS_FOLDER "/", own), c->kernels},
		{arena_printf(arena, "%s" HEADERS_FOLDER "/", own), c->headers},
		{own, ""},
		{SOURCE_FOLDER "/", c->folder},
		{KERNELS_FOLDER "/", c->kernels},
		{HEADERS_FOLDER "/", c->headers},
		{SOURCE, c->here->request->path},
	};
	struct buf out = {0};
	renamed_put(buf_str(&log), log.len, names, sizeof names / sizeof *names, &out);
	if (out.len && out.data[out.len - 1] != '\n')
		buf_putc(&out, '\n');
	c->here->ctx->print_log(&out);
	buf_free(&out);
	if (end.dropped)
		diag_note(c->here->ctx->diag, (struct diag_pos){.file = c->here->request->path},
			text_plural("%zu more byte of its messages is left out",
				"%zu more bytes of its messages are left out", end.dropped),
			end.dropped);

	if (!sandbox_succeeded(&end)) {
		compile_here_report(h, h->program, &end, &log);
		if (!compile_explain_libraries(h->ctx->diag, buf_str(&log)))
			compile_here_explain_header(h, &log);
	}
	buf_free(&log);
	return sandbox_succeeded(&end);
}

static bool read_output(struct local_compilation *c, struct buf *ptx)
{
	struct compile_here *h = c->here;
	const char *output = path_join(h->ctx->arena, c->scratch.path, OUTPUT);
	struct buf text = {0};
	bool there = file_exists(output), ok = there && file_read(output, PTX_MAX, &text, h->ctx->diag);
	if (!there)
		diag_error(h->ctx->diag, (struct diag_pos){.file = h->request->path},
			"%s reports success, but has made no PTX; is it a compiler? %s names it", h->program,
			h->tool->variable);
	if (ok) {
		/* Names in .file directives are absolute: relative ones start in the private folder. */
		struct arena *arena = c->here->ctx->arena;
		const char *own = path_join(arena, c->scratch.path, ""),
			   *source = *c->folder == '/' ? c->folder : path_join(arena, c->working, c->folder);
		const struct renamed names[] = {
			{arena_printf(arena, "\"%s" SOURCE_FOLDER "/", own),
				arena_printf(arena, "\"%s", plain_name(arena, source))},
			{arena_printf(arena, "\"%s" KERNELS_FOLDER "/", own),
				arena_printf(arena, "\"%s", plain_name(arena, c->kernels))},
			{arena_printf(arena, "\"%s" HEADERS_FOLDER "/", own),
				arena_printf(arena, "\"%s", plain_name(arena, c->headers))},
			{arena_printf(arena, "\"%s", own), arena_printf(arena, "\"%s", plain_name(arena, c->working))},
		};
		for (const char *at = buf_str(&text), *end = at + text.len; at < end;) {
			const char *newline = memchr(at, '\n', (size_t)(end - at));
			size_t len = newline ? (size_t)(newline + 1 - at) : (size_t)(end - at);
			if (strncmp(at + strspn(at, " \t"), ".file", 5) == 0)
				renamed_put(at, len, names, sizeof names / sizeof *names, ptx);
			else
				put_unique(at, len, ptx);
			at += len;
		}
	}
	buf_free(&text);
	return ok;
}

int compile_here_run(struct compile_here *here, struct buf *ptx)
{
	struct local_compilation c = {.here = here};
	if (!scratch_make_held(&c.scratch, here->ctx->arena, here->ctx->diag))
		return EXIT_MISSING;
	struct sandbox_job like = {.scratch = &c.scratch};
	int arch = 0;
	if (prepare(&c)) {
		like.reads = c.reads;
		like.n_reads = c.n_reads;
		arch = compile_here_arch(here, &like);
	}
	bool ok = arch && run_tool(&c, arch) && read_output(&c, ptx);
	scratch_remove(&c.scratch);
	return ok ? EXIT_OK : EXIT_FAILED;
}

/* --- names of files --- */

/* Whether an identifier or a path goes on before `at`. */
static bool is_inside_name(const char *text, const char *at)
{
	return at > text && (at[-1] == '/' || at[-1] == '-' || at[-1] == '_');
}

void renamed_put(const char *text, size_t len, const struct renamed *names, size_t n, struct buf *out)
{
	const char *at = text, *end = text + len;
	while (at < end) {
		const struct renamed *found = NULL;
		for (size_t i = 0; i < n && !found; i++)
			if ((size_t)(end - at) >= strlen(names[i].ours) &&
				memcmp(at, names[i].ours, strlen(names[i].ours)) == 0 && !is_inside_name(text, at))
				found = &names[i];
		if (found)
			buf_puts(out, found->readers);
		else
			buf_putc(out, *at);
		at += found ? strlen(found->ours) : 1;
	}
}
