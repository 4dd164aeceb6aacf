dist_doc_DATA += doc/hardware.md doc/protocol.md
TESTS += doc/protocol.sh doc/hardware.sh doc/paths.sh
EXTRA_DIST += doc/protocol.sh doc/hardware.sh doc/paths.sh
