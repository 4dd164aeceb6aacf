/* Kernels with probes, on the machine: they compute what they did without, and what they write down is what the machine
 * reports to its listener of the kernel as it was.
 *
 * Taken are the fixtures of tests/ptx, with their launches, and the entries of other PTX in the tree, with buffers for
 * 8-byte parameters and 64 for 4-byte ones. Left out are kernels that read a clock or keep what malloc gave, which must
 * differ, those that do not end well as they are, and those of tests/defects that are not called clean. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/file.h"
#include "machine/launch/launch.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/ops.h"
#include "machine/simt/simt.h"
#include "model/probe/probe.h"
#include "model/profile/device.h"

#define MEMORY ((size_t)256 << 20)
#define STEPS 2000000u
#define CAPACITY 64
#define SEEN_MAX 200000

/* What the machine reports. */
struct seen {
	int instr;
	uint32_t block, warp, active, executing;
	bool accesses;
	struct warp_access access;
};

struct subject {
	struct arena *arena;
	struct diag diag;
	struct buf text, woven, output;
	const char *name;
	struct launch launch;
	struct launch_arg args[LAUNCH_ARGS_MAX + 1];
	struct ptx_module *module;
	const struct ptx_kernel *kernel;
	struct simt_result result;
	void **buffers;
	struct seen *seen;
	size_t n_seen;
	bool too_much;
};

/* --- loading ------------------------------------------------------------------------------------------------------ */

static void open_subject(struct subject *s, const char *path)
{
	memset(s, 0, sizeof *s);
	s->arena = arena_new();
	s->name = strstr(path, "tests/") ? strstr(path, "tests/") : path;
	s->launch.args = s->args;
	if (!file_read(path, 4 << 20, &s->text, &s->diag))
		fail_msg("%s cannot be read", path);
	s->module = ptx_parse(s->arena, path, buf_str(&s->text), s->text.len, &s->diag);
}

static void close_subject(struct subject *s)
{
	buf_free(&s->text);
	buf_free(&s->woven);
	buf_free(&s->output);
	diag_free(&s->diag);
	free(s->seen);
	arena_free(s->arena);
}

static void add_arg(struct subject *s, const char *text)
{
	assert_true(s->launch.n_args < LAUNCH_ARGS_MAX);
	if (!launch_arg_parse(s->arena, s->name, arena_strdup(s->arena, text), &s->args[s->launch.n_args++], &s->diag))
		fail_msg("%s: %s", s->name, text);
}

/* "// launch: grid 1 block 8 shared 16; arg A; arg B"; false when the fixture has none, or must fail. */
static bool launch_of_fixture(struct subject *s)
{
	const char *line = strstr(buf_str(&s->text), "// launch:");
	char *save = NULL, *words, *word, *value, *inner = NULL;
	if (!line || !s->module || strstr(buf_str(&s->text), "// expect-outcome"))
		return false;
	line += strlen("// launch:");
	words = arena_strndup(s->arena, line, strcspn(line, "\n"));
	for (char *part = strtok_r(words, ";", &save); part; part = strtok_r(NULL, ";", &save)) {
		while ((word = strtok_r(inner ? NULL : part, " ", &inner)) &&
			(value = strtok_r(
				 NULL, strchr(inner, '{') ? "" : " ", &inner))) { /* {...}: of a texture, a map */
			if (!strcmp(word, "arg"))
				add_arg(s, value);
			else if (!strcmp(word, "shared"))
				s->launch.shared = (uint32_t)atoi(value);
			else
				launch_dim_parse(s->name, value,
					strcmp(word, "grid") ? s->launch.block : s->launch.grid, &s->diag);
		}
		inner = NULL;
	}
	s->kernel = ptx_find_kernel(s->module, NULL, &s->diag);
	return s->kernel != NULL;
}

static bool launch_of_entry(struct subject *s, int index)
{
	const char *name = ptx_kernel_name(s->module, index);
	s->launch = (struct launch){
		.kernel = name, .grid = {2, 1, 1}, .block = {64, 1, 1}, .shared = 4096, .args = s->args};
	s->kernel = ptx_find_kernel(s->module, name, &s->diag);
	for (int i = 0; s->kernel && i < ptx_param_count(s->kernel); i++) {
		uint32_t size = ptx_kernel_param(s->kernel, i).size;
		if (size != 4 && size != 8)
			return false;
		add_arg(s, size == 8 ? "u32[4096]" : "b32:64");
	}
	return s->kernel && (!strstr(s->name, "defects/") || strstr(name, "clean"));
}

