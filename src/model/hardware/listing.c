#include "model/hardware/listing.h"

#include <string.h>

bool listing_text_is_good(const char *text)
{
	size_t len = strlen(text);
	for (size_t i = 0; i < len; i++)
		if (text[i] < ' ' || text[i] > '~')
			return false;
	return len > 0 && len <= LISTING_TEXT_MAX && text[0] != ' ' && text[len - 1] != ' ';
}

static const struct {
	const char *beginning;
	enum listing_kind kind;
} operations[] = {
#define LISTING_OPERATION(beginning, kind) {beginning, LISTING_##kind},
#include "model/hardware/listing.def"
#undef LISTING_OPERATION
};
#define N_OPERATIONS (sizeof operations / sizeof *operations)

enum listing_kind listing_kind_of(const char *text)
{
	if (*text == '@') { /* a guard */
		text += strcspn(text, " ");
		text += strspn(text, " ");
	}

	enum listing_kind kind = LISTING_OTHER;
	size_t longest = 0;
	for (size_t i = 0; i < N_OPERATIONS; i++) {
		size_t len = strlen(operations[i].beginning);
		if (len <= longest || strncmp(text + (*text == 'U'), operations[i].beginning, len) != 0)
			continue;
		longest = len;
		kind = operations[i].kind;
	}
	return kind;
}
