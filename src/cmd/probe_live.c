/* simttutor probe --view: timelines made of a GPU's stamps, drawn. */
#include "config.h"
#include "cmd/probe.h"

#include <stdlib.h>

#include "cmd/json.h"
#include "cmd/picture.h"
#include "model/profile/profile.h"

#define COLS 80

static void write_times_text(const struct probing *p, struct buf *out)
{
	struct picture_page page = {p->run.ctx, COLS, picture_choose(p->run.ctx, p->run.format), out};
	int rows;
	picture_size(&page.cols, &rows);
	if (p->changed >= 0)
		picture_printf(&page, "argument %d is NOT the same as without stamps\n\n", p->changed);
	run_write_times(&p->run, &page);
}

static void write_times_json(const struct probing *p, struct buf *out)
{
	json_t *json = run_times_json(&p->run);
	json_object_set_new(json, "kernel", cmd_json_text(p->run.launch.kernel));
	json_object_set_new(json, "same_results", json_boolean(p->changed < 0));
	cmd_json_write(json, JSON_INDENT(0), out);
}

int probing_show_times(struct probing *p)
{
	struct run *run = &p->run;
	struct cmd_ctx *ctx = run->ctx;
	run_find_source(run, profile_file(ptx_find_kernel(run->module, run->launch.kernel, &ctx->diag)));
	int status = run_time_live(run, p->request.n_lines ? p->lines[0] : 0, &p->changed);
	if (status != EXIT_OK)
		return status;
	struct buf out = {0};
	(run->format == PICTURE_JSON ? write_times_json : write_times_text)(p, &out);
	status = cmd_print_colored(ctx, &out) && p->changed < 0 ? EXIT_OK : EXIT_FAILED;
	buf_free(&out);
	return status;
}
