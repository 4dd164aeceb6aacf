/* base/file: what is read, what is replaced, and how. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/portable.h"
#include "side_by_side.h"

/* A folder of its own, which is the current one during a test. */
static char folder[PATH_MAX];

static int enter(void **state)
{
	(void)state;
	snprintf(folder, sizeof folder, "/tmp/simttutor-test-XXXXXX");
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	(void)state;
	char command[PATH_MAX + 32];
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void assert_text(const char *path, const char *expected)
{
	char text[200] = "";
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(text, expected);
}

static unsigned mode_of(const char *path)
{
	struct stat info;
	assert_int_equal(lstat(path, &info), 0);
	return info.st_mode;
}

/* How many names are in the folder. */
static int names_there(void)
{
	int n = 0;
	FILE *list = popen("ls -A | wc -l", "r");
	assert_non_null(list);
	assert_int_equal(fscanf(list, "%d", &n), 1);
	pclose(list);
	return n;
}

typedef bool write_function(const char *path, const char *data, size_t len, struct diag *diag);

static void assert_written(write_function *write, const char *path, const char *text)
{
	struct diag diag = {0};
	if (!write(path, text, strlen(text), &diag))
		fail_msg("%s: %s", path, diag.entries[0].message);
	assert_int_equal(diag.count, 0);
}

static void assert_refused(write_function *write, const char *path, const char *why)
{
	struct diag diag = {0};
	assert_false(write(path, "new", 3, &diag));
	assert_int_equal(diag.errors, 1);
	assert_string_equal(diag.entries[0].file, path);
	if (!strstr(diag.entries[0].message, why))
		fail_msg("'%s' has no '%s'", diag.entries[0].message, why);
	diag_free(&diag);
}

static void assert_unreadable(const char *path, const char *why)
{
	struct diag diag = {0};
	struct buf text = {0};
	double start = clock_ms();
	assert_false(file_read(path, 1000, &text, &diag));
	assert_true(clock_ms() - start < 2000);
	if (!strstr(diag.entries[0].message, why))
		fail_msg("'%s' has no '%s'", diag.entries[0].message, why);
	diag_free(&diag);
	buf_free(&text);
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void a_file_is_replaced(void **state)
{
	(void)state;
	assert_written(file_write, "one/two/file", "first");
	assert_text("one/two/file", "first");
	assert_written(file_write, "one/two/file", "second");
	assert_text("one/two/file", "second");
	assert_written(file_write, "file", "");
	assert_text("file", "");
	assert_int_equal(names_there(), 2);
}

static void a_mode_is_kept(void **state)
{
	(void)state;
	static const unsigned modes[] = {0600, 0640, 0644, 0666, 0755, 0700, 0200};
	umask(022);
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		put("file", "old");
		assert_int_equal(chmod("file", modes[i]), 0);
		assert_written(file_write, "file", "new");
		assert_int_equal(mode_of("file") & 07777, modes[i]);
		unlink("file");
	}
	assert_written(file_write, "file", "new");
	assert_int_equal(mode_of("file") & 07777, 0644);
}

/* Root could replace it all the same. */
static void a_read_only_file_is_not_replaced(void **state)
{
	(void)state;
	put("file", "old");
	assert_int_equal(chmod("file", 0444), 0);
	assert_refused(file_write, "file", geteuid() == 0 ? "read-only" : "cannot write");
	assert_refused(file_write_private, "file", "cannot write");
	assert_text("file", "old");
	assert_int_equal(names_there(), 1);
}

static void links_are_followed(void **state)
{
	(void)state;
	assert_int_equal(mkdir("folder", 0777), 0);
	put("folder/file", "old");
	assert_int_equal(symlink("folder/file", "link"), 0);
	assert_int_equal(symlink("link", "link2"), 0);
	assert_written(file_write, "link2", "new");
	assert_text("folder/file", "new");
	assert_true(S_ISLNK(mode_of("link2")));
	assert_true(S_ISLNK(mode_of("link")));
	assert_int_equal(symlink("nothing", "dangling"), 0);
	assert_refused(file_write, "dangling", "link to a file that does not exist");
	assert_refused(file_create, "dangling", "link to a file that does not exist");
	assert_int_equal(access("nothing", F_OK), -1);
	assert_int_equal(symlink("loop", "loop"), 0);
	assert_refused(file_write, "loop", "symbolic links");
}

/* The other name of a file keeps what it had. */
static void another_name_keeps_the_old_text(void **state)
{
	(void)state;
	put("file", "old");
	assert_int_equal(link("file", "other"), 0);
	assert_written(file_write, "file", "new");
	assert_text("other", "old");
}

static void nothing_is_created_over_something(void **state)
{
	(void)state;
	put("file", "old");
	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_int_equal(mkdir("folder", 0700), 0);
	assert_refused(file_create, "file", "File exists");
	assert_refused(file_create, "fifo", "File exists");
	assert_refused(file_create, "folder", "File exists");
	assert_refused(file_write, "folder", "directory");
	assert_text("file", "old");
	assert_written(file_create, "new", "text");
	assert_text("new", "text");
	put("unreadable", "old");
	assert_int_equal(chmod("unreadable", 0), 0);
	assert_refused(file_create, "unreadable", "File exists");
}

static void *read_fifo(void *ctx)
{
	char *text = ctx;
	int fd = open("fifo", O_RDONLY);
	text[fd < 0 ? 0 : read(fd, text, 20)] = '\0';
	close(fd);
	return NULL;
}

static void a_fifo_is_written_to(void **state)
{
	(void)state;
	char text[32] = "";
	pthread_t reader;
	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_int_equal(pthread_create(&reader, NULL, read_fifo, text), 0);
	assert_written(file_write, "fifo", "through");
	pthread_join(reader, NULL);
	assert_string_equal(text, "through");
	assert_true(S_ISFIFO(mode_of("fifo")));
	assert_refused(file_write_private, "fifo", "no regular file");
	assert_refused(file_write, "fifo", "that FIFO has no reader");
	assert_true(S_ISFIFO(mode_of("fifo")));
}

static void a_socket_stays(void **state)
{
	(void)state;
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
	assert_refused(file_write, "socket", "it is a socket");
	assert_true(S_ISSOCK(mode_of("socket")));
	close(fd);
}

static void a_device_stays(void **state)
{
	(void)state;
	if (mknod("null", S_IFCHR | 0666, makedev(1, 3)) != 0 || access("null", W_OK) != 0)
		skip();
	int fd = open("null", O_WRONLY);
	if (fd < 0)
		skip(); /* a folder where devices are dead */
	close(fd);
	assert_written(file_write, "null", "gone");
	assert_true(S_ISCHR(mode_of("null")));
	assert_int_equal(mknod("full", S_IFCHR | 0666, makedev(1, 7)), 0);
	assert_refused(file_write, "full", "No space left");
	assert_true(S_ISCHR(mode_of("full")));
	assert_int_equal(mknod("zero", S_IFCHR | 0666, makedev(1, 5)), 0);
	assert_unreadable("zero", "it is a device");
}

static void an_open_descriptor_is_written_to(void **state)
{
	(void)state;
	int fd = open("file", O_WRONLY | O_CREAT, 0600);
	char name[40];
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "before ", 7), 7);
	snprintf(name, sizeof name, "/dev/fd/%d", fd);
	assert_written(file_write, name, "after");
	close(fd);
	assert_text("file", "before after");
	assert_refused(file_write, "/dev/fd/999", "Bad file descriptor");
	assert_int_equal(file_descriptor("/dev/stdout"), 1);
	assert_int_equal(file_descriptor("/proc/self/fd/12"), 12);
	assert_int_equal(file_descriptor("/dev/fd/"), -1);
	assert_int_equal(file_descriptor("/dev/fd/1x"), -1);
	assert_int_equal(file_descriptor("/dev/fd/123456789"), -1);
	assert_int_equal(file_descriptor("/dev/null"), -1);
}

