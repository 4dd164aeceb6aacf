dist_doc_DATA += doc/performance.md doc/hardware.md doc/protocol.md doc/engineers.md doc/instructors.md doc/authors.md
TESTS += doc/protocol.sh doc/hardware.sh doc/paths.sh doc/pictures.sh doc/examples.sh
EXTRA_DIST += doc/protocol.sh doc/hardware.sh doc/paths.sh doc/pictures.sh doc/examples.sh

nobase_dist_doc_DATA = doc/examples/check-exercise.yml doc/examples/banks.talk

# The pictures of README.md, in three themes; all views in three sizes and three themes, to be looked at.
EXTRA_DIST += doc/make-pictures doc/pictures/banks.svg doc/pictures/sectors.svg doc/pictures/divergence.svg
# A recorded talk, and the picture that moves, which is made of it.
EXTRA_DIST += doc/cast-to-svg doc/animation/present.commands doc/animation/present.cast doc/animation/present.svg
animation:
	$(srcdir)/doc/cast-to-svg $(srcdir)/doc/animation/present.cast > present.svg && mv present.svg $(srcdir)/doc/animation
.PHONY: animation
pictures: simttutor$(EXEEXT)
	$(srcdir)/doc/make-pictures $(builddir)/simttutor$(EXEEXT) readme $(srcdir)/doc/pictures
all-pictures: simttutor$(EXEEXT)
	$(srcdir)/doc/make-pictures $(builddir)/simttutor$(EXEEXT) views pictures
.PHONY: pictures all-pictures
clean-local-pictures:
	-rm -rf pictures
clean-local: clean-local-pictures clean-local-state clean-local-toolkit
