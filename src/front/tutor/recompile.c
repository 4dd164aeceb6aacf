#include "front/tutor/private.h"

#include <string.h>

#include "base/paths.h"
#include "base/portable.h"
#include "base/text.h"

#define LOOK_MS 250      /* how often a file is looked at */
#define MESSAGE_MAX 4000 /* bytes of what a compiler says that are shown */
#define SAID_MAX 65536   /* and that are kept */
#define READS_MAX 64     /* at a time: a compiler that says things without end must not hold us */

void recompile_begin(struct recompile *r, struct arena *arena, const char *path)
{
	*r = (struct recompile){
		.path = path, .arena = arena, .size = -1, .compiler = PROCESS_NONE, .scratch = SCRATCH_NONE};
}

static void stop_compiler(struct recompile *r)
{
	process_end(&r->compiler);
	buf_clear(&r->said);
	scratch_remove(&r->scratch);
}

void recompile_end(struct recompile *r)
{
	stop_compiler(r);
	buf_free(&r->said);
}

/* --- compiling ---------------------------------------------------------------------------------------------------- */

const char *recompile_ptx(const struct recompile *r)
{
	return path_join(r->arena, r->scratch.path, "kernel.ptx");
}

void recompile_done(struct recompile *r)
{
	scratch_remove(&r->scratch);
}

struct compilation {
	const struct tutor_compiler *compiler;
	const char *source_path, *ptx_path;
};

static int run_compiler(void *ctx)
{
	const struct compilation *c = ctx;
	return c->compiler->run(c->compiler->ctx, c->source_path, c->ptx_path);
}

/* Keeps the first SAID_MAX bytes of what the compiler says. */
static void read_messages(struct recompile *r)
{
	for (int i = 0; i < READS_MAX && process_read(&r->compiler, &r->said, 4096) > 0; i++)
		if (r->said.len > SAID_MAX)
			r->said.data[r->said.len = SAID_MAX] = '\0';
}

static enum recompile_event start_compiler(
	struct recompile *r, const struct tutor_compiler *compiler, const char **why_not)
{
	struct diag quiet = {0};
	struct buf why = {0};
	stop_compiler(r);
	*why_not = _("There is nothing to compile it with.");
	if (!compiler->run)
		return RECOMPILE_FAILED;
	*why_not = _("No folder for what the compiler writes can be made.");
	bool made = scratch_make(&r->scratch, r->arena, &quiet);
	diag_free(&quiet);
	if (!made)
		return RECOMPILE_FAILED;
	struct compilation compilation = {compiler, r->path, recompile_ptx(r)};
	bool started = process_fork(&r->compiler, run_compiler, &compilation, &why);
	if (!started) {
		*why_not = arena_strdup(r->arena, buf_str(&why));
		scratch_remove(&r->scratch);
	}
	buf_free(&why);
	return started ? RECOMPILE_STARTED : RECOMPILE_FAILED;
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

/* Whether it is another than the one remembered, which it is from now on. */
static bool is_changed(struct recompile *r, const struct stat *now)
{
	const struct timespec changed = portable_changed(now);
	bool same = now->st_size == r->size &&
		(changed.tv_sec == r->changed.tv_sec && changed.tv_nsec == r->changed.tv_nsec);
	r->size = now->st_size;
	r->changed = changed;
	return !same;
}

void recompile_skip(struct recompile *r)
{
	struct stat now;
	if (stat(r->path, &now) == 0)
		is_changed(r, &now);
}

void recompile_again(struct recompile *r)
{
	r->size = -1;
}

enum recompile_event recompile_poll(struct recompile *r, const struct tutor_compiler *compiler, const char **why)
{
	struct stat now;
	r->looked = clock_ms();
	if (stat(r->path, &now) == 0)
		return is_changed(r, &now) ? start_compiler(r, compiler, why) : RECOMPILE_NOTHING;
	stop_compiler(r);
	r->size = -1;
	return RECOMPILE_GONE;
}

enum recompile_event recompile_step(struct recompile *r, const struct tutor_compiler *compiler, const char **why)
{
	if (r->compiler.pid) {
		read_messages(r);
		if (!process_ended(&r->compiler))
			return RECOMPILE_NOTHING;
		bool compiled = process_succeeded(r->compiler.status);
		read_messages(r);
		process_kill(&r->compiler);
		return compiled ? RECOMPILE_COMPILED : RECOMPILE_REFUSED;
	}
	return clock_ms() - r->looked >= LOOK_MS ? recompile_poll(r, compiler, why) : RECOMPILE_NOTHING;
}

int recompile_timeout_ms(const struct recompile *r)
{
	return LOOK_MS / (r->compiler.pid ? 5 : 1);
}

/* --- messages ----------------------------------------------------------------------------------------------------- */

/* The reader knows where the file is: its name will do. */
const char *recompile_message(const struct recompile *r, struct arena *arena, const char *message)
{
	const char *slash = strrchr(r->path, '/');
	size_t folder = slash ? (size_t)(slash + 1 - r->path) : 0;
	struct buf text = {0};
	for (const char *at = message; *at && text.len < MESSAGE_MAX;) {
		if (folder && strncmp(at, r->path, folder) == 0)
			at += folder;
		else
			buf_putc(&text, *at++);
	}
	const char *shown = arena_strdup(arena, buf_str(&text));
	buf_free(&text);
	return shown;
}

const char *recompile_log(const struct recompile *r, struct arena *arena)
{
	const char *log = buf_str(&r->said), *above = strstr(log, "; its messages are above\n");
	size_t len = above ? (size_t)(above - log) : strlen(log);
	while (above && len && log[len - 1] != '\n')
		len--;
	const char *said = arena_strndup(arena, log, len);
	return recompile_message(r, arena, *said ? said : _("The compiler refuses it and says nothing."));
}
