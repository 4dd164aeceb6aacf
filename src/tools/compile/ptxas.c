#include "config.h"
#include "tools/compile/ptxas.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/elf.h"
#include "base/file.h"
#include "base/paths.h"
#include "tools/sandbox/sandbox.h"
#include "tools/sandbox/process.h"

#define LOG_MAX ((size_t)1 << 20)
#define CUBIN_MAX ((size_t)64 << 20)
#define CUBIN "kernel.cubin"
#define DISASSEMBLY "kernel.sass"
#define DISASSEMBLY_MAX ((size_t)16 << 20)
#define COMPLAINT_MAX 300 /* of one that has a stranger's names in it */

/* "sm_90"; "sm_90a" where the PTX needs features of that very GPU. */
static const char *target_name(const struct compile_ctx *ctx, const struct buf *ptx, int cc)
{
	int target = 0;
	char letter = '\0';
	const char *directive = strstr(buf_str(ptx), ".target");
	if (directive && sscanf(directive, ".target sm_%4d%c", &target, &letter) == 2 && target == cc &&
		(letter == 'a' || letter == 'f'))
		return arena_printf(ctx->arena, "sm_%d%c", cc, letter);
	return arena_printf(ctx->arena, "sm_%d", cc);
}

/* "    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads": the last before the registers is the kernel's. */
static void read_stack(const char *log, const char *used, struct ptxas_usage *out)
{
	static const char stack[] = " bytes stack frame";
	for (const char *at = log; (at = strstr(at, stack)) != NULL && at < used; at += strlen(stack)) {
		const char *line = at;
		while (line > log && line[-1] != '\n')
			line--;
		out->stack = out->spill_stores = out->spill_loads = 0;
		sscanf(line, "%9d bytes stack frame, %9d bytes spill stores, %9d bytes spill loads", &out->stack,
			&out->spill_stores, &out->spill_loads);
	}
}

/* "Used 32 registers, used 1 barriers, 2048 bytes smem" */
static bool read_usage(const char *log, struct ptxas_usage *out)
{
	const char *used = strstr(log, "Used "), *barriers;
	if (!used || sscanf(used, "Used %9d registers", &out->registers) != 1)
		return false;
	read_stack(log, used, out);
	barriers = strstr(used, ", used ");
	if (barriers)
		sscanf(barriers, ", used %9d barriers", &out->barriers);
	return true;
}

/* The text of its first error, or the beginning of a long one. */
static const char *first_complaint(const struct compile_ctx *ctx, const char *log)
{
	const char *error = strstr(log, "error"), *fatal = strstr(log, "fatal");
	const char *first = error ? error : fatal ? fatal : log, *colon = strstr(first, ": ");
	first = colon ? colon + 2 : first;
	size_t len = strcspn(first, "\n"), shown = len < COMPLAINT_MAX ? len : COMPLAINT_MAX;
	while (shown && shown < len && ((unsigned char)first[shown] & 0xC0) == 0x80)
		shown--; /* not within a character */
	return arena_printf(ctx->arena, "%.*s%s", (int)shown, first, shown < len ? " ..." : "");
}

struct assembly {
	const struct compile_ctx *ctx;
	struct code_listing *listing; /* to be made, too; NULL: not */
	const char *program, *kernel;
	const struct scratch *scratch;
	const struct buf *ptx;
	int cc;
};

/* The line that is shown while ptxas runs for long. */
static struct {
	void (*print)(const char *text);
	bool printed;
} progress;

/* The registers are the last that `run` looks for, and nothing is printed before. */
static void report_slow(void)
{
	progress.printed = isatty(STDERR_FILENO) != 0;
	if (progress.printed)
		progress.print("ptxas is still counting registers; --registers N goes without, Ctrl-C ends");
}

/* Of a kernel that calls functions of their own the fingerprint would say only half. */
static const char *fingerprint(struct arena *arena, const struct buf *file, const char *kernel)
{
	struct elf elf;
	char code[ELF_CODE_PRINT];
	return elf_read(arena, file->data, file->len, &elf) && elf_fingerprint_code(&elf, kernel, code)
		? arena_strdup(arena, code)
		: NULL;
}

/* --- the listing -------------------------------------------------------------------------------------------------- */

/* nvdisasm, else cuobjdump, which prints the same. */
const char *ptxas_find_disassembler(const struct compile_ctx *ctx)
{
	static const char *const names[] = {"nvdisasm", "cuobjdump", NULL};
	return process_find(ctx->arena, "NVDISASM", names);
}

/* Why there is no text, some words. */
static const char *disassemble(const struct assembly *a, const char *program, struct buf *text)
{
	const char *slash = strrchr(program, '/');
	bool dumps = strstr(slash ? slash : program, "cuobjdump") != NULL;
	const char *const argv[] = {program, dumps ? "--dump-sass" : "--print-code", CUBIN, NULL};
	struct arena *arena = a->ctx->arena;
	struct buf log = {0}, how = {0};
	struct diag unheard = {0};
	const char *why = NULL;
	struct sandbox_end end = sandbox_run(
		&(struct sandbox_job){.argv = argv, .scratch = a->scratch, .log_max = LOG_MAX, .output = DISASSEMBLY},
		&log);
	if (sandbox_failed(&end)) {
		const char *complaint = first_complaint(a->ctx, buf_str(&log));
		why = arena_printf(arena, "the disassembler refuses it%s%s", *complaint ? ": " : "", complaint);
	} else if (!sandbox_succeeded(&end)) {
		sandbox_describe(&end, &how);
		why = arena_printf(arena, "the disassembler %s", buf_str(&how));
	} else if (!file_read(path_join(arena, a->scratch->path, DISASSEMBLY), DISASSEMBLY_MAX, text, &unheard)) {
		why = "the disassembler wrote nothing that can be read";
	}
	diag_free(&unheard);
	buf_free(&log);
	buf_free(&how);
	return why;
}

