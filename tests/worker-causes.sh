# simttutor-gpu itself, with a driver and a CUPTI that are not there (tests/fake-cuda): every code that it can send is
# provoked, reported by doctor with its remedy in text and in JSON, and a lesson goes on with it.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
needs_worker
fake_cuda=$top_builddir/tests/fake-cuda
errors=$top_srcdir/src/gpu/wire/errors.def
stopped=
clean_up() {
	for p in $stopped; do kill -KILL "$p" 2> /dev/null; done
	rm -rf "$work"
}
LC_ALL=C.UTF-8 TERM=xterm SIMTTUTOR_QUEUE_DIR=$work
export LC_ALL TERM SIMTTUTOR_QUEUE_DIR
unset CUDA_VISIBLE_DEVICES CUDA_HOME CUDA_PATH SIMTTUTOR_FAKE_CUDA

# --- folders: libraries that do not load, and systems as they look from inside ---------------------------------------
mkdir -p "$work/broken" "$work/nocupti" "$work/oldcupti" "$work/lonely" "$work/empty"
for lib in libcuda.so.1 libcupti.so.13 libcupti.so.12 libcupti.so libnvperf_host.so libnvrtc.so.13 libnvrtc.so.12 libnvrtc.so; do
	echo "no library" > "$work/broken/$lib"
done
cp "$work/broken"/libcupti.so* "$work/nocupti"
ln -s "$fake_cuda/lib/libcuda.so.1" "$work/nocupti"
ln -s "$fake_cuda/lib/libcuda.so.1" "$fake_cuda/old/libcupti.so.13" "$work/oldcupti"
ln -s "$fake_cuda/lib/libcuda.so.1" "$fake_cuda/lib/libcupti.so.13" "$work/lonely"
cp "$work/broken/libnvperf_host.so" "$work/lonely"
system() { # NAME: a system where all is as it should be
	mkdir -p "$work/$1/proc/driver/nvidia" "$work/$1/proc/1" "$work/$1/dev"
	echo "RmProfilingAdminOnly: 1" > "$work/$1/proc/driver/nvidia/params"
	echo "Linux version 6.1" > "$work/$1/proc/version"
	touch "$work/$1/dev/nvidiactl" "$work/$1/dev/nvidia0"
}
for s in host container podman kube wsl nodes nogpu busy; do
	system $s
done
touch "$work/container/.dockerenv"
mkdir -p "$work/podman/run" && touch "$work/podman/run/.containerenv"
echo "0::/kubepods/burstable/pod1" > "$work/kube/proc/1/cgroup"
echo "Linux version 5.15.90.1-microsoft-standard-WSL2" > "$work/wsl/proc/version"
rm -r "$work/wsl/proc/driver" && touch "$work/wsl/dev/dxg"
rm "$work/nodes/dev/nvidiactl"
rm "$work/nogpu/dev/nvidia0"
mkdir -p "$work/busy/proc/77" && echo nv-hostengine > "$work/busy/proc/77/comm"

# --- one request at a time ---------------------------------------------------------------------------------------------
kernel() { # COMMENT BODY: the text of a PTX module, for JSON
	printf '.version %s\\n.target sm_%s\\n.address_size 64\\n%s\\n.visible .entry k(.param .u64 p)\\n{\\n\\tret;\\n}\\n' \
		"${version:-6.3}" "${target:-75}" "$1"
}
measure() { # PTX ARG: asks for a measurement of it
	printf '{"type":"measure","id":5,"ptx":"%s","launch":{"kernel":"k","grid":[%s,1,1],"block":[%s,1,1],"shared":0,"args":["%s"]%s},"metrics":["smsp__inst_executed.sum"],"buffers":true}\n' \
		"$1" "${grid:-2}" "${block:-64}" "$2" "${more-}"
}
code_in() { sed -n 's/.*"\(counters_error\|code\)":"\([a-z_]*\)".*/\2/p' | tail -n 1; }
seen=
provoked() { # NAME CODE: what the worker answered is CODE
	[ "$(code_in < "$work/out")" = "$2" ]
	report $? "$2: $1"
	seen="$seen $2"
}
try_measure() { # CODE COMMENT ARG
	measure "$(kernel "$2")" "$3" | capture_all "$worker"
}

