#include "config.h"
#include "cmd/cmd.h"

#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cmd/confined.h"

#define TEMPLATE "templates/program"
#define TEMPLATE_MAX ((size_t)1 << 20)

static const char *const files[] = {"main.cu", "Makefile"};
#define FILES (sizeof files / sizeof *files)

static int run_new(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static void needs_of_new(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	for (int i = 0; i < n; i++)
		cmd_needs_output(needs, path_join(needs->ctx->arena, args[i].value, files[0]));
}

const struct cmd_entry cmd_new_entry = {
	.name = "new",
	.usage = "FOLDER",
	.summary = N_("begin a CUDA program in a new folder"),
	.details = N_(
		"Writes a small whole program, main.cu, and a Makefile into FOLDER, which may exist but must not "
		"contain files with these names. The Makefile compiles with nvcc where that is installed, and with "
		"simttutor cc where it is "
		"not; make run runs the program, make check runs it on the machine with every check, make debug steps its first "
		"launch."),
	.run = run_new,
	.needs = needs_of_new,
};

static int run_new(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct buf out = {0};
	if (n != 1)
		return cmd_usage(ctx, &cmd_new_entry, "name one folder for the program");
	for (size_t i = 0; i < FILES; i++)
		if (file_is_named(path_join(ctx->arena, args[0].value, files[i]))) {
			diag_error(&ctx->diag, (struct diag_pos){.file = args[0].value},
				"there is a %s already, which is left as it is", files[i]);
			return EXIT_FAILED;
		}
	for (size_t i = 0; i < FILES; i++) {
		const char *folder = args[0].value;
		const char *name = files[i];
		struct arena *arena = ctx->arena;
		struct buf text = {0};
		const char *from = path_join(arena, path_join(arena, ctx->paths.data, TEMPLATE), name);
		bool ok = file_read_text(from, TEMPLATE_MAX, &text, &ctx->diag) &&
			file_create(path_join(arena, folder, name), buf_str(&text), text.len, &ctx->diag);
		buf_free(&text);
		if (!ok)
			return EXIT_FAILED;
	}
	escape_line(&out, "%s: main.cu and a Makefile; make run, make check and make debug, there", args[0].value);
	bool ok = cmd_print(ctx, &out);
	buf_free(&out);
	return ok ? EXIT_OK : EXIT_FAILED;
}
