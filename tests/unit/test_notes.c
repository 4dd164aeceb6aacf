/* The socket between a presenter and speaker's notes, with peers that do what they should not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "course/notes/notes.h"

static char folder[] = "/tmp/simttutor-notes-XXXXXX";

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) && setenv("XDG_RUNTIME_DIR", folder, 1) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command);
}

static struct notes_server *serve(void)
{
	struct diag diag = {0};
	struct notes_server *server = notes_server_open("talk", &diag);
	if (!server)
		fail_msg("%s", diag.entries[0].message);
	return server;
}

static void tell(struct notes_server *server, const char *title, const char *notes)
{
	struct notes_slide slide = {.lesson = "Banks",
		.title = title,
		.next = "",
		.notes = notes,
		.reveals = "the answer",
		.question = "",
		.answer = "4",
		.why = "",
		.status = "",
		.notice = "",
		.step = 2,
		.steps = 7,
		.shown = 3,
		.pieces = 5,
		.covered = true,
		.options = {{"4", 12, true}, {"2", 3, false}},
		.n_options = 2,
		.began = 1700000000};
	struct buf line = {0};
	notes_write(&slide, &line);
	notes_server_tell(server, &line);
	buf_free(&line);
}

static int call(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	snprintf(address.sun_path, sizeof address.sun_path, "%s/simttutor/talk", folder);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
	return fd;
}

static void a_slide_comes_over(void **state)
{
	(void)state;
	struct diag diag = {0};
	struct notes_server *server = serve();
	struct notes_client *client = notes_client_new("talk", &diag);
	const char *why;
	assert_null(notes_client_slide(client, &why));
	assert_string_equal(why, "Nobody presents yet.");
	tell(server, "old", "");
	notes_client_step(client);
	notes_server_step(server);
	tell(server, "Two lanes\033[31m, \xff one bank", "Ask \"why\"\nand wait.");
	assert_int_equal(notes_server_peers(server), 1);
	assert_true(notes_client_step(client));
	const struct notes_slide *slide = notes_client_slide(client, &why);
	assert_non_null(slide);
	assert_non_null(strstr(slide->title, "one bank"));
	assert_string_equal(slide->notes, "Ask \"why\"\nand wait.");
	assert_int_equal(slide->options[0].hands, 12);
	assert_true(slide->options[0].right && slide->covered && !slide->blank);
	assert_int_equal(slide->began, 1700000000);
	assert_false(notes_client_step(client)); /* nothing new */
	notes_client_ask(client, "slide-next");
	assert_string_equal(notes_server_step(server), "slide-next");
	assert_null(notes_server_step(server));
	notes_server_close(server); /* the presenter is started again */
	assert_true(notes_client_step(client));
	assert_null(notes_client_slide(client, &why));
	assert_string_equal(why, "The presentation has ended.");
	server = serve();
	tell(server, "again", "");
	notes_client_step(client);
	notes_server_step(server);
	assert_true(notes_client_step(client));
	assert_string_equal(notes_client_slide(client, &why)->title, "again");
	notes_client_free(client); /* and so are the notes */
	notes_server_step(server);
	assert_int_equal(notes_server_peers(server), 0);
	notes_server_close(server);
	diag_free(&diag);
}

static void a_name_is_taken_once(void **state)
{
	(void)state;
	struct diag diag = {0};
	struct notes_server *server = serve();
	assert_null(notes_server_open("talk", &diag));
	assert_non_null(strstr(diag.entries[0].message, "another presentation's"));
	struct notes_server *other = notes_server_open("other", &diag);
	assert_non_null(other);
	notes_server_close(other);
	notes_server_close(server);
	notes_server_close(serve());
	assert_true(notes_name_check("a-1"));
	assert_false(
		notes_name_check("") || notes_name_check("../a") || notes_name_check("A") || notes_name_check("a/b"));
	diag_free(&diag);
}

