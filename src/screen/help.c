#include "screen/keybar.h"
#include "screen/parts.h"
#include "tutor/keys.h"

/* One line an action, with all the keys of the mode that do it; in the order of the table. */
static int collect(enum key_mode mode, struct keybar_line *lines, int cap)
{
	int n = 0;
	bool done[ACTIONS] = {false};
	for (int i = 0; i < key_count && n < cap; i++) {
		const struct key *key = &key_table[i];
		if ((key->mode != mode && key->mode != KEYS_ANY) || done[key->action])
			continue;
		done[key->action] = true;
		struct keybar_line *line = &lines[n++];
		*line = (struct keybar_line){.help = action_table[key->action].help};
		for (int k = i; k < key_count; k++) {
			const struct key *other = &key_table[k];
			if (other->action == key->action && (other->mode == mode || other->mode == KEYS_ANY))
				keybar_add(line, other->name);
		}
	}
	return n;
}

void draw_help(struct sketch *sketch)
{
	struct tutor *tutor = sketch->tutor;
	struct keybar_line lines[ACTIONS];
	int n = collect(key_mode_of(tutor), lines, ACTIONS - 1);
	lines[n++] = (struct keybar_line){"mouse", "click on views, values, lessons; scroll"};
	keybar_help(sketch->canvas, lines, n, &tutor->help_scroll);
	if (sketch->targets)
		sketch->targets->n = 0;
	sketch_target(sketch, (struct rect){0, 0, sketch->canvas->rows, sketch->canvas->cols}, ACTION_HELP, -1);
}
