#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "machine/launch/launch.h"

static struct launch_arg parse(struct arena *arena, const char *text)
{
	struct diag diag = {0};
	struct launch_arg arg;
	if (!launch_arg_parse(arena, "--arg", text, &arg, &diag)) {
		struct buf out = {0};
		diag_format(&diag, &out);
		print_error("%s", buf_str(&out));
		buf_free(&out);
		fail();
	}
	diag_free(&diag);
	assert_string_equal(arg.text, text);
	return arg;
}

/* All elements as text, separated by blanks. */
static char *contents(struct arena *arena, const char *text)
{
	struct launch_arg arg = parse(arena, text);
	void *bytes = arena_alloc(arena, launch_arg_bytes(&arg));
	struct buf out = {0};
	launch_arg_fill(&arg, bytes);
	for (size_t i = 0; i < arg.count; i++) {
		if (i)
			buf_putc(&out, ' ');
		launch_format(arg.type, bytes, i, &out);
	}
	char *copy = arena_strdup(arena, buf_str(&out));
	buf_free(&out);
	return copy;
}

static void textures_have_shapes(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct launch_arg arg = parse(arena,
		"texture@image:{s8x4[8x4]:random@3, floats, filter linear, address border wrap, normalized, layers 3}");
	const struct warp_texture *t = &arg.texture->shape;
	assert_string_equal(arg.texture->reference, "image");
	assert_true(arg.buffer && arg.count == 8 * 4 * 3 * 4 && arg.type == LAUNCH_S8);
	assert_true(t->kind == 'S' && t->bytes == 1 && t->channels == 4 && t->dimensions == 2 && t->layers == 3);
	assert_true(t->size[0] == 8 && t->size[1] == 4 && t->size[2] == 1);
	assert_true(t->layered && !t->cube && !t->is_surface && t->normalized && t->reads_floats && t->sampler.linear);
	assert_int_equal(t->sampler.addressing[0], WARP_ADDRESS_BORDER);
	assert_int_equal(t->sampler.addressing[1], WARP_ADDRESS_WRAP);
	assert_int_equal(t->sampler.addressing[2], WARP_ADDRESS_WRAP);
	t = &parse(arena, "surface:{f16[5]}").texture->shape;
	assert_true(t->is_surface && t->kind == 'F' && t->bytes == 2 && t->layers == 1 && !t->sampler.linear);
	assert_int_equal(t->sampler.addressing[0], WARP_ADDRESS_CLAMP);
	arena_free(arena);
}

