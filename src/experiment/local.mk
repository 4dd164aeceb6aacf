noinst_LIBRARIES += src/experiment/libexperiment.a
src_experiment_libexperiment_a_SOURCES = \
	src/experiment/json_place.c src/experiment/json_place.h \
	src/experiment/lines.c src/experiment/lines.h \
	src/experiment/points.c src/experiment/points.h \
	src/experiment/program.c src/experiment/program.h \
	src/experiment/recorded.c src/experiment/recorded.h

unit_tests += tests/unit/test_recorded