static void a_failed_write_leaves_the_old_file_alone(void **state)
{
	(void)state;
	struct rlimit before, limit;
	static char large[100000];
	struct diag diag = {0};
	put("file", "old");
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = (struct rlimit){.rlim_cur = 1000, .rlim_max = before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	bool old = file_write("file", large, sizeof large, &diag), new = file_write("new", large, sizeof large, &diag);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_false(old);
	assert_false(new);
	assert_text("file", "old");
	assert_int_equal(names_there(), 1);
	diag_free(&diag);
}

/* A sanitizer sees what is read past the end of it. */
static void no_name_is_an_error(void **state)
{
	(void)state;
	struct diag diag = {0};
	assert_false(file_write("", "new", 3, &diag));
	assert_false(file_create("", "new", 3, &diag));
	assert_int_equal(names_there(), 0);
	diag_free(&diag);
}

/* Names that somebody who foresaw them had made links of. */
static void temporary_names_are_not_foreseen(void **state)
{
	(void)state;
	char name[60];
	put("victim", "old");
	for (long pid = getpid() - 2; pid < getpid() + 3; pid++) {
		snprintf(name, sizeof name, "file.%ld.new", pid);
		assert_int_equal(symlink("victim", name), 0);
	}
	assert_written(file_write, "file", "new");
	assert_text("victim", "old");
	assert_text("file", "new");
}

static void put_old(const char *name)
{
	put(name, "half");
	const struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
	assert_int_equal(utimensat(AT_FDCWD, name, times, AT_SYMLINK_NOFOLLOW), 0);
}

static void leftovers_are_removed(void **state)
{
	(void)state;
	static const char *const stay[] = {".simttutor-new-0123456789abcde", ".simttutor-new-0123456789abcdef0",
		".simttutor-new-0123456789ABCDEF", "simttutor-new-0123456789abcdef", "file"};
	for (size_t i = 0; i < sizeof stay / sizeof *stay; i++)
		put_old(stay[i]);
	put(".simttutor-new-1111111111111111", "under way");
	assert_int_equal(symlink("file", ".simttutor-new-2222222222222222"), 0);
	put_old(".simttutor-new-0123456789abcdef");
	put_old(".simttutor-new-3333333333333333");
	file_remove_leftovers(".");
	assert_int_equal(names_there(), (int)(sizeof stay / sizeof *stay) + 2);
	assert_int_equal(access(".simttutor-new-3333333333333333", F_OK), -1);
	assert_text("file", "half");
	file_remove_leftovers("nothing");
}

static void a_private_file_is_the_users_whatever_the_umask(void **state)
{
	(void)state;
	static const mode_t masks[] = {0777, 0177, 0377, 0200};
	struct diag diag = {0};
	struct buf text = {0};
	for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
		char path[32];
		snprintf(path, sizeof path, "state%zu/own/file", i);
		umask(masks[i]);
		assert_written(file_write_private, path, "new");
		assert_int_equal(umask(022), masks[i]);
		assert_int_equal(mode_of(path) & 07777, 0600);
		*strrchr(path, '/') = '\0';
		assert_int_equal(mode_of(path) & 07777, 0700);
		path[strlen(path)] = '/';
		buf_clear(&text);
		assert_true(file_read_private(path, 100, &text, &diag));
		assert_string_equal(text.data, "new");
	}
	buf_free(&text);
	diag_free(&diag);
}

