/* The prompt's language: a line is a command's name and its words. */
#include <errno.h>
#include <stdarg.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/keys.h"
#include "debug/line.h"

/* --- errors and numbers ----------------------------------------------------------------------------------------------- */

bool line_fault(struct line *line, int index, const char *format, ...)
{
	char message[300];
	struct diag_pos at = line->at;
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof message, format, args);
	va_end(args);
	at.col = 1 + (int)(index < line->n ? line->offset[index] : strlen(line->text));
	diag_error(line->diag, at, "%s", message);
	return false;
}

bool line_number(struct line *line, int index, uint64_t low, uint64_t high, const char *what, uint64_t *out)
{
	char *end = NULL;
	if (index >= line->n)
		return line_fault(line, index, "%s is missing", what);
	const char *word = line->word[index];
	errno = 0;
	*out = strtoull(word, &end, 10);
	if (word[0] < '0' || word[0] > '9' || *end || errno)
		return line_fault(line, index, "expected a number, the %s, not '%s'", what, word);
	if (*out < low || *out > high)
		return line_fault(line, index, "there is no %s %" PRIu64 "; they go from %" PRIu64 " to %" PRIu64, what,
			*out, low, high);
	return true;
}

/* How often, 1 when it is not said. */
static bool times(struct line *line, uint64_t *out)
{
	*out = 1;
	return line->n == 1 || line_number(line, 1, 1, UINT32_MAX, "count", out);
}

bool line_only(struct line *line, int words)
{
	return line->n <= words || line_fault(line, words, "'%s' is one word too many", line->word[words]);
}

bool line_choose(struct line *line, const char *const *names, int n, int *out)
{
	struct buf list = {0};
	for (*out = 0; line->n == 2 && *out < n; ++*out)
		if (strcmp(names[*out], line->word[1]) == 0)
			return true;
	for (int i = 0; i < n; i++)
		buf_printf(&list, i ? ", %s" : "%s", names[i]);
	line_fault(line, 1, "expected one of %s", buf_str(&list));
	buf_free(&list);
	return false;
}

/* --- running ---------------------------------------------------------------------------------------------------------- */

static bool begin(struct line *line, enum goal goal)
{
	uint64_t n;
	if (!line_only(line, 2) || !times(line, &n))
		return false;
	job_begin(line->debug, goal, n);
	return true;
}

static bool begin_back(struct line *line, enum goal goal)
{
	uint64_t n;
	if (!line_only(line, 2) || !times(line, &n))
		return false;
	job_begin_back(line->debug, goal, n);
	return true;
}

/* One row per function. */
/* clang-format off */
static bool do_step(struct line *line) { return begin(line, GOAL_STEP); }
static bool do_next(struct line *line) { return begin(line, GOAL_LINE); }
static bool do_any(struct line *line) { return begin(line, GOAL_ANY); }
static bool do_continue(struct line *line) { return line_only(line, 1) && begin(line, GOAL_BREAK); }
static bool do_finish(struct line *line) { return line_only(line, 1) && begin(line, GOAL_BLOCK); }
static bool do_reverse_step(struct line *line) { return begin_back(line, GOAL_STEP); }
static bool do_reverse_next(struct line *line) { return begin_back(line, GOAL_ENTRY); }
static bool do_reverse_continue(struct line *line) { return line_only(line, 1) && begin_back(line, GOAL_BREAK); }
/* clang-format on */

static bool do_goto(struct line *line)
{
	uint64_t step;
	if (!line_only(line, 2) || !line_number(line, 1, 0, INT64_MAX, "step", &step))
		return false;
	job_goto(line->debug, step);
	return true;
}

static bool do_restart(struct line *line)
{
	if (!line_only(line, 1))
		return false;
	job_goto(line->debug, 0);
	return true;
}

/* --- breakpoints ------------------------------------------------------------------------------------------------------ */

static bool read_conditions(struct line *line, struct debug_break *b)
{
	const struct debug *debug = line->debug;
	const struct {
		const char *name;
		uint64_t last;
		uint32_t *out;
	} conditions[] = {{"lane", 31, &b->lane}, {"warp", debug->extent.warps - 1, &b->warp},
		{"block", debug->extent.blocks - 1, &b->block}};
	for (int i = 2; i < line->n; i += 2) {
		uint64_t value;
		size_t c = 0;
		while (c < 3 && strcmp(conditions[c].name, line->word[i]) != 0)
			c++;
		if (c == 3)
			return line_fault(line, i, "expected lane, warp or block, not '%s'", line->word[i]);
		if (!line_number(line, i + 1, 0, conditions[c].last, conditions[c].name, &value))
			return false;
		*conditions[c].out = (uint32_t)value;
	}
	return true;
}

