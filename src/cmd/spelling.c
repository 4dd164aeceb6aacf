#include "config.h"
#include "cmd/spelling.h"

#include <ctype.h>
#include <string.h>

#include "base/leash.h"
#include "base/process.h"

#define ANSWER_MAX ((size_t)1 << 20)
#define DICTIONARY "en_US"
#define WORDS "lessons/words.txt"

const char *spelling_find(struct cmd_ctx *ctx)
{
	static const char *const names[] = {"hunspell", NULL};
	return process_find(ctx->arena, "HUNSPELL", names);
}

/* The words of the text that hunspell does not know, one per line. */
static bool run_hunspell(struct cmd_ctx *ctx, const struct buf *text, struct buf *out)
{
	const char *program = spelling_find(ctx);
	const char *words = path_join(ctx->arena, ctx->paths.data, WORDS);
	/* whatever the reader's locale: hunspell complains of each letter that it does not have */
	const char *const argv[] = {program, "-l", "-i", "utf-8", "-d", DICTIONARY, "-p", words, "text", NULL};
	struct scratch scratch;
	if (!program || !scratch_make_held(&scratch, ctx->arena, &ctx->diag))
		return false;
	struct leash_end end = {.outcome = LEASH_NOT_STARTED};
	if (scratch_write(&scratch, "text", text->data, text->len, &ctx->diag))
		end = leash_run(&(struct leash_job){.argv = argv,
					.scratch = &scratch,
					.log_max = ANSWER_MAX,
					.reads = &words,
					.n_reads = 1,
					.locale = "C.UTF-8"},
			out);
	scratch_remove(&scratch);
	return leash_succeeded(&end);
}

const char *spelling_absence(struct cmd_ctx *ctx)
{
	struct buf text = {0}, out = {0};
	if (!spelling_find(ctx))
		return "there is no hunspell";
	buf_puts(&text, "color\n");
	bool knows = run_hunspell(ctx, &text, &out) && out.len == 0;
	buf_free(&text);
	buf_free(&out);
	return knows ? NULL : "hunspell has no dictionary " DICTIONARY;
}

/* --- the prose of a lesson ---------------------------------------------------------------------------------------- */

/* Each piece of prose is a line. */
static void put_line(struct buf *out, const char *text)
{
	if (text)
		buf_printf(out, "%s\n", text);
}

static void put_phrase(struct buf *out, const struct phrase *phrase)
{
	for (int i = 0; phrase->texts && i <= phrase->n; i++)
		put_line(out, phrase->texts[i]);
}

static void put_list(struct buf *out, const char *const *texts, int n)
{
	for (int i = 0; i < n; i++)
		put_line(out, texts[i]);
}

static void put_text(struct buf *out, const struct text *text)
{
	for (int b = 0; b < text->n_blocks; b++) {
		const struct block *block = &text->blocks[b];
		for (int s = 0; block->kind != BLOCK_CODE && s < block->n_spans; s++)
			buf_puts(out, block->spans[s].style == SPAN_CODE ? " " : block->spans[s].text);
		buf_putc(out, '\n');
	}
}

static bool put_part(void *out, const char *text)
{
	put_line(out, text);
	return true;
}

static void put_step(struct buf *out, const struct step *step)
{
	put_line(out, step->title);
	put_text(out, &step->text);
	put_line(out, step->notes);
	lesson_question_visit(&step->question, &(struct question_visitor){.ctx = out, .text = put_part});
	put_line(out, step->claim.text);
	put_phrase(out, &step->claim.says);
	for (int i = 0; i < step->exercise.n_goals; i++)
		if (step->exercise.goals[i].text != step->exercise.goals[i].holds.text)
			put_line(out, step->exercise.goals[i].text);
	put_list(out, step->exercise.hints, step->exercise.n_hints);
	put_phrase(out, &step->exercise.explain);
}

static void put_front(struct buf *out, const struct lesson *lesson)
{
	const char *const texts[] = {
		lesson->title, lesson->track, lesson->summary, lesson->needs, lesson->takeaway, lesson->can};
	put_list(out, texts, (int)(sizeof texts / sizeof *texts));
	for (int i = 0; i < lesson->n_parameters; i++)
		put_line(out, lesson->parameters[i].label);
}

/* Words between backquotes, in texts that are no Markdown, are code too. */
static void drop_code(struct buf *text)
{
	bool code = false;
	for (size_t i = 0; i < text->len; i++) {
		char c = text->data[i];
		code = c == '\n' ? false : c == '`' ? !code : code;
		if (code || c == '`')
			text->data[i] = ' ';
	}
}

/* --- faults ------------------------------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* The offset of the word in the text from `at` on, which has it. */
static size_t find_word(const struct buf *text, size_t at, const char *word, size_t len)
{
	for (size_t i = at; i + len <= text->len; i++) {
		bool begins = i == 0 || !is_letter(text->data[i - 1]),
		     ends = i + len == text->len || !is_letter(text->data[i + len]);
		if (begins && ends && memcmp(text->data + i, word, len) == 0)
			return i;
	}
	return at;
}

/* The text of a lesson: the front matter, and after ends[i] bytes the step i. */
struct prose {
	struct buf text;
	size_t *ends;
};

static void report_word(
	struct cmd_ctx *ctx, const struct lesson *lesson, const struct prose *prose, size_t at, const char *word)
{
	struct diag_pos pos = {.file = lesson->path};
	int step = -1;
	while (step + 1 < lesson->n_steps && at >= prose->ends[step + 1])
		step++;
	if (step >= 0 && lesson->steps[step].pos.file)
		pos = lesson->steps[step].pos;
	diag_error(&ctx->diag, pos, "%s%s: the word '%s' is neither in the dictionary " DICTIONARY " nor in " WORDS,
		step < 0 ? "front matter" : "step ", step < 0 ? "" : lesson->steps[step].id, word);
}

void spelling_check(struct cmd_ctx *ctx, const struct lesson *lesson)
{
	struct prose prose = {.ends = arena_array(ctx->arena, size_t, (size_t)lesson->n_steps + 1)};
	struct buf wrong = {0};
	size_t at = 0;
	put_front(&prose.text, lesson);
	for (int i = 0; i < lesson->n_steps; i++) {
		prose.ends[i] = prose.text.len;
		put_step(&prose.text, &lesson->steps[i]);
	}
	drop_code(&prose.text);
	/* hunspell reports them in the order of the text, each time they occur */
	if (run_hunspell(ctx, &prose.text, &wrong) && wrong.len)
		for (char *save = NULL, *word = strtok_r(wrong.data, "\n", &save); word;
			word = strtok_r(NULL, "\n", &save)) {
			at = find_word(&prose.text, at, word, strlen(word));
			report_word(ctx, lesson, &prose, at, word);
			at += strlen(word);
		}
	buf_free(&wrong);
	buf_free(&prose.text);
}
