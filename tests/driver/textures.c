// An array, a texture of it and a surface; a texture of linear memory; what can be asked of them.
// out: array of 4 x 2, format 20, 1 channels, flags 2
// out: texture: 10 11 12 13 20 21 22 23
// out: clamped at the right: 13
// out: by a surface: 110 111 112 113 120 121 122 123
// out: fractions: 0.0 1.0
// out: asked again: type 2, format 1, flags 0
// out: no such texture: CUDA_ERROR_INVALID_VALUE
#include "driver.h"

static const char text[] = PTX
	".visible .entry sample(.param .u64 texture, .param .u64 at, .param .f32 beyond) {\n"
	".reg .u64 %t, %p, %q; .reg .u32 %x, %y, %i; .reg .f32 %fx, %fy, %b, %r, %g, %h, %a;\n"
	"ld.param.u64 %t, [texture]; ld.param.u64 %p, [at]; cvta.to.global.u64 %p, %p; ld.param.f32 %b, [beyond];\n"
	"mov.u32 %i, %tid.x; and.b32 %x, %i, 3; shr.u32 %y, %i, 2;\n"
	"cvt.rn.f32.u32 %fx, %x; cvt.rn.f32.u32 %fy, %y; add.f32 %fx, %fx, %b;\n"
	"tex.2d.v4.f32.f32 {%r, %g, %h, %a}, [%t, {%fx, %fy}];\n"
	"mul.wide.u32 %q, %i, 4; add.u64 %p, %p, %q; st.global.f32 [%p], %r; ret; }\n"
	".visible .entry write(.param .u64 surface) {\n"
	".reg .u64 %s; .reg .u32 %x, %y, %i; .reg .b32 %v; .reg .f32 %f;\n"
	"ld.param.u64 %s, [surface]; mov.u32 %i, %tid.x; and.b32 %x, %i, 3; shr.u32 %y, %i, 2; shl.b32 %x, %x, 2;\n"
	"suld.b.2d.b32.trap {%v}, [%s, {%x, %y}]; mov.b32 %f, %v; add.f32 %f, %f, 0f42C80000; mov.b32 %v, %f;\n"
	"sust.b.2d.b32.trap [%s, {%x, %y}], {%v}; ret; }\n"
	".visible .entry fetch(.param .u64 texture, .param .u64 at) {\n"
	".reg .u64 %t, %p, %q; .reg .u32 %i; .reg .f32 %r, %g, %h, %a;\n"
	"ld.param.u64 %t, [texture]; ld.param.u64 %p, [at]; cvta.to.global.u64 %p, %p; mov.u32 %i, %tid.x;\n"
	"tex.1d.v4.f32.s32 {%r, %g, %h, %a}, [%t, {%i}];\n"
	"mul.wide.u32 %q, %i, 4; add.u64 %p, %p, %q; st.global.f32 [%p], %r; ret; }\n";

struct array {
	size_t width, height, depth;
	int format;
	unsigned int channels, flags;
};
struct resource {
	int type;
	union {
		void *array;
		struct {
			uint64_t at;
			int format;
			unsigned int channels;
			size_t bytes;
		} linear;
		int room[32];
	};
	unsigned int flags;
};
struct sampling {
	int mode[3], filter;
	unsigned int flags, anisotropy;
	int mip;
	float of_mip[3], border[4];
	int room[12];
};
struct end {
	size_t x, y;
	int type;
	const void *host;
	uint64_t device;
	void *array;
	size_t pitch;
};

static void print(const char *before, uint64_t memory, int first, int n)
{
	float out[8];
	CALL(cuMemcpyDtoH_v2, out, AT memory, SIZE sizeof out);
	printf("%s", before);
	for (int i = first; i < first + n; i++)
		printf(" %g", out[i]);
	printf("\n");
}