# A worker that is stopped while it has the turn: reported after some seconds, so it is started first and looked at last.
LD_LIBRARY_PATH=$fake_cuda/lib SIMTTUTOR_SYSTEM_ROOT=$work/host
export LD_LIBRARY_PATH SIMTTUTOR_SYSTEM_ROOT
mkdir "$work/queue"
mkfifo "$work/fifo"
SIMTTUTOR_QUEUE_DIR=$work/queue "$worker" < "$work/fifo" > "$work/holder" 2>&1 &
holder=$!
stopped=$holder
exec 3> "$work/fifo"
measure "$(kernel)" "u32[4]" >&3
eventually 10 grep -q measurement "$work/holder"
kill -STOP $holder
mkfifo "$work/fifo2"
SIMTTUTOR_QUEUE_DIR=$work/queue SIMTTUTOR_QUEUE_SECONDS=3 "$worker" < "$work/fifo2" > "$work/waiter" 2>&1 3>&- &
exec 4> "$work/fifo2"
measure "$(kernel)" "u32[4]" >&4

measure "$(kernel)" "u32[]:1,2,3,4" | capture_all "$worker"
# 2 blocks of 64 threads, times 1000, and less than that for the name
has '"value":128[0-9][0-9][0-9]}.*"AQAAAAIAAAADAAAABAAAAA=="'
report $? "with nothing wrong, a kernel is measured"

