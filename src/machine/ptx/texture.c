/* Instructions on textures and surfaces: which suffixes go together, and what they name in brackets; the initial values
 * of samplers. */
#include <string.h>

#include "machine/ptx/instr.h"
#include "machine/ptx/ops.h"
#include "machine/ptx/parse.h"

bool ptx_is_texture_letter(char letter)
{
	return letter && strchr("JHLC", letter);
}

/* --- which suffixes go together: PTX ISA, as ptxas has them ------------------------------------------------------- */

const char *ptx_texture_lacks(const struct ptx_form *form)
{
	switch (instr_kind(form)) {
	case PTX_KIND_TEXTURE: {
		uint8_t geometry = form->mod[PTX_MOD_GEOM];
		bool cube = geometry == PTX_GEOM_CUBE || geometry == PTX_GEOM_ACUBE;
		if (form->op == PTX_OP_TLD4 && geometry != PTX_GEOM_2D && geometry != PTX_GEOM_A2D && !cube)
			return "it takes .2d, .a2d, .cube or .acube";
		if (form->mod[PTX_MOD_VEC] != (form->type == PTX_F16X2 ? PTX_VEC_V2 : PTX_VEC_V4))
			return "it gives .v4, of .f16x2 .v2";
		return cube && form->type2 != PTX_F32 ? "coordinates of a cube are .f32" : NULL;
	}
	case PTX_KIND_TEXTURE_QUERY: {
		uint8_t query = form->mod[PTX_MOD_QUERY];
		bool size = query == PTX_QUERY_WIDTH || query == PTX_QUERY_HEIGHT || query == PTX_QUERY_DEPTH;
		if (form->op == PTX_OP_TXQ_LEVEL)
			return size ? NULL : "of a level there are .width, .height and .depth";
		bool of_surfaces = size || query == PTX_QUERY_CHANNEL_DATA_TYPE || query == PTX_QUERY_CHANNEL_ORDER ||
			query == PTX_QUERY_ARRAY_SIZE || query == PTX_QUERY_MEMORY_LAYOUT;
		return form->op == PTX_OP_SUQ && !of_surfaces ? "no surface has that" : NULL;
	}
	case PTX_KIND_SURFACE_LOAD:
	case PTX_KIND_SURFACE_STORE:
	case PTX_KIND_SURFACE_REDUCTION: {
		uint8_t geometry = form->mod[PTX_MOD_GEOM], op = form->mod[PTX_MOD_ATOM];
		if (geometry == PTX_GEOM_CUBE || geometry == PTX_GEOM_ACUBE)
			return "there are no surfaces of cubes";
		if (!op)
			return NULL;
		if (instr_is_layered(form))
			return "it takes .1d, .2d or .3d";
		bool bits = op == PTX_ATOM_AND || op == PTX_ATOM_OR, orders = op == PTX_ATOM_MIN || op == PTX_ATOM_MAX;
		if (!bits && !orders && op != PTX_ATOM_ADD)
			return "it takes .add, .min, .max, .and or .or";
		if (form->op == PTX_OP_SURED_P)
			return NULL;
		return bits != (form->type == PTX_B32) || (op == PTX_ATOM_ADD && form->type == PTX_S64)
			? "its type has no such operation"
			: NULL;
	}
	default: return NULL;
	}
}

/* --- operands ----------------------------------------------------------------------------------------------------- */

/* A variable, or a register that holds a handle. */
static bool parse_object(struct ptx_parser *p, unsigned fits, struct ptx_operand *out)
{
	struct ptx_token at = p->tok;
	struct ptx_symbol *s = at.kind == PTX_TOK_NAME ? ptx_find_symbol(p, at.text, at.len) : NULL;
	if (s && s->kind == PTX_SYM_REG && s->type != PTX_PRED && ptx_type_bytes(s->type) == 8) {
		*out = (struct ptx_operand){.kind = PTX_REG, .index = s->index, .second = -1};
	} else if (s && s->kind == PTX_SYM_VAR && s->var->opaque && fits & 1u << s->var->opaque) {
		*out = (struct ptx_operand){.kind = PTX_VAR, .index = ptx_use_var(p, s->var), .second = -1};
	} else {
		ptx_unexpected(p,
			fits & 1u << PTX_SURFREF          ? "a .surfref or a .u64 register"
				: fits & 1u << PTX_TEXREF ? "a .texref or a .u64 register"
							  : "a .samplerref or a .u64 register");
		return false;
	}
	ptx_next(p);
	return true;
}

/* PTX ISA, tex: as many as there are dimensions, of three four. */
static uint32_t offset_lanes(const struct ptx_form *form)
{
	uint32_t dimensions = instr_dimensions(form);
	return dimensions == 3 ? 4 : dimensions;
}

