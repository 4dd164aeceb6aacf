/* Courses and submissions as a hostile author may write them.
 *
 *     courses SEED COUNT DIR    DIR/lessons/I-hN: COUNT lessons, each with an exercise and a recording; DIR/kernels/hN.ptx and .cu
 *
 * Each is a sound lesson in which values were replaced and texts damaged. The same seed makes the same courses. What
 * they name outside is CANARY, in the environment. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_MAX 262144
#define PATH_LENGTH 4096

static uint64_t state;
static const char *canary;

static uint32_t pick(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 32) % n;
}

#define PICK(table) (table)[pick(sizeof(table) / sizeof *(table))]

/* --- what is put in ----------------------------------------------------------------------------------------------- */

static const char *const pieces[] = {
	"",
	"0",
	"-1",
	"1e999",
	"nan",
	"null",
	"~",
	"true",
	"99999999999999999999999",
	"-9223372036854775808",
	"4294967296",
	"0x7fffffff",
	"[]",
	"{}",
	"[[[[[[[[1]]]]]]]]",
	"{a: {b: {c: {d: 1}}}}",
	"&a [*a, *a]",
	"*nothing",
	"!!binary aGk=",
	"<<: *a",
	"|",
	">",
	"- ",
	": ",
	"\"",
	"'",
	"{",
	"[",
	"---",
	"...",
	"\t",
	"```",
	"```simt\n",
	"\n```\n",
	"{stride}",
	"{{{{",
	"arg0[",
	"1/0",
	"1 % 0",
	"2 ** 63",
	"1 << 64",
	"((((((((((((((((((((1))))))))))))))))))))",
	"arg99[i]",
	"arg0[1 << 62]",
	"i ? i : i",
	"-(-(-(-1)))",
	"u32[99999999999]",
	"f32[-1]",
	"u32[4]:@CANARY",
	"u32[4]:@/dev/zero",
	"f64[1]:nan",
	"/etc/passwd",
	"../../../../../../etc/passwd",
	"CANARY",
	"../../outside/canary",
	"/dev/zero",
	"/proc/self/environ",
	"~/x",
	"$HOME",
	"$(touch CANARY)",
	"`touch CANARY`",
	"; touch CANARY",
	"%s%n%s%n",
	"-o",
	"--help",
	"\x1b]0;title\a",
	"\x1b[2J",
	"\x1b]52;c;c2V0\a",
	("\xc2\x9b"
	 "2J"),
	"\xff\xfe",
	"\xc0\xaf",
	"\xed\xa0\x80",
	"\xe2\x80\xae",
	"\xef\xbb\xbf",
	"\x7f",
	"\x01",
	"\r",
	"\v",
	"[x](metric:nothing)",
	"[x](lesson:../..)",
	"[x](file:///etc/passwd)",
	"![x](CANARY)",
	"# ",
	"| a | b |\n|--",
	"#include \"CANARY\"\n",
	"#include \"/etc/passwd\"\n",
	"#line 1 \"CANARY\"\n",
	"asm(\".file 1 \\\"CANARY\\\"\");\n",
	".loc 1 1 0\n",
	".file 1 \"CANARY\"\n",
	".file 7 \"/dev/zero\"\n",
	"bra L;\n",
	"L: bra L;\n",
	".shared .b8 big[4294967295];\n",
	".reg .b32 %many<99999999>;\n",
	"ld.global.u32 %r1, [0];\n",
	"\"metrics\": {",
	"\"grid\": [99999999999, 1, 1]",
	"\"ptx\": 7",
	"\\u0000",
	"\\ud800",
	"/*",
	"*/",
	"//",
};

/* A copy in which `by` stands for each `word`. */
static void fill(char *to, size_t room, const char *from, const char *word, const char *by)
{
	size_t n = 0;
	for (; *from && n + 1 < room; n = n < room ? n : room - 1) {
		bool here = strncmp(from, word, strlen(word)) == 0;
		n += here ? (size_t)snprintf(to + n, room - n, "%s", by) : 1;
		if (!here)
			to[n - 1] = *from;
		from += here ? strlen(word) : 1;
	}
	to[n] = '\0';
}

