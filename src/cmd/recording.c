#include "config.h"
#include "cmd/record.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "front/tui/tui.h"

static struct {
	int fd; /* -1: nothing is recorded */
	const char *path;
} recording = {.fd = -1};

static bool complain_recording(struct cmd_ctx *ctx, const char *what)
{
	diag_error(&ctx->diag, (struct diag_pos){.file = recording.path}, "the recording cannot be written: %s", what);
	if (recording.fd >= 0)
		close(recording.fd);
	recording.fd = -1;
	return false;
}

bool cmd_recording_begin(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct stat info;
	recording.path = NULL;
	for (int i = 0; i < n; i++)
		if (cmd_is(&args[i], "record"))
			recording.path = args[i].value;
	if (!recording.path)
		return true;
	recording.fd = open(recording.path, O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
	if (recording.fd < 0 || fstat(recording.fd, &info) != 0)
		return complain_recording(ctx, strerror(errno));
	if (!S_ISREG(info.st_mode))
		return complain_recording(ctx, "it is no regular file");
	if (ftruncate(recording.fd, 0) != 0)
		return complain_recording(ctx, strerror(errno));
	tui_record(recording.fd);
	return true;
}

bool cmd_recording_end(struct cmd_ctx *ctx)
{
	if (recording.fd < 0)
		return true;
	tui_record(-1);
	int fd = recording.fd;
	recording.fd = -1;
	return close(fd) == 0 || complain_recording(ctx, strerror(errno));
}
