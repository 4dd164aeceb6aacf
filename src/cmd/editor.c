/* simttutor debug --dap: the debugger in an editor. What is to be debugged comes with the client's request `launch`, so
 * that is read before we are confined: it says what is needed, as arguments do. */
#include "config.h"
#include "cmd/editor.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

#define READ_MAX 65536
#define VALUES_MAX 256 /* of a list in a configuration */

static struct dap *dap;
static struct cmd_parsed *made; /* the arguments */
static int n_made;
static bool unheard; /* the client cannot be written to: it is gone */

/* --- to and from the client --------------------------------------------------------------------------------------- */

static bool flush_messages(struct cmd_ctx *ctx)
{
	struct buf *out = dap_out(dap);
	unheard = unheard || (out->len && !cmd_print_raw(ctx, out));
	buf_clear(out);
	return !unheard;
}

/* Waits for more. False: the client is gone. */
static bool take_bytes(struct cmd_ctx *ctx)
{
	char bytes[READ_MAX];
	ssize_t n = file_get(STDIN_FILENO, bytes, sizeof bytes);
	if (n > 0 && dap_take(dap, bytes, (size_t)n))
		return flush_messages(ctx);
	flush_messages(ctx);
	return false;
}

/* --- what is asked for -------------------------------------------------------------------------------------------- */

static void add_argument(const struct cmd_option *option, const char *value)
{
	made[n_made++] = (struct cmd_parsed){.option = option, .value = value};
}

/* A string or a number as text; NULL: neither. */
static const char *value_text(struct cmd_ctx *ctx, const json_t *value)
{
	if (json_is_string(value))
		return arena_strdup(ctx->arena, json_string_value(value));
	return json_is_integer(value) ? arena_printf(ctx->arena, "%" JSON_INTEGER_FORMAT, json_integer_value(value))
				      : NULL;
}

bool editor_is_asked(const struct cmd_parsed *args, int n)
{
	for (int i = 0; i < n; i++)
		if (args[i].option && cmd_is(&args[i], "dap"))
			return true;
	return false;
}

bool editor_begin(struct cmd_ctx *ctx, const struct cmd_entry *entry, const struct cmd_parsed **args, int *n)
{
	if (!dap)
		dap = dap_new();
	while (!made && !dap_wants_launch(dap) && !dap_over(dap))
		if (!take_bytes(ctx))
			return false;
	if (!made && dap_wants_launch(dap)) {
		const struct cmd_parsed *given = *args;
		int n_given = *n;
		const json_t *asked = dap_wants_launch(dap), *words = json_object_get(asked, "args"), *value;
		const char *program = json_string_value(json_object_get(asked, "program"));
		const char *folder = json_string_value(json_object_get(asked, "cwd")), *key;
		size_t most = (size_t)n_given + json_object_size(asked) * VALUES_MAX + VALUES_MAX + 1;
		made = arena_array(ctx->arena, struct cmd_parsed, most);
		if (folder && chdir(folder) != 0)
			diag_error(&ctx->diag, (struct diag_pos){.file = folder}, "the working folder: %s",
				strerror(errno));
		if (program)
			add_argument(NULL, arena_strdup(ctx->arena, program));
		for (int i = 0; i < n_given; i++)
			if (!given[i].option || !cmd_is(&given[i], "dap"))
				made[n_made++] = given[i];
		json_object_foreach((json_t *)asked, key, value)
		{
			const struct cmd_option *option = NULL;
			for (const struct cmd_option *o = entry->options; o->name; o++)
				if (strcmp(o->name, key) == 0 && strcmp(key, "dap") != 0 &&
					strcmp(key, "commands") != 0) {
					option = o;
					break;
				}

			if (option) {
				/* A member of the configuration is an option of the same name: a text or a number, a
				 * list of them for one that may be repeated, true for one without a value. */
				if (!option->arg && json_is_true(value))
					add_argument(option, NULL);
				if (!option->arg)
					continue;
				if (value_text(ctx, value))
					add_argument(option, value_text(ctx, value));
				for (size_t i = 0; json_is_array(value) && i < json_array_size(value) && i < VALUES_MAX;
					i++)
					if (value_text(ctx, json_array_get(value, i)))
						add_argument(option, value_text(ctx, json_array_get(value, i)));
			}
		}
		for (size_t i = 0; i < json_array_size(words) && i < VALUES_MAX; i++)
			if (value_text(ctx, json_array_get(words, i)))
				add_argument(NULL, value_text(ctx, json_array_get(words, i)));
	}
	*args = made;
	*n = n_made;
	return made != NULL;
}

void editor_fail(struct cmd_ctx *ctx)
{
	struct buf text = {0};
	diag_format(&ctx->diag, &text);
	if (dap_wants_launch(dap))
		dap_failed(dap, text.len ? text.data : "it cannot be debugged");
	flush_messages(ctx);
	buf_free(&text);
}

void editor_output(const char *text, size_t len)
{
	if (len)
		dap_output(dap, "stdout", text, len);
}

/* --- the session -------------------------------------------------------------------------------------------------- */

/* Until the client goes. */
static void serve_client(struct cmd_ctx *ctx)
{
	bool there = flush_messages(ctx);
	while (there && !dap_over(dap)) {
		struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
		if (!dap_busy(dap) || poll(&input, 1, 0) > 0)
			there = take_bytes(ctx);
		if (there && dap_busy(dap)) {
			dap_work(dap);
			there = flush_messages(ctx);
		}
	}
}

void editor_run(struct cmd_ctx *ctx, const struct dap_launched *launched)
{
	dap_launched(dap, launched);
	serve_client(ctx);
}

bool editor_end(struct cmd_ctx *ctx)
{
	if (dap && !dap_over(dap))
		serve_client(ctx);
	dap_free(dap);
	dap = NULL;
	return !unheard;
}
