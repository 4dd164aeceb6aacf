#include "front/screen/parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "front/debug/keys.h"
#include "front/screen/modes.h"

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
	if (!state->stepper)
		return;
	close_stepper(state->stepper);
	state->stepper = NULL;
	screen_pop(&state->modes, &screen_mode_debugger);
}

/* Its text, where it is one: what cannot be shown is left out. */
static void find_lines(struct arena *arena, struct source *source)
{
	struct diag unheard = {0};
	if (!source->text || !source_open(arena, source, &unheard))
		*source = (struct source){.file = source->file};
	diag_free(&unheard);
}

void screen_stepper_open(struct screen_state *state, struct tutor *tutor)
{
	struct tutor_launch launch;
	struct diag diag = {0};
	char text[160];
	if (!tutor_can(tutor, ACTION_DEBUG))
		return;
	if (tutor_covers_launch(tutor)) {
		snprintf(text, sizeof text,
			_("Stepping shows what the question asks about: answer first, or press %s."),
			key_string(tutor_key_of(ACTION_UNCOVER)).text);
		tutor_notice(tutor, text);
		return;
	}

	if (!tutor_launch(tutor, &launch))
		return;
	struct screen_stepper *stepper = base_calloc(1, sizeof *stepper);
	stepper->arena = arena_new();
	/* Whether the launch has such a block and warp. */
	bool has_watched = launch.watched.block < warp_dim_volume(launch.launch->grid) &&
		launch.watched.warp < warp_count(warp_dim_volume(launch.launch->block));
	if (!has_watched)
		launch.watched = (struct step_watched){0};

	struct debug_setup setup = {.module = launch.module,
		.launch = launch.launch,
		.steps = SIMT_STEPS_DEFAULT,
		.checks = launch.trusted ? SIMT_CHECK_BOUNDS | SIMT_CHECK_ALIGN : SIMT_CHECK_ALL,
		.block = launch.watched.block,
		.warp = launch.watched.warp,
		.cc = launch.cc,
		.ptx = launch.ptx,
		.source = launch.source};
	find_lines(stepper->arena, &setup.ptx);
	find_lines(stepper->arena, &setup.source);
	stepper->debug = debug_new(&setup, &diag);

	if (!stepper->debug) {
		tutor_notice(tutor, diag.count ? diag.entries[0].message : _("It cannot be launched."));
		close_stepper(stepper);
	} else {
		debug_go_to_line(stepper->debug, launch.watched.line, launch.watched.access);
		state->playing = false;
		state->stepper = stepper;
		screen_push(&state->modes, &screen_mode_debugger);
	}
	diag_free(&diag);
}

static bool key_of_stepper(const struct screen_subject *on, key_code key)
{
	struct screen_stepper *s = on->state->stepper;
	screen_debug_press(&s->screen, s->debug, key);
	on->state->theme_asked = s->screen.theme_asked;
	if (s->debug->quit)
		screen_stepper_close(on->state);
	return true;
}

/* What others ask of the session, a script or notes: not while its launch is stepped. */
static bool refuse_action(const struct screen_subject *on, int action)
{
	(void)on, (void)action;
	return true;
}

static void paste_to_stepper(const struct screen_subject *on, const char *text)
{
	screen_debug_paste(on->state->stepper->debug, text);
}

static void turn_wheel(const struct screen_subject *on, int rows)
{
	struct screen_stepper *s = on->state->stepper;
	for (int i = 0; i < (rows < 0 ? -rows : rows); i++)
		screen_debug_act(&s->screen, s->debug, rows < 0 ? DEBUG_ACT_UP : DEBUG_ACT_DOWN);
}

static void click_stepper(const struct screen_subject *on, int row, int col)
{
	struct screen_stepper *s = on->state->stepper;
	screen_debug_press_at(&s->screen, s->debug, &s->targets, row, col);
	if (s->debug->quit)
		screen_stepper_close(on->state);
}

static void lay_out_stepper(struct screen_state *state, const struct tutor *tutor, int rows, int cols)
{
	(void)tutor;
	screen_debug_lay_out(&state->stepper->screen, state->stepper->debug, rows, cols);
}

static void draw_stepper(struct screen_sketch *sketch)
{
	struct screen_stepper *s = sketch->state->stepper;
	screen_debug_draw(sketch->canvas, s->debug, &s->screen, &s->targets);
}

const struct screen_mode screen_mode_debugger = {.key = key_of_stepper,
	.act = refuse_action,
	.lay_out = lay_out_stepper,
	.draw = draw_stepper,
	.alone = true,
	.click = click_stepper,
	.wheel = turn_wheel,
	.paste = paste_to_stepper};

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
