# simttutor-gpu as far as it goes without a GPU: options, the protocol, and an answer to everything.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
needs_worker
# Without a visible device the answers are the same on every machine, with or without a driver.
CUDA_VISIBLE_DEVICES=
export CUDA_VISIBLE_DEVICES

capture "$worker" --help && has --device
report $? "--help names the options"
capture "$worker" --version && has '^simttutor-gpu [0-9]'
report $? "--version"
for bad in "--device x" "--device -1" "--device 4294967296" "--device" "--nonsense" "word"; do
	capture "$worker" $bad < /dev/null
	ends 2
	report $? "$bad is wrong usage"
done
capture "$worker" --probe
[ $status = 3 ] && grep -Eq '"code":"(no_driver|driver_not_loaded|device_hidden)"' "$work/out"
report $? "--probe without a GPU says what is missing, exit 3"
capture "$worker" < /dev/null
[ $status = 0 ] && [ "$(wc -l < "$work/out")" = 1 ] && has '"type":"hello","protocol":1'
report $? "an empty input gets a hello and an end"
printf '%s\n' '{"type":"probe","id":7}' '{"type":"measure","id":8,"ptx":"","launch":{"kernel":"k","grid":[1,1,1],"block":[1,1,1],"shared":0,"args":[]},"metrics":[],"buffers":false}' \
	'{"type":"measure","id":9,"ptx":"","launch":{"kernel":"k","grid":[1,1,1],"block":[1,1,1],"shared":0,"args":["u99:1"]},"metrics":[],"buffers":false}' \
	'{"type":"lines","id":11,"ptx":"","launch":{"kernel":"k","grid":[1,1,1],"block":[1,1,1],"shared":0,"args":[]},"metrics":[]}' \
	'oops' '{"type":"hello","protocol":1,"version":""}' '{"type":"quit"}' '{"type":"probe","id":10}' |
	capture "$worker"
lines=$(sed -n 's/.*"id":\([0-9]*\),"code":"\([a-z_]*\)".*/\1 \2/p' "$work/out" | sed 's/no_driver\|driver_not_loaded/device_hidden/' | tr '\n' ';')
[ "$lines" = "7 device_hidden;8 device_hidden;9 bad_request;11 device_hidden;" ]
report $? "requests are answered under their numbers, up to quit"
[ "$(grep -c '"error","code":"bad_request"' "$work/out")" = 2 ]
report $? "a broken line and a message that is not a request are answered"
job='"launch":{"kernel":"k","grid":[1,1,1],"block":[1,1,1],"shared":0,"args":["b8[16]"]},"ptx":""'
printf '%s\n' '{"type":"sample","id":1,"metrics":["sm__cycles_active.sum"],"interval":0,'"$job}" '{"type":"stamp","id":2,"plain":"",'"$job}" \
	'{"type":"stamp","id":3,"plain":"","launch":{"kernel":"k","grid":[1,1,1],"block":[1,1,1],"shared":0,"args":[]},"ptx":""}' \
	'{"type":"sample","id":4,"metrics":[],"interval":-1,'"$job}" '{"type":"samples","id":5}' |
	capture "$worker"
[ "$(grep -cE '"id":[12],"code":"(no_driver|driver_not_loaded|device_hidden)"' "$work/out")" = 2 ] && [ "$(grep -c '"code":"bad_request"' "$work/out")" = 3 ]
report $? "samples and stamps need a GPU, and well-made requests"
gib='"u8[1073741824]"'
printf '{"type":"measure","id":3,"ptx":"","launch":{"kernel":"k","grid":[1,1,1],"block":[1,1,1],"shared":0,"args":[%s]},"metrics":[],"buffers":false}\n' \
	"$gib,$gib,$gib,$gib,$gib,$gib,$gib,$gib,$gib" |
	capture "$worker"
has '"id":3,"code":"out_of_memory","message":"the buffers hold 9216 MiB'
report $? "buffers that are too large together are refused"
if ! grep -q '^#define WORKER_ONE_FILE 1' "$top_builddir/config.h"; then
	skip "the worker needs no library but those of C" "archives of its libraries are not here"
elif ! command -v readelf > /dev/null; then
	skip "the worker needs no library but those of C" "no readelf"
else
	others=$(readelf -d "$worker" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
		grep -vE '^(libc|libm|libdl|libpthread|librt|ld-linux.*|libc\.musl.*|libgcc_s|libasan|libubsan|libtsan|libgcov)\.so')
	report_none "the worker needs no library but those of C" "$others"
fi
finish
