# The kernels: CUDA source and the PTX made from it by kernels/make-ptx. Both are installed: the PTX is what runs, the
# source is what a reader sees.
nobase_dist_pkgdata_DATA += kernels/simt.h kernels/clang.h kernels/shared_stride.cu kernels/shared_stride.ptx
nobase_dist_pkgdata_DATA += kernels/warps.cu kernels/warps.ptx
nobase_dist_pkgdata_DATA += kernels/indexing.cu kernels/indexing.ptx
nobase_dist_pkgdata_DATA += kernels/divergence.cu kernels/divergence.ptx
nobase_dist_pkgdata_DATA += kernels/strided_copy.cu kernels/strided_copy.ptx
nobase_dist_pkgdata_DATA += kernels/shared_groups.cu kernels/shared_groups.ptx
nobase_dist_pkgdata_DATA += kernels/padding.cu kernels/padding.ptx
nobase_dist_pkgdata_DATA += kernels/swizzle.cu kernels/swizzle.ptx
nobase_dist_pkgdata_DATA += kernels/wide_banks.cu kernels/wide_banks.ptx
nobase_dist_pkgdata_DATA += kernels/gather.cu kernels/gather.ptx
nobase_dist_pkgdata_DATA += kernels/widths.cu kernels/widths.ptx
nobase_dist_pkgdata_DATA += kernels/layout.cu kernels/layout.ptx
nobase_dist_pkgdata_DATA += kernels/offset_copy.cu kernels/offset_copy.ptx
nobase_dist_pkgdata_DATA += kernels/barriers.cu kernels/barriers.ptx
nobase_dist_pkgdata_DATA += kernels/in_step.cu kernels/in_step.ptx
nobase_dist_pkgdata_DATA += kernels/occupancy.cu kernels/occupancy.ptx
nobase_dist_pkgdata_DATA += kernels/transposes.cu kernels/transposes.ptx
nobase_dist_pkgdata_DATA += kernels/short_branch.cu kernels/short_branch.ptx
nobase_dist_pkgdata_DATA += kernels/shuffle.cu kernels/shuffle.ptx
nobase_dist_pkgdata_DATA += kernels/reductions.cu kernels/reductions.ptx
nobase_dist_pkgdata_DATA += kernels/latency.cu kernels/latency.ptx
nobase_dist_pkgdata_DATA += kernels/waves.cu kernels/waves.ptx
nobase_dist_pkgdata_DATA += kernels/atomics.cu kernels/atomics.ptx
nobase_dist_pkgdata_DATA += kernels/atomics_more.cu kernels/atomics_more.ptx
nobase_dist_pkgdata_DATA += kernels/matmul.cu kernels/matmul.ptx
nobase_dist_pkgdata_DATA += kernels/registers.cu kernels/registers.ptx
nobase_dist_pkgdata_DATA += kernels/past_caches.cu kernels/past_caches.ptx
nobase_dist_pkgdata_DATA += kernels/reconvergence.cu kernels/reconvergence.ptx
nobase_dist_pkgdata_DATA += kernels/votes.cu kernels/votes.ptx
nobase_dist_pkgdata_DATA += kernels/warp_totals.cu kernels/warp_totals.ptx
nobase_dist_pkgdata_DATA += kernels/constant.cu kernels/constant.ptx
nobase_dist_pkgdata_DATA += kernels/groups.cu kernels/groups.ptx
nobase_dist_pkgdata_DATA += kernels/scan.cu kernels/scan.ptx
nobase_dist_pkgdata_DATA += kernels/spills.cu kernels/spills.ptx
nobase_dist_pkgdata_DATA += kernels/caches.cu kernels/caches.ptx
nobase_dist_pkgdata_DATA += kernels/stalls.cu kernels/stalls.ptx
nobase_dist_pkgdata_DATA += kernels/ilp.cu kernels/ilp.ptx
nobase_dist_pkgdata_DATA += kernels/bandwidth.cu kernels/bandwidth.ptx
nobase_dist_pkgdata_DATA += kernels/sums.cu kernels/sums.ptx
nobase_dist_pkgdata_DATA += kernels/pipeline.cu kernels/pipeline.ptx
nobase_dist_pkgdata_DATA += kernels/bulk_copies.cu kernels/bulk_copies.ptx
nobase_dist_pkgdata_DATA += kernels/attention.cu kernels/attention.ptx
nobase_dist_pkgdata_DATA += kernels/first_program.cu kernels/first_program.ptx
nobase_dist_pkgdata_DATA += kernels/memory_map.cu kernels/memory_map.ptx
nobase_dist_pkgdata_DATA += kernels/dynamic_shared.cu kernels/dynamic_shared.ptx
nobase_dist_pkgdata_DATA += kernels/broken.cu kernels/broken.ptx
nobase_dist_pkgdata_DATA += kernels/launches.cu kernels/launches.ptx
nobase_dist_pkgdata_DATA += kernels/measuring.cu kernels/measuring.ptx
nobase_dist_pkgdata_DATA += kernels/clusters.cu kernels/clusters.ptx
nobase_dist_pkgdata_DATA += kernels/roofline.cu kernels/roofline.ptx
nobase_dist_pkgdata_DATA += kernels/tensor.cu kernels/tensor.ptx kernels/tensor_groups.cu kernels/tensor_groups.ptx
nobase_dist_pkgdata_DATA += kernels/claims.cu kernels/claims.ptx
nobase_dist_pkgdata_DATA += kernels/machine_code.cu kernels/machine_code.ptx
EXTRA_DIST += kernels/make-ptx
course_tests += tests/kernels.sh

kernels-ptx:
	cd $(srcdir) && for cu in kernels/*.cu $$(grep -LE '^int main\(' lessons/*/exercise/*.cu lessons/*/exercise/*/*.cu); do \
		NVCC='$(NVCC)' kernels/make-ptx $$cu > $${cu%.cu}.new && mv $${cu%.cu}.new $${cu%.cu}.ptx || exit; done
.PHONY: kernels-ptx
