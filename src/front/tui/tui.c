/* The lessons on the terminal. */
#include "config.h"
#include "front/tui/tui.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/portable.h"
#include "base/text.h"
#include "base/utf8.h"
#include "front/canvas/export.h"
#include "front/screen/screen.h"
#include "front/screen/script.h"
#include "front/tui/loop.h"
#include "front/tui/term.h"
#include "front/tutor/keys.h"
#include "front/tutor/playground.h"
#include "front/tutor/present.h"
#include "front/tutor/tutor.h"
#include "tools/sandbox/starter.h"

#define ASKED_MAX 16 /* keys of notes that are done before the slide is drawn */
#define SAVE_MS 500  /* progress is written when the keys have been still for so long */

/* A session with its screen. */
struct seat {
	struct tutor *tutor;
	struct screen_state screen;
	struct screen_targets targets;
};

/* The lessons, or what else was begun with, and over them a playground. */
#define SEATS_MAX 2

struct learn {
	struct seat seats[SEATS_MAX], *now; /* now: the one that is seen */
	bool unsaved;                       /* there may be progress to write */
	struct screen_script *script;       /* that performs a presentation; NULL: none does */
	struct notes_server *notes;         /* NULL: nobody can look at them */
	double began_ms;
};

/* --- recording ---------------------------------------------------------------------------------------------------- */

static struct {
	int fd; /* -1: none */
	struct canvas_cast cast;
	double began_ms;
	unsigned steps; /* entered, when the last marker was made */
} record = {.fd = -1};

void tui_record(int fd)
{
	canvas_cast_end(&record.cast);
	record.cast = (struct canvas_cast){0};
	record.fd = fd;
	record.began_ms = clock_ms();
	record.steps = 0;
}

static void learn_draw(void *ctx, struct canvas *canvas)
{
	struct learn *learn = ctx;
	screen_render(canvas, learn->now->tutor, &learn->now->screen, &learn->now->targets);

	/* What cannot be written ends the recording, not the session. */
	struct tutor *tutor = learn->now->tutor;
	struct buf out = {0};
	double seconds = (clock_ms() - record.began_ms) / 1e3;
	if (record.fd < 0)
		return;
	canvas_cast_frame(&record.cast, canvas, tui_term_theme(), seconds, &out);

	const struct step *step = tutor_step(tutor);
	char label[160];
	if (step && record.steps != tutor->events.steps_entered) {
		record.steps = tutor->events.steps_entered;
		snprintf(label, sizeof label, "%.60s %d/%d %.80s", tutor->at.lesson->title, tutor->at.step + 1,
			tutor->at.lesson->n_steps, step->title);
		canvas_cast_mark(label, seconds, &out);
	}

	if (out.len && !file_put(record.fd, buf_str(&out), out.len)) {
		tui_record(-1);
		tutor_notice(tutor, _("The recording cannot be written, and has ended."));
	}
	buf_free(&out);
}

/* --- input -------------------------------------------------------------------------------------------------------- */

/* What the box of settings changed counts at once, and is kept. */
static void take_setting(struct learn *learn)
{
	struct tutor_settings *settings = learn->now->tutor->settings;
	enum tutor_setting id = (enum tutor_setting)learn->now->screen.setting_at;
	struct diag diag = {0};
	learn->now->screen.setting_changed = false;
	tui_use(settings);
	enum canvas_theme theme = canvas_theme_find(tutor_setting(settings, id));
	if (id == SETTING_THEME)
		tui_term_turn_theme(theme);
	if (id == SETTING_THEME && theme == CANVAS_THEMES && !tutor_setting_is(settings, id, "auto"))
		tutor_notice(learn->now->tutor,
			_("There is no theme of your own yet: it is the file `theme` beside the settings."));
	if (settings->path && !tutor_settings_save(settings, id, &diag) && diag.count) {
		struct buf sentence = {0};
		buf_printf(&sentence, _("%s is not kept: %s."), tutor_setting_table[id].name, diag.entries[0].message);
		tutor_notice(learn->now->tutor, buf_str(&sentence));
		buf_free(&sentence);
	}
	diag_free(&diag);
}

/* Back to where the reader came from; false: they began here. */
static bool close_playground(struct learn *learn)
{
	if (learn->now == learn->seats)
		return false;
	screen_end(&learn->now->screen);
	tutor_free(learn->now->tutor);
	learn->now--;
	tutor_pause(learn->now->tutor, false);
	return true;
}

