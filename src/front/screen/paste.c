/* What is pasted goes where text is typed, and nowhere else: no part of it is a key. */
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "front/screen/debug.h"
#include "front/screen/finder.h"
#include "front/screen/stepper.h"
#include "front/tutor/playground.h"

static const char nowhere[] = N_(
	"Pasted text is taken where text is typed: in the playground (P), in / and :, in an answer.");
static const char no_prompt[] = N_("Pasted text is taken by the prompt, which : opens.");

/* A place where one line is typed, which takes it as it takes keys. */
struct typed_line {
	void *of;
	void (*key)(void *of, const char *key);
};

static void type_first_line(const struct typed_line *line, const char *text)
{
	char key[8];
	uint32_t ch;
	for (size_t len = strcspn(text, "\n"), at = 0, n; at < len; at += n) {
		n = utf8_decode(text + at, len - at, &ch);
		memcpy(key, text + at, n);
		key[n] = '\0';
		if (ch == ' ' || ch == '\t')
			line->key(line->of, "Space");
		else if (utf8_invalid_byte(ch) < 0 && utf8_is_graphic(ch))
			line->key(line->of, key);
	}
}

static void key_of_prompt(void *of, const char *key)
{
	debug_prompt_key(of, key);
}

void screen_debug_paste(struct debug *debug, const char *text)
{
	debug_dismiss_notice(debug);
	if (debug->prompt.mark)
		type_first_line(&(struct typed_line){debug, key_of_prompt}, text);
	else
		debug_notice(debug, text_translate(no_prompt));
}

struct finding {
	struct screen_state *state;
	struct tutor *tutor;
};

static void key_of_finder(void *of, const char *key)
{
	struct finding *f = of;
	screen_finder_key(f->state, f->tutor, key);
}

static void key_of_answer(void *of, const char *key)
{
	if (key[0] && !key[1])
		tutor_type(of, (unsigned char)key[0]);
}

void screen_paste(struct screen_state *state, struct tutor *tutor, const char *text)
{
	if (state->stepper) {
		screen_stepper_paste(state, text);
		return;
	}
	tutor_dismiss_notice(tutor);
	if (state->finder.kind != ACTION_NONE)
		type_first_line(&(struct typed_line){&(struct finding){state, tutor}, key_of_finder}, text);
	else if (state->welcome || state->help || state->settings || tutor->presented)
		return;
	else if (tutor->playground)
		tutor_playground_paste(tutor, text);
	else if (tutor_typing(tutor))
		type_first_line(&(struct typed_line){tutor, key_of_answer}, text);
	else
		tutor_notice(tutor, text_translate(nowhere));
	screen_follow(state, tutor);
}
