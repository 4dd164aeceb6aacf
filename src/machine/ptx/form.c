#include "machine/ptx/instr.h"

#include <string.h>

#include "base/buf.h"
#include "machine/ptx/ops.h"
#include "machine/ptx/parse.h"

struct ptx_form_entry {
	struct ptx_form form;
	struct hash_link link; /* by its spelling */
};

void ptx_forms_init(struct ptx_forms *forms, struct arena *arena)
{
	forms->arena = arena;
	hash_init(&forms->by_spelling, arena);
}

/* Most differ in the first letter. `word` has one. */
static bool is_word(const char *word, const char *text, size_t len)
{
	return word[0] == text[0] && !strncmp(word, text, len) && word[len] == '\0';
}

/* The shape of a wgmma, whose columns become the form's: what is left is the depth, "k16" of "m64n8k16". */
static const char *skip_columns(struct ptx_form *form, const char *text, size_t *len)
{
	static const char rows[] = "m64n";
	size_t at = sizeof rows - 1;
	uint32_t columns = 0;
	if (*len <= at || memcmp(text, rows, at) != 0)
		return text;
	for (; at < *len && text[at] >= '0' && text[at] <= '9' && columns < 1000; at++)
		columns = columns * 10 + (uint32_t)(text[at] - '0');
	form->columns = (uint16_t)columns;
	*len -= at;
	return text + at;
}

struct opcode {
	struct arena *arena; /* for messages */
	const char *text;
	size_t len;
};

/* `*progress` is how many bytes of the suffixes fit; the row that most of them fit explains best what is wrong. */
static bool try_row(const struct opcode *o, struct ptx_form *form, int op, size_t *progress)
{
	const struct ptx_op_row *row = &ptx_op_rows[op];
	const char *at = o->text + strlen(row->spelling), *end = o->text + o->len;

	form->op = (uint16_t)op;
	form->type = form->type2 = PTX_NO_TYPE;
	form->columns = 0;
	memset(form->mod, 0, sizeof form->mod);
	while (at < end) {
		at++; /* the dot */
		const char *stop = memchr(at, '.', (size_t)(end - at));
		if (!stop)
			stop = end;
		*progress = (size_t)(at - o->text);

		/* The suffix goes to the form as its type, its second type or a modifier. */
		size_t len = (size_t)(stop - at);
		enum ptx_type type = PTX_NO_TYPE;
		for (int t = PTX_NO_TYPE + 1; t < PTX_TYPES; t++) {
			if (is_word(ptx_type_name((enum ptx_type)t), at, len)) {
				type = (enum ptx_type)t;
				break;
			}
		}

		if (type && !form->type && row->types & 1u << type) {
			form->type = (uint8_t)type;
		} else if (type && form->type && !form->type2 && row->types2 & 1u << type) {
			form->type2 = (uint8_t)type;
		} else {
			uint64_t free_classes = row->mods;
			for (int class = 0; class < PTX_MOD_CLASSES; class ++)
				free_classes &= form->mod[class] && class != PTX_MOD_CACHE ? ~(1ull << class) : ~0ull;
			size_t n = len;
			const char *name = free_classes & 1ull << PTX_MOD_DEPTH ? skip_columns(form, at, &n) : at;

			enum ptx_mod mod = PTX_NO_MOD;
			for (int m = PTX_NO_MOD + 1; m < PTX_MODS; m++) {
				if (free_classes & 1ull << ptx_mod_class_of((enum ptx_mod)m) &&
					is_word(ptx_mod_name((enum ptx_mod)m), name, n)) {
					mod = (enum ptx_mod)m;
					break;
				}
			}

			if (mod) {
				form->mod[ptx_mod_class_of(mod)] = (uint8_t)mod;
			} else {
				form->why = arena_printf(o->arena, "%s does not take .%.*s here", row->spelling,
					(int)(len > 40 ? 40 : len), at);
				return false;
			}
		}

		at = stop;
	}
	*progress = o->len; /* every suffix fits */
	const char *lacks = ptx_form_lacks(form);
	if (lacks)
		form->why = arena_printf(o->arena, "%s: %s", row->spelling, lacks);
	return !lacks;
}

/* True when the row's spelling is the opcode's beginning, up to a dot or its end. */
static bool row_fits(const struct opcode *o, int op)
{
	size_t n = strlen(ptx_op_rows[op].spelling);
	return n <= o->len && !memcmp(ptx_op_rows[op].spelling, o->text, n) && (n == o->len || o->text[n] == '.');
}

