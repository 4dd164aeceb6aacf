# simttutor debug --dap: over pipes, as an editor starts it. What is said in which order: tests/unit/test_dap.c.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
kernels=$top_srcdir/tests/run
adapter=
clean_up() {
	[ -z "$adapter" ] || kill "$adapter" 2> /dev/null
	rm -rf "$work"
}

# begin: an adapter, to which `say` writes; what it answers is in $work/out, a message a line.
begin() {
	rm -f "$work/to"
	mkfifo "$work/to"
	"$simttutor" debug --dap "$@" < "$work/to" > "$work/raw" 2> "$work/err" &
	adapter=$!
	exec 3> "$work/to"
	seq=0
}
say() { # COMMAND ARGUMENTS
	seq=$((seq + 1))
	message="{\"seq\":$seq,\"type\":\"request\",\"command\":\"$1\",\"arguments\":{$2}}"
	printf 'Content-Length: %s\r\n\r\n%s' "$(printf %s "$message" | wc -c)" "$message" >&3
}
# await TEXT: until it is said.
answered() {
	tr -d '\r' < "$work/raw" | sed 's/Content-Length: [0-9]*$//' | grep . > "$work/out"
	grep -qF -e "$1" "$work/out"
}
await() { eventually 60 answered "$1"; }
leave() {
	say disconnect ''
	exec 3>&-
	wait "$adapter"
	status=$?
	adapter=
	answered '"command":"disconnect"'
}

begin
say initialize '"adapterID":"simttutor"'
await '"supportsStepBack":true'
report $? "it says what it can"
say launch "\"program\":\"$kernels/scan.ptx\",\"grid\":1,\"block\":128,\"arg\":[\"s32[128]:iota\",\"s32[128]\"]"
await '"event":"initialized"'
report $? "it launches a kernel, with options as members of the configuration"
line=$(grep -n 'total\[warp\] = sum' "$kernels/scan.cu" | cut -d: -f1)
say setBreakpoints "\"source\":{\"path\":\"/home/me/scan.cu\"},\"breakpoints\":[{\"line\":$line}]"
say configurationDone ''
await '"reason":"entry"'
report $? "and stops before the first instruction"
say continue '"threadId":1'
await '"reason":"breakpoint"'
report $? "a breakpoint of a source line"
say stackTrace '"threadId":1'
await "\"path\":\"$(cd "$kernels" && pwd)/scan.cu\"},\"line\":$line"
report $? "where it stopped, in the file that the client can open"
leave && [ "$status" = 0 ]
report $? "it ends with its client"

begin
say initialize '"adapterID":"simttutor"'
say launch "\"program\":\"$work/nothing.ptx\",\"grid\":1,\"block\":32"
await '"event":"terminated"' && answered '"success":false' && answered 'nothing.ptx: cannot'
report $? "what cannot be launched is answered with the reason"
leave
[ "$status" = 3 ]
report $? "and is the exit status"

begin "$kernels/scan.ptx" --grid 1 --block 128 --arg 's32[128]:iota' --arg 's32[128]'
say initialize '"adapterID":"simttutor"'
say launch '"stopOnEntry":false'
say configurationDone ''
await 'The kernel ran to its end'
report $? "options of the command line go before the configuration"
leave

# --- variables of the source ---------------------------------------------------------------------------------------------

