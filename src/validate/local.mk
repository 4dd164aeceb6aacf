noinst_LIBRARIES += src/validate/libvalidate.a
src_validate_libvalidate_a_SOURCES = \
	src/validate/agreement.c src/validate/agreement.h \
	src/validate/bounds.c src/validate/bounds.h \
	src/validate/emit.c \
	src/validate/forms.c src/validate/forms.h \
	src/validate/generate.c \
	src/validate/pattern.c src/validate/pattern.h src/validate/patterns.def \
	src/validate/shape.c src/validate/shape.h \
	src/validate/tally.c src/validate/tally.h \
	src/validate/text.c src/validate/text.h \
	src/validate/trial.c src/validate/trial.h \
	src/validate/values.c src/validate/values.h

EXTRA_DIST += src/validate/README.md

unit_tests += tests/unit/test_validate
attack_unit_tests += tests/unit/test_validate

unit_tests += tests/unit/test_pattern
