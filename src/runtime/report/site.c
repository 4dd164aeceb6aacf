/* Places in the program, from addresses: libdw reads its debug information, where it was there when we were built and
 * is there now. */
#define _GNU_SOURCE
#include "runtime/report/report.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>
#include <unwind.h>

#include "runtime/report/report_parts.h"

#ifdef HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#endif

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

#define DEPTH 32 /* of frames of ours and of others, before the program's */

static uintptr_t skip_begin, skip_end;

void report_site_skip(const void *begin, const void *end)
{
	skip_begin = (uintptr_t)begin;
	skip_end = (uintptr_t)end;
}

static bool is_ours(const void *address)
{
	uintptr_t at = (uintptr_t)address;
	if (at >= skip_begin && at < skip_end)
		return true;
	return at >= (uintptr_t)__ehdr_start && at < (uintptr_t)_end;
}

struct report_site report_site_of(void *const *frames, int n)
{
	struct report_site site = {.n = n < SITE_FRAMES ? n : SITE_FRAMES};
	memcpy(site.frames, frames, (size_t)site.n * sizeof *frames);
	return site;
}

struct report_site report_site_here(void)
{
	void *frames[DEPTH];
	Dl_info info;
	int n = backtrace(frames, DEPTH), first = 0;
	while (first < n && is_ours(frames[first]))
		first++;
	struct report_site site = report_site_of(frames + first, n - first);
	if (first && dladdr(frames[first - 1], &info))
		site.call = info.dli_sname;
	return site;
}

