/* course/lesson/reader.h: YAML inside a lesson file, read by tables of keys; every fault has its place in the file.
 *
 * Values are read as what the key wants: a scalar `8` is a number for one key and text for another. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <yaml.h>

#include "base/diag.h"

/* A piece of text and where it was written. text NULL: not given. */
struct lesson_scalar {
	const char *text;
	struct diag_pos pos;
};

struct lesson_scalar_list {
	struct lesson_scalar *items;
	int n;
	bool given;
};

struct reader {
	struct arena *arena;
	struct diag *diag;
	const struct source *source;
	int first_line; /* of the YAML, from 0 */
	yaml_document_t document;
	yaml_node_t *root; /* NULL: there is nothing but blanks and comments */
};

/* Parses the whole lines [first, last) of the source as one YAML document. `r` has its arena and diag already. False
 * with an error when it is not. Close it in either case. */
bool lesson_reader_open(struct reader *r, const struct source *source, int first, int last);
void lesson_reader_close(struct reader *r);

/* One key of a mapping. `read` gets the value and the `into` of lesson_reader_map; it reports its own faults. Where it
 * is NULL, `into` is a structure, and the value goes into its member at `offset`. */
enum reader_member {
	READER_MEMBER_NODE,   /* yaml_node_t *: the value, to be read later */
	READER_MEMBER_SCALAR, /* struct lesson_scalar: text of at most `max` bytes, called as the key */
	READER_MEMBER_TEXT    /* const char *: likewise, unchanged after a fault */
};
struct reader_key {
	const char *name;
	bool required;
	void (*read)(struct reader *r, yaml_node_t *value, void *into);
	enum reader_member member;
	size_t offset, max;
};

/* Rows: for a function, and for a member of the structure `type`. */
#define READER_CALL(name, required, read)                                                                              \
	{                                                                                                              \
		name, required, read, READER_MEMBER_NODE, 0, 0                                                         \
	}
#define READER_KEEP(name, required, type, member)                                                                      \
	{                                                                                                              \
		name, required, NULL, READER_MEMBER_NODE, offsetof(type, member), 0                                    \
	}
#define READER_SCALAR(name, required, type, member, max)                                                               \
	{                                                                                                              \
		name, required, NULL, READER_MEMBER_SCALAR, offsetof(type, member), max                                \
	}
#define READER_TEXT(name, required, type, member, max)                                                                 \
	{                                                                                                              \
		name, required, NULL, READER_MEMBER_TEXT, offsetof(type, member), max                                  \
	}

/* Reads a mapping (NULL: an empty one): unknown, repeated and missing keys are errors that call the mapping `what`
 * ("the front matter"). `keys` ends with name NULL. */
void lesson_reader_map(
	struct reader *r, yaml_node_t *node, const char *what, const struct reader_key *keys, void *into);

struct diag_pos lesson_reader_pos(const struct reader *r, const yaml_node_t *node);
void lesson_reader_error(struct reader *r, const yaml_node_t *node, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Text of 1 to `max` bytes with its blanks folded: no line ends, single spaces. False with an error that calls it
 * `what`. */
bool lesson_reader_text(struct reader *r, yaml_node_t *node, const char *what, size_t max, struct lesson_scalar *out);

/* The same without an error of its own for what is not a scalar: false then. For values that may be text or a
 * mapping. */
bool lesson_reader_is_scalar(const yaml_node_t *node);
bool lesson_reader_is_map(const yaml_node_t *node);

/* A whole number from `least` to `most`, called `what`. */
struct lesson_range {
	const char *what;
	int64_t least, most;
};
bool lesson_reader_int(struct reader *r, yaml_node_t *node, struct lesson_range range, int64_t *out);

/* A decimal number from 0 to 1, or a percentage as "5 %". */
bool lesson_reader_fraction(struct reader *r, yaml_node_t *node, const char *what, double *out);

/* Number of items of a list of at most `max`; -1 with an error when it is none. */
int lesson_reader_list(struct reader *r, yaml_node_t *node, const char *what, int max);
yaml_node_t *lesson_reader_item(struct reader *r, yaml_node_t *list, int index);

/* A list of texts. */
bool lesson_reader_texts(
	struct reader *r, yaml_node_t *node, const char *what, int max, struct lesson_scalar_list *out);

/* Its texts without their places. */
const char **lesson_scalar_texts(struct arena *arena, const struct lesson_scalar_list *list);

/* A list of whole numbers, ascending. NULL with an error; `*n` of them. */
int64_t *lesson_reader_numbers(struct reader *r, yaml_node_t *node, const char *what, int max, int *n);

/* [first, last] or [first, last, step], as all the numbers it means. */
int64_t *lesson_reader_range(struct reader *r, yaml_node_t *node, const char *what, int max, int *n);

/* Number of pairs of a mapping; -1 with an error when it is none. Keys are handed out as text. */
int lesson_reader_pairs(struct reader *r, yaml_node_t *node, const char *what);
bool lesson_reader_pair(struct reader *r, yaml_node_t *map, int index, struct lesson_scalar *key, yaml_node_t **value);