/* What cannot be written leaves no folders that were made for it, and those that were there. */
static void folders_of_a_failure_go_again(void **state)
{
	(void)state;
	char name[300];
	memset(name, 'x', sizeof name - 1); /* longer than a file's name may be */
	name[sizeof name - 1] = '\0';
	char path[400];
	assert_int_equal(mkdir("there", 0777), 0);
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof path, i ? "there/new/%s/file" : "there/new/newer/%s", name);
		assert_refused(i ? file_write : file_create, path, strerror(ENAMETOOLONG));
		assert_int_equal(access("there", F_OK), 0);
		assert_int_equal(access("there/new", F_OK), -1);
	}
}

static void a_private_file_is_the_users_alone(void **state)
{
	(void)state;
	struct diag diag = {0};
	struct buf text = {0};
	umask(0);
	assert_written(file_write_private, "state/own/file", "new");
	assert_int_equal(mode_of("state/own/file") & 07777, 0600);
	assert_int_equal(mode_of("state/own") & 07777, 0700);
	assert_int_equal(mode_of("state") & 07777, 0700);
	assert_int_equal(chmod("state/own/file", 0666), 0);
	assert_written(file_write_private, "state/own/file", "newer");
	assert_int_equal(mode_of("state/own/file") & 07777, 0600);
	assert_int_equal(chmod("state/own", 0777), 0);
	assert_true(file_make_folder_private("state/own", &diag));
	assert_int_equal(mode_of("state/own") & 07777, 0700);
	assert_true(file_make_folder_private("missing", &diag));
	assert_true(file_read_private("state/own/file", 100, &text, &diag));
	assert_string_equal(text.data, "newer");
	if (geteuid() == 0) {
		buf_clear(&text);
		assert_int_equal(chown("state/own/file", 65534, 65534), 0);
		assert_refused(file_write_private, "state/own/file", "belongs to another user");
		assert_false(file_read_private("state/own/file", 100, &text, &diag));
		assert_int_equal(chown("state/own", 65534, 65534), 0);
		assert_false(file_make_folder_private("state/own", &diag));
		assert_int_equal(diag.errors, 2);
	}
	umask(022);
	buf_free(&text);
	diag_free(&diag);
}

