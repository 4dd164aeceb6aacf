#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef HAVE_MALLOC_H
#include <malloc.h>
#endif

#include <cmocka.h>

#include "base/arena.h"
#include "base/demangle.h"
#include "base/diag.h"
#include "base/elf.h"
#include "base/expr.h"
#include "base/hash.h"
#include "base/narrow.h"
#include "base/portable.h"
#include "base/utf8.h"
#include "tools/sandbox/process.h"

/* Large blocks are given back when they are freed, and are not kept once one of their size was. */
static void large_blocks_go_back_to_the_system(void **state)
{
	(void)state;
#if defined HAVE_MALLOC_H && defined __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 33)
	const size_t before = mallinfo2().hblks;
	void *block = base_malloc(64u << 20);
	const bool counts = mallinfo2().hblks == before + 1; /* not in place of malloc: valgrind's, a sanitizer's */
	free(block);
	if (!counts)
		skip();
	base_memory_begin();
	for (int i = 0; i < 3; i++) {
		block = base_malloc(8u << 20);
		assert_int_equal(mallinfo2().hblks, before + 1);
		free(block);
		assert_int_equal(mallinfo2().hblks, before);
	}
#else
	skip();
#endif
#else
	skip();
#endif
}

static void arena_gives_zeroed_aligned_memory(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	for (size_t size = 1; size < 100000; size = size * 3 + 1) {
		unsigned char *p = arena_alloc(arena, size);
		assert_int_equal((uintptr_t)p % sizeof(double), 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xFF, size);
	}
	assert_string_equal(arena_printf(arena, "%d-%s", 7, "x"), "7-x");
	assert_null(arena_adopt(arena, NULL));
	assert_string_equal(
		arena_adopt(arena, base_strdup("taken over")), "taken over"); /* a leak to ASan if it is not freed */
	arena_free(arena);
}

static void vec_grows_and_keeps(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct pair {
		int a, b;
	} *own = NULL, *of_arena = NULL;
	uint32_t n_own = 0, cap_own = 0;
	int n_of_arena = 0, cap_of_arena = 0;
	for (int i = 0; i < 1000; i++) {
		*vec_push(own, n_own, cap_own) = (struct pair){i, -i};
		struct pair *p = vec_push_in(arena, of_arena, n_of_arena, cap_of_arena);
		assert_int_equal(p->b, 0);
		p->a = i;
	}
	assert_int_equal(n_own, 1000);
	assert_true(cap_own >= 1000 && cap_own < 2048);
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(own[i].b, -i);
		assert_int_equal(of_arena[i].a, i);
	}
	const struct pair *before = own;
	vec_reserve(own, n_own, cap_own, cap_own - n_own);
	assert_ptr_equal(own, before);
	free(own);
	arena_free(arena);
}

static void hash_finds_all_of_a_key(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct hash_table table;
	struct hash_link *links = arena_array(arena, struct hash_link, 3000);
	hash_init(&table, arena);
	for (int i = 0; i < 3000; i++) {
		const char *key = arena_printf(arena, "key %d", i / 3);
		hash_add(&table, &links[i], key, strlen(key));
	}
	hash_remove(&table, &links[301]);
	for (int i = 0; i < 1000; i++) {
		const char *key = arena_printf(arena, "key %d", i);
		int n = 0;
		for (const struct hash_link *l = hash_find(&table, key, strlen(key)); l; l = hash_next(l), n++)
			assert_string_equal(l->key, key);
		assert_int_equal(n, i == 100 ? 2 : 3);
	}
	assert_null(hash_find(&table, "key 1", 4));
	arena_free(arena);
}

static void diag_shows_the_line_and_a_caret(void **state)
{
	(void)state;
	static const char text[] = "one\n\ttwo \xC3\xA9 three\n";
	struct diag diag = {0};
	struct diag_pos pos = {.file = "f", .line = 2, .col = 9, .text = text, .text_len = sizeof text - 1};
	diag_error(&diag, pos, "no %s", "good");
	struct buf out = {0};
	diag_format(&diag, &out);
	assert_string_equal(out.data, "simttutor: f:2:9: no good\n    \ttwo \xC3\xA9 three\n    \t      ^\n");
	assert_int_equal(diag.errors, 1);
	buf_free(&out);
	diag_free(&diag);
}

/* Nothing in a file name, a message or a line of source makes a line of its own, and the caret stands under its
 * column. */
static void diag_shows_what_others_wrote(void **state)
{
	(void)state;
	static const char text[] = "\t\xC2\x9B\u6f22 x\x1B[2J\r\n";
	struct diag diag = {0};
	struct diag_pos pos = {.file = "a\nb\x1B", .line = 1, .col = 8, .text = text, .text_len = sizeof text - 1};
	diag_error(&diag, pos, "no '%s'", "\x07\nsimttutor: all is well\n      more");
	struct buf out = {0};
	diag_format(&diag, &out);
	assert_string_equal(buf_str(&out),
		"simttutor: a\\nb\\x1b:1:8: no '\\x07\n    simttutor: all is well\n      more'\n"
		"    \t\\u009b\u6f22 x\\x1b[2J\n"
		"    \t         ^\n");
	buf_free(&out);
	diag_free(&diag);
}

