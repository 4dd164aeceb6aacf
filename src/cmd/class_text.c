#include "config.h"
#include "cmd/class.h"

#include "base/text.h"
#include "base/utf8.h"
#include "cmd/json.h"

void class_write_kernels(const struct class_files *files, struct buf *out)
{
	size_t kernels = 0, solved = 0;
	for (size_t i = 0; i < files->n_submissions; i++) {
		const struct class_submission *s = &files->submissions[i];
		kernels += !s->unread;
		solved += s->verdict == CLASS_SOLVED;
		escape_line(out, "%s%s%s: %s%s%s", s->student, *s->student && *s->name ? "/" : "", s->name,
			class_verdict_texts[s->verdict], *s->detail ? ": " : "", s->detail);
	}
	buf_printf(out, text_plural("%zu kernel, %zu solved\n", "%zu kernels, %zu solved\n", kernels), kernels, solved);
}

json_t *class_kernels_json(const struct class_files *files)
{
	json_t *all = json_array();
	for (size_t i = 0; i < files->n_submissions; i++) {
		const struct class_submission *s = &files->submissions[i];
		json_array_append_new(all,
			json_pack("{s:o, s:o, s:o, s:o, s:s, s:o, s:O?}", "student",
				*s->student ? cmd_json_text(s->student) : json_null(), "file",
				*s->name ? cmd_json_text(s->name) : json_null(), "lesson",
				cmd_json_text(s->lesson ? s->lesson->id : NULL), "step",
				cmd_json_text(s->step ? s->step->id : NULL), "verdict", class_verdict_texts[s->verdict],
				"detail", cmd_json_text(s->detail), "grade", s->grade));
	}
	return all;
}