static void owner_and_group_are_kept(void **state)
{
	(void)state;
	struct stat info;
	if (geteuid() != 0)
		skip();
	put("file", "old");
	assert_int_equal(chown("file", 65534, 65533), 0);
	assert_int_equal(chmod("file", 0660), 0);
	assert_written(file_write, "file", "new");
	assert_int_equal(stat("file", &info), 0);
	assert_int_equal(info.st_uid, 65534);
	assert_int_equal(info.st_gid, 65533);
	assert_int_equal(info.st_mode & 07777, 0660);
}

static void a_new_name_takes_no_other_file(void **state)
{
	(void)state;
	put("a", "a");
	put("b", "b");
	assert_false(file_rename_new("a", "b"));
	assert_int_equal(errno, EEXIST);
	assert_text("b", "b");
	assert_true(file_rename_new("a", "c"));
	assert_text("c", "a");
	assert_int_equal(names_there(), 2);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void only_regular_files_are_read(void **state)
{
	(void)state;
	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_int_equal(symlink("fifo", "link"), 0);
	assert_int_equal(symlink("/dev/zero", "zero"), 0);
	assert_unreadable("fifo", "it is a FIFO");
	assert_unreadable("link", "it is a FIFO");
	assert_unreadable("zero", "it is a device");
	assert_unreadable("/dev/zero", "it is a device");
	assert_unreadable(".", "it is a folder");
#ifdef HAVE_LINUX_MAGIC_H
	assert_unreadable("/proc/kmsg", "cannot");
	assert_unreadable("/proc/self/environ", "files of /proc are not");
	assert_unreadable("/proc/self/mem", "files of /proc are not");
#endif
	assert_unreadable("nothing", "cannot open: No such file");
	put("large", "0123456789");
	assert_int_equal(truncate("large", 1001), 0);
	assert_unreadable("large", "larger than the limit of 1000 bytes");
	assert_int_equal(truncate("large", (off_t)1 << 40), 0);
	assert_unreadable("large", "larger than the limit of 1000 bytes");
}

static void a_pipe_is_read_by_its_descriptor(void **state)
{
	(void)state;
	struct diag diag = {0};
	struct buf text = {0};
	int ends[2];
	char name[40];
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "piped", 5), 5);
	close(ends[1]);
	snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
	assert_true(file_read(name, 100, &text, &diag));
	assert_string_equal(text.data, "piped");
	close(ends[0]);
	buf_free(&text);
}

