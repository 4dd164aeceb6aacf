# A whole program that `simttutor run` starts leaves no process: not when it ends, and not when run is ended.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
if nm "$top_builddir/src/runtime/libcudart.so.13" | grep -q '__asan_init\|__tsan_init'; then
	skip_all "a library with sanitizers needs a program with them"
fi
case $("${CLANG:-clang}" --version 2> /dev/null) in
*"clang version 1"[4-9]*) NVCC=: && export NVCC ;;
*) skip_all "needs clang" ;;
esac
built_with HAVE_SYS_PRCTL_H || skip_all "what a program leaves becomes nobody's that would end it"
SIMTTUTOR_PROGRAMS=yes
export SIMTTUTOR_PROGRAMS
mkdir "$work/project" && cd "$work/project" || exit 99
cat > leaves.cu << 'E'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int n = atoi(argv[1]);
	cudaDeviceSynchronize();
	for (int i = 0; i < n; i++)
		if (fork() == 0) {
			setsid();
			signal(SIGTERM, SIG_IGN);
			if (fork() == 0) {
				FILE *list = fopen("left", "a");
				fprintf(list, "%d\n", (int)getpid());
				fclose(list);
				sleep(1000);
			}
			_exit(0);
		}
	for (int i = 0, c = 0; i < 1000 && c < n; i++, usleep(10000)) { /* they are there */
		FILE *list = fopen("left", "r");
		for (c = 0; list && fscanf(list, "%*d") == 0 && !feof(list); c++)
			;
		if (list)
			fclose(list);
	}
	if (argc > 2)
		raise(atoi(argv[2]));
	for (; argc > 1 && *argv[1] == '0' + 1 && argv[1][1] == 'x';) /* 1x: stay */
		sleep(1000);
	return 42;
}
E
capture_all "$simttutor" cc leaves.cu -o leaves
ends 0
report $? "a program that leaves processes is compiled"

nothing_left() {
	while read -r pid; do
		! kill -s 0 "$pid" 2> "$work/ignored" || return 1
	done < left
}
leaves() { # NAME STATUS ARGUMENT...
	leaves_name=$1 leaves_status=$2
	shift 2
	rm -f left
	capture "$simttutor" run ./leaves -- "$@"
	[ "$status" -eq "$leaves_status" ] && [ -s left ] && nothing_left
	report $? "$leaves_name"
}
leaves "what a program leaves in sessions of its own ends with it" 42 1
leaves "twenty of them" 42 20
leaves "also when a signal ended it" 139 1 11
SIMTTUTOR_CONFINE=no leaves "also without confinement" 42 1

for signal in KILL TERM HUP; do
	if sh -c "kill -s $signal \$\$"; then # under nohup, say
		skip "SIG$signal ends run, the program, and what it left" "the signal is ignored here"
		continue
	fi 2> "$work/ignored"
	rm -f left
	"$simttutor" run ./leaves -- 1x > "$work/out" 2> "$work/err" &
	run=$!
	eventually 30 test -s left
	kill -s "$signal" "$run"
	wait "$run" 2> "$work/ignored"
	eventually 30 nothing_left
	report $? "SIG$signal ends run, the program, and what it left"
done
finish
