#include "config.h"
#include "cmd/cmd.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cmd/confined.h"
#include "cmd/json.h"
#include "gpu/client/gpu.h"
#include "model/hardware/occupancy.h"
#include "tools/sandbox/confine.h"

#ifdef HAVE_WORKER
#define BUILT_WITH_WORKER true
#else
#define BUILT_WITH_WORKER false
#endif

#define WAIT_MS 600000 /* the front end's own deadline comes first */
#define PROBLEMS_MAX 8

static int run_doctor(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static const struct cmd_option options[] = {
	{"format", 0, "FORMAT", N_("text or json")},
	{"json", 0, NULL, N_("the same as --format json")},
	{0},
};

static void needs_of_doctor(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	(void)args, (void)n;
	needs->gpu = cmd_gpu(needs->ctx);
}

const struct cmd_entry cmd_doctor_entry = {
	.name = "doctor",
	.usage = "[--format text|json]",
	.summary = N_("check GPU, driver and CUPTI, and say what is missing"),
	.details = N_(
		"What is missing is reported with its code, the reason and what helps, first the remedy for where the "
		"worker runs (a host, a container, WSL); simttutor-gpu(1) lists all codes. The exit status is 0 when "
		"live measuring works and 3 when it does not; the lessons work either way, with the model's numbers "
		"and recorded ones."),
	.options = options,
	.run = run_doctor,
	.needs = needs_of_doctor,
};

struct doctor_problem {
	const char *code, *message, *remedy;
	struct wire_remedy lines[WIRE_PLACES]; /* further remedies, the one for this place first */
	int n_lines;
};

struct doctor_findings {
	struct arena *arena;
	const struct cmd_ctx *ctx;
	const char *spec;
	const char *used;      /* of it, where it names several: the one that could be used, or was tried last */
	enum wire_place place; /* of the worker */
	bool worker_there;
	const struct wire_gpu *gpu; /* NULL: none was found */
	const char *cuda;           /* "13.0", or "" */
	bool live;
	const char *term;
	int rows, cols; /* 0: no terminal */
	bool lessons, state_writable;
	struct confine_support confinement;
	struct confine_lack lacks[CONFINE_LACKS_MAX]; /* what it is without */
	int n_lacks;
	struct doctor_problem problems[PROBLEMS_MAX];
	int n_problems;
};

/* --- finding out -------------------------------------------------------------------------------------------------- */

static struct doctor_problem *add_problem(
	struct doctor_findings *f, const char *code, const char *message, const char *remedy)
{
	if (f->n_problems == PROBLEMS_MAX)
		return NULL;
	struct doctor_problem *p = &f->problems[f->n_problems++];
	*p = (struct doctor_problem){.code = code, .message = arena_strdup(f->arena, message), .remedy = remedy};
	return p;
}

static void add_error(struct doctor_findings *f, const struct wire_error *error)
{
	struct doctor_problem *p = add_problem(
		f, wire_error_name(error->code), error->message, wire_error_remedy(error->code));
	if (p)
		p->n_lines = wire_error_remedies(error->code, f->place, p->lines);
}

/* The folder need not exist yet, but it must be possible to create it. */
static bool can_write(struct arena *arena, const char *path)
{
	char *at = arena_strdup(arena, path);
	struct stat info;
	while (stat(at, &info) != 0) {
		char *slash = strrchr(at, '/');
		if (!slash || slash == at)
			return access("/", W_OK) == 0;
		*slash = '\0';
	}
	return S_ISDIR(info.st_mode) && access(at, W_OK) == 0;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void print_row(struct buf *out, const char *label, const char *format, ...)
{
	struct buf text = {0};
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	escape_line(out, "%-16s%s", label, buf_str(&text));
	buf_free(&text);
}

static const char *or_unknown(const char *text)
{
	return *text ? text : "unknown";
}

static void print_text(const struct doctor_findings *f, struct buf *out)
{
	const struct cmd_ctx *ctx = f->ctx;
	print_row(out, "simttutor", "%s, built %s simttutor-gpu", PACKAGE_VERSION,
		BUILT_WITH_WORKER ? "with" : "without");
	print_row(out, "worker", "%s%s", ctx->paths.worker, f->worker_there ? "" : " (not found)");
	print_row(out, "measuring by", "--gpu %s", f->used);
	if (f->gpu) {
		const struct wire_gpu *g = f->gpu;
		print_row(out, "gpu", "%s%s%s%s, compute capability %d.%d, %d SMs", g->name, *g->chip ? " (" : "",
			g->chip, *g->chip ? ")" : "", g->cc / 10, g->cc % 10, g->sms);
		print_row(out, "driver", "%s, CUDA %s", or_unknown(g->driver), f->cuda);
		print_row(out, "CUPTI", "%s", *g->cupti_version ? g->cupti_version : "not found");
		print_row(out, "counters", "%s", g->counters ? "can be read" : "cannot be read");
		if (occupancy_doubt(g->cc))
			print_row(out, "model", _("limits and rules of CC %d.%d: %s"), g->cc / 10, g->cc % 10,
				occupancy_doubt(g->cc));
		if (!strstr(g->name, "H200"))
			print_row(out, "model of time", "that of an NVIDIA H200, not of this GPU");
	}
	if (f->rows)
		print_row(out, "terminal", "%s, %dx%d, %s, %s", or_unknown(f->term), f->cols, f->rows,
			ctx->color ? "colors" : "no colors", ctx->ascii ? "ASCII" : "UTF-8");
	else
		print_row(out, "terminal", "%s, but standard output is not a terminal; %s", or_unknown(f->term),
			ctx->ascii ? "ASCII" : "UTF-8");
	print_row(out, "lessons", "%s%s", ctx->paths.data, f->lessons ? "" : " (not found)");
	print_row(out, "progress", "%s%s", ctx->paths.state, f->state_writable ? "" : " (cannot be written)");

	const struct confine_support *s = &f->confinement;
	struct buf text = {0};
	if (s->abi > 0)
		buf_printf(&text, "Landlock ABI %d", s->abi);
	if (s->seccomp)
		buf_printf(&text, "%sseccomp", text.len ? ", " : "");
	print_row(out, "confinement", "%s", s->refused || !text.len ? "none" : buf_str(&text));
	for (int i = 0; i < f->n_lacks; i++)
		print_row(out, "", "without %s: %s", f->lacks[i].what, f->lacks[i].meaning);
	buf_free(&text);

	for (int i = 0; i < f->n_problems; i++) {
		const struct doctor_problem *p = &f->problems[i];
		buf_putc(out, '\n');
		escape_line(out, "%s: %s", p->code, p->message);
		buf_printf(out, "  %s\n", p->remedy);
		for (int j = 0; j < p->n_lines; j++)
			buf_printf(out, "  %s%s: %s\n", p->lines[j].place == f->place ? "here, " : "",
				wire_place_words(p->lines[j].place), p->lines[j].text);
	}
	buf_printf(out, "\nLive measuring %s.\n", f->live ? "works" : "does not work");
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static void print_json(const struct doctor_findings *f, struct buf *out)
{
	const struct cmd_ctx *ctx = f->ctx;
	json_t *json = json_pack("{s:s, s:b, s:o, s:b, s:o, s:b}", "version", PACKAGE_VERSION, "built_with_worker",
		BUILT_WITH_WORKER, "worker", cmd_json_text(ctx->paths.worker), "worker_there", f->worker_there,
		"measuring_by", cmd_json_text(f->used), "live", f->live);

	const struct wire_gpu *g = f->gpu;
	json_t *gpu = json_null();
	if (g) {
		gpu = json_pack("{s:o, s:o, s:o, s:i, s:i, s:o, s:o}", "name", cmd_json_text(g->name), "chip",
			cmd_json_text(g->chip), "uuid", cmd_json_text(g->uuid), "cc", g->cc, "sms", g->sms, "driver",
			cmd_json_text(g->driver), "cuda", cmd_json_text(f->cuda));
		json_object_set_new(gpu, "cupti", *g->cupti_version ? cmd_json_text(g->cupti_version) : json_null());
		json_object_set_new(gpu, "counters", json_boolean(g->counters));
		json_object_set_new(gpu, "verified", json_boolean(!occupancy_doubt(g->cc)));
	}
	json_object_set_new(json, "gpu", gpu);

	json_object_set_new(json, "terminal",
		json_pack("{s:o, s:i, s:i, s:b, s:b}", "term", cmd_json_text(f->term), "columns", f->cols, "rows",
			f->rows, "color", ctx->color, "utf8", !ctx->ascii));
	json_object_set_new(json, "paths",
		json_pack("{s:o, s:o}", "data", cmd_json_text(ctx->paths.data), "state",
			cmd_json_text(ctx->paths.state)));
	const struct confine_support *s = &f->confinement;
	json_t *lacks = json_array();
	for (int i = 0; i < f->n_lacks; i++)
		json_array_append_new(
			lacks, json_pack("{s:s, s:s}", "what", f->lacks[i].what, "meaning", f->lacks[i].meaning));
	json_object_set_new(json, "confinement",
		json_pack("{s:i, s:b, s:b, s:o}", "landlock_abi", s->abi, "seccomp", s->seccomp, "off", s->refused,
			"lacks", lacks));
	json_t *problems = json_array();
	for (int i = 0; i < f->n_problems; i++) {
		const struct doctor_problem *p = &f->problems[i];
		json_t *remedies = json_array();
		for (int k = 0; k < p->n_lines; k++)
			json_array_append_new(remedies,
				json_pack("{s:s, s:b, s:s}", "place", wire_place_name(p->lines[k].place), "here",
					p->lines[k].place == f->place, "text", p->lines[k].text));
		json_array_append_new(problems,
			json_pack("{s:s, s:o, s:s, s:o}", "code", p->code, "message", cmd_json_text(p->message),
				"remedy", p->remedy, "remedies", remedies));
	}
	json_object_set_new(json, "problems", problems);
	cmd_json_write(json, JSON_INDENT(2), out);
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static int run_doctor(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct doctor_findings f = {.arena = ctx->arena, .ctx = ctx, .spec = cmd_gpu(ctx), .cuda = ""};
	bool json = false;
	for (int i = 0; i < n; i++) {
		if (!args[i].option)
			return cmd_usage(ctx, &cmd_doctor_entry, "unexpected argument '%s'", args[i].value);
		bool format = cmd_is(&args[i], "format");
		if (format && strcmp(args[i].value, "text") != 0 && strcmp(args[i].value, "json") != 0)
			return cmd_usage(ctx, &cmd_doctor_entry, "--format is text or json, not '%s'", args[i].value);
		json = cmd_is(&args[i], "json") || (format ? !strcmp(args[i].value, "json") : json);
	}
	struct gpu *gpu = gpu_new(f.spec, ctx->paths.worker, &ctx->diag);
	if (!gpu)
		return EXIT_USAGE;

	const struct paths *paths = &f.ctx->paths;
	f.worker_there = access(paths->worker, X_OK) == 0;
	f.lessons = access(path_join(f.arena, paths->data, "lessons"), R_OK | X_OK) == 0;
	f.state_writable = can_write(f.arena, paths->state);
	if (!f.lessons)
		add_problem(&f, "lessons", arena_printf(f.arena, "there are no lessons in %s", paths->data),
			"Install simttutor again, or set SIMTTUTOR_DATA to the folder that holds lessons and kernels.");
	if (!f.state_writable)
		add_problem(&f, "state", arena_printf(f.arena, "%s cannot be written", paths->state),
			"Progress is not kept; set XDG_STATE_HOME to a folder of yours.");

	f.confinement = confine_support();
	f.n_lacks = confine_lacks(&f.confinement, f.lacks);

	/* a build without the worker is reported as such, not as a missing file */
	if ((!strcmp(f.spec, "local") || !strncmp(f.spec, "local:", 6)) && !f.worker_there && !BUILT_WITH_WORKER) {
		add_error(&f, &(struct wire_error){WIRE_NO_WORKER, "this build is without simttutor-gpu"});
	} else {
		gpu_start(gpu);
		struct gpu_event event = gpu_wait(gpu, WAIT_MS);
		f.gpu = gpu_info(gpu);
		f.place = gpu_place(gpu);
		if (event.kind == GPU_EVENT_ERROR)
			add_error(&f, event.error);
		else if (!f.gpu && gpu_error(gpu))
			add_error(&f, gpu_error(gpu));
		f.live = f.gpu && f.gpu->counters;
		if (f.gpu) {
			f.cuda = arena_printf(
				f.arena, "%d.%d", f.gpu->driver_cuda / 1000, f.gpu->driver_cuda % 1000 / 10);
			if (!f.live)
				add_error(&f, &(struct wire_error){f.gpu->counters_error, f.gpu->counters_message});
		}
	}

	f.used = gpu_spec(gpu);

	struct winsize size;
	const char *term = getenv("TERM");
	f.term = term && *term ? term : "";
	if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
		f.rows = size.ws_row;
		f.cols = size.ws_col;
	}
	if (!*f.term || !strcmp(f.term, "dumb"))
		add_problem(&f, "terminal", *f.term ? "TERM is dumb" : "TERM is not set",
			"Lessons are printed as plain text; set TERM to your terminal's name for the screen.");
	if (f.ctx->ascii)
		add_problem(&f, "locale", "the locale has no UTF-8",
			"Pictures are drawn in ASCII; set LC_ALL to a UTF-8 locale, such as C.UTF-8.");

	struct buf out = {0};
	(json ? print_json : print_text)(&f, &out);
	bool printed = cmd_print(ctx, &out);
	buf_free(&out);
	gpu_free(gpu);
	return !printed ? EXIT_FAILED : f.live ? EXIT_OK : EXIT_MISSING;
}