/* --- running ------------------------------------------------------------------------------------------------------ */

static struct seen *one_more(struct subject *s)
{
	if (s->n_seen == SEEN_MAX) {
		s->too_much = true;
		return NULL;
	}
	if (!s->seen)
		s->seen = base_calloc(SEEN_MAX, sizeof *s->seen);
	return &s->seen[s->n_seen++];
}

static void on_step(void *ctx, const struct simt_site *site, uint32_t active, uint32_t executing)
{
	struct seen *seen = one_more(ctx);
	if (seen)
		*seen = (struct seen){.instr = site->instr,
			.block = site->block,
			.warp = site->warp,
			.active = active,
			.executing = executing};
}

static void on_access(void *ctx, const struct simt_site *site, const struct warp_access *access)
{
	struct seen *seen = access->active ? one_more(ctx) : NULL;
	if (seen)
		*seen = (struct seen){.instr = site->instr,
			.block = site->block,
			.warp = site->warp,
			.accesses = true,
			.access = *access};
}

static void on_print(void *ctx, const char *text, size_t len)
{
	struct subject *s = ctx;
	buf_append(&s->output, text, len);
}

/* Runs the kernel; only its own run is listened to. */
static void run(struct subject *s, const struct ptx_kernel *kernel, const struct simt_listener *listener)
{
	struct profile_device *device = profile_device_open(kernel->module, &s->launch, NULL, &s->diag);
	struct simt_launch launch = {.kernel = kernel,
		.dynamic_shared = s->launch.shared,
		.limits = {.steps = STEPS, .cores = 1},
		.listener = listener};
	const struct arguments *arguments = profile_arguments_place(s->arena, kernel, &s->launch, device, &s->diag);
	if (!arguments)
		fail_msg("%s: %s", s->name, s->diag.entries[0].message);
	memcpy(launch.grid, s->launch.grid, sizeof launch.grid);
	memcpy(launch.block, s->launch.block, sizeof launch.block);
	launch.params = arguments->params;
	buf_clear(&s->output);
	simt_run(&launch, device->memory, &s->result);
	s->buffers = profile_arguments_copy(s->arena, &s->launch, arguments, device->memory);
	profile_device_free(device);
}

static uint64_t volume(const uint32_t dims[3])
{
	return (uint64_t)dims[0] * dims[1] * dims[2];
}

static uint32_t warps_of(const struct subject *s)
{
	return (uint32_t)(volume(s->launch.block) + 31) / 32;
}

/* Some kernels of tests/defects/progress.cu count how often they look for what another block does; with probes they
 * look less often. */
static bool counts_turns(const struct ptx_kernel *kernel, int argument)
{
	return (argument == 0 && strstr(kernel->name, "spin_")) ||
		(argument == 2 && strstr(kernel->name, "warp_halves"));
}

/* Runs the kernel with probes, and checks that all but what they wrote is as it was. False when it does not end: one
 * core of the machine goes on with another block when a block does nothing but poll, and a block that writes does
 * more. */
static bool run_probed(
	struct subject *s, const struct probe_request *request, struct probe **probe, struct probe_log *log)
{
	struct simt_listener listener = {.ctx = s, .print = on_print};
	char *printed = arena_strdup(s->arena, buf_str(&s->output));
	void **before = s->buffers;
	int n = s->launch.n_args;

	buf_clear(&s->woven);
	*probe = probe_write(s->arena, s->module, request, &s->woven, &s->diag);
	if (!*probe)
		fail_msg("%s: %s", s->name, s->diag.entries[0].message);
	struct ptx_module *again = ptx_parse(s->arena, "woven", buf_str(&s->woven), s->woven.len, &s->diag);
	const struct ptx_kernel *kernel = again ? ptx_find_kernel(again, s->kernel->name, &s->diag) : NULL;
	if (!kernel)
		fail_msg("%s: line %d: %s: %s", s->name, s->diag.entries[0].line, s->diag.entries[0].message,
			s->diag.entries[0].source);
	add_arg(s, arena_printf(s->arena, "b8[%llu]", (unsigned long long)(*probe)->bytes));
	run(s, kernel, &listener);
	if (s->result.outcome == SIMT_LIMIT)
		return false;
	if (s->result.outcome != SIMT_OK)
		fail_msg("%s %s: line %d: %s", s->name, kernel->name, s->result.place.ptx_line, s->result.message);
	for (int i = 0; i < n; i++)
		if (before[i] && !counts_turns(kernel, i) &&
			memcmp(before[i], s->buffers[i], launch_arg_bytes(&s->args[i])) != 0)
			fail_msg("%s %s: argument %d is not what it was", s->name, kernel->name, i);
	assert_string_equal(buf_str(&s->output), printed);
	if (!probe_read(s->arena, *probe, (struct probe_bytes){s->buffers[n], (*probe)->bytes}, log, &s->diag))
		fail_msg("%s %s: %s", s->name, kernel->name, s->diag.entries[0].message);
	s->launch.n_args = n;
	s->buffers = before;
	return true;
}

