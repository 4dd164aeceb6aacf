/* simttutor-gpu: runs kernels on a GPU and counts, for a front end that talks to it in lines of JSON. See
 * gpu/wire/wire.h. */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/portable.h"
#include "gpu/worker/serve.h"
#include "gpu/worker/share.h"
#include "gpu/worker/surroundings.h"
#include "gpu/worker/turn.h"

enum { EXIT_FINE = 0, EXIT_WRONG_USAGE = 2, EXIT_NO_GPU = 3, EXIT_POISONED = 4, EXIT_ABANDONED = 5 };

#define ABANDONED_AFTER 10 /* seconds */

static const char help[] =
	"Usage: simttutor-gpu [--device N]\n"
	"       simttutor-gpu --probe [--device N]\n"
	"       simttutor-gpu --serve SOCKET [--known FILE] [--device N]\n"
	"       simttutor-gpu --connect SOCKET\n"
	"\n"
	"Runs kernels on a GPU and reads its counters, for simttutor, which starts it by itself.\n"
	"Requests are lines of JSON on standard input, answers lines on standard output.\n"
	"\n"
	"  -d, --device N        use GPU number N (default 0)\n"
	"  -s, --serve SOCKET    listen there, and share the GPU among all who connect\n"
	"  -k, --known FILE      launches that all of them get from one worker, by simttutor course launches\n"
	"  -c, --connect SOCKET  pass standard input and output on to such a server\n"
	"  -l, --lines           count source lines for the worker that started it, in whose turn on the GPU\n"
	"  -p, --probe           print what GPU, driver and CUPTI are there, and exit: 0 with a GPU, 3 without\n"
	"  -h, --help            print this\n"
	"  -V, --version         print the version\n";

static int protocol_fd = -1;

static void send_message(const struct wire_message *message)
{
	struct buf line = {0};
	wire_write(message, &line);
	if (!file_put(protocol_fd, line.data, line.len))
		_exit(EXIT_ABANDONED); /* the front end is gone */
	buf_free(&line);
}

/* A kernel may never end, and the front end may be gone: killed, or on the other side of a lost connection. */
static void *watch_stdin(void *unused)
{
	struct pollfd fd = {STDIN_FILENO, 0, 0};
	(void)unused;
	while (poll(&fd, 1, -1) < 0 && errno == EINTR)
		continue;
	if (!(fd.revents & (POLLHUP | POLLERR)))
		return NULL;
	sleep(ABANDONED_AFTER);
	_exit(EXIT_ABANDONED);
}

static int wrong_usage(const char *what)
{
	fprintf(stderr, "simttutor-gpu: %s\nTry simttutor-gpu --help.\n", what);
	return EXIT_WRONG_USAGE;
}

static const char *own_program(void)
{
	static char program[4096];
	return readlink("/proc/self/exe", program, sizeof program - 1) > 0 ? program : NULL;
}

struct options {
	struct share_options share;
	const char *connect;
	bool probe;
};

/* What to exit with; -1: there is something to do. */
static int read_options(int argc, char **argv, struct options *o, struct server *server)
{
	static const struct option options[] = {{"device", required_argument, NULL, 'd'},
		{"probe", no_argument, NULL, 'p'}, {"serve", required_argument, NULL, 's'},
		{"known", required_argument, NULL, 'k'}, {"connect", required_argument, NULL, 'c'},
		{"lines", no_argument, NULL, 'l'}, {"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'}, {0}};
	long device;
	char *end;
	for (int c; (c = getopt_long(argc, argv, "d:ps:k:c:lhV", options, NULL)) != -1;) {
		switch (c) {
		case 'd':
			errno = 0;
			device = strtol(optarg, &end, 10);
			if (*end || end == optarg || errno || device < 0 || device > 9999)
				return wrong_usage("--device takes a number from 0");
			server->device = (int)device;
			o->share.device = optarg;
			break;
		case 'p': o->probe = true; break;
		case 's': o->share.socket = optarg; break;
		case 'k': o->share.known = optarg; break;
		case 'c': o->connect = optarg; break;
		case 'l': server->counts_lines = true; break;
		case 'h': return fputs(help, stdout) < 0;
		case 'V': return puts("simttutor-gpu " PACKAGE_VERSION) < 0;
		default: return wrong_usage("this option is not known");
		}
	}
	if (optind < argc)
		return wrong_usage("it takes no arguments");
	if ((o->share.socket != NULL) + (o->connect != NULL) + o->probe + server->counts_lines > 1)
		return wrong_usage("--serve, --connect, --lines and --probe exclude each other");
	if (o->share.known && !o->share.socket)
		return wrong_usage("--known goes with --serve");
	server->program = o->share.program = own_program();
	if (o->share.socket && !o->share.program)
		return wrong_usage("it cannot find its own program");
	return -1;
}

int main(int argc, char **argv)
{
	struct options o = {0};
	struct server server = {.send = send_message, .is_canceled = input_cancels};
	json_set_alloc_funcs(base_malloc, free);
	int ends = read_options(argc, argv, &o, &server);
	if (ends >= 0)
		return ends;
	if (o.connect)
		return share_connect(o.connect);

	/* The front end shows the last line. */
	struct diag diag = {0};
	struct buf text = {0};
	turn_check_environment(&diag);
	diag_format(&diag, &text);
	fputs(buf_str(&text), stderr);
	bool ok = diag.errors == 0;
	buf_free(&text);
	diag_free(&diag);
	if (!ok)
		return EXIT_WRONG_USAGE;

	if (o.share.socket)
		return share_serve(&o.share);
	if (server.counts_lines)
		portable_end_with_parent(SIGKILL);
	/* The libraries loaded may print what they like; standard output belongs to the protocol. */
	protocol_fd = dup(STDOUT_FILENO);
	if (protocol_fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return EXIT_ABANDONED;
	if (o.probe)
		return serve_found_gpu(&server, 0) ? EXIT_FINE : EXIT_NO_GPU;
	pthread_t thread;
	if (pthread_create(&thread, NULL, watch_stdin, NULL) == 0)
		pthread_detach(thread);

	const char *line;
	size_t len;
	enum served how = SERVED;
	send_message(&(struct wire_message){
		.kind = WIRE_HELLO, .hello = {WIRE_PROTOCOL, PACKAGE_VERSION, surroundings_place()}});
	do {
		while (how == SERVED && input_line(&line, &len))
			how = serve_message(&server, line, len);
		if (how == SERVED) {
			/* Waits for input. */
			struct pollfd fd = {STDIN_FILENO, POLLIN, 0};
			int ready;
			do
				ready = poll(&fd, 1, serve_idle(&server));
			while (ready == 0 || (ready < 0 && errno == EINTR));
		}
	} while (how == SERVED && input_read());

	/* _exit: a poisoned context, or a driver with a kernel still running, must not hold us in its exit handlers */
	_exit(how == SERVED_POISONED ? EXIT_POISONED : EXIT_FINE);
}
