# Makes src/model/hardware/roofs.def: of each kind of launches of tests/time/roofs the fastest, on each GPU.
#   awk -f roofs.awk tests/time/h200/roofs.tsv ...
BEGIN { FS = "\t" }
/^#/ {
	gpus[++n_gpus] = gpu = substr($0, 3, index($0, ",") - 3)
	measured[gpu] = substr($0, index($0, "driver"))
	head = 0
	next
}
!head { for (i = 1; i <= NF; i++) column[$i] = i; head = 1; next }
{
	split($2, word, " ")
	kind[gpu, $2] = word[1]
	launch = $2
	if ($1 == 0) {
		work[gpu, launch] = work_of(word[1])
		launches[gpu] = launches[gpu] "\n" launch
	}
	ns = $column["gpu__time_duration.sum"]
	if (ns > 0 && (!((gpu, launch) in time) || ns < time[gpu, launch]))
		time[gpu, launch] = ns
}
# operations, or bytes that the GPU counted at the memory in question
function work_of(kind) {
	if (kind == "dram" || kind == "copy")
		return $column["dram__bytes.sum"]
	if (kind == "l2")
		return 32 * $column["lts__t_sectors_srcunit_tex.sum"]
	if (kind == "l1")
		return all_made(32 * $column["l1tex__t_sectors.sum"])
	if (kind == "shared")
		return 128 * $column["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"]
	if (kind == "float")
		return $column["smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"] + $column["smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"] + \
			2 * $column["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"]
	if (kind == "tensor")
		return $column["sm__ops_path_tensor_op_hmma_src_fp16_dst_fp32.sum"]
	return 0
}
# What L1 was asked for; 0 where that is not what the launch says, eight loads of 16 bytes in each round of each thread: then a compiler has
# made a load of a place that stays once for all rounds.
function all_made(bytes,   word, n) {
	n = split($2, word, " ")
	sub(/u32:/, "", word[n])
	return bytes >= 128 * word[4] * word[5] * word[n] ? bytes : 0
}
END {
	print "/* ROOFS(GPU, with what and when it was measured, a ROOF(kind, value, the fastest launch) for each kind)"
	print " *"
	print " * Made from roofs.tsv of the folders of tests/time by tests/time/roofs.awk; `make roofs` makes it again. */"
	n_kinds = split("float tensor l1 shared l2 dram copy", kinds, " ")
	for (g = 1; g <= n_gpus; g++) {
		gpu = gpus[g]
		printf "ROOFS(\"%s\", \"%s\",", gpu, measured[gpu]
		n = split(substr(launches[gpu], 2), list, "\n")
		for (k = 1; k <= n_kinds; k++) {
			most = 0
			for (i = 1; i <= n; i++) {
				if (kind[gpu, list[i]] != kinds[k] || !(time[gpu, list[i]] > 0))
					continue
				rate = work[gpu, list[i]] / time[gpu, list[i]]
				if (rate > most) {
					most = rate
					fastest = list[i]
				}
			}
			if (most <= 0)
				continue
			sub(/^[a-z0-9]* [^ ]* /, "", fastest)
			printf "\n\tROOF(%s, %.5g, \"%s\")", toupper(kinds[k]), most, fastest
		}
		print ")"
	}
}
