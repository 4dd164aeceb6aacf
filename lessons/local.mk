nobase_dist_pkgdata_DATA += lessons/glossary.md
nobase_dist_pkgdata_DATA += lessons/001-first-program/lesson.md lessons/001-first-program/recorded.json \
	lessons/001-first-program/exercise/start.cu lessons/001-first-program/exercise/solution.cu
EXTRA_DIST += lessons/001-first-program/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/002-memory-map/lesson.md lessons/002-memory-map/recorded.json \
	lessons/002-memory-map/exercise/start.cu lessons/002-memory-map/exercise/start.ptx \
	lessons/002-memory-map/exercise/solution.cu lessons/002-memory-map/exercise/solution.ptx
EXTRA_DIST += lessons/002-memory-map/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/003-dynamic-shared/lesson.md lessons/003-dynamic-shared/recorded.json \
	lessons/003-dynamic-shared/exercise/start.cu lessons/003-dynamic-shared/exercise/start.ptx \
	lessons/003-dynamic-shared/exercise/solution.cu lessons/003-dynamic-shared/exercise/solution.ptx
EXTRA_DIST += lessons/003-dynamic-shared/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/01-warps/lesson.md lessons/01-warps/recorded.json
nobase_dist_pkgdata_DATA += lessons/02-indexing/lesson.md lessons/02-indexing/recorded.json \
	lessons/02-indexing/exercise/start.cu lessons/02-indexing/exercise/start.ptx \
	lessons/02-indexing/exercise/solution.cu lessons/02-indexing/exercise/solution.ptx
EXTRA_DIST += lessons/02-indexing/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/03-divergence/lesson.md lessons/03-divergence/recorded.json \
	lessons/03-divergence/exercise/start.cu lessons/03-divergence/exercise/start.ptx \
	lessons/03-divergence/exercise/solution.cu lessons/03-divergence/exercise/solution.ptx
EXTRA_DIST += lessons/03-divergence/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/04-predication/lesson.md lessons/04-predication/recorded.json
nobase_dist_pkgdata_DATA += lessons/05-sectors/lesson.md lessons/05-sectors/recorded.json \
	lessons/05-sectors/exercise/start.cu lessons/05-sectors/exercise/start.ptx \
	lessons/05-sectors/exercise/solution.cu lessons/05-sectors/exercise/solution.ptx
EXTRA_DIST += lessons/05-sectors/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/06-alignment/lesson.md lessons/06-alignment/recorded.json \
	lessons/06-alignment/exercise/start.cu lessons/06-alignment/exercise/start.ptx \
	lessons/06-alignment/exercise/solution.cu lessons/06-alignment/exercise/solution.ptx
EXTRA_DIST += lessons/06-alignment/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/07-gather/lesson.md lessons/07-gather/recorded.json \
	lessons/07-gather/exercise/start.cu lessons/07-gather/exercise/start.ptx \
	lessons/07-gather/exercise/solution.cu lessons/07-gather/exercise/solution.ptx
EXTRA_DIST += lessons/07-gather/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/08-widths/lesson.md lessons/08-widths/recorded.json \
	lessons/08-widths/exercise/start.cu lessons/08-widths/exercise/start.ptx \
	lessons/08-widths/exercise/solution.cu lessons/08-widths/exercise/solution.ptx
EXTRA_DIST += lessons/08-widths/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/09-aos-soa/lesson.md lessons/09-aos-soa/recorded.json \
	lessons/09-aos-soa/exercise/start.cu lessons/09-aos-soa/exercise/start.ptx \
	lessons/09-aos-soa/exercise/solution.cu lessons/09-aos-soa/exercise/solution.ptx
EXTRA_DIST += lessons/09-aos-soa/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/091-bandwidth/lesson.md lessons/091-bandwidth/recorded.json \
	lessons/091-bandwidth/exercise/start.cu lessons/091-bandwidth/exercise/start.ptx \
	lessons/091-bandwidth/exercise/solution.cu lessons/091-bandwidth/exercise/solution.ptx