static bool add_break(struct line *line, enum debug_text text)
{
	struct debug_break b = {.text = text, .block = DEBUG_ANY, .warp = DEBUG_ANY, .lane = DEBUG_ANY};
	uint64_t wanted;
	if (!line_number(line, 1, 1, INT32_MAX, "line", &wanted) || !read_conditions(line, &b))
		return false;
	b.line = debug_line_with_code(line->debug->program, text, (int)wanted);
	if (!b.line)
		return line_fault(line, 1, "there is no instruction from line %" PRIu64 " on", wanted);
	int n = break_add(line->debug, b);
	if (!n)
		return line_fault(line, 0, "there are %d breakpoints already", DEBUG_BREAKS_MAX);
	say(line->debug, "Breakpoint %d at %sline %d%s", n, text == DEBUG_PTX ? "PTX " : "", b.line,
		b.line == (int)wanted ? "." : ", the next one with an instruction.");
	return true;
}

/* One row per function. */
/* clang-format off */
static bool do_break(struct line *line) { return add_break(line, line->debug->program->file ? DEBUG_SOURCE : DEBUG_PTX); }
static bool do_breakptx(struct line *line) { return add_break(line, DEBUG_PTX); }
/* clang-format on */

static bool do_delete(struct line *line)
{
	uint64_t n = 0;
	if (!line_only(line, 2) || (line->n == 2 && !line_number(line, 1, 1, INT32_MAX, "breakpoint", &n)))
		return false;
	return break_delete(line->debug, (int)n) || n == 0 || line_fault(line, 1, "there is no breakpoint %" PRIu64, n);
}

static bool do_breaks(struct line *line)
{
	struct debug *debug = line->debug;
	for (int i = 0; i < debug->breaks.n; i++) {
		break_write(&debug->breaks.at[i], &debug->said.output);
		buf_putc(&debug->said.output, '\n');
	}
	if (!debug->breaks.n)
		buf_puts(&debug->said.output, "no breakpoints\n");
	return line_only(line, 1);
}

/* --- who is followed -------------------------------------------------------------------------------------------------- */

static bool do_warp(struct line *line)
{
	uint64_t warp;
	if (!line_only(line, 2) || !line_number(line, 1, 0, line->debug->extent.warps - 1, "warp", &warp))
		return false;
	follow(line->debug, line->debug->block, (uint32_t)warp);
	session_look(line->debug);
	return true;
}

static bool do_block(struct line *line)
{
	uint64_t block;
	if (!line_only(line, 2) || !line_number(line, 1, 0, line->debug->extent.blocks - 1, "block", &block))
		return false;
	follow(line->debug, (uint32_t)block, line->debug->warp);
	session_look(line->debug);
	return true;
}

static bool do_lane(struct line *line)
{
	uint64_t lane = DEBUG_ANY;
	bool all = line->n == 2 && strcmp(line->word[1], "all") == 0;
	if (!line_only(line, 2) || (!all && !line_number(line, 1, 0, 31, "lane", &lane)))
		return false;
	line->debug->lane = (uint32_t)lane;
	line->debug->wishes.lane = true;
	if (all)
		say(line->debug, "Following the whole warp.");
	else
		say(line->debug,
			"Following lane %" PRIu64 ": steps and lines count where it is active. `lane all` ends this.",
			lane);
	return true;
}

/* --- the rest --------------------------------------------------------------------------------------------------------- */

static bool do_find(struct line *line)
{
	struct debug *debug = line->debug;
	if (line->n < 2)
		return line_fault(line, 1, "which word?");
	snprintf(debug->prompt.searched, sizeof debug->prompt.searched, "%s", line->text + line->offset[1]);
	return cursor_find(debug, debug->prompt.searched) ||
		line_fault(line, 1, "'%s' is nowhere in the %s", debug->prompt.searched,
			debug->cursor.in_ptx ? "PTX" : "source");
}

static bool do_show(struct line *line)
{
	int pane = DEBUG_SHOW_SCREEN;
	if (!line_only(line, 2) || (line->n == 2 && !line_choose(line, debug_pane_names, DEBUG_PANE_COUNT, &pane)))
		return false;
	line->debug->wishes.show = (enum debug_show)pane;
	return true;
}

static bool do_where(struct line *line)
{
	debug_where(line->debug, &line->debug->said.output);
	return line_only(line, 1);
}

static bool do_help(struct line *line)
{
	line->debug->wishes.help = true;
	return line_only(line, 1);
}

static bool do_quit(struct line *line)
{
	line->debug->quit = true;
	return line_only(line, 1);
}

/* --- finding the command ---------------------------------------------------------------------------------------------- */

static bool (*const doers[])(struct line *line) = {
#define COMMAND(id, name, brief, arguments, help) do_##id,
#include "debug/commands.def"
#undef COMMAND
};

static void split(struct line *line)
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
static int find_command(struct line *line)
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
	line_fault(line, 0, fits ? "'%s' may be several commands" : "there is no command '%s'; help lists them", word);
	return -1;
}

bool debug_command(struct debug *debug, const char *text, struct diag_pos at, struct diag *diag)
{
	struct line line = {.debug = debug, .diag = diag, .at = at, .text = text};
	debug->said.notice[0] = '\0';
	if (strlen(text) >= DEBUG_PROMPT_MAX)
		return line_fault(&line, 0, "a command has at most %d characters", DEBUG_PROMPT_MAX - 1);
	split(&line);
	if (line.n == 0 || line.word[0][0] == '#')
		return true;
	int command = find_command(&line);
	return command >= 0 && doers[command](&line);
}