static const char *make_listing(const struct assembly *a, const struct ptxas_usage *usage)
{
	const char *program = ptxas_find_disassembler(a->ctx), *fault = process_find_fault(a->ctx->arena, "NVDISASM");
	struct buf text = {0};
	const char *why = NULL;
	if (!usage->code)
		return "the cubin that ptxas wrote is not understood";
	if (!program)
		return fault ? fault : "there is no nvdisasm";
	why = disassemble(a, program, &text);
	if (!why)
		why = profile_disassembly(a->ctx->arena, usage->code, a->kernel, buf_str(&text), a->listing);
	buf_free(&text);
	if (why)
		return why;
	a->listing->target = target_name(a->ctx, a->ptx, a->cc);

	/* "ptxas 13.0.88"; "ptxas" where it does not say. */
	const char *const argv[] = {a->program, "--version", NULL};
	struct buf log = {0};
	char version[16] = "";
	struct sandbox_end end = sandbox_run(
		&(struct sandbox_job){.argv = argv, .scratch = a->scratch, .log_max = LOG_MAX}, &log);
	const char *at = sandbox_succeeded(&end) ? strstr(buf_str(&log), ", V") : NULL;
	bool known = at && sscanf(at, ", V%15[0-9.]", version) == 1;
	buf_free(&log);
	a->listing->compiler = known ? arena_printf(a->ctx->arena, "ptxas %s", version) : "ptxas";

	a->listing->registers = usage->registers;
	a->listing->stack = usage->stack;
	a->listing->spill_stores = usage->spill_stores;
	a->listing->spill_loads = usage->spill_loads;
	return NULL;
}

/* --- both --------------------------------------------------------------------------------------------------------- */

static struct ptxas_usage assemble(const struct assembly *a)
{
	const struct compile_ctx *ctx = a->ctx;
	const char *const argv[] = {a->program, "-v", "-arch", target_name(ctx, a->ptx, a->cc), "--entry", a->kernel,
		"-o", CUBIN, "kernel.ptx", "--generate-line-info", NULL};
	struct ptxas_usage usage = {0};
	struct buf log = {0}, how = {0};
	progress.print = ctx->print_progress;
	struct sandbox_end end = sandbox_run(
		&(struct sandbox_job){.argv = argv, .scratch = a->scratch, .log_max = LOG_MAX, .on_slow = report_slow},
		&log);
	if (progress.printed)
		progress.print("");
	progress.printed = false;
	if (sandbox_failed(&end)) {
		usage.why = arena_printf(ctx->arena, "ptxas rejects this PTX for CC %d.%d: %s", a->cc / 10, a->cc % 10,
			first_complaint(ctx, buf_str(&log)));
	} else if (!sandbox_succeeded(&end)) {
		sandbox_describe(&end, &how);
		usage.why = arena_printf(ctx->arena, "ptxas %s", how.data);
	} else if (!read_usage(buf_str(&log), &usage)) {
		usage.why = "ptxas does not report them";
	} else {
		struct arena *arena = a->ctx->arena;
		struct diag unheard = {0};
		struct buf bytes = {0};
		struct cubin *code = arena_alloc(arena, sizeof *code);
		bool ok = file_read(path_join(arena, a->scratch->path, CUBIN), CUBIN_MAX, &bytes, &unheard) &&
			cubin_read(arena, bytes.data, bytes.len, code);
		if (ok && a->listing)
			a->listing->code = code->n_functions == 1 ? fingerprint(arena, &bytes, a->kernel) : NULL;
		buf_free(&bytes);
		diag_free(&unheard);
		usage.code = ok ? code : NULL; /* else it is none that the model understands */

		usage.why = a->listing ? make_listing(a, &usage) : NULL;
	}
	buf_free(&log);
	buf_free(&how);
	return usage;
}

const char *ptxas_find(const struct compile_ctx *ctx)
{
	static const char *const names[] = {"ptxas", NULL};
	return process_find(ctx->arena, "PTXAS", names);
}

static struct ptxas_usage assemble_into(
	const struct compile_ctx *ctx, const struct buf *ptx, const char *kernel, int cc, struct code_listing *listing)
{
	const char *program = ptxas_find(ctx), *fault = process_find_fault(ctx->arena, "PTXAS");
	struct scratch scratch;
	struct ptxas_usage usage = {.why = program ? "ptxas has no scratch folder"
			: fault                    ? fault
						   : "there is no ptxas"};
	if (!program || !scratch_make_held(&scratch, ctx->arena, ctx->diag))
		return usage;
	if (scratch_write(&scratch, "kernel.ptx", ptx->data, ptx->len, ctx->diag))
		usage = assemble(&(struct assembly){ctx, listing, program, kernel, &scratch, ptx, cc});
	scratch_remove(&scratch);
	return usage;
}

struct ptxas_usage ptxas_usage(const struct compile_ctx *ctx, const struct buf *ptx, const char *kernel, int cc)
{
	return assemble_into(ctx, ptx, kernel, cc, NULL);
}

struct code_listing *ptxas_listing(
	const struct compile_ctx *ctx, const struct buf *ptx, const char *kernel, int cc, const char **why)
{
	struct code_listing *listing = arena_alloc(ctx->arena, sizeof *listing);
	*why = assemble_into(ctx, ptx, kernel, cc, listing).why;
	return *why ? NULL : listing;
}