EXTRA_DIST += lessons/091-bandwidth/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/092-caches/lesson.md lessons/092-caches/recorded.json \
	lessons/092-caches/exercise/start.cu lessons/092-caches/exercise/start.ptx \
	lessons/092-caches/exercise/solution.cu lessons/092-caches/exercise/solution.ptx
EXTRA_DIST += lessons/092-caches/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/10-banks/lesson.md lessons/10-banks/recorded.json
# Exercises: the kernel with the fault and the solution are the reader's, the attempts that must be refused are tests.
nobase_dist_pkgdata_DATA += \
	lessons/10-banks/exercise/start.cu lessons/10-banks/exercise/start.ptx \
	lessons/10-banks/exercise/solution.cu lessons/10-banks/exercise/solution.ptx
EXTRA_DIST += lessons/10-banks/exercise/wrong lessons/10-banks/exercise/right
nobase_dist_pkgdata_DATA += lessons/11-padding/lesson.md lessons/11-padding/recorded.json \
	lessons/11-padding/exercise/start.cu lessons/11-padding/exercise/start.ptx \
	lessons/11-padding/exercise/solution.cu lessons/11-padding/exercise/solution.ptx
EXTRA_DIST += lessons/11-padding/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/12-swizzle/lesson.md lessons/12-swizzle/recorded.json \
	lessons/12-swizzle/exercise/start.cu lessons/12-swizzle/exercise/start.ptx \
	lessons/12-swizzle/exercise/solution.cu lessons/12-swizzle/exercise/solution.ptx
EXTRA_DIST += lessons/12-swizzle/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/13-wide-banks/lesson.md lessons/13-wide-banks/recorded.json \
	lessons/13-wide-banks/exercise/start.cu lessons/13-wide-banks/exercise/start.ptx \
	lessons/13-wide-banks/exercise/solution.cu lessons/13-wide-banks/exercise/solution.ptx
EXTRA_DIST += lessons/13-wide-banks/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/14-transpose/lesson.md lessons/14-transpose/recorded.json \
	lessons/14-transpose/exercise/start.cu lessons/14-transpose/exercise/start.ptx \
	lessons/14-transpose/exercise/solution.cu lessons/14-transpose/exercise/solution.ptx
EXTRA_DIST += lessons/14-transpose/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/15-reduction/lesson.md lessons/15-reduction/recorded.json \
	lessons/15-reduction/exercise/start.cu lessons/15-reduction/exercise/start.ptx \
	lessons/15-reduction/exercise/solution.cu lessons/15-reduction/exercise/solution.ptx
EXTRA_DIST += lessons/15-reduction/exercise/wrong lessons/15-reduction/exercise/right
nobase_dist_pkgdata_DATA += lessons/16-occupancy/lesson.md lessons/16-occupancy/recorded.json \
	lessons/16-occupancy/exercise/start.cu lessons/16-occupancy/exercise/start.ptx \
	lessons/16-occupancy/exercise/solution.cu lessons/16-occupancy/exercise/solution.ptx
EXTRA_DIST += lessons/16-occupancy/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/17-latency/lesson.md lessons/17-latency/recorded.json \
	lessons/17-latency/exercise/start.cu lessons/17-latency/exercise/start.ptx \
	lessons/17-latency/exercise/solution.cu lessons/17-latency/exercise/solution.ptx
EXTRA_DIST += lessons/17-latency/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/171-ilp/lesson.md lessons/171-ilp/recorded.json \
	lessons/171-ilp/exercise/start.cu lessons/171-ilp/exercise/start.ptx \
	lessons/171-ilp/exercise/solution.cu lessons/171-ilp/exercise/solution.ptx
EXTRA_DIST += lessons/171-ilp/exercise/wrong lessons/171-ilp/exercise/right
nobase_dist_pkgdata_DATA += lessons/18-waves/lesson.md lessons/18-waves/recorded.json \
	lessons/18-waves/exercise/start.cu lessons/18-waves/exercise/start.ptx \
	lessons/18-waves/exercise/solution.cu lessons/18-waves/exercise/solution.ptx
