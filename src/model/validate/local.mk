noinst_LIBRARIES += src/model/validate/libvalidate.a
src_model_validate_libvalidate_a_SOURCES = \
	src/model/validate/agreement.c \
	src/model/validate/bounds.c \
	src/model/validate/emit.c \
	src/model/validate/flow.h \
	src/model/validate/flow_cut.c \
	src/model/validate/flow_generate.c \
	src/model/validate/flow_reference.c \
	src/model/validate/flow_write.c \
	src/model/validate/forms.c \
	src/model/validate/generate.c \
	src/model/validate/pattern.c src/model/validate/pattern.h src/model/validate/patterns.def \
	src/model/validate/shape.c \
	src/model/validate/tally.c \
	src/model/validate/text.c \
	src/model/validate/trial.c src/model/validate/trial.h \
	src/model/validate/values.c

EXTRA_DIST += src/model/validate/README.md

unit_tests += tests/unit/test_validate
attack_unit_tests += tests/unit/test_validate

unit_tests += tests/unit/test_pattern

unit_tests += tests/unit/test_flow
