bin_PROGRAMS += simttutor
simttutor_SOURCES = src/main.c \
	src/cmd/cmd.c src/cmd/cmd.h \
	src/cmd/commands.def \
	src/cmd/help.c \
	src/cmd/table.c
# Users before what they use.
simttutor_LDADD = src/base/libbase.a $(UTF8PROC_LIBS)

# Beside an uninstalled program: where its lessons and kernels are (base/paths.h).
simttutor.source: Makefile
	$(AM_V_GEN)echo '$(abs_top_srcdir)' > $@
all-local: simttutor.source
CLEANFILES += simttutor.source
