/* What a stranger may write, and a judge of what of it reaches an output.
 *
 *     hostile bytes SEED COUNT      strings of any bytes but NUL and '/', each ended by a NUL
 *     hostile text SEED COUNT       the same of valid UTF-8 without controls, a line each, as a lesson's file may have them
 *     hostile ptx SEED COUNT        PTX of a kernel k that prints such strings
 *     hostile printed SEED COUNT    what that kernel prints
 *     hostile watch [--screen] [--keys KEYS] [--canaries N] COMMAND...
 *                                   runs it on a terminal of its own and judges every byte that it writes there
 *     hostile judge [--canaries N]  judges standard input
 *     hostile member NAME           the bytes of a string of the JSON on standard input, back from the convention of
 *                                   escape_to_json (src/base/utf8.h)
 *     hostile document              judges the SVG or HTML on standard input: well-formed, and only characters to be seen
 *
 * Every string begins with a canary, K and six digits: N of them must be there. A judge prints what is wrong, with what
 * stands before it, and ends with status 1. The judge of --screen allows what curses writes; every sequence here that
 * looks like that has the parameter 31337. The tables of what is allowed are this file's own, not the program's. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CANARIES 1000000
#define KEY_IDLE_MS 50
#define DEADLINE_MS 60000

struct bytes {
	char *data;
	size_t len, cap;
};

static void add(struct bytes *b, const void *data, size_t len)
{
	if (b->len + len + 1 > b->cap) {
		b->cap = 2 * (b->len + len + 1);
		b->data = realloc(b->data, b->cap);
		if (!b->data)
			abort();
	}
	memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

static struct bytes read_all(int fd)
{
	struct bytes all = {0};
	char chunk[65536];
	add(&all, "", 0);
	for (ssize_t n; (n = read(fd, chunk, sizeof chunk)) > 0;)
		add(&all, chunk, (size_t)n);
	return all;
}

/* --- what is written ---------------------------------------------------------------------------------------------- */

static const char *const controls[] = {
	"\033]0;title\a",
	"\033]52;c;c2V0\a",
	"\033]52;c;c2V0\033\\",
	"\033]8;;http:\033\\link\033]8;;\033\\",
	"\033[31337J",
	"\033[31337;1H",
	"\033[?31337h",
	"\033[31337m",
	"\033[31337;5n",
	"\033P$q\"p\033\\",
	"\033_G\033\\",
	"\033^x\033\\",
	"\033Xy\033\\",
	"\033c",
	"\033#8",
	"\033|",
	"\033",
	"\033[",
	"\033[3",
	"\233"
	"31337J",
	"\235"
	"0;t\234",
	"\220q\234",
	"\302\233"
	"31337J",
	"\302\235"
	"0;t\302\234",
	"\302\205",
	"\302\200",
	"\302\237",
	"\a",
	"\b\b\b",
	"\r",
	"\r\n",
	"\n",
	"\nsimttutor: a line of my own",
	"\t",
	"\v",
	"\f",
	"\016",
	"\017",
	"\021",
	"\023",
	"\177",
	"\001",
	"\005",
	"\377",
	"\376\377",
	"\300\257",
	"\300\200",
	"\355\240\200",
	"\370\210\200\200\200",
	"\364\220\200\200",
	"\342\200",
	"\360\237",
	"\303",
	"\200",
	"\ufffe",
	"\U0001ffff",
};

static const char *const texts[] = {
	"\u202a",
	"\u202b",
	"\u202c",
	"\u202d",
	"\u202e",
	"\u2066",
	"\u2067",
	"\u2068",
	"\u2069",
	"\u200e",
	"\u200f",
	"\u061c",
	"\u200b",
	"\u200c",
	"\u200d",
	"\u2060",
	"\u2061",
	"\u2064",
	"\ufeff",
	"\u2028",
	"\u2029",
	"\ufe0f",
	"\ufe00",
	"\U000e0100",
	"\U000e0001",
	"\U000e0041",
	"\U000e007f",
	"\u034f",
	"\u115f",
	"\u3164",
	"\uffa0",
	"\u180e",
	"\u00ad",
	"\ufff9",
	"\ufffb",

	"\ue000",
	"\U0010fffd",
	"\U0010ff9b",
	"e\u0301\u0301\u0301",
	"\u6f22\u5b57",
	"\u00b5s",
	"< b \"",
	"&lt;",
	"]]>",
	"\\x1b",
	"a",
	"long words ",
	"-",
};

