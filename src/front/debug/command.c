/* The prompt's language: a line is a command's name and its words. */
#include <errno.h>
#include <stdarg.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "front/debug/keys.h"
#include "front/debug/line.h"

/* --- errors and numbers ----------------------------------------------------------------------------------------------- */

bool debug_line_fault(struct debug_line *line, int index, const char *format, ...)
{
	char message[300];
	struct diag_pos at = line->at;
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof message, text_translate(format), args);
	va_end(args);
	at.col = 1 + (int)(index < line->n ? line->offset[index] : strlen(line->text));
	diag_error(line->diag, at, "%s", message);
	return false;
}

bool debug_line_number(struct debug_line *line, int index, struct debug_range range, uint64_t *out)
{
	char *end = NULL;
	if (index >= line->n)
		return debug_line_fault(line, index, "%s is missing", range.what);
	const char *word = line->word[index];
	errno = 0;
	*out = strtoull(word, &end, 10);
	if (word[0] < '0' || word[0] > '9' || *end || errno)
		return debug_line_fault(line, index, "expected a number, the %s, not '%s'", range.what, word);
	if (*out < range.low || *out > range.high)
		return debug_line_fault(line, index, "there is no %s %" PRIu64 "; they go from %" PRIu64 " to %" PRIu64,
			range.what, *out, range.low, range.high);
	return true;
}

/* How often, 1 when it is not said. */
static bool times(struct debug_line *line, uint64_t *out)
{
	*out = 1;
	return line->n == 1 || debug_line_number(line, 1, (struct debug_range){"count", 1, UINT32_MAX}, out);
}

bool debug_line_only(struct debug_line *line, int words)
{
	return line->n <= words || debug_line_fault(line, words, "'%s' is a word too many", line->word[words]);
}

bool debug_line_choose(struct debug_line *line, const char *const *names, int n, int *out)
{
	struct buf list = {0};
	for (*out = 0; line->n == 2 && *out < n; ++*out)
		if (strcmp(names[*out], line->word[1]) == 0)
			return true;
	for (int i = 0; i < n; i++)
		buf_printf(&list, i ? ", %s" : "%s", names[i]);
	debug_line_fault(line, 1, "expected one of %s", buf_str(&list));
	buf_free(&list);
	return false;
}

/* --- running ---------------------------------------------------------------------------------------------------------- */

static bool begin_job(struct debug_line *line, enum debug_goal goal)
{
	uint64_t n;
	if (!debug_line_only(line, 2) || !times(line, &n))
		return false;
	debug_job_begin(line->debug, goal, n);
	return true;
}

static bool begin_job_back(struct debug_line *line, enum debug_goal goal)
{
	uint64_t n;
	if (!debug_line_only(line, 2) || !times(line, &n))
		return false;
	debug_job_begin_back(line->debug, goal, n);
	return true;
}

static bool debug_do_step(struct debug_line *line)
{
	return begin_job(line, GOAL_STEP);
}
static bool debug_do_next(struct debug_line *line)
{
	return begin_job(line, GOAL_LINE);
}
static bool debug_do_any(struct debug_line *line)
{
	return begin_job(line, GOAL_ANY);
}
static bool debug_do_continue(struct debug_line *line)
{
	return debug_line_only(line, 1) && begin_job(line, GOAL_BREAK);
}
static bool debug_do_finish(struct debug_line *line)
{
	return debug_line_only(line, 1) && begin_job(line, GOAL_BLOCK);
}
static bool debug_do_reverse_step(struct debug_line *line)
{
	return begin_job_back(line, GOAL_STEP);
}
static bool debug_do_reverse_next(struct debug_line *line)
{
	return begin_job_back(line, GOAL_ENTRY);
}
static bool debug_do_reverse_continue(struct debug_line *line)
{
	return debug_line_only(line, 1) && begin_job_back(line, GOAL_BREAK);
}

static bool debug_do_goto(struct debug_line *line)
{
	uint64_t step;
	if (!debug_line_only(line, 2) || !debug_line_number(line, 1, (struct debug_range){"step", 0, INT64_MAX}, &step))
		return false;
	debug_job_goto(line->debug, step);
	return true;
}

static bool debug_do_restart(struct debug_line *line)
{
	if (!debug_line_only(line, 1))
		return false;
	debug_job_goto(line->debug, 0);
	return true;
}

/* --- breakpoints ------------------------------------------------------------------------------------------------------ */