/* Names that mean the same, as beginnings of opcodes: the table has the shorter ones. */
static const char *const aliases[][2] = {
	{"barrier.cta.", "barrier."},
	{"bar.cta.", "bar."},
	{"isspacep.shared::cta", "isspacep.shared"},
	{"isspacep.param::entry", "isspacep.param"},
	{"cp.async.ca.shared::cta.", "cp.async.ca.shared."},
	{"cp.async.cg.shared::cta.", "cp.async.cg.shared."},
};

/* A register of 128 bits is a vector of two words of 64: what loads, stores or copies it is the instruction on such a
 * vector. */
static struct opcode halve_widest(struct opcode o)
{
	static const char *const names[] = {"ld.", "ldu.", "st.", "atom.", "mov."};
	const char *end = o.text + o.len;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (strncmp(o.text, names[i], strlen(names[i])) != 0 || o.len < 5 || memcmp(end - 5, ".b128", 5) != 0)
			continue;
		o.text = arena_printf(o.arena, "%.*s.v2.b64", (int)(o.len - 5), o.text);
		o.len = strlen(o.text);
		break;
	}
	return o;
}

/* The opcode with its beginning as the table has it. */
static struct opcode canonical_opcode(struct arena *arena, const char *text, size_t len)
{
	for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
		size_t n = strlen(aliases[i][0]);
		if (len < n || memcmp(text, aliases[i][0], n) != 0)
			continue;
		text = arena_printf(arena, "%s%.*s", aliases[i][1], (int)(len - n), text + n);
		len = strlen(text);
		break;
	}
	return halve_widest((struct opcode){arena, text, len});
}

/* The row with the longest spelling that the opcode begins with and that takes its other suffixes; false, with `why`,
 * when there is none. `*explained`: they all belong to a row, and something else is wrong. */
static bool find_by_beginning(const struct opcode *opcode, struct ptx_form *form, bool *explained)
{
	uint16_t rows[PTX_OPS]; /* whose spelling it begins with */
	int n_rows = 0;
	size_t longest = opcode->len + 1, farthest = 0, progress = 0;
	const char *why = NULL;

	for (int op = 0; op < PTX_OPS; op++)
		if (ptx_op_rows[op].spelling[0] == opcode->text[0] && row_fits(opcode, op))
			rows[n_rows++] = (uint16_t)op;
	for (;;) {
		size_t best = 0;
		for (int i = 0; i < n_rows; i++) {
			size_t n = strlen(ptx_op_rows[rows[i]].spelling);
			if (n < longest && n > best)
				best = n;
		}
		if (!best)
			break;
		for (int i = 0; i < n_rows; i++) {
			if (strlen(ptx_op_rows[rows[i]].spelling) != best)
				continue;
			if (try_row(opcode, form, rows[i], &progress))
				return true;
			if (!why || progress > farthest) {
				why = form->why;
				farthest = progress;
			}
		}
		longest = best;
	}
	*explained = farthest == opcode->len;
	form->why = why;
	return false;
}

/* --- suffixes in another order ------------------------------------------------------------------------------------ */

#define WORDS_MAX 32

struct words {
	struct {
		const char *text;
		size_t len;
	} at[WORDS_MAX];
	int n;
};

/* Cuts at dots; false when there are too many. */
static bool split_words(const char *text, size_t len, struct words *out)
{
	const char *end = text + len;
	for (out->n = 0; out->n < WORDS_MAX; out->n++) {
		const char *dot = memchr(text, '.', (size_t)(end - text));
		out->at[out->n].text = text;
		out->at[out->n].len = (size_t)((dot ? dot : end) - text);
		if (!dot) {
			out->n++;
			return true;
		}
		text = dot + 1;
	}
	return false;
}

/* Most opcodes are a name and its suffixes; of some the first suffix belongs to the name, as that of mul.lo, and does
 * not move. */
static bool may_move(const char *word, size_t len)
{
	static const char *const words[] = {
		"sync", "aligned", "approx", "cc", "any", "all", "uni", "ballot", "tensormap"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (is_word(words[i], word, len))
			return true;
	}
	return false;
}

/* The opcode with the words of the row's spelling first, as ptxas takes most suffixes in any order: false when it does
 * not have them all. */