# --- no GPU, no counters: what a probe says ------------------------------------------------------------------------------
# Some of it takes seconds, in which the counters may yet become free: what asks runs at once, each with a queue of its own.
# begin NAME COMMAND...: in the background. answer NAME: what it printed, as `capture` leaves it.
begin() {
	name=$1
	shift
	mkdir "$work/$name.queue"
	SIMTTUTOR_QUEUE_DIR=$work/$name.queue "$@" > "$work/$name.out" 2> "$work/$name.err" 3>&- 4>&- &
	eval "pid_$name=\$!"
}
answer() {
	eval "wait \$pid_$1"
	status=$?
	mv "$work/$1.out" "$work/out" && mv "$work/$1.err" "$work/err"
	return $status
}
answer_all() { # the same as capture_all
	answer "$1"
	cat "$work/err" >> "$work/out"
	return $status
}
doctor() { # CODE: doctor says it too
	remedy=$(sed -n "s/^WIRE_ERROR([A-Z_]*, \"$1\", \"\(.*\)\")/\1/p" "$errors")
	begin "$1_text" "$simttutor" doctor
	begin "$1_json" "$simttutor" doctor --format json
	begin "$1_lesson" "$simttutor" --gpu local show banks/2 --format text
	begin "$1_lesson_json" "$simttutor" --gpu local show banks/2 --format json
	answer_all "$1_text"
	[ $? = 3 ] && has "^$1: ." && grep -qxF "  $remedy" "$work/out"
	report $? "$1: doctor reports it with its remedy"
	answer_all "$1_json"
	[ $? = 3 ] && has "\"code\": \"$1\""
	report $? "$1: and as JSON"
	answer_all "$1_lesson"
	[ $? = 3 ] && said out "$(printf '%s' "$remedy" | cut -c1-40)" &&
		has 'recorded'
	report $? "$1: the lesson goes on with recorded numbers"
	answer "$1_lesson_json"
	[ $? = 3 ] && tr -d '\n' < "$work/out" | grep -q '"failure": *{ *"code": "'"$1"'"' &&
		has '"witness": "recorded"'
	report $? "$1: and in JSON"
}
cat > "$work/rows" << END
no_driver|broken|host||
driver_too_old|old|host||
driver_stub|lib|host|cuInit=34|
driver_mismatch|lib|host|cuInit=803|
driver_compat|lib|host|cuInit=804|
driver_not_loaded|lib|empty|cuInit=100|
driver_not_loaded|lib|empty|cuInit=999|
device_access|lib|nodes|cuInit=100|
device_access|lib|nogpu|cuInit=999|
device_hidden|lib|host|cuInit=100|empty
device_hidden|lib|host|devices=0|7
no_device|lib|host|cuInit=100|
no_device|lib|host|devices=0|
no_device|lib|wsl|cuInit=100|
not_ready|lib|host|cuInit=802|
not_licensed|lib|host|cuDevicePrimaryCtxRetain=102|
mps|lib|host|cuInit=805|
mps|lib|host|cuDevicePrimaryCtxRetain=807|
gpu_prohibited|lib|host|cuDevicePrimaryCtxRetain=46 computemode=2|
gpu_exclusive|lib|host|cuDevicePrimaryCtxRetain=46 computemode=3|
gpu_full|lib|host|cuDevicePrimaryCtxRetain=2|
gpu_lost|lib|host|cuDevicePrimaryCtxRetain=46|
gpu_lost|lib|host|cuInit=999|
gpu_lost|lib|host|cuDevicePrimaryCtxRetain=214|
no_cupti|nocupti|host||
cupti_too_old|oldcupti|host||
cupti_too_old|lib|host|cuptiRangeProfilerEnable=11|
cupti_driver_mismatch|lib|host|cuda=12080 cuptiProfilerInitialize=999|
no_nvperf|lonely|host|cuptiProfilerInitialize=999|
no_permission|lib|host|cuptiRangeProfilerEnable=35|
no_permission|lib|host|cuptiProfilerGetCounterAvailability=35|
other_profiler|lib|host|cuptiRangeProfilerEnable=26|
other_profiler|lib|host|cuptiRangeProfilerSetConfig=39|
mig|lib|host|cuptiProfilerGetCounterAvailability=43|
vgpu|lib|host|vGpu=1|
vgpu|lib|host|vGpu=2|
vgpu|lib|host|cuptiProfilerInitialize=33|
vgpu|lib|host|cuptiRangeProfilerEnable=40|
confidential_computing|lib|host|confidentialCompute=1|
confidential_computing|lib|host|cuptiProfilerInitialize=41|
sli|lib|host|sli=1|
sli|lib|host|cuptiProfilerInitialize=44|
cmp|lib|host|cmp=1|
cmp|lib|host|cuptiProfilerInitialize=42|
wsl|lib|wsl|wsl=1|
wsl|lib|wsl|cuptiProfilerInitialize=45|
unsupported_gpu|lib|host|cuptiDeviceGetChipName=46|
unsupported_gpu|lib|host|architecture=1 cc=60|
unsupported_gpu|lib|host|cc=70|
unsupported_gpu|lib|host|cuptiRangeProfilerEnable=27|
profiler|lib|host|cuptiRangeProfilerEnable=7|
END
look_at_row() { # the environment of $library, $root, $script and $visible
	case $library in
	broken | nocupti | oldcupti | lonely) LD_LIBRARY_PATH=$work/$library ;;
	*) LD_LIBRARY_PATH=$fake_cuda/$library ;;
	esac
	SIMTTUTOR_SYSTEM_ROOT=$work/$root SIMTTUTOR_FAKE_CUDA=$script
	export SIMTTUTOR_FAKE_CUDA
	unset CUDA_VISIBLE_DEVICES
	case $visible in
	empty) CUDA_VISIBLE_DEVICES= ; export CUDA_VISIBLE_DEVICES ;;
	?*) CUDA_VISIBLE_DEVICES=$visible ; export CUDA_VISIBLE_DEVICES ;;
	esac
}
row=0
while IFS='|' read -r code library root script visible; do
	row=$((row + 1))
	look_at_row
	begin row$row "$worker" --probe
done < "$work/rows"
library=lib root=busy script=cuptiRangeProfilerEnable=26 visible=
look_at_row
begin named env CUDA_INJECTION64_PATH=/opt/x/libinject.so "$worker" --probe
row=0
while IFS='|' read -r code library root script visible; do
	row=$((row + 1))
	look_at_row
	answer_all row$row
	provoked "$library, $root, ${script:-no script}${visible:+, CUDA_VISIBLE_DEVICES $visible}" "$code"
	case " $reported " in
	*" $code "*) ;;
	*) doctor "$code"; reported="$reported $code" ;;
	esac