/* After a key or a click. */
static void follow_seats(struct learn *learn)
{
	const struct tutor_playground *p = learn->now->tutor->playground;
	if (learn->now->screen.playground_asked) {
		/* The playground that the last key asked for; the lessons wait as they are. */
		struct tutor *below = learn->now->tutor;
		struct diag diag = {0};
		learn->now->screen.playground_asked = false;
		if (learn->now == &learn->seats[SEATS_MAX - 1])
			return;
		struct tutor *tutor = below->playgrounds.open(below->playgrounds.ctx, &diag);
		if (tutor) {
			tutor->settings = below->settings;
			tutor->background = true;
			tutor_pause(below, true);
			*++learn->now = (struct seat){.tutor = tutor};
		} else {
			tutor_notice(below, diag.count ? diag.entries[0].message : _("There is no playground here."));
		}
		diag_free(&diag);
	} else if (p && p->left && !close_playground(learn)) {
		learn->now->tutor->quit = true;
	}
}

static void learn_key(void *ctx, key_code key)
{
	struct learn *learn = ctx;
	learn->unsaved = true;
	screen_key(&learn->now->screen, learn->now->tutor, key);
	if (learn->now->screen.theme_asked) {
		const struct canvas_theme_row *theme = canvas_theme_row(tui_term_next_theme());
		char text[160];
		snprintf(text, sizeof text, _("Theme %s: %s."), theme->name, text_translate(theme->meaning));
		if (screen_debugger(&learn->now->screen))
			debug_notice(screen_debugger(&learn->now->screen), text);
		else
			tutor_notice(learn->now->tutor, text);
	}
	if (learn->now->screen.setting_changed)
		take_setting(learn);
	if (learn->now->screen.copy_asked) {
		/* The picture or path that the last key asked for. */
		struct buf text = {0}, sentence = {0};
		bool path = learn->now->screen.copy_asked == ACTION_COPY_PATH;
		screen_copy_text(&learn->now->screen, learn->now->tutor, &text);
		learn->now->screen.copy_asked = ACTION_NONE;
		if (tui_term_copy(buf_str(&text), text.len))
			buf_printf(&sentence, _("%s was sent to the terminal for its clipboard."),
				path ? buf_str(&text) : _("The picture"));
		else
			buf_printf(&sentence, _("This terminal takes nothing for a clipboard%s%s"), path ? ": " : ".",
				path ? buf_str(&text) : "");
		tutor_notice(learn->now->tutor, buf_str(&sentence));
		buf_free(&text);
		buf_free(&sentence);
	}
	follow_seats(learn);
}

static void learn_paste(void *ctx, const char *text)
{
	struct learn *learn = ctx;
	learn->unsaved = true;
	screen_paste(&learn->now->screen, learn->now->tutor, text);
}

static void learn_click(void *ctx, int row, int col)
{
	struct learn *learn = ctx;
	learn->unsaved = true;
	screen_click(&learn->now->screen, learn->now->tutor, &learn->now->targets, row, col);
	if (learn->now->screen.setting_changed)
		take_setting(learn);
	follow_seats(learn);
}

static void learn_wheel(void *ctx, int row, int col, int rows)
{
	struct learn *learn = ctx;
	learn->unsaved = true;
	screen_wheel(&learn->now->screen, learn->now->tutor, row, col, rows);
}

static bool learn_hover(void *ctx, int row, int col)
{
	struct learn *learn = ctx;
	return screen_hover(&learn->now->screen, learn->now->tutor, row, col);
}

/* --- the editor --------------------------------------------------------------------------------------------------- */

static void refuse_edit(struct learn *learn, const char *path, const char *why)
{
	struct buf sentence = {0};
	buf_printf(&sentence, "%s: %s", why, path);
	tutor_notice(learn->now->tutor, buf_str(&sentence));
	buf_free(&sentence);
}

static bool learn_edit(void *ctx, const char **path, int *line)
{
	struct learn *learn = ctx;
	bool asked = learn->now->screen.edit_asked;
	*path = tutor_file_to_edit(learn->now->tutor, line);
	learn->now->screen.edit_asked = false;
	if (!asked || !*path)
		return false;
	if (tutor_setting_is(learn->now->tutor->settings, SETTING_WATCH_ONLY, "on")) {
		/* On one line: where that is longer than the screen, in its place. */
		const char *show_path = *path;
		struct buf line_of_path = {0};
		int rows, cols;
		tui_term_size(&rows, &cols); /* nothing may have been drawn yet */
		escape_puts(show_path, &line_of_path);
		if (utf8_columns(buf_str(&line_of_path)) <= cols - 2)
			tutor_notice(learn->now->tutor, buf_str(&line_of_path));
		else
			tui_term_show_line(buf_str(&line_of_path), tui_signals_fd());
		buf_free(&line_of_path);
	} else if (!file_exists(*path)) {
		refuse_edit(learn, *path,
			learn->now->tutor->explored ? _("There is no such file to edit") : _("It is not there"));
	} else if (foreground_lacks()) {
		refuse_edit(learn, *path, foreground_lacks());
	} else {
		return true;
	}
	return false;
}

