noinst_LIBRARIES += src/screen/libscreen.a
src_screen_libscreen_a_SOURCES = \
	src/screen/flow.c src/screen/flow.h \
	src/screen/help.c \
	src/screen/lesson.c \
	src/screen/list.c \
	src/screen/parts.h \
	src/screen/question.c src/screen/question.h \
	src/screen/screen.c src/screen/screen.h