static bool read_conditions(struct debug_line *line, struct debug_break *b)
{
	const struct debug *debug = line->debug;
	const struct {
		const char *name;
		uint64_t last;
		uint32_t *out;
	} conditions[] = {{"lane", WARP_SIZE - 1, &b->lane}, {"warp", debug->extent.warps - 1, &b->warp},
		{"block", debug->extent.blocks - 1, &b->block}};
	for (int i = 2; i < line->n; i += 2) {
		uint64_t value;
		size_t c = 0;
		if (strcmp(line->word[i], "if") == 0)
			return i + 1 < line->n || debug_line_fault(line, i + 1, "which condition?");
		while (c < 3 && strcmp(conditions[c].name, line->word[i]) != 0)
			c++;
		if (c == 3)
			return debug_line_fault(line, i, "expected lane, warp, block or if, not '%s'", line->word[i]);
		if (!debug_line_number(
			    line, i + 1, (struct debug_range){conditions[c].name, 0, conditions[c].last}, &value))
			return false;
		*conditions[c].out = (uint32_t)value;
	}
	return true;
}

/* What stands after "if" is the condition. */
static bool take_if(struct debug_line *line, struct debug_break *b)
{
	struct diag diag = {0};
	for (int i = 2; i + 1 < line->n; i++) {
		if (strcmp(line->word[i], "if") != 0)
			continue;
		bool ok = debug_break_condition(line->debug, b, line->text + line->offset[i + 1], &diag) ||
			debug_line_fault(line, i + 1, "%s", diag.entries[0].message);
		diag_free(&diag);
		return ok;
	}
	return true;
}

static bool add_break(struct debug_line *line, enum debug_text text)
{
	struct debug_break b = {.text = text, .block = DEBUG_ANY, .warp = DEBUG_ANY, .lane = DEBUG_ANY};
	uint64_t wanted;
	if (!debug_line_number(line, 1, (struct debug_range){"line", 1, INT32_MAX}, &wanted) ||
		!read_conditions(line, &b))
		return false;
	b.line = debug_line_with_code(line->debug->program, text, (int)wanted);
	if (!b.line)
		return debug_line_fault(line, 1, "there is no instruction from line %" PRIu64 " on", wanted);
	if (!take_if(line, &b))
		return false;
	int n = debug_break_add(line->debug, b);
	if (!n)
		return debug_line_fault(line, 0, "there are %d breakpoints already", DEBUG_BREAKS_MAX);
	debug_say(line->debug, "Breakpoint %d at %sline %d%s", n, text == DEBUG_PTX ? "PTX " : "", b.line,
		b.line == (int)wanted ? "." : ", the next one with an instruction.");
	return true;
}

static bool debug_do_break(struct debug_line *line)
{
	return add_break(line, line->debug->program->file ? DEBUG_SOURCE : DEBUG_PTX);
}
static bool debug_do_breakptx(struct debug_line *line)
{
	return add_break(line, DEBUG_PTX);
}

static bool debug_do_delete(struct debug_line *line)
{
	uint64_t n = 0;
	if (!debug_line_only(line, 2) ||
		(line->n == 2 && !debug_line_number(line, 1, (struct debug_range){"breakpoint", 1, INT32_MAX}, &n)))
		return false;
	return debug_break_delete(line->debug, (int)n) || n == 0 ||
		debug_line_fault(line, 1, "there is no breakpoint %" PRIu64, n);
}

static bool debug_do_breaks(struct debug_line *line)
{
	struct debug *debug = line->debug;
	for (int i = 0; i < debug->breaks.n; i++) {
		debug_break_write(&debug->breaks.at[i], &debug->said.output);
		buf_putc(&debug->said.output, '\n');
	}
	if (!debug->breaks.n)
		buf_puts(&debug->said.output, "no breakpoints\n");
	return debug_line_only(line, 1);
}

/* --- what is followed ------------------------------------------------------------------------------------------------- */

static bool debug_do_warp(struct debug_line *line)
{
	uint64_t warp;
	if (!debug_line_only(line, 2) ||
		!debug_line_number(line, 1, (struct debug_range){"warp", 0, line->debug->extent.warps - 1}, &warp))
		return false;
	debug_follow(line->debug, line->debug->block, (uint32_t)warp);
	debug_look(line->debug);
	return true;
}