static void diag_names_a_place_once(void **state)
{
	(void)state;
	struct diag diag = {0};
	struct diag_pos pos = {.file = "f", .line = 2, .col = 9};
	diag_error(&diag, pos, "no good");
	diag_error(&diag, pos, "no good");
	diag_error(&diag, pos, "no better");
	diag_error(&diag, (struct diag_pos){0}, "nowhere");
	diag_error(&diag, (struct diag_pos){0}, "nowhere");
	assert_int_equal(diag.count, 4);
	assert_int_equal(diag.errors, 5);
	diag_free(&diag);
}

static void diag_keeps_a_bounded_number(void **state)
{
	(void)state;
	struct diag diag = {0};
	for (int i = 0; i < 1000; i++)
		diag_error(&diag, (struct diag_pos){0}, "fault %d", i);
	assert_int_equal(diag.count, DIAG_MAX);
	assert_int_equal(diag.errors, 1000);
	diag_free(&diag);
}

static const char *const lane_name[] = {"lane"};
static const struct expr_names lane_names = {.names = lane_name, .n = 1};

static int64_t eval(const char *text, int64_t lane)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	const struct expr *e = expr_parse(arena, "EXPR", text, &lane_names, &diag);
	assert_non_null(e);
	int64_t v = 0;
	const char *why = NULL;
	assert_true(expr_eval(e, &lane, &v, &why));
	diag_free(&diag);
	arena_free(arena);
	return v;
}

static void expr_follows_c(void **state)
{
	(void)state;
	assert_int_equal(eval("1+2*3", 0), 7);
	assert_int_equal(eval("(1+2)*3", 0), 9);
	assert_int_equal(eval("10-3-2", 0), 5);
	assert_int_equal(eval("lane*33", 5), 165);
	assert_int_equal(eval("(lane*32 + (lane^7))%1024", 31), (31 * 32 + (31 ^ 7)) % 1024);
	assert_int_equal(eval("1 << 4 | 1", 0), 17);
	assert_int_equal(eval("lane & 1 ? 100 : lane > 2 ? 7 : 8", 4), 7);
	assert_int_equal(eval("-7 / 2", 0), -3);
	assert_int_equal(eval("-7 % 2", 0), -1);
	assert_int_equal(eval("!0 + ~0", 0), 0);
	assert_int_equal(eval("0x10 + 010 + 0b11 + 5u", 0), 16 + 8 + 3 + 5);
	assert_int_equal(eval("0 && 1/0", 0), 0);
	assert_int_equal(eval("1 || 1/0", 0), 1);
	assert_int_equal(eval("2 == 2 != 0", 0), 1);
	assert_int_equal(eval("1 | 6 ^ 3 & 2", 0), 1 | (6 ^ (3 & 2)));
}

static void expr_faults_name_the_column(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int col;
	} faults[] = {
		{"", 1},
		{"lane*", 6},
		{"lain", 1},
		{"1 +* 2", 4},
		{"(1", 1},
		{"1)", 2},
		{"09", 2},
		{"99999999999999999999", 1},
		{"1 ? 2", 6},
		{"0x", 1},
		{"1 = 2", 3},
	};
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		struct arena *arena = arena_new();
		struct diag diag = {0};
		assert_null(expr_parse(arena, "EXPR", faults[i].text, &lane_names, &diag));
		assert_int_equal(diag.count, 1);
		assert_int_equal(diag.entries[0].col, faults[i].col);
		diag_free(&diag);
		arena_free(arena);
	}
}

static void expr_survives_depth_and_bad_arithmetic(void **state)
{
	(void)state;
	static const char *const bad[] = {"1/0", "1%(lane-lane)", "1<<64", "1>>-1"};
	struct arena *arena = arena_new();
	struct diag diag = {0};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const struct expr *e = expr_parse(arena, "EXPR", bad[i], &lane_names, &diag);
		assert_non_null(e);
		int64_t lane = 3, v;
		const char *why = NULL;
		assert_false(expr_eval(e, &lane, &v, &why));
		assert_non_null(why);
	}
	assert_int_equal(eval("(-9223372036854775807-1) / -1", 0), INT64_MIN);
	char deep[4000];
	memset(deep, '(', sizeof deep - 1);
	deep[sizeof deep - 1] = '\0';
	assert_null(expr_parse(arena, "EXPR", deep, &lane_names, &diag));
	memset(deep, '-', sizeof deep - 1);
	assert_null(expr_parse(arena, "EXPR", deep, &lane_names, &diag));
	diag_free(&diag);
	arena_free(arena);
}

/* --- expressions over numbers: x is 3, y 2.5, a the array {10, 20, 30}, t[N] a term whose value is N -------------- */

static bool element(void *ctx, int array, int64_t index, struct number *out, const char **why)
{
	(void)ctx, (void)array;
	*why = "outside";
	*out = number_whole(10 * (index + 1));
	return index >= 0 && index < 3;
}

static int read_term(void *ctx, const char *name, size_t len, const char **at, const char **why)
{
	(void)ctx;
	if (len != 1 || *name != 't')
		return -1;
	*why = "a term wants [";
	if (**at != '[')
		return -1;
	int digit = (*at)[1] - '0';
	*at += 3;
	return digit;
}

static bool term(void *ctx, int number, struct number *out, const char **why)
{
	(void)ctx;
	*why = "nine is missing";
	*out = number_real(number);
	return number != 9;
}