static void arguments_hold_what_is_written(void **state)
{
	(void)state;
	static const struct {
		const char *text, *expect;
	} cases[] = {
		{"u32:7", "7"},
		{"s32:-7", "-7"},
		{"b64:0x10", "16"},
		{"f32:1.5", "1.5"},
		{"b8:0b101", "5"},
		{"u8:255", "255"},
		{"s8:-128", "-128"},
		{"s8:127", "127"},
		{"b8:-1", "255"},
		{"b8:255", "255"},
		{"u16:65535", "65535"},
		{"s16:-32768", "-32768"},
		{"b16:-32768", "32768"},
		{"u32:4294967295", "4294967295"},
		{"s32:-2147483648", "-2147483648"},
		{"u32:0XfF", "255"},
		{"u32:+3", "3"},
		{"u64:18446744073709551615", "18446744073709551615"},
		{"s64:-9223372036854775808", "-9223372036854775808"},
		{"b64:-1", "18446744073709551615"},
		{"u32:010", "10"},
		{"u32[]:1,2,3", "1 2 3"},
		{"u32[]: 1 ,\t2 , 3 ", "1 2 3"},
		{"s8[]:-1,0,1", "-1 0 1"},
		{"f32[3]", "0 0 0"},
		{"texture:{f32[2x2]:1.5,inf,-1,nan, filter linear, address wrap mirror}", "1.5 inf -1 nan"},
		{"texture:{u8x2[2]:iota,normalized}", "0 1 2 3"},
		{"texture@image:{s16[2x1x2]}", "0 0 0 0"},
		{"surface:{u32[2], layers 2}", "0 0 0 0"},
		{"tensormap:{u32[4x2]:iota, box 4x1}", "0 1 2 3 4 5 6 7"},
		{"tensormap:{u32[3x2]:iota, box 4x1, strides 16, swizzle 32}", "0 1 2 3 4 5 6 7"},
		{"tensormap:{f32[4]:1,2,3,4, box 4, fill nan}", "1 2 3 4"},
		{"tensormap:{u32[4x1x2]:iota, pixels 2, channels 4, lower -3, upper 2}", "0 1 2 3 4 5 6 7"},
		{"texture:{u8[1x1]:iota, cube, layers 2, floats}", "0 1 2 3 4 5 6 7 8 9 10 11"},
		{"u8[3]:iota", "0 1 2"},
		{"f16[3]:iota", "0 1 2"},
		{"f32[3]:iota", "0 1 2"},
		{"f64[3]:iota", "0 1 2"},
		{"s64[3]:iota", "0 1 2"},
		{"u32[0x2]:iota", "0 1"},
		{"u8[4]:uninit@1..2", "0 165 165 0"},
		{"u16[3]:iota,uninit@0", "42405 1 2"},
		{"u8[2]:uninit", "165 165"},
		{"u32[3]:=0xffffffff", "4294967295 4294967295 4294967295"},
		{"f32[2]:=1.5", "1.5 1.5"},
		{"f16[2]:=-0.5", "-0.5 -0.5"},
		{"s8[4]:=-1,uninit@1..2", "-1 -91 -91 -1"},
		{"n=u32[2]:=7", "7 7"},
		{"f32[]:inf,-inf,nan,-0,0x1p-3", "inf -inf nan -0 0.125"},
		{"f32[]:0.1,1e9,1e20,3.4028235e38,1e-45", "0.1 1000000000 1e+20 3.4028235e+38 1e-45"},
		{"f64[]:0.1,1e15,1e16,1e22", "0.1 1000000000000000 1e+16 1e+22"},
		{"f64:0.30000000000000004", "0.30000000000000004"},
		{"f16[]:1,0.5,65504,-2,6e-8,1e-9,0.1,65519,2049,2051", "1 0.5 65504 -2 6e-08 0 0.1 65504 2048 2052"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena *arena = arena_new();
		assert_string_equal(contents(arena, cases[i].text), cases[i].expect);
		arena_free(arena);
	}
}

static void arguments_know_their_shape(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct launch_arg arg = parse(arena, "f64:2");
	assert_false(arg.buffer);
	assert_int_equal(arg.type, LAUNCH_F64);
	assert_int_equal(launch_arg_bytes(&arg), 8);
	arg = parse(arena, "u16[10]:random@0x2A");
	assert_true(arg.buffer);
	assert_int_equal(arg.count, 10);
	assert_int_equal(arg.seed, 42);
	assert_int_equal(launch_arg_bytes(&arg), 20);
	assert_int_equal(parse(arena, "f16[65505]:iota").count, 65505);
	assert_int_equal(launch_arg_bytes(&(struct launch_arg){.type = LAUNCH_U8, .count = LAUNCH_BUFFER_MAX}),
		LAUNCH_BUFFER_MAX);
	assert_int_equal(parse(arena, "u8[1073741824]").count, LAUNCH_BUFFER_MAX);
	arena_free(arena);
	for (int type = 0; type < LAUNCH_TYPES; type++) {
		const char *name = launch_type_name((enum launch_type)type);
		assert_int_equal(launch_type_size((enum launch_type)type) * 8, atoi(name + 1));
		assert_int_equal(launch_type_is_float((enum launch_type)type), name[0] == 'f');
	}
}

static void malformed_arguments_are_refused_at_their_column(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int col;
		const char *says;
	} cases[] = {
		{"", 1, "expected a type"},
		{":1", 1, "expected a type"},
		{"q32:1", 1, "unknown type 'q32'"},
		{"u3:1", 1, "unknown type 'u3'"},
		{"U32:1", 1, "unknown type"},
		{"u32", 4, "expected ':'"},
		{"u32 :1", 4, "expected ':'"},
		{"u32:", 5, "expected a whole number"},
		{"u32:x", 5, "expected a whole number"},
		{"u32:1x", 6, "not a digit"},
		{"u32:1.5", 6, "not a digit"},
		{"u32:0x", 5, "expected a whole number"},
		{"u32:0xG", 7, "not a digit"},
		{"u32:0b2", 7, "not a digit"},
		{"u32:1 2", 7, "unexpected after the number"},
		{"u8:256", 4, "256 does not fit u8, which holds 0 to 255"},
		{"u8:-1", 4, "-1 does not fit u8"},
		{"s8:128", 4, "which holds -128 to 127"},
		{"s8:-129", 4, "does not fit"},
		{"b8:256", 4, "does not fit"},
		{"b8:-129", 4, "does not fit"},
		{"u32:4294967296", 5, "does not fit"},
		{"s64:9223372036854775808", 5, "fit"},
		{"u64:18446744073709551616", 5, "larger than any 64-bit number"},
		{"u64:-1", 5, "does not fit"},
		{"u32:--1", 6, "expected a whole number"},
		{"u32:1,2", 5, "a scalar has one value"},
		{"f32:", 5, "expected a number"},
		{"f32:abc", 5, "expected a number"},
		{"f32:1.5x", 8, "unexpected"},
		{"f32:1e39", 5, "larger than any f32"},
		{"f16:65520", 5, "larger than any f16"},
		{"f64:1e309", 5, "larger"},
		{"f32:-1e39", 5, "larger than any f32"},
		{"f32:\n1", 5, "expected a number"},
		{"u32[", 5, "expected a whole number"},
		{"u32[3", 6, "expected ']'"},
		{"u32[0]", 5, "at least one element"},
		{"u32[-1]", 5, "expected a whole number"},
		{"u32[3]x", 7, "expected ':'"},
		{"u32[3]:", 8, "takes =VALUE, iota"},
		{"u32[3]:1,2,3", 8, "values go with u32[]:"},
		{"u32[3]:iotas", 12, "unexpected after iota"},
		{"u32[3]:random", 14, "expected '@'"},
		{"u32[3]:random@", 15, "expected a whole number"},
		{"u32[3]:random@7,", 16, "unexpected after the seed"},
		{"u32[3]:random@x", 15, "expected a whole number"},
		{"u32[3]:uninit@", 15, "expected a whole number"},
		{"u32[3]:uninit@3", 15, "the last element is 2"},
		{"u32[3]:uninit@1..3", 18, "the last element is 2"},
		{"u32[3]:uninit@2..1", 18, "ends before it begins"},
		{"u32[3]:uninit@1..", 18, "expected a whole number"},
		{"u32[3]:uninit@1.2", 16, "not a digit"},
		{"u32[3]:uninit@0..1x", 19, "not a digit"},
		{"u32[3]:uninit@0,1", 16, "unexpected after the range"},
		{"u32[3]:iota,uninit", 12, "unexpected after iota"},
		{"u32[3]:uninit,uninit@1", 14, "unexpected after uninit"},
		{"u32[]", 6, "needs values"},
		{"u32[]:", 7, "expected a whole number"},
		{"u32[]:1,", 9, "expected a whole"},
		{"u32[]:,1", 7, "expected a whole number"},
		{"u32[]:1,,2", 9, "expected a whole number"},
		{"texture:{f32[4]:1,2", 20, "expected ',' and what else it is, or '}'"},
		{"texture:{f32[4]:1,2}", 17, "2 values; there are 4 channels of texels"},
		{"texture:{f32x2[2]:1,.x,3,4, normalized}", 21, "expected a number"},
		{"texture:{u64[4]}", 10, "a channel is"},
		{"texture:{f32x3[4]}", 13, "1, 2 or 4 channels"},
		{"texture:{f32[4x0]}", 16, "a size: 1 to"},
		{"texture:{f32[1x1x1x1]}", 20, "at most three sizes"},
		{"texture:{u32[4], filter linear}", 14, "a linear filter is for floats"},
		{"texture:{u32[4], floats}", 14, "8 and 16 bits"},
		{"texture:{f32[4], filter cubic}", 25, "nearest or linear"},
		{"texture:{f32[4], address around}", 26, "wrap, mirror, clamp or border"},
		{"texture:{f32[4], filter linear, filter nearest}", 33, "filter is given twice"},
		{"texture:{f32[4], address wrap, address wrap}", 32, "address is given twice"},
		{"texture:{f32[4], normalized, normalized}", 30, "normalized is given twice"},
		{"texture:{u8[4], floats, floats}", 25, "floats is given twice"},
		{"texture:{f32[4x4], cube, cube}", 26, "cube is given twice"},
		{"surface:{f32[4], layers 2, layers 3}", 28, "layers is given twice"},
		{"texture:{f32[4], linear}", 18, "expected filter nearest"},
		{"texture:{f32[4]:iotta}", 17, "iota, random@SEED"},
		{"texture:{f32[200000]}", 14, "a size"},
		{"texture:{f32[40000], layers 2}", 14, "at most 32768"},
		{"texture:{f32[4], layers 0}", 25, "layers: 1 to 2048"},
		{"texture:{f32[4x4x4], layers 2}", 14, "no layers"},
		{"texture:{f32[4x2], cube}", 14, "squares"},
		{"tensormap:{u32[4x3x3x1], pixels 8}", 24, "pixels and channels go together"},
		{"tensormap:{u32[4x3x3x1], pixels 8, channels 4, box 4x1x1x1}", 24, "instead of a box"},
		{"tensormap:{u32[4x3x3x1], box 4x1x1x1, lower -1x0}", 24, "instead of a box"},
		{"tensormap:{u32[4x3], pixels 8, channels 4}", 29, "3 to 5 dimensions"},
		{"tensormap:{u32[4x3x3x1], pixels 1025, channels 4}", 33, "pixels: 1 to 1024"},
		{"tensormap:{u32[4x3x3x1], pixels 8, channels 4, lower -129x0}", 54, "a lower corner: -128 to 127"},
		{"tensormap:{u32[4x3x3x1], pixels 8, channels 4, upper 1}", 55, "2 numbers, with an x between"},
		{"tensormap:{u32[4x3x3x1], pixels 8, channels 4, upper -3x0}", 24, "nothing between them"},
		{"tensormap:{u32[4x3x3x1], pixels 8, channels 3}", 24, "a row of the box has 12 bytes"},
		{"tensormap:{f32[8], box 4, box 8}", 27, "box is given twice"},
		{"tensormap:{f32[8], box 4, fill nan, fill zero}", 37, "fill is given twice"},
		{"tensormap:{f32[4]}", 18, "a box is missing"},
		{"tensormap:{f32[5x4], box 4x4}", 20, "the stride of dimension 1 is 20 bytes"},
		{"tensormap:{f32[4x4], box 2x4}", 20, "a row of the box has 8 bytes"},
		{"tensormap:{f32[16x4], box 16x4, swizzle 32}", 21, "with this swizzle at most 32"},
		{"tensormap:{f32[8x4], box 4x4, step 2x1}", 20, "the step of the innermost dimension is 1"},
		{"tensormap:{f32[8x4], box 4}", 27, "2 numbers, with an x between"},
		{"tensormap:{f32[8], box 257}", 24, "a box: 1 to 256"},
		{"tensormap:{u32[8], box 4, fill nan}", 32, "zero or, floats, nan"},
		{"tensormap:{u32[8], cube, box 4}", 18, "expected ':' or the end"},
		{"tensormap:{u33[8], box 4}", 12, "a type and sizes"},
		{"tensormap:{u8[1x1x1x1x1x1], box 4}", 15, "at most 5 dimensions"},
		{"surface:{f32[4x4], cube}", 20, "a surface takes layers"},
		{"texture:{f32[131072x65536]}", 14, "it holds at most"},
		{"texture@:{f32[4]}", 9, "expected the name"},
		{"texture", 8, "expected ':{'"},
		{"u32[]:1;2", 8, "unexpected"},
		{"u8[]:1,2,300", 10, "300 does not fit u8"},
		{"u32[268435457]", 5, "too many: a buffer holds at most 1073741824 bytes, 268435456 of u32"},
		{"u8[99999999999999999999]", 4, "larger than any"},
		{"f16[65506]:iota", 12, "ends at 65504"},
		{"u8[]:@", 7, "expected the name of a file"},
		{"u32:@file", 5, "expected a whole number"},
		{"u32[3]:=", 9, "expected a whole number"},
		{"u8[3]:=256", 8, "256 does not fit u8"},
		{"u8[3]:=1,2", 9, "unexpected after the value"},
		{"u8[3]:=1,uninit@3", 17, "the last element is 2"},
		{"()", 2, "expected a type"},
		{"(u32:1", 7, "expected ';' and the next member, or ')'"},
		{"(u32:1;", 8, "expected a type"},
		{"(u32:1;;u32:2)", 8, "expected a type"},
		{"(u32:1 u32:2)", 8, "unexpected after the number"},
		{"(u32:1)x", 8, "unexpected after the argument"},
		{"(u8:300)", 5, "300 does not fit u8"},
		{"(@3 u8:1)", 3, "a power of two from 1 to 128"},
		{"(@256 u8:1)", 3, "a power of two from 1 to 128"},
		{"(u8[]:@)", 8, "expected the name of a file"},
		{"((((((((((u8:1))))))))))", 10, "nested at most 8 deep"},
		{"(u8:1;u32[3]:iota,uninit@3)", 26, "the last element is 2"},
		{"&u32:1", 2, "& is followed by a struct"},
		{"fn:", 4, "expected the name of a function"},
		{"(fn: ; u8:1)", 5, "expected the name of a function"},
		{"x=u32:7", 1, "only a buffer can be given a name"},
		{"(u8:1; x=u32:7)", 8, "only a buffer can be given a name"},
		{"x=", 3, "expected a type"},
		{"u32=u32[4]", 1, "u32 is a type, and cannot be a buffer's name"},
		{"table+4", 6, "unexpected after the argument"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena *arena = arena_new();
		struct diag diag = {0};
		struct launch_arg arg;
		assert_false(launch_arg_parse(arena, "--arg", cases[i].text, &arg, &diag));
		assert_int_equal(diag.count, 1);
		if (!strstr(diag.entries[0].message, cases[i].says) || diag.entries[0].col != cases[i].col)
			fail_msg("%s: column %d: %s", cases[i].text, diag.entries[0].col, diag.entries[0].message);
		assert_string_equal(diag.entries[0].file, "--arg");
		diag_free(&diag);
		arena_free(arena);
	}
}

/* The bytes of a struct in hexadecimal, then its addresses: offset, member and what they point to. */
static void describe_pointers(const struct launch_arg *arg, struct buf *out)
{
	for (int i = 0; i < arg->n_pointers; i++) {
		const struct launch_pointer *at = &arg->pointers[i];
		buf_printf(out, " %zu#%d", at->offset, at->member);
		if (at->to != LAUNCH_TO_BUFFER) {
			buf_printf(out, "%s%s", at->to == LAUNCH_TO_FUNCTION ? "()" : "=", at->name);
			continue;
		}
		buf_printf(out, "*%zu", launch_arg_bytes(at->buffer));
		if (at->buffer->n_pointers) {
			buf_puts(out, " [");
			describe_pointers(at->buffer, out);
			buf_puts(out, " ]");
		}
	}
}

static char *layout_of(struct arena *arena, const char *text)
{
	struct launch_arg arg = parse(arena, text);
	unsigned char *bytes = arena_alloc(arena, launch_arg_bytes(&arg));
	struct buf out = {0};
	launch_arg_fill(&arg, bytes);
	for (size_t i = 0; i < launch_arg_bytes(&arg); i++)
		buf_printf(&out, "%02x", bytes[i]);
	describe_pointers(&arg, &out);
	char *copy = arena_strdup(arena, buf_str(&out));
	buf_free(&out);
	return copy;
}

static void structs_lie_as_in_c(void **state)
{
	(void)state;
	static const struct {
		const char *text, *expect;
	} cases[] = {
		{"(u8:1; u32:2)", "0100000002000000"},
		{"(u32:2; u8:1)", "0200000001000000"},
		{"(u8:1; u8:2; u16:3;)", "01020300"},
		{"( u8:1 ; (u8:2; u16:3) ; u8:4 )",
			"010002000300"
			"0400"},
		{"(s16:1,2,-1; u8:9)",
			"01000200ffff"
			"0900"},
		{"(u8:1; @4 u8:2)", "0100000002000000"},
		{"(f32:1; u64:2)",
			"0000803f00000000"
			"0200000000000000"},
		{"(u32:7; f32[64]:iota)",
			"0700000000000000"
			"0000000000000000"
			" 8#1*256"},
		{"(f32[64]; (u8:1; b8[3]:=5); data)",
			"0000000000000000"
			"0100000000000000"
			"0000000000000000"
			"0000000000000000"
			" 0#0*256 16#2*3 24#3=data"},
		{"&(u32:7; f32[2])",
			"0700000000000000"
			"0000000000000000"
			" 8#1*8"},
		{"(&(u32:7; f32[2]); u8:1)",
			"0000000000000000"
			"0100000000000000"
			" 0#2*16 [ 8#1*8 ]"},
		{"(t=u8[4]; t)",
			"0000000000000000"
			"0000000000000000"
			" 0#0*4 8#1=t"},
		{"(fn:scale<float>(float); u8:1)",
			"0000000000000000"
			"0100000000000000"
			" 0#0()scale<float>(float)"},
		{"fn:_Z5scalef",
			"0000000000000000"
			" 0#0()_Z5scalef"},
		{"table",
			"0000000000000000"
			" 0#0=table"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena *arena = arena_new();
		char *layout = layout_of(arena, cases[i].text);
		if (strcmp(layout, cases[i].expect) != 0)
			fail_msg("%s: %s, not %s", cases[i].text, layout, cases[i].expect);
		arena_free(arena);
	}
	struct arena *arena = arena_new();
	struct launch_arg arg = parse(arena, "(u8:1; @16 f32:1,2,3,4)");
	assert_int_equal(arg.align, 16);
	assert_int_equal(launch_arg_bytes(&arg), 32);
	assert_true(arg.is_struct && !arg.buffer);
	assert_true(parse(arena, "&(u8:1)").buffer);
	assert_string_equal(parse(arena, "table=u32[4]").name, "table");
	assert_null(parse(arena, "u32[4]").name);
	arena_free(arena);
}

static void every_prefix_is_taken_or_refused(void **state)
{
	(void)state;
	static const char *const whole[] = {"f32[1024]:random@7", "u32[]:0x10,-2,3", "f64:-1.25e-3", "b8[12]:iota",
		"t=u8[4]:=7,uninit@1..2", "&(u8:1; @8 (f32[4]:random@7; fn:a<b>(c)); t; u16:1,2)"};
	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
		for (size_t len = 0; len <= strlen(whole[i]); len++) {
			struct arena *arena = arena_new();
			struct diag diag = {0};
			struct launch_arg arg;
			bool ok = launch_arg_parse(arena, NULL, arena_strndup(arena, whole[i], len), &arg, &diag);
			assert_int_equal(ok, !diag.errors);
			diag_free(&diag);
			arena_free(arena);
		}
}

static void files_become_values(void **state)
{
	(void)state;
	char path[] = "/tmp/test_launch_XXXXXX", text[64];
	static const unsigned char data[] = {1, 0, 2, 0, 255, 255};
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, sizeof data), sizeof data);
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct launch_arg arg;

	snprintf(text, sizeof text, "s16[]:@%s", path);
	assert_string_equal(contents(arena, text), "1 2 -1");
	assert_false(launch_arg_parse(arena, NULL, text, &arg, &diag));
	assert_non_null(strstr(diag.entries[0].message, "cannot be named here"));
	snprintf(text, sizeof text, "u32[]:@%s", path);
	assert_false(launch_arg_parse(arena, "--arg", text, &arg, &diag));
	assert_non_null(strstr(diag.entries[1].message, "6 bytes, which is not a multiple of the 4 bytes"));
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_false(launch_arg_parse(arena, "--arg", text, &arg, &diag));
	assert_non_null(strstr(diag.entries[2].message, "is empty"));
	close(fd);
	unlink(path);
	assert_false(launch_arg_parse(arena, "--arg", text, &arg, &diag));
	assert_string_equal(diag.entries[3].file, path);
	diag_free(&diag);
	arena_free(arena);
}

