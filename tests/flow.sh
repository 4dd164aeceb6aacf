#!/bin/sh
# simttutor validate flow: random control flow by the compilers that are here, on the machine and against a stand-in for the GPU.
# The long form runs many programs; SIMTTUTOR_FLOW_COUNT and SIMTTUTOR_FLOW_SEED say how many and which.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
clang=$(command -v "${CLANG:-clang}") nvcc=$(command -v "${NVCC:-nvcc}")
[ -n "$clang$nvcc" ] || skip_all "needs a compiler of CUDA"
compiler=${clang:+clang} compiler=${compiler:-nvcc}
# Programs that the machine runs as it should; count and seed of the short form.
seed=40 count=23

flow() { capture "$simttutor" validate flow "$@"; }

# --- the machine -----------------------------------------------------------------------------------------------------
for name in clang nvcc; do
	if [ -z "$(eval echo "\$$name")" ]; then
		skip "$name: no program differs" "needs $name"
		continue
	fi
	[ $name = $compiler ] && n=$count || n=8
	flow --seed $seed --count $n --compiler $name
	ends 0 && said out "flow: the reference and the machine: seed $seed, $n runs of programs" && said out "$name, on the machine $n $n 0" &&
		said out 'no runs of programs differ from an exact rule'
	report $? "$name: no program differs"