static const struct expr *parse_numbers(struct arena *arena, const char *text, struct diag *diag)
{
	static const char *const names[] = {"x", "y"}, *const arrays[] = {"a"};
	const struct expr_names scope = {.names = names, .n = 2, .arrays = arrays, .n_arrays = 1, .term = read_term};
	return expr_parse_numbers(arena, "EXPR", text, &scope, diag);
}

static bool number_of(const char *text, uint64_t work, struct number *out, const char **why)
{
	const struct number names[] = {number_whole(3), number_real(2.5)};
	const struct expr_values values = {.names = names, .element = element, .term = term, .work = &work};
	struct arena *arena = arena_new();
	struct diag diag = {0};
	const struct expr *e = parse_numbers(arena, text, &diag);
	assert_non_null(e);
	bool ok = expr_number(e, &values, out, why);
	arena_free(arena);
	return ok;
}

static void expr_numbers_are_whole_or_real_as_in_c(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		bool real;
		double v;
	} cases[] = {
		{"x / 2", false, 1},
		{"x / 2.0", true, 1.5},
		{"y * 2", true, 5},
		{".5 + 1e1", true, 10.5},
		{"x == 3.0", false, 1},
		{"1 < 0.5 || y > 2", false, 1},
		{"a[1] + a[x - 1]", false, 50},
		{"sum(k, 0, x, a[k])", false, 60},
		{"sum(k, 0, x, sum(m, 0, k, m * 0.5))", true, 0.5},
		{"sum(k, 5, 5, k)", false, 0},
		{"sum(x, 0, 3, x)", false, 3},
		{"gcd(12, 0 - 32)", false, 4},
		{"max(x, y)", true, 3},
		{"min(7, x)", false, 3},
		{"abs(0 - y)", true, 2.5},
		{"sqrt(16)", true, 4},
		{"exp(0) + log(1)", true, 1},
		{"floor(y)", true, 2},
		{"t[7] > t[6] ? t[1] : t[9]", true, 1},
		{"0 && t[9]", false, 0},
		{"!y", false, 0},
		{"-y", true, -2.5},
		{"0x10", false, 16},
		{"2 ? 1 : 0", false, 1},
		{"0.5 ? 1 : 2", false, 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct number got;
		const char *why = NULL;
		assert_true(number_of(cases[i].text, 1000, &got, &why));
		assert_int_equal(got.real, cases[i].real);
		assert_true(number_as_real(got) >= cases[i].v && number_as_real(got) <= cases[i].v);
	}
}

static void expr_numbers_say_why_there_is_none(void **state)
{
	(void)state;
	static const struct {
		const char *text, *why;
	} cases[] = {
		{"a[3]", "outside"},
		{"a[y]", "an index must be a whole number"},
		{"t[9] + 1", "nine is missing"},
		{"x % (x - 3)", "division by zero"},
		{"y & 1", "this operator takes whole numbers"},
		{"~y", "this operator takes whole numbers"},
		{"sum(k, 0, y, 1)", "the bounds of a sum must be whole numbers"},
		{"sum(k, 0, 1000000, k)", "takes too long to compute"},
	};
	struct arena *arena = arena_new();
	struct number got;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *why = NULL;
		assert_false(number_of(cases[i].text, 1000, &got, &why));
		assert_string_equal(why, cases[i].why);
	}
	static const struct {
		const char *text;
		int col;
		const char *message;
	} faults[] = {
		{"t + 1", 2, "a term wants ["},
		{"1.2.3", 4, "unexpected after the expression"},
		{"a", 1, "unknown name 'a'"},
		{"a[1", 4, "expected ']'"},
		{"cube(1)", 1, "unknown function"},
		{"min(1)", 6, "expected ','"},
		{"sum(1, 2)", 5, "expected the name"},
		{"sum(k, 0, 1, j)", 14, "unknown name 'j'"},
		{"k", 1, "unknown name"},
		{"sum(a,0,1,sum(b,0,1,sum(c,0,1,sum(d,0,1,sum(e,0,1,1)))))", 45, "too many sums"},
	};
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		struct diag diag = {0};
		assert_null(parse_numbers(arena, faults[i].text, &diag));
		assert_int_equal(diag.count, 1);
		assert_int_equal(diag.entries[0].col, faults[i].col);
		assert_non_null(strstr(diag.entries[0].message, faults[i].message));
		diag_free(&diag);
	}
	arena_free(arena);
}

static void process_finds_programs(void **state)
{
	(void)state;
	static const char *const names[] = {"no-such-program", "sh", NULL}, *const none[] = {"no-such-program", NULL};
	struct arena *arena = arena_new();
	const char *found = process_find(arena, "SIMTTUTOR_TEST_NOT_SET", names);
	assert_true(found && *found == '/');
	assert_non_null(strstr(found, "/sh"));
	assert_null(process_find(arena, "SIMTTUTOR_TEST_NOT_SET", none));
	arena_free(arena);
}

static int write_and_wait(void *ctx)
{
	printf("%s\n", (const char *)ctx);
	fflush(stdout);
	sleep(60);
	return 0;
}

static int leave_a_copy(void *ctx)
{
	struct process p = PROCESS_NONE;
	struct buf why = {0};
	int *end = ctx;
	char text[] = "a copy";
	if (!process_fork(&p, write_and_wait, text, &why))
		return 1;
	close(*end);
	return raise(SIGKILL);
}

