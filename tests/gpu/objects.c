/* Runs the fixtures of textures, surfaces and tensor maps, tests/ptx/texture-*.ptx, tensor-*.ptx and map-*.ptx, on a
 * GPU, and compares what they store with what they expect bit for bit; and says how the weights of a linear filter are
 * rounded. Prints TAP. simttutor-gpu makes no such objects, so this does it by the driver, each fixture in a process of
 * its own. Fixtures that bind a texture by name, have samplers of their own, or expect a defect are left out. Needs a
 * GPU. Usage: objects FOLDER, that of the fixtures. */
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "machine/launch/launch.h"

/* clang-format off */
#define DRIVER_FUNCTIONS(F) \
	F(cuCtxSynchronize) F(cuMemAlloc) F(cuMemcpyHtoD) F(cuMemcpyDtoH) F(cuArray3DCreate) \
	F(cuMemcpy3D) F(cuTexObjectCreate) F(cuSurfObjectCreate) F(cuTensorMapEncodeTiled) \
	F(cuTensorMapEncodeIm2col) F(cuLaunchKernelEx)
/* clang-format on */
#include "tests/gpu/driver.h"

/* --- arguments ---------------------------------------------------------------------------------------------------- */

struct argument {
	struct launch_arg arg;
	CUdeviceptr address; /* of a buffer */
	CUarray array;       /* of a texture or a surface */
	uint64_t object;
	CUtensorMap map; /* of a tensor */
	void *host;
};

struct fixture {
	struct arena *arena;
	const char *text;
	char kernel[32]; /* the first entry */
	uint32_t grid[3], block[3], cluster[3];
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

/* Where a fixture says "linear memory": whole coordinates fetch nothing from an array of one dimension. */
static void make_linear(struct argument *a)
{
	const struct warp_texture *t = &a->arg.texture->shape;
	size_t bytes = (size_t)t->size[0] * warp_texel_bytes(t);
	CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_LINEAR};
	CUDA_TEXTURE_DESC texture = {.flags = t->kind != 'F' && !t->reads_floats ? CU_TRSF_READ_AS_INTEGER : 0u};
	MUST(cuMemAlloc(&a->address, bytes));
	MUST(cuMemcpyHtoD(a->address, a->host, bytes));
	resource.res.linear.devPtr = a->address;
	resource.res.linear.format = format_of(t);
	resource.res.linear.numChannels = t->channels;
	resource.res.linear.sizeInBytes = bytes;
	MUST(cuTexObjectCreate((CUtexObject *)&a->object, &resource, &texture, NULL));
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
	for (int i = 0; i < 3;
		i++) /* one of a dimension that there is not counts, too: with a border, half of a weight is its */
		texture.addressMode[i] = i < t->dimensions ? address_mode(t->sampler.addressing[i])
							   : CU_TR_ADDRESS_MODE_CLAMP;
	MUST(cuArray3DCreate(&a->array, &shape));
	copy_texels(a, true);
	resource.res.array.hArray = a->array;
	if (t->is_surface)
		MUST(cuSurfObjectCreate((CUsurfObject *)&a->object, &resource));
	else
		MUST(cuTexObjectCreate((CUtexObject *)&a->object, &resource, &texture, NULL));
}

static CUtensorMapDataType data_type(const struct warp_tensor *t)
{
	switch (t->stride[0] | (t->kind == 'F' ? 256u : t->kind == 'S' ? 512u : 0u)) {
	case 1: return CU_TENSOR_MAP_DATA_TYPE_UINT8;
	case 2: return CU_TENSOR_MAP_DATA_TYPE_UINT16;
	case 4: return CU_TENSOR_MAP_DATA_TYPE_UINT32;
	case 8: return CU_TENSOR_MAP_DATA_TYPE_UINT64;
	case 256 | 2: return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
	case 256 | 4: return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
	case 256 | 8: return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
	case 512 | 8: return CU_TENSOR_MAP_DATA_TYPE_INT64;
	default: return CU_TENSOR_MAP_DATA_TYPE_INT32;
	}
}

static CUtensorMapFloatOOBfill fill_of(const struct warp_tensor *t)
{
	return t->fills_nan ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
}

static void make_tensor(struct argument *a)
{
	static const CUtensorMapSwizzle swizzles[] = {[0] = CU_TENSOR_MAP_SWIZZLE_NONE,
		[1] = CU_TENSOR_MAP_SWIZZLE_32B,
		[3] = CU_TENSOR_MAP_SWIZZLE_64B,
		[7] = CU_TENSOR_MAP_SWIZZLE_128B};
	const struct warp_tensor *t = a->arg.tensor;
	cuuint64_t sizes[WARP_TENSOR_RANKS], strides[WARP_TENSOR_RANKS];
	cuuint32_t box[WARP_TENSOR_RANKS], steps[WARP_TENSOR_RANKS];
	for (int i = 0; i < t->rank; i++) {
		sizes[i] = t->size[i];
		box[i] = t->box[i];
		steps[i] = t->step[i];
		strides[i ? i - 1 : t->rank - 1] = t->stride[i];
	}
	if (t->pixels) {
		int lower[WARP_TENSOR_RANKS], upper[WARP_TENSOR_RANKS]; /* of W, H, D */
		for (int i = 0; i < t->rank - 2; i++) {
			lower[i] = t->lower[i];
			upper[i] = t->upper[i];
		}
		MUST(cuTensorMapEncodeIm2col(&a->map, data_type(t), t->rank, (void *)a->address, sizes, strides, lower,
			upper, t->box[0], t->pixels, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzles[t->swizzle],
			CU_TENSOR_MAP_L2_PROMOTION_NONE, fill_of(t)));
		return;
	}
	MUST(cuTensorMapEncodeTiled(&a->map, data_type(t), t->rank, (void *)a->address, sizes, strides, box, steps,
		CU_TENSOR_MAP_INTERLEAVE_NONE, swizzles[t->swizzle], CU_TENSOR_MAP_L2_PROMOTION_NONE, fill_of(t)));
}

