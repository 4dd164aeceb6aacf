nobase_dist_pkgdata_DATA += lessons/01-banks/lesson.md
nobase_dist_pkgdata_DATA += lessons/01-banks/recorded.json
