#include "debug/program.h"

#include <stdio.h>
#include <string.h>

#include "profile/profile.h"

/* --- names and lines -------------------------------------------------------------------------------------------------- */

/* "_Z9histogramPKji" -> "histogram"; other names as they are. */
static const char *readable_name(struct arena *arena, const char *name)
{
	int length = 0, at = 0;
	if (sscanf(name, "_Z%6d%n", &length, &at) != 1 || length < 1 || (size_t)length > strlen(name + at))
		return name;
	return arena_strndup(arena, name + at, (size_t)length);
}

/* An instruction that was inlined from another file counts for the line that it stands in. */
static void find_lines(struct arena *arena, struct debug_program *p)
{
	const struct ptx_kernel *kernel = p->kernel;
	p->line_of = arena_array(arena, int, (size_t)kernel->n_instrs + 1);
	for (int i = 0, last = 0; i < kernel->n_instrs; i++) {
		struct ptx_place place = ptx_instr_place(kernel, i);
		bool here = place.file == p->file || (place.file && p->file && strcmp(place.file, p->file) == 0);
		if (!p->file)
			last = place.ptx_line;
		else if (place.line && here)
			last = place.line;
		p->line_of[i] = last;
	}
}

/* A line begins where the text comes to it, and at the head of a loop within it. */
static void find_begins(struct arena *arena, struct debug_program *p)
{
	const struct ptx_kernel *kernel = p->kernel;
	p->begins = arena_array(arena, bool, (size_t)kernel->n_instrs + 1);
	for (int i = 0; i < kernel->n_instrs; i++)
		p->begins[i] = i == 0 || p->line_of[i] != p->line_of[i - 1];
	for (int b = 0; b < kernel->n_blocks; b++) {
		const struct ptx_block *block = &kernel->blocks[b];
		for (int s = 0; s < block->n_succ; s++)
			if (kernel->blocks[block->succ[s]].first <= block->first)
				p->begins[kernel->blocks[block->succ[s]].first] = true;
	}
}

/* --- rows of PTX ------------------------------------------------------------------------------------------------------ */

/* Length of the name that `text` begins with, 0: none. */
static size_t name_length(const char *text, size_t len)
{
	size_t n = 0;
	while (n < len && (strchr("_$.", text[n]) || (text[n] >= '0' && text[n] <= '9') ||
			((text[n] | 32) >= 'a' && (text[n] | 32) <= 'z')) && text[n])
		n++;
	return n;
}

/* Names as in the source, where compilers made longer ones: "_ZZ9histogramPKjiPjE5count" -> "count", a parameter
 * "histogram_param_0" -> "param_0". */
static void put_name(struct buf *out, const struct ptx_kernel *kernel, const char *name, size_t len)
{
	size_t kernel_len = strlen(kernel->name);
	int length = 0, at = 0;
	if (len > kernel_len + 7 && memcmp(name, kernel->name, kernel_len) == 0 && memcmp(name + kernel_len, "_param_", 7) == 0) {
		buf_append(out, name + kernel_len + 1, len - kernel_len - 1);
		return;
	}
	for (size_t i = len; i-- > 3 && memcmp(name, "_ZZ", 3) == 0;) {
		if (name[i] == 'E' && sscanf(name + i + 1, "%6d%n", &length, &at) == 1 && length > 0 &&
				i + 1 + (size_t)at + (size_t)length == len) {
			buf_append(out, name + i + 1 + at, (size_t)length);
			return;
		}
	}
	buf_append(out, name, len);
}

static bool is_comment(const char *text, size_t len)
{
	return len > 1 && text[0] == '/' && text[1] == '/';
}

/* Without leading blanks, comments and the semicolon; every run of blanks as one. */
static char *tidy(struct arena *arena, const struct ptx_kernel *kernel, const char *text, size_t len)
{
	struct buf out = {0};
	bool blank = false;
	for (size_t i = 0, n; i < len && !is_comment(text + i, len - i); i += n) {
		bool is_blank = strchr(" \t\r", text[i]) != NULL;
		n = name_length(text + i, len - i);
		if (!is_blank && blank && out.len)
			buf_putc(&out, ' ');
		if (n)
			put_name(&out, kernel, text + i, n);
		else if (!is_blank)
			buf_putc(&out, text[i]);
		n += n == 0;
		blank = is_blank;
	}
	char *copy = arena_strndup(arena, buf_str(&out), out.len);
	buf_free(&out);
	return copy;
}