done < "$work/rows"
unset CUDA_VISIBLE_DEVICES SIMTTUTOR_FAKE_CUDA
LD_LIBRARY_PATH=$fake_cuda/lib SIMTTUTOR_SYSTEM_ROOT=$work/host

capture_all "$worker" --probe --device 3
provoked "--device 3 of one" no_such_device

# What is found out besides.
SIMTTUTOR_FAKE_CUDA=cuptiRangeProfilerEnable=35
export SIMTTUTOR_FAKE_CUDA
capture "$worker" --probe
has 'RmProfilingAdminOnly is 1'
report $? "no_permission: what the driver's parameters say is quoted"
for at in host:host container:container podman:container kube:container wsl:wsl; do
	SIMTTUTOR_SYSTEM_ROOT=$work/${at%:*}
	capture "$simttutor" doctor --format json
	[ "$(sed -n 's/.*"place": "\(.*\)".*/\1/p' "$work/out" | head -n 1)" = "${at#*:}" ] &&
		[ "$(grep -c '"here": true' "$work/out")" = 1 ]
	report $? "no_permission: on ${at%:*}, what helps there comes first"
done
answer named
has 'nv-hostengine (process 77) runs here; CUDA_INJECTION64_PATH injects /opt/x/libinject.so'
report $? "other_profiler: those that run are named"
SIMTTUTOR_SYSTEM_ROOT=$work/host
unset SIMTTUTOR_FAKE_CUDA

# --- one launch ----------------------------------------------------------------------------------------------------------
measure "$(kernel)" u99:1 | capture_all "$worker"
provoked "an argument that is none" bad_request
measure hello "u32[4]" | capture_all "$worker"
provoked "PTX that is none" bad_ptx
measure "$(version=99.0 kernel)" "u32[4]" | capture_all "$worker"
provoked "a .version to come" ptx_too_new
has 'the PTX says .version 99.0, a driver of CUDA 13.0 takes up to 9.0'
report $? "ptx_too_new: both versions are named"
for cuda in "11080 78 7.8" "12040 84 8.4" "12060 85 8.5" "12080 87 8.7" "12090 88 8.8"; do
	set -- $cuda
	measure "$(version=9.0 kernel)" "u32[4]" | SIMTTUTOR_FAKE_CUDA="cuda=$1 ptx=$2" capture_all "$worker"
	has "takes up to $3"
	report $? "ptx_too_new: a driver of CUDA $1 takes $3"
done
measure "$(target=103 kernel)" "u32[4]" | capture_all "$worker"
provoked "a .target to come" ptx_other_gpu
has 'the PTX says .target sm_103, this GPU has compute capability 9.0'
report $? "ptx_other_gpu: both are named"
for result in 221 223; do
	measure "$(kernel)" "u32[4]" | SIMTTUTOR_FAKE_CUDA=cuModuleLoadDataEx=$result capture_all "$worker"
	provoked "loading answers $result" no_ptx_compiler