int main(void)
{
	struct array shape = {4, 2, 0, 0x20, 1, 2}, found;
	static const float texels[] = {10, 11, 12, 13, 20, 21, 22, 23};
	struct {
		struct end from, to;
		size_t width, height;
	} copy;
	struct resource resource;
	struct sampling sampling;
	void *module, *sample, *write, *fetch, *array;
	uint64_t memory, bytes, texture, surface, linear;
	float beyond = 0;
	begin();
	CALL(cuModuleLoadData, &module, text);
	CALL(cuModuleGetFunction, &sample, module, "sample");
	CALL(cuModuleGetFunction, &write, module, "write");
	CALL(cuModuleGetFunction, &fetch, module, "fetch");
	CALL(cuMemAlloc_v2, &memory, SIZE 32);
	CALL(cuArray3DCreate_v2, &array, &shape);
	CALL(cuArray3DGetDescriptor_v2, &found, array);
	printf("array of %zu x %zu, format %x, %u channels, flags %u\n", found.width, found.height,
		(unsigned int)found.format, found.channels, found.flags);
	memset(&copy, 0, sizeof copy);
	copy.from = (struct end){.type = 1, .host = texels, .pitch = 16};
	copy.to = (struct end){.type = 3, .array = array};
	copy.width = 16, copy.height = 2;
	CALL(cuMemcpy2D_v2, &copy);
	memset(&resource, 0, sizeof resource);
	memset(&sampling, 0, sizeof sampling);
	resource.array = array;
	sampling.mode[0] = sampling.mode[1] = sampling.mode[2] = 1;
	CALL(cuTexObjectCreate, &texture, &resource, &sampling, NULL);
	void *args[] = {&texture, &memory, &beyond};
	CALL(cuLaunchKernel, sample, 1, 1, 1, 8, 1, 1, 0, NULL, args, NULL);
	print("texture:", memory, 0, 8);
	beyond = 3;
	CALL(cuLaunchKernel, sample, 1, 1, 1, 8, 1, 1, 0, NULL, args, NULL);
	print("clamped at the right:", memory, 3, 1);
	beyond = 0;
	CALL(cuSurfObjectCreate, &surface, &resource);
	CALL(cuLaunchKernel, write, 1, 1, 1, 8, 1, 1, 0, NULL, (void *[]){&surface}, NULL);
	CALL(cuLaunchKernel, sample, 1, 1, 1, 8, 1, 1, 0, NULL, args, NULL);
	print("by a surface:", memory, 0, 8);

	CALL(cuMemAlloc_v2, &bytes, SIZE 256);
	CALL(cuMemcpyHtoD_v2, AT bytes, "\0\377", SIZE 2);
	memset(&resource, 0, sizeof resource);
	resource.type = 2;
	resource.linear.at = bytes, resource.linear.format = 1, resource.linear.channels = 1,
	resource.linear.bytes = 256;
	CALL(cuTexObjectCreate, &linear, &resource, &sampling, NULL);
	CALL(cuLaunchKernel, fetch, 1, 1, 1, 2, 1, 1, 0, NULL, (void *[]){&linear, &memory}, NULL);
	float out[2];
	CALL(cuMemcpyDtoH_v2, out, AT memory, SIZE 8);
	printf("fractions: %.1f %.1f\n", (double)out[0], (double)out[1]);
	memset(&resource, 0xFF, sizeof resource);
	CALL(cuTexObjectGetResourceDesc, &resource, AT linear);
	CALL(cuTexObjectGetTextureDesc, &sampling, AT linear);
	printf("asked again: type %d, format %d, flags %u\n", resource.type, resource.linear.format, sampling.flags);
	CALL(cuTexObjectDestroy, AT linear);
	CALL(cuTexObjectDestroy, AT texture);
	CALL(cuSurfObjectDestroy, AT surface);
	CALL(cuArrayDestroy, array);
	printf("no such texture: %s\n", name_of(TRY(cuTexObjectGetResourceDesc, &resource, AT texture)));
	return 0;
}
