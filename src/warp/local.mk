noinst_LIBRARIES += src/warp/libwarp.a
src_warp_libwarp_a_SOURCES = src/warp/cluster.h src/warp/tensor.h src/warp/tiles.h src/warp/texture.h src/warp/warp.c src/warp/warp.h
