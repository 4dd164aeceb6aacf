#include "config.h"
#include "cmd/spelling.h"

#include <ctype.h>
#include <string.h>

#include "base/hash.h"
#include "course/lesson/lesson.h"
#include "tools/sandbox/process.h"
#include "tools/sandbox/sandbox.h"

#define ANSWER_MAX ((size_t)4 << 20) /* every word that hunspell is given */
#define WORDS_MAX 20000              /* that it is given */
#define WORD_MAX 100                 /* bytes of one; hunspell knows none that is longer */
#define REPORTED_MAX 50              /* of a lesson */
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
	struct sandbox_end end = {.outcome = SANDBOX_NOT_STARTED};
	if (scratch_write(&scratch, "text", text->data, text->len, &ctx->diag))
		end = sandbox_run(&(struct sandbox_job){.argv = argv,
					  .scratch = &scratch,
					  .log_max = ANSWER_MAX,
					  .reads = &words,
					  .n_reads = 1,
					  .locale = "C.UTF-8"},
			out);
	scratch_remove(&scratch);
	return sandbox_succeeded(&end);
}

const char *spelling_absence(struct cmd_ctx *ctx)
{
	struct buf text = {0}, out = {0};
	const char *fault = process_find_fault(ctx->arena, "HUNSPELL");
	if (!spelling_find(ctx))
		return fault ? fault : "there is no hunspell";
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

static bool put_part(void *out, const char *text)
{
	put_line(out, text);
	return true;
}

/* --- words -------------------------------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* How many letters follow one another from there on. */
static size_t letters_at(const struct buf *text, size_t at)
{
	size_t end = at;
	while (end < text->len && is_letter(text->data[end]))
		end++;
	return end - at;
}

/* Puts the words of the text, each once and on a line of its own, into `out`: hunspell takes 25 to 200 us for one, and
 * a minute for a MiB without a blank. What is between blanks stays together, as it has its own rules for what is a
 * word, unless it is long. False when some were left out. */
static bool list_words(struct arena *arena, const struct buf *text, struct buf *out)
{
	struct hash_table seen;
	size_t words = 0;
	hash_init(&seen, arena);
	for (size_t at = 0, len; at < text->len; at += len) {
		const char *piece = text->data + at;
		len = strcspn(piece, " \t\n\r");
		if (len > WORD_MAX) {
			size_t letters = letters_at(text, at);
			len = letters ? letters : 1;
		}
		if (len && len <= WORD_MAX && !hash_find(&seen, piece, len)) {
			for (size_t i = 0; i < len; i++)
				words += is_letter(piece[i]) && (i == 0 || !is_letter(piece[i - 1]));
			if (words > WORDS_MAX)
				return false;
			hash_add(&seen, arena_alloc(arena, sizeof(struct hash_link)), piece, len);
			buf_append(out, piece, len);
			buf_putc(out, '\n');
		}
		len += len ? 0 : 1;
	}
	return true;
}

/* --- faults ------------------------------------------------------------------------------------------------------- */

/* The text of a lesson: the front matter, and after ends[i] bytes the step i. */
struct prose {
	struct buf text;
	size_t *ends;
};

#define NOWHERE -2

/* A word that hunspell does not know. */
struct odd_word {
	struct hash_link link;
	int step; /* where it was reported last, -1: the front matter; NOWHERE */
};

struct spelling {
	struct cmd_ctx *ctx;
	const struct lesson *lesson;
	struct prose prose;
	struct hash_table odd;
	size_t reported;
};

static void report_word(struct spelling *s, int step, const char *word, size_t len)
{
	const struct lesson *lesson = s->lesson;
	struct diag_pos pos = {.file = lesson->path};
	if (s->reported++ >= REPORTED_MAX)
		return;
	if (step >= 0 && lesson->steps[step].pos.file)
		pos = lesson->steps[step].pos;
	size_t shown = len > WORD_MAX ? WORD_MAX : len;
	while (shown < len && shown && ((unsigned char)word[shown] & 0xC0) == 0x80)
		shown--; /* not within a character */
	diag_error(&s->ctx->diag, pos,
		"%s%s: the word '%.*s%s' is neither in the dictionary " DICTIONARY " nor in " WORDS,
		step < 0 ? "front matter" : "step ", step < 0 ? "" : lesson->steps[step].id, (int)shown, word,
		shown < len ? "..." : "");
}

static struct odd_word *find_odd(const struct spelling *s, const char *word, size_t len)
{
	struct hash_link *link = hash_find(&s->odd, word, len);
	return link ? hash_entry(link, struct odd_word, link) : NULL;
}

/* In which step a place of the text is, -1: in the front matter. */
static int step_at(const struct spelling *s, size_t at)
{
	int step = -1;
	while (step + 1 < s->lesson->n_steps && at >= s->prose.ends[step + 1])
		step++;
	return step;
}

/* The length of the odd word that begins there, 0: none does. A word may have apostrophes in it, and of two the longer
 * one counts. */
static size_t odd_length(const struct spelling *s, size_t at, struct odd_word **found)
{
	const struct buf *text = &s->prose.text;
	size_t len = letters_at(text, at), end = at + len;
	*found = NULL;
	while (end - at <= WORD_MAX) {
		struct odd_word *odd = find_odd(s, text->data + at, end - at);
		if (odd) {
			*found = odd;
			len = end - at;
		}
		size_t more = text->data[end] == '\'' ? letters_at(text, end + 1) : 0;
		if (!more)
			break;
		end += 1 + more;
	}
	return *found || len > WORD_MAX ? len : 0;
}

void spelling_check(struct cmd_ctx *ctx, const struct lesson *lesson)
{
	struct spelling s = {.ctx = ctx, .lesson = lesson};
	struct buf words = {0}, wrong = {0};
	s.prose.ends = arena_array(ctx->arena, size_t, (size_t)lesson->n_steps + 1);

	const char *const texts[] = {
		lesson->title, lesson->track, lesson->summary, lesson->needs, lesson->takeaway, lesson->can};
	put_list(&s.prose.text, texts, (int)(sizeof texts / sizeof *texts));
	for (int i = 0; i < lesson->n_parameters; i++)
		put_line(&s.prose.text, lesson->parameters[i].label);

	for (int i = 0; i < lesson->n_steps; i++) {
		s.prose.ends[i] = s.prose.text.len;

		struct buf *out = &s.prose.text;
		const struct step *step = &lesson->steps[i];
		put_line(out, step->title);

		for (int b = 0; b < step->text.n_blocks; b++) {
			const struct block *block = &step->text.blocks[b];
			for (int j = 0; block->kind != BLOCK_CODE && j < block->n_spans; j++)
				buf_puts(out, block->spans[j].style == SPAN_CODE ? " " : block->spans[j].text);
			buf_putc(out, '\n');
		}

		put_line(out, step->notes);
		lesson_question_visit(&step->question, &(struct question_visitor){.ctx = out, .text = put_part});
		put_line(out, step->claim.text);
		put_phrase(out, &step->claim.says);
		for (int k = 0; k < step->exercise.n_goals; k++)
			if (step->exercise.goals[k].text != step->exercise.goals[k].holds.text)
				put_line(out, step->exercise.goals[k].text);
		put_list(out, step->exercise.hints, step->exercise.n_hints);
		put_phrase(out, &step->exercise.explain);
	}

	/* Words between backquotes, in texts that are no Markdown, are code too. */
	struct buf *text = &s.prose.text;
	bool code = false;
	for (size_t i = 0; i < text->len; i++) {
		char c = text->data[i];
		code = c == '\n' ? false : c == '`' ? !code : code;
		if (code || c == '`')
			text->data[i] = ' ';
	}

	if (!list_words(ctx->arena, &s.prose.text, &words))
		diag_warn(&ctx->diag, (struct diag_pos){.file = lesson->path},
			"only the first %d different words are checked for spelling", WORDS_MAX);
	if (run_hunspell(ctx, &words, &wrong)) {
		hash_init(&s.odd, s.ctx->arena);
		for (char *save = NULL, *word = wrong.len ? strtok_r(wrong.data, "\n", &save) : NULL; word;
			word = strtok_r(NULL, "\n", &save)) {
			struct odd_word *odd = arena_alloc(s.ctx->arena, sizeof *odd);
			odd->step = NOWHERE;
			if (!find_odd(&s, word, strlen(word)))
				hash_add(&s.odd, &odd->link, word, strlen(word));
		}

		/* In each step in which they occur; then those that hunspell sees elsewhere than we do. */
		for (size_t at = 0; at < text->len;) {
			struct odd_word *word = NULL;
			size_t letters = letters_at(text, at), odd = letters ? odd_length(&s, at, &word) : 0;
			int step = odd ? step_at(&s, at) : NOWHERE;
			if (odd && !(word && word->step == step))
				report_word(&s, step, text->data + at, odd);
			if (word)
				word->step = step;
			at += odd ? odd : letters ? letters : 1;
		}
		for (size_t i = 0; i < s.odd.n_buckets; i++)
			for (struct hash_link *link = s.odd.buckets[i]; link; link = link->next)
				if (hash_entry(link, struct odd_word, link)->step == NOWHERE)
					report_word(&s, -1, link->key, link->len);
		if (s.reported > REPORTED_MAX)
			diag_error(&s.ctx->diag, (struct diag_pos){.file = s.lesson->path},
				"%zu more word%s in neither of them; what is not English is lesson.de.md beside an English lesson.md, or of a "
				"course whose " LESSON_COURSE_FILE " says `language: de`",
				s.reported - REPORTED_MAX, s.reported - REPORTED_MAX == 1 ? " is" : "s are");
	}
	buf_free(&words);
	buf_free(&wrong);
	buf_free(&s.prose.text);
}
