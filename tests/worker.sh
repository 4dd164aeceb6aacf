# simttutor-gpu as far as it goes without a GPU: options, the protocol, and an answer to everything.
worker=$top_builddir/simttutor-gpu
if [ ! -x "$worker" ]; then
	echo "1..0 # SKIP this build has no simttutor-gpu"
	exit 0
fi
n=0
check() { # NAME STATUS: the last command's status and $out are what they should be
	n=$((n + 1))
	if [ "$2" = 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		printf '%s\n' "$out" | sed 's/^/# /'
	fi
}
# Without a visible device the answers are the same on every machine, with or without a driver.
CUDA_VISIBLE_DEVICES=
export CUDA_VISIBLE_DEVICES

out=$("$worker" --help) && [ "$(printf '%s\n' "$out" | grep -c -e --device)" -ge 1 ]
check "--help names the options" $?
out=$("$worker" --version) && [ "${out#simttutor-gpu [0-9]}" != "$out" ]
check "--version" $?
for bad in "--device x" "--device -1" "--device 4294967296" "--device" "--nonsense" "word"; do
	out=$("$worker" $bad 2>&1 < /dev/null); [ $? = 2 ]
	check "$bad is wrong usage" $?
done
out=$("$worker" --probe); [ $? = 3 ] && printf '%s\n' "$out" | grep -Eq '"code":"(no_driver|driver_not_loaded|device_hidden)"'
check "--probe without a GPU says what is missing, exit 3" $?
out=$("$worker" < /dev/null)
[ $? = 0 ] && [ "$(printf '%s\n' "$out" | wc -l)" = 1 ] && printf '%s\n' "$out" | grep -q '"type":"hello","protocol":1'
check "an empty input gets a hello and an end" $?
out=$(printf '%s\n' '{"type":"probe","id":7}' '{"type":"measure","id":8,"ptx":"","launch":{"kernel":"k","grid":[1,1,1],"block":[1,1,1],"shared":0,"args":[]},"metrics":[],"buffers":false}' \
	'{"type":"measure","id":9,"ptx":"","launch":{"kernel":"k","grid":[1,1,1],"block":[1,1,1],"shared":0,"args":["u99:1"]},"metrics":[],"buffers":false}' \
	'{"type":"lines","id":11,"ptx":"","launch":{"kernel":"k","grid":[1,1,1],"block":[1,1,1],"shared":0,"args":[]},"metrics":[]}' \
	'oops' '{"type":"hello","protocol":1,"version":""}' '{"type":"quit"}' '{"type":"probe","id":10}' | "$worker")
lines=$(printf '%s\n' "$out" | sed -n 's/.*"id":\([0-9]*\),"code":"\([a-z_]*\)".*/\1 \2/p' | sed 's/no_driver\|driver_not_loaded/device_hidden/' | tr '\n' ';')
[ "$lines" = "7 device_hidden;8 device_hidden;9 bad_request;11 device_hidden;" ]
check "requests are answered under their numbers, up to quit" $?
[ "$(printf '%s\n' "$out" | grep -c '"error","code":"bad_request"')" = 2 ]
check "a broken line and a message that is no request are answered" $?
job='"launch":{"kernel":"k","grid":[1,1,1],"block":[1,1,1],"shared":0,"args":["b8[16]"]},"ptx":""'
out=$(printf '%s\n' '{"type":"sample","id":1,"metrics":["sm__cycles_active.sum"],"interval":0,'"$job}" '{"type":"stamp","id":2,"plain":"",'"$job}" \
	'{"type":"stamp","id":3,"plain":"","launch":{"kernel":"k","grid":[1,1,1],"block":[1,1,1],"shared":0,"args":[]},"ptx":""}' \
	'{"type":"sample","id":4,"metrics":[],"interval":-1,'"$job}" '{"type":"samples","id":5}' | "$worker")
[ "$(printf '%s\n' "$out" | grep -cE '"id":[12],"code":"(no_driver|driver_not_loaded|device_hidden)"')" = 2 ] && [ "$(printf '%s\n' "$out" | grep -c '"code":"bad_request"')" = 3 ]
check "samples and stamps need a GPU, and well-made requests" $?
gib='"u8[1073741824]"'
out=$(printf '{"type":"measure","id":3,"ptx":"","launch":{"kernel":"k","grid":[1,1,1],"block":[1,1,1],"shared":0,"args":[%s]},"metrics":[],"buffers":false}\n' \
	"$gib,$gib,$gib,$gib,$gib,$gib,$gib,$gib,$gib" | "$worker")
printf '%s\n' "$out" | grep -q '"id":3,"code":"out_of_memory","message":"the buffers hold 9216 MiB'
check "buffers that are too large together are refused" $?
echo "1..$n"
