# What the program keeps is its user's alone, whatever the umask: folders 0700, files 0600, no sockets.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
HOME=$work/home TMPDIR=$work/tmp LC_ALL=C.UTF-8
export HOME TMPDIR LC_ALL
unset XDG_STATE_HOME XDG_DATA_HOME
mkdir -m 700 "$HOME" "$TMPDIR"
umask 000
course=$work/course
mkdir -p "$course/lessons"
ln -s "$top_srcdir/kernels" "$course/kernels"
for lesson in 03-divergence 04-predication; do ln -s "$top_srcdir/lessons/$lesson" "$course/lessons"; done
drive=$top_builddir/tests/attack/drive

# What is there but for its user, or with a mode for others, below a folder.
shared() { find "$1" -mindepth 1 \( ! -user "$(id -u)" -o \( ! -type l -perm /077 \) -o -type s \) -exec stat -c '%n: %F, %A, %U' {} +; }

capture env SIMTTUTOR_DATA="$course" "$drive" nQ "$simttutor" learn predication/1 --gpu none
state=$HOME/.local/state/simttutor
[ "$status" -eq 0 ] && [ -s "$state/progress.json" ]
report $? "progress is saved"
report_none "nobody else sees it" "$(shared "$HOME")"
report_none "and nothing is left where temporary files are" "$(ls -A "$TMPDIR")"

chmod 777 "$state"
chmod 666 "$state/progress.json"
capture env SIMTTUTOR_DATA="$course" "$drive" nnQ "$simttutor" learn predication/1 --gpu none
report $? "a folder and a file that others may write to are the user's alone after the next save"
report_none "so they are" "$(shared "$state")"

echo damaged > "$state/progress.json"
capture env SIMTTUTOR_DATA="$course" "$drive" nQ "$simttutor" learn predication/1 --gpu none
[ -f "$state/progress.json.bad" ] && [ "$(stat -c %a "$state")" = 700 ]
report $? "a damaged file is kept in a folder of the user's own"

# A umask that takes the user's own rights away does not keep them from what they have made: files of progress, and of exercises.
for mask in 0777 0177; do
	rm -rf "$state"
	(umask $mask && capture env SIMTTUTOR_DATA="$course" "$drive" nQ "$simttutor" learn predication/1 --gpu none) &&
		[ "$(stat -c %a "$state" "$state/progress.json" | tr '\n' ' ')" = '700 600 ' ] &&
		capture env SIMTTUTOR_DATA="$course" "$drive" Q "$simttutor" learn predication/1 --gpu none
	[ $? -eq 0 ] && ! said err 'progress is not kept' && "$top_builddir/tests/json-get" lessons.predication.step < "$state/progress.json" > "$work/out"
	report $? "progress under umask $mask is saved and read again"
	(umask $mask && capture "$simttutor" lesson new "$work/new-$mask") && [ -r "$work/new-$mask/lesson.md" ] &&
		[ "$(stat -c %a "$work/new-$mask/lesson.md")" = 600 ]
	report $? "and a lesson is its author's"
done

# The compiler says what it sees while it runs, and what it makes.
printf ': > made; mkdir folder; find . ! -type l -exec stat -c "seen %%a %%F %%n" {} + >&2; exit 1\n' > "$work/acts"
printf '__global__ void k() {}\n' > "$work/k.cu"
capture env SEEN=/dev/null ACTS="$work/acts" NVCC="$top_srcdir/tests/attack/stand-in-nvcc" CLANG=: PTXAS=: \
	"$simttutor" run "$work/k.cu" --grid 1 --block 32 --arg 'u32[1]'
[ "$(grep -c '^seen ' "$work/err")" -ge 5 ]
report $? "a compiler runs in a folder of its own"
report_none "which is its user's alone" "$(grep '^seen ' "$work/err" | grep -v '^seen [4-7]00 ')"
report_none "and is gone afterwards" "$(ls -A "$TMPDIR")"

# The front end and its worker talk through pipes, which no one else has.
printf '#!/bin/sh\nls -l /proc/self/fd > %s\nexec %s ok\n' "$work/descriptors" "$fake" > "$work/worker"
chmod 700 "$work/worker"
capture "$simttutor" doctor --gpu "command:$work/worker"
[ "$status" -eq 0 ] && [ "$(grep -c ' [012] -> pipe:' "$work/descriptors")" -ge 2 ] && ! grep -q socket: "$work/descriptors"
report $? "a worker is given pipes and no sockets"

if [ "$(id -u)" -eq 0 ]; then
	rm -f "$state"/*.bad*
	echo '{"format": 1, "lessons": {}}' > "$state/progress.json"
	for theirs in "$state/progress.json" "$state"; do
		chown 65534 "$theirs"
		cp "$state/progress.json" "$work/before"
		capture env SIMTTUTOR_DATA="$course" "$drive" nQ "$simttutor" learn predication/1 --gpu none
		printed err 'belongs to another user; progress is not kept this time' && cmp -s "$state/progress.json" "$work/before"
		report $? "another user's ${theirs##*/} is neither read nor written"
		chown 0 "$theirs"
	done
else
	skip "another user's progress.json is neither read nor written" "only root can make one"
	skip "another user's simttutor is neither read nor written" "only root can make one"
fi
finish