/* An instruction that goes on over several lines is shown as the program holds it. */
static const char *row_text(struct arena *arena, const struct debug_program *p, char *line, int instr)
{
	char *end = strchr(line, ';');
	if (end && !end[1]) /* several on one line keep theirs */
		return arena_strndup(arena, line, (size_t)(end - line));
	if (end)
		return line;
	struct buf text = {0};
	ptx_instr_print(p->kernel, instr, &text);
	const char *copy = arena_strndup(arena, buf_str(&text), text.len);
	buf_free(&text);
	return copy;
}

static bool is_label(const char *line)
{
	size_t len = strlen(line);
	return len > 1 && line[len - 1] == ':' && !strchr(line, ' ') && line[0] != '.';
}

static void add_row(struct debug_program *p, int line, int instr, const char *text)
{
	p->rows[p->n_rows++] = (struct debug_row){line, instr, text};
}

static void find_rows(struct arena *arena, struct debug_program *p, const struct source *ptx)
{
	const struct ptx_kernel *kernel = p->kernel;
	int n = kernel->n_instrs;
	int first = kernel->line, last = n ? kernel->instrs[n - 1].line : first;
	p->rows = arena_array(arena, struct debug_row, (size_t)(last - first) + 2);
	p->row_of = arena_array(arena, int, (size_t)n + 1);
	for (int line = first, i = 0; line <= last; line++) {
		size_t len = 0;
		const char *text = line <= ptx->n_lines ? source_line_text(ptx, line - 1, &len) : "";
		char *shown = tidy(arena, kernel, text, len);
		if (i < n && kernel->instrs[i].line == line)
			add_row(p, line, i, row_text(arena, p, shown, i));
		else if (is_label(shown))
			add_row(p, line, -1, shown);
		for (; i < n && kernel->instrs[i].line <= line; i++)
			p->row_of[i] = p->n_rows - 1;
	}
}

/* --- what instructions do to registers -------------------------------------------------------------------------------- */

static void add_use(int *list, int *n, int reg)
{
	for (int i = 0; i < *n; i++)
		if (list[i] == reg)
			return;
	if (*n < DEBUG_USES_MAX)
		list[(*n)++] = reg;
}

static void add_operand(const struct ptx_operand *o, int *list, int *n)
{
	if (o->kind == PTX_REG || o->kind == PTX_MEM_REG)
		add_use(list, n, o->index);
	if (o->second >= 0)
		add_use(list, n, o->second);
	for (int i = 0; o->kind == PTX_VECTOR && i < o->count; i++)
		add_operand(&o->elements[i], list, n);
}

/* The letter of ops.def that operand `index` of the instruction stands for; 0: not known. */
static char operand_letter(const struct ptx_instr *instr, int index)
{
	const char *letters = instr->form->op < PTX_OPS ? ptx_op_rows[instr->form->op].operands : "";
	for (int i = 0; *letters; letters++)
		if (*letters != '?' && i++ == index)
			return *letters;
	return 0;
}

static bool is_destination(char letter)
{
	return letter && strchr("dwDkpsKVo", letter);
}

void debug_uses(const struct ptx_kernel *kernel, int index, struct debug_uses *out)
{
	const struct ptx_instr *instr = &kernel->instrs[index];
	out->n_written = out->n_read = 0;
	for (int i = 0; i < instr->n; i++) {
		if (is_destination(operand_letter(instr, i)))
			add_operand(&instr->operands[i], out->written, &out->n_written);
		else
			add_operand(&instr->operands[i], out->read, &out->n_read);
	}
	if (instr->guard >= 0)
		add_use(out->read, &out->n_read, instr->guard);
}

/* --- kinds of registers ----------------------------------------------------------------------------------------------- */