static void learn_edited(void *ctx, const char *wrong)
{
	struct learn *learn = ctx;
	struct buf sentence = {0};
	learn->unsaved = true;
	if (*wrong) {
		buf_printf(&sentence, _("The editor %s."), wrong);
		tutor_notice(learn->now->tutor, buf_str(&sentence));
	}
	buf_free(&sentence);
}

/* --- quiet moments ------------------------------------------------------------------------------------------------ */

static bool save_progress(struct learn *learn)
{
	struct diag diag = {0};
	bool failed;
	learn->unsaved = false;
	failed = !tutor_save(learn->seats[0].tutor, &diag) && diag.count > 0;
	if (failed) {
		struct buf sentence = {0};
		buf_printf(&sentence, _("Progress is not kept: %s%s%s."),
			diag.entries[0].file ? diag.entries[0].file : "", diag.entries[0].file ? ": " : "",
			diag.entries[0].message);
		tutor_notice(learn->now->tutor, buf_str(&sentence));
		buf_free(&sentence);
	}
	diag_free(&diag);
	return failed;
}

/* Of two times from now, -1 being never. */
static int sooner(int a, int b)
{
	return a < 0 ? b : b < 0 || a < b ? a : b;
}

/* What notes ask for is done; then they are told where the talk is. */
static bool serve_notes(struct learn *learn)
{
	struct tutor *tutor = learn->now->tutor;
	const char *asked;
	struct notes_slide slide;
	struct buf line = {0};
	bool any = false;
	if (!learn->notes)
		return false;
	for (int n = 0; n < ASKED_MAX && (asked = notes_server_step(learn->notes)) != NULL; n++)
		for (int action = ACTION_NONE + 1; action < ACTIONS; action++)
			if (strcmp(tutor_actions[action].name, asked) == 0 &&
				tutor_present_takes((enum tutor_action)action)) {
				screen_act(&learn->now->screen, tutor, (enum tutor_action)action);
				any = true;
			}
	if (notes_server_peers(learn->notes)) {
		tutor_present_describe(tutor, &slide);
		notes_write(&slide, &line);
		notes_server_tell(learn->notes, &line);
	}
	buf_free(&line);
	return any;
}

static int learn_timeout_ms(const void *ctx)
{
	const struct learn *learn = ctx;
	const struct debug *debug = screen_debugger(&learn->now->screen);
	if (debug ? screen_debugger_busy(&learn->now->screen) : tutor_has_work(learn->now->tutor))
		return 0;
	int gpu = tutor_attempt_timeout_ms(learn->now->tutor);
	for (const struct seat *seat = learn->seats; seat <= learn->now; seat++)
		gpu = sooner(gpu, gpu_timeout_ms(seat->tutor->gpu));
	gpu = sooner(gpu, tutor_explore_timeout_ms(learn->now->tutor));
	gpu = sooner(gpu, tutor_reload_timeout_ms(learn->now->tutor));
	gpu = sooner(gpu, tutor_playground_timeout_ms(learn->now->tutor));
	gpu = sooner(gpu, screen_play_ms(&learn->now->screen));

	/* Until what time alone brings to a presentation: the next second, the script's next command. */
	if (learn->now->tutor->presented) {
		double now = clock_ms();
		int script = learn->script ? screen_script_wait_ms(learn->script, now) : -1;
		gpu = sooner(gpu, sooner(script, 1000 - (int)fmod(now - learn->began_ms, 1000)));
	}
	if (learn->unsaved && (gpu < 0 || gpu > SAVE_MS))
		return SAVE_MS;
	return gpu;
}

static bool learn_idle(void *ctx)
{
	struct learn *learn = ctx;
	bool debug = screen_debugger(&learn->now->screen) != NULL;
	if (debug && screen_debugger_busy(&learn->now->screen)) {
		screen_debugger_work(&learn->now->screen);
		return true;
	}
	if (!debug && tutor_has_work(learn->now->tutor))
		return tutor_work(learn->now->tutor);
	bool moved = screen_play_step(&learn->now->screen, learn->now->tutor);
	return (learn->unsaved && save_progress(learn)) || moved;
}

/* --- the worker --------------------------------------------------------------------------------------------------- */

