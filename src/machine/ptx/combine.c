/* Relocatable device code: the PTX of several source files becomes one text, as nvlink makes one cubin of theirs.
 *
 * Statements at the outermost level are distinguished by their first words; within one only names and numbers of files
 * change. A name that a file has for itself, and another file has, too, becomes name$FILE. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/demangle.h"
#include "base/hash.h"
#include "machine/ptx/lex.h"
#include "machine/ptx/ptx.h"

enum linkage { LINKAGE_LOCAL, LINKAGE_EXTERN, LINKAGE_VISIBLE, LINKAGE_WEAK };
enum piece_kind {
	PIECE_OTHER,
	PIECE_HEADER, /* .version, .target, .address_size: one of all files */
	PIECE_FILE,
	PIECE_STRINGS, /* names for .loc; other sections are left out */
	PIECE_VARIABLE,
	PIECE_FUNCTION, /* or an entry, with its body */
	PIECE_PROTOTYPE,
};

#define TURNS 4            /* in which statements are written */
#define FILES_OF_PART 4096 /* numbers of files in line tables */

struct ptx_piece {
	struct hash_link link; /* by its name, of what others see */
	int file;
	const char *text;
	size_t len;
	enum piece_kind kind;
	enum linkage linkage;
	const char *name; /* of variables and functions, with its length */
	size_t name_len;
	int line;
	size_t declared; /* bytes of a variable's statement before its value, when that names others; 0: it does not */
	bool dropped;
};

/* A name that a file has for itself. */
struct own_name {
	struct hash_link link;
	int file;
	bool shared; /* another file has the name, too */
};

struct combiner {
	struct arena *arena;
	const struct ptx_source *parts;
	int n, file_base; /* file_base: of the part that is written */
	struct diag *diag;
	struct ptx_piece *pieces;
	size_t n_pieces, cap;
	struct hash_table defined, own;
	double version;
	int target;
	const char *target_text;
	size_t target_len;
};

/* --- pieces ------------------------------------------------------------------------------------------------------- */

static bool is(const struct ptx_token *t, const char *word)
{
	return t->len == strlen(word) && memcmp(t->text, word, t->len) == 0;
}

static bool is_punct(const struct ptx_token *t, char c)
{
	return t->kind == PTX_TOK_PUNCT && t->punct == c;
}

