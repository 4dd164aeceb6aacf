/* Several launches in one run, and what belongs to each of them. */
#include "cmd/run.h"
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "model/profile/device.h"

/* --- reading ----------------------------------------------------------------------------------------------------------- */

static bool read_print_number(const char **at, int *out)
{
	char *end;
	unsigned long n = strtoul(*at, &end, 10);
	bool ok = isdigit((unsigned char)**at) && n < INT32_MAX;
	*out = (int)n;
	*at = end;
	return ok;
}

bool run_read_print(struct run *run, const char *value)
{
	const char *at = value;
	struct run_print print = {.member = -1};
	bool ok = read_print_number(&at, &print.argument) && print.argument < LAUNCH_ARGS_MAX;
	if (ok && *at == '.') {
		at++;
		ok = read_print_number(&at, &print.member);
	}
	if (!ok || *at)
		return cmd_bad_value(run->ctx, "--print", value, "N or N.M: an argument, and a member of it, from 0");
	if (run->n_prints == RUN_PRINTS_MAX)
		return cmd_bad_value(run->ctx, "--print", value, "at most 256 of them");
	for (int i = 0; i < run->n_prints; i++)
		if (run->prints[i].argument == print.argument && run->prints[i].member == print.member)
			return true;
	run->prints[run->n_prints++] = print;
	return true;
}

bool run_read_set(struct run *run, const char *value)
{
	if (run->n_steps)
		return cmd_bad_value(run->ctx, "--set", value, "it before the first --then: variables are set once");
	if (!run->sets)
		run->sets = arena_array(run->ctx->arena, struct launch_set, RUN_SETS_MAX);
	if (run->n_sets == RUN_SETS_MAX)
		return cmd_bad_value(run->ctx, "--set", value, "at most 256 of them");
	return launch_set_parse(run->ctx->arena, "--set", value, &run->sets[run->n_sets++], &run->ctx->diag);
}

/* Whether the member is, or points to, a buffer. */
static bool has_buffer(const struct launch_arg *arg, int member)
{
	if (member < 0)
		return arg->buffer || (!arg->is_struct && arg->n_pointers && arg->pointers[0].to == LAUNCH_TO_NAMED);
	for (int i = 0; i < arg->n_pointers; i++) {
		const struct launch_pointer *p = &arg->pointers[i];
		if (p->member == member && p->to != LAUNCH_TO_FUNCTION)
			return true;
		if (p->to == LAUNCH_TO_BUFFER && has_buffer(p->buffer, member))
			return true;
	}
	return false;
}

static bool check_prints(struct run *run)
{
	for (int i = 0; i < run->n_prints; i++) {
		int argument = run->prints[i].argument, member = run->prints[i].member;
		if (argument >= run->launch.n_args)
			cmd_usage(run->ctx, run->entry, "--print %d: there is no argument %d", argument, argument);
		else if (has_buffer(&run->args[argument], member))
			continue;
		else if (member < 0)
			cmd_usage(run->ctx, run->entry, "--print %d: argument %d is a single value, no buffer",
				argument, argument);
		else
			cmd_usage(run->ctx, run->entry, "--print %d.%d: member %d of argument %d is no buffer",
				argument, member, member, argument);
		return false;
	}
	return true;
}

bool run_keep_step(struct run *run)
{
	struct arena *arena = run->ctx->arena;
	struct run_step *before = run->n_steps ? run->steps[run->n_steps - 1] : NULL;
	if (run->n_steps == RUN_STEPS_MAX) {
		cmd_usage(run->ctx, run->entry, "at most %d launches", RUN_STEPS_MAX);
		return false;
	}
	if (!run->launch.grid[0] || !run->launch.block[0]) {
		cmd_usage(run->ctx, run->entry, "--then: --grid and --block of the launch before it come first");
		return false;
	}
	if (!check_prints(run))
		return false;
	struct run_step *step = run->steps[run->n_steps++] = arena_array(arena, struct run_step, 1);
	*step = (struct run_step){.kernel = run->kernel,
		.launch = run->launch,
		.n_prints = run->n_prints,
		.shared_given = run->shared_given};
	memcpy(step->prints, run->prints, sizeof step->prints);
	step->launch.args = arena_array(arena, struct launch_arg, (size_t)run->launch.n_args + 1);
	memcpy(step->launch.args, run->args, (size_t)run->launch.n_args * sizeof *run->args);
	step->launch.before = before ? &before->launch : NULL;
	step->launch.sets = before ? NULL : run->sets;
	step->launch.n_sets = before ? 0 : run->n_sets;
	run->launch = (struct launch){.args = run->args};
	run->n_prints = 0;
	run->shared_given = false;
	return true;
}