/* A presenter that was killed leaves its socket. */
static void a_socket_that_was_left_is_replaced(void **state)
{
	(void)state;
	pid_t child = fork();
	if (child == 0) {
		serve();
		_exit(0);
	}
	assert_int_equal(waitpid(child, NULL, 0), child);
	notes_server_close(serve());
}

static void who_floods_is_not_waited_for(void **state)
{
	(void)state;
	static const char lines[] = "slide-next\nslide-next\nslide-next\nslide-next\n";
	struct notes_server *server = serve();
	int fd = call(), others = call(), asked = 0;
	for (int i = 0; i < 1000 && send(fd, lines, sizeof lines - 1, MSG_NOSIGNAL) > 0; i++)
		continue;
	assert_int_equal(send(others, "slide-blank\n", 12, MSG_NOSIGNAL), 12);
	bool heard = false; /* the other one has its turn */
	for (int i = 0; i < 12; i++) {
		const char *what = notes_server_step(server);
		asked += what && !strcmp(what, "slide-next");
		heard |= what && !strcmp(what, "slide-blank");
	}
	assert_true(asked > 0 && heard);
	close(fd);
	close(others);
	notes_server_close(server);
}

static void lines_without_end_end_the_connection(void **state)
{
	(void)state;
	struct notes_server *server = serve();
	int fd = call();
	char much[4096];
	memset(much, 'x', sizeof much);
	notes_server_step(server);
	assert_int_equal(notes_server_peers(server), 1);
	assert_true(send(fd, much, sizeof much, MSG_NOSIGNAL) > 0);
	for (int i = 0; i < 4; i++)
		assert_null(notes_server_step(server));
	assert_int_equal(notes_server_peers(server), 0);
	close(fd);
	notes_server_close(server);
}

/* What waits for them is one slide, however many there were. */
static void who_does_not_read_gets_the_newest(void **state)
{
	(void)state;
	struct diag diag = {0};
	struct notes_server *server = serve();
	struct notes_client *client = notes_client_new("talk", &diag);
	char *notes = malloc(100001), title[32];
	const char *why;
	memset(notes, 'n', 100000);
	notes[100000] = '\0';
	notes_client_step(client);
	notes_server_step(server);
	for (int i = 0; i < 200; i++) {
		snprintf(title, sizeof title, "slide %d", i);
		tell(server, title, notes);
		notes_server_step(server);
	}
	for (int i = 0; i < 100; i++) {
		notes_client_step(client);
		notes_server_step(server);
	}
	assert_string_equal(notes_client_slide(client, &why)->title, "slide 199");
	free(notes);
	notes_client_free(client);
	notes_server_close(server);
	diag_free(&diag);
}

static void there_is_room_for_some(void **state)
{
	(void)state;
	struct notes_server *server = serve();
	int fds[NOTES_PEERS_MAX];
	struct pollfd polls[NOTES_FDS_MAX];
	for (int i = 0; i < NOTES_PEERS_MAX; i++) {
		fds[i] = call();
		notes_server_step(server);
	}
	int more = call();
	notes_server_step(server);
	assert_int_equal(notes_server_peers(server), NOTES_PEERS_MAX);
	assert_int_equal(notes_server_fds(server, polls), NOTES_FDS_MAX);
	char byte;
	assert_int_equal(recv(more, &byte, 1, 0), 0);
	for (int i = 0; i < NOTES_PEERS_MAX; i++)
		close(fds[i]);
	close(more);
	notes_server_close(server);
}

