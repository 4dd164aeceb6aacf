noinst_LIBRARIES += src/view/libview.a
src_view_libview_a_SOURCES = \
	src/view/atomics.c src/view/atomics.h \
	src/view/atomics_roomy.c \
	src/view/cluster.c \
	src/view/compare.c \
	src/view/banks.c src/view/banks.h \
	src/view/banks_roomy.c \
	src/view/blocks.c \
	src/view/defect.c src/view/defect.h \
	src/view/defect_roomy.c \
	src/view/draw.c src/view/draw.h \
	src/view/fragments.c src/view/fragments.h \
	src/view/fragments_say.c \
	src/view/host.c \
	src/view/lanes.c src/view/lanes.h \
	src/view/lanes_roomy.c \
	src/view/light.c src/view/light.h \
	src/view/map.c \
	src/view/mask.c src/view/mask.h \
	src/view/mask_roomy.c \
	src/view/numbers.c src/view/numbers.h \
	src/view/numbers_beside.c \
	src/view/numbers_elsewhere.c \
	src/view/numbers_so_far.c \
	src/view/occupancy.c src/view/occupancy.h \
	src/view/occupancy_roomy.c \
	src/view/roofline.c src/view/roofline.h \
	src/view/roofline_roomy.c \
	src/view/sass.c src/view/sass.h \
	src/view/sass_rows.c \
	src/view/program.c src/view/program.h \
	src/view/say.c \
	src/view/schedule.c \
	src/view/scroll.c \
	src/view/sectors.c src/view/sectors.h \
	src/view/sectors_roomy.c \
	src/view/shuffle.c src/view/shuffle.h \
	src/view/shuffle_roomy.c \
	src/view/source.c src/view/source.h \
	src/view/source_roomy.c \
	src/view/streams.c \
	src/view/sweep.c src/view/sweep.h \
	src/view/sweep_roomy.c \
	src/view/tell.c \
	src/view/times.c src/view/times.h \
	src/view/view.c src/view/view.h src/view/views.def

unit_tests += tests/unit/test_view
tests_unit_test_view_SOURCES = tests/unit/test_view.c tests/unit/program_log.h
attack_unit_tests += tests/unit/test_view

# Pictures of the views; SIMTTUTOR_UPDATE_GOLDEN=1 make check writes them anew.
EXTRA_DIST += tests/golden/views
