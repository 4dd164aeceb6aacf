# What simttutor new copies.
nobase_dist_pkgdata_DATA += templates/program/Makefile templates/program/main.cu
# What simttutor course new copies; it writes course.yaml itself.
nobase_dist_pkgdata_DATA += templates/course/README.md templates/course/kernels/mirror.cu templates/course/kernels/mirror.ptx \
	templates/course/lessons/01-first/lesson.md
# What simttutor lesson new --exercise copies.
nobase_dist_pkgdata_DATA += templates/exercise/step.md templates/exercise/start.cu templates/exercise/start.ptx \
	templates/exercise/solution.cu templates/exercise/solution.ptx templates/exercise/wrong/half.cu templates/exercise/wrong/half.ptx
