noinst_LIBRARIES += src/course/book/libbook.a
src_course_book_libbook_a_SOURCES = \
	src/course/book/book.c src/course/book/book.h \
	src/course/book/html.c \
	src/course/book/markdown.c \
	src/course/book/writer.c \
	src/course/book/writer.h