done
measure "$(kernel)" "u32[16777216]" | SIMTTUTOR_FAKE_CUDA=memory=1 capture_all "$worker"
provoked "a buffer larger than memory" out_of_memory
# Memory at addresses: two buffers in one page, one beyond it, the second with fewer bytes of data than it has.
more=',"memory":[{"address":18691697672192,"bytes":4,"data":"AQIDBA=="},{"address":18691697676288,"bytes":6,"data":"BQY="},{"address":18691701866496,"bytes":3,"data":""}]'
measure "$(kernel)" "b64:0x110000000000" | capture_all "$worker"
has '"buffers":\[null\],"memory":\["AQIDBA==","BQYAAAAA","AAAA"\]'
report $? "memory is at the addresses that a launch names, and comes back"
{ measure "$(kernel)" "b64:0x110000000000"; measure "$(kernel)" "b64:1" | sed 's/"id":5/"id":6/'; } | SIMTTUTOR_FAKE_CUDA=memory=7 capture_all "$worker"
[ "$(grep -c '"memory":\["AQIDBA=="' "$work/out")" = 2 ]
report $? "the next launch has the same addresses, and the memory of the one before is given back"
measure "$(kernel)" "b64:0x110000000000" | SIMTTUTOR_FAKE_CUDA=elsewhere=1 capture_all "$worker"
has '"buffers":\[null\],"memory":\["AQIDBA==","BQYAAAAA","AAAA"\]'
report $? "where the driver has other addresses, memory of the host is there"
measure "$(kernel)" "b64:0x110000000000" | SIMTTUTOR_FAKE_CUDA='elsewhere=1 cuMemHostRegister=801' capture_all "$worker"
provoked "neither the driver nor the host has the addresses" bad_launch
has 'its memory from 0x110000000000 to 0x110000200000 cannot be there on this GPU: CUDA_ERROR_801: as the test asked'
report $? "bad_launch: addresses that cannot be had are named"
measure "$(kernel)" "b64:0x110000000000" | SIMTTUTOR_FAKE_CUDA=cuMemMap=1 capture_all "$worker"
provoked "the driver maps no pages" bad_launch
measure "$(kernel)" "b64:0x110000000000" | SIMTTUTOR_FAKE_CUDA=memory=2 capture_all "$worker"
provoked "pages for memory at addresses are more than there is" bad_launch
more=
boxed='tensormap:{f16[64x8]:iota, box 64x4, swizzle 128}'
mapped=$(kernel | sed 's/\.param \.u64 p/.param .align 64 .b8 p[128]/')
measure "$mapped" "$boxed" | capture_all "$worker"
has '"type":"measurement"'
report $? "a tensor map with boxes is made"
measure "$mapped" "$boxed" | SIMTTUTOR_FAKE_CUDA=cuTensorMapEncodeTiled=1 capture_all "$worker"
provoked "a tensor map that the driver refuses" bad_launch
has 'the driver makes no such tensor map: CUDA_ERROR_1: as the test asked'
report $? "bad_launch: a tensor map that the driver refuses is named"
measure "$(kernel)" "$boxed" | capture_all "$worker"
provoked "a tensor map where the kernel takes an address" bad_launch
measure "$mapped" 'tensormap:{f16[64x9x9x2], pixels 16, channels 64, lower -1x-1, upper -1x-1}' | capture_all "$worker"
provoked "a tensor map of pixels" bad_request
compile='{"type":"compile","id":4,"file":"k.cu","source":"","headers":[],"defines":[]}'
printf '%s\n' "$compile" | LD_LIBRARY_PATH=$fake_cuda/lib:$work/broken capture_all "$worker"
provoked "an NVRTC that is no library" no_nvrtc
cancel='{"type":"cancel","id":5}'
{ measure "$(kernel)" "u32[4]"; echo "$cancel"; } | SIMTTUTOR_FAKE_CUDA=passes=3 capture_all "$worker"
provoked "given up between two passes" cancelled
{ measure "$(kernel)" "u32[4]"; echo "$cancel"; } | SIMTTUTOR_QUEUE_DIR=$work/queue capture_all "$worker"
has '"code":"cancelled","message":"it was canceled in the queue'
report $? "canceled: also who waits for others"
{ measure "$(kernel)" "u32[4]"; echo "$cancel"; } | SIMTTUTOR_FAKE_CUDA=passes=3 capture_all "$worker"
has '"type":"progress","id":5,"pass":1,"passes":3,"metrics":\[{"name":"smsp__inst_executed.sum","value":128'
report $? "canceled: what the first pass counted was reported"
{ measure "$(kernel)" "u32[4]"; echo "$cancel"; measure "$(kernel)" "u32[4]" | sed 's/"id":5/"id":6/'; } | SIMTTUTOR_FAKE_CUDA=passes=3 capture_all "$worker"
[ "$(grep -c '"type":"progress","id":6,"pass":[12],' "$work/out")" = 2 ] &&
	has '"type":"measurement","id":6,.*"passes":3,'
