noinst_LIBRARIES += src/machine/warp/libwarp.a
src_machine_warp_libwarp_a_SOURCES = src/machine/warp/texture.h src/machine/warp/warp.c src/machine/warp/warp.h
