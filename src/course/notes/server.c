#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/portable.h"
#include "course/notes/notes.h"

#define ASKED_MAX 64 /* bytes of a line that notes send */

struct peer {
	int fd;                /* -1: none */
	char asked[ASKED_MAX]; /* of a line that is not whole yet */
	size_t n_asked;
	struct buf line; /* on its way to them, */
	size_t sent;     /* as far as here */
	unsigned told;   /* the version that they have, or that is on its way */
};

struct notes_server {
	int fd, lock;
	struct sockaddr_un address;
	struct peer peers[NOTES_PEERS_MAX];
	struct buf line; /* the newest, */
	unsigned version;
	char asked[ASKED_MAX]; /* what notes_server_step returned */
	int next;              /* the peer whose turn it is */
};

/* --- life --------------------------------------------------------------------------------------------------------- */

/* Held as long as the presenter lives, however it ends: who has it may replace the socket. */
static int take_lock(const struct sockaddr_un *address)
{
	struct buf path = {0};
	buf_printf(&path, "%s.lock", address->sun_path);
	int fd = open(buf_str(&path), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	buf_free(&path);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static int listen_at(const struct sockaddr_un *address)
{
	int fd = portable_socket();
	mode_t before = umask(0177);
	unlink(address->sun_path);
	bool ok = fd >= 0 && bind(fd, (const struct sockaddr *)address, sizeof *address) == 0 &&
		listen(fd, NOTES_PEERS_MAX) == 0;
	umask(before);
	if (!ok && fd >= 0)
		close(fd);
	return ok ? fd : -1;
}

struct notes_server *notes_server_open(const char *name, struct diag *diag)
{
	struct sockaddr_un address;
	if (!notes_address(name, &address, diag))
		return NULL;
	int lock = take_lock(&address), fd = lock < 0 ? -1 : listen_at(&address);
	if (fd < 0) {
		diag_error(diag, (struct diag_pos){0},
			lock < 0 ? "notes are another presentation's; --name tells them apart"
				 : "notes cannot be served: %s",
			strerror(errno));
		if (lock >= 0)
			close(lock);
		return NULL;
	}
	struct notes_server *server = base_calloc(1, sizeof *server);
	*server = (struct notes_server){.fd = fd, .lock = lock, .address = address};
	for (int i = 0; i < NOTES_PEERS_MAX; i++)
		server->peers[i].fd = -1;
	return server;
}

static void drop_peer(struct peer *peer)
{
	close(peer->fd);
	buf_free(&peer->line);
	*peer = (struct peer){.fd = -1};
}

void notes_server_close(struct notes_server *server)
{
	if (!server)
		return;
	for (int i = 0; i < NOTES_PEERS_MAX; i++)
		if (server->peers[i].fd >= 0)
			drop_peer(&server->peers[i]);
	unlink(server->address.sun_path);
	close(server->fd);
	close(server->lock);
	buf_free(&server->line);
	free(server);
}

/* --- sending ------------------------------------------------------------------------------------------------------ */

static bool is_behind(const struct notes_server *server, const struct peer *peer)
{
	return peer->sent < peer->line.len || peer->told != server->version;
}

/* As much as they take now. A line that was begun is ended; then comes the newest. */
static void send_peer(struct notes_server *server, struct peer *peer)
{
	while (peer->fd >= 0 && is_behind(server, peer)) {
		if (peer->sent == peer->line.len) {
			buf_clear(&peer->line);
			buf_append(&peer->line, buf_str(&server->line), server->line.len);
			peer->sent = 0;
			peer->told = server->version;
			continue;
		}
		ssize_t n = send(
			peer->fd, peer->line.data + peer->sent, peer->line.len - peer->sent, portable_send_flags);
		if (n > 0)
			peer->sent += (size_t)n;
		else if (n < 0 && errno == EINTR)
			continue;
		else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return;
		else
			drop_peer(peer);
	}
}

void notes_server_tell(struct notes_server *server, const struct buf *line)
{
	if (server->version && server->line.len == line->len &&
		memcmp(buf_str(&server->line), buf_str(line), line->len) == 0)
		return;
	buf_clear(&server->line);
	buf_append(&server->line, buf_str(line), line->len);
	server->version++;
	for (int i = 0; i < NOTES_PEERS_MAX; i++)
		if (server->peers[i].fd >= 0)
			send_peer(server, &server->peers[i]);
}

/* --- receiving ---------------------------------------------------------------------------------------------------- */

static void accept_peer(struct notes_server *server)
{
	int fd = portable_accept(server->fd);
	if (fd < 0)
		return;
	for (int i = 0; i < NOTES_PEERS_MAX && portable_peer_is_ours(fd); i++)
		if (server->peers[i].fd < 0) {
			server->peers[i] = (struct peer){.fd = fd};
			if (server->version)
				send_peer(server, &server->peers[i]);
			return;
		}
	close(fd);
}

/* Each of them in turn, one line at a time, so that none can keep the others or the presenter waiting. */
const char *notes_server_step(struct notes_server *server)
{
	accept_peer(server);
	for (; server->next < NOTES_PEERS_MAX; server->next++) {
		struct peer *peer = &server->peers[server->next];
		if (peer->fd >= 0)
			send_peer(server, peer);
		if (peer->fd >= 0 && peer->n_asked < sizeof peer->asked) {
			ssize_t n = recv(peer->fd, peer->asked + peer->n_asked, sizeof peer->asked - peer->n_asked,
				MSG_DONTWAIT);
			if (n > 0)
				peer->n_asked += (size_t)n;
			else if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
				drop_peer(peer);
		}
		if (peer->fd >= 0) {
			/* A whole line that they sent, of those that are here; false: there is none yet. Who sends none
			 * that is so short goes. */
			char *end = memchr(peer->asked, '\n', peer->n_asked);
			if (!end && peer->n_asked == sizeof peer->asked)
				drop_peer(peer);
			if (end) {
				size_t len = (size_t)(end - peer->asked);
				memcpy(server->asked, peer->asked, len);
				server->asked[len] = '\0';
				peer->n_asked -= len + 1;
				memmove(peer->asked, end + 1, peer->n_asked);
				server->next++;
				return server->asked;
			}
		}
	}
	server->next = 0;
	return NULL;
}

int notes_server_fds(const struct notes_server *server, struct pollfd fds[NOTES_FDS_MAX])
{
	int n = 0;
	fds[n++] = (struct pollfd){.fd = server->fd, .events = POLLIN};
	for (int i = 0; i < NOTES_PEERS_MAX; i++)
		if (server->peers[i].fd >= 0)
			fds[n++] = (struct pollfd){.fd = server->peers[i].fd,
				.events = (short)(POLLIN | (is_behind(server, &server->peers[i]) ? POLLOUT : 0))};
	return n;
}

int notes_server_peers(const struct notes_server *server)
{
	int n = 0;
	for (int i = 0; i < NOTES_PEERS_MAX; i++)
		n += server->peers[i].fd >= 0;
	return n;
}
