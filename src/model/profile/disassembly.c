#include "model/profile/cubin.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#define TEXT_SECTION ".text."
#define LABELS_MAX 4096
#define LABEL_LEN 64 /* longer ones are none of the disassembler's own */

struct code_label {
	const char *name; /* in the text, up to a colon */
	size_t len;
	int function;
	uint32_t address;
};

struct disassembly {
	struct arena *arena;
	const struct cubin *cubin;
	const char **texts;  /* by instruction of the cubin; NULL: none was found */
	const char **begins; /* likewise: where it begins in the text, until labels are known */
	size_t *lens;
	struct code_label *labels;
	int n_labels, waiting; /* those from here on belong to the next instruction */
	int function;          /* that is read; -1: none of the cubin */
};

static int find_function(const struct cubin *cubin, const char *name, size_t len)
{
	for (int i = 0; i < cubin->n_functions; i++)
		if (strlen(cubin->functions[i].name) == len && memcmp(cubin->functions[i].name, name, len) == 0)
			return i;
	return -1;
}

static size_t trim(const char **text, size_t len)
{
	while (len && (**text == ' ' || **text == '\t')) {
		(*text)++;
		len--;
	}
	while (len && ((*text)[len - 1] == ' ' || (*text)[len - 1] == '\t' || (*text)[len - 1] == '\r'))
		len--;
	return len;
}