EXTRA_DIST += lessons/18-waves/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/181-registers/lesson.md lessons/181-registers/recorded.json \
	lessons/181-registers/exercise/start.cu lessons/181-registers/exercise/start.ptx \
	lessons/181-registers/exercise/solution.cu lessons/181-registers/exercise/solution.ptx
EXTRA_DIST += lessons/181-registers/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/182-stalls/lesson.md lessons/182-stalls/recorded.json \
	lessons/182-stalls/exercise/start.cu lessons/182-stalls/exercise/start.ptx \
	lessons/182-stalls/exercise/solution.cu lessons/182-stalls/exercise/solution.ptx
EXTRA_DIST += lessons/182-stalls/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/183-launches/lesson.md lessons/183-launches/recorded.json \
	lessons/183-launches/exercise/start.cu lessons/183-launches/exercise/solution.cu
EXTRA_DIST += lessons/183-launches/exercise/wrong lessons/183-launches/exercise/right
nobase_dist_pkgdata_DATA += lessons/184-measuring/lesson.md lessons/184-measuring/recorded.json \
	lessons/184-measuring/exercise/start.cu lessons/184-measuring/exercise/solution.cu
EXTRA_DIST += lessons/184-measuring/exercise/wrong lessons/184-measuring/exercise/right
nobase_dist_pkgdata_DATA += lessons/19-barriers/lesson.md lessons/19-barriers/recorded.json \
	lessons/19-barriers/exercise/start.cu lessons/19-barriers/exercise/start.ptx \
	lessons/19-barriers/exercise/solution.cu lessons/19-barriers/exercise/solution.ptx
EXTRA_DIST += lessons/19-barriers/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/20-shuffle/lesson.md lessons/20-shuffle/recorded.json \
	lessons/20-shuffle/exercise/start.cu lessons/20-shuffle/exercise/start.ptx \
	lessons/20-shuffle/exercise/solution.cu lessons/20-shuffle/exercise/solution.ptx
EXTRA_DIST += lessons/20-shuffle/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/201-vote/lesson.md lessons/201-vote/recorded.json \
	lessons/201-vote/exercise/start.cu lessons/201-vote/exercise/start.ptx \
	lessons/201-vote/exercise/solution.cu lessons/201-vote/exercise/solution.ptx
EXTRA_DIST += lessons/201-vote/exercise/wrong lessons/201-vote/exercise/right
nobase_dist_pkgdata_DATA += lessons/202-reconvergence/lesson.md lessons/202-reconvergence/recorded.json \
	lessons/202-reconvergence/exercise/start.cu lessons/202-reconvergence/exercise/start.ptx \
	lessons/202-reconvergence/exercise/solution.cu lessons/202-reconvergence/exercise/solution.ptx
EXTRA_DIST += lessons/202-reconvergence/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/21-atomics/lesson.md lessons/21-atomics/recorded.json \
	lessons/21-atomics/exercise/start.cu lessons/21-atomics/exercise/start.ptx \
	lessons/21-atomics/exercise/solution.cu lessons/21-atomics/exercise/solution.ptx
EXTRA_DIST += lessons/21-atomics/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/211-atomics-more/lesson.md lessons/211-atomics-more/recorded.json \
	lessons/211-atomics-more/exercise/start.cu lessons/211-atomics-more/exercise/start.ptx \
	lessons/211-atomics-more/exercise/solution.cu lessons/211-atomics-more/exercise/solution.ptx
EXTRA_DIST += lessons/211-atomics-more/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/212-scan/lesson.md lessons/212-scan/recorded.json \
	lessons/212-scan/exercise/start.cu lessons/212-scan/exercise/start.ptx \
	lessons/212-scan/exercise/solution.cu lessons/212-scan/exercise/solution.ptx
EXTRA_DIST += lessons/212-scan/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/213-constant/lesson.md lessons/213-constant/recorded.json \
	lessons/213-constant/exercise/start.cu lessons/213-constant/exercise/start.ptx \
	lessons/213-constant/exercise/solution.cu lessons/213-constant/exercise/solution.ptx
EXTRA_DIST += lessons/213-constant/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/217-broken/lesson.md lessons/217-broken/recorded.json \
	lessons/217-broken/exercise/start.cu lessons/217-broken/exercise/solution.cu
