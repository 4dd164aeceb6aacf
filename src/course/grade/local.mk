noinst_LIBRARIES += src/course/grade/libgrade.a
src_course_grade_libgrade_a_SOURCES = \
	src/course/grade/class.c src/course/grade/class_verdicts.def \
	src/course/grade/grade.h \
	src/course/grade/program.c
