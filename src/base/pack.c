#include "config.h"
#include "base/pack.h"

#include <string.h>

#ifndef HAVE_LIBARCHIVE

const char *pack_absence(void)
{
	return "this simttutor was built without libarchive";
}

static bool refuse_archive(const char *archive, struct diag *diag)
{
	diag_error(diag, (struct diag_pos){.file = archive}, "%s", pack_absence());
	return false;
}

bool pack_write(const char *archive, const char *folder, const struct pack_file *files, size_t n, struct diag *diag)
{
	(void)folder, (void)files, (void)n;
	return refuse_archive(archive, diag);
}

const char *pack_extract(struct arena *arena, const char *archive, const char *into, struct diag *diag)
{
	(void)arena, (void)into;
	refuse_archive(archive, diag);
	return NULL;
}

#else
#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/paths.h"

#define LIBRARY "libarchive.so.13"
#define WRITTEN_AT 315532800 /* the 1st of January 1980: older times make some programs warn */
#define BLOCK ((size_t)64 << 10)

/* --- libarchive --------------------------------------------------------------------------------------------------- */

#define ARCHIVE_FUNCTIONS(USE)                                                                                         \
	USE(archive_read_new)                                                                                          \
	USE(archive_read_support_filter_xz)                                                                            \
	USE(archive_read_support_filter_gzip)                                                                          \
	USE(archive_read_support_format_tar)                                                                           \
	USE(archive_read_open_fd)                                                                                      \
	USE(archive_read_next_header)                                                                                  \
	USE(archive_read_data)                                                                                         \
	USE(archive_read_free)                                                                                         \
	USE(archive_write_new)                                                                                         \
	USE(archive_write_add_filter_xz)                                                                               \
	USE(archive_write_set_filter_option)                                                                           \
	USE(archive_write_set_format_ustar)                                                                            \
	USE(archive_write_set_bytes_in_last_block)                                                                     \
	USE(archive_write_open)                                                                                        \
	USE(archive_write_header)                                                                                      \
	USE(archive_write_data)                                                                                        \
	USE(archive_write_close)                                                                                       \
	USE(archive_write_free)                                                                                        \
	USE(archive_error_string)                                                                                      \
	USE(archive_entry_new)                                                                                         \
	USE(archive_entry_free)                                                                                        \
	USE(archive_entry_filetype)                                                                                    \
	USE(archive_entry_hardlink)                                                                                    \
	USE(archive_entry_pathname)                                                                                    \
	USE(archive_entry_set_pathname)                                                                                \
	USE(archive_entry_set_size)                                                                                    \
	USE(archive_entry_set_filetype)                                                                                \
	USE(archive_entry_set_perm)                                                                                    \
	USE(archive_entry_set_mtime)

#define MEMBER(name) __typeof__(name) *name;
static struct {
	ARCHIVE_FUNCTIONS(MEMBER)
	bool tried, found;
} lib;

