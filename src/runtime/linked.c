/* libsimttutor-audit.so: has a process that `simttutor run` starts use simttutor's CUDA libraries where it would use
 * NVIDIA's. It is an auditor of the dynamic linker (rtld-audit(7), LD_AUDIT), in a namespace of its own, and does two
 * things:
 *
 * - A request for libcudart.so.N, libcuda.so.1 or libnvrtc.so.N finds the one beside this library, by whatever path it
 *   is asked for (a RUNPATH, a Python wheel), but for requests of simttutor's own libraries: libnvrtc passes calls on
 *   to NVIDIA's.
 * - An object that has NVIDIA's runtime linked into it, as nvcc does unless -cudart shared is given, has each function
 *   of the runtime's API replaced at its first instruction by a jump to the function of that name in simttutor's
 *   libcudart, before its constructors run. The functions are found by the symbol table of its file: one that was
 *   stripped of it stays as it is, and `run` has refused it before. libcudart.so.12 and .13 of simttutor must have been
 *   preloaded for that. */
#define _GNU_SOURCE
#include "config.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/elf.h"
#include "base/hash.h"
#include "runtime/linked.h"

#define OBJECTS_MAX 4096
#define AUDIT __attribute__((visibility("default")))

struct object {
	struct link_map *map;
	bool seen; /* has been looked through */
};

static struct object objects[OBJECTS_MAX];
static int n_objects;
static char folder[PATH_MAX]; /* where this library lies, with its last slash; "": unknown */

static void complain(const char *object, const char *what)
{
	char text[PATH_MAX + 200];
	int n = snprintf(text, sizeof text, "simttutor: %s: %s\n", object, what);
	ssize_t written = write(STDERR_FILENO, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
	(void)written;
}

static bool is_ours(const char *path)
{
	size_t n = strlen(folder);
	return n && strncmp(path, folder, n) == 0 && !strchr(path + n, '/');
}

/* --- requests ----------------------------------------------------------------------------------------------------- */

AUDIT unsigned int la_version(unsigned int version)
{
	Dl_info info;
	const char *slash = dladdr(folder, &info) && info.dli_fname ? strrchr(info.dli_fname, '/') : NULL;
	if (slash && (size_t)(slash - info.dli_fname) + 2 <= sizeof folder)
		memcpy(folder, info.dli_fname, (size_t)(slash - info.dli_fname) + 1);
	return version < LAV_CURRENT ? version : LAV_CURRENT;
}

AUDIT char *la_objsearch(const char *name, uintptr_t *cookie, unsigned int flag)
{
	static const struct {
		const char *asked, *ours;
	} replaced[] = {
		{"libcudart.so.12", "libcudart.so.12"},
		{"libcudart.so.13", "libcudart.so.13"},
		{"libcuda.so.1", "libcuda.so.1"},
		{"libcuda.so", "libcuda.so.1"},
		{"libnvrtc.so.12", "libnvrtc.so.12"},
		{"libnvrtc.so.13", "libnvrtc.so.13"},
	};
	static char path[PATH_MAX];
	const struct link_map *asking = (const struct link_map *)*cookie;
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	if (flag != LA_SER_ORIG || !*folder || is_ours(name) || (asking && asking->l_name && is_ours(asking->l_name)))
		return (char *)name;
	for (size_t i = 0; i < sizeof replaced / sizeof replaced[0]; i++)
		if (strcmp(base, replaced[i].asked) == 0 &&
			snprintf(path, sizeof path, "%s%s", folder, replaced[i].ours) < (int)sizeof path)
			return path;
	return (char *)name;
}

/* --- objects with a runtime in them ------------------------------------------------------------------------------- */

static bool map_file(const char *path, const void **bytes, size_t *len)
{
	struct stat about;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	void *mapped = fstat(fd, &about) == 0 && about.st_size > 0
		? mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
		: MAP_FAILED;
	close(fd);
	*bytes = mapped;
	*len = mapped == MAP_FAILED ? 0 : (size_t)about.st_size;
	return mapped != MAP_FAILED;
}

/* Writes instructions at `at` that go on at `to`. Only registers that pass no argument are changed. */
#if defined __x86_64__
enum { JUMP_SIZE = 12 };
static void write_jump(unsigned char *at, uintptr_t to)
{
	static const unsigned char move[] = {0x48, 0xb8} /* mov rax, to */, jump[] = {0xff, 0xe0} /* jmp rax */;
	memcpy(at, move, sizeof move);
	memcpy(at + sizeof move, &to, sizeof to);
	memcpy(at + sizeof move + sizeof to, jump, sizeof jump);
}
#elif defined __aarch64__
enum { JUMP_SIZE = 16 };
static void write_jump(unsigned char *at, uintptr_t to)
{
	static const uint32_t code[] = {0x58000050, 0xd61f0200}; /* ldr x16, 8 bytes on; br x16 */
	memcpy(at, code, 8);
	memcpy(at + 8, &to, 8);
	__builtin___clear_cache((char *)at, (char *)at + JUMP_SIZE);
}
#else
enum { JUMP_SIZE = 0 };
static void write_jump(unsigned char *at, uintptr_t to)
{
	(void)at, (void)to;
}
#endif

/* What is executable of an object, made writable or as it was. */
static bool protect(const struct link_map *map, const struct elf *elf, bool writable)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	Elf64_Ehdr head;
	memcpy(&head, elf->bytes, sizeof head);
	if (head.e_phentsize != sizeof(Elf64_Phdr) || head.e_phoff > elf->len ||
		head.e_phnum > (elf->len - head.e_phoff) / sizeof(Elf64_Phdr))
		return false;
	for (unsigned i = 0; i < head.e_phnum; i++) {
		Elf64_Phdr part;
		memcpy(&part, elf->bytes + head.e_phoff + i * sizeof part, sizeof part);
		if (part.p_type != PT_LOAD || !(part.p_flags & PF_X))
			continue;
		uintptr_t begin = (map->l_addr + part.p_vaddr) & ~(page - 1);
		int flags = PROT_EXEC | (part.p_flags & PF_R || writable ? PROT_READ : 0) |
			(part.p_flags & PF_W || writable ? PROT_WRITE : 0);
		if (mprotect((void *)begin, map->l_addr + part.p_vaddr + part.p_memsz - begin, flags) != 0)
			return false;
	}
	return true;
}