static void put(char *text, size_t at, const char *piece)
{
	char full[PATH_LENGTH];
	fill(full, sizeof full, piece, "CANARY", canary);
	size_t n = strlen(full), len = strlen(text);
	if (len + n + 1 > TEXT_MAX)
		return;
	memmove(text + at + n, text + at, len - at + 1);
	memcpy(text + at, full, n);
}

static void cut(char *text, size_t at, size_t n)
{
	size_t len = strlen(text);
	if (at + n <= len)
		memmove(text + at, text + at + n, len - at - n + 1);
}

/* A value, from the last blank or opening bracket to the end of its line or list, is replaced. */
static void replace_value(char *text)
{
	size_t len = strlen(text), at = len ? pick((uint32_t)len) : 0;
	size_t gap = at + strcspn(text + at, " [{(\"");
	gap += text[gap] != '\0';
	cut(text, gap, strcspn(text + gap, "\n,]})\""));
	put(text, gap, PICK(pieces));
}

static void repeat(char *text)
{
	size_t len = strlen(text), at = len ? pick((uint32_t)len) : 0;
	char part[64];
	snprintf(part, sizeof part, "%.*s", (int)(1 + pick(60)), text + at);
	for (uint32_t i = 1u << pick(12); i > 0; i--)
		put(text, at, part);
}

static void damage(char *text)
{
	for (uint32_t i = pick(2) * pick(4); i > 0 && *text; i--) {
		size_t at = pick((uint32_t)strlen(text));
		switch (pick(6)) {
		case 0: put(text, at, PICK(pieces)); break;
		case 1: cut(text, at, 1 + pick(40)); break;
		case 2: pick(4) ? replace_value(text) : repeat(text); break;
		case 3: pick(8) ? replace_value(text) : (void)(text[at] = '\0'); break;
		default: replace_value(text);
		}
	}
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static void write_file(const char *path, const char *text)
{
	static const char *const targets[] = {"/dev/zero", "/dev/null", "/proc/self/environ", "/", "nothing", "."};
	switch (pick(80)) {
	case 0: return;
	case 1: mkdir(path, 0755); return;
	case 2: mkfifo(path, 0600); return;
	case 3: (void)!symlink(pick(2) ? canary : PICK(targets), path); return;
	case 4: (void)!symlink(path, path); return;
	default: break;
	}
	FILE *f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f) != 0) {
		perror(path);
		exit(99);
	}
}

static const char front[] =
	"---\nformat: 1\ntitle: Hostile NNN\ntrack: Banks\nsummary: What a lesson says.\nneeds: Nothing.\nafter: []\ncan: do it\n"
	"kernel: hNNN\nparameters:\n  - {name: stride, label: stride, unit: words, range: [0, 33], default: 1}\n"
	"experiment:\n  parameters: [stride]\n  launch: {grid: \"1\", block: \"32\"}\n  args: [\"u32[64]:iota\", \"u32:{stride}\"]\n"
	"  watch: read\n  results: {0: \"arg0[i]\"}\n  views: [banks, source, numbers]\n  metrics: [shared_load_wavefronts_per_request]\n"
	"takeaway: Nothing.\n---\n\n# Hostile\n\n## A step\n\nText with a [request](metric:shared_load_requests) and `code`.\n\n"
	"```simt\nset: {stride: 2}\nquestion:\n  ask: Which?\n  choices:\n    - {text: one, when: 1 % 2 == 1, why: So it is.}\n"
	"    - {text: two, when: 2 == 3}\n```\n\n## Another\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```simt\nset: {stride: 32}\nexercise:\n"
	"  goals:\n    - {text: few, holds: branch_efficiency == 100}\n  tries: [{stride: 3}]\n  hints: [Try it.]\n  explain: Done.\n```\n";

