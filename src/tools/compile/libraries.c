#include "config.h"
#include "tools/compile/libraries.h"

#include <string.h>

#include "base/buf.h"

static const struct library {
	const char *name, *header, *symbol, *linked;
} libraries[] = {
#define LIBRARY(name, header, symbol, linked) {name, header, symbol, linked},
#include "tools/compile/libraries.def"
#undef LIBRARY
};
#define N_LIBRARIES (sizeof libraries / sizeof *libraries)

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

bool compile_is_library(const char *name)
{
	for (size_t i = 0; i < N_LIBRARIES; i++)
		if (begins(name, libraries[i].linked))
			return true;
	return false;
}

/* What compilers and linkers print before what they miss. */
enum missed { HEADER, SYMBOL, LINKED };
static const struct {
	const char *text;
	enum missed what;
} before[] = {
	{"fatal error: '", HEADER},
	{"fatal error: ", HEADER},
	{"could not open source file \"", HEADER},
	{"undefined reference to `", SYMBOL},
	{"undefined symbol: ", SYMBOL},
	{"cannot find -l", LINKED},
	{"unable to find library -l", LINKED},
};
#define N_BEFORE (sizeof before / sizeof *before)

/* The first name in the log that is missed and of this library, NULL without. */
static const char *find_missed(const struct library *library, const char *log)
{
	for (size_t i = 0; i < N_BEFORE; i++)
		for (const char *at = log; (at = strstr(at, before[i].text)) != NULL;) {
			at += strlen(before[i].text);
			if (begins(at,
				    before[i].what == HEADER           ? library->header
					    : before[i].what == SYMBOL ? library->symbol
								       : library->linked))
				return at;
		}
	return NULL;
}

bool compile_explain_libraries(struct diag *diag, const char *log)
{
	struct buf names = {0};
	int n = 0;
	for (size_t i = 0; i < N_LIBRARIES; i++) {
		const char *missed = find_missed(&libraries[i], log);
		if (!missed)
			continue;
		int len = (int)strcspn(missed, "'`\":; \n");
		buf_printf(&names, "%s%s (%.*s)", n++ ? ", " : "", libraries[i].name, len, missed);
	}
	if (n)
		diag_note(diag, (struct diag_pos){0},
			n == 1 ? "%s is a library of NVIDIA's that needs a GPU; the machine here runs kernels of source code or "
				 "PTX: put one of your own, or host code, in its place, or run this program on a GPU"
			       : "%s are libraries of NVIDIA's that need a GPU; the machine here runs kernels of source code or "
				 "PTX: put some of your own, or host code, in their place, or run this program on a GPU",
			names.data);
	buf_free(&names);
	return n > 0;
}
