bin_PROGRAMS += simttutor
simttutor_SOURCES = src/main.c \
	src/cmd/access.c \
	src/cmd/access_parse.c src/cmd/access_parse.h \
	src/cmd/access_text.c src/cmd/access_text.h \
	src/cmd/cmd.c src/cmd/cmd.h \
	src/cmd/commands.def \
	src/cmd/help.c \
	src/cmd/table.c
# Users before what they use.
simttutor_LDADD = src/export/libexport.a src/view/libview.a src/model/libmodel.a src/base/libbase.a \
	$(JANSSON_LIBS) $(UTF8PROC_LIBS)

# Beside an uninstalled program: where its lessons and kernels are (base/paths.h).
simttutor.source: Makefile
	$(AM_V_GEN)echo '$(abs_top_srcdir)' > $@
all-local: simttutor.source
CLEANFILES += simttutor.source

TESTS += tests/access.sh
EXTRA_DIST += tests/access.sh
