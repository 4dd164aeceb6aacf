#include "config.h"
#include "cmd/cmd.h"

#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

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

static void option_rows(const struct cmd_option *options, struct buf *out)
{
	for (; options && options->name; options++) {
		struct buf name = {0};
		if (options->letter)
			buf_printf(&name, "-%c, ", options->letter);
		buf_printf(&name, "--%s%s%s", options->name, options->arg ? " " : "", options->arg ? options->arg : "");
		buf_printf(out, "  %-26s %s\n", buf_str(&name), text_translate(options->help));
		buf_free(&name);
	}
}

void cmd_help_one(const struct cmd_entry *entry, struct buf *out)
{
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
	option_rows(cmd_global_options, out);
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

static const struct cmd_option options[] = {
	{"man", 0, "SECTION",
		N_("print a section of a man page (mdoc): commands, keys, settings, views, phases, latencies or errors")},
	{0},
};

const struct cmd_entry cmd_help_entry = {
	.name = "help",
	.usage = "[COMMAND | --man SECTION]",
	.summary = N_("show how to use the program or a command"),
	.details = "",
	.options = options,
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
