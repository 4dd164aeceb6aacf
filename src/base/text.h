/* base/text.h: texts for readers, in their language where there is a catalog for it (gettext), else in English.
 *
 * A text is taken where it is shown: _("..."), or text_translate(row->help) for one of a table. xgettext finds those of
 * tables by the columns that po/update names, and the formats of diagnostics by the names of their functions; N_("...")
 * marks any other that is only shown elsewhere. A translation of a format takes the same arguments. */
#pragma once

#define _(english) text_translate(english)
#define N_(english) english

/* After setlocale. The catalogs are in TEXTDOMAINDIR, or where they are installed; that of the reader is read now,
 * before we are confined. */
void text_begin(void);

const char *text_translate(const char *english) __attribute__((format_arg(1)));

/* The form for so many, of those that the reader's language has: text_plural("%d lane", "%d lanes", n). */
const char *text_plural(const char *one, const char *many, unsigned long n)
	__attribute__((format_arg(1), format_arg(2)));
