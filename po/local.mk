# Catalogs of translated texts, po/LANGUAGE.po. `make update-po` collects what is to be translated; msgfmt makes what is installed.
EXTRA_DIST += po/update
update-po:
	$(top_srcdir)/po/update $(abs_top_srcdir)
.PHONY: update-po

install-data-local: install-catalogs
install-catalogs:
	for po in $(top_srcdir)/po/*.po; do \
		test -f "$$po" || continue; \
		name=`basename "$$po" .po`; folder="$(DESTDIR)$(localedir)/$$name/LC_MESSAGES"; \
		$(MKDIR_P) "$$folder" && $(MSGFMT) -c -o "$$folder/simttutor.mo" "$$po" || exit; \
	done
uninstall-local: uninstall-catalogs
uninstall-catalogs:
	for po in $(top_srcdir)/po/*.po; do \
		test ! -f "$$po" || rm -f "$(DESTDIR)$(localedir)/`basename "$$po" .po`/LC_MESSAGES/simttutor.mo"; \
	done
.PHONY: install-catalogs uninstall-catalogs