static bool try_reordered(const struct opcode *o, struct ptx_form *form, int op)
{
	struct words words;
	struct buf text = {0};
	size_t progress;

	if (!split_words(o->text, o->len, &words))
		return false;
	/* The words of the row's spelling are taken out of `words`; all have to be there. */
	struct words spelling;
	split_words(ptx_op_rows[op].spelling, strlen(ptx_op_rows[op].spelling), &spelling);
	for (int i = 0; i < spelling.n; i++) {
		int j = 0;
		while (j < words.n &&
			(words.at[j].len != spelling.at[i].len ||
				memcmp(words.at[j].text, spelling.at[i].text, spelling.at[i].len) != 0))
			j++;
		if (j == words.n || (i == 1 && j && !may_move(spelling.at[i].text, spelling.at[i].len)))
			return false;
		memmove(&words.at[j], &words.at[j + 1], (size_t)(--words.n - j) * sizeof *words.at);
	}

	buf_puts(&text, ptx_op_rows[op].spelling);
	for (int i = 0; i < words.n; i++)
		buf_printf(&text, ".%.*s", (int)words.at[i].len, words.at[i].text);
	const struct opcode reordered = {o->arena, text.data, text.len};
	bool fits = try_row(&reordered, form, op, &progress);
	buf_free(&text);
	return fits;
}

/* Whether both have the same first word. */
static bool same_name(const struct opcode *opcode, int op)
{
	size_t n = strcspn(ptx_op_rows[op].spelling, ".");
	return n <= opcode->len && !memcmp(ptx_op_rows[op].spelling, opcode->text, n) &&
		(n == opcode->len || opcode->text[n] == '.');
}

/* Of the rows whose spelling consists of suffixes that the opcode has somewhere, the one with the longest. */
static bool find_by_words(const struct opcode *opcode, struct ptx_form *form, bool explained)
{
	const char *why = form->why;
	for (size_t longest = opcode->len + 1, best = 1; best; longest = best) {
		best = 0;
		for (int op = 0; op < PTX_OPS; op++) {
			size_t n = strlen(ptx_op_rows[op].spelling);
			if (n < longest && n > best && same_name(opcode, op))
				best = n;
		}
		for (int op = 0; op < PTX_OPS; op++) {
			if (strlen(ptx_op_rows[op].spelling) != best || !same_name(opcode, op))
				continue;
			form->why = NULL;
			if (try_reordered(opcode, form, op))
				return true;
			if (form->why && !explained) {
				why = form->why;
				explained = true;
			}
		}
	}
	form->why = why;
	return false;
}

static const struct {
	const char *beginning, *why;
} absent[] = {
#define ABSENT(beginning, why) {beginning, why},
#include "machine/ptx/absent.def"
#undef ABSENT
};

bool ptx_is_of_128(const struct ptx_form *form)
{
	size_t len = strlen(form->spelling);
	return len > 5 && !strcmp(form->spelling + len - 5, ".b128");
}

const struct ptx_form *ptx_forms_find(struct ptx_forms *forms, const char *text, size_t len)
{
	struct hash_link *known = hash_find(&forms->by_spelling, text, len);
	if (known)
		return &hash_entry(known, struct ptx_form_entry, link)->form;
	struct ptx_form_entry *e = arena_array(forms->arena, struct ptx_form_entry, 1);
	e->form.spelling = arena_strndup(forms->arena, text, len);

	/* Why the machine does not have the opcode, where that is known. */
	const struct opcode opcode = canonical_opcode(forms->arena, text, len);
	size_t longest = 0;
	const char *why = NULL;
	for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
		size_t n = strlen(absent[i].beginning);
		bool begins = n <= opcode.len && !memcmp(absent[i].beginning, opcode.text, n) &&
			(n == opcode.len || opcode.text[n] == '.');
		if (!begins || n <= longest)
			continue;
		longest = n;
		why = absent[i].why;
	}

	bool explained = false;
	if (find_by_beginning(&opcode, &e->form, &explained) || find_by_words(&opcode, &e->form, explained)) {
		e->form.why = NULL;
	} else {
		e->form.op = PTX_OP_UNSUPPORTED;
		if (why)
			e->form.why = why;
	}
	hash_add(&forms->by_spelling, &e->link, e->form.spelling, len);
	return &e->form;
}
