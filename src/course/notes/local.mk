noinst_LIBRARIES += src/course/notes/libnotes.a
src_course_notes_libnotes_a_SOURCES = \
	src/course/notes/client.c \
	src/course/notes/message.c \
	src/course/notes/notes.h \
	src/course/notes/server.c \
	src/course/notes/socket.c

unit_tests += tests/unit/test_notes
