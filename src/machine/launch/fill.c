#include <string.h>

#include "machine/launch/launch.h"
#include "machine/launch/parser.h"

/* Steele, Lea and Flood's SplitMix64: a counter and a mixer, so that the n-th output needs no others. */
static uint64_t splitmix(uint64_t seed, uint64_t n)
{
	uint64_t z = seed + (n + 1) * 0x9E3779B97F4A7C15u;
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

static void fill_random_bytes(uint64_t seed, unsigned char *out, size_t bytes)
{
	size_t words = bytes / 8;
	for (size_t i = 0; i < words; i++) {
		uint64_t word = splitmix(seed, i);
		memcpy(out + 8 * i, &word, 8);
	}
	uint64_t last = splitmix(seed, words);
	memcpy(out + 8 * words, &last, bytes % 8);
}

/* Little-endian, as the host and GPUs are: the low bytes of a number are the number modulo its type's. With `size`
 * known to the compiler. */
static inline void count_up(size_t size, unsigned char *out, size_t count)
{
	for (uint64_t i = 0; i < count; i++)
		memcpy(out + i * size, &i, size);
}

#define PIECE_BYTES ((size_t)1 << 15) /* stays in the host's L1 */

void launch_arg_fill(const struct launch_arg *arg, void *out)
{
	const struct type_info *type = &launch_type_table[arg->type];
	size_t bytes = launch_arg_bytes(arg);

	switch (arg->fill) {
	case LAUNCH_VALUES: memcpy(out, arg->bytes, bytes); break;
	case LAUNCH_ZERO: memset(out, 0, bytes); break;
	case LAUNCH_SAME: {
		unsigned char *at = out;
		size_t done = type->size < bytes ? type->size : bytes;
		memcpy(at, arg->bytes, done);
		while (done < bytes) {
			size_t piece = done < PIECE_BYTES ? done : PIECE_BYTES / type->size * type->size;
			piece = piece < bytes - done ? piece : bytes - done;
			memcpy(at + done, at, piece);
			done += piece;
		}
		break;
	}
	case LAUNCH_IOTA: {
		unsigned char *at = out;
		bool is_float = type->kind == TYPE_FLOAT;
		if (is_float && type->size == 4)
			for (uint64_t i = 0; i < arg->count; i++)
				memcpy(at + i * sizeof(float), &(float){(float)i}, sizeof(float));
		else if (is_float && type->size == 8)
			for (uint64_t i = 0; i < arg->count; i++)
				memcpy(at + i * sizeof(double), &(double){(double)i}, sizeof(double));
		else if (is_float)
			for (uint64_t i = 0; i < arg->count; i++)
				memcpy(at + 2 * i, &(uint16_t){launch_half_from_double((double)i)}, sizeof(uint16_t));
		else if (type->size == 4)
			count_up(4, at, arg->count);
		else if (type->size == 8)
			count_up(8, at, arg->count);
		else if (type->size == 2)
			count_up(2, at, arg->count);
		else
			count_up(1, at, arg->count);
		break;
	}
	case LAUNCH_RANDOM:
		fill_random_bytes(arg->seed, out, bytes);
		if (type->kind == TYPE_FLOAT) {
			/* Turns random bits into floats of [0, 1): as many high bits as the mantissa holds, so that
			 * none rounds up to 1. */
			unsigned char *at = out;
			if (type->size == sizeof(float))
				for (size_t i = 0; i < arg->count; i++) {
					uint32_t bits;
					memcpy(&bits, at + i * sizeof bits, sizeof bits);
					memcpy(at + i * sizeof bits, &(float){(float)(int32_t)(bits >> 8) * 0x1p-24f},
						sizeof bits);
				}
			else if (type->size == sizeof(double))
				for (size_t i = 0; i < arg->count; i++) {
					uint64_t bits;
					memcpy(&bits, at + i * sizeof bits, sizeof bits);
					memcpy(at + i * sizeof bits, &(double){(double)(bits >> 11) * 0x1p-53},
						sizeof bits);
				}
			else
				for (size_t i = 0; i < arg->count; i++) {
					uint16_t bits;
					memcpy(&bits, at + i * sizeof bits, sizeof bits);
					bits = launch_half_from_double((double)(bits >> 5) * 0x1p-11);
					memcpy(at + i * sizeof bits, &bits, sizeof bits);
				}
		}
		break;
	}
	memset((char *)out + arg->unwritten * type->size, LAUNCH_UNINIT_BYTE, arg->n_unwritten * type->size);
}
