#include "gpu/worker/share.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"

#define KNOWN_MAX ((size_t)1 << 30) /* bytes of the file */

/* A text of PTX, or a launch of one. */
struct entry {
	struct hash_link link;
	int number; /* of the PTX */
};

struct share_known {
	struct arena *arena;
	struct hash_table texts, launches;
	int n_texts;
};

/* The PTX by its number, and all that the protocol says of the launch. */
static void write_key(int text, const struct wire_job *job, struct buf *out)
{
	struct wire_message m = {.kind = WIRE_MEASURE, .id = 1};
	m.measure.job = (struct wire_job){"", 0, job->launch};
	buf_printf(out, "%d ", text);
	wire_write(&m, out);
}

static struct entry *add_known(struct share_known *k, struct hash_table *table, const char *key, size_t len, int number)
{
	struct entry *e = arena_alloc(k->arena, sizeof *e);
	*e = (struct entry){.number = number};
	hash_add(table, &e->link, arena_strndup(k->arena, key, len), len);
	return e;
}

bool share_known_has(const struct share_known *known, const struct wire_job *job)
{
	const struct hash_link *text = known ? hash_find(&known->texts, job->ptx, job->ptx_len) : NULL;
	if (!text || job->launch.n_memory)
		return false;
	struct buf key = {0};
	write_key(hash_entry(text, struct entry, link)->number, job, &key);
	bool has = hash_find(&known->launches, key.data, key.len) != NULL;
	buf_free(&key);
	return has;
}

static bool add_line(
	struct share_known *k, const char *path, int number, const char *line, size_t len, struct diag *diag)
{
	struct arena *arena = arena_new();
	struct diag why = {0};
	struct wire_message m;
	const struct diag_pos at = {.file = path, .line = number};
	bool ok = wire_read(arena, line, len, &m, &why);
	const struct wire_job *job = NULL;
	if (ok)
		job = m.kind == WIRE_MEASURE ? &m.measure.job : m.kind == WIRE_LINES ? &m.lines.job : NULL;
	if (job && !job->launch.n_memory) {
		struct buf key = {0};
		struct hash_link *link = hash_find(&k->texts, job->ptx, job->ptx_len);
		struct entry *text = link ? hash_entry(link, struct entry, link)
					  : add_known(k, &k->texts, job->ptx, job->ptx_len, k->n_texts++);
		write_key(text->number, job, &key);
		if (!hash_find(&k->launches, key.data, key.len))
			add_known(k, &k->launches, key.data, key.len, 0);
		buf_free(&key);
	} else {
		diag_error(diag, at, "%s", ok ? "this is no request to measure a launch" : why.entries[0].message);
	}
	diag_free(&why);
	arena_free(arena);
	return job != NULL;
}

struct share_known *share_known_load(const char *path, struct diag *diag)
{
	struct buf file = {0};
	if (!file_read_text(path, KNOWN_MAX, &file, diag))
		return NULL;
	struct arena *arena = arena_new();
	struct share_known *k = arena_alloc(arena, sizeof *k);
	*k = (struct share_known){.arena = arena};
	hash_init(&k->texts, arena);
	hash_init(&k->launches, arena);
	bool ok = true;
	const char *line = buf_str(&file), *end = line + file.len;
	for (int number = 1; ok && line < end; number++) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		stop = stop ? stop : end;
		ok = stop == line || add_line(k, path, number, line, (size_t)(stop - line), diag);
		line = stop + 1;
	}
	buf_free(&file);
	if (!ok) {
		share_known_free(k);
		return NULL;
	}
	return k;
}

void share_known_free(struct share_known *known)
{
	if (known)
		arena_free(known->arena);
}