static void formatted_elements_read_back(void **state)
{
	(void)state;
	static const char *const texts[] = {"u32:7", "f32[]:0.1,nan,-inf,1e-45", "b16[]:0xFFFF,1",
		"s64[]:-9223372036854775808", "f64[7]:random@3", "u8[5]:iota", "f16[4]", "f16[]:0.1,6e-8"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct arena *arena = arena_new();
		struct launch_arg arg = parse(arena, texts[i]);
		unsigned char *bytes = arena_alloc(arena, launch_arg_bytes(&arg));
		struct buf out = {0};
		launch_arg_fill(&arg, bytes);
		buf_printf(&out, "%s[]:", launch_type_name(arg.type));
		for (size_t k = 0; k < arg.count; k++) {
			buf_puts(&out, k ? "," : "");
			launch_format(arg.type, bytes, k, &out);
		}
		assert_string_equal(contents(arena, texts[i]), contents(arena, buf_str(&out)));
		buf_free(&out);
		arena_free(arena);
	}
}

/* The published reference: seed 1234567 gives these first outputs. */
static void random_is_splitmix64(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	assert_string_equal(contents(arena, "u64[5]:random@1234567"),
		"6457827717110365317 3203168211198807973 "
		"9817491932198370423 4593380528125082431 16408922859458223821");
	struct launch_arg words = parse(arena, "u64[4]:random@9"), bytes = parse(arena, "u8[29]:random@9");
	uint64_t w[4];
	unsigned char b[29];
	launch_arg_fill(&words, w);
	launch_arg_fill(&bytes, b);
	assert_memory_equal(w, b, sizeof b);
	arena_free(arena);
}