/* Ours, `end` and all, are gone when nobody can write to it. */
static void a_copy_ends_when_its_parent_is_killed(void **state)
{
	(void)state;
	struct buf why = {0};
	struct process p = PROCESS_NONE;
	int ends[2];
	char byte;
	assert_int_equal(pipe(ends), 0);
	assert_true(process_fork(&p, leave_a_copy, &ends[1], &why));
	close(ends[1]);
	struct pollfd left = {.fd = ends[0], .events = POLLIN};
	assert_int_equal(poll(&left, 1, 30000), 1);
	assert_int_equal(read(ends[0], &byte, 1), 0);
	close(ends[0]);
	process_kill(&p);
	buf_free(&why);
}

static void versions_are_compared_by_their_numbers(void **state)
{
	(void)state;
	static const char *const ascending[] = {"", "000", "00", "01", "010", "09", "0", "1", "9", "10", "a", "a0",
		"a1", "a2b", "a2c", "a10b", "a10.5", "b"};
	const int n = sizeof ascending / sizeof *ascending;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			int order = portable_compare_versions(ascending[i], ascending[j]);
#ifdef __GLIBC__
			int theirs = strverscmp(ascending[i], ascending[j]);
			assert_int_equal((order > 0) - (order < 0), (theirs > 0) - (theirs < 0));
#else
			if (!strpbrk(ascending[i], ".") && !strpbrk(ascending[j], "."))
				assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
#endif
		}
}

static void random_bytes_differ(void **state)
{
	(void)state;
	unsigned char a[16] = {0}, b[16] = {0};
	assert_true(portable_random(a, sizeof a));
	assert_true(portable_random(b, sizeof b));
	assert_memory_not_equal(a, b, sizeof a);
}

static void a_temporary_file_has_no_name(void **state)
{
	(void)state;
	struct stat info;
	int fd = portable_temporary_file();
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &info), 0);
	assert_int_equal(info.st_nlink, 0);
	assert_int_equal(info.st_size, 0);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	close(fd);
}

