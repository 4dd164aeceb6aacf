# What a desktop, a shell and a distribution want beside the program.
dist_doc_DATA += README.md SECURITY.md CHANGELOG.md COPYING

desktopdir = $(datadir)/applications
dist_desktop_DATA = packaging/simttutor.desktop
metainfodir = $(datadir)/metainfo
dist_metainfo_DATA = packaging/simttutor.metainfo.xml
icondir = $(datadir)/icons/hicolor/scalable/apps
dist_icon_DATA = packaging/simttutor.svg

# Completions are made by the program itself, which another machine's cannot be asked.
if !CROSS_COMPILING
bashcompletionsdir = $(datadir)/bash-completion/completions
bashcompletions_DATA = packaging/simttutor
zshcompletionsdir = $(datadir)/zsh/site-functions
zshcompletions_DATA = packaging/_simttutor
fishcompletionsdir = $(datadir)/fish/vendor_completions.d
fishcompletions_DATA = packaging/simttutor.fish
endif
CLEANFILES += packaging/simttutor packaging/_simttutor packaging/simttutor.fish
packaging/simttutor: simttutor
	$(AM_V_GEN)$(MKDIR_P) packaging && ./simttutor completion bash > $@.new && mv $@.new $@
packaging/_simttutor: simttutor
	$(AM_V_GEN)$(MKDIR_P) packaging && ./simttutor completion zsh > $@.new && mv $@.new $@
packaging/simttutor.fish: simttutor
	$(AM_V_GEN)$(MKDIR_P) packaging && ./simttutor completion fish > $@.new && mv $@.new $@

TESTS += packaging/desktop.sh
EXTRA_DIST += packaging/desktop.sh

# The same tarball from the same commit, whenever, wherever and by whomever it is made, with the same Autotools and xz: entries by name, without
# owners, with modes that no umask changed, and all as old as the commit; or as SOURCE_DATE_EPOCH says, or, in a tarball, as that is. xz with one
# thread, since what it writes with several differs.
dist_epoch = $${SOURCE_DATE_EPOCH:-`{ test -e '$(top_srcdir)/.git' && git -C '$(top_srcdir)' log -1 --format=%ct 2>/dev/null; } || \
	stat -c %Y '$(top_srcdir)/configure.ac'`}
am__tar = LC_ALL=C $${TAR-tar} chof - --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rw,go=u,go-w --mtime="@$(dist_epoch)" "$$tardir"
dist dist-all dist-xz distcheck: export XZ_OPT ?= -e -T1

attack_tests += packaging/dist.sh