static void learn_begin(void *ctx)
{
	struct learn *learn = ctx;
	if (!learn->now->tutor->explored) /* a reader's kernel is measured when they say so */
		tutor_gpu_start(learn->now->tutor);
	learn->unsaved = true;
}

static bool learn_step(void *ctx)
{
	struct learn *learn = ctx;
	bool attempt = false;
	if (!screen_debugger(&learn->now->screen)) { /* a new version would end what is stepped */
		attempt = tutor_attempt_step(learn->now->tutor);
		attempt |= tutor_playground_step(learn->now->tutor);
		attempt |= tutor_explore_step(learn->now->tutor);
		attempt |= tutor_reload_step(learn->now->tutor);
	}
	learn->unsaved |= attempt;

	if (learn->now->tutor->presented) {
		double now = clock_ms();
		attempt |= tutor_present_tick(learn->now->tutor, (int)((now - learn->began_ms) / 1e3));
		attempt |= serve_notes(learn);
		attempt |= learn->script &&
			screen_script_step(learn->script, &learn->now->screen, learn->now->tutor, now);
	}
	for (struct seat *seat = learn->seats; seat <= learn->now; seat++)
		attempt |= tutor_gpu_step(seat->tutor);
	return attempt;
}

/* What is stepped is stopped; the lessons end, as any program. */
static bool learn_interrupt(void *ctx)
{
	struct learn *learn = ctx;
	struct debug *debug = screen_debugger(&learn->now->screen);
	if (!debug)
		return false;
	if (debug_busy(debug))
		debug_cancel(debug);
	else
		debug_notice(debug, _("Nothing is running; q leaves the debugger."));
	return true;
}

static int learn_fds(const void *ctx, struct pollfd out[TUI_FDS_MAX])
{
	const struct learn *learn = ctx;
	int n = 0;
	for (const struct seat *seat = learn->seats; seat <= learn->now; seat++) {
		out[n++] = (struct pollfd){.fd = gpu_fd(seat->tutor->gpu), .events = POLLIN};
		out[n++] = (struct pollfd){.fd = gpu_write_fd(seat->tutor->gpu), .events = POLLOUT};
	}
	return n + (learn->notes ? notes_server_fds(learn->notes, out + n) : 0);
}

static bool learn_is_done(const void *ctx)
{
	const struct learn *learn = ctx;
	return learn->now->tutor->quit || learn->seats[0].tutor->quit;
}

void tui_use(const struct tutor_settings *settings)
{
	tui_term_use((struct tui_uses){
		.no_mouse = tutor_setting_is(settings, SETTING_MOUSE, "off"),
		.ascii = tutor_setting_is(settings, SETTING_ASCII, "on"),
	});
}

/* `learn` has the session. */
static int run_session(struct learn *learn, enum canvas_theme theme, struct diag *diag)
{
	struct tutor *tutor = learn->seats[0].tutor;
	learn->now = learn->seats;
	const struct tui_app app = {
		.ctx = learn,
		.draw = learn_draw,
		.key = learn_key,
		.paste = learn_paste,
		.click = learn_click,
		.wheel = learn_wheel,
		.hover = learn_hover,
		.edit = learn_edit,
		.edited = learn_edited,
		.is_done = learn_is_done,
		.timeout_ms = learn_timeout_ms,
		.idle = learn_idle,
		.interrupt = learn_interrupt,
		.begin = learn_begin,
		.step = learn_step,
		.fds = learn_fds,
	};
	tutor->background = true;
	tui_term_set_theme(theme);
	size_t errors = diag->errors;
	int status = tui_loop(&app, diag);
	while (close_playground(learn))
		;
	screen_end(&learn->now->screen);
	tui_record(-1);
	bool saved = diag->errors != errors /* there was no terminal */ || tutor_save(tutor, diag);
	return status || saved ? status : EXIT_FAILURE;
}

int tui_run(struct tutor *tutor, enum canvas_theme theme, struct diag *diag)
{
	struct learn learn = {.seats = {{.tutor = tutor}}};
	if (tutor->at.mode == TUTOR_LIST && lesson_progress_is_new(tutor->progress)) {
		screen_push(&learn.seats[0].screen.modes, &screen_mode_welcome);
		lesson_progress_keep(tutor->progress);
	}
	return run_session(&learn, theme, diag);
}

int tui_present(struct tutor *tutor, enum canvas_theme theme, const struct tui_talk *talk, struct diag *diag)
{
	struct learn learn = {
		.seats = {{.tutor = tutor}}, .script = talk->script, .notes = talk->notes, .began_ms = clock_ms()};
	return run_session(&learn, theme, diag);
}
