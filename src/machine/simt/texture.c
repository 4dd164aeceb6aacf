#include "machine/simt/texture.h"

#include <math.h>
#include <string.h>

#include "base/narrow.h"
#include "machine/simt/machine.h"

/* --- handles
 * -------------------------------------------------------------------------------------------------------- */

#define TEXTURES_WINDOW ((uint64_t)0x7A00000000000000)
#define REFERENCES_WINDOW ((uint64_t)0x7900000000000000)
#define HANDLE_STEP 64u

uint64_t simt_texture_handle(uint32_t index)
{
	return TEXTURES_WINDOW + (uint64_t)HANDLE_STEP * (index + 1);
}

/* Which of `n` handles in a window it is; `n`: none. */
static uint64_t index_in(uint64_t handle, uint64_t window, uint64_t n)
{
	uint64_t index = (handle - window) / HANDLE_STEP - 1;
	return handle - window >= HANDLE_STEP && handle % HANDLE_STEP == 0 && index < n ? index : n;
}

uint64_t simt_texture_reference(const struct ptx_var *var)
{
	return REFERENCES_WINDOW + (uint64_t)HANDLE_STEP * ((uint64_t)var->index + 1);
}

/* What the launch has for the variable. */
static const struct simt_texture *bound_to(const struct machine *m, const struct ptx_var *var)
{
	for (uint32_t i = 0; i < m->launch->n_textures; i++) {
		const char *name = m->launch->textures[i].reference;
		if (name && strcmp(name, var->name) == 0)
			return &m->launch->textures[i];
	}
	return NULL;
}

struct texture_object simt_texture_find(const struct machine *m, uint64_t handle)
{
	const struct ptx_module *module = m->program.kernel->module;
	uint64_t texture = index_in(handle, TEXTURES_WINDOW, m->launch->n_textures);
	uint64_t var = index_in(handle, REFERENCES_WINDOW, (uint64_t)module->n_vars);
	if (texture < m->launch->n_textures && m->launch->textures[texture].shape.bytes)
		return (struct texture_object){.texture = &m->launch->textures[texture]};
	if (var < (uint64_t)module->n_vars && module->vars[var]->opaque)
		return (struct texture_object){
			.texture = bound_to(m, module->vars[var]), .reference = module->vars[var]};
	return (struct texture_object){0};
}

/* --- one texel
 * ------------------------------------------------------------------------------------------------------ */

static uint32_t float_bits(double v)
{
	float f = (float)v;
	uint32_t bits;
	memcpy(&bits, &f, sizeof bits);
	return bits;
}

static int32_t extend(uint32_t bits, const struct warp_texture *t)
{
	unsigned unused = 32 - 8u * t->bytes;
	return (int32_t)(bits << unused) >> unused;
}

static uint32_t read_channel(const struct warp_texture *t, const uint8_t *from)
{
	uint32_t bits = 0;
	memcpy(&bits, from, t->bytes); /* little endian */
	if (t->reads_floats) {
		/* Guide, read mode: unsigned integers are mapped to [0, 1], signed ones to [-1, 1]; the least has two
		 * values at that end. */
		double most = (double)((1u << (8 * t->bytes - (t->kind == 'S'))) - 1);
		double v = t->kind == 'S' ? fmax((double)extend(bits, t) / most, -1) : (double)bits / most;
		return float_bits(v);
	}
	if (t->kind == 'F')
		return t->bytes == 2 ? float_bits(narrow_half_to_double(bits)) : bits;
	return t->kind == 'S' ? (uint32_t)extend(bits, t) : bits;
}