static bool begins_with(const char *text, size_t len, const char *with)
{
	size_t n = strlen(with);
	return len >= n && memcmp(text, with, n) == 0;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

/* An instruction: its address, then its text up to a semicolon. */
static void read_instr(struct disassembly *d, const char *line, size_t len)
{
	uint32_t address = 0;
	size_t i = 2, digits = 0;
	for (; i < len && digits < 8; i++, digits++) {
		static const char hex[] = "0123456789abcdef";
		const char *digit = line[i] ? strchr(hex, line[i]) : NULL;
		if (!digit)
			break;
		address = address * 16 + (uint32_t)(digit - hex);
	}
	if (!digits || i + 2 > len || line[i] != '*' || line[i + 1] != '/' || d->function < 0)
		return;
	const struct cubin_function *f = &d->cubin->functions[d->function];
	const char *text = line + i + 2, *end = memchr(text, ';', len - i - 2);
	if (!end || address % LISTING_INSTR_BYTES || address / LISTING_INSTR_BYTES >= (uint32_t)f->n)
		return;
	int at = f->first + (int)(address / LISTING_INSTR_BYTES);
	for (; d->waiting < d->n_labels; d->waiting++)
		d->labels[d->waiting].address = address;
	d->lens[at] = trim(&text, (size_t)(end - text));
	d->begins[at] = text;
}

static void read_label(struct disassembly *d, const char *line, size_t len)
{
	static const size_t before = sizeof TEXT_SECTION - 1;
	if (begins_with(line, len, TEXT_SECTION)) {
		d->function = find_function(d->cubin, line + before, len - before);
		d->n_labels = d->waiting;
	} else if (d->function >= 0 && d->n_labels < LABELS_MAX && len <= LABEL_LEN) {
		d->labels[d->n_labels++] = (struct code_label){line, len, d->function, 0};
	}
}

static void read_printed_line(struct disassembly *d, const char *line, size_t len)
{
	static const char function[] = "Function : ", section[] = ".section";
	len = trim(&line, len);
	if (begins_with(line, len, section)) { /* "	.section	.text.NAME,"ax",@progbits" */
		line += strlen(section);
		len = trim(&line, len - strlen(section));
		const char *comma = memchr(line, ',', len);
		if (comma && begins_with(line, len, TEXT_SECTION))
			read_label(d, line, (size_t)(comma - line));
		return;
	}
	if (begins_with(line, len, "/*"))
		read_instr(d, line, len);
	else if (begins_with(line, len, function))
		d->function = find_function(d->cubin, line + strlen(function), len - strlen(function));
	else if (len > 1 && line[0] == '.' && line[len - 1] == ':')
		read_label(d, line, len - 1);
}

/* --- texts -------------------------------------------------------------------------------------------------------- */

static bool clean_function(struct disassembly *d, int function)
{
	const struct cubin_function *f = &d->cubin->functions[function];
	for (int i = f->first; i < f->first + f->n; i++) {
		if (!d->begins[i])
			return false;

		/* "`(.L_x_1)" becomes an address; blanks in a row become one. */
		const char *text = d->begins[i];
		size_t len = d->lens[i];
		struct buf out = {0};
		for (size_t j = 0; j < len && out.len <= LISTING_TEXT_MAX; j++) {
			const char *close = begins_with(text + j, len - j, "`(") ? memchr(text + j, ')', len - j)
										 : NULL;
			const struct code_label *label = NULL;
			if (close) {
				size_t label_len = (size_t)(close - text) - j - 2;
				for (int k = 0; k < d->waiting && !label; k++)
					if (d->labels[k].function == function && d->labels[k].len == label_len &&
						memcmp(d->labels[k].name, text + j + 2, label_len) == 0)
						label = &d->labels[k];
			}
			if (label) {
				buf_printf(&out, "0x%x", label->address);
				j = (size_t)(close - text);
			} else if (text[j] != ' ' && text[j] != '\t') {
				buf_putc(&out, text[j]);
			} else if (out.len && out.data[out.len - 1] != ' ') {
				buf_putc(&out, ' ');
			}
		}
		const char *copy = arena_strdup(d->arena, buf_str(&out));
		buf_free(&out);
		d->texts[i] = copy;

		if (!listing_text_is_good(d->texts[i]))
			return false;
	}
	return true;
}

static void add_function(const struct disassembly *d, int function, struct listing_instr *instrs, int *n)
{
	const struct cubin_function *f = &d->cubin->functions[function];
	/* without the padding at the end of the function */
	int end = f->first + f->n;
	for (; end > f->first; end--) {
		const struct cubin_instr *instr = &d->cubin->instrs[end - 1];
		const char *text = d->texts[end - 1];
		bool filler = strcmp(text, "NOP") == 0 ||
			(instr->flow == CUBIN_END && !instr->is_conditional && begins_with(text, strlen(text), "BRA") &&
				end - 1 > f->first);
		if (!filler)
			break;
	}
	for (int i = f->first; i < end; i++)
		instrs[(*n)++] = (struct listing_instr){
			d->cubin->instrs[i].ptx_line, (uint32_t)(i - f->first) * LISTING_INSTR_BYTES, d->texts[i]};
}

const char *profile_disassembly(
	struct arena *arena, const struct cubin *cubin, const char *kernel, const char *text, struct code_listing *out)
{
	struct disassembly d = {.arena = arena, .cubin = cubin, .function = -1};
	int at = find_function(cubin, kernel, strlen(kernel));
	if (at < 0)
		return "The machine code has no kernel of that name.";
	if (cubin->n > LISTING_INSTRS_MAX)
		return "The kernel has too many machine instructions to be read.";
	d.texts = arena_array(arena, const char *, (size_t)cubin->n + 1);
	d.begins = arena_array(arena, const char *, (size_t)cubin->n + 1);
	d.lens = arena_array(arena, size_t, (size_t)cubin->n + 1);
	d.labels = arena_array(arena, struct code_label, LABELS_MAX);
	while (*text) {
		size_t len = strcspn(text, "\n");
		read_printed_line(&d, text, len);
		text += len + (text[len] == '\n');
	}

	struct listing_instr *instrs = arena_array(d.arena, struct listing_instr, (size_t)d.cubin->n + 1);
	int n = 0;
	for (int i = 0; i < d.cubin->n_functions; i++)
		if (!clean_function(&d, i))
			return "The disassembler's text lacks instructions of the kernel, or has what is none.";
	add_function(&d, at, instrs, &n);
	for (int i = 0; i < d.cubin->n_functions; i++)
		if (i != at)
			add_function(&d, i, instrs, &n);
	out->instrs = instrs;
	out->n = n;
	return NULL;
}
