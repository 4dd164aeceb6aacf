/* run --view sass: the machine code of the launch's kernel. */
#include "config.h"
#include "cmd/run.h"

#include "cmd/json.h"
#include "cmd/picture.h"
#include "front/tutor/code.h"
#include "front/view/views.h"
#include "tools/compile/ptxas.h"

#define CODE_ROWS 400 /* all of a kernel of a usual size */

void run_make_code(struct run *run)
{
	struct arena *arena = run->ctx->arena;
	const char *why = NULL;
	const struct ptx_kernel *kernel = ptx_find_kernel(run->module, run->launch.kernel, &run->ctx->diag);
	const char *name = ptx_resolve_kernel(run->module, run->launch.kernel, &run->ctx->diag);
	const struct code_listing *listing = name ? ptxas_listing(cmd_compile_ctx(run->ctx), &run->ptx, name,
							    run->occupancy.cc ? run->occupancy.cc : run->cc, &why)
						  : NULL;
	run->code = tutor_code(arena,
		&(struct tutor_code_request){.kernel = kernel,
			.executed = run->profile->executed,
			.n_executed = run->profile->n_instrs,
			.listing = listing,
			.why = why ? arena_printf(arena, "There is no machine code: %s.", why) : NULL,
			.made_by = WITNESS_LIVE,
			.counted = run->measured.executed,
			.n_counted = run->measured.n_executed,
			.instrs = &run->measured.instrs,
			.instrs_code = run->measured.instrs_code,
			.counted_by = WITNESS_LIVE});
}

void run_write_code(const struct run *run, const struct picture_page *page)
{
	const struct view_input input = {.cc = run->cc, .source = run_view_source(run), .code = run->code};
	picture_printf(page, "%s of %s:\n", view_table[VIEW_SASS].title, run->launch.kernel);
	picture_view(page, VIEW_SASS, &input, CODE_ROWS);
}

static json_t *code_instr_json(const struct view_code_instr *instr)
{
	json_t *json = json_pack("{s:o}", "text", cmd_json_text(instr->text));
	json_object_set_new(json, "line", instr->line ? json_integer(instr->line) : json_null());
	return json;
}

/* What the GPU counted of a machine instruction, and what one execution of it was. */
static void set_counts(json_t *json, const struct view_code_instr *instr)
{
	const struct {
		const char *name;
		struct value value;
	} counts[] = {{"executed", instr->executed}, {"threads", instr->threads}, {"sectors", instr->sectors},
		{"wavefronts", instr->wavefronts}};
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		if (counts[i].value.state == VALUE_OK)
			json_object_set_new(json, counts[i].name,
				counts[i].value.v == (double)(json_int_t)counts[i].value.v
					? json_integer((json_int_t)counts[i].value.v)
					: json_real(counts[i].value.v));
}

json_t *run_code_json(const struct run *run)
{
	const struct view_code *code = &run->code;
	const struct code_listing *l = code->listing;
	json_t *ptx = json_array(), *sass = json_array();
	for (int i = 0; i < code->n_ptx; i++) {
		json_t *instr = code_instr_json(&code->ptx[i]);
		if (code->ptx[i].executed.state == VALUE_OK)
			json_object_set_new(instr, "executed", json_integer((json_int_t)code->ptx[i].executed.v));
		json_array_append_new(ptx, instr);
	}
	for (int i = 0; i < code->n_sass; i++) {
		json_t *instr = code_instr_json(&code->sass[i]);
		json_object_set_new(instr, "address", json_integer(code->sass[i].address));
		json_object_set_new(
			instr, "ptx", code->sass[i].ptx < 0 ? json_null() : json_integer(code->sass[i].ptx));
		if (code->each)
			set_counts(instr, &code->sass[i]);
		json_array_append_new(sass, instr);
	}
	json_t *json = json_pack("{s:o, s:o}", "ptx", ptx, "sass", sass);
	if (!l) {
		json_object_set_new(json, "missing", cmd_json_text(code->why ? code->why : ""));
		return json;
	}
	json_object_set_new(json, "target", json_string(l->target));
	json_object_set_new(json, "compiler", json_string(l->compiler));
	json_object_set_new(json, "registers", json_integer(l->registers));
	json_object_set_new(json, "stack", json_integer(l->stack));
	json_object_set_new(json, "spill_stores", json_integer(l->spill_stores));
	json_object_set_new(json, "spill_loads", json_integer(l->spill_loads));
	return json;
}
