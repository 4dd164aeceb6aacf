/* front/screen/terms.h: words of a text that the glossary explains. For this folder only. */
#pragma once
#include "course/lesson/lesson.h"
#include "front/view/view.h"

/* Who wants to know of them: the glossary, where they lie (NULL: nobody asks), and what is picked, which is lit. */
struct screen_terms {
	const struct catalog *catalog;
	struct view_spots *spots;
	struct view_pick picked;
};

/* One of them in a text: its bytes, and its index in the glossary. */
struct screen_term {
	size_t from, to;
	int index;
};

/* The first one at byte `at` or after it, the longest there, also in the plural; false: there is none. */
bool screen_term_next(const struct catalog *catalog, const char *text, size_t len, size_t at, struct screen_term *out);

/* "sector: 32 bytes of ..." */
void screen_term_say(const struct catalog *catalog, int64_t index, struct buf *out);
