#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cmd/cmd.h"
#include "front/debug/keys.h"
#include "front/screen/script.h"
#include "front/tutor/keys.h"
#include "front/tutor/settings.h"
#include "front/view/view.h"
#include "gpu/wire/wire.h"
#include "model/hardware/schedule.h"

#define WIDTH 78

static void put_wrapped(struct buf *out, const char *text, int indent)
{
	size_t len = strlen(text), next;
	for (; len > 0; text += next, len -= next) {
		size_t line = wrap_line(text, len, WIDTH - indent, WRAP_AT_BLANKS, &next);
		if (line)
			buf_pad(out, ' ', indent);
		buf_append(out, text, line);
		buf_putc(out, '\n');
	}
}

#define HELP_COLUMN 29 /* of what an option does */
#define SHORT_LINES 2  /* of that, before only its first clause is shown */

static int count_lines(const char *text, int cols)
{
	size_t len = strlen(text), next;
	int n = 0;
	for (; len > 0; text += next, len -= next, n++)
		wrap_line(text, len, cols, WRAP_AT_BLANKS, &next);
	return n;
}

/* Of a text its first clause or sentence. */
static size_t first_clause(const char *text)
{
	for (const char *at = text; *at; at++)
		if ((*at == ';' || (*at == '.' && at - text > 3)) && at[1] == ' ')
			return (size_t)(at - text);
	return strlen(text);
}

enum option_length { WHOLE, SHORT };

static void option_row(const struct cmd_option *option, enum option_length length, struct buf *out)
{
	const char *text = text_translate(option->help);
	struct buf row = {0}, help = {0};
	if (option->letter)
		buf_printf(&row, "-%c, ", option->letter);
	buf_printf(&row, "--%s%s%s", option->name, option->arg ? " " : "", option->arg ? option->arg : "");
	buf_append(&help, text,
		length == SHORT && count_lines(text, WIDTH - HELP_COLUMN) > SHORT_LINES ? first_clause(text)
											: strlen(text));

	size_t len = help.len, next;
	buf_printf(out, "  %-26s ", buf_str(&row));
	for (const char *at = buf_str(&help); len > 0; at += next, len -= next) {
		size_t line = wrap_line(at, len, WIDTH - HELP_COLUMN, WRAP_AT_BLANKS, &next);
		buf_append(out, at, line);
		buf_putc(out, '\n');
		if (len > next)
			buf_pad(out, ' ', HELP_COLUMN);
	}
	buf_free(&row);
	buf_free(&help);
}

static void option_rows(const struct cmd_option *options, struct buf *out)
{
	for (; options && options->name; options++)
		option_row(options, WHOLE, out);
}

