/* Launches in files, for a debugger, and for who is sent one (machine/snapshot/snapshot.h). */
#include "runtime/report/report.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/demangle.h"
#include "base/file.h"
#include "machine/ptx/program.h"
#include "machine/snapshot/snapshot.h"
#include "runtime/report/report_parts.h"
#include "runtime/stream/queue.h"

#define FILES_MAX 1000
#define BYTES_MAX ((uint64_t)4 << 30)
#define NAME_MAX_SHOWN 48

struct report_keep {
	struct snapshot what;
	struct snapshot_writer *writer;
	struct buf place;
};

static struct {
	const char *folder; /* NULL: nothing is kept */
	bool stops, full;
	int files;
	uint64_t bytes;
} kept;

void report_keep_open(struct runtime *r)
{
	const char *stop = getenv("SIMTTUTOR_RECORD_STOP");
	kept.folder = report_requested_file(r->arena, "SIMTTUTOR_RECORD");
	kept.stops = kept.folder && stop && *stop;
}

bool report_keeps(void)
{
	return kept.folder != NULL;
}

/* --- what there is to keep ---------------------------------------------------------------------------------------- */

static const char *allocation_location(void *ctx, uint64_t address, bool *shared)
{
	struct runtime *r = ctx;
	static struct buf text;
	const struct cuda_allocation *a = runtime_allocation(r, address, 0);
	buf_clear(&text);
	*shared = *shared ||
		(a && (a->kind == MEMORY_PINNED || a->kind == MEMORY_REGISTERED || a->kind == MEMORY_MANAGED));
	if (a && a->kind == MEMORY_VARIABLE)
		return "variables";
	return a && a->site && report_site_text(a->site, &text) ? buf_str(&text) : "";
}

static void describe_launch(
	struct runtime *r, const struct cuda_work *work, const struct simt_launch *launch, struct report_keep *k)
{
	struct snapshot *s = &k->what;
	const struct ptx_module *module = launch->kernel->module;
	if (work->site)
		report_site_text(work->site, &k->place);
	s->kernel = work->launch.kernel->name;
	s->place = buf_str(&k->place);
	s->ptx = module->text;
	s->ptx_len = module->text_len;
	s->cc = r->cc;
	s->shared = launch->dynamic_shared;
	s->cooperative = launch->cooperative;
	s->beside = r->queue->open > 0;
	s->params = launch->params;
	s->n_params = ptx_param_bytes(launch->kernel);
	s->textures = (struct simt_texture *)launch->textures;
	s->n_textures = launch->n_textures;
	memcpy(s->grid, launch->grid, sizeof s->grid);
	memcpy(s->block, launch->block, sizeof s->block);
	memcpy(s->cluster, launch->cluster, sizeof s->cluster);

	/* The file that most of a kernel is from, where it can still be read. */
	for (int i = 0; i < ptx_instr_count(launch->kernel); i++) {
		struct ptx_location place = ptx_instr_location(launch->kernel, i);
		if (!place.line)
			continue;
		const struct buf *text = report_source_text(place.file);
		s->source_name = place.file;
		if (text && text->len && !memchr(text->data, 0, text->len)) {
			s->source = text->data;
			s->source_len = text->len;
		}
		return;
	}
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

static void write_keep(struct report_keep *k)
{
	struct buf path = {0}, bytes = {0};
	struct diag diag = {0};

	struct arena *arena = arena_new();
	struct demangled d;
	const char *name = demangle(arena, k->what.kernel, &d) ? d.name : k->what.kernel;
	buf_printf(&path, "%s/%04llu-", kept.folder, (unsigned long long)k->what.number);
	for (int i = 0; name[i] && i < NAME_MAX_SHOWN; i++)
		buf_putc(&path, isalnum((unsigned char)name[i]) ? name[i] : '_');
	buf_puts(&path, SNAPSHOT_SUFFIX);
	arena_free(arena);

	snapshot_end(k->writer, &bytes);
	kept.bytes += bytes.len;
	if (!file_write(buf_str(&path), bytes.data, bytes.len, &diag))
		runtime_warn_diag(&diag);
	diag_free(&diag);
	buf_free(&bytes);
	buf_free(&path);
	buf_free(&k->place);
	free(k);
}

/* What the program has printed until now is the reader's; its handlers are not called, as it has not come to its
 * end. */
static _Noreturn void stop_program(struct runtime *r)
{
	runtime_print(r);
	fflush(stdout);
	_exit(EXIT_SUCCESS);
}

struct report_keep *report_keep_begin(
	struct runtime *r, const struct cuda_work *work, uint64_t number, const struct simt_launch *launch)
{
	if (!kept.folder)
		return NULL;
	if (!kept.full && (kept.files == FILES_MAX || kept.bytes > BYTES_MAX)) {
		runtime_warn("%d launches are kept, in %llu MiB; no more are, --launches chooses which", kept.files,
			(unsigned long long)(kept.bytes >> 20));
		kept.full = true;
	}
	if (kept.full)
		return NULL;

	if (launch->variables && simt_variables_place(launch->variables).moved) {
		runtime_warn(
			"launch %llu is not kept: its __managed__ variables, in a program that clang compiled, are where no "
			"file has them; cudaMallocManaged has others",
			(unsigned long long)number);
		return NULL;
	}
	struct report_keep *k = base_calloc(1, sizeof *k);
	k->what.number = number;
	describe_launch(r, work, launch, k);
	k->writer = snapshot_begin(&k->what, r->memory, launch->variables, allocation_location, r);
	kept.files++;
	if (!k->writer) {
		runtime_warn("launch %llu is not kept: there is more than %zu MiB of memory",
			(unsigned long long)number, SNAPSHOT_MEMORY_MAX >> 20);
		buf_free(&k->place);
		free(k);
		return NULL;
	}
	if (!kept.stops)
		return k;
	write_keep(k);
	stop_program(r);
}

void report_keep_end(struct runtime *r, struct report_keep *k, const struct simt_result *result)
{
	if (!k)
		return;
	k->what.ended = true;
	k->what.beside |= r->queue->open > 1;
	k->what.outcome = result->outcome;
	k->what.message = result->message;
	snapshot_after(k->writer, &k->what, r->memory);
	write_keep(k);
}