static struct probe_request everything(const struct subject *s, enum probe_what what)
{
	return (struct probe_request){
		.what = what, .n_blocks = volume(s->launch.grid), .n_warps = warps_of(s), .capacity = CAPACITY};
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

static bool is_at(const struct subject *s, const struct probe_site *site, int instr)
{
	const struct ptx_part *part = ptx_part_of(s->kernel, instr);
	return part->code == site->code && instr - part->first == site->instr;
}

/* Whether an event has a step of its own in the kernel as it was. Exits are judged by check_lives: paths that only had
 * to end have not reconverged before; those that have something to write there have. */
static bool has_step(const struct probe_site *site)
{
	return site->kind == PROBE_ARRIVE || site->kind == PROBE_LINE;
}

/* The events of warps are one after the other in the log, so each is looked for after the last of its warp. */
static void expect_event(struct subject *s, const struct probe_log *log, size_t *next, const struct seen *seen,
	const struct probe_site *site, uint32_t lanes)
{
	size_t i = *next;
	while (i < log->n &&
		(log->events[i].block != seen->block || log->events[i].warp != seen->warp ||
			!has_step(log->events[i].site)))
		i++;
	if (i == log->n)
		fail_msg("%s %s line %d, block %u warp %u: %s is not in the log", s->name, s->kernel->name,
			site->place.ptx_line, seen->block, seen->warp, probe_event_name(site->kind));
	const struct probe_event *e = &log->events[i];
	if (e->site != site || e->lanes != lanes)
		fail_msg("%s %s, block %u warp %u: %s line %d lanes %08x are wanted, %s line %d lanes %08x are there",
			s->name, s->kernel->name, seen->block, seen->warp, probe_event_name(site->kind),
			site->place.ptx_line, lanes, probe_event_name(e->site->kind), e->site->place.ptx_line,
			e->lanes);
	*next = i + 1;
}

/* Each step of the machine that has sites, in the order of each warp. */
static void compare_stamps(struct subject *s, const struct probe *probe, const struct probe_log *log)
{
	uint32_t warps = warps_of(s);
	size_t *next = base_calloc(volume(s->launch.grid) * warps, sizeof *next);
	uint64_t *lost = base_calloc(volume(s->launch.grid) * warps, sizeof *lost);
	for (size_t i = 0; i < log->n; i++)
		lost[log->events[i].block * warps + log->events[i].warp]++;
	for (size_t i = 0; i < s->n_seen; i++) {
		const struct seen *seen = &s->seen[i];
		size_t at = seen->block * warps + seen->warp;
		for (int k = 0; !seen->accesses && lost[at] < CAPACITY && k < probe->n_sites; k++) {
			const struct probe_site *site = &probe->sites[k];
			if (!has_step(site) || !is_at(s, site, seen->instr))
				continue;
			uint32_t lanes = site->kind == PROBE_LINE ? seen->active : seen->executing;
			if (lanes)
				expect_event(s, log, &next[at], seen, site, lanes);
		}
	}
	free(next);
	free(lost);
}

/* Warps begin once, whole; all lanes end once; a thread that waits at a barrier leaves it. Clocks do not go back. */
static void check_lives(struct subject *s, const struct probe_log *log)
{
	uint64_t threads = volume(s->launch.block);
	size_t i = 0;
	for (uint64_t block = 0; block < volume(s->launch.grid); block++) {
		for (uint32_t warp = 0; warp < warps_of(s); warp++) {
			uint32_t all = threads - warp * 32u >= 32 ? UINT32_MAX : (1u << (threads - warp * 32u)) - 1,
				 ended = 0;
			uint64_t clock = 0, waiting = 0, n = 0;
			for (; i < log->n && log->events[i].block == block && log->events[i].warp == warp; i++, n++) {
				const struct probe_event *e = &log->events[i];
				assert_int_equal(e->site->kind == PROBE_ENTRY, n == 0);
				assert_true(n > 0 || e->lanes == all);
				assert_true(e->clock > clock && e->time > e->clock && e->sm == 0 && e->slot == warp);
				assert_int_equal(e->lanes & (ended | ~all), 0);
				clock = e->clock;
				ended |= e->site->kind == PROBE_EXIT ? e->lanes : 0;
				bool waits = e->site->kind == PROBE_ARRIVE &&
					!strstr(e->site->code->instrs[e->site->instr].form->spelling, "arrive");
				waiting += waits ? (uint64_t)__builtin_popcount(e->lanes) : 0;
				waiting -= e->site->kind == PROBE_LEAVE ? (uint64_t)__builtin_popcount(e->lanes) : 0;
			}
			assert_true(n > 0);
			if (n < CAPACITY && (ended != all || waiting))
				fail_msg("%s %s, block %u warp %u: lanes %08x ended of %08x; %d are left waiting",
					s->name, s->kernel->name, (unsigned)block, warp, ended, all, (int)waiting);
		}
	}
}

static bool is_recorded_now(const struct probe_site *site)
{
	int op = site->code->instrs[site->instr].form->op;
	if (strstr(site->code->instrs[site->instr].form->spelling, "::cluster")) /* which the machine does not report */
		return false;
	return op != PTX_OP_CP_ASYNC_CA && op != PTX_OP_CP_ASYNC_CG; /* which the machine reports in parts, and later */
}

/* Generic addresses, and those of a cluster, are reported as what they resolve to, and variables may have moved: then
 * by the same distance at all times. */
static void compare_access(
	struct subject *s, const struct warp_access *access, const struct probe_event *e, uint64_t *moved)
{
	static const enum access_op ops[] = {
		[ACCESS_LOAD] = ACCESS_LOAD, [ACCESS_STORE] = ACCESS_STORE, [ACCESS_ATOMIC] = ACCESS_ATOMIC};
	const struct probe_site *site = e->site;
	const char *spelling = site->code->instrs[site->instr].form->spelling;
	bool shares = site->space == SPACE_GENERIC || strstr(spelling, "::cluster") ||
		(site->space == SPACE_GLOBAL && strstr(buf_str(&s->woven), "_shared;"));
	uint64_t distance = e->address[__builtin_ctz(e->lanes)] - access->address[__builtin_ctz(access->active)];
	if (*moved == UINT64_MAX)
		*moved = distance;
	if (e->lanes != access->active)
		fail_msg("%s %s line %d: lanes %08x, the machine says %08x", s->name, s->kernel->name,
			site->place.ptx_line, e->lanes, access->active);
	assert_int_equal(site->op, ops[access->op]);
	assert_int_equal(site->width, access->width);
	if (distance != *moved || (distance && !shares))
		fail_msg("%s %s line %d: an address is moved by %llx", s->name, s->kernel->name, site->place.ptx_line,
			(unsigned long long)distance);
	for (int i = 0; i < 32; i++)
		if (e->address[i] != (e->lanes >> i & 1 ? access->address[i] + distance : 0))
			fail_msg("%s %s line %d lane %d: address %llx, the machine says %llx", s->name, s->kernel->name,
				site->place.ptx_line, i, (unsigned long long)e->address[i],
				(unsigned long long)access->address[i]);
}

static size_t compare_accesses(struct subject *s, const struct probe *probe, const struct probe_log *log)
{
	size_t compared = 0, i = 0;
	uint64_t *moved = base_malloc(((size_t)probe->n_sites + 1) * sizeof *moved);
	memset(moved, 0xFF, ((size_t)probe->n_sites + 1) * sizeof *moved);
	for (uint64_t block = 0; block < volume(s->launch.grid); block++) {
		for (uint32_t warp = 0; warp < warps_of(s); warp++) {
			size_t next = 0;
			for (; i < log->n && log->events[i].block == block && log->events[i].warp == warp; i++) {
				const struct probe_event *e = &log->events[i];
				if (!is_recorded_now(e->site))
					continue;
				/* accesses without a site are of .param, of copies under way and matrices */
				for (;; next++) {
					if (next == s->n_seen)
						fail_msg("%s %s line %d: the machine knows no such access", s->name,
							s->kernel->name, e->site->place.ptx_line);
					const struct seen *seen = &s->seen[next];
					bool of_warp = seen->accesses && seen->block == block && seen->warp == warp;
					if (of_warp && is_at(s, e->site, seen->instr))
						break;
					for (int k = 0; of_warp && k < probe->n_sites; k++)
						if (is_at(s, &probe->sites[k], seen->instr) &&
							is_recorded_now(&probe->sites[k]))
							fail_msg(
								"%s %s line %d: the access before that of line %d is not in the log",
								s->name, s->kernel->name,
								probe->sites[k].place.ptx_line,
								e->site->place.ptx_line);
				}
				compare_access(s, &s->seen[next++].access, e, &moved[e->site - probe->sites]);
				compared++;
			}
		}
	}
	free(moved);
	return compared;
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

struct tally {
	int kernels, endless;
	size_t events, accesses;
};

static const struct ptx_form *form_of(const struct subject *s, int instr)
{
	const struct ptx_part *part = ptx_part_of(s->kernel, instr);
	return part->code->instrs[instr - part->first].form;
}

static bool ends(const struct subject *s, int instr)
{
	int op = form_of(s, instr)->op;
	return op == PTX_OP_RET || op == PTX_OP_EXIT;
}

/* The lines of PTX that instructions are in, of some or of each, but for those where threads end. */
static int *all_lines(struct subject *s, int each, int *n)
{
	int *lines = arena_array(s->arena, int, (size_t)s->kernel->n_linked + 1);
	*n = 0;
	for (int i = 0; i < s->kernel->n_linked; i += each)
		if (!ends(s, i))
			lines[(*n)++] = ptx_instr_location(s->kernel, i).ptx_line;
	return lines;
}

static bool polls_a_barrier(const struct subject *s)
{
	for (int i = 0; i < s->kernel->n_linked; i++)
		if (instr_kind(form_of(s, i)) == PTX_KIND_MBARRIER_WAIT)
			return true;
	return false;
}

/* Kernels whose lanes or warps try until they may, or are in calls at different depths: how often, and in which order,
 * is a matter of time, which probes take. What they compute is compared, what they did is not. */
static bool takes_its_time(const struct subject *s)
{
	static const char *const names[] = {
		"call-recursion", "lock.ptx", "locks.ptx", "two-spins", "lock_", "_lock", "/groups", "message_"};
	if (polls_a_barrier(s) || (strstr(s->name, "defects/") && simt_synchronizes(s->kernel)))
		return true;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strstr(s->name, names[i]) || strstr(s->kernel->name, names[i]))
			return true;
	return false;
}

static void check_subject(struct subject *s, struct tally *tally)
{
	struct simt_listener listener = {.ctx = s, .step = on_step, .access = on_access, .print = on_print};
	struct probe_request stamps, accesses;
	struct probe *probe;
	struct probe_log log;

	run(s, s->kernel, &listener);
	if (s->result.outcome != SIMT_OK || s->too_much)
		return;
	stamps = everything(s, PROBE_STAMPS);
	stamps.lines = all_lines(s, 7, &stamps.n_lines);
	if (!run_probed(s, &stamps, &probe, &log)) {
		tally->endless++;
		print_message("# %s %s polls\n", s->name, s->kernel->name);
		return;
	}
	if (!takes_its_time(s))
		compare_stamps(s, probe, &log);
	check_lives(s, &log);
	tally->events += log.n;
	accesses = everything(s, PROBE_ACCESSES);
	accesses.lines = all_lines(s, 1, &accesses.n_lines);
	if (!run_probed(s, &accesses, &probe, &log))
		tally->endless++;
	else
		tally->accesses += takes_its_time(s) ? 0 : compare_accesses(s, probe, &log);
	tally->kernels++;
}

/* Clocks, and addresses of what malloc gives. */
static bool must_differ(const struct subject *s)
{
	return strstr(buf_str(&s->text), "%clock") || strstr(buf_str(&s->text), "%globaltimer") ||
		strstr(buf_str(&s->text), "malloc");
}

static void check_file(const char *path, struct tally *tally)
{
	struct subject s;
	open_subject(&s, path);
	if (!must_differ(&s) && launch_of_fixture(&s))
		check_subject(&s, tally);
	else if (!must_differ(&s) && s.module && !strstr(buf_str(&s.text), "// launch: grid")) {
		int n = ptx_kernel_count(s.module);
		for (int i = 0; i < n; i++) {
			close_subject(&s);
			open_subject(&s, path);
			if (launch_of_entry(&s, i))
				check_subject(&s, tally);
		}
	}
	close_subject(&s);
}

static void check_files(const char *pattern, struct tally *tally)
{
	const char *top = getenv("top_srcdir");
	char whole[4096];
	glob_t found;
	snprintf(whole, sizeof whole, "%s/%s", top ? top : ".", pattern);
	assert_int_equal(glob(whole, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		check_file(found.gl_pathv[i], tally);
	globfree(&found);
	print_message("# %s: %d kernels, %zu events, %zu accesses\n", pattern, tally->kernels, tally->events,
		tally->accesses);
}

static void fixtures(void **state)
{
	struct tally tally = {0};
	(void)state;
	check_files("tests/ptx/*.ptx", &tally);
	assert_true(tally.kernels >= 130 && tally.endless * 20 <= tally.kernels && tally.events > 1000 &&
		tally.accesses > 1000);
}

static void compiled(void **state)
{
	struct tally tally = {0};
	(void)state;
	check_files("tests/ptx/corpus/*.ptx", &tally);
	check_files("tests/run/*.ptx", &tally);
	check_files("kernels/*.ptx", &tally);
	assert_true(tally.kernels >= 10 && tally.events > 1000 && tally.accesses > 1000);
}

static void labeled(void **state)
{
	struct tally tally = {0};
	(void)state;
	check_files("tests/defects/*.ptx", &tally);
	assert_true(tally.kernels >= 90 && tally.endless * 20 <= tally.kernels);
}

/* --- odd texts, few blocks, little room, broken buffers ----------------------------------------------------------- */

static void open_text(struct subject *s, const char *name, const char *text)
{
	memset(s, 0, sizeof *s);
	s->arena = arena_new();
	s->name = name;
	s->launch = (struct launch){.grid = {1, 1, 1}, .block = {32, 1, 1}, .args = s->args};
	buf_puts(&s->text, text);
	s->module = ptx_parse(s->arena, name, text, strlen(text), &s->diag);
	s->kernel = s->module ? ptx_find_kernel(s->module, "k", &s->diag) : NULL;
	if (!s->kernel)
		fail_msg("%s: %s", name, s->diag.entries[0].message);
}

#define HEAD ".version 6.0\n.target sm_70\n.address_size 64\n"

static const struct {
	const char *name, *text;
	int sites;
} odd[] = {
	{"no list of parameters, nothing in the body", HEAD ".entry k { }", 2},
	{"an empty list", HEAD ".entry k () .maxntid 32 .pragma \"x{\"; {ret;}", 2},
	{"comments and strings",
		HEAD "/* .entry no ( { */ .visible .entry k( /* ) */ ) // {\n"
		     "{ .pragma \"a;}\"; bar.sync /* ; */ 0 ; /* } */ ret /* ; */ ; }",
		4},
	{"our own names",
		HEAD
		".entry k(.param .u64 probe1_x) { .reg .pred %probe7_watched; .reg .b32 %probe012_a; "
		"mov.u32 %probe012_a, %tid.x; setp.eq.u32 %probe7_watched, %probe012_a, 3; @%probe7_watched exit; ret; }",
		3},
	{"a loop at the first instruction",
		HEAD ".entry k { .reg .pred %p; .reg .b32 %r; L: add.u32 %r, %r, 1; bar.sync 0; "
		     "setp.lt.u32 %p, %r, 3; @%p bra L; }",
		4},
	{"a branch to the end",
		HEAD ".entry k { .reg .pred %p; .reg .b32 %r; mov.u32 %r, %laneid; setp.lt.u32 %p, %r, 9; "
		     "@%p bra E; ret; E: }",
		4},
	{"lanes that end before a barrier",
		HEAD
		".entry k { .reg .pred %p; .reg .b32 %r; mov.u32 %r, %laneid; "
		"setp.lt.u32 %p, %r, 9; @%p bra E; bar.sync 0; setp.gt.u32 %p, %r, 20; @!%p bra F; bra E; F: bar.sync 0; E: ret; }",
		8},
	{"a barrier that changes its guard",
		HEAD ".entry k { .reg .pred %p, %q; setp.eq.u32 %p, 0, 0; setp.eq.u32 %q, 0, 1; "
		     "@%p bar.red.and.pred %p, 0, %q; ret; }",
		4},
	{"scopes that hide names",
		HEAD
		".entry k { .reg .pred %p; .reg .b32 %r; mov.u32 %r, %laneid; setp.lt.u32 %p, %r, 4; "
		"{ .reg .pred %p; .reg .b32 %r; mov.u32 %r, %laneid; setp.lt.u32 %p, %r, 8; @!%p exit; } @!%p exit; exit; }",
		4},
	{"functions, declared before",
		HEAD
		".func f ();\n.func (.reg .b32 r) g (.reg .b32 a) { add.u32 r, a, 1; bar.sync 0; ret; }\n"
		".entry k { .reg .b32 %r; call f, (); call (%r), g, (3); ret; }\n.func f () { .reg .pred %p; .reg .b32 %r; "
		"mov.u32 %r, %laneid; setp.gt.u32 %p, %r, 20; @%p exit; }\n.entry other(.param .u32 n) { ret; }",
		7},
};

static void odd_texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		struct subject s;
		struct probe *probe;
		struct probe_log log;
		open_text(&s, odd[i].name, odd[i].text);
		for (int k = 0; k < ptx_param_count(s.kernel); k++)
			add_arg(&s, "u32[4]");
		run(&s, s.kernel, NULL);
		struct probe_request request = everything(&s, PROBE_STAMPS);
		assert_true(run_probed(&s, &request, &probe, &log));
		check_lives(&s, &log);
		if (probe->n_sites != odd[i].sites)
			fail_msg("%s: %d sites", odd[i].name, probe->n_sites);
		close_subject(&s);
	}
}

static const char loop[] = HEAD
	".entry k(.param .u64 out) { .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %rd<3>;\n"
	"ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd1, %rd1, %rd2;\n"
	"L: add.u32 %r2, %r2, 1;\nst.global.u32 [%rd1+4], %r2;\nsetp.lt.u32 %p, %r2, 10;\n@%p bra L;\nret; }\n";

static void open_loop(struct subject *s)
{
	open_text(s, "loop", loop);
	s->launch.grid[0] = 3;
	s->launch.grid[1] = 2;
	s->launch.block[0] = 96;
	add_arg(s, "u32[128]");
	run(s, s->kernel, NULL);
}

static void few_blocks_and_little_room(void **state)
{
	struct subject s;
	struct probe *probe;
	struct probe_log log;
	int store = 10;
	struct probe_request request = {.what = PROBE_ACCESSES,
		.lines = &store,
		.n_lines = 1,
		.first_block = 2,
		.n_blocks = 3,
		.first_warp = 1,
		.n_warps = 2,
		.capacity = 7};
	(void)state;
	open_loop(&s);
	assert_true(run_probed(&s, &request, &probe, &log));
	assert_int_equal(probe->n_sites, 1);
	assert_int_equal(probe->bytes, 6 * (16 + 7 * 288));
	assert_int_equal(log.n, 6 * 7);
	assert_int_equal(log.lost, 6 * 3);
	assert_int_equal(log.warps_lost, 6);
	for (size_t i = 0; i < log.n; i++) {
		assert_int_equal(log.events[i].block, 2 + i / 14);
		assert_int_equal(log.events[i].warp, 1 + i / 7 % 2);
		assert_int_equal(log.events[i].address[5] - log.events[i].address[0], 20);
	}
	request.n_warps = 40; /* more than there are: their parts stay empty */
	assert_true(run_probed(&s, &request, &probe, &log));
	assert_int_equal(log.n, 6 * 7);
	close_subject(&s);
}

static void refused(void **state)
{
	struct subject s;
	int line = 9;
	struct probe_request good = {
		.what = PROBE_ACCESSES, .lines = &line, .n_lines = 1, .n_blocks = 1, .n_warps = 1, .capacity = 1};
	struct probe_request bad[] = {good, good, good, good, good, good};
	(void)state;
	open_loop(&s);
	bad[0].n_lines = 0;
	bad[1].n_blocks = 0;
	bad[2].n_warps = 0;
	bad[3].capacity = 0;
	bad[4].n_blocks = UINT64_MAX;
	bad[5].capacity = UINT32_MAX;
	assert_non_null(probe_write(s.arena, s.module, &good, &s.woven, &s.diag));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_null(probe_write(s.arena, s.module, &bad[i], &s.woven, &s.diag));
		assert_int_equal(s.diag.errors, i + 1);
	}
	close_subject(&s);
}

