/* Runs the fixtures of textures and surfaces, tests/ptx/texture-*.ptx, on a GPU, and compares what they store with what they expect
 * bit for bit; and says how the weights of a linear filter are rounded. Prints TAP. simttutor-gpu makes no textures, so this does it by
 * the driver. Fixtures that bind a texture by name, have samplers of their own, or expect a defect are left out. Needs a GPU.
 * Usage: textures FOLDER, that of the fixtures. */
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "launch/launch.h"

/* clang-format off */
#define DRIVER_FUNCTIONS(F) \
	F(cuCtxSynchronize) F(cuLaunchKernel) F(cuMemAlloc) F(cuMemcpyHtoD) F(cuMemcpyDtoH) F(cuArray3DCreate) \
	F(cuMemcpy3D) F(cuTexObjectCreate) F(cuSurfObjectCreate)
/* clang-format on */
#include "tests/gpu/driver.h"

/* --- arguments ------------------------------------------------------------------------------------------------------ */

struct argument {
	struct launch_arg arg;
	CUdeviceptr address; /* of a buffer */
	CUarray array;       /* of a texture or a surface */
	uint64_t object;
	void *host;
};

struct fixture {
	struct arena *arena;
	const char *text;
	uint32_t grid[3], block[3];
	struct argument args[LAUNCH_ARGS_MAX];
	int n_args;
};

static CUarray_format format_of(const struct warp_texture *t)
{
	if (t->kind == 'F')
		return t->bytes == 2 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
	if (t->kind == 'S')
		return t->bytes == 1    ? CU_AD_FORMAT_SIGNED_INT8
			: t->bytes == 2 ? CU_AD_FORMAT_SIGNED_INT16
					: CU_AD_FORMAT_SIGNED_INT32;
	return t->bytes == 1    ? CU_AD_FORMAT_UNSIGNED_INT8
		: t->bytes == 2 ? CU_AD_FORMAT_UNSIGNED_INT16
				: CU_AD_FORMAT_UNSIGNED_INT32;
}

static void copy_texels(struct argument *a, bool to_array)
{
	const struct warp_texture *t = &a->arg.texture->shape;
	bool stacked = t->layered || t->cube;
	CUDA_MEMCPY3D copy = {.WidthInBytes = (size_t)t->size[0] * warp_texel_bytes(t),
		.Height = t->size[1],
		.Depth = stacked ? warp_texture_images(t) : t->size[2]};
	copy.srcMemoryType = to_array ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
	copy.dstMemoryType = to_array ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
	if (to_array) {
		copy.srcHost = a->host;
		copy.srcPitch = copy.WidthInBytes;
		copy.srcHeight = copy.Height;
		copy.dstArray = a->array;
	} else {
		copy.dstHost = a->host;
		copy.dstPitch = copy.WidthInBytes;
		copy.dstHeight = copy.Height;
		copy.srcArray = a->array;
	}
	MUST(cuMemcpy3D(&copy));
}

static CUaddress_mode address_mode(uint8_t addressing)
{
	switch (addressing) {
	case WARP_ADDRESS_WRAP: return CU_TR_ADDRESS_MODE_WRAP;
	case WARP_ADDRESS_MIRROR: return CU_TR_ADDRESS_MODE_MIRROR;
	case WARP_ADDRESS_BORDER: return CU_TR_ADDRESS_MODE_BORDER;
	default: return CU_TR_ADDRESS_MODE_CLAMP;
	}
}

static void make_texture(struct argument *a)
{
	const struct warp_texture *t = &a->arg.texture->shape;
	bool stacked = t->layered || t->cube;
	CUDA_ARRAY3D_DESCRIPTOR shape = {.Width = t->size[0],
		.Height = t->dimensions > 1 ? t->size[1] : 0,
		.Depth = stacked            ? warp_texture_images(t)
			: t->dimensions > 2 ? t->size[2]
					    : 0,
		.Format = format_of(t),
		.NumChannels = t->channels,
		.Flags = (t->layered ? CUDA_ARRAY3D_LAYERED : 0u) | (t->cube ? CUDA_ARRAY3D_CUBEMAP : 0u) |
			(t->is_surface ? CUDA_ARRAY3D_SURFACE_LDST : 0u) |
			(t->dimensions == 2 && !stacked ? CUDA_ARRAY3D_TEXTURE_GATHER : 0u)};
	CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY};
	CUDA_TEXTURE_DESC texture = {
		.filterMode = t->sampler.linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT,
		.flags = (t->normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0u) |
			(t->kind != 'F' && !t->reads_floats ? CU_TRSF_READ_AS_INTEGER : 0u)};

	if (t->is_surface)
		shape.Flags &= ~(unsigned)CUDA_ARRAY3D_TEXTURE_GATHER;
	for (int i = 0; i < 3; i++)
		texture.addressMode[i] = address_mode(t->sampler.addressing[i]);
	MUST(cuArray3DCreate(&a->array, &shape));
	copy_texels(a, true);
	resource.res.array.hArray = a->array;
	if (t->is_surface)
		MUST(cuSurfObjectCreate((CUsurfObject *)&a->object, &resource));
	else
		MUST(cuTexObjectCreate((CUtexObject *)&a->object, &resource, &texture, NULL));
}