begin
say initialize '"adapterID":"simttutor"'
await '"supportsSetVariable":true'
say launch "\"program\":\"$kernels/variables.ptx\",\"grid\":1,\"block\":32,\"arg\":[\"s32[32]\",\"(f32:1.5;f32:2;s32:3)\",\"f32[32]:iota\",\"s32:5\"]"
await '"event":"initialized"'
line=$(grep -n 'sum += t' "$kernels/variables.cu" | cut -d: -f1)
say setBreakpoints "\"source\":{\"path\":\"variables.cu\"},\"breakpoints\":[{\"line\":$line,\"condition\":\"j == 2 && odd\"}]"
say configurationDone ''
await '"reason":"entry"'
say continue '"threadId":1'
await '"reason":"breakpoint"'
report $? "a condition over variables of the source"
say scopes '"frameId":16'
await '{"name":"Variables","variablesReference":268435457'
say variables '"variablesReference":268435457'
await '{"name":"q","value":"{x = 1.5, y = 2, n = 3}, {x = 2.5,' && answered '{"name":"j","value":"2 in all lanes"'
report $? "their values and types are in a scope"
say setVariable '"variablesReference":268435457,"name":"j","value":"j + 2"'
await '"value":"4 in all lanes"'
say evaluate '"expression":"last[j - 1] * 10 + lane","context":"watch"'
await '"result":"30, 31, 32, 33,'
report $? "they are changed, and computed with"
leave

capture "$simttutor" debug --dap < /dev/null
ends 0
report $? "a client that says nothing"
printf 'GET / HTTP/1.1\r\n\r\n' > "$work/http"
capture "$simttutor" debug --dap < "$work/http"
[ "$status" = 0 ] && [ ! -s "$work/out" ]
report $? "one that speaks another language"

# --- whole programs -----------------------------------------------------------------------------------------------------

with_programs=false
nm "$top_builddir/src/runtime/libcudart.so.13" | grep -q '__asan_init\|__tsan_init' ||
	case $("${CLANG:-clang}" --version 2> /dev/null) in *"clang version 1"[4-9]*) with_programs=true ;; esac
if ! $with_programs; then
	skip "a whole program in an editor" "needs clang, and a library without sanitizers"
	finish
	exit 0
fi
cat > "$work/program.cu" << 'E'
#include <cstdio>
#include <cuda_runtime.h>
__global__ void twice(int *p) { p[threadIdx.x] *= 2; }
__global__ void more(int *p, int by)
{
	p[threadIdx.x] += by;
}
int main(int argc, char **argv)
{
	int *p;
	cudaMalloc(&p, 128);
	cudaMemset(p, 1, 128);
	printf("called with %s\n", argv[1]);
	twice<<<1, 32>>>(p);
	more<<<1, 32>>>(p, 7);
	cudaDeviceSynchronize();
	printf("unseen\n");
}
E
NVCC=:
SIMTTUTOR_PROGRAMS=yes
export NVCC SIMTTUTOR_PROGRAMS
begin
say initialize '"adapterID":"simttutor"'
say launch "\"program\":\"program.cu\",\"cwd\":\"$work\",\"launch\":\"kernel=more\",\"args\":[\"words\"],\"stopOnEntry\":false"
say setBreakpoints "\"source\":{\"path\":\"$work/program.cu\"},\"breakpoints\":[{\"line\":6}]"
say configurationDone ''
await '"reason":"breakpoint"' && answered 'called with words' && ! answered unseen
report $? "a whole program is run up to its launch; what it printed is the client's to show"
answered 'launch 2 of its program, at program.cu:15'
report $? "the host's line of the launch is said"
say evaluate '"expression":"x global %rd1 1","context":"repl"'
await '"result":"0x' && answered 33686018
report $? "with the memory that the launches before it have left"
leave
report $? "and it ends"

begin
say initialize '"adapterID":"simttutor"'
say launch "\"program\":\"program.cu\",\"cwd\":\"$work\",\"launch\":2,\"debug-info\":true,\"stopOnEntry\":false"
say setBreakpoints "\"source\":{\"path\":\"$work/program.cu\"},\"breakpoints\":[{\"line\":6},{\"line\":12}]"
await 'line=12\" in the configuration'
report $? "a breakpoint on a host's line says what can be done"
say configurationDone ''
await '"reason":"breakpoint"'
say evaluate '"expression":"by * 2 + p[threadIdx.x]","context":"hover"'
await '"result":"33686032 in all lanes"'
report $? "with debug information the program's variables have values"
leave
finish
