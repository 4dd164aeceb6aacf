noinst_LIBRARIES += src/front/view/libview.a
src_front_view_libview_a_SOURCES = \
	src/front/view/atomics.c \
	src/front/view/banks.c \
	src/front/view/blocks.c \
	src/front/view/cluster.c \
	src/front/view/code.h \
	src/front/view/compare.c \
	src/front/view/defect.c \
	src/front/view/describe.c \
	src/front/view/draw.c src/front/view/draw.h \
	src/front/view/fragments.c \
	src/front/view/host.c \
	src/front/view/lanes.c \
	src/front/view/launch.h \
	src/front/view/light.c \
	src/front/view/map.c \
	src/front/view/mask.c \
	src/front/view/numbers.c src/front/view/numbers.h \
	src/front/view/occupancy.c \
	src/front/view/program.c src/front/view/program.h \
	src/front/view/roofline.c \
	src/front/view/sass.c \
	src/front/view/schedule.c \
	src/front/view/scroll.c \
	src/front/view/sectors.c \
	src/front/view/shuffle.c \
	src/front/view/source.c src/front/view/source.h \
	src/front/view/streams.c \
	src/front/view/subjects.h \
	src/front/view/sweep.c \
	src/front/view/times.c src/front/view/times.h \
	src/front/view/view.c src/front/view/view.h src/front/view/views.def src/front/view/views.h

unit_tests += tests/unit/test_view
tests_unit_test_view_SOURCES = tests/unit/test_view.c tests/unit/program_log.h
attack_unit_tests += tests/unit/test_view

# Pictures of the views; SIMTTUTOR_UPDATE_GOLDEN=1 make check writes them anew.
EXTRA_DIST += tests/golden/views
EXTRA_DIST += src/front/view/README.md
