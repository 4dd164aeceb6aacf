noinst_LIBRARIES += src/notes/libnotes.a
src_notes_libnotes_a_SOURCES = \
	src/notes/client.c \
	src/notes/message.c \
	src/notes/notes.h \
	src/notes/private.h \
	src/notes/server.c \
	src/notes/socket.c

unit_tests += tests/unit/test_notes