/* nvcc declares most registers as bits; what an instruction takes them for is what a reader wants to see. Floats win over
 * integers, these over bits: a load or move says nothing. */
static int weight(char kind)
{
	static const char order[] = "XBUSFP";
	const char *at = kind ? strchr(order, kind) : NULL;
	return at ? (int)(at - order) : 0;
}

static void take_kind(struct debug_program *p, const struct ptx_operand *o, enum ptx_type type)
{
	if (o->kind == PTX_REG && p->kernel->regs[o->index].type != PTX_PRED &&
			weight(ptx_type_kind(type)) > weight((char)p->kind[o->index]))
		p->kind[o->index] = (uint8_t)ptx_type_kind(type);
	for (int i = 0; o->kind == PTX_VECTOR && i < o->count; i++)
		take_kind(p, &o->elements[i], type);
}

/* What only moves bits hands the kind on, in either direction. True when a register learned something. */
static bool pass_kind(struct debug_program *p, const struct ptx_instr *instr)
{
	static const char *const movers[] = {"mov.b", "shfl.sync", "selp.b"};
	int from = -1, to = -1;
	bool moves = false;
	for (size_t i = 0; i < sizeof movers / sizeof *movers; i++)
		moves |= strncmp(instr->form->spelling, movers[i], strlen(movers[i])) == 0;
	if (!moves || instr->n < 2 || instr->operands[0].kind != PTX_REG || instr->operands[1].kind != PTX_REG)
		return false;
	for (int o = 0; o < 2; o++) {
		int reg = instr->operands[o].index;
		if (p->kind[reg] == 'F')
			from = reg;
		else if (p->kind[reg] == 'B' || p->kind[reg] == 'U')
			to = reg;
	}
	if (from < 0 || to < 0 || ptx_type_bytes(p->kernel->regs[from].type) != ptx_type_bytes(p->kernel->regs[to].type))
		return false;
	p->kind[to] = 'F';
	return true;
}

static void find_kinds(struct arena *arena, struct debug_program *p)
{
	const struct ptx_kernel *kernel = p->kernel;
	p->kind = arena_array(arena, uint8_t, (size_t)kernel->n_regs + 1);
	for (int r = 0; r < kernel->n_regs; r++)
		p->kind[r] = (uint8_t)ptx_type_kind(kernel->regs[r].type);
	for (int i = 0; i < kernel->n_instrs; i++) {
		const struct ptx_instr *instr = &kernel->instrs[i];
		for (int o = 0; o < instr->n; o++) {
			char letter = operand_letter(instr, o);
			if (letter && letter != 'm')
				take_kind(p, &instr->operands[o], ptx_letter_type(instr->form, letter));
		}
	}
	for (bool learned = true; learned;) {
		learned = false;
		for (int i = 0; i < kernel->n_instrs; i++)
			learned |= pass_kind(p, &kernel->instrs[i]);
	}
	for (int r = 0; r < kernel->n_regs; r++)
		if (p->kind[r] != 'F' && p->kind[r] != 'P')
			p->kind[r] = ptx_type_bytes(kernel->regs[r].type) == 8 ? 'X' : 'S';
}

/* --- all of it -------------------------------------------------------------------------------------------------------- */

struct debug_program *debug_program_new(struct arena *arena, const struct ptx_kernel *kernel, const struct source *ptx,
	const struct source *source)
{
	struct debug_program *p = arena_alloc(arena, sizeof *p);
	p->kernel = kernel;
	p->name = readable_name(arena, kernel->name);
	p->file = profile_file(kernel);
	p->source = *source;
	find_lines(arena, p);
	find_begins(arena, p);
	find_rows(arena, p, ptx);
	find_kinds(arena, p);
	return p;
}

const char *debug_instr_text(const struct debug_program *p, int instr)
{
	return p->rows[p->row_of[instr]].text;
}

int debug_line_with_code(const struct debug_program *p, bool ptx, int line)
{
	int best = 0;
	for (int i = 0; i < p->kernel->n_instrs; i++) {
		int at = ptx ? p->kernel->instrs[i].line : p->line_of[i];
		if (at >= line && (!best || at < best))
			best = at;
	}
	return best;
}
