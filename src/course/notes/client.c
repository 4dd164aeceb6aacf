#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/portable.h"
#include "course/notes/notes.h"

#define TAKEN_MAX 64 /* reads of one step, so that keys are looked at between */

struct notes_client {
	int fd; /* -1: nobody presents */
	struct sockaddr_un address;
	struct buf in;
	struct arena *arena; /* of the slide */
	struct notes_slide slide;
	bool known;
	const char *why;
};

static void say_nobody(struct notes_client *client, const char *why)
{
	client->known = false;
	client->why = why;
}

struct notes_client *notes_client_new(const char *name, struct diag *diag)
{
	struct sockaddr_un address;
	if (!notes_address(name, &address, diag))
		return NULL;
	struct notes_client *client = base_calloc(1, sizeof *client);
	client->fd = -1;
	client->address = address;
	say_nobody(client, "Nobody presents yet.");
	return client;
}

static void hang_up(struct notes_client *client, const char *why)
{
	if (client->fd >= 0)
		close(client->fd);
	client->fd = -1;
	buf_clear(&client->in);
	say_nobody(client, why);
}

void notes_client_free(struct notes_client *client)
{
	if (!client)
		return;
	hang_up(client, "");
	buf_free(&client->in);
	arena_free(client->arena);
	free(client);
}

int notes_client_fd(const struct notes_client *client)
{
	return client->fd;
}

static bool connect_now(struct notes_client *client)
{
	int fd = portable_socket();
	if (fd < 0)
		return false;
	if (connect(fd, (const struct sockaddr *)&client->address, sizeof client->address) != 0) {
		close(fd);
		return false;
	}
	client->fd = fd;
	if (portable_peer_is_ours(fd))
		return true;
	hang_up(client, "The presentation is another user's.");
	return false;
}

/* The newest of the lines that are here. */
static bool take_slide(struct notes_client *client)
{
	const char *data = buf_str(&client->in), *end = NULL, *from = data;
	for (size_t i = client->in.len; i > 0 && !end; i--)
		end = data[i - 1] == '\n' ? data + i - 1 : NULL;
	if (!end)
		return false;
	for (const char *at = end; at > data && from == data; at--)
		from = at[-1] == '\n' ? at : data;
	struct arena *arena = arena_new();
	struct notes_slide slide;
	if (!notes_read(arena, from, (size_t)(end - from), &slide)) {
		arena_free(arena);
		hang_up(client, "What presents is of another version.");
		return true;
	}
	arena_free(client->arena);
	client->arena = arena;
	client->slide = slide;
	client->known = true;
	size_t rest = client->in.len - (size_t)(end + 1 - data);
	memmove(client->in.data, end + 1, rest);
	client->in.len = rest;
	return true;
}

bool notes_client_step(struct notes_client *client)
{
	char bytes[4096];
	if (client->fd < 0 && !connect_now(client))
		return false;
	for (int i = 0; i < TAKEN_MAX; i++) {
		ssize_t n = recv(client->fd, bytes, sizeof bytes, MSG_DONTWAIT);
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
			break;
		if (n <= 0) {
			hang_up(client, "The presentation has ended.");
			return true;
		}
		buf_append(&client->in, bytes, (size_t)n);
	}
	bool changed = take_slide(client);
	if (client->in.len <= NOTES_LINE_MAX)
		return changed;
	hang_up(client, "What presents says more than a slide has.");
	return true;
}

const struct notes_slide *notes_client_slide(const struct notes_client *client, const char **why)
{
	*why = client->why;
	return client->known ? &client->slide : NULL;
}

void notes_client_ask(struct notes_client *client, const char *action)
{
	struct buf line = {0};
	buf_printf(&line, "%s\n", action);
	if (client->fd >= 0 && send(client->fd, buf_str(&line), line.len, portable_send_flags) != (ssize_t)line.len)
		hang_up(client, "The presentation does not listen.");
	buf_free(&line);
}
