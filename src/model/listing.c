#include "model/listing.h"

#include <string.h>

bool listing_text_is_good(const char *text)
{
	size_t len = strlen(text);
	for (size_t i = 0; i < len; i++)
		if (text[i] < ' ' || text[i] > '~')
			return false;
	return len > 0 && len <= LISTING_TEXT_MAX && text[0] != ' ' && text[len - 1] != ' ';
}