static bool is_named(const char *names, const char *name)
{
	size_t len = strlen(name);
	for (const char *at = names; at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
		if (strncmp(at, name, len) == 0 && (at[len] == ' ' || !at[len]))
			return true;
	return false;
}

static void put_global_names(struct buf *out)
{
	buf_puts(out, _("Options of every command:"));
	for (const struct cmd_option *o = cmd_global_options; o->name; o++)
		buf_printf(out, "%s --%s", o == cmd_global_options ? "" : ",", o->name);
	buf_puts(out, ".");
}

/* Three screens at most: examples, and what is not rare. */
static void help_by_examples(const struct cmd_entry *entry, struct buf *out)
{
	put_wrapped(out, text_translate(entry->summary), 0);
	for (const struct cmd_example *e = entry->examples; e && e->line; e++) {
		buf_printf(out, "  simttutor %s\n", e->line);
		const char *text = e->prints; /* as much of it as fits */
		size_t next, len = strlen(text), fits = wrap_line(text, len, WIDTH - 6 - 4, WRAP_AT_BLANKS, &next);
		buf_pad(out, ' ', 6);
		if (utf8_columns(text) <= WIDTH - 6)
			buf_printf(out, "%s\n", text);
		else
			buf_printf(out, "%.*s ...\n", (int)fits, text);
	}
	buf_putc(out, '\n');

	/* The synopsis up to its first option. */
	const char *option = strstr(entry->usage, "--"), *at = option;
	while (at && at > entry->usage && at[-1] != ' ')
		at--;
	int len = at ? (int)(at - entry->usage) : (int)strlen(entry->usage);
	buf_printf(out, _("usage: simttutor %s %.*s%s"), entry->name, len, entry->usage, at ? _("[OPTION]...") : "");
	buf_putc(out, '\n');

	/* Those that are not rare, by what they are for. */
	int rare = 0;
	if (entry->groups) {
		for (const struct cmd_option *o = entry->options; o->name; o++)
			rare++;
		for (const struct cmd_group *group = entry->groups; group->title; group++) {
			buf_printf(out, "\n%s:\n", text_translate(group->title));
			for (const struct cmd_option *o = entry->options; o->name; o++)
				if (is_named(group->options, o->name)) {
					option_row(o, SHORT, out);
					rare--;
				}
		}
	}
	if (entry->verbatim)
		buf_printf(out, "\n%s\n%s", _("options:"), entry->verbatim());
	struct buf more = {0};
	put_global_names(&more);
	buf_puts(&more, " ");
	if (rare)
		buf_printf(&more,
			text_plural("%d more option, and all details: simttutor(1).",
				"%d more options, and all details: simttutor(1).", (unsigned long)rare),
			rare);
	else
		buf_puts(&more, _("All details: simttutor(1)."));
	buf_putc(out, '\n');
	put_wrapped(out, buf_str(&more), 0);
	buf_free(&more);
}

void cmd_help_one(const struct cmd_entry *entry, struct buf *out)
{
	if (entry->examples || entry->groups) {
		help_by_examples(entry, out);
		return;
	}
	buf_printf(out, _("usage: simttutor %s%s%s"), entry->name, *entry->usage ? " " : "", entry->usage);
	buf_puts(out, "\n\n");
	put_wrapped(out, text_translate(entry->summary), 2);
	if (*entry->details) {
		buf_putc(out, '\n');
		put_wrapped(out, text_translate(entry->details), 2);
	}
	buf_printf(out, "\n%s\n", _("options:"));
	if (entry->verbatim) {
		buf_puts(out, entry->verbatim());
		return;
	}
	option_rows(entry->options, out);
	struct buf names = {0};
	put_global_names(&names);
	buf_putc(out, '\n');
	put_wrapped(out, buf_str(&names), 0);
	buf_free(&names);
}

void cmd_help_all(struct buf *out)
{
	buf_printf(out, "%s\n\n%s\n\n%s\n", _("usage: simttutor [--gpu SPEC] [--theme NAME] [COMMAND [ARGUMENTS]]"),
		_("Shows what a GPU's warps really do. Without a command: the lessons."), _("commands:"));
	for (int i = 0; cmd_table[i]; i++)
		buf_printf(out, "  %-10s %s\n", cmd_table[i]->name, text_translate(cmd_table[i]->summary));
	buf_printf(out, "\n%s\n", _("options of every command:"));
	option_rows(cmd_global_options, out);
	buf_printf(out, "  %-26s %s\n\n%s\n", "--version", _("print the version"),
		_("See also `simttutor help COMMAND` and simttutor(1)."));
}

static int run_help(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static const struct cmd_option help_options[] = {
	{"man", 0, "SECTION",
		N_("print a section of a man page (mdoc): commands, keys, settings, views, phases, latencies or errors")},
	{0},
};

const struct cmd_entry cmd_help_entry = {
	.name = "help",
	.usage = "[COMMAND | --man SECTION]",
	.summary = N_("show how to use the program or a command"),
	.details = "",
	.options = help_options,
	.run = run_help,
};

static int run_help(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct buf text = {0};
	int status = EXIT_OK;
	if (n > 1) {
		status = cmd_usage(ctx, &cmd_help_entry, "one command at a time");
	} else if (n == 0) {
		cmd_help_all(&text);
	} else if (cmd_is(&args[0], "man")) {
		if (!cmd_help_man(args[0].value, &text))
			status = cmd_usage(ctx, &cmd_help_entry, "there is no section '%s'", args[0].value);
	} else {
		int i = 0;
		while (cmd_table[i] && strcmp(cmd_table[i]->name, args[0].value) != 0)
			i++;
		if (cmd_table[i])
			cmd_help_one(cmd_table[i], &text);
		else
			status = cmd_usage(ctx, &cmd_help_entry, "there is no command '%s'", args[0].value);
	}
	if (status == EXIT_OK && !cmd_print(ctx, &text))
		status = EXIT_FAILED;
	buf_free(&text);
	return status;
}

/* --- the manual page ---------------------------------------------------------------------------------------------- */

/* Text as mdoc: a backslash and a leading dot or quote would be requests. A newline starts a paragraph, a new sentence
 * a line of its own. */
static void mdoc_text(struct buf *out, const char *text)
{
	if (*text == '.' || *text == '\'')
		buf_puts(out, "\\&");
	for (; *text; text++) {
		bool ends = (*text == '.' || *text == '?') && text[1] == ' ' && text[2] >= 'A' && text[2] <= 'Z';
		if (ends) {
			buf_printf(out, "%c\n", *text);
			text++;
		} else if (*text == '\\')
			buf_puts(out, "\\e");
		else if (*text == '-')
			buf_puts(out, "\\-");
		else if (*text == '\n')
			buf_puts(out, "\n.Pp\n");
		else
			buf_putc(out, *text);
	}
	buf_putc(out, '\n');
}

/* Lines as they are; what roff would take for a dash of its own is a minus. */
static void mdoc_literal(const char *text, struct buf *out)
{
	for (; *text; text++) {
		if (*text == '-' || *text == '\\')
			buf_putc(out, '\\');
		buf_putc(out, *text == '\\' ? 'e' : *text);
	}
}

/* A macro argument: quoted, so that it may hold blanks, and no punctuation, which macros would set apart. */
static void mdoc_quoted(struct buf *out, const char *text)
{
	buf_puts(out, "\"\\&");
	for (; *text; text++) {
		if (*text == '"')
			buf_puts(out, "\\(dq");
		else if (*text == '\\')
			buf_puts(out, "\\e");
		else if (*text == '-')
			buf_puts(out, "\\-");
		else
			buf_putc(out, *text);
	}
	buf_putc(out, '"');
}

static void mdoc_options(const struct cmd_option *options, struct buf *out)
{
	if (!options || !options->name)
		return;
	buf_puts(out, ".Bl -tag -width Ds -compact\n");
	for (; options->name; options++) {
		buf_puts(out, ".It");
		if (options->letter)
			buf_printf(out, " Fl %c ,", options->letter);
		buf_printf(out, " Fl \\-%s", options->name);
		if (options->arg)
			buf_printf(out, " Ar %s", options->arg);
		buf_putc(out, '\n');
		mdoc_text(out, options->help);
	}
	buf_puts(out, ".El\n");
}

static void man_commands(struct buf *out)
{
	for (int i = 0; cmd_table[i]; i++) {
		const struct cmd_entry *entry = cmd_table[i];
		buf_printf(out, ".Ss simttutor %s\n", entry->name);
		if (*entry->usage) {
			buf_puts(out, ".D1 ");
			mdoc_quoted(out, entry->usage);
			buf_puts(out, "\n.Pp\n");
		}
		mdoc_text(out, entry->summary);
		if (*entry->details) {
			buf_puts(out, ".Pp\n");
			mdoc_text(out, entry->details);
		}
		mdoc_options(entry->options, out);

		if (entry->examples) {
			buf_puts(out, ".Pp\nExamples, each with a line of what it prints:\n.Bd -literal -compact\n");
			for (const struct cmd_example *e = entry->examples; e->line; e++) {
				mdoc_literal("simttutor ", out);
				mdoc_literal(e->line, out);
				mdoc_literal("\n    ", out);
				mdoc_literal(e->prints, out);
				mdoc_literal("\n", out);
			}
			buf_puts(out, ".Ed\n");
		}

		if (entry->verbatim) {
			buf_puts(out, ".Bd -literal -compact\n");
			mdoc_literal(entry->verbatim(), out);
			buf_puts(out, ".Ed\n");
		}
	}
	buf_puts(out, ".Ss Options of every command\n");
	mdoc_options(cmd_global_options, out);
}

static void man_key(const char *name, const char *help, struct buf *out)
{
	buf_puts(out, ".It Ic ");
	mdoc_quoted(out, name);
	buf_putc(out, '\n');
	mdoc_text(out, help);
}

static void man_settings(struct buf *out)
{
	buf_puts(out, ".Bl -tag -width \"linear\" -compact\n");
	for (int i = 0; i < SETTINGS; i++) {
		const struct tutor_setting_row *row = &tutor_setting_table[i];
		struct buf text = {0};
		buf_printf(&text, "%s: %s%s; %s.", row->meaning, row->values,
			row->free ? ", or any other value of the option" : "", row->standard);
		if (*row->when)
			buf_printf(&text, " It counts %s.", row->when);
		buf_printf(out, ".It Ic %s\n", row->name);
		mdoc_text(out, buf_str(&text));
		buf_free(&text);
	}
	buf_puts(out, ".El\n");
}

static void man_keys(struct buf *out)
{
	static const char *const heading[] = {"Anywhere", "List of lessons", "Lesson", "A kernel of yours",
		"Playground, which has those of a kernel of yours, too", "Playground, while an expression is typed",
		"Playground, while a kernel is typed", "Presentation", "Pointing"};
	for (int mode = KEYS_ANY; mode <= KEYS_POINTING; mode++) {
		buf_printf(out, ".Ss %s\n.Bl -tag -width \"Enter\" -compact\n", heading[mode]);
		for (int i = 0; i < tutor_key_count; i++) {
			if ((int)tutor_keys[i].mode == mode)
				man_key(key_string(tutor_keys[i].key).text, tutor_actions[tutor_keys[i].action].help,
					out);
		}
		buf_puts(out, ".El\n");
	}

	buf_puts(out, ".Ss Debugger\n.Bl -tag -width \"Enter\" -compact\n");
	for (int i = 0; i < debug_key_count; i++)
		man_key(key_string(debug_keys[i].key).text, debug_actions[debug_keys[i].action].help, out);
	buf_puts(out, ".El\n.Ss Commands of the debugger\n");
	mdoc_text(out,
		"They are typed after the colon, or given to debug with --commands. A name may be cut as long as it is "
		"no other's beginning; a short name, in parentheses, always works.");
	buf_puts(out, ".Pp\n.Bl -tag -width Ds -compact\n");
	for (int i = 0; i < debug_command_count; i++) {
		const struct debug_command_row *row = &debug_commands[i];
		struct buf name = {0};
		buf_printf(&name, "%s%s%s%s%s%s", row->name, *row->brief ? " (" : "", row->brief,
			*row->brief ? ")" : "", *row->arguments ? " " : "", row->arguments);
		man_key(buf_str(&name), row->help, out);
		buf_free(&name);
	}
	buf_puts(out, ".El\n");
}

static void man_script(struct buf *out)
{
	buf_puts(out, ".Bl -tag -width \"measured SECONDS\" -compact\n");
	for (int i = SCRIPT_ACT + 1; i < SCRIPT_KINDS; i++) {
		const struct screen_script_row *row = &screen_script_table[i];
		struct buf name = {0};
		buf_printf(&name, "%s%s%s", row->name, *row->arguments ? " " : "", row->arguments);
		man_key(buf_str(&name), row->help, out);
		buf_free(&name);
	}
	buf_puts(out, ".El\n");
}

static void man_views(struct buf *out)
{
	buf_puts(out, ".Bl -tag -width \"sectors\" -compact\n");
	for (int v = 0; v < view_count; v++) {
		buf_printf(out, ".It Cm %s\n", view_table[v].name);
		mdoc_text(out, view_table[v].meaning);
	}
	buf_puts(out, ".El\n");
}

/* What a warp does in a cycle, by its letter. */
static void man_phases(struct buf *out)
{
	buf_puts(out, ".Bl -tag -width \"#\" -compact\n");
	for (int i = 0; i < PHASES; i++) {
		buf_printf(out, ".It Li \\&%c\n", phase_table[i].letter);
		mdoc_text(out, phase_table[i].meaning);
	}
	buf_puts(out, ".El\n");
}

static void man_latencies(struct buf *out)
{
	buf_puts(out, ".Bl -tag -width Ds -compact\n");
	for (int i = 0; i < LATENCIES; i++) {
		const struct latency *l = &latency_table[i];
		buf_puts(out, ".It ");
		mdoc_quoted(out, l->name);
		buf_putc(out, '\n');
		struct buf text = {0};
		buf_printf(&text, "%u cycle%s; the pipe is taken for %u; %s", l->cycles, l->cycles == 1 ? "" : "s",
			l->interval, l->source);
		mdoc_text(out, buf_str(&text));
		buf_free(&text);
	}
	buf_puts(out, ".El\n");
}

/* The reader of the page sees commands as they are, without the quotes of a message. */
static void man_remedy(const char *where, const char *remedy, struct buf *out)
{
	struct buf text = {0};
	if (*where)
		buf_printf(&text, "%c%s: ", *where - 'a' + 'A', where + 1);
	for (; *remedy; remedy++)
		if (*remedy != '`')
			buf_putc(&text, *remedy);
	if (text.data[text.len - 1] != '.')
		buf_putc(&text, '.');
	mdoc_text(out, buf_str(&text));
	buf_free(&text);
}

static void man_errors(struct buf *out)
{
	buf_puts(out, ".Bl -tag -width Ds\n");
	for (int code = 0; code < WIRE_ERRORS; code++) {
		struct wire_remedy lines[WIRE_PLACES];
		int n = wire_error_remedies((enum wire_error_code)code, WIRE_HOST, lines);
		buf_printf(out, ".It Cm %s\n", wire_error_name((enum wire_error_code)code));
		man_remedy("", wire_error_remedy((enum wire_error_code)code), out);
		for (int i = 0; i < n; i++)
			man_remedy(wire_place_words(lines[i].place), lines[i].text, out);
	}
	buf_puts(out, ".El\n");
}

/* What is said of a function of the CUDA runtime, by the columns of its row. */
enum man_versions { MAN_ALL, MAN_CUDA12, MAN_CUDA13 };
enum man_state { MAN_DONE, MAN_CHECKED, MAN_REFUSED };

static void man_function(
	const char *name, enum man_versions versions, enum man_state state, const char *note, struct buf *out)
{
	static const char *const of[] = {"", "CUDA 12 alone. ", "CUDA 13 alone. "};
	static const char *const does[] = {
		"Emulated", "Checks its arguments; there is nothing else to do", "Refused: cudaErrorNotSupported"};
	struct buf text = {0};
	buf_printf(&text, "%s%s%s%s.", of[versions], does[state], *note ? "; " : "", note);
	buf_printf(out, ".It Fn %s\n", name);
	mdoc_text(out, buf_str(&text));
	buf_free(&text);
}

static void man_runtime(struct buf *out)
{
	const char *end = "";
#define GROUP(title)                                                                                                   \
	buf_printf(out, "%s.Ss %s\n.Bl -tag -width Ds -compact\n", end, title);                                        \
	end = ".El\n";
#define FUNCTION(name, variant, versions, state, note) man_function(#name, MAN_##versions, MAN_##state, note, out);
#include "runtime/functions.def"
#undef FUNCTION
#undef GROUP
	buf_puts(out, end);
}

/* As a manual page has it: the functions of the runtime that kernels call. */
static void man_in_kernels(struct buf *out)
{
	static const char *const does[] = {
		[MAN_DONE] = "Emulated", [MAN_REFUSED] = "Refused: a kernel that uses it cannot be launched"};
	buf_puts(out, ".Bl -tag -width Ds -compact\n");
#define IN_KERNELS(name, title, state, note)                                                                           \
	buf_printf(out, ".It %s\n", title);                                                                            \
	mdoc_text(out, arena_printf(arena, "%s. %s.", does[MAN_##state], note));
	struct arena *arena = arena_new();
#include "runtime/device.def"
#undef IN_KERNELS
	arena_free(arena);
	buf_puts(out, ".El\n");
}

/* As a manual page has it: the driver API. */
static void man_driver_function(const char *name, enum man_state state, const char *note, struct buf *out)
{
	static const char *const does[] = {
		"Emulated", "Checks its arguments; there is nothing else to do", "Refused: CUDA_ERROR_NOT_SUPPORTED"};
	struct buf text = {0};
	buf_printf(&text, "%s%s%s.", does[state], *note ? "; " : "", note);
	buf_printf(out, ".It Fn %s\n", name);
	mdoc_text(out, buf_str(&text));
	buf_free(&text);
}

static void man_driver(struct buf *out)
{
	const char *end = "";
#define GROUP(title)                                                                                                   \
	buf_printf(out, "%s.Ss Driver: %s\n.Bl -tag -width Ds -compact\n", end, title);                                \
	end = ".El\n";
#define DRIVER(name, suffix, since, variant, needs, state, by, note)                                                   \
	man_driver_function(#name #suffix, MAN_##state, note, out);
#include "runtime/driver/drivers.def"
#undef DRIVER
#undef GROUP
	buf_puts(out, end);
}

bool cmd_help_man(const char *section, struct buf *out)
{
	static const struct {
		const char *name;
		void (*print)(struct buf *out);
	} sections[] = {
		{"commands", man_commands},
		{"keys", man_keys},
		{"settings", man_settings},
		{"script", man_script},
		{"views", man_views},
		{"phases", man_phases},
		{"latencies", man_latencies},
		{"errors", man_errors},
		{"runtime", man_runtime},
		{"in-kernels", man_in_kernels},
		{"driver", man_driver},
	};
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
		if (strcmp(sections[i].name, section) == 0) {
			sections[i].print(out);
			return true;
		}
	}
	return false;
}