/* Where a fetch goes: a texel in each dimension, -1: outside of the texture. */
static void read_texel(const struct texture_fetch *f, const int64_t at[3], uint32_t image, uint32_t out[4])
{
	const struct warp_texture *t = f->texture;
	bool outside = at[0] < 0 || at[1] < 0 || at[2] < 0;
	uint64_t row = outside ? 0 : ((uint64_t)image * t->size[2] + (uint64_t)at[2]) * t->size[1] + (uint64_t)at[1];
	uint64_t texel = outside ? 0 : (uint64_t)at[0];
	const uint8_t *from = f->texels + row * warp_texture_row(t) + texel * warp_texel_bytes(t);
	for (int c = 0; c < 4; c++)
		out[c] = c < t->channels && !outside ? read_channel(t, from + (size_t)c * t->bytes) : 0;
}

/* --- coordinates
 * ---------------------------------------------------------------------------------------------------- */

/* A fetch as it is made: coordinates in texels, and the image they are in. */
struct aimed {
	double at[3];
	uint8_t addressing[3];
	uint32_t image;
};

static bool is_normalized(const struct texture_fetch *f)
{
	return f->is_cube || (f->texture->normalized && !f->sampler->unnormalized && !f->whole);
}

/* A coordinate in texels, and so near the texture that its texel is a whole number; the modes that repeat a texture
 * take what is left of it after whole repetitions. */
static double aim(double v, double size, uint8_t *addressing)
{
	if (isnan(v))
		return 0;
	if (*addressing == WARP_ADDRESS_WRAP || *addressing == WARP_ADDRESS_MIRROR)
		return isinf(v) ? 0 : fmod(v, 2 * size);
	if (*addressing == WARP_ADDRESS_CLAMP_OGL) {
		*addressing = WARP_ADDRESS_BORDER;
		return fmin(fmax(v, 0), size);
	}
	return fmin(fmax(v, -0x1p30), 0x1p30);
}

/* Guide, cubemap textures: the coordinate of the largest magnitude says the face, the others where in it. */
static uint32_t find_face(const double p[3], double place[2])
{
	double x = p[0], y = p[1], z = p[2], m = fmax(fabs(x), fmax(fabs(y), fabs(z))), s, t;
	uint32_t face;
	if (fabs(x) > fabs(y) && fabs(x) > fabs(z)) {
		face = x < 0;
		s = x < 0 ? z : -z;
		t = -y;
	} else if (fabs(y) > fabs(z)) {
		face = 2 + (y < 0);
		s = x;
		t = y < 0 ? -z : z;
	} else {
		face = 4 + (z < 0);
		s = z < 0 ? -x : x;
		t = -y;
	}
	place[0] = (s / m + 1) / 2;
	place[1] = (t / m + 1) / 2;
	return face;
}

static struct aimed aim_fetch(const struct texture_fetch *f)
{
	const struct warp_texture *t = f->texture;
	const uint32_t *bits = f->at + f->is_layered;
	uint32_t layer = f->is_layered ? f->at[0] : 0;
	double p[3] = {0};
	struct aimed a = {.image = layer < t->layers ? layer : t->layers - 1};

	for (uint32_t i = 0; i < f->dimensions; i++)
		p[i] = f->whole ? (double)(int32_t)bits[i] : narrow_float_to_double(bits[i]);
	if (f->is_cube)
		a.image = a.image * 6 + find_face((const double[3]){p[0], p[1], p[2]}, p);
	for (int i = 0; i < t->dimensions; i++) {
		/* Guide, addressing modes: wrap and mirror are for normalized coordinates, and clamp otherwise. */
		uint8_t mode = f->sampler->addressing[i];
		bool repeats = mode == WARP_ADDRESS_WRAP || mode == WARP_ADDRESS_MIRROR;
		if (f->whole)
			a.addressing[i] = f->names_level ? WARP_ADDRESS_CLAMP : WARP_ADDRESS_BORDER;
		else
			a.addressing[i] = repeats && !is_normalized(f) ? WARP_ADDRESS_CLAMP : mode;

		a.at[i] = aim(is_normalized(f) ? p[i] * t->size[i] : p[i], t->size[i], &a.addressing[i]);
	}
	return a;
}