static void make_argument(struct fixture *f, struct argument *a)
{
	size_t bytes = launch_arg_bytes(&a->arg);
	a->host = arena_alloc(f->arena, bytes + 8);
	launch_arg_fill(&a->arg, a->host);
	if (a->arg.texture && strstr(f->text, "// linear memory")) {
		make_linear(a);
	} else if (a->arg.texture) {
		make_texture(a);
	} else if (a->arg.buffer) {
		MUST(cuMemAlloc(&a->address, bytes));
		MUST(cuMemcpyHtoD(a->address, a->host, bytes));
		a->object = a->address;
		if (a->arg.tensor)
			make_tensor(a);
	} else {
		memcpy(&a->object, a->host, bytes);
	}
}

/* --- fixtures: the comments are as tests/unit/test_fixtures.c has them -------------------------------------------- */

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
		if (!launch_dim_parse("launch", value,
			    word[0] == 'g'           ? f->grid
				    : word[0] == 'c' ? f->cluster
						     : f->block,
			    diag))
			return false;
	return true;
}

static bool read_launch(struct fixture *f)
{
	const char *line = strstr(f->text, "// launch:"), *entry = strstr(f->text, ".entry ");
	struct diag diag = {0};
	bool ok = line && entry && sscanf(entry, ".entry %31[a-zA-Z0-9_]", f->kernel) == 1;
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
		params[i] = f->args[i].arg.tensor ? (void *)&f->args[i].map : &f->args[i].object;
	}
	MUST(cuModuleLoadData(&module, f->text));
	MUST(cuModuleGetFunction(&function, module, f->kernel));
	CUlaunchAttribute cluster = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
		.value.clusterDim = {f->cluster[0], f->cluster[1], f->cluster[2]}};
	CUlaunchConfig config = {.gridDimX = f->grid[0],
		.gridDimY = f->grid[1],
		.gridDimZ = f->grid[2],
		.blockDimX = f->block[0],
		.blockDimY = f->block[1],
		.blockDimZ = f->block[2],
		.attrs = &cluster,
		.numAttrs = f->cluster[0] > 0};
	MUST(cuLaunchKernelEx(&config, function, params, NULL));
	MUST(cuCtxSynchronize());
	for (int i = 0; i < f->n_args; i++) {
		struct argument *a = &f->args[i];
		if (a->array)
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

/* --- how weights are rounded -------------------------------------------------------------------------------------- */

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

/* --- all of them -------------------------------------------------------------------------------------------------- */

#define SECONDS 10 /* after which a fixture that waits for ever ends */

/* A fixture, or the weights without one, in a process of its own: what one does to its context, none after it sees. */
static bool run_apart(struct arena *arena, const char *path, const char *text)
{
	int status = 0;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		alarm(SECONDS);
		driver_open();
		bool ok = path ? run_fixture(arena, path, text) : check_weights(arena);
		fflush(stdout);
		_exit(!ok);
	}
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool look_at(struct arena *arena, const char *path, int n)
{
	struct buf text = {0};
	struct diag diag = {0};
	bool read = file_read(path, 1 << 20, &text, &diag);
	const char *why = read ? left_out(buf_str(&text)) : NULL;
	bool ok = read && (why || run_apart(arena, path, buf_str(&text)));
	printf("%sok %d - %s%s%s\n", ok ? "" : "not ", n, strrchr(path, '/') + 1, why ? " # SKIP " : "",
		why ? why : "");
	buf_free(&text);
	diag_free(&diag);
	return ok;
}

int main(int argc, char **argv)
{
	glob_t found = {0};
	struct arena *arena = arena_new();
	int n = 0, failed = 0;
	if (argc != 2) {
		fprintf(stderr, "usage: objects FOLDER\n");
		return 2;
	}
	if (!dlopen("libcuda.so.1", RTLD_NOW)) {
		printf("1..0 # SKIP there is no NVIDIA driver here\n");
		return 0;
	}
	glob(arena_printf(arena, "%s/texture-*.ptx", argv[1]), 0, NULL, &found);
	glob(arena_printf(arena, "%s/tensor-*.ptx", argv[1]), GLOB_APPEND, NULL, &found);
	glob(arena_printf(arena, "%s/map-*.ptx", argv[1]), GLOB_APPEND, NULL, &found);
	printf("1..%zu\n", found.gl_pathc + 1);
	for (size_t i = 0; i < found.gl_pathc; i++)
		failed += !look_at(arena, found.gl_pathv[i], ++n);
	bool ok = run_apart(arena, NULL, NULL);
	printf("%sok %d - weights of a linear filter are rounded to the nearest\n", ok ? "" : "not ", ++n);
	globfree(&found);
	arena_free(arena);
	return failed || !ok;
}