static bool is_space(const struct ptx_token *t)
{
	static const char *const words[] = {"global", "const", "shared", "tex", "local"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (is(t, words[i]))
			return true;
	return false;
}

/* What a directive at the outermost level says of its statement. */
static void read_word(struct ptx_piece *p, const struct ptx_token *t)
{
	if (is(t, "extern"))
		p->linkage = LINKAGE_EXTERN;
	else if (is(t, "visible"))
		p->linkage = LINKAGE_VISIBLE;
	else if (is(t, "weak") || is(t, "common"))
		p->linkage = LINKAGE_WEAK;
	else if (p->kind != PIECE_OTHER)
		return;
	else if (is(t, "version") || is(t, "target") || is(t, "address_size"))
		p->kind = PIECE_HEADER;
	else if (is(t, "file"))
		p->kind = PIECE_FILE;
	else if (is(t, "section"))
		p->kind = PIECE_STRINGS;
	else if (is(t, "func") || is(t, "entry"))
		p->kind = PIECE_FUNCTION;
	else if (is_space(t))
		p->kind = PIECE_VARIABLE;
}

/* True: the statement ends before this token, by its line. */
static bool ends_before(const struct ptx_piece *p, const struct ptx_token *t)
{
	return (p->kind == PIECE_HEADER || p->kind == PIECE_FILE) && t->line != p->line;
}

/* The statement from `t` on; `t` becomes what follows. */
static void read_piece(struct combiner *c, struct ptx_lexer *lx, struct ptx_token *t, int file)
{
	struct ptx_piece p = {.file = file, .line = t->line, .text = t->text - (t->kind == PTX_TOK_DOT)};
	const char *end = p.text;
	size_t before_value = 0;
	int parens = 0, braces = 0;
	bool body = false, value = false, done = false, strings = false;
	while (t->kind != PTX_TOK_END && !done && !(end > p.text && !braces && ends_before(&p, t))) {
		bool outer = !parens && !braces;
		if (t->kind == PTX_TOK_DOT && outer)
			read_word(&p, t);
		strings = strings || (t->kind == PTX_TOK_DOT && is(t, "debug_str"));
		bool named = p.kind == PIECE_FUNCTION || p.kind == PIECE_VARIABLE;
		if (t->kind == PTX_TOK_NAME && outer && named && !p.name && !value) {
			p.name = t->text;
			p.name_len = t->len;
		} else if (t->kind == PTX_TOK_NAME && value && !is(t, "generic")) {
			p.declared = before_value;
		}
		if (is_punct(t, '=') && outer && !value)
			before_value = (size_t)(t->text - p.text);
		value = value || (is_punct(t, '=') && outer);
		parens += is_punct(t, '(') - is_punct(t, ')');
		braces += is_punct(t, '{') - is_punct(t, '}');
		body = body || (is_punct(t, '{') && (p.kind == PIECE_FUNCTION || p.kind == PIECE_STRINGS));
		done = (is_punct(t, ';') && !parens && !braces) || (is_punct(t, '}') && !braces && body);
		end = lx->at;
		ptx_lex(lx, t);
	}
	p.len = (size_t)(end - p.text);
	if (p.kind == PIECE_FUNCTION && !body)
		p.kind = PIECE_PROTOTYPE;
	if (p.kind == PIECE_HEADER) {
		if (strncmp(p.text, ".version", 8) == 0) {
			double version = strtod(p.text + 8, NULL);
			c->version = version > c->version ? version : c->version;
		}
		const char *number = strncmp(p.text, ".target", 7) == 0 ? strstr(p.text, "sm_") : NULL;
		int target = number && number < p.text + p.len ? (int)strtol(number + 3, NULL, 10) : 0;
		if (target > c->target) {
			c->target = target;
			c->target_text = p.text;
			c->target_len = p.len;
		}
	}
	p.dropped = p.kind == PIECE_STRINGS && !strings;
	if (p.len)
		*vec_push_in(c->arena, c->pieces, c->n_pieces, c->cap) = p;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static struct ptx_piece *definition_of(const struct combiner *c, const char *name, size_t len)
{
	struct hash_link *link = hash_find(&c->defined, name, len);
	return link ? hash_entry(link, struct ptx_piece, link) : NULL;
}

static bool is_definition(const struct ptx_piece *p)
{
	return (p->kind == PIECE_VARIABLE || p->kind == PIECE_FUNCTION) && p->linkage >= LINKAGE_VISIBLE;
}

static void add_own(struct combiner *c, const char *name, size_t len, int file)
{
	bool shared = definition_of(c, name, len) != NULL;
	for (struct hash_link *l = hash_find(&c->own, name, len); l; l = hash_next(l)) {
		struct own_name *other = hash_entry(l, struct own_name, link);
		if (other->file == file)
			return;
		other->shared = shared = true;
	}
	struct own_name *own = arena_alloc(c->arena, sizeof *own);
	own->file = file;
	own->shared = shared;
	hash_add(&c->own, &own->link, name, len);
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void put_piece(struct combiner *c, const struct ptx_piece *p, const char *text, size_t len, struct buf *out)
{
	struct ptx_lexer lx;
	struct ptx_token t;
	const char *at = text;
	bool file = false; /* the next number is that of a file */
	ptx_lexer_init(&lx, text, len);
	for (ptx_lex(&lx, &t); t.kind != PTX_TOK_END; ptx_lex(&lx, &t)) {
		bool renamed = false;
		if (t.kind == PTX_TOK_NAME) {
			for (struct hash_link *l = hash_find(&c->own, t.text, t.len); l; l = hash_next(l)) {
				const struct own_name *own = hash_entry(l, struct own_name, link);
				if (own->file == p->file) {
					renamed = own->shared;
					break;
				}
			}
		}
		if (renamed || (file && t.kind == PTX_TOK_INT)) {
			buf_append(out, at, (size_t)(t.text - at));
			if (renamed)
				buf_printf(out, "%.*s$%d", (int)t.len, t.text, p->file);
			else
				buf_printf(out, "%llu", (unsigned long long)t.value + (unsigned long long)c->file_base);
			at = lx.at;
		}
		file = (t.kind == PTX_TOK_DOT && (is(&t, "loc") || is(&t, "file"))) ||
			(t.kind == PTX_TOK_NAME && is(&t, "inlined_at"));
	}
	buf_append(out, at, (size_t)(text + len - at));
	buf_puts(out, "\n");
}

/* Before all code: what is defined somewhere is called as if it had been defined before. */
static void put_prototype(struct combiner *c, const struct ptx_piece *p, struct buf *out)
{
	static const char word[] = ".extern";
	const struct ptx_piece *is_there = p->linkage == LINKAGE_EXTERN ? definition_of(c, p->name, p->name_len) : NULL;
	size_t skip = is_there && strncmp(p->text, word, sizeof word - 1) == 0 ? sizeof word - 1 : 0;
	if (skip)
		buf_puts(out, is_there->linkage == LINKAGE_WEAK ? ".weak" : ".visible");
	put_piece(c, p, p->text + skip, p->len - skip, out);
}

/* Of prototypes and of memory that is declared alone, one of each name. */
static bool is_first(struct combiner *c, struct hash_table *seen, const struct ptx_piece *p)
{
	struct hash_link *link = arena_alloc(c->arena, sizeof *link);
	if (hash_find(seen, p->name, p->name_len))
		return false;
	hash_add(seen, link, p->name, p->name_len);
	return true;
}

bool ptx_combine(struct arena *arena, const struct ptx_source *parts, int n, struct buf *out, struct diag *diag)
{
	struct combiner c = {.arena = arena, .parts = parts, .n = n, .diag = diag};
	size_t before = diag->errors;
	hash_init(&c.defined, arena);
	hash_init(&c.own, arena);
	for (int i = 0; i < n; i++) {
		struct ptx_lexer lx;
		struct ptx_token t;
		ptx_lexer_init(&lx, c.parts[i].text, c.parts[i].len);
		ptx_lex(&lx, &t);
		while (t.kind != PTX_TOK_END)
			read_piece(&c, &lx, &t, i);
	}

	for (size_t i = 0; i < c.n_pieces; i++)
		if (c.pieces[i].name && is_definition(&c.pieces[i])) {
			/* One that is not weak is there once; of weak ones the first stays. */
			struct ptx_piece *p = &c.pieces[i];
			struct ptx_piece *other = definition_of(&c, p->name, p->name_len);
			if (other && other->linkage == LINKAGE_VISIBLE && p->linkage == LINKAGE_VISIBLE) {
				diag_error(c.diag, (struct diag_pos){0}, "%s is defined twice: in %s and in %s",
					demangle_signature(c.arena, arena_strndup(c.arena, p->name, p->name_len)),
					c.parts[other->file].name, c.parts[p->file].name);
				continue;
			}
			bool stays = !other || (other->linkage == LINKAGE_WEAK && p->linkage == LINKAGE_VISIBLE);
			p->dropped = !stays;
			if (other && stays) {
				other->dropped = true;
				hash_remove(&c.defined, &other->link);
			}
			if (stays)
				hash_add(&c.defined, &p->link, p->name, p->name_len);
		}
	for (size_t i = 0; i < c.n_pieces; i++) {
		struct ptx_piece *p = &c.pieces[i];
		if (p->kind == PIECE_STRINGS && !p->dropped) {
			/* Labels of a section: a name, then a colon. */
			struct ptx_lexer lx;
			struct ptx_token t, previous = {.kind = PTX_TOK_END};
			ptx_lexer_init(&lx, p->text, p->len);
			for (ptx_lex(&lx, &t); t.kind != PTX_TOK_END; ptx_lex(&lx, &t)) {
				if (is_punct(&t, ':') && previous.kind == PTX_TOK_NAME)
					add_own(&c, previous.text, previous.len, p->file);
				previous = t;
			}
		} else if (p->name && p->linkage == LINKAGE_LOCAL) {
			add_own(&c, p->name, p->name_len, p->file);
		}
	}

	if (!c.target_text)
		diag_error(
			diag, (struct diag_pos){.file = n ? parts[0].name : NULL}, "it is no PTX: it has no .target");
	if (diag->errors != before)
		return false;

	struct hash_table seen;
	hash_init(&seen, c.arena);
	buf_printf(out, ".version %.1f\n%.*s\n.address_size 64\n", c.version, (int)c.target_len, c.target_text);
	for (int turn = 0; turn < TURNS; turn++)
		for (size_t i = 0; i < c.n_pieces; i++)
			if (!c.pieces[i].dropped && c.pieces[i].kind != PIECE_HEADER) {
				const struct ptx_piece *p = &c.pieces[i];
				bool is_extern = p->linkage == LINKAGE_EXTERN;
				c.file_base = p->file * FILES_OF_PART;
				if (turn == 0 && p->kind == PIECE_VARIABLE) {
					if (p->declared) {
						/* A variable is declared before what it names is there. */
						size_t skip = p->linkage == LINKAGE_LOCAL
							? 0
							: 1 + strcspn(p->text + 1, ". \t\n");
						buf_puts(out, ".extern ");
						put_piece(&c, p, p->text + skip, p->declared - skip, out);
						buf_puts(out, ";\n");
					} else if (!is_extern ||
						(!definition_of(&c, p->name, p->name_len) && is_first(&c, &seen, p))) {
						put_piece(&c, p, p->text, p->len, out);
					}
				} else if (turn == 1 && p->kind == PIECE_PROTOTYPE) {
					if (p->linkage == LINKAGE_LOCAL || is_first(&c, &seen, p))
						put_prototype(&c, p, out);
				} else if (turn == 2 && p->kind != PIECE_VARIABLE && p->kind != PIECE_PROTOTYPE) {
					put_piece(&c, p, p->text, p->len, out);
				} else if (turn == 3 && p->kind == PIECE_VARIABLE && p->declared) {
					put_piece(&c, p, p->text, p->len, out);
				}
			}

	return true;
}
