#include "config.h"
#include "base/text.h"

#include <stdlib.h>

#ifdef HAVE_LIBINTL_H
#include <libintl.h>
#endif

void text_begin(void)
{
#ifdef HAVE_LIBINTL_H
	const char *own = getenv("TEXTDOMAINDIR");
	bindtextdomain(PACKAGE, own && *own ? own : SIMT_LOCALEDIR);
	bind_textdomain_codeset(PACKAGE, "UTF-8"); /* what the canvas is drawn with, whatever the terminal takes */
	(void)text_translate("help");
#endif
}

/* The empty text is that of the catalog's head. */
const char *text_translate(const char *english)
{
#ifdef HAVE_LIBINTL_H
	return *english ? dgettext(PACKAGE, english) : english;
#else
	return english;
#endif
}

const char *text_plural(const char *one, const char *many, unsigned long n)
{
#ifdef HAVE_LIBINTL_H
	return dngettext(PACKAGE, one, many, n);
#else
	return n == 1 ? one : many;
#endif
}