static bool debug_do_block(struct debug_line *line)
{
	uint64_t block;
	if (!debug_line_only(line, 2) ||
		!debug_line_number(line, 1, (struct debug_range){"block", 0, line->debug->extent.blocks - 1}, &block))
		return false;
	debug_follow(line->debug, (uint32_t)block, line->debug->warp);
	debug_look(line->debug);
	return true;
}

static bool debug_do_lane(struct debug_line *line)
{
	uint64_t lane = DEBUG_ANY;
	bool all = line->n == 2 && strcmp(line->word[1], "all") == 0;
	if (!debug_line_only(line, 2) ||
		(!all && !debug_line_number(line, 1, (struct debug_range){"lane", 0, WARP_SIZE - 1}, &lane)))
		return false;
	line->debug->lane = (uint32_t)lane;
	line->debug->wishes.lane = true;
	if (all)
		debug_say(line->debug, "Following the whole warp.");
	else
		debug_say(line->debug,
			"Following lane %" PRIu64 ": steps and lines count where it is active. `lane all` ends this.",
			lane);
	return true;
}

/* --- the rest --------------------------------------------------------------------------------------------------------- */

static bool debug_do_find(struct debug_line *line)
{
	struct debug *debug = line->debug;
	if (line->n < 2)
		return debug_line_fault(line, 1, "which word?");
	snprintf(debug->prompt.searched, sizeof debug->prompt.searched, "%s", line->text + line->offset[1]);
	return debug_cursor_find(debug, debug->prompt.searched) ||
		debug_line_fault(line, 1, "'%s' is nowhere in the %s", debug->prompt.searched,
			debug->cursor.in_ptx ? "PTX" : "source");
}

static bool debug_do_show(struct debug_line *line)
{
	int pane = DEBUG_SHOW_SCREEN;
	if (!debug_line_only(line, 2) ||
		(line->n == 2 && !debug_line_choose(line, debug_pane_names, DEBUG_PANE_COUNT, &pane)))
		return false;
	line->debug->wishes.show = (enum debug_show)pane;
	return true;
}

static bool debug_do_where(struct debug_line *line)
{
	debug_where(line->debug, &line->debug->said.output);
	return debug_line_only(line, 1);
}

static bool debug_do_help(struct debug_line *line)
{
	line->debug->wishes.help = true;
	return debug_line_only(line, 1);
}

static bool debug_do_quit(struct debug_line *line)
{
	line->debug->quit = true;
	return debug_line_only(line, 1);
}

/* --- finding the command ---------------------------------------------------------------------------------------------- */

static bool (*const doers[])(struct debug_line *line) = {
#define COMMAND(id, name, brief, arguments, help) debug_do_##id,
#include "front/debug/commands.def"
#undef COMMAND
};

static void split_words(struct debug_line *line)
{
	char *p = line->copy;
	snprintf(line->copy, sizeof line->copy, "%s", line->text);
	while (line->n < WORDS_MAX) {
		p += strspn(p, " \t\r\n");
		if (!*p)
			return;
		line->offset[line->n] = (size_t)(p - line->copy);
		line->word[line->n++] = p;
		p += strcspn(p, " \t\r\n");
		if (!*p)
			return;
		*p++ = '\0';
	}
}

/* By its name, its short name, or the beginning of one name only. -1 with an error. */
static int find_command(struct debug_line *line)
{
	const char *word = line->word[0];
	int found = -1, fits = 0;
	for (int i = 0; i < debug_command_count; i++) {
		const struct debug_command_row *row = &debug_commands[i];
		if (strcmp(row->name, word) == 0 || strcmp(row->brief, word) == 0)
			return i;
		if (strncmp(row->name, word, strlen(word)) == 0) {
			found = i;
			fits++;
		}
	}
	if (fits == 1)
		return found;
	debug_line_fault(
		line, 0, fits ? "'%s' may be several commands" : "there is no command '%s'; help lists them", word);
	return -1;
}

bool debug_command(struct debug *debug, const char *text, struct diag_pos at, struct diag *diag)
{
	struct debug_line line = {.debug = debug, .diag = diag, .at = at, .text = text};
	debug->said.notice[0] = '\0';
	if (strlen(text) >= DEBUG_PROMPT_MAX)
		return debug_line_fault(&line, 0, "a command has at most %d characters", DEBUG_PROMPT_MAX - 1);
	split_words(&line);
	if (line.n == 0 || line.word[0][0] == '#')
		return true;
	int command = find_command(&line);
	return command >= 0 && doers[command](&line);
}
