/* Fetches from textures, and what textures, surfaces and samplers are like. */
#include <inttypes.h>

#include "base/narrow.h"
#include "machine/ptx/ops.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/texture.h"
#include "machine/simt/warp_state.h"

/* --- which texture
 * -------------------------------------------------------------------------------------------------- */

/* Says what the lanes have in the place of a texture, a surface or a sampler. */
static void wrong_object(struct warp *w, const struct code *c, uint32_t lanes, uint64_t handle, const char *wanted)
{
	struct texture_object object = simt_texture_find(w->m, handle);
	struct fault fault = {.kind = SIMT_BAD_TEXTURE, .lanes = lanes, .address = handle};
	if (object.texture)
		simt_fault(w, c, fault, "this takes %s, not a %s", wanted,
			object.texture->shape.is_surface ? "surface" : "texture");
	else if (object.reference && object.reference->opaque != PTX_SAMPLERREF)
		simt_fault(w, c, fault, "the launch has no %s for %.100s",
			object.reference->opaque == PTX_SURFREF ? "surface" : "texture", object.reference->name);
	else if (object.reference)
		simt_fault(w, c, fault, "this takes %s, not the sampler %.100s", wanted, object.reference->name);
	else
		simt_fault(w, c, fault, "this takes %s; 0x%" PRIx64 " is the handle of nothing", wanted, handle);
}

const struct simt_texture *simt_texture_of_lane(
	struct warp *w, const struct code *c, uint64_t handle, bool surface, int lane)
{
	const struct simt_texture *t = simt_texture_find(w->m, handle).texture;
	if (!t || t->shape.is_surface != surface) {
		wrong_object(w, c, 1u << lane, handle, surface ? "a surface" : "a texture");
		return NULL;
	}

	/* PTX ISA: the geometry is that of the texture. */
	const struct ptx_form *form = c->instr->form;
	uint8_t geometry = form->mod[PTX_MOD_GEOM];
	bool cube = geometry == PTX_GEOM_CUBE || geometry == PTX_GEOM_ACUBE;
	if (cube == t->shape.cube && instr_is_layered(form) == t->shape.layered &&
		(cube || instr_dimensions(form) == t->shape.dimensions))
		return t;

	simt_fault(w, c, (struct fault){.kind = SIMT_BAD_TEXTURE, .lanes = 1u << lane, .address = handle},
		"%.60s of a %s of %u dimension%s%s%s", c->instr->form->spelling, surface ? "surface" : "texture",
		t->shape.dimensions, plural(t->shape.dimensions), t->shape.layered ? " with layers" : "",
		t->shape.cube ? ", a cube" : "");
	return NULL;
}

/* Of a lane: the sampler that it names, or the texture's own; NULL after a fault. */
static const struct warp_sampler *sampler_of(
	struct warp *w, const struct code *c, const struct simt_texture *t, int lane)
{
	if (!c->has_sampler)
		return &t->shape.sampler;
	uint64_t handle = ((const u64 *)lanes_of(w, c->sampler))[lane];
	const struct ptx_var *reference = simt_texture_find(w->m, handle).reference;
	if (reference && reference->opaque == PTX_SAMPLERREF)
		return reference->sampler;
	wrong_object(w, c, 1u << lane, handle, "a sampler");
	return NULL;
}

/* --- fetches
 * -------------------------------------------------------------------------------------------------------- */

static uint32_t to_half(uint32_t channel, bool is_float)
{
	return is_float ? narrow_encode(narrow_float_to_double(channel), &narrow_half, NARROW_NEAREST)
			: channel & 0xFFFF;
}

EXEC(fetch)
{
	struct texture_fetch f;
	uint32_t channels[4];
	for (uint32_t rest = mask; rest && !w->m->stop; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);
		const struct ptx_form *form = c->instr->form;
		uint8_t geometry = form->mod[PTX_MOD_GEOM];
		uint64_t handle = ((const u64 *)R(1))[lane];
		const struct simt_texture *t = simt_texture_of_lane(w, c, handle, false, lane);
		const struct warp_sampler *sampler = t ? sampler_of(w, c, t, lane) : NULL;
		if (!sampler)
			continue;
		f = (struct texture_fetch){.texture = &t->shape,
			.sampler = sampler,
			.texels = simt_memory_at(w->m->memory, t->address, warp_texture_bytes(&t->shape)),
			.is_cube = geometry == PTX_GEOM_CUBE || geometry == PTX_GEOM_ACUBE,
			.is_layered = instr_is_layered(form),
			.whole = form->type2 == PTX_S32,
			.names_level = form->op == PTX_OP_TEX_LEVEL,
			.dimensions = instr_dimensions(form)};
		for (uint32_t i = 0; i < instr_coordinates(form); i++)
			f.at[i] = ((const u32 *)lanes_of(w, c->elements[instr_vector(form) + i]))[lane];

		/* The offsets, where there are any, come last of the elements. */
		const struct ptx_operand *last = &c->instr->operands[c->instr->n - 1];
		if (instr_letter(c->instr->form, c->instr->n - 1) == 'L' && last->kind == PTX_VECTOR) {
			for (uint32_t i = 0; i < last->count && i < instr_dimensions(form); i++) {
				int32_t offset = ((const s32 *)lanes_of(
					w, c->elements[c->n_elements - last->count + i]))[lane];
				offset &= 15; /* PTX ISA, tex: -8 to 7 */
				f.offset[i] = offset < 8 ? offset : offset - 16;
			}
		}

		if (!f.texels) {
			simt_fault(w, c,
				(struct fault){.kind = SIMT_BAD_TEXTURE, .lanes = 1u << lane, .address = handle},
				"the memory of the texture was freed");
			continue;
		}

		if (instr_takes(c->instr->form, PTX_MOD_COMPONENT))
			simt_texture_gather(&f, c->instr->form->mod[PTX_MOD_COMPONENT] - PTX_COMPONENT_R, channels);
		else
			simt_texture_fetch(&f, channels);

		/* PTX ISA, tex: .f16x2 has red and green in its first register, blue and alpha in its second. */
		bool floats = simt_texture_gives_floats(f.texture);
		enum ptx_type type = form_type(c->instr);
		for (uint32_t e = 0; e < instr_vector(c->instr->form); e++) {
			void *d = lanes_of(w, c->elements[e]);
			if (type == PTX_F16)
				((u16 *)d)[lane] = (uint16_t)to_half(channels[e], floats);
			else if (type == PTX_F16X2)
				((u32 *)d)[lane] = to_half(channels[2 * e], floats) |
					to_half(channels[2 * e + 1], floats) << 16;
			else
				((u32 *)d)[lane] = channels[e];
		}
	}
	set_second(w, c, mask, mask); /* all of a texture is there */
}
PICK_ALWAYS(texture_gather, fetch)