static void make_argument(struct fixture *f, struct argument *a)
{
	size_t bytes = launch_arg_bytes(&a->arg);
	a->host = arena_alloc(f->arena, bytes + 8);
	launch_arg_fill(&a->arg, a->host);
	if (a->arg.texture) {
		make_texture(a);
	} else if (a->arg.buffer) {
		MUST(cuMemAlloc(&a->address, bytes));
		MUST(cuMemcpyHtoD(a->address, a->host, bytes));
		a->object = a->address;
	} else {
		memcpy(&a->object, a->host, bytes);
	}
}

/* --- fixtures: the comments are as tests/unit/test_fixtures.c has them ------------------------------------------------- */

static bool take_part(struct fixture *f, char *part, struct diag *diag)
{
	char word[8], value[64];
	part += strspn(part, " ");
	if (!strncmp(part, "arg ", 4)) {
		char *brace = strchr(part, '}');
		if (brace)
			brace[1] = '\0';
		return f->n_args < LAUNCH_ARGS_MAX &&
			launch_arg_parse(f->arena, "arg", part + 4, &f->args[f->n_args++].arg, diag);
	}
	for (int used; sscanf(part, " %7s %63s%n", word, value, &used) == 2; part += used)
		if (!launch_dim_parse("launch", value, strcmp(word, "grid") ? f->block : f->grid, diag))
			return false;
	return true;
}

static bool read_launch(struct fixture *f)
{
	const char *line = strstr(f->text, "// launch:");
	struct diag diag = {0};
	bool ok = line != NULL;
	char *save = NULL, *copy = ok ? arena_strndup(f->arena, line + 10, strcspn(line + 10, "\n")) : NULL;
	for (char *part = ok ? strtok_r(copy, ";", &save) : NULL; ok && part; part = strtok_r(NULL, ";", &save))
		ok = take_part(f, part, &diag);
	diag_free(&diag);
	return ok;
}

static void launch(struct fixture *f)
{
	CUmodule module;
	CUfunction function;
	void *params[LAUNCH_ARGS_MAX];
	for (int i = 0; i < f->n_args; i++) {
		make_argument(f, &f->args[i]);
		params[i] = &f->args[i].object;
	}
	MUST(cuModuleLoadData(&module, f->text));
	MUST(cuModuleGetFunction(&function, module, "kernel"));
	MUST(cuLaunchKernel(function, f->grid[0], f->grid[1], f->grid[2], f->block[0], f->block[1], f->block[2], 0,
		NULL, params, NULL));
	MUST(cuCtxSynchronize());
	for (int i = 0; i < f->n_args; i++) {
		struct argument *a = &f->args[i];
		if (a->arg.texture)
			copy_texels(a, false);
		else if (a->arg.buffer)
			MUST(cuMemcpyDtoH(a->host, a->address, launch_arg_bytes(&a->arg)));
	}
}

static void format_element(const struct argument *a, size_t i, struct buf *out)
{
	size_t size = launch_type_size(a->arg.type);
	uint64_t bits = 0;
	buf_clear(out);
	memcpy(&bits, (const char *)a->host + i * size, size);
	if (launch_type_is_bits(a->arg.type))
		buf_printf(out, "0x%0*llx", (int)(2 * size), (unsigned long long)bits);
	else
		launch_format(a->arg.type, a->host, i, out);
}