static void random_floats_fill_the_unit_interval(void **state)
{
	(void)state;
	static const char *const texts[] = {"f16[20000]:random@1", "f32[20000]:random@1", "f64[20000]:random@1"};
	for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
		struct arena *arena = arena_new();
		struct launch_arg arg = parse(arena, texts[k]);
		void *bytes = arena_alloc(arena, launch_arg_bytes(&arg));
		double sum = 0, least = 1, most = 0;
		launch_arg_fill(&arg, bytes);
		for (size_t i = 0; i < arg.count; i++) {
			double v = launch_number(arg.type, bytes, i);
			sum += v;
			least = fmin(least, v);
			most = fmax(most, v);
		}
		assert_true(least >= 0 && least < 0.001 && most < 1 && most > 0.999);
		assert_true(fabs(sum / (double)arg.count - 0.5) < 0.01);
		arena_free(arena);
	}
}

static void every_half_survives_text(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct buf out = {0};
	for (uint32_t bits = 0; bits < 65536; bits++) {
		uint16_t half = (uint16_t)bits;
		struct launch_arg arg;
		buf_clear(&out);
		buf_puts(&out, "f16:");
		launch_format(LAUNCH_F16, &half, 0, &out);
		assert_true(launch_arg_parse(arena, NULL, out.data, &arg, &diag));
		if ((half & 0x7FFF) <= 0x7C00)
			assert_memory_equal(arg.bytes, &half, 2);
		else
			assert_true(isnan(launch_number(LAUNCH_F16, arg.bytes, 0)));
	}
	buf_free(&out);
	diag_free(&diag);
	arena_free(arena);
}

