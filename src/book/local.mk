noinst_LIBRARIES += src/book/libbook.a
src_book_libbook_a_SOURCES = \
	src/book/book.c src/book/book.h \
	src/book/html.c \
	src/book/markdown.c \
	src/book/writer.h
