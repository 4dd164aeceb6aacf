noinst_LIBRARIES += src/machine/ptx/libptx.a
src_machine_ptx_libptx_a_SOURCES = \
	src/machine/ptx/absent.def \
	src/machine/ptx/body.c \
	src/machine/ptx/builtins.def \
	src/machine/ptx/libdevice.def \
	src/machine/ptx/call.c \
	src/machine/ptx/cfg.c \
	src/machine/ptx/combine.c \
	src/machine/ptx/constant.c \
	src/machine/ptx/decl.c \
	src/machine/ptx/form.c \
	src/machine/ptx/init.c \
	src/machine/ptx/insert.c \
	src/machine/ptx/instr.c src/machine/ptx/instr.h src/machine/ptx/kinds.def src/machine/ptx/letters.def \
	src/machine/ptx/legal.c \
	src/machine/ptx/lex.c src/machine/ptx/lex.h \
	src/machine/ptx/matrix.c src/machine/ptx/matrix.h \
	src/machine/ptx/mods.def \
	src/machine/ptx/module.c \
	src/machine/ptx/operand.c \
	src/machine/ptx/ops.def src/machine/ptx/ops.h \
	src/machine/ptx/parse.c src/machine/ptx/parse.h \
	src/machine/ptx/location.c \
	src/machine/ptx/print.c \
	src/machine/ptx/program.h \
	src/machine/ptx/ptx.h \
	src/machine/ptx/rules.c \
	src/machine/ptx/section.c src/machine/ptx/section.h \
	src/machine/ptx/fragments.def src/machine/ptx/specials.def \
	src/machine/ptx/symbol.c \
	src/machine/ptx/tables.c \
	src/machine/ptx/texture.c \
	src/machine/ptx/tiles.c \
	src/machine/ptx/tokens.c \
	src/machine/ptx/types.def
EXTRA_DIST += src/machine/ptx/README.md

unit_tests += tests/unit/test_ptx
unit_tests += tests/unit/test_instr
unit_tests += tests/unit/test_tiles