/* Whether a function has room for a jump: the next one begins far enough behind it. Some are of an instruction or two,
 * filled up to 16 bytes. */
static bool has_room(const struct elf_symbols *functions, const Elf64_Sym *function)
{
	for (size_t i = 0; function->st_size < JUMP_SIZE && i < functions->n; i++)
		if (elf_function_name(functions, i) && functions->at[i].st_value > function->st_value &&
			functions->at[i].st_value < function->st_value + JUMP_SIZE)
			return false;
	return JUMP_SIZE > 0;
}

struct function {
	struct hash_link link;
	const Elf64_Sym *symbol;
};

/* Has every function of the runtime that an object has in it go on in the library. */
static void replace_functions(struct arena *arena, const struct link_map *map, const struct elf *elf,
	const struct elf_symbols *theirs, int version)
{
	const char *name = *map->l_name ? map->l_name : "the program", *path;
	const struct link_map *library = NULL;
	const void *bytes;
	size_t len;
	struct elf file;

	path = arena_printf(arena, "%slibcudart.so.%d", folder, version);
	for (int i = 0; i < n_objects && !library; i++)
		if (strcmp(objects[i].map->l_name, path) == 0)
			library = objects[i].map;
	if (!library || !map_file(path, &bytes, &len)) {
		complain(name,
			"has a CUDA runtime linked into it, and simttutor's, which should take its place, is not loaded");
		return;
	}
	if (elf_read(arena, bytes, len, &file) && protect(map, elf, true)) {
		const struct elf_symbols ours = elf_read_symbols(arena, &file, SHT_DYNSYM);
		struct hash_table by_name;
		hash_init(&by_name, arena);
		for (size_t i = 0; i < ours.n; i++) {
			const char *function = elf_function_name(&ours, i);
			if (!function || hash_find(&by_name, function, strlen(function)))
				continue;
			struct function *added = arena_alloc(arena, sizeof *added);
			added->symbol = &ours.at[i];
			hash_add(&by_name, &added->link, function, strlen(function));
		}
		for (size_t i = 0; i < theirs->n; i++) {
			const char *function = elf_function_name(theirs, i);
			if (!function || (strncmp(function, "cuda", 4) != 0 && strncmp(function, "__cuda", 6) != 0))
				continue;
			struct hash_link *to = hash_find(&by_name, function, strlen(function));
			if (to && has_room(theirs, &theirs->at[i]))
				write_jump((unsigned char *)map->l_addr + theirs->at[i].st_value,
					library->l_addr + hash_entry(to, struct function, link)->symbol->st_value);
		}
		if (!protect(map, elf, false))
			complain(name, "its code stays writable");
	} else
		complain(name, "has a CUDA runtime linked into it, and the system does not let it be replaced");
	munmap((void *)bytes, len);
}

/* --- what the linker tells ---------------------------------------------------------------------------------------- */

AUDIT unsigned int la_objopen(struct link_map *map, Lmid_t lmid, uintptr_t *cookie)
{
	*cookie = (uintptr_t)map;
	if (lmid == LM_ID_BASE && n_objects < OBJECTS_MAX)
		objects[n_objects++] = (struct object){map, false};
	return 0;
}

AUDIT unsigned int la_objclose(uintptr_t *cookie)
{
	for (int i = 0; i < n_objects; i++)
		if ((uintptr_t)objects[i].map == *cookie) {
			objects[i] = objects[--n_objects];
			break;
		}
	return 0;
}

AUDIT void la_activity(uintptr_t *cookie, unsigned int flag)
{
	(void)cookie;
	for (int i = 0; flag == LA_ACT_CONSISTENT && i < n_objects; i++)
		if (!objects[i].seen) {
			objects[i].seen = true;
			const struct link_map *map = objects[i].map;
			const char *path = *map->l_name ? map->l_name : "/proc/self/exe";
			const void *bytes;
			size_t len;
			if (is_ours(path) || !map_file(path, &bytes, &len))
				continue;
			struct arena *arena = arena_new();
			struct elf elf;
			if (elf_read(arena, bytes, len, &elf)) {
				const struct elf_symbols functions = elf_read_symbols(arena, &elf, SHT_SYMTAB);
				const int version = linked_version(&functions);
				if (version)
					replace_functions(arena, map, &elf, &functions, version);
			}
			munmap((void *)bytes, len);
			arena_free(arena);
		}
}
