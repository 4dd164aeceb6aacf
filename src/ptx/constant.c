#include <string.h>

#include "ptx/parse.h"

static uint64_t truncate_constant(uint64_t value, uint32_t bytes)
{
	return bytes >= 8 || !bytes ? value : value & ((1ull << 8 * bytes) - 1);
}

static bool float_bits(const struct ptx_token *tok, bool negative, enum ptx_type type, uint64_t *bits)
{
	uint32_t bytes = ptx_type_bytes(type), have = tok->kind == PTX_TOK_F32 ? 4 : 8;
	char kind = ptx_type_kind(type);
	float f32;
	double f64;

	*bits = tok->value ^ (negative ? 1ull << (8 * have - 1) : 0);
	if (kind == 'B' || bytes == have)
		return (kind == 'B' || kind == 'F') && bytes == have;
	if (type == PTX_F64) {
		uint32_t narrow = (uint32_t)*bits;
		memcpy(&f32, &narrow, 4);
		f64 = (double)f32;
		memcpy(bits, &f64, 8);
	} else if (type == PTX_F32) {
		memcpy(&f64, bits, 8);
		f32 = (float)f64;
		*bits = 0;
		memcpy(bits, &f32, 4);
	}
	return type == PTX_F64 || type == PTX_F32;
}

bool ptx_parse_constant(struct ptx_parser *p, enum ptx_type type, struct ptx_operand *out)
{
	struct ptx_token at = p->tok;
	bool negative = false, inverted = false;
	uint64_t bits;

	while (ptx_at(p, '-') || ptx_at(p, '+') || ptx_at(p, '~')) {
		negative ^= ptx_at(p, '-');
		inverted ^= ptx_at(p, '~');
		ptx_next(p);
	}
	*out = (struct ptx_operand){.kind = PTX_IMM, .second = -1};
	if (p->tok.kind == PTX_TOK_F32 || p->tok.kind == PTX_TOK_F64) {
		if (inverted || !float_bits(&p->tok, negative, type, &bits)) {
			ptx_fault(p, &at, "a float constant does not fit .%s", ptx_type_name(type));
			return false;
		}
	} else if (p->tok.kind == PTX_TOK_INT || ptx_at_name(p, "WARP_SZ")) {
		bits = p->tok.kind == PTX_TOK_INT ? p->tok.value : 32;
		if (ptx_type_kind(type) == 'F') {
			ptx_fault(p, &at, "an integer constant does not fit .%s", ptx_type_name(type));
			return false;
		}
		bits = negative ? 0 - bits : bits;
		bits = inverted ? ~bits : bits;
		bits = type == PTX_PRED ? bits != 0 : truncate_constant(bits, ptx_type_bytes(type));
	} else {
		ptx_unexpected(p, "an operand");
		return false;
	}
	out->value = (int64_t)bits;
	ptx_next(p);
	return true;
}
