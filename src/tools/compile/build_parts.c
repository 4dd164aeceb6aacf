/* Objects with relocatable device code: what nvlink would make of them is done when the program begins (ptx_combine). Each object calls a
 * function of its own name with its device code; these functions are made here, and register all of it as one module. */
#include "config.h"
#include "tools/compile/build_parts.h"

#include <string.h>

#include "base/file.h"
#include "base/vec.h"

#define OBJECT_MAX ((size_t)512 << 20)

#define CALL "__cudaRegisterLinkedBinary"
#define LINKED_ALREADY "__cudaPrelinkedFatbins" /* nvcc's -dlink has this name in its objects, too */

static const char beginning[] = "struct fatbin { int magic, version; const void *data; const void **parts; };\n"
				"extern \"C\" {\n"
				"void **__cudaRegisterFatBinary(void *);\n"
				"void __cudaRegisterFatBinaryEnd(void **);\n"
				"void __cudaUnregisterFatBinary(void **);\n"
				"int atexit(void (*)(void));\n"
				"#define PART(id) extern const struct fatbin __fatbinwrap##id;\n";
/* That all are named here links an archive's objects, too, of which the host may name nothing. */
static const char middle[] = "#undef PART\n"
			     "}\n"
			     "enum { N = 0\n"
			     "#define PART(id) + 1\n";
static const char end[] = "#undef PART\n"
			  "};\n"
			  "static const void *" LINKED_ALREADY "[N + 1];\n"
			  "static void (*callbacks[N + 1])(void **);\n"
			  "static unsigned long n;\n"
			  "static struct fatbin all = {0x466243b1, 2, " LINKED_ALREADY ", " LINKED_ALREADY "};\n"
			  "static void **handle;\n"
			  "static void end() { __cudaUnregisterFatBinary(handle); }\n"
			  "static void add(const struct fatbin *wrapper, void (*callback)(void **))\n"
			  "{\n"
			  "	" LINKED_ALREADY "[n] = wrapper->data;\n"
			  "	callbacks[n++] = callback;\n"
			  "	if (n != N)\n"
			  "		return;\n"
			  "	handle = __cudaRegisterFatBinary(&all);\n"
			  "	atexit(end);\n"
			  "	for (unsigned long i = 0; i < n; i++)\n"
			  "		callbacks[i](handle);\n"
			  "	__cudaRegisterFatBinaryEnd(handle);\n"
			  "}\n"
			  "#define PART(id) extern \"C\" void " CALL
			  "##id(void (*callback)(void **), void *, void *, void (*)(void *)) \\\n"
			  "	{ add(&__fatbinwrap##id, callback); }\n";

static void add_name(struct arena *arena, struct build_part_names *names, const char *name, size_t len)
{
	for (int i = 0; i < names->n; i++)
		if (strlen(names->of[i]) == len && memcmp(names->of[i], name, len) == 0)
			return;
	*(const char **)vec_push_in(arena, names->of, names->n, names->cap) = arena_strndup(arena, name, len);
}

bool build_parts_find(struct cmd_ctx *ctx, const char *path, struct build_part_names *names)
{
	static const char letters[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	struct buf bytes = {0};
	if (!file_read(path, OBJECT_MAX, &bytes, &ctx->diag))
		return false;
	const char *at = buf_str(&bytes), *last = at + bytes.len; /* a NUL is there */
	names->linked = names->linked || (bytes.len && memmem(at, bytes.len, LINKED_ALREADY, strlen(LINKED_ALREADY)));
	while (bytes.len && (at = memmem(at, (size_t)(last - at), CALL, strlen(CALL)))) {
		at += strlen(CALL);
		size_t len = strspn(at, letters);
		if (len && !at[len])
			add_name(ctx->arena, names, at, len);
	}
	buf_free(&bytes);
	return true;
}

void build_parts_write(const struct build_part_names *names, struct buf *out)
{
	const char *const texts[] = {beginning, middle, end};
	for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
		buf_puts(out, texts[t]);
		for (int i = 0; i < names->n; i++)
			buf_printf(out, "PART(%s)\n", names->of[i]);
	}
}
