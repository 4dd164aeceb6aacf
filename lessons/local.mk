nobase_dist_pkgdata_DATA += lessons/01-banks/lesson.md lessons/01-banks/recorded.json