static void signals_are_seen_and_taken(void **state)
{
	(void)state;
	struct signals signals;
	sigset_t set, before;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	assert_true(signals_open(&signals, &set));
	assert_false(signals_are_there(&signals));
	assert_int_equal(signals_take(&signals), 0);
	raise(SIGUSR2);
	struct pollfd fd = {.fd = signals.fd, .events = POLLIN};
	for (int i = 0; i < 1000 && !signals_are_there(&signals); i++)
		poll(&fd, 1, signals_timeout_ms(&signals, 1000));
	assert_true(signals_are_there(&signals));
	assert_true(signals_are_there(&signals)); /* it stays */
	assert_int_equal(signals_take(&signals), SIGUSR2);
	assert_int_equal(signals_take(&signals), 0);
	signals_close(&signals);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void process_fork_is_read_and_killed(void **state)
{
	(void)state;
	char text[] = "here";
	struct process p = PROCESS_NONE;
	struct buf out = {0}, why = {0};
	assert_true(process_fork(&p, write_and_wait, text, &why));
	pid_t pid = p.pid;
	while (process_read(&p, &out, 100) == 0 || !out.len)
		usleep(1000);
	assert_string_equal(out.data, "here\n");
	assert_false(process_ended(&p));
	process_kill(&p);
	assert_int_equal(p.pid, 0);
	assert_int_equal(kill(pid, 0), -1);
	process_kill(&p);
	buf_free(&out);
	buf_free(&why);
}

/* `text` in lines of `cols` columns, a bar between them. */
static const char *wrapped(struct arena *arena, const char *text, int cols, enum wrap_break at)
{
	struct buf out = {0};
	for (size_t len = strlen(text), next; len > 0; text += next, len -= next) {
		size_t n = wrap_line(text, len, cols, at, &next);
		buf_printf(&out, "%s%.*s", out.len ? "|" : "", (int)n, text);
	}
	char *copy = arena_strdup(arena, buf_str(&out));
	buf_free(&out);
	return copy;
}

static void wrap_breaks_at_blanks_and_slashes(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	static const struct {
		const char *text;
		int cols;
		enum wrap_break at;
		const char *lines;
	} cases[] = {
		{"two words", 9, WRAP_AT_BLANKS, "two words"},
		{"two words", 8, WRAP_AT_BLANKS, "two|words"},
		{"two  words", 3, WRAP_AT_BLANKS, "two|wor|ds"},
		{"one two\n\nthree", 80, WRAP_AT_BLANKS, "one two||three"},
		{"two   \nwords ", 5, WRAP_AT_BLANKS, "two|words"},
		{"\xC3\xA9\xC3\xA9 \xE4\xB8\x80x", 3, WRAP_AT_BLANKS, "\xC3\xA9\xC3\xA9|\xE4\xB8\x80x"},
		{"\xE4\xB8\x80\xE4\xB8\x80", 1, WRAP_AT_BLANKS, "\xE4\xB8\x80|\xE4\xB8\x80"},
		{"a\xC2\xA0"
		 "b c",
			4, WRAP_AT_BLANKS,
			"a\xC2\xA0"
			"b|c"},
		{" indented", 4, WRAP_AT_BLANKS, " ind|ente|d"},
		{"   far", 2, WRAP_AT_BLANKS, "fa|r"},
		{"of cudaFuncAttributeMaxDynamicSharedMemorySize bytes", 32, WRAP_AT_BLANKS,
			"of|cudaFuncAttributeMaxDynamic|SharedMemorySize bytes"},
		{"global_load_sectors_per_request", 20, WRAP_AT_BLANKS, "global_load_sectors_|per_request"},
		{"aBcdefghij", 8, WRAP_AT_BLANKS, "aBcdefgh|ij"},
		{"/usr/my files/x", 10, WRAP_AFTER_SLASHES, "/usr/|my files/x"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(wrapped(arena, cases[i].text, cases[i].cols, cases[i].at), cases[i].lines);
	arena_free(arena);
}

static void utf8_counts_columns(void **state)
{
	(void)state;
	assert_int_equal(utf8_columns("abc"), 3);
	assert_int_equal(utf8_columns("\xE2\x94\x8C\xE2\x94\x80"), 2); /* box drawing */
	assert_int_equal(utf8_columns("e\xCC\x81"), 1);                /* combining acute */
	assert_int_equal(utf8_columns("\xE6\xBC\xA2"), 2);             /* a wide character */
	assert_int_equal(utf8_columns("\xFF\xC3"), 8);                 /* invalid: \\xff\\xc3 */
}

static void utf8_keeps_invalid_bytes(void **state)
{
	(void)state;
	char out[4];
	for (int byte = 0x80; byte <= 0xFF; byte++) {
		char text = (char)byte;
		uint32_t ch;
		assert_int_equal(utf8_decode(&text, 1, &ch), 1);
		assert_int_equal(utf8_invalid_byte(ch), byte);
		assert_int_equal(utf8_put(ch, out), 1);
		assert_int_equal(out[0], text);
	}
	assert_int_equal(utf8_invalid_byte(0xFFFD), -1);
	assert_int_equal(utf8_put(0xD800, out), 3);
	assert_memory_equal(out, "\xEF\xBF\xBD", 3);
}

static void check_escaped(const char *text, enum escape_form form, const char *expected)
{
	struct buf out = {0}, twice = {0};
	escape_text(text, strlen(text), form, &out);
	assert_string_equal(buf_str(&out), expected);
	escape_text(buf_str(&out), out.len, form, &twice);
	assert_string_equal(buf_str(&twice), expected);
	buf_free(&out);
	buf_free(&twice);
}

static void escape_shows_what_controls(void **state)
{
	(void)state;
	check_escaped("a\tb\n\r", ESCAPE_LINE, "a\\tb\\n\\r");
	check_escaped("a\tb\n\r", ESCAPE_BLOCK, "a\tb\n\\r");
	check_escaped("\x1B[1m\x1B[2J\x1B]0;t\x07", ESCAPE_BLOCK, "\\x1b[1m\\x1b[2J\\x1b]0;t\\x07");
	check_escaped(
		"\x1B[1;38;5;7m\x1B[2J\x1B[m\x1B[?1m\x1B[", ESCAPE_SGR, "\x1B[1;38;5;7m\\x1b[2J\x1B[m\\x1b[?1m\\x1b[");
	check_escaped("\x7F\xC2\x9B\xFF\xC2", ESCAPE_LINE, "\\x7f\\u009b\\xff\\xc2");
	check_escaped("\xED\xA0\x80\xC0\x80", ESCAPE_LINE, "\\xed\\xa0\\x80\\xc0\\x80"); /* a surrogate, a long NUL */
	check_escaped("\u200e\u202e\u2066\u061c\u200b\u2028\ufe0f\ufeff\U000e0041\u00ad", ESCAPE_BLOCK,
		"\\u200e\\u202e\\u2066\\u061c\\u200b\\u2028\\ufe0f\\ufeff\\U000e0041\\u00ad");
	check_escaped("\u00b5s \u2260 e\u0301 \u6f22 \u00a0", ESCAPE_LINE, "\u00b5s \u2260 e\u0301 \u6f22 \u00a0");
}

/* The columns counted are those of what is shown, for every character. */
static void escape_agrees_with_widths(void **state)
{
	(void)state;
	for (uint32_t ch = 1; ch <= 0x10FFFF; ch++) {
		char out[ESCAPE_MAX];
		int columns = escape_char(ch, out);
		assert_int_equal(columns == 0, utf8_is_graphic(ch));
		if (!columns)
			continue;
		assert_int_equal(utf8_width(ch), columns);
		assert_int_equal(strlen(out), columns);
	}
}

static void check_json(const char *bytes, size_t len, const char *expected)
{
	struct buf out = {0};
	escape_to_json(bytes, len, &out);
	assert_string_equal(buf_str(&out), expected);
	buf_free(&out);
}

static void escape_loses_nothing_in_json(void **state)
{
	(void)state;
	struct buf out = {0};
	check_json("a\x1B\xC2\x9B", 4, "a\x1B\xC2\x9B");
	check_json("\xFF", 1, "\U0010ffff");
	check_json("\x00", 1, "\U0010ff00");
	check_json("\U0010ffff", 4, "\U0010fff4\U0010ff8f\U0010ffbf\U0010ffbf");
	static const char json[] = "{\n \"\u00b5\x7F\xC2\x9B\u202e\U000e0041\": 1}";
	escape_json(json, strlen(json), &out);
	assert_string_equal(buf_str(&out), "{\n \"\u00b5\\u007f\\u009b\\u202e\\udb40\\udc41\": 1}");
	buf_free(&out);
}

/* What c++filt says of them, but for where const and blanks stand. */
static void functions_are_demangled(void **state)
{
	(void)state;
	static const struct {
		const char *mangled, *text;
	} cases[] = {
		{"_Z7stencilILi1EEvPKfPfi", "stencil<1>(const float *, float *, int)"},
		{"_Z7stencilPKiPii", "stencil(const int *, int *, int)"},
		{"_ZN2ns7stencilIfLb1EEEvPKT_PS1_S1_", "ns::stencil<float, true>(const float *, float *, float)"},
		{"_Z3mapPFffEPfj", "map(float (*)(float), float *, unsigned)"},
		{"_ZN12_GLOBAL__N_14scanEPKdPVj", "(anonymous namespace)::scan(const double *, volatile unsigned *)"},
		{"_Z1kN4cuda3std5tupleIJifEEE", "k(cuda::std::tuple<int, float>)"},
		{"_Z3fooPA4_fRKS_", "foo(float (*)[4], const float (&)[4])"},
		{"_ZL3barv", "bar()"},
		{"_Z1kIiEv3VecIT_EPS1_", "k<int>(Vec<int>, int *)"},
		{"_Z1fPKPKc", "f(const char *const *)"},
		{"_Z3addI6float4EvPT_S2_i", "add<float4>(float4 *, float4 *, int)"},
		{"_Z4axpyPK6__halfPS_", "axpy(const __half *, __half *)"},
		{"_ZL4coef", "coef"},
		{"_ZN2ns4coefE", "ns::coef"},
		{"_Z1gPFvPFviEE", "g(void (*)(void (*)(int)))"},
		{"_Z1hN1a1bIiLin3EE1cE", "h(a::b<int, -3>::c)"},
		{"_ZN6cudapy8__main__3incB2v1B7aTag_3dE5ArrayIfLi1E1C7mutable7alignedE",
			"cudapy::__main__::inc(Array<float, 1, C, mutable, aligned>)"},
		{"_Z4distI7functor5stateI4XORWEdJEEvllDpT2_", "dist<functor, state<XORW>, double>(long, long)"},
		{"_Z1fIiJfdEEvT_DpPKT0_", "f<int, float, double>(int, const float *, const double *)"},
		{"_Z1gIJEEvDpT_", "g<>()"},
		{"_Z1kIJibEdEvT0_DpRT_", "k<int, bool, double>(double, int &, bool &)"},
		{"_Z1fIiEvDpT_", "_Z1fIiEvDpT_"},
		{"_Z1kPKvSt4pairIiiE", "k(const void *, std::pair<int, int>)"},
		/* not read, or no names of functions */
		{"stencil", "stencil"},
		{"_Z", "_Z"},
		{"_Z7sten", "_Z7sten"},
		{"_Z1kIXsr1aE1bEEvv", "_Z1kIXsr1aE1bEEvv"},
		{"_Z1kS_", "_Z1kS_"},
		{"_Z1kT_", "_Z1kT_"},
		{"_Z1kS99999999_", "_Z1kS99999999_"},
		{"_Z99999999999999999999k", "_Z99999999999999999999k"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena *arena = arena_new();
		assert_string_equal(demangle_signature(arena, cases[i].mangled), cases[i].text);
		arena_free(arena);
	}
}

static void a_function_goes_by_several_names(void **state)
{
	(void)state;
	static const char mangled[] = "_ZN2ns7stencilIfLb1EEEvPKT_PS1_S1_";
	static const char *const names[] = {mangled, "stencil", "ns::stencil", "stencil<float,true>",
		"ns::stencil<float, true>", "ns::stencil< float,true >(const float*, float*, float)",
		"stencil<float, true>(const float *, float *, float)"};
	static const char *const others[] = {"", "ns", "stencil<float>", "stencil<float, false>", "other::stencil",
		"stencil<float, true>(float)", "ns::stencil<float, true>x", "::stencil"};
	struct arena *arena = arena_new();
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_true(demangle_is(arena, mangled, names[i]));
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		assert_false(demangle_is(arena, mangled, others[i]));
	assert_true(demangle_is(arena, "plain", "plain"));
	assert_true(demangle_is(arena, "_Z1kIXsr1aE1bEEvv", "k"));
	arena_free(arena);
}

/* Substitutions of substitutions end somewhere. */
static void hostile_names_end(void **state)
{
	(void)state;
	struct buf name = {0};
	struct arena *arena = arena_new();
	buf_puts(&name, "_Z1k1aI1bS_E");
	for (int i = 0; i < 60; i++)
		buf_printf(&name, "1aIS%c_S%c_E", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i % 36], "0123456789"[i % 10]);
	demangle_signature(arena, buf_str(&name));
	buf_clear(&name);
	buf_puts(&name, "_Z1k");
	for (int i = 0; i < 10000; i++)
		buf_putc(&name, 'P');
	assert_string_equal(demangle_signature(arena, buf_str(&name)), buf_str(&name));
	buf_free(&name);
	arena_free(arena);
}

static void mangled_names_are_read(void **state)
{
	static const struct {
		const char *name, *source;
	} cases[] = {
		{"_Z9histogramPKji", "histogram"},
		{"_ZZ9histogramPKjiPjE5count", "count"},
		{"_Z4treeii", "tree"},
		{"histogram", NULL},
		{"_Z", NULL},
		{"_Z0", NULL},
		{"_Z99short", NULL},
		{"_ZN3foo3barEv", NULL},
		{"_ZZ9histogramPKjiPjE5counts", NULL},
		{"", NULL},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t len = 0;
		const char *source = mangled_source(cases[i].name, strlen(cases[i].name), &len);
		if (cases[i].source) {
			assert_non_null(source);
			assert_int_equal(len, strlen(cases[i].source));
			assert_memory_equal(source, cases[i].source, len);
		} else {
			assert_null(source);
		}
	}
}

/* Every binary16 comes back, and a number between two of them goes where the rounding says. */
static void halves_round_as_asked(void **state)
{
	(void)state;
	for (uint32_t bits = 0; bits < 0x7C00; bits++) {
		double low = narrow_half_to_double(bits),
		       high = bits == 0x7BFF ? 0x1p16 : narrow_half_to_double(bits + 1);
		double middle = (low + high) / 2;
		assert_int_equal(narrow_encode(low, &narrow_half, NARROW_NEAREST), bits);
		assert_int_equal(narrow_encode(-low, &narrow_half, NARROW_DOWN), bits | 0x8000);
		assert_int_equal(narrow_encode(middle, &narrow_half, NARROW_NEAREST), bits + (bits & 1));
		assert_int_equal(narrow_encode(middle, &narrow_half, NARROW_AWAY), bits + 1);
		assert_int_equal(narrow_encode(middle, &narrow_half, NARROW_ZERO), bits);
		assert_int_equal(narrow_encode(-middle, &narrow_half, NARROW_UP), bits | 0x8000);
		assert_int_equal(narrow_encode(middle, &narrow_half, NARROW_UP), bits + 1);
	}
	assert_int_equal(narrow_encode((double)NAN, &narrow_half, NARROW_NEAREST), 0x7FFF);
	assert_int_equal(narrow_encode(-(double)INFINITY, &narrow_half, NARROW_ZERO), 0xFC00);
	assert_true(isnan(narrow_half_to_double(0x7E00)));
}

/* The quick way to nearest gives what the general one does: at every exponent and past both ends, at the middle between
 * two numbers, beside it, and where a carry runs up to the exponent. */
static void the_quick_way_rounds_to_nearest(void **state)
{
	(void)state;
	static const struct narrow_format formats[] = {
		{10, 5, false}, {7, 8, false}, {10, 8, false}, {3, 4, true}, {2, 5, false}};
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		const struct narrow_format *f = &formats[i];
		double unit = ldexp(1, -f->fraction);
		for (int exponent = -160; exponent <= 140; exponent++)
			for (double v = 1; v < 2; v += unit)
				for (int part = 0; part < 8; part++) {
					static const double parts[] = {
						0, 0x1p-30, 0.25, 0.5 - 0x1p-30, 0.5, 0.5 + 0x1p-30, 0.75, 1 - 0x1p-30};
					double number = ldexp(v + parts[part] * unit, exponent);
					assert_int_equal(
						narrow_nearest(number, f), narrow_encode(number, f, NARROW_NEAREST));
					assert_int_equal(
						narrow_nearest(-number, f), narrow_encode(-number, f, NARROW_NEAREST));
				}
		static const double others[] = {0, -0.0, (double)INFINITY, -(double)INFINITY, (double)NAN, 0x1p-1074};
		for (size_t k = 0; k < sizeof others / sizeof *others; k++)
			assert_int_equal(narrow_nearest(others[k], f), narrow_encode(others[k], f, NARROW_NEAREST));
	}
}

/* As cksum(1) prints them. */
static void checksums_are_those_of_posix(void **state)
{
	(void)state;
	static const char half[] = "hello\n";
	struct cksum sum = {0};
	assert_int_equal(cksum_value(&sum), 4294967295u);
	cksum_add(&sum, half, 2);
	cksum_add(&sum, half + 2, 4);
	assert_int_equal(cksum_value(&sum), 3015617425u);
	assert_int_equal(sum.len, 6);
}

/* A file with a table of symbols: a function, a variable, and a function of another file. */
struct program_file {
	Elf64_Ehdr head;
	Elf64_Shdr sections[4];
	Elf64_Sym symbols[4];
	char names[32], section_names[16];
};

static struct program_file program_file(void)
{
	struct program_file f = {.names = "\0first\0number\0elsewhere", .section_names = "\0.symtab"};
	memcpy(f.head.e_ident, ELFMAG, SELFMAG);
	f.head.e_ident[EI_CLASS] = ELFCLASS64;
	f.head.e_ident[EI_DATA] = ELFDATA2LSB;
	f.head.e_shoff = offsetof(struct program_file, sections);
	f.head.e_shentsize = sizeof(Elf64_Shdr);
	f.head.e_shnum = 4;
	f.head.e_shstrndx = 3;
	f.sections[1] = (Elf64_Shdr){.sh_name = 1,
		.sh_type = SHT_SYMTAB,
		.sh_link = 2,
		.sh_offset = offsetof(struct program_file, symbols),
		.sh_size = sizeof f.symbols};
	f.sections[2] = (Elf64_Shdr){
		.sh_type = SHT_STRTAB, .sh_offset = offsetof(struct program_file, names), .sh_size = sizeof f.names};
	f.sections[3] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct program_file, section_names),
		.sh_size = sizeof f.section_names};
	f.symbols[1] = (Elf64_Sym){.st_name = 1, .st_info = STT_FUNC, .st_shndx = 1, .st_value = 0x40, .st_size = 16};
	f.symbols[2] = (Elf64_Sym){.st_name = 7, .st_info = 1, .st_shndx = 1, .st_value = 0x80};
	f.symbols[3] = (Elf64_Sym){.st_name = 14, .st_info = STT_FUNC, .st_shndx = SHN_UNDEF};
	return f;
}

