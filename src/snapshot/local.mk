noinst_LIBRARIES += src/snapshot/libsnapshot.a
src_snapshot_libsnapshot_a_SOURCES = \
	src/snapshot/format.h \
	src/snapshot/read.c \
	src/snapshot/restore.c \
	src/snapshot/snapshot.h \
	src/snapshot/write.c

unit_tests += tests/unit/test_snapshot
