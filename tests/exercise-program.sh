# An exercise that is a whole program: tests/lessons/program, compiled, run confined and graded, on the command line and in the tutor.
. "${top_srcdir:=.}/tests/terminal/lib.sh" || exit 99
if grep -q '^#define SIMT_SANITIZED' "$top_builddir/config.h"; then
	skip_all "a library with sanitizers needs a program with them"
fi
cp -R "$top_srcdir/include" "$course" # clang takes the names of CUDA from there
lesson=$top_srcdir/tests/lessons/program
exercise=$lesson/exercise
XDG_DATA_HOME=$work/data XDG_STATE_HOME=$work/state
export XDG_DATA_HOME XDG_STATE_HOME

answers 0 "program.cu" "one launch" "it prints what it should" "no misuse of CUDA" -- exercise "$lesson"
cmp -s "$exercise/start.cu" "$work/data/simttutor/exercises/tests/program.cu"
report $? "the start is copied"
answers 0 "(n + 255) / 256" -- exercise --hint 3 "$lesson"
answers 0 "cudaFree(out)" -- exercise --solution "$lesson"
NVCC=: CLANG=: answers 0 "mend: exercise; its programs are not tried: there is no compiler" -- lesson check "$lesson"
NVCC=: CLANG=: answers 3 "there is neither nvcc nor clang" -- exercise "$lesson"
[ "${NVCC:-:}" != : ] || [ "${CLANG:-:}" != : ] || {
	skip "programs are graded" "no compiler"
	finish
	exit 0
}

# --- agreement ----------------------------------------------------------------------------------------------------------
unset SIMTTUTOR_PROGRAMS
SIMTTUTOR_PROGRAMS=no answers 3 "only after you agreed" -- exercise "$lesson"
! grep -qF -e '--grid' "$work/out" "$work/err"
report $? "what it says is not about launches"
SIMTTUTOR_PROGRAMS=no answers 1 "only after you agreed" -- lesson check "$lesson"
SIMTTUTOR_PROGRAMS=yes
export SIMTTUTOR_PROGRAMS

# --- the author ---------------------------------------------------------------------------------------------------------
answers 0 "start fails: all memory is freed: leaks: 2" "wrong/leaks fails: all memory is freed: leaks: 2" \
	"wrong/past-the-end fails: with arguments 1000: past-the-end.cu:23: twice<<<4, 256>>>: line 11: out of bounds" \
	"wrong/strided fails: neighbors in memory for neighbors of a warp: load sectors / request: 32" \
	"wrong/on-the-host fails: one launch: launches: 0" "1 exercise, " "!is none" -- lesson check "$lesson"
cp -R "$lesson" "$work/program" && chmod -R u+w "$work/program"
cp "$exercise/solution.cu" "$work/program/exercise/wrong/leaks.cu"
cp "$exercise/wrong/on-the-host.cu" "$work/program/exercise/right/managed.cu"
rm "$work/program/exercise/wrong/strided.cu" "$work/program/exercise/wrong/past-the-end.cu"
answers 1 "exercise/wrong/leaks.cu passes, but it must not" "exercise/right/managed.cu is a solution, but: one launch: launches: 0" -- \
	lesson check "$work/program"

answers 0 "exercise/start.cu: a whole program, which needs no PTX" "!made" -- lesson build "$work/program"
[ ! -e "$work/program/exercise/start.ptx" ]
report $? "programs have no PTX beside them"

# --- the reader ---------------------------------------------------------------------------------------------------------
answers 0 "solved" "holds  one launch (launches: 1)" "holds  all memory is freed (leaks: 0)" \
	"holds  neighbors in memory for neighbors of a warp (load sectors / request: 4)" "3 launches" "!FAILS" -- \
	exercise --check "$exercise/solution.cu" "$lesson"
answers 1 "not solved yet" 'FAILS  the results are right (with arguments 1000: line 1 of its output is "n 1000 sum 589056", not "n 1000 sum 999000")' \
	"twice<<<0, 256>>> is not launched: a dimension is 0" -- exercise --check "$exercise/start.cu" "$lesson"
answers 1 '"solved": false' '"line": 11' -- exercise --format json --check "$exercise/wrong/past-the-end.cu" "$lesson"

# Those of a class, each in a process of its own.
mkdir "$work/class"
cp "$exercise/solution.cu" "$work/class/ada.cu"
cp "$exercise/start.cu" "$work/class/bob.cu"
answers 1 "ada.cu: solved" "bob.cu: not solved: all memory is freed: leaks: 2" -- exercise --check "$work/class" "$lesson"