bool report_site_is(const struct report_site *a, const struct report_site *b)
{
	return a == b ||
		(a && b && a->n == b->n && a->script.line == b->script.line &&
			strcmp(a->script.file, b->script.file) == 0 &&
			memcmp(a->frames, b->frames, (size_t)a->n * sizeof *a->frames) == 0);
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

struct line {
	const char *file;
	int number;
};

/* Whether a program's author wrote it: not what is installed, and not what a compiler made. */
static bool is_written(const char *file)
{
	static const char *const others[] = {"/usr/", "/opt/", "/include/c++/", "/include/crt/", "/include/cuda",
		"simttutor-include/", "/cuda_runtime.h", "/cuda_runtime_api.h"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strncmp(file, others[i], strlen(others[i])) == 0 || (i > 1 && strstr(file, others[i])))
			return false;
	const char *dot = strrchr(file, '.');
	return !strstr(file, ".stub.c") && !strstr(file, ".cudafe") && !(dot && strcmp(dot, ".gpu") == 0);
}

#ifdef HAVE_LIBDW
#define DWFL_FUNCTIONS(USE)                                                                                            \
	USE(dwfl_begin)                                                                                                \
	USE(dwfl_linux_proc_report)                                                                                    \
	USE(dwfl_report_begin)                                                                                         \
	USE(dwfl_report_elf)                                                                                           \
	USE(dwfl_report_end)                                                                                           \
	USE(dwfl_linux_proc_find_elf)                                                                                  \
	USE(dwfl_addrmodule)                                                                                           \
	USE(dwfl_module_nextcu)                                                                                        \
	USE(dwarf_haspc)                                                                                               \
	USE(dwarf_getsrc_die)                                                                                          \
	USE(dwarf_linesrc)                                                                                             \
	USE(dwarf_lineno)                                                                                              \
	USE(dwarf_getscopes)                                                                                           \
	USE(dwarf_tag)                                                                                                 \
	USE(dwarf_attr)                                                                                                \
	USE(dwarf_formudata)                                                                                           \
	USE(dwarf_getsrcfiles)                                                                                         \
	USE(dwarf_filesrc)

#define MEMBER(name) __typeof__(name) *name;
static struct {
	DWFL_FUNCTIONS(MEMBER)
	Dwfl *session;
	bool tried;
} dw;

/* What is in the program itself has to do: nothing is looked for elsewhere. */
static int find_nothing(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, const char *file,
	const char *link, GElf_Word crc, char **found)
{
	(void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)found;
	return -1;
}

static int report_loaded(struct dl_phdr_info *info, size_t bytes, void *ctx)
{
	static char program[PATH_MAX]; /* as the kernel started it */
	const char *path = info->dlpi_name;
	(void)bytes, (void)ctx;
	if (!path || !*path)
		path = readlink("/proc/self/exe", program, sizeof program - 1) > 0 ? program
										   : (const char *)getauxval(AT_EXECFN);
	if (path && *path == '/')
		dw.dwfl_report_elf(dw.session, path, path, -1, info->dlpi_addr, false);
	return 0;
}

static Dwfl *session(void)
{
	static Dwfl_Callbacks callbacks;
	if (dw.tried)
		return dw.session;
	dw.tried = true;
	void *library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
	bool found = library != NULL;
#define FIND(name)                                                                                                     \
	if (found) {                                                                                                   \
		void *symbol = dlsym(library, #name);                                                                  \
		memcpy(&dw.name, &symbol, sizeof symbol);                                                              \
		found = symbol != NULL;                                                                                \
	}
	DWFL_FUNCTIONS(FIND)
	if (!found)
		return NULL;
	callbacks.find_elf = dw.dwfl_linux_proc_find_elf;
	callbacks.find_debuginfo = find_nothing;
	dw.session = dw.dwfl_begin(&callbacks);
	if (!dw.session)
		return NULL;

	/* What the process has loaded: as the kernel lists it, or, where /proc cannot be read, as the loader does. */
	if (dw.dwfl_linux_proc_report(dw.session, getpid()) != 0) {
		dw.dwfl_report_begin(dw.session);
		dl_iterate_phdr(report_loaded, NULL);
	}
	if (dw.dwfl_report_end(dw.session, NULL, NULL) != 0)
		dw.session = NULL;
	return dw.session;
}

static bool find_number(Dwarf_Die *die, unsigned attribute, Dwarf_Word *number)
{
	Dwarf_Attribute value;
	return dw.dwarf_attr(die, attribute, &value) && dw.dwarf_formudata(&value, number) == 0;
}

/* Where code of a header that a compiler put in place of a call, as of CUDA's functions by type, was called by what the
 * author wrote. */
static bool find_inlined_call(Dwarf_Die *unit, Dwarf_Addr at, struct line *out)
{
	Dwarf_Die *scopes = NULL;
	Dwarf_Files *files;
	Dwarf_Word file, number;
	bool found = false;
	int n = dw.dwarf_getscopes(unit, at, &scopes); /* inner ones first */
	for (int i = 0; i < n && !found; i++) {
		if (dw.dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine ||
			!find_number(&scopes[i], DW_AT_call_file, &file) ||
			!find_number(&scopes[i], DW_AT_call_line, &number) ||
			dw.dwarf_getsrcfiles(unit, &files, NULL) != 0)
			continue;
		out->file = dw.dwarf_filesrc(files, file, NULL, NULL);
		out->number = (int)number;
		found = out->file && out->number > 0 && is_written(out->file);
	}
	free(scopes);
	return found;
}

/* By each source file in turn: not all compilers say which has an address. */
static bool find_line(const void *address, struct line *out)
{
	Dwfl *s = session();
	Dwfl_Module *module = s ? dw.dwfl_addrmodule(s, (uintptr_t)address) : NULL;
	Dwarf_Addr bias = 0;
	for (Dwarf_Die *unit = NULL; module && (unit = dw.dwfl_module_nextcu(module, unit, &bias));) {
		Dwarf_Addr at = (uintptr_t)address - bias;
		Dwarf_Line *line = dw.dwarf_haspc(unit, at) > 0 ? dw.dwarf_getsrc_die(unit, at) : NULL;
		out->file = line ? dw.dwarf_linesrc(line, NULL, NULL) : NULL;
		if (!out->file || dw.dwarf_lineno(line, &out->number) != 0 || out->number <= 0)
			continue;
		struct line call;
		if (!is_written(out->file) && find_inlined_call(unit, at, &call))
			*out = call;
		return true;
	}
	return false;
}
#else
static bool find_line(const void *address, struct line *out)
{
	(void)address, (void)out;
	return false;
}
#endif

bool report_site_line(const struct report_site *site, char *file, size_t bytes, int *line)
{
	if (site->script.line) {
		size_t len = strlen(site->script.file) < bytes - 1 ? strlen(site->script.file) : bytes - 1;
		memcpy(file, site->script.file, len);
		file[len] = '\0';
		*line = site->script.line;
		return true;
	}
	for (int i = 0; i < site->n; i++) {
		struct line at;
		char *call = (char *)site->frames[i] - 1;
		if (report_is_stub(_Unwind_FindEnclosingFunction(call)))
			continue;
		if (!find_line(call, &at) || !is_written(at.file))
			continue;
		const char *slash = strrchr(at.file, '/');
		const char *name = slash ? slash + 1 : at.file;
		size_t len = strlen(name) < bytes - 1 ? strlen(name) : bytes - 1;
		memcpy(file, name, len);
		file[len] = '\0';
		*line = at.number;
		return true;
	}
	return false;
}

bool report_site_text(const struct report_site *site, struct buf *out)
{
	char file[256];
	int line;
	if (!report_site_line(site, file, sizeof file, &line))
		return false;
	buf_printf(out, "%s:%d", file, line);
	return true;
}
