noinst_LIBRARIES += src/ptx/libptx.a
src_ptx_libptx_a_SOURCES = \
	src/ptx/absent.def \
	src/ptx/body.c \
	src/ptx/builtins.def \
	src/ptx/libdevice.def \
	src/ptx/call.c \
	src/ptx/cfg.c \
	src/ptx/combine.c \
	src/ptx/constant.c \
	src/ptx/decl.c \
	src/ptx/find.c \
	src/ptx/form.c src/ptx/form.h \
	src/ptx/init.c \
	src/ptx/insert.c \
	src/ptx/instr.c src/ptx/instr.h src/ptx/kinds.def src/ptx/letters.def \
	src/ptx/legal.c \
	src/ptx/legal_async.c \
	src/ptx/lex.c src/ptx/lex.h \
	src/ptx/link.c \
	src/ptx/fragment.c src/ptx/fragment.h src/ptx/matrix.c src/ptx/matrix.h \
	src/ptx/mods.def \
	src/ptx/module.c \
	src/ptx/names.c src/ptx/names.h \
	src/ptx/operand.c src/ptx/operand.h \
	src/ptx/operand_address.c \
	src/ptx/operand_value.c \
	src/ptx/operand_vector.c \
	src/ptx/ops.def \
	src/ptx/parse.c src/ptx/parse.h \
	src/ptx/place.c \
	src/ptx/print.c \
	src/ptx/program.h \
	src/ptx/ptx.h \
	src/ptx/rules.c \
	src/ptx/section.c src/ptx/section.h \
	src/ptx/select.c src/ptx/select.h \
	src/ptx/fragments.def src/ptx/specials.def \
	src/ptx/symbol.c \
	src/ptx/tables.c src/ptx/tables.h \
	src/ptx/texture.c \
	src/ptx/tiles.c src/ptx/tiles.h \
	src/ptx/tokens.c \
	src/ptx/types.def

unit_tests += tests/unit/test_ptx
unit_tests += tests/unit/test_instr
unit_tests += tests/unit/test_tiles
