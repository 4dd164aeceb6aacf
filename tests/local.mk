TESTS += tests/house.sh
EXTRA_DIST += tests/house.sh
