dist_doc_DATA += doc/hardware.md doc/protocol.md doc/engineers.md doc/instructors.md doc/authors.md
TESTS += doc/protocol.sh doc/hardware.sh doc/paths.sh
EXTRA_DIST += doc/protocol.sh doc/hardware.sh doc/paths.sh

# The pictures of README.md, in three themes.
EXTRA_DIST += doc/pictures/banks.svg doc/pictures/sectors.svg doc/pictures/divergence.svg
show_picture = $(builddir)/simttutor$(EXEEXT) --gpu none
pictures: simttutor$(EXEEXT)
	$(show_picture) --theme dark show banks/2 --point lane:17 --size 120x36 --format svg >$(srcdir)/doc/pictures/banks.svg
	$(show_picture) --theme light show sectors/3 --size 120x36 --format svg >$(srcdir)/doc/pictures/sectors.svg
	$(show_picture) --theme projector show divergence/1 --view mask --size 120x20 --format svg >$(srcdir)/doc/pictures/divergence.svg
.PHONY: pictures