bool ptx_parse_texture_operand(struct ptx_parser *p, const struct ptx_form *form, char letter, struct ptx_operand *out)
{
	struct ptx_token at = p->tok;
	switch (letter) {
	case 'H': return ptx_parse_vector(p, PTX_F32, offset_lanes(form), out);
	case 'L':
		if (form->mod[PTX_MOD_GEOM] != PTX_GEOM_CUBE && form->mod[PTX_MOD_GEOM] != PTX_GEOM_ACUBE)
			return ptx_parse_vector(p, PTX_S32, offset_lanes(form), out);
		ptx_fault(p, &at, "%s: a cube has no offsets", form->spelling);
		return false;
	case 'C': ptx_fault(p, &at, "%s: the machine has no depth textures", form->spelling); return false;
	default: {
		struct ptx_operand head[2] = {{0}, {.kind = PTX_NONE, .second = -1}}, coordinates = {0};
		uint32_t n = instr_coordinates(form);

		if (!ptx_expect(p, '['))
			return false;

		/* The kinds of opaque variables that it takes first in its brackets. */
		unsigned fits = 1u << PTX_SURFREF;
		if (instr_kind(form) == PTX_KIND_TEXTURE)
			fits = 1u << PTX_TEXREF;
		else if (instr_kind(form) == PTX_KIND_TEXTURE_QUERY && form->op != PTX_OP_SUQ)
			fits = 1u << PTX_TEXREF | 1u << PTX_SAMPLERREF;
		if (!parse_object(p, fits, &head[0]))
			return false;
		if (n && !ptx_expect(p, ','))
			return false;
		if (instr_kind(form) == PTX_KIND_TEXTURE) {
			/* Whether a name or a register that may be a sampler comes next, and not a coordinate: PTX ISA,
			 * tex. */
			struct ptx_symbol *s = p->tok.kind == PTX_TOK_NAME ? ptx_find_symbol(p, p->tok.text, p->tok.len)
									   : NULL;
			bool sampler = s &&
				(s->kind == PTX_SYM_VAR || (s->kind == PTX_SYM_REG && ptx_type_bytes(s->type) == 8));
			if (sampler && (!parse_object(p, 1u << PTX_SAMPLERREF, &head[1]) || !ptx_expect(p, ',')))
				return false;
		}
		/* A layer is an integer beside floats: all are taken as 32 bits. */
		if (n && !ptx_parse_vector(p, PTX_B32, n, &coordinates))
			return false;
		*out = (struct ptx_operand){.kind = PTX_TEXTURE, .count = (uint8_t)(2 + n), .second = -1};
		out->elements = arena_array(p->arena, struct ptx_operand, 2 + n);
		memcpy(out->elements, head, sizeof head);
		if (n)
			memcpy(out->elements + 2, coordinates.elements, n * sizeof *out->elements);
		return ptx_expect(p, ']');
	}
	}
}

/* --- initial values ----------------------------------------------------------------------------------------------- */

static bool take_addressing(struct ptx_parser *p, uint8_t *out)
{
	static const char *const names[] = {[WARP_ADDRESS_WRAP] = "wrap",
		[WARP_ADDRESS_MIRROR] = "mirror",
		[WARP_ADDRESS_CLAMP_OGL] = "clamp_ogl",
		[WARP_ADDRESS_CLAMP] = "clamp_to_edge",
		[WARP_ADDRESS_BORDER] = "clamp_to_border"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!ptx_at_name(p, names[i]))
			continue;
		*out = (uint8_t)i;
		ptx_next(p);
		return true;
	}
	ptx_unexpected(p, "wrap, mirror, clamp_ogl, clamp_to_edge or clamp_to_border");
	return false;
}

/* FIELD = VALUE. What a texture or a surface has is the launch's. */
static bool parse_field(struct ptx_parser *p, struct warp_sampler *sampler)
{
	static const char *const modes[] = {"addr_mode_0", "addr_mode_1", "addr_mode_2"};
	struct ptx_token field = p->tok;
	int64_t value;

	if (field.kind != PTX_TOK_NAME) {
		ptx_unexpected(p, "a field");
		return false;
	}
	ptx_next(p);
	if (!ptx_expect(p, '='))
		return false;
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		if (field.len == strlen(modes[i]) && !memcmp(field.text, modes[i], field.len))
			return take_addressing(p, &sampler->addressing[i]);
	if (field.len == 11 && !memcmp(field.text, "filter_mode", 11)) {
		sampler->linear = ptx_at_name(p, "linear");
		if (!sampler->linear && !ptx_at_name(p, "nearest")) {
			ptx_unexpected(p, "nearest or linear");
			return false;
		}
		ptx_next(p);
		return true;
	}
	if (!ptx_parse_int(p, &value))
		return false;
	if (field.len == 25 && !memcmp(field.text, "force_unnormalized_coords", 25))
		sampler->unnormalized = value != 0;
	return true;
}

bool ptx_parse_opaque_init(struct ptx_parser *p, struct ptx_var *var)
{
	var->sampler = arena_array(p->arena, struct warp_sampler, 1);
	if (!ptx_take(p, '='))
		return true;
	if (!ptx_expect(p, '{'))
		return false;
	do {
		if (!parse_field(p, var->sampler))
			return false;
	} while (ptx_take(p, ','));
	return ptx_expect(p, '}');
}