static uint64_t state;

static uint32_t pick(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % n;
}

#define PICK(table) (table)[pick(sizeof(table) / sizeof *(table))]

static void make(unsigned number, bool any, struct bytes *out)
{
	char canary[8];
	snprintf(canary, sizeof canary, "K%06u", number % CANARIES);
	add(out, canary, 7);
	for (uint32_t i = 1 + pick(4); i > 0; i--) {
		const char *piece = any && pick(4) ? PICK(controls) : PICK(texts);
		char one = (char)(1 + pick(255));
		if (any && pick(8) == 0 && one != '/' && one != '%')
			add(out, &one, 1);
		else if (!any || !strpbrk(piece, "/"))
			add(out, piece, strlen(piece));
	}
	add(out, "z", 1);
}

static void write_strings(unsigned seed, unsigned count, bool any, char end)
{
	state = seed;
	for (unsigned i = 0; i < count; i++) {
		struct bytes one = {0};
		make(i, any, &one);
		fwrite(one.data, 1, one.len, stdout);
		putchar(end);
		free(one.data);
	}
}

/* The strings are formats of printf, in one array. */
static void write_ptx(unsigned seed, unsigned count)
{
	struct bytes all = {0};
	size_t *at = calloc(count + 1, sizeof *at);
	state = seed;
	for (unsigned i = 0; i < count; i++) {
		make(i, true, &all);
		add(&all, "\n", 2);
		at[i + 1] = all.len;
	}
	printf(".version 8.0\n.target sm_90\n.address_size 64\n\n"
	       ".extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 args);\n"
	       ".global .align 1 .b8 texts[%zu] = {",
		all.len);
	for (size_t i = 0; i < all.len; i++)
		printf("%s%u", i == 0 ? "" : i % 32 ? "," : ",\n", (unsigned char)all.data[i]);
	printf("};\n\n.visible .entry k()\n{\n\t.reg .b64 %%rd<2>;\n\n");
	for (unsigned i = 0; i < count; i++)
		printf("\tmov.u64 %%rd1, texts+%zu;\n\tcall (_), vprintf, (%%rd1, 0);\n", at[i]);
	printf("\tret;\n}\n");
	free(all.data);
	free(at);
}

/* --- the judge ---------------------------------------------------------------------------------------------------- */

struct judge {
	bool screen;
	unsigned wrong;
	bool *seen; /* canaries */
	unsigned n_seen;
};

static void complain(struct judge *j, const struct bytes *all, size_t at, const char *what)
{
	if (j->wrong++ >= 5)
		return;
	fprintf(stderr, "%s at byte %zu, after: ", what, at);
	for (size_t i = at > 60 ? at - 60 : 0; i < at + 12 && i < all->len; i++) {
		unsigned char c = (unsigned char)all->data[i];
		fprintf(stderr, c >= ' ' && c < 0x7F ? "%c" : "<%02x>", c);
	}
	fputc('\n', stderr);
}

/* Length of the valid UTF-8 character there, 0 when it is none. */
static size_t decode(const struct bytes *all, size_t at, uint32_t *ch)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char c = (unsigned char)all->data[at];
	size_t n = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
	if (n == 0 || at + n > all->len)
		return 0;
	*ch = n == 1 ? c : c & (0x7Fu >> n);
	for (size_t i = 1; i < n; i++) {
		unsigned char more = (unsigned char)all->data[at + i];
		if ((more & 0xC0) != 0x80)
			return 0;
		*ch = *ch << 6 | (more & 0x3F);
	}
	return *ch < least[n] || *ch > 0x10FFFF || (*ch >= 0xD800 && *ch <= 0xDFFF) ? 0 : n;
}

/* Characters that are not seen, or that change how others are. */
static bool is_hidden(uint32_t ch)
{
	static const uint32_t ranges[][2] = {{0x7F, 0x9F}, {0xAD, 0xAD}, {0x34F, 0x34F}, {0x61C, 0x61C},
		{0x115F, 0x1160}, {0x180B, 0x180F}, {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},
		{0x3164, 0x3164}, {0xE000, 0xF8FF}, {0xFDD0, 0xFDEF}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF},
		{0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0x1FFFE, 0x1FFFF}, {0xE0000, 0x10FFFF}};
	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
		if (ch >= ranges[i][0] && ch <= ranges[i][1])
			return true;
	return false;
}

