/* Whether the reader lets whole programs run. */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/program_parts.h"

#define VARIABLE "SIMTTUTOR_PROGRAMS"
#define AGREED "programs"
#define MARK "agreed\n"

/* From the terminal, and not from standard input, which is the program's. */
static bool ask(int terminal)
{
	static const char question[] =
		"simttutor: this is a whole program: its host code runs on this machine, confined: it reads what is installed, its own\n"
		"folder and files that its arguments name, writes in the working folder, and has no network. Run programs so, from now on? [y/N] ";
	char answer[16] = "";
	if (!file_put(terminal, question, strlen(question)))
		return false;
	ssize_t n = file_get(terminal, answer, sizeof answer - 1);
	return n > 0 && (*answer == 'y' || *answer == 'Y');
}

const char *program_agreed_path(struct arena *arena)
{
	struct paths own;
	paths_find(arena, &own);
	return path_join(arena, own.state, AGREED);
}

static bool has_agreed(const char *path)
{
	struct buf text = {0};
	struct diag quiet = {0};
	bool agreed = file_exists(path) && file_read_private(path, sizeof MARK, &text, &quiet) &&
		strcmp(buf_str(&text), MARK) == 0;
	buf_free(&text);
	diag_free(&quiet);
	return agreed;
}

bool program_asks(struct arena *arena)
{
	return !getenv(VARIABLE) && !has_agreed(program_agreed_path(arena));
}

bool program_agree_now(struct cmd_ctx *ctx)
{
	return file_write_private(program_agreed_path(ctx->arena), MARK, strlen(MARK), &ctx->diag);
}

bool program_agree(struct cmd_ctx *ctx, const char *file, const char *instead)
{
	const char *said = getenv(VARIABLE);
	struct diag_pos pos = {.file = file};
	if (said && strcmp(said, "yes") == 0)
		return true;
	bool agreed = !said && has_agreed(program_agreed_path(ctx->arena));
	if (agreed)
		return true;
	int terminal = said ? -1 : open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	bool asked = terminal >= 0 && isatty(STDERR_FILENO);
	agreed = asked && ask(terminal);
	if (terminal >= 0)
		close(terminal);
	if (agreed)
		return program_agree_now(ctx);
	diag_error(&ctx->diag, pos, "a whole program is run only after you agreed to that once");
	diag_note(&ctx->diag, (struct diag_pos){0}, "a terminal asks; " VARIABLE "=yes agrees, too%s%s",
		instead ? "; " : "", instead ? instead : "");
	return false;
}