void run_enter(struct run *run, int index)
{
	const struct run_step *step = run->steps[index];
	run->step = index;
	run->kernel = step->kernel;
	run->launch = step->launch;
	memcpy(run->args, step->launch.args, (size_t)step->launch.n_args * sizeof *run->args);
	memcpy(run->prints, step->prints, sizeof run->prints);
	run->n_prints = step->n_prints;
	run->shared_given = step->shared_given;
}

/* --- reporting --------------------------------------------------------------------------------------------------------- */

const char *run_step_name(const struct run *run)
{
	struct arena *arena = run->ctx->arena;
	struct demangled d;
	if (run->n_steps < 2)
		return "";
	const char *name = demangle(arena, run->launch.kernel, &d) ? d.name : run->launch.kernel;
	return arena_printf(arena, "launch %d, %s: ", run->step + 1, name);
}

const struct profile_buffer *run_printed(const struct run *run, const struct run_print *print)
{
	for (int i = 0; i < run->profile->n_placed; i++) {
		const struct profile_buffer *b = &run->profile->placed[i];
		if (b->argument == print->argument && b->member == print->member)
			return b;
	}
	return NULL;
}

/* --- a command line that would run --------------------------------------------------------------------------------------- */

/* In quotes where a shell would take it for something else. */
static void write_word(const char *word, struct buf *out)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
	if (*word && strspn(word, plain) == strlen(word)) {
		buf_puts(out, word);
		return;
	}
	buf_putc(out, '\'');
	for (const char *c = word; *c; c++)
		*c == '\'' ? buf_puts(out, "'\\''") : buf_putc(out, *c);
	buf_putc(out, '\'');
}

static void write_dims(const char *option, const uint32_t dims[3], struct buf *out)
{
	int n = dims[2] > 1 ? 3 : dims[1] > 1 ? 2 : 1;
	buf_printf(out, " %s %u", option, dims[0]);
	for (int i = 1; i < n; i++)
		buf_printf(out, ",%u", dims[i]);
}

/* Those that fit are kept. */
static void write_arguments(const struct run *run, const struct ptx_kernel *kernel, struct buf *out)
{
	for (int i = 0; i < ptx_param_count(kernel); i++) {
		const struct launch_arg *arg = i < run->launch.n_args ? &run->launch.args[i] : NULL;
		struct buf example = {0};
		if (arg && profile_argument_fits(kernel, arg, i))
			buf_puts(&example, arg->text);
		else
			profile_param_example(kernel, &run->launch, i, &example);
		buf_puts(out, " --arg ");
		write_word(buf_str(&example), out);
		buf_free(&example);
	}
}

void run_suggest(struct run *run)
{
	struct diag quiet = {0};
	const struct ptx_kernel *kernel = run->launch.kernel ? ptx_find_kernel(run->module, run->launch.kernel, &quiet)
							     : NULL;
	diag_free(&quiet);
	if (!kernel || profile_arguments_fit(kernel, &run->launch, NULL))
		return;
	struct buf line = {0};
	if (run->n_steps < 2) {
		buf_printf(&line, "simttutor %s ", run->entry->name);
		write_word(run->file, &line);
	}
	if (run->kernel) {
		buf_puts(&line, run->n_steps < 2 ? " --kernel " : run->step ? "--then " : "--kernel ");
		write_word(run->kernel, &line);
	}
	write_dims("--grid", run->launch.grid, &line);
	write_dims("--block", run->launch.block, &line);
	if (run->launch.shared)
		buf_printf(&line, " --shared %u", run->launch.shared);
	write_arguments(run, kernel, &line);
	diag_note(&run->ctx->diag, (struct diag_pos){0}, "%swhat would run: %s", run_step_name(run), buf_str(&line));
	buf_free(&line);
}