static struct elf_symbols symbols_of(struct arena *arena, const struct program_file *file, size_t len)
{
	struct elf elf;
	return elf_read(arena, file, len, &elf) ? elf_read_symbols(arena, &elf, SHT_SYMTAB) : (struct elf_symbols){0};
}

static void functions_of_a_file_are_found(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct program_file file = program_file();
	struct elf_symbols symbols = symbols_of(arena, &file, sizeof file);
	assert_int_equal(symbols.n, 4);
	const Elf64_Sym *first = elf_find_function(&symbols, "first");
	assert_non_null(first);
	assert_int_equal(first->st_value, 0x40);
	assert_null(elf_find_function(&symbols, "number"));    /* a variable */
	assert_null(elf_find_function(&symbols, "elsewhere")); /* not of this file */
	assert_null(elf_find_function(&symbols, "third"));

	/* Names that do not end within the file, and symbols that have none there. */
	file.names[sizeof file.names - 1] = 'x';
	assert_int_equal(symbols_of(arena, &file, sizeof file).n, 0);
	file = program_file();
	file.symbols[1].st_name = sizeof file.names;
	symbols = symbols_of(arena, &file, sizeof file);
	assert_null(elf_function_name(&symbols, 1));
	file = program_file();
	file.sections[1].sh_link = 9;
	assert_int_equal(symbols_of(arena, &file, sizeof file).n, 0);
	arena_free(arena);
}