const char *pack_absence(void)
{
	if (!lib.tried) {
		lib.tried = true;
		void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
		lib.found = library != NULL;
#define FIND(name)                                                                                                     \
	if (lib.found) {                                                                                               \
		void *symbol = dlsym(library, #name);                                                                  \
		memcpy(&lib.name, &symbol, sizeof symbol);                                                             \
		lib.found = symbol != NULL;                                                                            \
	}
		ARCHIVE_FUNCTIONS(FIND)
	}
	return lib.found ? NULL : "needs libarchive (" LIBRARY "); on Debian and Ubuntu: apt install libarchive13";
}

static struct diag_pos in_archive(const char *path)
{
	return (struct diag_pos){.file = path};
}

static bool is_here(const char *archive, struct diag *diag)
{
	const char *absence = pack_absence();
	if (absence)
		diag_error(diag, in_archive(archive), "%s", absence);
	return !absence;
}

static const char *library_error(struct archive *a)
{
	const char *text = lib.archive_error_string(a);
	return text ? text : "unknown error";
}

/* --- written ------------------------------------------------------------------------------------------------------ */

static la_ssize_t keep_bytes(struct archive *a, void *out, const void *bytes, size_t len)
{
	(void)a;
	buf_append(out, bytes, len);
	return (la_ssize_t)len;
}

static bool write_entry(struct archive *a, const char *name, const struct buf *bytes)
{
	struct archive_entry *entry = lib.archive_entry_new();
	bool folder = bytes == NULL;
	if (!entry)
		base_out_of_memory();
	lib.archive_entry_set_pathname(entry, name);
	lib.archive_entry_set_filetype(entry, folder ? AE_IFDIR : AE_IFREG);
	lib.archive_entry_set_perm(entry, folder ? 0755 : 0644);
	lib.archive_entry_set_mtime(entry, WRITTEN_AT, 0);
	lib.archive_entry_set_size(entry, folder ? 0 : (la_int64_t)bytes->len);
	bool ok = lib.archive_write_header(a, entry) == ARCHIVE_OK &&
		(folder || lib.archive_write_data(a, buf_str(bytes), bytes->len) == (la_ssize_t)bytes->len);
	lib.archive_entry_free(entry);
	return ok;
}

bool pack_write(const char *archive, const char *folder, const struct pack_file *files, size_t n, struct diag *diag)
{
	size_t errors = diag->errors;
	struct buf out = {0}, name = {0};
	if (!is_here(archive, diag))
		return false;
	struct archive *a = lib.archive_write_new();
	if (!a)
		base_out_of_memory();
	buf_printf(&name, "%s/", folder);
	bool ok = lib.archive_write_add_filter_xz(a) == ARCHIVE_OK &&
		lib.archive_write_set_filter_option(a, "xz", "threads", "1") == ARCHIVE_OK &&
		lib.archive_write_set_format_ustar(a) == ARCHIVE_OK &&
		lib.archive_write_set_bytes_in_last_block(a, 1) == ARCHIVE_OK &&
		lib.archive_write_open(a, &out, NULL, keep_bytes, NULL) == ARCHIVE_OK &&
		write_entry(a, buf_str(&name), NULL);
	for (size_t i = 0; i < n && ok; i++) {
		const struct pack_file *file = &files[i];
		struct buf bytes = {0}, file_name = {0};
		const char *fault = pack_name_fault(file->name);
		if (fault)
			diag_error(diag, in_archive(file->path), "%s", fault);
		buf_printf(&file_name, "%s/%s", folder, file->name);
		ok = !fault && file_read(file->path, PACK_FILE_MAX, &bytes, diag) &&
			write_entry(a, buf_str(&file_name), &bytes);
		buf_free(&bytes);
		buf_free(&file_name);
	}
	ok = ok && lib.archive_write_close(a) == ARCHIVE_OK;
	if (!ok && diag->errors == errors)
		diag_error(diag, in_archive(archive), "cannot be made: %s", library_error(a));
	lib.archive_write_free(a);
	ok = ok && file_write(archive, buf_str(&out), out.len, diag);
	buf_free(&out);
	buf_free(&name);
	return ok;
}

/* --- read --------------------------------------------------------------------------------------------------------- */

struct unpacking {
	struct arena *arena;
	struct archive *a;
	const char *path, *into;
	const char *top;    /* the archive's one folder; NULL: no entry yet */
	int entries, files; /* all, and those that were made */
	uint64_t total;
	struct diag *diag;
};

static bool refuse_entry(const struct unpacking *u, const char *name, const char *why)
{
	diag_error(u->diag, in_archive(u->path), "'%s': %s", name ? name : "", why);
	return false;
}

/* The bytes of the entry to `out`; NULL: to nowhere, but they count. */
static bool read_bytes(struct unpacking *u, const char *name, struct buf *out)
{
	char block[BLOCK];
	size_t len = 0;
	la_ssize_t got;
	while ((got = lib.archive_read_data(u->a, block, sizeof block)) > 0) {
		u->total += (uint64_t)got;
		len += (size_t)got;
		if (len > PACK_FILE_MAX || u->total > PACK_TOTAL_MAX)
			return refuse_entry(u, name, "the archive holds more bytes than a course may");
		if (out)
			buf_append(out, block, (size_t)got);
	}
	return got == 0 || refuse_entry(u, name, library_error(u->a));
}

static bool unpack_entry(struct unpacking *u, struct archive_entry *entry)
{
	const char *given = lib.archive_entry_pathname(entry);
	if (!given)
		return refuse_entry(u, NULL, "a name has letters, digits and ._+- alone");
	if (++u->entries > PACK_FILES_MAX)
		return refuse_entry(u, given, "the archive has too many files");
	if (strcmp(given, ".") == 0 || strcmp(given, "./") == 0)
		return read_bytes(u, given, NULL);

	/* Whether a part of the name begins with a dot, and is neither "." nor "..". */
	bool hidden = false;
	for (const char *part = given; part && !hidden; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL) {
		size_t len = strcspn(part, "/");
		bool up = len == 2 && part[1] == '.';
		hidden = part[0] == '.' && len > 1 && !up;
	}
	if (hidden)
		return read_bytes(u, given, NULL);
	const unsigned type = lib.archive_entry_filetype(entry);
	if (lib.archive_entry_hardlink(entry) || (type != AE_IFREG && type != AE_IFDIR))
		return refuse_entry(u, given, "is neither a folder nor a plain file");

	/* The name below the archive's one folder. "" is that folder itself. */
	char *whole = arena_strdup(u->arena, given);
	while (strncmp(whole, "./", 2) == 0)
		whole += 2;
	size_t len = strlen(whole);
	while (len && whole[len - 1] == '/')
		whole[--len] = '\0';
	const char *fault = pack_name_fault(whole);
	if (fault)
		return refuse_entry(u, given, fault);
	size_t first = strcspn(whole, "/");
	if (!u->top)
		u->top = arena_strndup(u->arena, whole, first);
	if (strlen(u->top) != first || memcmp(u->top, whole, first) != 0)
		return refuse_entry(u, given, "an archive has one folder, with the course in it");
	const char *name = whole + first + (whole[first] == '/');
	if (type == AE_IFDIR)
		return read_bytes(u, given, NULL); /* made with the first file in it */
	if (*name) {
		struct buf bytes = {0};
		u->files++;
		bool ok = read_bytes(u, name, &bytes) &&
			file_create(path_join(u->arena, u->into, name), buf_str(&bytes), bytes.len, u->diag);
		buf_free(&bytes);
		return ok;
	}
	return refuse_entry(u, given, "an archive has one folder, with the course in it");
}

const char *pack_extract(struct arena *arena, const char *archive, const char *into, struct diag *diag)
{
	struct unpacking u = {.arena = arena, .path = archive, .into = into, .diag = diag};
	struct archive_entry *entry;
	int status = ARCHIVE_EOF;
	if (!is_here(archive, diag))
		return NULL;
	int fd = file_open(archive, diag);
	if (fd < 0)
		return NULL;
	u.a = lib.archive_read_new();
	if (!u.a)
		base_out_of_memory();
	lib.archive_read_support_filter_xz(u.a);
	lib.archive_read_support_filter_gzip(u.a);
	lib.archive_read_support_format_tar(u.a);
	bool ok = lib.archive_read_open_fd(u.a, fd, BLOCK) == ARCHIVE_OK;
	if (!ok)
		diag_error(diag, in_archive(archive), "is no archive: %s", library_error(u.a));
	while (ok && (status = lib.archive_read_next_header(u.a, &entry)) == ARCHIVE_OK)
		ok = unpack_entry(&u, entry);
	if (ok && status != ARCHIVE_EOF) {
		diag_error(diag, in_archive(archive), "cannot be read: %s", library_error(u.a));
		ok = false;
	} else if (ok && !u.files) {
		diag_error(diag, in_archive(archive), "holds no file");
		ok = false;
	}
	lib.archive_read_free(u.a);
	close(fd);
	return ok ? u.top : NULL;
}
#endif

const char *pack_name_fault(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	int depth = 0;
	if (strlen(name) > PACK_NAME_MAX)
		return "a name of a file of a course is too long";
	for (const char *part = name;; part += strcspn(part, "/") + 1) {
		size_t len = strcspn(part, "/");
		if (len == 2 && memcmp(part, "..", 2) == 0)
			return "a name must not lead out of the course's folder";
		if (len == 0)
			return *name == '/' ? "a name must not lead out of the course's folder"
					    : "a part of the name is empty";
		if (!strchr(letters, part[0]) ||
			strspn(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_._+-") < len)
			return "a name of a file of a course has letters, digits and ._+- alone, and begins with a letter, a digit or _";
		if (++depth > PACK_DEPTH_MAX)
			return "the folders of a course lie too deep in each other";
		if (!part[len])
			return NULL;
	}
}