/* Whatever the bytes are, reading ends, and says what is wrong or gives events that can be. */
static void broken_buffers(void **state)
{
	struct subject s;
	struct probe *probe;
	struct probe_log log;
	(void)state;
	open_loop(&s);
	struct probe_request request = everything(&s, PROBE_STAMPS);
	assert_true(run_probed(&s, &request, &probe, &log));
	uint8_t *bytes = arena_alloc(s.arena, probe->bytes + 1);
	assert_true(probe_read(s.arena, probe, (struct probe_bytes){bytes, probe->bytes}, &log, &s.diag) && !log.n);
	assert_false(probe_read(s.arena, probe, (struct probe_bytes){bytes, probe->bytes + 1}, &log, &s.diag));
	const struct {
		size_t at;
		uint8_t value;
		const char *says;
	} faults[] = {
		{4, 1, "not a count"},
		{0, 1, "begun and not written"},
		{16 + 16, 200, "no such site"},
		{16 + 16, 1, "no lane"},
	};
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		bytes[faults[i].at] = faults[i].value;
		assert_false(probe_read(s.arena, probe, (struct probe_bytes){bytes, probe->bytes}, &log, &s.diag));
		assert_non_null(strstr(s.diag.entries[s.diag.count - 1].message, faults[i].says));
		bytes[4] = 0;
	}
	for (uint32_t seed = 1, round = 0; round < 300; round++) {
		for (size_t i = 0; i < probe->bytes; i++)
			bytes[i] = (seed = seed * 1664525 + 1013904223) >> 24 < round ? (uint8_t)(seed >> 16) : 0;
		probe_read(s.arena, probe, (struct probe_bytes){bytes, probe->bytes}, &log, &s.diag);
		for (size_t i = 0; i < log.n; i++)
			assert_true(log.events[i].lanes && log.events[i].site >= probe->sites &&
				log.events[i].site < probe->sites + probe->n_sites);
	}
	close_subject(&s);
}

