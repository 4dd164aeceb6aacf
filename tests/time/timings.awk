# Reads the parameters of the model of time off what a GPU counted, and prints src/model/hardware/timings.def. Nothing here is of a launch that
# the model is judged by.
#   awk -f timings.awk micro.tsv pipes.tsv caches.tsv remote.tsv fit.tsv        (tests/time/h200), atomics.tsv tlb.tsv pipes.tsv async.tsv        (tests/time/h100)
BEGIN { FS = "\t" }
FNR == 1 { file = FILENAME; sub(/.*\//, "", file); head = 0 }
/^#/ { next }
file == "caches.tsv" && !head { for (i = 1; i <= NF; i++) column[$i] = i; head = 1; next }
file == "caches.tsv" {
	mib = $2
	sub(/^[^\[]*\[/, "", mib)
	n = split($2, word, " ")
	key = word[3] " " int(mib) / 262144 " " word[n]
	if (key in fills) # of a larger buffer only a part
		next
	fills[key] = $column["lts__d_sectors_fill_device.sum"] / ($column["lts__t_sectors_srcunit_tex_op_read.sum"] + 1)
	stored[key] = $column["dram__bytes_write.sum"] / 32 / ($column["lts__t_sectors_srcunit_tex_op_write.sum"] + 1)
	next
}
file == "atomics.tsv" && !head { for (i = 1; i <= NF; i++) column[$i] = i; head = 1; next }
file == "atomics.tsv" {
	launch = $2
	sub(/^atomics tests\/time\/atomic.ptx /, "", launch)
	sub(/[fu][0-9]*\[4194304\] /, "", launch)
	atomic_active[launch] = $column["sm__cycles_active.max"]
	atomic_elapsed[launch] = $column["gpc__cycles_elapsed.max"]
	atomic_rounds[launch] = $column["l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"]
	next
}
file == "async.tsv" && !head { for (i = 1; i <= NF; i++) column[$i] = i; head = 1; next }
file == "async.tsv" {
	if ($1 != 0)
		next
	# the rounds are the last argument, or the last but one
	n = split($2, word, " ")
	at = word[n] ~ /^u32:(64|192|320)$/ ? n : n - 1
	launch = word[3]
	for (i = 4; i <= n; i++)
		if (i != at)
			launch = launch " " word[i]
	async[launch, substr(word[at], 5)] = $column["sm__cycles_active.max"]
	next
}
file == "remote.tsv" && !head { for (i = 1; i <= NF; i++) column[$i] = i; head = 1; next }
file == "remote.tsv" {
	# the rounds are the last argument
	n = split($2, word, " ")
	launch = word[3] " " word[4] " " word[5]
	for (i = 8; i < n; i++)
		launch = launch " " substr(word[i], 5)
	if (launch in remote_few) {
		remote_many[launch] = $column["sm__cycles_active.max"]
		remote_rounds[launch] = substr(word[n], 5) - remote_begin[launch]
	} else {
		remote_few[launch] = $column["sm__cycles_active.max"]
		remote_begin[launch] = substr(word[n], 5)
	}
	next
}
file == "fit.tsv" && !head { for (i = 1; i <= NF; i++) column[$i] = i; head = 1; next }
file == "fit.tsv" {
	if ($1 != 0)
		next
	launch = $2
	sub(/^fit tests\/time\/micro.ptx /, "", launch)
	fits[++n_fits] = launch
	active[launch] = $column["sm__cycles_active.max"]
	average[launch] = $column["sm__cycles_active.avg"]
	elapsed[launch] = $column["gpc__cycles_elapsed.max"]
	ns[launch] = $column["gpu__time_duration.sum"]
	reads[launch] = $column["dram__bytes_read.sum"]
	writes[launch] = $column["dram__bytes_write.sum"]
	sectors[launch] = $column["lts__t_sectors_srcunit_tex.sum"]
	hits[launch] = $column["lts__t_sectors_srcunit_tex_lookup_hit.sum"]
	if (launch ~ /^(nothing|spin)/) {
		idle = idle " " $column["lts__t_sectors.sum"]
		idle_hits = idle_hits " " $column["lts__t_sectors_lookup_hit.sum"]
	}
	next
}
{ card = FILENAME ~ /h100\/pipes/ ? "H100 " : ""; v[card $1 " " $2 " " $4] = $3; if ($1 == "pipe") pipe[$2] = $3 }

function median(text,   a, n, i, j, t) {
	n = split(text, a, " ")
	for (i = 1; i <= n; i++)
		for (j = i + 1; j <= n; j++)
			if (a[j] + 0 < a[i] + 0) { t = a[i]; a[i] = a[j]; a[j] = t }
	return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2
}
function need(key) {
	if (!(key in v)) {
		print "timings.awk: there is no row " key > "/dev/stderr"
		failed = 1
		exit 1
	}
	return v[key]
}
function row(id, value, unit, source) {
	printf "TIMING(%s, %.5g, \"%s\",\n\t\"%s\")\n", id, value, unit, source
}
# bytes in a cycle of all SMs, by the timer
function rate(what, shape,   name) {
	name = what " " shape " "
	return 1000 * need(name "GB/s") / need(name "MHz")
}
function rates(what, kernel, blocks, rounds, from, to,   log2, text) {
	for (log2 = from; log2 <= to; log2++)
		text = text " " rate(what, kernel " blocks=" blocks " threads=1024 log2bytes=" log2 " rounds=" rounds " own=0")
	return median(text)
}
function latencies(what, suffix, from, to,   log2, text) {
	for (log2 = from; log2 <= to; log2++)
		text = text " " need(what " log2bytes=" log2 suffix " cycles")
	return median(text)
}
# the first ring that L1 does not hold, of those at a carve-out
function first_miss(percent,   kib) {
	for (kib = 8; kib <= 272; kib += 8)
		if (need("l1_size carveout=" percent " stride=128 kib=" kib " cycles") > 45)
			return kib
	return 0
}
function span(blocks, threads, busy) {
	return need("blocks blocks=" blocks " threads=" threads " busy=" busy " cycles from the first begin to the last end of an SM")
}
# mean of a part of a histogram
function bin_mean(from, to,   i, n, all) {
	for (i = from; i <= to; i++) {
		n += v["l2_halves log2bytes=24 all SMs cycles=" i "0.." i "9 loads"]
		all += (10 * i + 5) * v["l2_halves log2bytes=24 all SMs cycles=" i "0.." i "9 loads"]
	}
	return all / n
}
# cycles of an instruction of a scheduler
function each(what, warps, chains,   key) {
	key = "pipe " what ", warps=" warps " chains=" chains " cycles per instruction of a scheduler"
	return need(key)
}
# of chains of dependent instructions; the least that a scheduler takes for one; begin and end of the kernel are part of what was measured
function chain(what) { return int(each(what, 1, 1)) }
function interval(what) { return int(each(what, 16, 8)) }
# cycles of a round of a kernel of tests/time/async.cu
function each_time(launch) {
	if (!((launch, 64) in async) || !((launch, 320) in async)) {
		print "timings.awk: there is no launch " launch > "/dev/stderr"
		failed = 1
		exit 1
	}
	return (async[launch, 320] - async[launch, 64]) / (320 - 64)
}
# cycles of a round of a kernel of tests/time/remote.cu, in one cluster of so many blocks
function remote_each(what, blocks, threads, arguments,   launch) {
	launch = "remote_" what "_" blocks " " blocks " " threads " " arguments
	if (!(launch in remote_rounds)) {
		print "timings.awk: there is no launch " launch > "/dev/stderr"
		failed = 1
		exit 1
	}
	return (remote_many[launch] - remote_few[launch]) / remote_rounds[launch]
}
function products(columns, times) { return each_time("async_products_" columns "_" times " 1 128 0 f32[1]") }
function need_sm_read() { return need("l2_bandwidth read_cg_16 blocks=1 threads=1024 log2bytes=23 rounds=64 own=0 bytes/cycle of a block") }
# cycles of all SMs for each time that atomics go through a sector; what an empty launch takes as well is that of one that is over soon
function no_work() { return atomic_elapsed["red_lines 1 256 0 u32:4095 u32:1 u32:32"] - atomic_active["red_lines 1 256 0 u32:4095 u32:1 u32:32"] }
function each_round(launch) {
	if (!(launch in atomic_rounds)) {
		print "timings.awk: there is no launch " launch > "/dev/stderr"
		failed = 1
		exit 1
	}
	return (atomic_elapsed[launch] - no_work()) / atomic_rounds[launch]
}
# cycles of a load of all SMs whose page has to be found; `reach` MiB of all that they have are found at once
function slower(mib) { return 1 / need("tlb_reads places=8192 mib=" mib " blocks=132 loads/ns") }
function second(threads) {
	return need("blocks blocks=8448 threads=" threads " busy=1000 cycles from the first begin to the second")
}
END {
	if (failed)
		exit 1
	print "/* TIMING(ID, value, unit, where it was read off)   the parameters of the model of time: an H200's (CC 9.0)."
	print " *"
	print " * Made from the tables of tests/time/h200 and, where the source says so, of tests/time/h100 by tests/time/timings.awk, which has the arithmetic; `make timings` makes it again."
	print " * No launch of tests/time/judge is among them. */"
	kib = first_miss(0) + 32
	if (first_miss(25) + 64 > kib) kib = first_miss(25) + 64
	row("L1_KIB", kib, "KiB", "l1_size: the first ring that misses, and the carve-out beside it (32 KiB reserved for 32 blocks; 64 KiB)")
	row("L1_GROUPS", (1856 - 64) / (need("l1_replacement n=1920 hits") - need("l1_replacement n=1984 hits")), "",
		"l1_replacement: a group of lines fails at a time when 64 lines are more than fit")
	row("L1_GROUP_LINES", 64, "lines", "l1_replacement: steps of 64 lines, each of another group")
	row("L1_HIT", need("l1_size carveout=0 stride=128 kib=128 cycles"), "cycles", "l1_size: a ring of 128 KiB")
	for (i = 25; i < 40; i++)
		loads += v["l2_halves log2bytes=18 all SMs cycles=" i "0.." i "9 loads"]
	for (i = 25; i < 40; i++) {
		before = sum
		sum += v["l2_halves log2bytes=18 all SMs cycles=" i "0.." i "9 loads"]
		if (before <= 0.05 * loads && sum > 0.05 * loads) fast = 10 * i
		if (before <= 0.95 * loads && sum > 0.95 * loads) slow = 10 * i
	}
	row("L2_SPREAD", slow - fast, "cycles", "l2_halves: 256 KiB from all SMs, the 95th percentile less the 5th")
	near = latencies("l2_latency", " again", 18, 28)
	row("L2_NEAR", near, "cycles", "l2_latency, again: 256 KiB to 256 MiB")
	row("L2_FAR", near + bin_mean(37, 60) - bin_mean(23, 36), "cycles",
		"l2_halves: of 16 MiB from all SMs, the loads of 370 to 609 cycles less the others, which are near")
	row("L2_FIRST", latencies("l2_latency", "", 18, 23), "cycles",
		"l2_latency, the first time: 256 KiB to 8 MiB, a line that one SM asks for first, wherever it is")
	row("DRAM", latencies("dram_latency", "", 18, 28), "cycles", "dram_latency: 256 KiB to 256 MiB")
	l1 = "l1_bandwidth read_ca_4 blocks=132 threads=1024 log2bytes=15 rounds=256 own=1 bytes/cycle of a block"
	row("LSU_REQUEST", 128 / need(l1), "cycles", "l1_bandwidth: 4 bytes of each lane, all hits")
	sub(/_4/, "_16", l1)
	row("LSU_LINE", 128 / need(l1), "cycles", "l1_bandwidth: 16 bytes of each lane, all hits: each wavefront of 128 bytes")
	one = "blocks=1 threads=1024 log2bytes=23 rounds=64 own=0 bytes/cycle of a block"
	row("SM_READ", need("l2_bandwidth read_cg_16 " one), "bytes/cycle", "l2_bandwidth: one SM reads")
	row("SM_WRITE", need("l2_bandwidth write_16 " one), "bytes/cycle", "l2_bandwidth: one SM writes")
	row("L2_READ", rates("bandwidth_by_size", "read_ca_4", 264, 128, 25, 25), "bytes/cycle",
		"bandwidth_by_size: read_ca_4 of 32 MiB, which L2 holds and L1 does not")
	row("L2_REQUESTS", rates("bandwidth_by_size", "read_random", 264, 16, 20, 24) / 4, "requests/cycle",
		"bandwidth_by_size: read_random, 1 to 16 MiB")
	sms = 132 * 4
	row("SM_PARTIAL", (each("global store 4, 8 lines", 32, 8) / 4 - 32) / 8, "cycles",
		"pipes: global store 4, 8 lines of four sectors of which each gets a word, one SM: more than whole sectors take, of each line")
	row("L2_STORES", sms * 32 / each("global store 4, 32 lines", "8", "8 on all SMs"), "lines/cycle",
		"pipes: global store 4, 32 lines, 8 warps of each SM")
	row("L2_SAME", each("global red, same", "32", "8 on all SMs") / sms, "cycles",
		"pipes: global red, same: one change of a word that all SMs change")
	row("L2_SAME_FLOAT", each_round("red_places_float 132 256 0 u32:0 u32:1 u32:0 u32:32") / each_round("red_places 132 256 0 u32:0 u32:1 u32:0 u32:32"), "",
		"H100, atomics: red_places_float, one word, as a multiple of the same on whole numbers")
	row("L2_SLICES", 2 * each_round("red_places 132 256 0 u32:0 u32:1 u32:0 u32:32") / each_round("red_places 132 256 0 u32:255 u32:32 u32:0 u32:32"), "",
		"H100, atomics: red_places, one word against a word of each of 256 lines, eight pages; of both halves")
	row("ATOMICS_HELD", (atomic_elapsed["red_places 132 32 0 u32:255 u32:1 u32:0 u32:16"] - no_work() - atomic_active["red_places 132 32 0 u32:255 u32:1 u32:0 u32:16"]) / \
		each_round("red_places 132 32 0 u32:255 u32:1 u32:0 u32:16") / 132, "rounds",
		"H100, atomics: red_places of 256 words by a warp of each SM: of an SM, not yet done when the warp ends")
	row("L2_REDUCTIONS", sms * 32 / each("global red, 32 lines", "8", "8 on all SMs"), "sectors/cycle",
		"pipes: global red, 32 lines, 8 warps of each SM")
	row("L2_ATOMICS", sms * 4 / each("global atomic", "32", "8 on all SMs"), "sectors/cycle", "pipes: global atomic, 32 warps of each SM")
	once = "read_ca_4 128 1024 0 u32[4194304]:iota u32:4194303 u32:4 u32:0 u64[512]"
	twice = "read_ca_4 128 1024 0 u32[8388608]:iota u32:8388607 u32:8 u32:0 u64[512]"
	# of so many MiB a share of 1 - reach / MiB is not found: what two sizes take says how large the reach is
	few = slower(512) / slower(2048)
	reach = (1 - few) / (1 / 512 - few / 2048)
	row("TLB_REACH", reach, "MiB", "H100, tlb: loads of all SMs from places in 512 MiB against 2 GiB")
	row("TLB_MISS", slower(2048) / (1 - reach / 2048) * need("l2_bandwidth read_cg_16 blocks=1 threads=1024 log2bytes=23 rounds=64 own=0 MHz") / 1000, "cycles",
		"H100, tlb: of such a load of all SMs in 2 GiB")
	row("TLB_LATENCY", (need("tlb_chase places=8192 mib=2048 cycles") - need("tlb_chase places=8192 mib=128 cycles")) / (1 - reach / 2048), "cycles",
		"H100, tlb: one load after the other, in 2 GiB more than in 128 MiB")
	row("FABRIC", 32 * (sectors[twice] - hits[twice] - sectors[once] + hits[once]) / (active[twice] - active[once]), "bytes/cycle",
		"fit: read_ca_4 of 32 MiB less that of 16 MiB, which L2 has: sectors that are not in the near half")
	row("DRAM_BYTES", rates("bandwidth_by_size", "read_ca_4", 264, 128, 28, 32), "bytes/cycle", "bandwidth_by_size: read_ca_4, 256 MiB to 4 GiB")
	row("DRAM_ACCESSES", rates("bandwidth_by_size", "read_random", 264, 16, 30, 32) / 4, "accesses/cycle",
		"bandwidth_by_size: read_random, 1 to 4 GiB")
	row("L2_QUEUE", need("under_load log2bytes=32 pause=0 cycles") - need("under_load log2bytes=32 pause=51200 cycles"), "cycles",
		"under_load: DRAM's latency while 131 SMs read as fast as they can, less that while they pause")
	random = "read_random 128 1024 0 u32[16777216]:iota u32:16777215 u32:16 u32:0 u64[512]"
	row("L2_MIB", 2 * 64 * (1 - reads[random] / 64 / sectors[random]), "MiB",
		"fit: read_random of 64 MiB, the share that did not come from DRAM, in both halves")
	row("L2_IDLE", median(idle), "sectors", "fit: looked up in L2 by launches that access nothing, the median")
	row("L2_IDLE_HITS", median(idle_hits), "sectors", "fit: of these, found")
	for (mib = 28; mib <= 60; mib += 4)
		row("GONE_" mib, fills["l2_read " mib " u32:1"], "of what is read", "caches: l2_read of " mib " MiB once, from DRAM")
	n = split("16 20 24 28 32 40 48 64", sizes, " ")
	for (i = 1; i <= n; i++)
		row("WRITTEN_" sizes[i], stored["l2_write " sizes[i] " u32:1"], "of what is stored", "caches: l2_write of " sizes[i] " MiB")
	n = split("8 14 16 18 20 22 24 28 32 48", sizes, " ")
	for (i = 1; i <= n; i++)
		row("COPIED_" sizes[i], stored["l2_copy " sizes[i] " u32:1"], "of what is stored", "caches: l2_copy of " sizes[i] " MiB")
	for (threads = 32; threads <= 1024; threads *= 2)
		row("BLOCK_" threads / 32, second(threads), "cycles", "blocks: from one begin to the second, " threads " threads")
	block_rate = (need("launch empty blocks=132000 threads=32 ns") - need("launch empty blocks=13200 threads=32 ns")) / 118800 * \
		need("l2_bandwidth read_cg_16 blocks=1 threads=1024 log2bytes=23 rounds=64 own=0 MHz") / 1000
	row("BLOCK_RATE", block_rate, "cycles", "launch: 132000 blocks less 13200, each block of the GPU")
	one = active["spin 132 256 0 u32:10000"]
	row("BLOCK_NEXT", median(((active["spin 1320 1024 0 u32:10000"] - second(1024) - 5 * one) / 4) " " \
		((active["spin 5280 256 0 u32:10000"] - 7 * second(256) - 7 * 132 * block_rate - 5 * one) / 4)), "cycles",
		"fit: spin, from a block's end to the next one's begin in its place, five waves of 256 and of 1024 threads")
	row("START", active["nothing 1 32 0"], "cycles", "fit: an SM with one warp that does nothing")
	row("WARP_START", (active["nothing 1 1024 0"] - active["nothing 1 32 0"]) / 31, "cycles", "fit: the same with 32 warps")
	for (i = 1; i <= n_fits; i++) {
		if (fits[i] ~ /^spin/)
			launches = launches " " elapsed[fits[i]] - active[fits[i]]
		clocks = clocks " " elapsed[fits[i]] / ns[fits[i]]
	}
	row("GUARD", 13, "cycles", "ptxas 13.0 for CC 9.0: the cycles that it puts between a comparison and a branch or guard that needs it")
	row("IMAD_INTERVAL", interval("imad"), "cycles", "pipes: imad")
	row("HIGH", chain("mul.hi"), "cycles", "pipes: mul.hi")
	row("HIGH_INTERVAL", interval("mul.hi"), "cycles", "pipes: mul.hi")
	row("CONVERT", chain("cvt"), "cycles", "pipes: cvt, between floats and integers")
	row("CONVERT_INTERVAL", interval("cvt"), "cycles", "pipes: cvt")
	row("CONVERT_DOUBLE", chain("cvt f64"), "cycles", "pipes: cvt f64")
	row("CONVERT_DOUBLE_INTERVAL", interval("cvt f64"), "cycles", "pipes: cvt f64")
	row("DIVIDE", chain("div.u32"), "cycles", "pipes: div.u32 by what stays the same in a loop")
	row("DIVIDE_INTERVAL", interval("div.u32"), "cycles", "pipes: div.u32 by what stays the same in a loop")
	# without the instruction that makes the next divisor odd
	by_another = "H100 pipe div.u32 by another, warps="
	each_one = " cycles per instruction of a scheduler"
	row("DIVIDE_BY_ANOTHER", need(by_another "1 chains=1" each_one) - 4, "cycles", "H100, pipes: div.u32 by another")
	row("DIVIDE_BY_ANOTHER_INTERVAL", need(by_another "32 chains=8" each_one) - 1, "cycles", "H100, pipes: div.u32 by another")
	sub(/u32/, "s32", by_another)
	row("DIVIDE_SIGNED", need(by_another "1 chains=1" each_one) - 4, "cycles", "H100, pipes: div.s32 by another")
	row("DIVIDE_SIGNED_INTERVAL", need(by_another "32 chains=8" each_one) - 1, "cycles", "H100, pipes: div.s32 by another")
	row("DIVIDE_BY_ANOTHER_SLOTS", 18, "machine instructions", "ptxas 13.0 for CC 9.0: what each of one to four div.u32 by another adds to a kernel")
	row("DIVIDE_SIGNED_SLOTS", 25, "machine instructions", "ptxas 13.0 for CC 9.0: the same with div.s32")
	row("DIVIDE_WIDE", chain("div.u64"), "cycles", "pipes: div.u64")
	row("DIVIDE_WIDE_INTERVAL", interval("div.u64"), "cycles", "pipes: div.u64")
	row("DIVIDE_FLOAT", chain("div.f32"), "cycles", "pipes: div.f32")
	row("DIVIDE_FLOAT_INTERVAL", interval("div.f32"), "cycles", "pipes: div.f32")
	row("DIVIDE_DOUBLE", chain("div.f64"), "cycles", "pipes: div.f64")
	row("DIVIDE_DOUBLE_INTERVAL", interval("div.f64"), "cycles", "pipes: div.f64")
	row("ROOT", chain("sqrt.f32"), "cycles", "pipes: sqrt.f32")
	row("ROOT_INTERVAL", interval("sqrt.f32"), "cycles", "pipes: sqrt.f32")
	row("PRODUCT_COLUMN", (products(256, 16) - products(64, 16)) / 16 / (256 - 64), "cycles",
		"H100, async: wgmma of 64 rows, 256 columns less 64: each column, of a scheduler's tensor cores")
	row("PRODUCT_WAIT", products(64, 16) - 16 * (products(256, 16) - products(64, 16)) / 16 / (256 - 64) * 64, "cycles",
		"H100, async: from the last of 16 wgmma's end until a warp that waits for them goes on")
	row("COPY_BYTES", 32768 / each_time("async_copies 1 32 131072 u32[1048576]:iota u32:32768 u32:4 u32:262143"), "bytes/cycle",
		"H100, async: bulk copies of 32 KiB, four under way, one SM")
	row("COPY_MORE", each_time("async_copy_each 1 32 2048 u32[131072]:iota u32:2048 u32:32767") - \
		each_time("async_copy_each 1 32 0 u32[131072]:iota u32:0 u32:32767") - near - 2048 / need_sm_read(), "cycles",
		"H100, async: a bulk copy of 2 KiB less what is there without it, and less what a load takes from L2")
	row("CLUSTER_LOAD", median(remote_each("chain_load", 2, 32, "1 1 0") " " remote_each("chain_load", 4, 32, "1 1 0") " " remote_each("chain_load", 8, 32, "1 1 0")),
		"cycles", "remote: a load from another block after the other, clusters of 2, 4 and 8, the median")
	row("CLUSTER_ATOMIC", median(remote_each("chain_atom", 2, 32, "1 1 0") " " remote_each("chain_atom", 4, 32, "1 1 0") " " remote_each("chain_atom", 8, 32, "1 1 0")),
		"cycles", "remote: the same with atomics")
	row("CLUSTER_OWN_LOAD", remote_each("chain_load", 2, 32, "0 1 0"), "cycles", "remote: by the same instruction from the own block")
	row("CLUSTER_OWN_ATOMIC", remote_each("chain_atom", 2, 32, "0 1 0"), "cycles", "remote: the same with atomics")
	row("CLUSTER_READ", remote_each("load", 4, 1024, "1 8 0 4") / 8 / 32 / 32, "cycles",
		"remote: loads of all blocks of four from the next one, each of 32 sectors")
	row("CLUSTER_WRITE", remote_each("store", 4, 1024, "1 8 0 4") / 8 / 32 / 32, "cycles", "remote: the same with stores")
	row("CLUSTER_CHANGE", remote_each("red", 4, 1024, "1 8 0 4") / 8 / 32 / 32, "cycles", "remote: the same with atomics")
	row("CLUSTER_SPREAD", remote_each("red", 4, 1024, "0 31153 1 4") / 8 / 32 / 24, "cycles",
		"remote: atomics to all blocks of four, each of 24 lanes that leave the own one; loads are as fast")
	row("CLUSTER_BARRIER", remote_each("barrier", 4, 32, "1"), "cycles", "remote: the barrier of clusters of four, one warp")
	row("CLUSTER_BARRIER_WARP", (remote_each("barrier", 4, 1024, "1") - remote_each("barrier", 4, 32, "1")) / 31, "cycles",
		"remote: the same by 32 warps, each more")
	row("LAUNCH", median(launches), "cycles", "fit: elapsed cycles less active ones, the median of spin")
	row("CLOCK", median(clocks), "GHz", "fit: elapsed cycles by time, the median")
}
