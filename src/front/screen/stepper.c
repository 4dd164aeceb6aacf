#include "front/screen/stepper.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "front/debug/keys.h"
#include "front/screen/debug.h"
#include "front/tutor/keys.h"

struct screen_stepper {
	struct arena *arena; /* of the setup */
	struct debug *debug;
	struct screen_debug_state screen;
	struct screen_debug_targets targets; /* of the last drawing */
	bool arrived;                        /* at the watched line, or as far as it went */
};

static void close_stepper(struct screen_stepper *stepper)
{
	debug_free(stepper->debug);
	arena_free(stepper->arena);
	free(stepper);
}

void screen_stepper_close(struct screen_state *state)
{
	if (state->stepper)
		close_stepper(state->stepper);
	state->stepper = NULL;
}

/* Its text, where it is one: what cannot be shown is left out. */
static void find_lines(struct arena *arena, struct source *source)
{
	struct diag unheard = {0};
	if (!source->text || !source_open(arena, source, &unheard))
		*source = (struct source){.file = source->file};
	diag_free(&unheard);
}

static struct debug *start(struct screen_stepper *stepper, const struct tutor_launch *launch, struct diag *diag)
{
	struct debug_setup setup = {.module = launch->module,
		.launch = launch->launch,
		.steps = SIMT_STEPS_DEFAULT,
		.checks = launch->trusted ? SIMT_CHECK_BOUNDS | SIMT_CHECK_ALIGN : SIMT_CHECK_ALL,
		.block = launch->watched.block,
		.warp = launch->watched.warp,
		.cc = launch->cc,
		.ptx = launch->ptx,
		.source = launch->source};
	find_lines(stepper->arena, &setup.ptx);
	find_lines(stepper->arena, &setup.source);
	return debug_new(&setup, diag);
}

/* Whether the launch has such a block and warp. */
static bool has_watched(const struct launch *launch, const struct step_watched *watched)
{
	return watched->block < warp_dim_volume(launch->grid) &&
		watched->warp < warp_count(warp_dim_volume(launch->block));
}

static bool may_open(struct tutor *tutor)
{
	char text[160];
	if (!tutor_can(tutor, ACTION_DEBUG))
		return false;
	if (tutor_covers_launch(tutor)) {
		snprintf(text, sizeof text,
			_("Stepping shows what the question asks about: answer first, or press %s."),
			tutor_key_of(ACTION_UNCOVER));
		tutor_notice(tutor, text);
		return false;
	}
	return true;
}

void screen_stepper_open(struct screen_state *state, struct tutor *tutor)
{
	struct tutor_launch launch;
	struct diag diag = {0};
	if (!may_open(tutor) || !tutor_launch(tutor, &launch))
		return;
	struct screen_stepper *stepper = base_calloc(1, sizeof *stepper);
	stepper->arena = arena_new();
	if (!has_watched(launch.launch, &launch.watched))
		launch.watched = (struct step_watched){0};
	stepper->debug = start(stepper, &launch, &diag);
	if (!stepper->debug) {
		tutor_notice(tutor, diag.count ? diag.entries[0].message : _("It cannot be launched."));
		close_stepper(stepper);
	} else {
		debug_go_to_line(stepper->debug, launch.watched.line, launch.watched.access);
		state->playing = false;
		state->stepper = stepper;
	}
	diag_free(&diag);
}

void screen_stepper_key(struct screen_state *state, const char *key)
{
	struct screen_stepper *s = state->stepper;
	state->theme_asked = debug_key_action(key) == DEBUG_ACT_THEME && !s->debug->prompt.mark;
	screen_debug_press(&s->screen, s->debug, key);
	if (s->debug->quit)
		screen_stepper_close(state);
}

void screen_stepper_paste(struct screen_state *state, const char *text)
{
	screen_debug_paste(state->stepper->debug, text);
}

void screen_stepper_wheel(struct screen_state *state, int rows)
{
	struct screen_stepper *s = state->stepper;
	for (int i = 0; i < (rows < 0 ? -rows : rows); i++)
		screen_debug_act(&s->screen, s->debug, rows < 0 ? DEBUG_ACT_UP : DEBUG_ACT_DOWN);
}

void screen_stepper_click(struct screen_state *state, int row, int col)
{
	struct screen_stepper *s = state->stepper;
	screen_debug_press_at(&s->screen, s->debug, &s->targets, row, col);
	if (s->debug->quit)
		screen_stepper_close(state);
}

void screen_stepper_lay_out(struct screen_state *state, int rows, int cols)
{
	screen_debug_lay_out(&state->stepper->screen, state->stepper->debug, rows, cols);
}

void screen_stepper_draw(struct screen_sketch *sketch)
{
	struct screen_stepper *s = sketch->state->stepper;
	screen_debug_draw(sketch->canvas, s->debug, &s->screen, &s->targets);
}

bool screen_debugger_busy(const struct screen_state *state)
{
	return state->stepper && debug_busy(state->stepper->debug);
}

void screen_debugger_work(struct screen_state *state)
{
	struct screen_stepper *s = state->stepper;
	char notice[sizeof s->debug->said.notice + 20];
	screen_debug_work(s->debug);
	if (s->arrived || debug_busy(s->debug) || s->debug->said.wrong)
		return;
	snprintf(notice, sizeof notice, _("%s q comes back."), s->debug->said.notice);
	debug_notice(s->debug, notice);
	s->arrived = true;
}

struct debug *screen_debugger(const struct screen_state *state)
{
	return state->stepper ? state->stepper->debug : NULL;
}