/* Length of the sequence at an ESC, 0 when it is not the program's own. */
static size_t own_sequence(const struct judge *j, const struct bytes *all, size_t at)
{
	static const char *const whole[] = {"\033]11;?\033\\" /* asks for the background's color */,
		"\033]104\007" /* curses, when it comes back: colors as they were */};
	const char *p = all->data + at + 1;
	for (size_t i = 0; j->screen && i < sizeof whole / sizeof *whole; i++)
		if (strncmp(p - 1, whole[i], strlen(whole[i])) == 0)
			return strlen(whole[i]);
	if (*p != '[') {
		size_t n = *p == '(' || *p == ')' ? 2 : 1;
		return j->screen && strchr("()78=>M", *p) && *p && (n == 1 || p[1] == 'B' || p[1] == '0') ? n + 1 : 0;
	}
	size_t n = strspn(p + 1, j->screen ? "0123456789;?>" : "0123456789;");
	if (memmem(p + 1, n, "31337", 5) || !p[1 + n] ||
		!strchr(j->screen ? "ABCDGHJKLMPSTXZbdfhlmrt@" : "m", p[1 + n]))
		return 0;
	return n + 3;
}

static bool allowed_control(const struct judge *j, const struct bytes *all, size_t at)
{
	switch (all->data[at]) {
	case '\n':
	case '\t': return true;
	case '\r': return j->screen || all->data[at + 1] == '\n' || all->data[at + 1] == '\r';
	case '\b':
	case 016:
	case 017: return j->screen;
	default: return false;
	}
}

static void judge_bytes(struct judge *j, const struct bytes *all)
{
	for (size_t i = 0, n; i < all->len; i += n ? n : 1) {
		uint32_t ch;
		n = decode(all, i, &ch);
		if (n == 0) {
			complain(j, all, i, "invalid UTF-8");
		} else if (ch == 033) {
			n = own_sequence(j, all, i);
			if (n == 0)
				complain(j, all, i, "a sequence that is not the program's");
		} else if (ch < ' ') {
			if (!allowed_control(j, all, i))
				complain(j, all, i, "a control character");
		} else if (is_hidden(ch)) {
			complain(j, all, i, "a hidden character");
		} else if (ch == 'K' && i + 7 <= all->len && strspn(all->data + i + 1, "0123456789") >= 6) {
			char digits[7] = {0};
			memcpy(digits, all->data + i + 1, 6);
			bool *seen = &j->seen[strtoul(digits, NULL, 10)];
			j->n_seen += !*seen;
			*seen = true;
		}
	}
}

static int judge(const struct bytes *all, bool screen, unsigned canaries)
{
	struct judge j = {.screen = screen, .seen = calloc(CANARIES, sizeof(bool))};
	judge_bytes(&j, all);
	if (j.n_seen < canaries) {
		fprintf(stderr, "%u canaries of %u\n", j.n_seen, canaries);
		j.wrong++;
	}
	free(j.seen);
	return j.wrong ? 1 : 0;
}

/* --- the terminal ------------------------------------------------------------------------------------------------- */