/* The texel that stands for number `i`; -1: none does. */
static int64_t resolve(int64_t i, int64_t size, uint8_t addressing)
{
	int64_t twice = (i % (2 * size) + 2 * size) % (2 * size);
	if (i >= 0 && i < size)
		return i;
	switch (addressing) {
	case WARP_ADDRESS_WRAP: return twice % size;
	case WARP_ADDRESS_MIRROR: return twice < size ? twice : 2 * size - 1 - twice;
	case WARP_ADDRESS_BORDER: return -1;
	default: return i < 0 ? 0 : size - 1;
	}
}

/* --- filters
 * -------------------------------------------------------------------------------------------------------- */

/* Guide, linear filtering: the texels before and after, and the weight of the one after in parts of 256, as the
 * fraction has 8 bits; rounded to the nearest part. */
#define PARTS (1 << WARP_FILTER_BITS)

struct footprint {
	int64_t texel[3][2];
	int32_t weight[3];
};

static struct footprint find_footprint(const struct texture_fetch *f, const struct aimed *a)
{
	struct footprint p = {0};
	for (int i = 0; i < f->texture->dimensions; i++) {
		int64_t size = f->texture->size[i];
		int64_t parts = (int64_t)floor((a->at[i] - 0.5) * PARTS + 0.5) + (int64_t)f->offset[i] * PARTS;
		int64_t first = parts >= 0 ? parts / PARTS : -((-parts + PARTS - 1) / PARTS);
		p.weight[i] = (int32_t)(parts - first * PARTS);
		p.texel[i][0] = resolve(first, size, a->addressing[i]);
		p.texel[i][1] = resolve(first + 1, size, a->addressing[i]);
	}
	return p;
}

/* Corner `n` of a footprint: bit i of it says which of the two texels of dimension i. Returns its weight. */
static double take_corner(
	const struct texture_fetch *f, const struct aimed *a, const struct footprint *p, unsigned n, uint32_t out[4])
{
	int64_t at[3] = {0};
	double weight = 1;
	for (int i = 0; i < f->texture->dimensions; i++) {
		bool second = n >> i & 1;
		at[i] = p->texel[i][second];
		weight *= (double)(second ? p->weight[i] : PARTS - p->weight[i]) / PARTS;
	}
	read_texel(f, at, a->image, out);
	return weight;
}

static void filter_linear(const struct texture_fetch *f, const struct aimed *a, uint32_t out[4])
{
	struct footprint p = find_footprint(f, a);
	double sums[4] = {0};
	uint32_t texel[4];
	for (unsigned n = 0; n < 1u << f->texture->dimensions; n++) {
		double weight = take_corner(f, a, &p, n, texel);
		for (int c = 0; weight > 0 && c < 4; c++)
			sums[c] += weight * narrow_float_to_double(texel[c]);
	}
	for (int c = 0; c < 4; c++)
		out[c] = float_bits(sums[c]);
}

void simt_texture_fetch(const struct texture_fetch *f, uint32_t out[4])
{
	struct aimed a = aim_fetch(f);
	int64_t at[3] = {0};
	if (f->sampler->linear && simt_texture_gives_floats(f->texture) && !f->whole) {
		filter_linear(f, &a, out);
		return;
	}
	for (int i = 0; i < f->texture->dimensions; i++)
		at[i] = resolve((int64_t)floor(a.at[i]) + f->offset[i], f->texture->size[i], a.addressing[i]);
	/* There may be nothing outside, whatever the address modes. */
	if (f->whole && !f->names_level && f->is_layered && f->at[0] >= f->texture->layers)
		at[0] = -1;
	read_texel(f, at, a.image, out);
}

void simt_texture_gather(const struct texture_fetch *f, int channel, uint32_t out[4])
{
	static const unsigned corners[] = {2, 3, 1, 0};
	struct aimed a = aim_fetch(f);
	struct footprint p = find_footprint(f, &a);
	uint32_t texel[4];
	for (int i = 0; i < 4; i++) {
		take_corner(f, &a, &p, corners[i], texel);
		out[i] = texel[channel];
	}
}
