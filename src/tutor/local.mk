noinst_LIBRARIES += src/tutor/libtutor.a
src_tutor_libtutor_a_SOURCES = \
	src/tutor/actions.def src/tutor/keys.def \
	src/tutor/actions.c \
	src/tutor/answer.c \
	src/tutor/keys.c src/tutor/keys.h \
	src/tutor/live.c \
	src/tutor/navigate.c \
	src/tutor/private.h \
	src/tutor/sweep.c \
	src/tutor/tutor.c src/tutor/tutor.h \
	src/tutor/workbench.c src/tutor/workbench.h
