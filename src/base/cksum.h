/* base/cksum.h: the checksum of POSIX's cksum(1): it tells a file that has changed, and is none against whoever wants it to match. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct cksum {
	uint32_t crc;
	uint64_t len;
};

/* Adds bytes; begin with {0}. */
void cksum_add(struct cksum *sum, const void *data, size_t len);

/* What cksum(1) prints of all that was added. */
uint32_t cksum_value(const struct cksum *sum);