static const char ptx[] =
	".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry hNNN(.param .u64 p, .param .u32 n)\n{\n"
	"\t.reg .b32 %r<9>;\n\t.reg .b64 %a<4>;\n\t.reg .pred %q;\n\t.shared .align 4 .b8 s[4096];\n"
	"\tld.param.u64 %a1, [p];\n\tmov.u32 %r1, %tid.x;\n\tmul.wide.u32 %a2, %r1, 4;\n\tadd.u64 %a1, %a1, %a2;\n"
	"\t.loc 1 4 0\n\tld.global.u32 %r2, [%a1];\n\tbar.sync 0;\n\tsetp.ge.u32 %q, %r1, 64;\n\t@%q bra L;\n"
	"\tst.global.u32 [%a1], %r2;\nL:\tret;\n}\n.file 1 \"hNNN.cu\"\n";

static const char cu[] =
	"// hostile\n__global__ void hNNN(unsigned *p, unsigned n)\n{\n\tp[threadIdx.x] = n; //@ read\n\tp[n] = NNN;\n}\n";

static const char recorded[] =
	"{\"format\": 1, \"machines\": [{\"gpu\": \"GPU NNN\", \"cc\": 90, \"sms\": 132, \"driver\": \"1\", \"cuda\": \"13.0\", "
	"\"cupti\": \"1\", \"date\": \"2026-01-01\"}], \"results\": [{\"kernel\": \"hNNN\", \"grid\": [1, 1, 1], \"block\": [32, 1, 1], "
	"\"shared\": 0, \"args\": [\"u32[64]:iota\", \"u32:1\"], \"ptx\": \"71324dcefdcdbd78\", \"machine\": 0, "
	"\"metrics\": {\"smsp__inst_executed.sum\": 8}}]}\n";

static void write_damaged(const char *dir, const char *name, const char *sound, unsigned n)
{
	static char text[TEXT_MAX];
	char path[PATH_LENGTH], number[16];
	snprintf(number, sizeof number, "%u", n);
	fill(text, sizeof text, sound, "NNN", number);
	damage(text);
	snprintf(path, sizeof path, "%s/%s", dir, name);
	write_file(path, text);
}

static void write_lesson(const char *dir, unsigned n)
{
	char path[PATH_LENGTH], name[64];
	snprintf(path, sizeof path, "%s/kernels", dir);
	snprintf(name, sizeof name, "h%u.ptx", n);
	write_damaged(path, name, ptx, n);
	snprintf(name, sizeof name, "h%u.cu", n);
	write_damaged(path, name, cu, n);
	snprintf(path, sizeof path, "%s/lessons/%u-h%u", dir, n + 1, n);
	mkdir(path, 0755);
	write_damaged(path, "lesson.md", front, n);
	write_damaged(path, "recorded.json", recorded, n);
	strcat(path, "/exercise");
	mkdir(path, 0755);
	static const char *const sources[] = {"start", "solution"};
	for (int i = 0; i < 2; i++) {
		snprintf(name, sizeof name, "%s.cu", sources[i]);
		write_damaged(path, name, cu, n);
		snprintf(name, sizeof name, "%s.ptx", sources[i]);
		write_damaged(path, name, ptx, n);
	}
}

int main(int argc, char **argv)
{
	char path[PATH_LENGTH];
	canary = getenv("CANARY");
	if (argc != 4 || !canary || strlen(argv[3]) > PATH_LENGTH / 2) {
		fprintf(stderr, "courses: SEED COUNT DIR, and CANARY in the environment\n");
		return 2;
	}
	state = strtoull(argv[1], NULL, 10) * 2 + 1;
	mkdir(argv[3], 0755);
	snprintf(path, sizeof path, "%s/lessons", argv[3]);
	mkdir(path, 0755);
	snprintf(path, sizeof path, "%s/kernels", argv[3]);
	mkdir(path, 0755);
	for (unsigned n = 0; n < strtoul(argv[2], NULL, 10); n++)
		write_lesson(argv[3], n);
	return 0;
}
