# What simttutor new copies.
nobase_dist_pkgdata_DATA += templates/program/Makefile templates/program/main.cu
