#include "base/cksum.h"

#define POLYNOMIAL 0x04C11DB7u

static uint32_t add_byte(uint32_t crc, unsigned byte)
{
	crc ^= byte << 24;
	for (int bit = 0; bit < 8; bit++)
		crc = (crc << 1) ^ (crc & 0x80000000u ? POLYNOMIAL : 0);
	return crc;
}

void cksum_add(struct cksum *sum, const void *data, size_t len)
{
	const unsigned char *bytes = data;
	for (size_t i = 0; i < len; i++)
		sum->crc = add_byte(sum->crc, bytes[i]);
	sum->len += len;
}

uint32_t cksum_value(const struct cksum *sum)
{
	uint32_t crc = sum->crc;
	for (uint64_t len = sum->len; len; len >>= 8)
		crc = add_byte(crc, (unsigned)(len & 0xFF));
	return ~crc;
}
