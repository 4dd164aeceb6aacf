/* The playground, line by line. */
#include "config.h"
#include "cmd/linear_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "front/tutor/playground.h"

#define FIRST_LOOKS 8 /* before which a file that has changed may not be seen */

/* The access that is tried in a playground. */
void cmd_linear_put_tried(struct linear *l)
{
	const struct tutor_playground *p = l->tutor->playground;
	const struct warp_access *a = &p->access;
	if (p->fault.text[0]) {
		if (p->fault.column >= 0)
			buf_printf(&l->out, _("At character %d: "), p->fault.column + 1);
		cmd_linear_put_wrapped(&l->out, p->fault.text, "");
		return;
	}
	buf_printf(&l->out, _("%s %s, %d bytes per lane, the element of each lane: %s.\n"), warp_space_name(a->space),
		warp_op_name(a->op), a->width, buf_str(&p->expr.text));
	cmd_linear_put_wrapped(&l->out, buf_str(&p->explained), "");
}

/* Whether there is one, which is opened over the lessons where it is not. */
static bool has_playground(struct linear *l)
{
	struct diag diag = {0};
	struct tutor *tutor = NULL;
	if (l->tutor->playground)
		return true;
	if (l->tutor->playgrounds.open)
		tutor = l->tutor->playgrounds.open(l->tutor->playgrounds.ctx, &diag);
	if (tutor) {
		tutor->settings = l->tutor->settings;
		tutor_pause(l->tutor, true);
		l->below = l->tutor;
		l->tutor = tutor;
	} else {
		buf_printf(&l->out, "%s\n", diag.count ? diag.entries[0].message : _("There is no playground here."));
	}
	diag_free(&diag);
	return tutor != NULL;
}

bool cmd_linear_leave_playground(struct linear *l)
{
	if (!l->below)
		return false;
	tutor_free(l->tutor);
	l->tutor = l->below;
	l->below = NULL;
	tutor_pause(l->tutor, false);
	return true;
}

void cmd_linear_leave(struct linear *l, const char *rest)
{
	(void)rest;
	if (cmd_linear_leave_playground(l))
		cmd_linear_put_step(l);
	else
		buf_puts(&l->out, _("There is nothing to go back to; quit leaves.\n"));
}

static void try_access(struct linear *l, const struct tutor_playground_tried *tried)
{
	struct diag diag = {0};
	tutor_playground_turn(l->tutor, PLAYGROUND_ACCESS);
	if (tutor_playground_try(l->tutor, tried))
		tutor_playground_keep(l->tutor, &diag);
	cmd_linear_put_tried(l);
	if (diag.count)
		buf_printf(&l->out, _("It is not kept: %s\n"), diag.entries[0].message);
	diag_free(&diag);
}

static struct tutor_playground_tried tried_now(const struct linear *l)
{
	const struct tutor_playground *p = l->tutor->playground;
	struct tutor_playground_tried tried = {p->access.space, p->access.op, p->access.width, ""};
	snprintf(tried.text, sizeof tried.text, "%s", buf_str(&p->expr.text));
	return tried;
}

/* "try lane*33" */
void cmd_linear_try(struct linear *l, const char *rest)
{
	if (!has_playground(l))
		return;
	struct tutor_playground_tried tried = tried_now(l);
	if (strlen(rest) >= sizeof tried.text) {
		buf_printf(&l->out, _("It has more than %d bytes.\n"), TUTOR_PLAYGROUND_EXPR_MAX);
		return;
	}
	if (*rest)
		strcpy(tried.text, rest);
	try_access(l, &tried);
}

static bool take_access_word(const struct linear *l, const char *word, struct tutor_playground_tried *tried)
{
	char *end;
	long width = strtol(word, &end, 10);
	for (int s = SPACE_SHARED; s <= SPACE_CONST; s++)
		if (strcmp(word, warp_space_name((enum mem_space)s)) == 0)
			return tried->space = (enum mem_space)s, true;
	for (int o = 0; o < ACCESS_OPS_N; o++)
		if (strcmp(word, warp_op_name((enum access_op)o)) == 0)
			return tried->op = (enum access_op)o, true;
	tried->width = (uint8_t)width;
	return end != word && !*end && width >= 1 && width <= 16 &&
		(l->tutor->playground->by.widths(tried->space, tried->op) & (uint32_t)width);
}

/* "access global st 8" */
void cmd_linear_access(struct linear *l, const char *rest)
{
	char word[16];
	if (!has_playground(l))
		return;
	struct tutor_playground_tried tried = tried_now(l);
	for (int n; sscanf(rest, " %15s%n", word, &n) == 1; rest += n)
		if (!take_access_word(l, word, &tried)) {
			buf_puts(&l->out, _("access SPACE OP BYTES, as in access global st 8.\n"));
			return;
		}
	if (!l->tutor->playground->by.widths(tried.space, tried.op)) {
		buf_printf(&l->out, _("%s memory has no %s.\n"), warp_space_name(tried.space), warp_op_name(tried.op));
		return;
	}
	try_access(l, &tried);
}

void cmd_linear_tried(struct linear *l, const char *rest)
{
	(void)rest;
	if (!has_playground(l))
		return;
	const struct tutor_playground *p = l->tutor->playground;
	for (int i = p->n_tried; i-- > 0;)
		buf_printf(&l->out, "%s %s %d: %s\n", warp_space_name(p->tried[i].space), warp_op_name(p->tried[i].op),
			p->tried[i].width, p->tried[i].text);
}

/* The playground's kernel as its file is now, compiled and shown. */
void cmd_linear_kernel(struct linear *l, const char *rest)
{
	const struct timespec pause = {.tv_nsec = LINEAR_LOOK_NS};
	(void)rest;
	if (!has_playground(l))
		return;
	const struct tutor_playground *p = l->tutor->playground;
	tutor_playground_turn(l->tutor, PLAYGROUND_KERNEL);
	cmd_linear_put_notice(l);
	for (int i = 0; p->kind == PLAYGROUND_KERNEL && i < LINEAR_LOOKS; i++) {
		tutor_explore_step(l->tutor);
		if (i > FIRST_LOOKS && l->tutor->explored->state != EXPLORED_COMPILING)
			break;
		nanosleep(&pause, NULL);
	}
	if (p->kind != PLAYGROUND_KERNEL)
		return;
	buf_printf(&l->out, _("Edit this file, then say kernel: %s\n"), p->by.path);
	if (p->fault.text[0])
		cmd_linear_put_wrapped(&l->out, p->fault.text, "");
	else if (p->has_kernel)
		cmd_linear_put_step(l);
}