# vary NAME SED: the solution, changed
vary() {
	sed "$2" "$exercise/solution.cu" > "$work/$1.cu"
	cmp -s "$work/$1.cu" "$exercise/solution.cu" && fail "$1 differs from the solution"
}
vary typo 's/cudaMalloc(&in/cudaMallok(\&in/'
answers 1 "typo.cu" "cudaMallok" -- exercise --check "$work/typo.cu" "$lesson"
vary chatty 's/return 0;/puts("done"); return 0;/'
answers 1 'without arguments: line 3 of its output is "done", where there is to be none' -- exercise --check "$work/chatty.cu" "$lesson"
vary silent 's/printf(argc/if (n != 33) printf(argc/'
answers 1 'with arguments 33 lines: its output ends before "n 33"' -- exercise --check "$work/silent.cu" "$lesson"
vary failing 's/return 0;/fprintf(stderr, "\\033]0;owned\\a out of luck\\n"); return 7;/'
answers 1 "without arguments: the program ended with exit status 7: " "out of luck" -- exercise --check "$work/failing.cu" "$lesson"
! LC_ALL=C grep -q "$(printf '\033')" "$work/out"
report $? "what it says controls no terminal"
vary aborts 's/return 0;/abort();/'
answers 1 "without arguments: the program ended with exit status 134" -- exercise --check "$work/aborts.cu" "$lesson"
vary unreported 's/return 0;/fflush(stdout); _Exit(0);/'
answers 1 "ended without its report" -- exercise --check "$work/unreported.cu" "$lesson"

# It is confined: it neither reads what is the reader's nor writes beside its own folder, and has no network.
if ! confines; then
	skip "a program is confined" "this system has nothing to do it with"
else
	mkdir "$work/home"
	echo secret > "$work/home/secret"
	sed "s|^int main.*|#include <sys/socket.h>\n&|; s|	printf(argc > 2|	FILE *s = fopen(\"$work/home/secret\", \"r\"), *w = fopen(\"$work/home/made\", \"w\");\n	if (s \|\| w \|\| socket(AF_INET, SOCK_STREAM, 0) >= 0)\n		puts(\"free\");\n&|" \
		"$exercise/solution.cu" > "$work/nosy.cu"
	answers 0 "solved" -- exercise --check "$work/nosy.cu" "$lesson"
	[ ! -e "$work/home/made" ]
	report $? "it has written nothing"
fi
if long; then
	vary endless 's/return 0;/for (;;) { cudaDeviceSynchronize(); usleep(10000); }/; 1i #include <unistd.h>'
	SIMTTUTOR_COMPILER_SECONDS=30 answers 1 "did not end within 30 s and was stopped" -- exercise --check "$work/endless.cu" "$lesson"
fi

# --- in the tutor -------------------------------------------------------------------------------------------------------
deadline=$((4 * deadline)) # nvcc, and three runs
own=$work/data/simttutor/exercises/tests/program.cu
rm -f "$own"
term_open 90 40 "XDG_DATA_HOME='$work/data'" "XDG_STATE_HOME='$work/state'" "SIMTTUTOR_PROGRAMS=yes" "NVCC='${NVCC-}'" "CLANG='${CLANG-}'"
run "simttutor --gpu none learn --watch-only '$lesson'"
expect "the goals" '○ one launch'
expect "what a program is to do" '○ it prints what it should'
expect "how to begin" 'Press e, then edit the program'
keys e
expect "the start fails" '✗ all memory is freed'
expect "and says by how much" 'leaks: 2'
expect "its output is quoted" 'sum 589056'
cp "$exercise/solution.cu" "$work/new" && mv "$work/new" "$own"
expect "the solution is seen when it is saved" '✓ Solved.'
expect "and explained" 'rounded up'
echo 'this is not CUDA' > "$own"
expect "what the compiler says" 'does not compile, or cannot be run'
keys Q
expect "a clean end" 'shell>'

# Who has not agreed is asked, and agrees for good.
term_open 90 40 "XDG_DATA_HOME='$work/data4'" "XDG_STATE_HOME='$work/state4'" "SIMTTUTOR_PROGRAMS=" "NVCC='${NVCC-}'" "CLANG='${CLANG-}'"
run "unset SIMTTUTOR_PROGRAMS; simttutor --gpu none learn --watch-only '$lesson'"
expect "the goals, again" '○ one launch'
expect "what a program may do" 'runs on this machine, confined'
keys e
expect "the first e asks" 'Once more to agree'
keys h e
expect "and so it does after another key" 'Once more to agree'
[ ! -f "$work/data4/simttutor/exercises/tests/program.cu" ] && [ ! -f "$work/state4/simttutor/programs" ]
report $? "and nothing is begun"
keys e
expect "the second one agrees" '✗ all memory is freed'
[ "$(cat "$work/state4/simttutor/programs")" = agreed ]
report $? "for this and all others"
keys Q
finish
