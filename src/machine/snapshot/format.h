/* machine/snapshot/format.h: the bytes of a file. Inside snapshot/ only.
 *
 * Little endian. The mark; the length of the file; what was known before the launch; what was known after it; the
 * checksum of all that comes before it. Text and bytes are preceded by their length, lists by their count. Pieces of a
 * buffer are in order, and none is empty or overlaps with another. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define SNAPSHOT_MARK "\211SIMTLAUNCH1\r\n\032\n"
#define SNAPSHOT_MARK_BYTES 16
#define SNAPSHOT_CHECKSUM_BYTES 8
#define SNAPSHOT_PAGE 256u /* bytes that are looked at together when pieces are made */

enum snapshot_flag { SNAPSHOT_COOPERATIVE = 1, SNAPSHOT_BESIDE = 2, SNAPSHOT_ENDED = 4 };
enum snapshot_buffer_flag {
	SNAPSHOT_SHARED = 1,
	SNAPSHOT_OF_HEAP = 2,
	SNAPSHOT_FREED = 4,
	SNAPSHOT_SOME_WRITTEN = 8, /* a bit for each byte follows */
};
enum snapshot_texture_flag {
	SNAPSHOT_SURFACE = 1,
	SNAPSHOT_LAYERED = 2,
	SNAPSHOT_CUBE = 4,
	SNAPSHOT_NORMALIZED = 8,
	SNAPSHOT_FLOATS = 16,
	SNAPSHOT_LINEAR = 32,
	SNAPSHOT_UNNORMALIZED = 64,
};