/* Halfway cases round to even: between two neighbors a and b of f16, the midpoint goes to the even one, a hair more
 * up. */
static void halves_round_to_even(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	for (uint32_t bits = 0; bits < 0x7BFF; bits += 7) {
		uint16_t a = (uint16_t)bits, b = (uint16_t)(bits + 1), even = a & 1 ? b : a;
		double middle = (launch_number(LAUNCH_F16, &a, 0) + launch_number(LAUNCH_F16, &b, 0)) / 2;
		struct launch_arg arg;
		assert_true(launch_arg_parse(arena, NULL, arena_printf(arena, "f16:%a", middle), &arg, &diag));
		assert_memory_equal(arg.bytes, &even, 2);
		assert_true(launch_arg_parse(
			arena, NULL, arena_printf(arena, "f16:%a", nextafter(middle, 1e9)), &arg, &diag));
		assert_memory_equal(arg.bytes, &b, 2);
	}
	diag_free(&diag);
	arena_free(arena);
}

static void numbers_survive_text(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	static const char *const sources[] = {"b32[4000]:random@5", "b64[4000]:random@6"};
	static const enum launch_type types[2][3] = {
		{LAUNCH_F32, LAUNCH_S32, LAUNCH_U32}, {LAUNCH_F64, LAUNCH_S64, LAUNCH_U64}};
	for (int k = 0; k < 2; k++) {
		struct launch_arg source = parse(arena, sources[k]), arg;
		char *bytes = arena_alloc(arena, launch_arg_bytes(&source));
		launch_arg_fill(&source, bytes);
		for (size_t i = 0; i < source.count * 3; i++) {
			enum launch_type type = types[k][i % 3];
			size_t size = launch_type_size(type);
			struct buf out = {0};
			buf_printf(&out, "%s:", launch_type_name(type));
			launch_format(type, bytes, i / 3, &out);
			assert_true(launch_arg_parse(arena, NULL, out.data, &arg, &diag));
			if (!isnan(launch_number(type, bytes, i / 3)))
				assert_memory_equal(arg.bytes, bytes + size * (i / 3), size);
			buf_free(&out);
		}
	}
	diag_free(&diag);
	arena_free(arena);
}