EXTRA_DIST += lessons/217-broken/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/214-groups/lesson.md lessons/214-groups/recorded.json \
	lessons/214-groups/exercise/start.cu lessons/214-groups/exercise/start.ptx \
	lessons/214-groups/exercise/solution.cu lessons/214-groups/exercise/solution.ptx
EXTRA_DIST += lessons/214-groups/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/22-matmul/lesson.md lessons/22-matmul/recorded.json \
	lessons/22-matmul/exercise/start.cu lessons/22-matmul/exercise/start.ptx \
	lessons/22-matmul/exercise/solution.cu lessons/22-matmul/exercise/solution.ptx
EXTRA_DIST += lessons/22-matmul/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/221-sums/lesson.md lessons/221-sums/recorded.json \
	lessons/221-sums/exercise/start.cu lessons/221-sums/exercise/start.ptx \
	lessons/221-sums/exercise/solution.cu lessons/221-sums/exercise/solution.ptx
EXTRA_DIST += lessons/221-sums/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/222-pipeline/lesson.md lessons/222-pipeline/recorded.json \
	lessons/222-pipeline/exercise/start.cu lessons/222-pipeline/exercise/start.ptx \
	lessons/222-pipeline/exercise/solution.cu lessons/222-pipeline/exercise/solution.ptx
EXTRA_DIST += lessons/222-pipeline/exercise/wrong lessons/222-pipeline/exercise/right
nobase_dist_pkgdata_DATA += lessons/223-attention/lesson.md lessons/223-attention/recorded.json \
	lessons/223-attention/exercise/start.cu lessons/223-attention/exercise/start.ptx \
	lessons/223-attention/exercise/solution.cu lessons/223-attention/exercise/solution.ptx
EXTRA_DIST += lessons/223-attention/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/224-clusters/lesson.md lessons/224-clusters/recorded.json \
	lessons/224-clusters/exercise/start.cu lessons/224-clusters/exercise/start.ptx \
	lessons/224-clusters/exercise/solution.cu lessons/224-clusters/exercise/solution.ptx
EXTRA_DIST += lessons/224-clusters/exercise/wrong lessons/224-clusters/exercise/right
nobase_dist_pkgdata_DATA += lessons/225-roofline/lesson.md lessons/225-roofline/recorded.json \
	lessons/225-roofline/exercise/start.cu lessons/225-roofline/exercise/start.ptx \
	lessons/225-roofline/exercise/solution.cu lessons/225-roofline/exercise/solution.ptx
EXTRA_DIST += lessons/225-roofline/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/228-tensor/lesson.md lessons/228-tensor/recorded.json lessons/228-tensor/measured.tsv \
	lessons/228-tensor/exercise/start.cu lessons/228-tensor/exercise/start.ptx \
	lessons/228-tensor/exercise/solution.cu lessons/228-tensor/exercise/solution.ptx
EXTRA_DIST += lessons/228-tensor/exercise/wrong lessons/228-tensor/exercise/right
nobase_dist_pkgdata_DATA += lessons/226-sass/lesson.md lessons/226-sass/recorded.json \
	lessons/226-sass/exercise/start.cu lessons/226-sass/exercise/start.ptx \
	lessons/226-sass/exercise/solution.cu lessons/226-sass/exercise/solution.ptx
EXTRA_DIST += lessons/226-sass/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/227-streams/lesson.md lessons/227-streams/recorded.json \
	lessons/227-streams/programs/parts.cu lessons/227-streams/programs/table.cu lessons/227-streams/programs/graph.cu \
	lessons/227-streams/exercise/start.cu lessons/227-streams/exercise/solution.cu
EXTRA_DIST += lessons/227-streams/exercise/wrong
nobase_dist_pkgdata_DATA += lessons/23-claims/lesson.md lessons/23-claims/recorded.json
# What `simttutor lesson new` starts an author from.
nobase_dist_pkgdata_DATA += lessons/template.md
# What the speller need not know.
nobase_dist_pkgdata_DATA += lessons/words.txt
