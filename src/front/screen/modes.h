/* front/screen/modes.h: what keys mean. A screen is a stack of modes, the lowest being the session itself (or the panes
 * of the debugger): a key goes to the highest mode that has a row or a use for it, an action to the highest that
 * carries it out. What the reader opens over the screen is pushed (screen.h); what the session is in by itself, an
 * answer or a slide, modes.c puts below. For this folder only. */
#pragma once
#include "base/key.h"
#include "front/screen/debug.h"
#include "front/screen/parts.h"
#include "front/tutor/keys.h"

/* What a mode acts on: a session and its screen, or a debugger and its screen. */
struct screen_subject {
	struct screen_state *state;
	struct tutor *tutor;
	struct screen_debug_state *panes;
	struct debug *debug;
};

/* Members without a use are NULL. */
struct screen_mode {
	/* Its keys, up to KEYC_NONE: an action of the tables (tutor_action, debug_action), or one of the mode's own,
	 * from SCREEN_OWN on. */
	const struct screen_mode_key {
		key_code key;
		int action;
	} * keys;
	/* Carries out an action of those keys, of the mouse, of a script. False: the mode below has it, and the session
	 * at the foot would push again what is open already. */
	bool (*act)(const struct screen_subject *on, int action);
	/* A key without a row, as one that types. False: the mode below has it. */
	bool (*key)(const struct screen_subject *on, key_code key);

	/* The last row, where it is another than that of the mode below. */
	void (*footer)(struct screen_sketch *sketch, int row);
	/* What lies over the modes below; `alone`: it covers them, and has the mouse. */
	void (*lay_out)(struct screen_state *state, const struct tutor *tutor, int rows, int cols);
	void (*draw)(struct screen_sketch *sketch);
	bool alone;
	void (*click)(const struct screen_subject *on, int row, int col);
	void (*wheel)(const struct screen_subject *on, int rows);
	/* A text that was pasted; NULL: nothing takes it. */
	void (*paste)(const struct screen_subject *on, const char *text);
};

/* The first action of a mode's own: past those of both tables. */
enum { SCREEN_OWN = 1000 };

/* The key goes down the stack: `modes`, the lowest first. */
void screen_modes_key(const struct screen_mode *const *modes, int n, const struct screen_subject *on, key_code key);
void screen_modes_act(const struct screen_mode *const *modes, int n, const struct screen_subject *on, int action);

/* The highest that was pushed; NULL: none. */
const struct screen_mode *screen_top(const struct screen_modes *modes);

/* Whether something is drawn over the screen. */
bool screen_is_covered(const struct screen_state *state);

/* The keys of a mode of keys.def that do something now, in a row; the last row of the modes that hold now. */
void screen_draw_keys(struct screen_sketch *sketch, int row, enum tutor_key_mode mode);
void screen_draw_footer(struct screen_sketch *sketch, int row);

/* Takes one away, which must be there. */
void screen_pop(struct screen_modes *modes, const struct screen_mode *mode);

/* The keys of the first line of a text, as if they were typed. */
void screen_type_line(
	const struct screen_subject *on, const char *text, bool (*key)(const struct screen_subject *on, key_code key));

/* The modes that a session is in by itself, in the files of what they show. */
extern const struct screen_mode screen_mode_lesson, screen_mode_answer, screen_mode_pointing, screen_mode_slide,
	screen_mode_pad;
