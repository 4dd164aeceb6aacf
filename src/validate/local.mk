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

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test_validate
TESTS += tests/unit/test_validate
tests_unit_test_validate_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_validate_LDADD = src/validate/libvalidate.a src/launch/liblaunch.a src/model/libmodel.a src/ptx/libptx.a src/base/libbase.a \
	$(CMOCKA_LIBS) $(UTF8PROC_LIBS)
endif

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test_pattern
TESTS += tests/unit/test_pattern
tests_unit_test_pattern_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_pattern_LDADD = src/validate/libvalidate.a src/profile/libprofile.a src/simt/libsimt.a src/launch/liblaunch.a \
	src/ptx/libptx.a src/model/libmodel.a src/base/libbase.a $(CMOCKA_LIBS) $(UTF8PROC_LIBS)
endif