static void a_damaged_file_has_what_symbols_it_has(void **state)
{
	(void)state;
	static const unsigned char values[] = {0, 1, 0x7F, 0x80, 0xFF};
	for (size_t i = 0; i < sizeof(struct program_file); i++)
		for (size_t k = 0; k < sizeof values; k++) {
			struct arena *arena = arena_new();
			struct program_file *file = malloc(sizeof *file); /* for ASan to see its end */
			assert_non_null(file);
			*file = program_file();
			((unsigned char *)file)[i] = values[k];
			struct elf_symbols symbols = symbols_of(arena, file, sizeof *file);
			const Elf64_Sym *first = elf_find_function(&symbols, "first");
			assert_true(!first || first < symbols.at + symbols.n);
			free(file);
			arena_free(arena);
		}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_of_a_file_are_found),
		cmocka_unit_test(a_damaged_file_has_what_symbols_it_has),
		cmocka_unit_test(arena_gives_zeroed_aligned_memory),
		cmocka_unit_test(large_blocks_go_back_to_the_system),
		cmocka_unit_test(checksums_are_those_of_posix),
		cmocka_unit_test(vec_grows_and_keeps),
		cmocka_unit_test(hash_finds_all_of_a_key),
		cmocka_unit_test(diag_shows_the_line_and_a_caret),
		cmocka_unit_test(diag_shows_what_others_wrote),
		cmocka_unit_test(diag_names_a_place_once),
		cmocka_unit_test(diag_keeps_a_bounded_number),
		cmocka_unit_test(expr_follows_c),
		cmocka_unit_test(expr_faults_name_the_column),
		cmocka_unit_test(expr_survives_depth_and_bad_arithmetic),
		cmocka_unit_test(expr_numbers_are_whole_or_real_as_in_c),
		cmocka_unit_test(expr_numbers_say_why_there_is_none),
		cmocka_unit_test(utf8_counts_columns),
		cmocka_unit_test(utf8_keeps_invalid_bytes),
		cmocka_unit_test(escape_shows_what_controls),
		cmocka_unit_test(escape_agrees_with_widths),
		cmocka_unit_test(escape_loses_nothing_in_json),
		cmocka_unit_test(wrap_breaks_at_blanks_and_slashes),
		cmocka_unit_test(process_finds_programs),
		cmocka_unit_test(process_fork_is_read_and_killed),
		cmocka_unit_test(a_copy_ends_when_its_parent_is_killed),
		cmocka_unit_test(versions_are_compared_by_their_numbers),
		cmocka_unit_test(random_bytes_differ),
		cmocka_unit_test(a_temporary_file_has_no_name),
		cmocka_unit_test(signals_are_seen_and_taken),
		cmocka_unit_test(functions_are_demangled),
		cmocka_unit_test(a_function_goes_by_several_names),
		cmocka_unit_test(hostile_names_end),
		cmocka_unit_test(mangled_names_are_read),
		cmocka_unit_test(halves_round_as_asked),
		cmocka_unit_test(the_quick_way_rounds_to_nearest),
	};
	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