PICK_ALWAYS(texture_fetch, fetch)

/* --- queries
 * -------------------------------------------------------------------------------------------------------- */

/* PTX ISA, channel data type and order fields: OpenCL's numbers. */
static uint32_t data_type(const struct warp_texture *t)
{
	static const uint32_t of_kind[][3] = {{0x10DA, 0x10DB, 0x10DC}, {0x10D7, 0x10D8, 0x10D9}, {0, 0x10DD, 0x10DE}};
	uint32_t size = t->bytes == 4 ? 2 : t->bytes - 1;
	if (t->reads_floats)
		return (t->kind == 'S' ? 0x10D0 : 0x10D2) + size;
	return of_kind[t->kind == 'U' ? 0 : t->kind == 'S' ? 1 : 2][size];
}

static uint32_t answer_texture(const struct warp_texture *t, enum ptx_mod query)
{
	switch (query) {
	case PTX_QUERY_WIDTH: return t->size[0];
	case PTX_QUERY_HEIGHT: return t->size[1];
	case PTX_QUERY_DEPTH: return t->size[2];
	case PTX_QUERY_CHANNEL_DATA_TYPE: return data_type(t);
	case PTX_QUERY_CHANNEL_ORDER: return t->channels == 1 ? 0x10B0 : t->channels == 2 ? 0x10B2 : 0x10B5;
	case PTX_QUERY_ARRAY_SIZE: return t->layers;
	case PTX_QUERY_NORMALIZED_COORDS: return t->normalized;
	case PTX_QUERY_NUM_MIPMAP_LEVELS:
	case PTX_QUERY_NUM_SAMPLES: return 1;
	default: return 0; /* .memory_layout: an array, not linear memory */
	}
}

static uint32_t answer_sampler(const struct warp_sampler *s, enum ptx_mod query)
{
	switch (query) {
	case PTX_QUERY_FORCE_UNNORMALIZED_COORDS: return s->unnormalized;
	case PTX_QUERY_FILTER_MODE: return s->linear;
	default: return s->addressing[query - PTX_QUERY_ADDR_MODE_0];
	}
}

EXEC(query)
{
	u32 *d = R(0);
	enum ptx_mod asked = (enum ptx_mod)c->instr->form->mod[PTX_MOD_QUERY];
	bool of_sampler = asked >= PTX_QUERY_FORCE_UNNORMALIZED_COORDS && asked <= PTX_QUERY_ADDR_MODE_2;
	bool of_surface = c->instr->form->op == PTX_OP_SUQ;
	for (uint32_t rest = mask; rest && !w->m->stop; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);
		uint64_t handle = ((const u64 *)R(1))[lane];
		struct texture_object object = simt_texture_find(w->m, handle);
		if (of_sampler && object.reference && object.reference->opaque == PTX_SAMPLERREF)
			d[lane] = answer_sampler(object.reference->sampler, asked);
		else if (!object.texture || object.texture->shape.is_surface != of_surface)
			wrong_object(w, c, 1u << lane, handle, of_surface ? "a surface" : "a texture");
		else
			d[lane] = of_sampler ? answer_sampler(&object.texture->shape.sampler, asked)
					     : answer_texture(&object.texture->shape, asked);
	}
}
PICK_ALWAYS(texture_query, query)

/* Of a variable that the launch has nothing for, what it is declared as. */
static enum ptx_opaque kind_of(const struct machine *m, uint64_t handle)
{
	struct texture_object object = simt_texture_find(m, handle);
	if (object.texture)
		return object.texture->shape.is_surface ? PTX_SURFREF : PTX_TEXREF;
	return object.reference ? (enum ptx_opaque)object.reference->opaque : PTX_NOT_OPAQUE;
}

EXEC(is)
{
	static const enum ptx_opaque asked[] = {[PTX_OP_ISTYPEP_TEXREF - PTX_OP_ISTYPEP_TEXREF] = PTX_TEXREF,
		[PTX_OP_ISTYPEP_SAMPLERREF - PTX_OP_ISTYPEP_TEXREF] = PTX_SAMPLERREF,
		[PTX_OP_ISTYPEP_SURFREF - PTX_OP_ISTYPEP_TEXREF] = PTX_SURFREF};
	const u64 *a = R(1);
	enum ptx_opaque kind = asked[c->instr->form->op - PTX_OP_ISTYPEP_TEXREF];
	set_pred(R(0), mask, LANES_WHERE(kind_of(w->m, a[i]) == kind));
}
PICK_ALWAYS(texture_is, is)
