#include "machine/ptx/select.h"

#include <string.h>

#include "machine/ptx/instr.h"
#include "machine/ptx/parse.h"

/* 1, 2 or 4: what the row's name ends with. */
static int elements_of(const struct ptx_form *form)
{
	const char *name = ptx_op_rows[form->op].spelling;
	char last = name[strlen(name) - 1];
	return last == '2' ? 2 : last == '4' ? 4 : 1;
}

static int64_t word_select(const char *text, size_t len)
{
	int most = *text == 'b' ? 3 : 1;
	int64_t kind = *text == 'b' ? PTX_SELECT_BYTE : PTX_SELECT_HALF;
	return len == 2 && text[1] >= '0' && text[1] <= '0' + most ? kind | (text[1] - '0') : 0;
}

/* Numbers from high to low, each once. */
static int64_t mask_select(const char *text, size_t len, int n)
{
	int64_t select = PTX_SELECT_MASK;
	for (size_t i = 1; i < len; i++) {
		if (text[i] < '0' || text[i] >= '0' + n || (i > 1 && text[i] >= text[i - 1]))
			return 0;
		select |= 1 << (text[i] - '0');
	}
	return len > 1 ? select : 0;
}

/* The highest element first, as all numbers are written. */
static int64_t list_select(const char *text, size_t len, int n)
{
	int64_t select = PTX_SELECT_LIST;
	if (len != (size_t)n + 1)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if (text[i] < '0' || text[i] >= '0' + 2 * n)
			return 0;
		select |= (int64_t)(text[i] - '0') << 4 * (len - 1 - i);
	}
	return select;
}

bool ptx_parse_select(struct ptx_parser *p, const struct ptx_form *form, bool writes, int64_t *select)
{
	const struct ptx_token at = p->tok;
	int n = elements_of(form);
	if (at.kind != PTX_TOK_DOT || !at.glued)
		return true;
	bool fits = n == 1 ? *at.text == 'b' || *at.text == 'h' : *at.text == (n == 2 ? 'h' : 'b');
	if (fits)
		*select = n == 1 ? word_select(at.text, at.len)
			: writes ? mask_select(at.text, at.len, n)
				 : list_select(at.text, at.len, n);
	if (!*select) {
		ptx_fault(p, &at, "%s does not have the part .%.*s here", form->spelling, ptx_shown(at.len), at.text);
		return false;
	}
	ptx_next(p);
	return true;
}

void ptx_print_select(const struct ptx_form *form, int64_t select, struct buf *out)
{
	int n = elements_of(form);
	if (!select)
		return;
	buf_printf(out, ".%c", select & PTX_SELECT_BYTE || n == 4 ? 'b' : 'h');
	if (n == 1)
		buf_printf(out, "%d", (int)(select & 3));
	for (int k = n; n > 1 && k-- > 0;) {
		if (select & PTX_SELECT_LIST)
			buf_printf(out, "%d", ptx_select_element(select, k, k));
		else if (ptx_select_writes(select, k))
			buf_printf(out, "%d", k);
	}
}
