/* Completions for shells, made from the table of commands. */
#include "config.h"
#include "cmd/cmd.h"

#include <string.h>

#include "base/text.h"
#include "cmd/confined.h"
#include "front/canvas/export.h"
#include "front/view/view.h"

static int run_completion(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

const struct cmd_entry cmd_completion_entry = {
	.name = "completion",
	.usage = "bash|zsh|fish",
	.summary = N_("print completions for a shell"),
	.details = N_(
		"For bash: `simttutor completion bash >~/.local/share/bash-completion/completions/simttutor`. For zsh: into a "
		"file `_simttutor` in a folder of $fpath. For fish: `simttutor completion fish "
		">~/.config/fish/completions/simttutor.fish`."),
	.run = run_completion,
	.needs = cmd_needs_no_files,
};

/* --- what completes what ------------------------------------------------------------------------------------------ */

#define LIST_OF_LESSONS "simttutor list 2>/dev/null | sed -n 's/^ \\{0,2\\}[0-9.]*  *\\([a-z0-9-]*\\):.*/\\1/p'"

/* Values of options that are words of a table, or those that their help names one by one. */
static bool values_of(const struct cmd_option *option, struct buf *out)
{
	if (strcmp(option->name, "theme") == 0) {
#define THEME(id, name, ...) buf_puts(out, name " ");
#include "front/canvas/themes.def"
#undef THEME
		buf_puts(out, "auto");
	} else if (strcmp(option->name, "view") == 0) {
		for (int v = 0; v < view_count; v++)
			buf_printf(out, v ? " %s" : "%s", view_table[v].name);
	} else if (strcmp(option->name, "format") == 0) {
		buf_puts(out, "text ansi svg html json");
	} else if (strcmp(option->name, "gpu") == 0) {
		buf_puts(out, "none local");
	} else if (option->arg && option->arg[0] >= 'a' && strchr(option->arg, '|')) { /* "on|off" */
		for (const char *c = option->arg; *c; c++)
			buf_putc(out, *c == '|' ? ' ' : *c);
	}
	return out->len > 0;
}

/* The first word of what the command takes. */
enum completion_of { ARGUMENT_FILE, ARGUMENT_LESSON, ARGUMENT_COMMAND, ARGUMENT_SHELL };

static enum completion_of argument_of(const struct cmd_entry *entry)
{
	const char *usage = entry->usage;
	if (strcmp(entry->name, "completion") == 0)
		return ARGUMENT_SHELL;
	if (strncmp(usage, "[COMMAND", 8) == 0)
		return ARGUMENT_COMMAND;
	return strstr(usage, "LESSON") ? ARGUMENT_LESSON : ARGUMENT_FILE;
}

/* In single quotes of a shell, and where brackets mean something, without them. */
static void put_quoted(struct buf *out, const char *text)
{
	for (const char *c = text; *c; c++)
		if (*c == '\'')
			buf_puts(out, "’");
		else if (*c == '[' || *c == ']' || *c == ':' || *c == '\\')
			buf_putc(out, ' ');
		else
			buf_putc(out, *c);
}

static void put_commands(struct buf *out)
{
	for (int i = 0; cmd_table[i]; i++)
		buf_printf(out, i ? " %s" : "%s", cmd_table[i]->name);
}

/* The command's options and those of every command, in the arena; they end in {0}. */
static const struct cmd_option *options_of(struct arena *arena, const struct cmd_entry *entry)
{
	struct cmd_option *options = NULL;
	size_t n = 0, cap = 0;

	/* The long options of a command that reads its words itself, from its help: "--name meaning", a line each. */
	for (const char *line = entry->verbatim ? entry->verbatim() : NULL; line && *line;) {
		size_t len = strcspn(line, "\n"), lead = strspn(line, " ");
		const char *word = line + lead;
		size_t name = strcspn(word, " =\n");
		if (strncmp(word, "--", 2) == 0 && name > 2) {
			const char *help = word + name + strspn(word + name, " ");
			*vec_push_in(arena, options, n, cap) = (struct cmd_option){
				.name = arena_strndup(arena, word + 2, name - 2),
				.help = arena_strndup(arena, help, (size_t)(line + len - help))};
		}
		line += len + (line[len] == '\n');
	}
	for (const struct cmd_option *o = entry->options; o && o->name; o++)
		*vec_push_in(arena, options, n, cap) = *o;
	for (const struct cmd_option *o = cmd_global_options; o->name; o++)
		*vec_push_in(arena, options, n, cap) = *o;
	*vec_push_in(arena, options, n, cap) = (struct cmd_option){0};
	return options;
}

/* --- bash --------------------------------------------------------------------------------------------------------- */

static void write_bash(struct arena *arena, struct buf *out)
{
	buf_puts(out,
		"# bash completion for simttutor, made by `simttutor completion bash`\n"
		"_simttutor() {\n"
		"\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= words= files= i\n"
		"\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
		"\t\tcase ${COMP_WORDS[i]} in\n"
		"\t\t--gpu|--theme) ((i++)) ;;\n"
		"\t\t-*) ;;\n"
		"\t\t*) command=${COMP_WORDS[i]}; break ;;\n"
		"\t\tesac\n"
		"\tdone\n"
		"\tCOMPREPLY=()\n"
		"\tif [[ -z $command ]]; then\n"
		"\t\tcase $before in\n");
	for (const struct cmd_option *o = cmd_global_options; o->name; o++) {
		struct buf words = {0};
		if (o->arg && values_of(o, &words))
			buf_printf(out, "\t\t--%s) words='%s' ;;\n", o->name, buf_str(&words));
		buf_free(&words);
	}
	buf_puts(out, "\t\t*) words='");
	put_commands(out);
	for (const struct cmd_option *o = cmd_global_options; o->name; o++)
		buf_printf(out, " --%s", o->name);
	buf_puts(out,
		" --version' ;;\n\t\tesac\n\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n\t\treturn\n\tfi\n"
		"\tif [[ $word == -* ]]; then\n\t\tcase $command in\n");
	for (int i = 0; cmd_table[i]; i++) {
		buf_printf(out, "\t\t%s) words='", cmd_table[i]->name);
		for (const struct cmd_option *o = options_of(arena, cmd_table[i]); o->name; o++)
			buf_printf(out, " --%s", o->name);
		buf_puts(out, "' ;;\n");
	}
	buf_puts(out,
		"\t\tesac\n\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n\t\treturn\n\tfi\n"
		"\tcase $command:$before in\n");
	for (int i = 0; cmd_table[i]; i++)
		for (const struct cmd_option *o = options_of(arena, cmd_table[i]); o->name; o++) {
			struct buf words = {0};
			if (o->arg && values_of(o, &words))
				buf_printf(out, "\t%s:--%s) words='%s' ;;\n", cmd_table[i]->name, o->name,
					buf_str(&words));
			else if (o->arg)
				buf_printf(out, "\t%s:--%s) files=1 ;;\n", cmd_table[i]->name, o->name);
			buf_free(&words);
		}
	for (int i = 0; cmd_table[i]; i++) {
		const struct cmd_entry *entry = cmd_table[i];
		switch (argument_of(entry)) {
		case ARGUMENT_LESSON: buf_printf(out, "\t%s:*) words=$(" LIST_OF_LESSONS ") ;;\n", entry->name); break;
		case ARGUMENT_COMMAND:
			buf_printf(out, "\t%s:*) words='", entry->name);
			put_commands(out);
			buf_puts(out, "' ;;\n");
			break;
		case ARGUMENT_SHELL: buf_printf(out, "\t%s:*) words='bash zsh fish' ;;\n", entry->name); break;
		case ARGUMENT_FILE: buf_printf(out, "\t%s:*) files=1 ;;\n", entry->name); break;
		}
	}
	buf_puts(out,
		"\tesac\n"
		"\tif [[ -n $files ]]; then\n\t\tcompopt -o default 2>/dev/null\n\t\tCOMPREPLY=($(compgen -f -- \"$word\"))\n"
		"\telse\n\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n\tfi\n"
		"}\n"
		"complete -F _simttutor simttutor\n");
}

/* --- zsh ---------------------------------------------------------------------------------------------------------- */

static void write_zsh(struct arena *arena, struct buf *out)
{
	buf_puts(out,
		"#compdef simttutor\n# zsh completion for simttutor, made by `simttutor completion zsh`\n"
		"_simttutor_lessons() {\n\t" LIST_OF_LESSONS "\n}\n"
		"_simttutor() {\n\tlocal command=${words[2]}\n\tif (( CURRENT == 2 )); then\n\t\tlocal -a commands\n\t\tcommands=(\n");
	for (int i = 0; cmd_table[i]; i++) {
		buf_printf(out, "\t\t\t'%s:", cmd_table[i]->name);
		put_quoted(out, text_translate(cmd_table[i]->summary));
		buf_puts(out, "'\n");
	}
	buf_puts(out,
		"\t\t)\n\t\t_describe command commands\n\t\treturn\n\tfi\n\tshift words\n\t(( CURRENT-- ))\n\tcase $command in\n");
	for (int i = 0; cmd_table[i]; i++) {
		buf_printf(out, "\t%s)\n\t\t_arguments", cmd_table[i]->name);
		for (const struct cmd_option *o = options_of(arena, cmd_table[i]); o->name; o++) {
			struct buf words = {0};
			buf_printf(out, " \\\n\t\t\t'*--%s%s[", o->name, o->arg ? "=" : "");
			put_quoted(out, text_translate(o->help));
			buf_putc(out, ']');
			if (o->arg && values_of(o, &words))
				buf_printf(out, ":value:(%s)", buf_str(&words));
			else if (o->arg)
				buf_puts(out, ":value:_files");
			buf_putc(out, '\'');
			buf_free(&words);
		}
		switch (argument_of(cmd_table[i])) {
		case ARGUMENT_LESSON:
			buf_puts(out, " \\\n\t\t\t'*:lesson:{compadd -- $(_simttutor_lessons)}'\n");
			break;
		case ARGUMENT_COMMAND:
			buf_puts(out, " \\\n\t\t\t'*:command:(");
			put_commands(out);
			buf_puts(out, ")'\n");
			break;
		case ARGUMENT_SHELL: buf_puts(out, " \\\n\t\t\t'*:shell:(bash zsh fish)'\n"); break;
		case ARGUMENT_FILE: buf_puts(out, " \\\n\t\t\t'*:file:_files'\n"); break;
		}
		buf_puts(out, "\t\t;;\n");
	}
	buf_puts(out, "\tesac\n}\n_simttutor \"$@\"\n");
}

/* --- fish --------------------------------------------------------------------------------------------------------- */

static void write_fish(struct arena *arena, struct buf *out)
{
	buf_puts(out,
		"# fish completion for simttutor, made by `simttutor completion fish`\n"
		"function __simttutor_lessons\n\t" LIST_OF_LESSONS "\nend\n");
	for (int i = 0; cmd_table[i]; i++) {
		buf_printf(out, "complete -c simttutor -n __fish_use_subcommand -f -a %s -d '", cmd_table[i]->name);
		put_quoted(out, text_translate(cmd_table[i]->summary));
		buf_puts(out, "'\n");
	}
	for (int i = 0; cmd_table[i]; i++) {
		const struct cmd_entry *entry = cmd_table[i];
		for (const struct cmd_option *o = options_of(arena, entry); o->name; o++) {
			struct buf words = {0};
			buf_printf(out, "complete -c simttutor -n '__fish_seen_subcommand_from %s' -l %s", entry->name,
				o->name);
			if (o->letter)
				buf_printf(out, " -s %c", o->letter);
			if (o->arg && values_of(o, &words))
				buf_printf(out, " -x -a '%s'", buf_str(&words));
			else if (o->arg)
				buf_puts(out, " -r");
			buf_puts(out, " -d '");
			put_quoted(out, text_translate(o->help));
			buf_puts(out, "'\n");
			buf_free(&words);
		}
		enum completion_of argument = argument_of(entry);
		if (argument == ARGUMENT_FILE)
			continue;
		buf_printf(out, "complete -c simttutor -n '__fish_seen_subcommand_from %s' -f -a '", entry->name);
		if (argument == ARGUMENT_COMMAND)
			put_commands(out);
		else
			buf_puts(out, argument == ARGUMENT_LESSON ? "(__simttutor_lessons)" : "bash zsh fish");
		buf_puts(out, "'\n");
	}
}

static int run_completion(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	static const struct {
		const char *name;
		void (*write)(struct arena *arena, struct buf *out);
	} shells[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};
	if (n != 1 || args[0].option)
		return cmd_usage(ctx, &cmd_completion_entry, "for which shell? bash, zsh or fish");
	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
		if (strcmp(args[0].value, shells[i].name) != 0)
			continue;
		struct buf out = {0};
		shells[i].write(ctx->arena, &out);
		int status = cmd_print(ctx, &out) ? EXIT_OK : EXIT_FAILED;
		buf_free(&out);
		return status;
	}
	return cmd_usage(ctx, &cmd_completion_entry, "there are completions for bash, zsh and fish, not for '%s'",
		args[0].value);
}