static pid_t start(char **argv, int *terminal)
{
	struct winsize size = {.ws_row = 50, .ws_col = 160};
	*terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (*terminal < 0 || grantpt(*terminal) != 0 || unlockpt(*terminal) != 0)
		return -1;
	const char *name = ptsname(*terminal);
	ioctl(*terminal, TIOCSWINSZ, &size);
	pid_t pid = fork();
	if (pid != 0)
		return pid;
	setsid();
	int fd = open(name, O_RDWR);
	setenv("TERM", "xterm-256color", 1);
	for (int i = 0; i < 3; i++)
		dup2(fd, i);
	close(fd);
	execvp(argv[0], argv);
	_exit(127);
}

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* A key is sent whenever the screen has come to rest. */
static int watch(char **argv, const char *keys, bool screen, unsigned canaries)
{
	struct bytes all = {0};
	int terminal;
	char chunk[65536];
	double deadline = now_ms() + DEADLINE_MS;
	pid_t pid = start(argv, &terminal);
	if (pid < 0) {
		perror("hostile: a terminal");
		return 99;
	}
	add(&all, "", 0);
	while (now_ms() < deadline) {
		struct pollfd fd = {terminal, POLLIN, 0};
		int ready = poll(&fd, 1, *keys ? KEY_IDLE_MS : 1000);
		if (ready > 0) {
			ssize_t n = read(terminal, chunk, sizeof chunk);
			if (n <= 0)
				break; /* EIO: its last process has ended */
			add(&all, chunk, (size_t)n);
		} else if (ready == 0 && *keys && all.len) {
			if (write(terminal, keys++, 1) != 1)
				break;
		}
	}
	bool late = now_ms() >= deadline;
	if (late)
		kill(-pid, SIGKILL);
	waitpid(pid, NULL, 0);
	fwrite(all.data, 1, all.len, stdout);
	if (late)
		fprintf(stderr, "it did not end\n");
	int status = judge(&all, screen, canaries);
	free(all.data);
	return late ? 1 : status;
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static int write_member(const char *name)
{
	json_error_t error;
	json_t *root = json_loadf(stdin, JSON_REJECT_DUPLICATES, &error), *member = json_object_get(root, name);
	if (!json_is_string(member)) {
		fprintf(stderr, "no string %s: %s\n", name, error.text);
		return 1;
	}
	struct bytes text = {(char *)json_string_value(member), json_string_length(member), 0};
	for (size_t i = 0, n; i < text.len; i += n) {
		uint32_t ch = 0;
		n = decode(&text, i, &ch);
		if (ch >= 0x10FF00)
			putchar((int)(ch & 0xFF));
		else
			fwrite(text.data + i, 1, n, stdout);
	}
	json_decref(root);
	return 0;
}

/* --- documents ---------------------------------------------------------------------------------------------------- */

#define DEPTH_MAX 32

/* Whether each element is closed by its own tag. */
static bool is_well_formed(const char *text)
{
	char open[DEPTH_MAX][16];
	int depth = 0;
	for (const char *p = text; (p = strpbrk(p, "<&")) != NULL;) {
		char name[16] = "";
		if (*p == '&') {
			if (strncmp(p, "&amp;", 5) && strncmp(p, "&lt;", 4) && strncmp(p, "&gt;", 4) &&
				strncmp(p, "&quot;", 6))
				return false;
			p++;
			continue;
		}
		const char *end = strchr(p, '>');
		bool closes = p[1] == '/';
		if (!end || (sscanf(p + 1 + closes, "%15[a-zA-Z!]", name) != 1))
			return false;
		if (closes && (depth == 0 || strcmp(open[--depth], name)))
			return false;
		bool whole = end[-1] == '/' || name[0] == '!' || !strcmp(name, "meta");
		if (!closes && !whole) {
			if (depth == DEPTH_MAX)
				return false;
			strcpy(open[depth++], name);
		}
		p = end + 1;
	}
	return depth == 0;
}

static int judge_document(unsigned canaries)
{
	struct bytes all = read_all(STDIN_FILENO);
	int status = judge(&all, false, canaries);
	if (!is_well_formed(all.data)) {
		fprintf(stderr, "not well-formed\n");
		status = 1;
	}
	free(all.data);
	return status;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "", *keys = "";
	unsigned long first = argc > 2 ? strtoul(argv[2], NULL, 10) : 0,
		      count = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
	unsigned canaries = 0;
	bool screen = false;
	int at = 2;
	if (!strcmp(what, "bytes") || !strcmp(what, "text"))
		return write_strings((unsigned)first, (unsigned)count, *what == 'b', *what == 'b' ? '\0' : '\n'), 0;
	if (!strcmp(what, "printed"))
		return write_strings((unsigned)first, (unsigned)count, true, '\n'), 0;
	if (!strcmp(what, "ptx"))
		return write_ptx((unsigned)first, (unsigned)count), 0;
	if (!strcmp(what, "member") && argc > 2)
		return write_member(argv[2]);
	for (; at < argc && argv[at][0] == '-'; at++) {
		if (!strcmp(argv[at], "--screen"))
			screen = true;
		else if (!strcmp(argv[at], "--keys") && at + 1 < argc)
			keys = argv[++at];
		else if (!strcmp(argv[at], "--canaries") && at + 1 < argc)
			canaries = (unsigned)strtoul(argv[++at], NULL, 10);
	}
	if (!strcmp(what, "watch") && at < argc)
		return watch(argv + at, keys, screen, canaries);
	if (!strcmp(what, "document"))
		return judge_document(canaries);
	if (!strcmp(what, "judge")) {
		struct bytes all = read_all(STDIN_FILENO);
		int status = judge(&all, screen, canaries);
		free(all.data);
		return status;
	}
	fprintf(stderr, "hostile: what?\n");
	return 2;
}
