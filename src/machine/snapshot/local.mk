noinst_LIBRARIES += src/machine/snapshot/libsnapshot.a
src_machine_snapshot_libsnapshot_a_SOURCES = \
	src/machine/snapshot/format.h \
	src/machine/snapshot/read.c \
	src/machine/snapshot/restore.c \
	src/machine/snapshot/snapshot.h \
	src/machine/snapshot/write.c

unit_tests += tests/unit/test_snapshot
