/* The other end of share.h: standard input and output passed on to and from a server. */
#include "gpu/worker/share.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/file.h"

#define CHUNK 65536

/* Until `from` ends or `to` is gone. */
static void pass_on(int from, int to)
{
	static _Thread_local char bytes[CHUNK];
	for (ssize_t n; (n = file_get(from, bytes, sizeof bytes)) > 0;)
		if (!file_put(to, bytes, (size_t)n))
			return;
}

static void *pass_input(void *ctx)
{
	int fd = *(int *)ctx;
	pass_on(STDIN_FILENO, fd);
	shutdown(fd, SHUT_WR);
	return NULL;
}

int share_connect(const char *socket_path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	static int fd;
	pthread_t thread;
	if (strlen(socket_path) >= sizeof address.sun_path) {
		fprintf(stderr, "simttutor-gpu: the name of the socket is too long: %s\n", socket_path);
		return 1;
	}
	memcpy(address.sun_path, socket_path, strlen(socket_path));
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
		pthread_create(&thread, NULL, pass_input, &fd) != 0) {
		fprintf(stderr, "simttutor-gpu: no server answers at %s: %s\n", socket_path, strerror(errno));
		return 1;
	}
	pass_on(fd, STDOUT_FILENO);
	_exit(0); /* the thread may still wait for input */
}