/* Says which elements differ; returns how many. */
static int compare(struct fixture *f, const char *line)
{
	char *save = NULL, *end;
	unsigned long n = strtoul(line, &end, 10);
	struct buf value = {0};
	int wrong = 0;
	size_t i = 0;
	char *copy = arena_strndup(f->arena, end + 1, strcspn(end + 1, "\n"));
	for (char *word = strtok_r(copy, " ", &save); word && n < (unsigned long)f->n_args;
		word = strtok_r(NULL, " ", &save), i++) {
		format_element(&f->args[n], i, &value);
		if (!strcmp(buf_str(&value), word))
			continue;
		if (wrong++ < 8)
			printf("# argument %lu, element %zu: the GPU has %s, the machine %s\n", n, i, buf_str(&value),
				word);
	}
	buf_free(&value);
	return wrong;
}

static bool run_fixture(struct arena *arena, const char *path, const char *text)
{
	struct fixture f = {.arena = arena, .text = text};
	int wrong = 0;
	if (!read_launch(&f)) {
		printf("# %s: its launch line cannot be read\n", path);
		return false;
	}
	launch(&f);
	for (const char *at = text; (at = strstr(at, "\n// expect ")); at++)
		wrong += compare(&f, at + 11);
	return wrong == 0;
}

/* Why a fixture cannot be run by objects alone; NULL: it can. */
static const char *left_out(const char *text)
{
	return strstr(text, "expect-outcome")                          ? "it expects a defect"
		: strstr(text, "samplerref")                           ? "CUDA has no samplers of their own"
		: strstr(text, "texture@") || strstr(text, "surface@") ? "it binds by name"
								       : NULL;
}

/* --- how weights are rounded ------------------------------------------------------------------------------------------ */

#define STEPS 1024 /* of a coordinate between two texels: four for each step of a weight */

static const char weights[] = ".version 8.1\n.target sm_80\n.address_size 64\n"
			      "// launch: grid 4 block 256; arg f32[1024]; arg texture:{f32[2]:0,256, filter linear}\n"
			      ".visible .entry kernel(.param .u64 out, .param .u64 image)\n{\n"
			      ".reg .b32 %r<4>; .reg .f32 %f<8>; .reg .b64 %d<4>;\n"
			      "ld.param.u64 %d1, [out]; ld.param.u64 %d2, [image]; cvta.to.global.u64 %d1, %d1;\n"
			      "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r1, %r2, 256, %r1;\n"
			      "cvt.rn.f32.u32 %f1, %r1; fma.rn.f32 %f1, %f1, 0f3A800000, 0f3F000000;\n"
			      "tex.1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%d2, {%f1}];\n"
			      "mul.wide.u32 %d3, %r1, 4; add.s64 %d1, %d1, %d3; st.global.f32 [%d1], %f2; ret;\n}\n";

/* Whether each weight is the nearest, as the machine assumes: a half of a step goes up. */
static bool check_weights(struct arena *arena)
{
	struct fixture f = {.arena = arena, .text = weights};
	int nearest = 0, down = 0;
	if (!read_launch(&f))
		return false;
	launch(&f);
	for (int i = 0; i < STEPS; i++) {
		double weight = launch_number(LAUNCH_F32, f.args[0].host, (size_t)i);
		nearest += weight == (double)((i + 2) / 4);
		down += weight == (double)(i / 4);
	}
	printf("# of %d weights %d are the nearest with halves up, %d are rounded down\n", STEPS, nearest, down);
	return nearest == STEPS;
}

int main(int argc, char **argv)
{
	glob_t found = {0};
	struct arena *arena = arena_new();
	int n = 0, failed = 0;
	if (argc != 2) {
		fprintf(stderr, "usage: textures FOLDER\n");
		return 2;
	}
	driver_open();
	glob(arena_printf(arena, "%s/texture-*.ptx", argv[1]), 0, NULL, &found);
	printf("1..%zu\n", found.gl_pathc + 1);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct buf text = {0};
		struct diag diag = {0};
		const char *path = found.gl_pathv[i], *slash = strrchr(path, '/');
		bool read = file_read(path, 1 << 20, &text, &diag);
		const char *why = read ? left_out(buf_str(&text)) : NULL;
		bool ok = read && (why || run_fixture(arena, path, buf_str(&text)));
		printf("%sok %d - %s%s%s\n", ok ? "" : "not ", ++n, slash + 1, why ? " # SKIP " : "", why ? why : "");
		failed += !ok;
		buf_free(&text);
		diag_free(&diag);
	}
	bool ok = check_weights(arena);
	printf("%sok %d - weights of a linear filter are rounded to the nearest\n", ok ? "" : "not ", ++n);
	globfree(&found);
	arena_free(arena);
	return failed || !ok;
}