static int line_in(const struct ptx_location *place, const char *file)
{
	bool same = place->file && file && !strcmp(place->file, file);
	return !file ? place->ptx_line : same && place->line ? place->line : 77777;
}

static int check_lines_of(const char *path)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct buf text = {0}, written = {0};
	assert_true(file_read(path, (size_t)16 << 20, &text, &diag));
	struct ptx_module *a = ptx_parse(arena, path, buf_str(&text), text.len, &diag);
	const char *file = a && a->n_files ? a->files[0].name : NULL;
	int checked = a && probe_lines_write(arena, a, &(struct probe_lines_request){file, 77777}, &written, &diag);
	struct ptx_module *b = checked ? ptx_parse(arena, "lines", buf_str(&written), written.len, &diag) : NULL;
	for (int k = 0; checked && k < a->n_kernels; k++) {
		assert_non_null(b);
		assert_int_equal(a->kernels[k]->n_instrs, b->kernels[k]->n_instrs);
		for (int i = 0; i < a->kernels[k]->n_instrs; i++) {
			struct ptx_location was = ptx_location_of(a, &a->kernels[k]->instrs[i]),
					    is = ptx_location_of(b, &b->kernels[k]->instrs[i]);
			assert_int_equal(a->kernels[k]->instrs[i].form->op, b->kernels[k]->instrs[i].form->op);
			assert_string_equal(is.file, "lines");
			assert_int_equal(is.line, line_in(&was, file));
		}
	}
	buf_free(&text);
	buf_free(&written);
	diag_free(&diag);
	arena_free(arena);
	return checked;
}

/* With their lines written out, modules are what they were, but that every instruction says its own line. */
static void lines_are_written_out(void **state)
{
	const char *const patterns[] = {"kernels/*.ptx", "tests/run/*.ptx", "tests/defects/*.ptx", "tests/ptx/*.ptx"};
	(void)state;
	int modules = 0;
	for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
		char pattern[4096];
		glob_t found;
		snprintf(pattern, sizeof pattern, "%s/%s", getenv("top_srcdir"), patterns[p]);
		assert_int_equal(glob(pattern, 0, NULL, &found), 0);
		for (size_t f = 0; f < found.gl_pathc; f++)
			modules += check_lines_of(found.gl_pathv[f]);
		globfree(&found);
	}
	assert_true(modules > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixtures),
		cmocka_unit_test(compiled),
		cmocka_unit_test(labeled),
		cmocka_unit_test(odd_texts),
		cmocka_unit_test(few_blocks_and_little_room),
		cmocka_unit_test(refused),
		cmocka_unit_test(broken_buffers),
		cmocka_unit_test(lines_are_written_out),
	};
	return cmocka_run_group_tests_name("probe", tests, NULL, NULL);
}
