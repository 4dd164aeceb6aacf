#include "front/debug/debug.h"

#include <string.h>

#include "base/demangle.h"
#include "front/debug/dwarf.h"
#include "machine/ptx/instr.h"
#include "model/profile/profile.h"

/* --- names and lines ---------------------------------------------------------------------------------------------- */

static const char *readable_name(struct arena *arena, const char *name)
{
	size_t len;
	const char *source = mangled_source(name, strlen(name), &len);
	return source ? arena_strndup(arena, source, len) : name;
}

/* --- rows of PTX -------------------------------------------------------------------------------------------------- */

static bool is_comment(const char *text, size_t len)
{
	return len > 1 && text[0] == '/' && text[1] == '/';
}

/* Without leading blanks, comments and the semicolon; every run of blanks as one. */
static char *tidy(struct arena *arena, const struct ptx_kernel *code, const char *text, size_t len)
{
	struct buf out = {0};
	bool blank = false;
	for (size_t i = 0, n; i < len && !is_comment(text + i, len - i); i += n) {
		bool is_blank = strchr(" \t\r", text[i]) != NULL;

		/* Length of the name that `text` begins with, 0: none. */
		const char *length_text = text + i;
		n = 0;
		while (n < len - i &&
			(strchr("_$.", length_text[n]) || (length_text[n] >= '0' && length_text[n] <= '9') ||
				((length_text[n] | 32) >= 'a' && (length_text[n] | 32) <= 'z')) &&
			length_text[n])
			n++;

		if (!is_blank && blank && out.len)
			buf_putc(&out, ' ');
		if (n) {
			/* Names as in the source, where compilers made longer ones; a parameter of `code`,
			 * "_Z4treeii_param_0", as "param_0". */
			const char *name = text + i;
			size_t own = strlen(code->name), source_len = 0;
			const char *source = mangled_source(name, n, &source_len);
			if (n > own + 7 && memcmp(name, code->name, own) == 0 && memcmp(name + own, "_param_", 7) == 0)
				buf_append(&out, name + own + 1, n - own - 1);
			else
				buf_append(&out, source ? source : name, source ? source_len : n);
		} else if (!is_blank) {
			buf_putc(&out, text[i]);
		}
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
	const char *copy = tidy(arena, p->parts[p->instrs[instr].part].of->code, buf_str(&text), text.len);
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

static int last_line(const struct ptx_kernel *code)
{
	return code->n_instrs ? code->instrs[code->n_instrs - 1].line : code->line;
}

/* --- what instructions do to registers ---------------------------------------------------------------------------- */

struct use_lists {
	struct debug_uses *uses;
	int base; /* of the part's registers */
};

static void add_use(void *ctx, int32_t reg, enum instr_use use)
{
	const struct use_lists *lists = ctx;
	int *list = use == INSTR_WRITES ? lists->uses->written : lists->uses->read;
	int *n = use == INSTR_WRITES ? &lists->uses->n_written : &lists->uses->n_read;
	for (int i = 0; i < *n; i++)
		if (list[i] == lists->base + reg)
			return;
	if (*n < DEBUG_USES_MAX)
		list[(*n)++] = lists->base + reg;
}

void debug_uses(const struct debug_program *p, int index, struct debug_uses *out)
{
	struct use_lists lists = {out, p->parts[p->instrs[index].part].first_reg};
	out->n_written = out->n_read = 0;
	instr_each_register(p->instrs[index].code, add_use, &lists);
}

/* --- kinds of registers ------------------------------------------------------------------------------------------- */

/* nvcc declares most registers as bits; what an instruction takes them for is what a reader wants to see. Floats win
 * over integers, these over bits: a load or move says nothing. */
static int weight(char kind)
{
	static const char order[] = "XBUSFP";
	const char *at = kind ? strchr(order, kind) : NULL;
	return at ? (int)(at - order) : 0;
}

static void take_kind(struct debug_reg *regs, const struct ptx_operand *o, enum ptx_type type)
{
	struct debug_reg *reg = o->kind == PTX_REG ? &regs[o->index] : NULL;
	bool packed = ptx_type_kind(type) == 'F' && type != PTX_F16 && type != PTX_F32 && type != PTX_F64;
	bool fits = reg && reg->type != PTX_PRED && ptx_type_bytes(type) == ptx_type_bytes(reg->type);
	if (fits && !packed && weight(ptx_type_kind(type)) > weight(reg->kind))
		reg->kind = ptx_type_kind(type);
	for (int i = 0; o->kind == PTX_VECTOR && i < o->count; i++)
		take_kind(regs, &o->elements[i], type);
}

/* What only moves bits passes the kind on, in either direction. True when a register's kind became known. */
static bool pass_kind(struct debug_reg *regs, const struct ptx_instr *instr)
{
	if (!instr_passes_bits(instr->form) || instr->n < 2 || instr->operands[0].kind != PTX_REG ||
		instr->operands[1].kind != PTX_REG)
		return false;
	struct debug_reg *a = &regs[instr->operands[0].index], *b = &regs[instr->operands[1].index];
	struct debug_reg *from = a->kind == 'F' ? a : b, *to = from == a ? b : a;
	bool learns = from->kind == 'F' && (to->kind == 'B' || to->kind == 'U') &&
		ptx_type_bytes(from->type) == ptx_type_bytes(to->type);
	if (learns)
		to->kind = 'F';
	return learns;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

struct debug_program *debug_program_new(
	struct arena *arena, const struct ptx_kernel *kernel, const struct source *ptx, const struct source *source)
{
	struct debug_program *p = arena_alloc(arena, sizeof *p);
	p->kernel = kernel;
	p->name = readable_name(arena, kernel->name);
	p->file = profile_file(kernel);
	p->source = *source;

	const struct ptx_kernel *parts_kernel = p->kernel;
	p->n_parts = parts_kernel->n_parts;
	p->n_instrs = ptx_instr_count(parts_kernel);
	p->parts = arena_array(arena, struct debug_part, (size_t)p->n_parts + 1);
	p->instrs = arena_array(arena, struct debug_instr, (size_t)p->n_instrs + 1);
	for (int i = 0; i < p->n_parts; i++) {
		const struct ptx_part *of = &parts_kernel->parts[i];
		p->parts[i] = (struct debug_part){of, readable_name(arena, of->code->name), of->first, p->n_regs};
		p->n_regs += of->code->n_regs;
		for (int k = 0; k < of->code->n_instrs; k++)
			p->instrs[of->first + k] = (struct debug_instr){.code = &of->code->instrs[k], .part = i};
	}

	for (int i = 0, last = 0; i < p->n_instrs; i++) {
		struct ptx_location place = ptx_instr_location(p->kernel, i);
		bool here = place.file == p->file || (place.file && p->file && strcmp(place.file, p->file) == 0);
		if (i == 0 || p->instrs[i].part != p->instrs[i - 1].part)
			last = 0;
		if (!p->file)
			last = place.ptx_line;
		else if (place.line && here)
			last = place.line;
		p->instrs[i].line = last;
	}

	/* A line begins where the text comes to it, and at the head of a loop within it. */
	for (int i = 0; i < p->n_instrs; i++)
		p->instrs[i].begins = i == 0 || p->instrs[i].line != p->instrs[i - 1].line ||
			p->instrs[i].part != p->instrs[i - 1].part;
	for (int part = 0; part < p->n_parts; part++) {
		const struct ptx_kernel *code = p->parts[part].of->code;
		for (int b = 0; b < code->n_blocks; b++) {
			for (int s = 0; s < code->blocks[b].n_succ; s++) {
				int to = code->blocks[code->blocks[b].succ[s]].first;
				if (to <= code->blocks[b].first)
					p->instrs[p->parts[part].first_instr + to].begins = true;
			}
		}
	}

	size_t most = 0;
	for (int i = 0; i < p->n_parts; i++) {
		const struct ptx_kernel *code = p->parts[i].of->code;
		most += (size_t)(last_line(code) - code->line) + 2;
	}
	p->rows = arena_array(arena, struct debug_row, most);
	for (int i = 0; i < p->n_parts; i++) {
		const struct ptx_kernel *code = p->parts[i].of->code;
		if (!code->entry)
			add_row(p, code->line, -1, arena_printf(arena, ".func %s", p->parts[i].name));

		const struct debug_part *part = &p->parts[i];
		for (int line = code->line, j = 0; line <= last_line(code); line++) {
			size_t len = 0;
			const char *text = line <= ptx->n_lines ? source_line_text(ptx, line - 1, &len) : "";
			char *shown = tidy(arena, code, text, len);
			if (j < code->n_instrs && code->instrs[j].line == line)
				add_row(p, line, part->first_instr + j,
					row_text(arena, p, shown, part->first_instr + j));
			else if (is_label(shown))
				add_row(p, line, -1, shown);
			for (; j < code->n_instrs && code->instrs[j].line <= line; j++)
				p->instrs[part->first_instr + j].row = p->n_rows - 1;
		}
	}

	p->regs = arena_array(arena, struct debug_reg, (size_t)p->n_regs + 1);
	for (int i = 0; i < p->n_parts; i++) {
		const struct ptx_kernel *code = p->parts[i].of->code;
		for (int r = 0; r < code->n_regs; r++)
			p->regs[p->parts[i].first_reg + r] = (struct debug_reg){
				code->regs[r].name, code->regs[r].type, ptx_type_kind(code->regs[r].type), i, r};
	}

	for (int i = 0; i < p->n_instrs; i++) {
		struct debug_reg *kinds_regs = p->regs + p->parts[p->instrs[i].part].first_reg;
		const struct ptx_instr *instr = p->instrs[i].code;
		for (int o = 0; o < instr->n; o++) {
			char letter = instr_letter(instr->form, o);
			if (letter && letter != 'm')
				take_kind(kinds_regs, &instr->operands[o], ptx_letter_type(instr->form, letter));
		}
	}
	for (bool learned = true; learned;) {
		learned = false;
		for (int i = 0; i < p->n_instrs; i++)
			learned |= pass_kind(p->regs + p->parts[p->instrs[i].part].first_reg, p->instrs[i].code);
	}
	for (struct debug_reg *reg = p->regs; reg < p->regs + p->n_regs; reg++)
		if (reg->kind != 'F' && reg->kind != 'P')
			reg->kind = ptx_type_bytes(reg->type) == 8 ? 'X' : 'S';

	p->dwarf = debug_dwarf_read(arena, kernel->module);
	return p;
}

const char *debug_instr_text(const struct debug_program *p, int instr)
{
	return p->rows[p->instrs[instr].row].text;
}

int debug_line_with_code(const struct debug_program *p, enum debug_text text, int line)
{
	int best = 0;
	for (int i = 0; i < p->n_instrs; i++) {
		int at = text == DEBUG_PTX ? p->instrs[i].code->line : p->instrs[i].line;
		if (at >= line && (!best || at < best))
			best = at;
	}
	return best;
}