static void numbers_become_doubles(void **state)
{
	(void)state;
	static const int8_t s8 = -3;
	static const uint64_t u64 = UINT64_MAX;
	static const int64_t s64 = INT64_MIN;
	static const float f32 = 0.5f;
	assert_true(launch_number(LAUNCH_S8, &s8, 0) == -3);
	assert_true(launch_number(LAUNCH_B8, &s8, 0) == 253);
	assert_true(launch_number(LAUNCH_U64, &u64, 0) == 0x1p64);
	assert_true(launch_number(LAUNCH_S64, &s64, 0) == -0x1p63);
	assert_true(launch_number(LAUNCH_F32, &f32, 0) == 0.5);
}

static void dimensions(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint32_t x, y, z;
	} good[] = {
		{"8", 8, 1, 1},
		{"2147483647,65535,65535", 2147483647, 65535, 65535},
		{" 4 , 2", 4, 2, 1},
		{"0x10,1,3", 16, 1, 3},
	};
	static const struct {
		const char *text;
		int col;
		const char *says;
	} bad[] = {
		{"", 1, "expected a whole number"},
		{"0", 1, "x must be 1 to 2147483647"},
		{"2147483648", 1, "x must be"},
		{"1,0", 3, "y must be 1 to 65535"},
		{"1,1,65536", 5, "z must be"},
		{"1,1,1,1", 6, "at most three"},
		{"1,", 3, "expected"},
		{"1x2", 2, "not a digit"},
		{"-1", 1, "expected"},
		{"1;2", 2, "expected ','"},
		{"1 2", 3, "expected ','"},
		{"99999999999999999999", 1, "larger"},
	};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct diag diag = {0};
		uint32_t d[3];
		assert_true(launch_dim_parse("--grid", good[i].text, d, &diag));
		assert_true(d[0] == good[i].x && d[1] == good[i].y && d[2] == good[i].z);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct diag diag = {0};
		uint32_t d[3];
		assert_false(launch_dim_parse("--grid", bad[i].text, d, &diag));
		assert_int_equal(diag.count, 1);
		if (!strstr(diag.entries[0].message, bad[i].says) || diag.entries[0].col != bad[i].col)
			fail_msg("%s: column %d: %s", bad[i].text, diag.entries[0].col, diag.entries[0].message);
		diag_free(&diag);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_hold_what_is_written),
		cmocka_unit_test(textures_have_shapes),
		cmocka_unit_test(arguments_know_their_shape),
		cmocka_unit_test(malformed_arguments_are_refused_at_their_column),
		cmocka_unit_test(structs_lie_as_in_c),
		cmocka_unit_test(every_prefix_is_taken_or_refused),
		cmocka_unit_test(files_become_values),
		cmocka_unit_test(formatted_elements_read_back),
		cmocka_unit_test(random_is_splitmix64),
		cmocka_unit_test(random_floats_fill_the_unit_interval),
		cmocka_unit_test(every_half_survives_text),
		cmocka_unit_test(halves_round_to_even),
		cmocka_unit_test(numbers_survive_text),
		cmocka_unit_test(numbers_become_doubles),
		cmocka_unit_test(dimensions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