static void text_is_read_without_its_mark(void **state)
{
	(void)state;
	struct diag diag = {0};
	struct buf text = {0};
	put("bom", "\xEF\xBB\xBFtext");
	put("only", "\xEF\xBB\xBF");
	put("utf16", "\xFF\xFEt");
	put("big", "\xFE\xFFt");
	buf_puts(&text, "before ");
	assert_true(file_read_text("bom", 100, &text, &diag));
	assert_string_equal(text.data, "before text");
	assert_int_equal(text.len, 11);
	buf_clear(&text);
	assert_true(file_read_text("only", 100, &text, &diag));
	assert_int_equal(text.len, 0);
	put("windows", "one\r\ntwo\r\n\rthree\r");
	assert_true(file_read_text("windows", 100, &text, &diag));
	assert_string_equal(text.data, "one\ntwo\n\rthree\r");
	assert_int_equal(text.len, 15);
	buf_clear(&text);
	assert_true(file_read("bom", 100, &text, &diag));
	assert_int_equal(text.len, 7);
	assert_false(file_read_text("utf16", 100, &text, &diag));
	assert_false(file_read_text("big", 100, &text, &diag));
	assert_string_equal(diag.entries[1].message, "is text in UTF-16; save it as UTF-8");
	buf_free(&text);
	diag_free(&diag);
}

static void below_is_below(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int why; /* 0: it is opened */
	} rows[] = {
		{"file", 0},
		{"sub/file", 0},
		{"sub/../file", 0},
		{"./sub/./file", 0},
		{"../in/file", 0},
		{"inner", 0},
		{"inner_absolute", 0},
		{"../out", EXDEV},
		{"sub/../../out", EXDEV},
		{"../in2/file", EXDEV},
		{"link", EXDEV},
		{"link_absolute", EXDEV},
		{"up/out", EXDEV},
		{"/etc/passwd", EXDEV},
		{"/proc/self/environ", EXDEV},
		{"/dev/zero", EXDEV},
		{"zero", EXDEV},
		{"fifo", EINVAL},
		{"sub", EINVAL},
		{"nothing", ENOENT},
		{"", EXDEV},
		{".", EXDEV},
		{"..", EXDEV},
	};
	char absolute[PATH_MAX + 16];
	assert_int_equal(system("mkdir -p in/sub in2 && echo x > in/file && echo x > in/sub/file && echo x > out && "
				"echo x > in2/file && mkfifo in/fifo && ln -s ../out in/link && ln -s .. in/up && "
				"ln -s sub/file in/inner && ln -s \"$PWD/in/file\" in/inner_absolute && "
				"ln -s \"$PWD/out\" in/link_absolute && ln -s /dev/zero in/zero"),
		0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int fd = file_open_below("in", rows[i].name), why = fd < 0 ? errno : 0;
		if (why != rows[i].why)
			fail_msg("%s: %s, not %s", rows[i].name, strerror(why), strerror(rows[i].why));
		if (fd >= 0)
			close(fd);
	}
	snprintf(absolute, sizeof absolute, "%s/in/file", folder);
	int fd = file_open_below("in", absolute);
	assert_true(fd >= 0);
	close(fd);
	fd = file_open_below(".", "in/file");
	assert_true(fd >= 0);
	close(fd);
	fd = file_open_below("/", absolute);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(file_open_below("nowhere", "file"), -1);
}

int main(void)
{
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)
	const struct CMUnitTest tests[] = {
		TEST(a_file_is_replaced),
		TEST(a_mode_is_kept),
		TEST(a_read_only_file_is_not_replaced),
		TEST(links_are_followed),
		TEST(another_name_keeps_the_old_text),
		TEST(nothing_is_created_over_something),
		TEST(a_fifo_is_written_to),
		TEST(a_socket_stays),
		TEST(a_device_stays),
		TEST(an_open_descriptor_is_written_to),
		TEST(a_failed_write_leaves_the_old_file_alone),
		TEST(no_name_is_an_error),
		TEST(temporary_names_are_not_foreseen),
		TEST(leftovers_are_removed),
		TEST(a_private_file_is_the_users_whatever_the_umask),
		TEST(folders_of_a_failure_go_again),
		TEST(a_private_file_is_the_users_alone),
		TEST(owner_and_group_are_kept),
		TEST(a_new_name_takes_no_other_file),
		TEST(only_regular_files_are_read),
		TEST(a_pipe_is_read_by_its_descriptor),
		TEST(text_is_read_without_its_mark),
		TEST(below_is_below),
	};
	return run_side_by_side("file", tests, sizeof tests / sizeof tests[0], NULL, NULL);
}