done
# clang: lanes with different masks at one instruction; random orders, in which turns end by chance; ends whose stores become one;
# lanes that wait where others only may end; an exit behind the return. nvcc: returns that take the way of those that stay, out of
# loops, out of an arm that others jump into, before a do loop.
for one in clang:36 clang:308 clang:202 clang:205 clang:1 clang:94 clang:183 clang:788 nvcc:39 nvcc:200 nvcc:472 nvcc:572 nvcc:31001142 \
	nvcc:31002606 nvcc:31003580; do
	name=${one%:*} one=${one#*:}
	[ -n "$(eval echo "\$$name")" ] || skip "$name: program $one" "needs $name"
	[ -n "$(eval echo "\$$name")" ] || continue
	flow --seed $one --count 1 --compiler $name
	ends 0 && said out 'no runs of programs differ from an exact rule'
	report $? "$name: program $one does not differ"
done
flow --seed $seed --count 2 --compiler $compiler --format json
[ "$status" -eq 0 ] && [ "$(at campaign)" = '"flow"' ] && [ "$(at cases)" = 2 ] && [ "$(at differ)" = 0 ] && [ "$(at seed)" = $seed ] &&
	[ "$(at rules.0.rule)" = "\"$compiler, on the machine\"" ] && [ "$(at compared_with)" = '"the machine"' ]
report $? "the same in JSON"

# --- PTX that is kept, and one that is changed ------------------------------------------------------------------------
batch=$work/ptx/$seed-3-$compiler.ptx
flow --seed $seed --count 3 --compiler $compiler --batches "$work/ptx"
ends 0 && grep -q "^// simttutor flow [0-9]*: programs $seed to $((seed + 2)) by $compiler\$" "$batch" && [ "$(grep -c '\.entry' "$batch")" -eq 3 ]
report $? "--batches writes the PTX of all programs"
flow --seed $seed --count 3 --compiler $compiler --from "$work/ptx"
ends 0 && said out "$compiler, on the machine 3 3 0"
report $? "--from runs it, without a compiler"
NVCC=/none CLANG=/none flow --seed $seed --count 3 --compiler $compiler --from "$work/ptx"
ends 0
report $? "also where there is none"
# What the last kernel stores at its end is another number.
mkdir "$work/changed"
awk '{ line[NR] = $0; if ($1 ~ /^st\.global\./) last = NR }
	END { for (i = 1; i <= NR; i++) { if (i == last) { sub(/%r[0-9]+;/, "%planted;", line[i]); print ".reg .b32 %planted; mov.u32 %planted, 7;" } print line[i] } }' \
	"$batch" > "$work/changed/${batch##*/}"
flow --seed $seed --count 3 --compiler $compiler --from "$work/changed"
[ "$status" -eq 1 ] && said out "$compiler, on the machine 3 2 1" && said out "program $((seed + 2)): on the machine, order by number: " &&
	said out 'results differ, the first of thread ' && said out ': 0x7, and by the reference 0x' &&
	said out "simttutor validate flow --seed $((seed + 2)) --count 1" && said out '1 of 3 runs of programs differs from an exact rule'
report $? "a result that is another is reported, with the order, the thread and both; exit status 1"
flow --seed $((seed + 1)) --count 3 --compiler $compiler --from "$work/ptx"
[ "$status" -eq 1 ] && said err 'ptx' && said out '3 runs of programs gave nothing to compare'
report $? "PTX that is not there"
cp "$batch" "$work/changed/$((seed + 1))-3-$compiler.ptx"
flow --seed $((seed + 1)) --count 3 --compiler $compiler --from "$work/changed"
[ "$status" -eq 1 ] && said err 'it is not of these programs'
report $? "PTX of other programs"

# --- a program that differs is made smaller ---------------------------------------------------------------------------
# The compiler is one that makes every bar.warp.sync a bar.sync, so that programs with warp barriers fail.
cat > "$work/bad" <<END_OF_SCRIPT
#!/bin/sh
$(eval echo "\$$compiler") "\$@" || exit
sed -i 's/bar\.warp\.sync[^;]*;/trap;/' simttutor-kernel.ptx 2>/dev/null || :
END_OF_SCRIPT
chmod +x "$work/bad"
variable=CLANG
[ $compiler = clang ] || variable=NVCC
SIMTTUTOR_SANDBOX_READS=$work env $variable="$work/bad" "$simttutor" validate flow --seed 40 --count 3 --compiler $compiler \
	--keep "$work/kept" > "$work/out" 2> "$work/err"
status=$?
kept=$(find "$work/kept" -name '*.cu' 2> /dev/null | head -n 1)
[ $status -eq 1 ] && said err 'statements are in' && said out 'trap' && [ -s "$kept" ] && [ -s "${kept%.cu}.ptx" ] &&
	grep -q '^// simttutor flow .*trap' "$kept" && grep -q '__syncwarp' "$kept" && [ "$(grep -c '__syncwarp' "$kept")" -le 3 ]
report $? "--keep: what is left of it has what differs, and little else"

# --- a GPU -----------------------------------------------------------------------------------------------------------
flow --gpu "command:'$fake' machine" --seed $seed --count 4 --compiler $compiler
ends 0 && said out 'the machine and Fake GPU' && said out "$compiler, on the machine 4 4 0" && said out "$compiler, on the GPU 4 4 0"
report $? "--live: on the GPU, too"
flow --gpu "command:'$fake' flip" --seed $seed --count 2 --compiler $compiler
[ "$status" -eq 1 ] && said out "$compiler, on the GPU 2 0 2" && said out "on the GPU: its table of masks is not as it was" &&
	said out "simttutor validate flow --live --seed $seed --count 1"
report $? "a GPU with another result is reported"
flow --gpu "command:'$fake' error:kernel_fault" --seed $seed --count 8 --compiler $compiler
[ "$status" -eq 1 ] && said err 'as the test asked' && said err '5 programs in a row gave no results; stopped'
report $? "a GPU that takes none is given up"

# --- wrong arguments -------------------------------------------------------------------------------------------------
refuses() { # STATUS MESSAGE ARGUMENTS...
	wanted=$1 expected=$2
	shift 2
	capture "$simttutor" validate "$@"
	[ "$status" -eq "$wanted" ] && [ ! -s "$work/out" ] && said err "$expected"
	report $? "refused with $wanted: $expected"
}
refuses 2 'compare with what?' flow patterns
refuses 2 'are for the campaign flow' patterns --live --compiler clang
refuses 2 'expected nvcc or clang' flow --compiler gcc
refuses 2 'one or the other' flow --batches x --from y --seed 1
refuses 2 '--from DIR: with --seed' flow --from x
refuses 2 'are for the campaign instructions' flow --every
refuses 2 '--report is about a GPU' flow --report x.json
NVCC=/none CLANG=/none capture "$simttutor" validate flow --count 1
[ "$status" -eq 3 ] && [ -s "$work/err" ]
report $? "without a compiler, exit 3"
[ ! -e x ] && [ ! -e y ]
report $? "no folder is made for what is refused"

# --- many ------------------------------------------------------------------------------------------------------------
if long; then
	seed=${SIMTTUTOR_FLOW_SEED:-$(date +%s)} count=${SIMTTUTOR_FLOW_COUNT:-1000}
	note "seed $seed, $count programs"
	flow --seed "$seed" --count "$count" --keep "$work/many"
	note "$(cat "$work/out")"
	note "$(cat "$work/err")"
	! grep ': program [0-9]*: on the machine' "$work/out" | grep -v ': it reports: ' > "$work/wrong" && [ ! -s "$work/wrong" ]
	report $? "many programs, by all compilers that are here: no result is another"
	# Some 2 of 10,000 are accused of what PTX alone cannot tell from it.
	[ "$(awk '/, on the machine  / { cases += $(NF - 2); accused += $NF } END { print (cases > 0 && accused <= cases / 2000 + 1) }' "$work/out")" = 1 ]
	report $? "many programs: at most 1 of 2,000 is accused of something, or one"
	for file in "$work"/many/*.cu; do [ ! -e "$file" ] || note "$(cat "$file")"; done
fi
finish
