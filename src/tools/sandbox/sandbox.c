#include "config.h"
#include "tools/sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/paths.h"
#include "base/portable.h"
#include "tools/sandbox/process.h"
#include "tools/sandbox/starter.h"

#define SECONDS "SIMTTUTOR_COMPILER_SECONDS"

enum { READ_SIDE, WRITE_SIDE };

static int usual_seconds = SANDBOX_SECONDS;

void sandbox_allow_seconds(int usual)
{
	usual_seconds = usual;
}

int sandbox_seconds(void)
{
	return environment_seconds(SECONDS, usual_seconds, NULL);
}

void sandbox_check_environment(struct diag *diag)
{
	environment_seconds(SECONDS, SANDBOX_SECONDS, diag);
	environment_check_folders(SANDBOX_READS, diag);
}

/* Reads once. False at the end. */
static bool read_log(int fd, size_t max, struct buf *log, size_t *dropped)
{
	char chunk[16384];
	ssize_t n = read(fd, chunk, sizeof chunk);
	if (n > 0) {
		size_t room = log->len < max ? max - log->len : 0, kept = (size_t)n < room ? (size_t)n : room;
		buf_append(log, chunk, kept);
		*dropped += (size_t)n - kept;
	}
	return n > 0 || (n < 0 && errno == EINTR);
}

static void close_pipe(int fd[2])
{
	for (int i = 0; i < 2; i++)
		if (fd[i] >= 0)
			close(fd[i]);
}

struct sandbox_end sandbox_run(const struct sandbox_job *job, struct buf *log)
{
	int printed[2] = {-1, -1}, result[2] = {-1, -1}, control[2] = {-1, -1}, error = 0;
	struct sandbox_end end = {0};
	pid_t pid = -1;
	if (process_pipe(printed) && process_pipe(result) && process_pipe(control) &&
		fcntl(control[READ_SIDE], F_SETFL, O_NONBLOCK) == 0) {
		const struct sandbox_pipes pipes = {printed[WRITE_SIDE], result[WRITE_SIDE], control[READ_SIDE]};
		if (starter_is_there()) { /* the keeper is its child: not to be waited for */
			error = starter_keep(job, &pipes);
			pid = error ? -1 : 0;
		} else { /* with all signals held back, so that none ends the keeper */
			sigset_t all, before;
			sigfillset(&all);
			pthread_sigmask(SIG_SETMASK, &all, &before);
			pid = fork();
			if (pid == 0)
				sandbox_keep(job, &pipes);
			error = errno;
			pthread_sigmask(SIG_SETMASK, &before, NULL);
		}
	} else {
		error = errno;
	}
	end.error = error;
	if (pid >= 0) {
		close(printed[WRITE_SIDE]);
		close(result[WRITE_SIDE]);
		close(control[READ_SIDE]);
		printed[WRITE_SIDE] = result[WRITE_SIDE] = control[READ_SIDE] = -1;

		/* Reads what the tool prints until the keeper says how it ended. */
		size_t most = log->len + job->log_max, dropped = 0;
		bool flooded = false, interrupted = false;
		struct signals signals;
		sigset_t ending;
		scratch_signals(&ending);
		(void)signals_open(&signals, &ending);
		struct pollfd fds[] = {{.fd = result[READ_SIDE], .events = POLLIN},
			{.fd = printed[READ_SIDE], .events = POLLIN}, {.fd = signals.fd, .events = POLLIN}};
		double slow_at = clock_ms() + SANDBOX_SLOW_MS;
		bool patient = job->on_slow != NULL;
		do {
			double left = slow_at - clock_ms();
			if (patient && left <= 0) {
				job->on_slow();
				patient = false;
			}
			int most_ms = patient ? (int)left + 1 : -1;
			int ready = poll(fds, 3, interrupted ? most_ms : signals_timeout_ms(&signals, most_ms));
			if (!interrupted && ready >= 0 && signals_are_there(&signals)) {
				/* it stays pending: whoever made the folder lets it arrive */
				(void)file_put(control[WRITE_SIDE], "", 1);
				fds[2].fd = -1;
				interrupted = true;
			}
			if (ready <= 0)
				continue;
			if (fds[1].revents && !read_log(printed[READ_SIDE], most, log, &dropped))
				fds[1].fd = -1;
			if (!flooded && dropped > SANDBOX_PRINTED_MAX) {
				(void)file_put(control[WRITE_SIDE], "", 1);
				flooded = true;
			}
		} while (!fds[0].revents);
		if (!file_get_all(result[READ_SIDE], &end, sizeof end))
			end = (struct sandbox_end){.outcome = SANDBOX_INTERRUPTED}; /* the keeper was killed */
		fcntl(printed[READ_SIDE], F_SETFL, O_NONBLOCK);
		while (read_log(printed[READ_SIDE], most, log, &dropped))
			continue;
		signals_close(&signals);
		if (flooded && end.outcome == SANDBOX_INTERRUPTED)
			end.outcome = SANDBOX_FLOODED;
		end.dropped = dropped;
		while (pid && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			continue;
	}
	close_pipe(printed);
	close_pipe(result);
	close_pipe(control);
	return end;
}

bool sandbox_succeeded(const struct sandbox_end *end)
{
	return end->outcome == SANDBOX_ENDED && process_succeeded(end->status);
}

bool sandbox_failed(const struct sandbox_end *end)
{
	return end->outcome == SANDBOX_ENDED && WIFEXITED(end->status) && WEXITSTATUS(end->status) != 0;
}

void sandbox_describe(const struct sandbox_end *end, struct buf *out)
{
	switch (end->outcome) {
	case SANDBOX_NOT_STARTED: buf_printf(out, "cannot be started: %s", strerror(end->error)); break;
	case SANDBOX_OUT_OF_TIME: buf_printf(out, "did not end within %d s and was stopped", sandbox_seconds()); break;
	case SANDBOX_OUT_OF_SPACE:
		buf_printf(out, "wrote more than %zu MiB and was stopped", SANDBOX_FOLDER_MAX >> 20);
		break;
	case SANDBOX_FLOODED:
		buf_printf(out, "printed more than %zu MiB and was stopped", SANDBOX_PRINTED_MAX >> 20);
		break;
	case SANDBOX_INTERRUPTED: buf_puts(out, "was interrupted"); break;
	case SANDBOX_ENDED:
		if (WIFEXITED(end->status))
			buf_printf(out, "ended with exit status %d", WEXITSTATUS(end->status));
		else
			buf_printf(out, "was ended by signal %d (%s)", WTERMSIG(end->status),
				strsignal(WTERMSIG(end->status)));
		break;
	}
}