report $? "canceled: the next is measured, in all its passes"
{ measure "$(kernel)" "u32[4]"; echo '{"type":"cancel","id":9}'; } | SIMTTUTOR_FAKE_CUDA=passes=3 capture_all "$worker"
has '"type":"measurement","id":5,' && [ "$(grep -c '"id":9' "$work/out")" = 0 ]
report $? "canceled: only what is meant"
# What is counted per machine instruction comes in the last pass of the first measurement and, once there was time to go ahead of
# the others, in the first pass; all numbers are of the launch, none of what was run ahead.
quick() { measure "$(kernel)" "u32[4]" | sed 's/"smsp__inst_executed.sum"/"smsp__sass_inst_executed.sum",&/; s/"id":5/"id":'"$1/"; }
{
	quick 5
	for id in 6 7 8 9 10 11 12 13 14 15; do sleep 0.3 && quick $id; done
} | SIMTTUTOR_FAKE_CUDA='passes=3 quick=2' capture_all "$worker"
first='"pass":1,"passes":3,"metrics":\[{"name":"smsp__sass_inst_executed.sum","value":128...}\]'
has '"id":5,"pass":1,"passes":3,"metrics":\[{"name":"smsp__inst_executed.sum"' && has "$first" &&
	[ "$(sed -n 's/^{"type":"measurement","id":[0-9]*,\(.*\),"passes".*/\1/p' "$work/out" | sort | uniq -c | sed 's/ *\([0-9]*\).*/\1/')" = 11 ]
report $? "machine instructions are counted first, once their pass is the next"
{ measure "$(kernel)" "u32[4]"; measure "$(kernel)" "u32[4]" | sed 's/"id":5/"id":6/'; } | SIMTTUTOR_FAKE_CUDA=stuck=1 capture_all "$worker"
provoked "counters were read once and are no more" profiler_stuck
[ "$(grep -c '"id":6' "$work/out")" = 0 ]
report $? "profiler_stuck: the worker ends"
block=2048
measure "$(kernel)" "u32[4]" | capture_all "$worker"
provoked "a block too large" bad_launch
block=64
measure "$(kernel '// fake: launch=701')" "u32[4]" | capture_all "$worker"
provoked "too many registers" bad_launch
more=',"cooperative":true'
measure "$(kernel '// fake: cooperative=720')" "u32[4]" | capture_all "$worker"
provoked "a cooperative launch too large for the driver" bad_launch
grid=265
measure "$(kernel '// fake: resident=2')" "u32[4]" | capture_all "$worker"
has 'COOPERATIVE_LAUNCH_TOO_LARGE: a cooperative launch of 265 blocks; at most 264 are resident together: 2 on each of 132 SMs'
report $? "bad_launch: a cooperative launch too large says how many blocks fit"
grid=264
measure "$(kernel '// fake: resident=2')" "u32[4]" | capture_all "$worker"
has '"type":"measurement"'
report $? "a cooperative launch that just fits is made"
grid=2
more=
measure "$(kernel '// fake: cooperative=720')" "u32[4]" | capture_all "$worker"
has '"type":"measurement"'
report $? "a launch that is not cooperative is not made as one"
for result in 700 710 714 715 716 717 718 719; do
	measure "$(kernel "// fake: sync=$result")" "u32[4]" | capture_all "$worker"
	provoked "waiting answers $result" kernel_fault
done
measure "$(kernel '// fake: sync=702')" "u32[4]" | capture_all "$worker"
provoked "the display's watchdog" kernel_timeout
for result in 214 46; do
	measure "$(kernel "// fake: sync=$result")" "u32[4]" | capture_all "$worker"
	provoked "waiting answers $result" gpu_lost
done

# --- every row -----------------------------------------------------------------------------------------------------------
eventually 60 grep -q '"code"' "$work/waiter"
kill -KILL $holder
exec 3>&- 4>&-
cp "$work/waiter" "$work/out"
provoked "someone was stopped in their turn" busy
has "process $holder has kept this GPU for 3 s"
report $? "busy: the process is named"
# internal cannot be provoked
for code in $(sed '/known to the front end only/q' "$errors" | sed -n 's/^WIRE_ERROR([A-Z_]*, "\([a-z_]*\)".*/\1/p'); do
	case " $seen internal " in
	*" $code "*) ;;
	*) tap_result 'not ok' "$code is provoked" ;;
	esac
done
[ "$(printf '%s\n' $seen | sort -u | wc -l)" -ge 38 ]
report $? "$(printf '%s\n' $seen | sort -u | wc -l) codes were provoked"
finish