static void a_presenter_that_lies_is_left(void **state)
{
	static const char *const lines[] = {"nonsense\n", "{}\n", "{\"simttutor_notes\": 2}\n", "[1]\n", "\n",
		"\xff\xfe\n", "{\"simttutor_notes\": 1, \"title\": 7, \"options\": [[], {}, 1]}\n"};
	(void)state;
	struct diag diag = {0};
	struct arena *arena = arena_new();
	struct notes_slide slide;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		assert_int_equal(notes_read(arena, lines[i], strlen(lines[i]), &slide), i == 6);
	assert_string_equal(slide.title, "");
	arena_free(arena);

	struct notes_server *server = serve();
	struct notes_client *client = notes_client_new("talk", &diag);
	struct buf line = {0};
	const char *why;
	for (size_t i = 0; i < 2 * NOTES_LINE_MAX; i++)
		buf_putc(&line, 'x');
	notes_client_step(client);
	notes_server_step(server);
	notes_server_tell(server, &line);
	for (int i = 0; i < 100 && notes_client_fd(client) >= 0; i++) {
		notes_client_step(client);
		notes_server_step(server);
	}
	assert_int_equal(notes_client_fd(client), -1);
	assert_null(notes_client_slide(client, &why));
	assert_string_equal(why, "What presents says more than a slide has.");
	buf_free(&line);
	notes_client_free(client);
	notes_server_close(server);
	diag_free(&diag);
}

static void a_folder_that_others_can_enter_is_refused(void **state)
{
	(void)state;
	char path[64];
	struct diag diag = {0};
	snprintf(path, sizeof path, "%s/simttutor", folder);
	assert_int_equal(chmod(path, 0755), 0);
	assert_null(notes_server_open("talk", &diag));
	assert_null(notes_client_new("talk", &diag));
	assert_int_equal(diag.errors, 2);
	assert_int_equal(chmod(path, 0700), 0);
	char elsewhere[80];
	snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", folder);
	assert_int_equal(rename(path, elsewhere), 0);
	assert_int_equal(symlink(elsewhere, path), 0);
	assert_null(notes_server_open("talk", &diag));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rename(elsewhere, path), 0);
	notes_server_close(serve());
	diag_free(&diag);
}

/* As another user, who could enter the folder. */
static void another_user_is_refused(void **state)
{
	(void)state;
	char path[80];
	if (geteuid() != 0)
		skip();
	struct notes_server *server = serve();
	snprintf(path, sizeof path, "%s/simttutor", folder);
	assert_int_equal(chmod(folder, 0711) | chmod(path, 0711), 0);
	strcat(path, "/talk");
	assert_int_equal(chmod(path, 0777), 0);
	pid_t child = fork();
	if (child == 0) {
		char byte;
		if (setuid(65534) != 0)
			_exit(2);
		int fd = call();
		struct timeval limit = {.tv_sec = 10};
		setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
		(void)send(fd, "slide-next\n", 11, MSG_NOSIGNAL);
		for (int i = 0; i < 1000 && recv(fd, &byte, 1, 0) < 0; i++)
			usleep(5000);
		_exit(recv(fd, &byte, 1, 0) == 0 ? 0 : 1);
	}
	int status = -1;
	for (int i = 0; i < 4000 && waitpid(child, &status, WNOHANG) == 0; i++) {
		assert_null(notes_server_step(server));
		usleep(2000);
	}
	assert_int_equal(status, 0);
	assert_int_equal(notes_server_peers(server), 0);
	notes_server_close(server);
	snprintf(path, sizeof path, "%s/simttutor", folder);
	assert_int_equal(chmod(path, 0700), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slide_comes_over),
		cmocka_unit_test(a_name_is_taken_once),
		cmocka_unit_test(a_socket_that_was_left_is_replaced),
		cmocka_unit_test(who_floods_is_not_waited_for),
		cmocka_unit_test(lines_without_end_end_the_connection),
		cmocka_unit_test(who_does_not_read_gets_the_newest),
		cmocka_unit_test(there_is_room_for_some),
		cmocka_unit_test(a_presenter_that_lies_is_left),
		cmocka_unit_test(a_folder_that_others_can_enter_is_refused),
		cmocka_unit_test(another_user_is_refused),
	};
	return cmocka_run_group_tests_name("notes", tests, make_folder, remove_folder);
}
