# Which files are opened, made, renamed and removed while the program handles what strangers wrote, as seen by strace: it writes below its
# own folders and to the outputs that were named, and reads the course, what is installed and what was named; nothing else.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
command -v strace > /dev/null || skip_all "there is no strace"
strace -f -o "$work/probe" true 2> "$work/err" || skip_all "processes cannot be traced here"
work=$(cd "$work" && pwd -P)
HOME=$work/home TMPDIR=$work/tmp XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/own LC_ALL=C.UTF-8 PTXAS=: CLANG=: HUNSPELL=:
real_nvcc=${NVCC:-:} NVCC=$top_srcdir/tests/attack/stand-in-nvcc SEEN=/dev/null CANARY=$work/outside/canary
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 # that checker traces, too
export HOME TMPDIR XDG_STATE_HOME XDG_DATA_HOME LC_ALL PTXAS CLANG HUNSPELL NVCC SEEN CANARY ASAN_OPTIONS
unset SIMTTUTOR_DATA TERMINFO TERMINFO_DIRS
mkdir -p "$HOME/.ssh" "$TMPDIR" "$XDG_STATE_HOME" "$XDG_CONFIG_HOME" "$XDG_DATA_HOME" "$work/outside" "$work/here" "$work/in/sub" "$work/trace"
echo canary > "$CANARY"
cp "$CANARY" "$HOME/.ssh/id"
drive=$top_builddir/tests/attack/drive
set -f # launches have [ and *

# --- the judge -----------------------------------------------------------------------------------------------------------

# Rules, a line each: `read PATH` and `write PATH`, where PATH is a file, or ends in / and is a folder with all below it; `out PATH`, a
# file that is replaced by one written beside it.
cat > "$work/usual" << END
read /usr/
read /lib/
read /lib64/
read /bin/
read /etc/ld.so.cache
read /etc/locale.alias
read /etc/terminfo/
read /etc/localtime
read /etc/alternatives/
read /etc/nsswitch.conf
read /etc/passwd
read /dev/urandom
read /dev/tty
read /proc/cpuinfo
read /proc/meminfo
read /proc/filesystems
read /proc/sys/vm/overcommit_memory
read /sys/devices/system/cpu/
write /dev/null
write /dev/tty
write $TMPDIR/
write $XDG_STATE_HOME/simttutor/
write $XDG_CONFIG_HOME/simttutor/
write $XDG_DATA_HOME/simttutor/
read $simttutor
END
! grep -q SIMT_COVERAGE_FOLDER "$top_builddir/config.h" || echo "write $top_builddir/" >> "$work/usual" # what gcov counts

# Which of the traced calls no rule allows. Every process has a file of its own, so that no line is cut in two.
cat > "$work/judge.awk" << 'END'
function allowed(path, access, i) {
	for (i = 0; i < n_rules; i++) {
		if (rule_access[i] == "read" && access != "read")
			continue
		if (path == rule_path[i] || (rule_path[i] ~ /\/$/ && index(path "/", rule_path[i]) == 1))
			return 1
		if (rule_access[i] == "out" && path == folder(rule_path[i]) && access == "read")
			return 1
		if (rule_access[i] == "out" && index(path, folder(rule_path[i]) "/.simttutor-new-") == 1)
			return 1
	}
	if (access == "read" && split(path, part, "/") > 2 && part[2] == "proc" && part[3] in traced)
		return 1
	return access == "read" && path ~ /^\/dev\/pts\//
}
function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
function judge(path, access, call) {
	n_judged++
	if (path ~ /^\/proc\/[0-9]+\/stat$/)
		path = "/proc/N/stat"
	if (!allowed(path, access))
		print access " " path ": " substr(call, 1, 300)
}
function whole(path, dir) { return path ~ /^\// ? path : dir "/" path }
# A call that changes what is there: each of its names, in the folder that stands before it.
function judge_names(line, dir, skip, base, token, rest) {
	base = dir
	rest = line
	while (match(rest, /(AT_FDCWD|[0-9]+)<[^>]*>|"([^"\\]|\\.)*"/)) {
		token = substr(rest, RSTART, RLENGTH)
		rest = substr(rest, RSTART + RLENGTH)
		if (token !~ /^"/) {
			base = token
			sub(/^[^<]*</, "", base)
			sub(/>$/, "", base)
		} else if (skip-- <= 0) {
			token = whole(substr(token, 2, length(token) - 2), base)
			judge(token, token ~ /\/\.\.(\/|$)/ ? "change by way of .." : "write", line)
		}
	}
}
function judge_open(line, result, flags) {
	flags = line
	gsub(/"([^"\\]|\\.)*"/, "", flags)
	if (flags ~ /O_PATH/)
		return
	result = line
	sub(/.* = [0-9]+</, "", result)
	sub(/>[^>]*$/, "", result)
	judge(result, flags ~ /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND/ ? "write" : "read", line)
}
function walk(pid, dir, line, call, name) {
	while ((getline line < (prefix pid)) > 0) {
		call = line
		sub(/\(.*/, "", call)
		if (line ~ / = \?$/) # its process was killed before it was done
			continue
		if (line ~ /= -1 E/) {
			if (line ~ /= -1 (EACCES|EPERM|EROFS)/ && refused_too && line ~ /O_WRONLY|O_RDWR|O_CREAT|^(mk|un|re|ch|li|sy)/)
				print "tried: " line
		} else if (call ~ /^(clone|clone3|fork|vfork)$/ && match(line, /= [0-9]+$/)) {
			name = substr(line, RSTART + 2)
			queue[n_queue++] = name
			where[name] = dir
		} else if (call == "chdir" && match(line, /"([^"\\]|\\.)*"/)) {
			dir = whole(substr(line, RSTART + 1, RLENGTH - 2), dir)
		} else if (call == "fchdir" && match(line, /<[^>]*>/)) {
			dir = substr(line, RSTART + 1, RLENGTH - 2)
		} else if (call ~ /^(open|openat|openat2|creat)$/) {
			judge_open(line)
		} else if (call == "execve") {
			match(line, /"([^"\\]|\\.)*"/)
			judge(whole(substr(line, RSTART + 1, RLENGTH - 2), dir), "read", line)
		} else if (call ~ /^[a-z]+[0-9]*$/ && line !~ /^(---|\+\+\+)/) {
			judge_names(line, dir, call ~ /^symlink/ ? 1 : 0)
		}
	}
}
BEGIN {
	while ((getline line < rules) > 0) {
		rule_access[n_rules] = substr(line, 1, index(line, " ") - 1)
		rule_path[n_rules++] = substr(line, index(line, " ") + 1)
	}
	n_pids = split(pids, pid, " ")
	for (i = 1; i <= n_pids; i++)
		traced[pid[i]]
	for (i = 1; i <= n_pids; i++) {
		while ((getline line < (prefix pid[i])) > 0)
			if (line ~ /^(clone|clone3|fork|vfork)\(/ && match(line, /= [0-9]+$/))
				child[substr(line, RSTART + 2)]
		close(prefix pid[i])
	}
	for (i = 1; i <= n_pids; i++)
		if (!(pid[i] in child)) {
			queue[n_queue++] = pid[i]
			where[pid[i]] = begin
		}
	for (i = 0; i < n_queue; i++)
		walk(queue[i], where[queue[i]])
	if (n_judged < 3)
		print "there is no trace"
}
END
calls='open openat openat2 creat rename renameat renameat2 unlink unlinkat rmdir mkdir mkdirat link linkat symlink symlinkat mknod mknodat
	truncate chmod fchmodat chown lchown fchownat utime utimes utimensat setxattr lsetxattr chdir fchdir clone clone3 fork vfork execve'
calls=$(printf '%s' "$calls" | tr -s '\n\t ' , | sed 's/^/?/; s/,/,?/g') # no machine has them all

# judged: what no rule of $work/rules allows in the last trace.
judged() {
	awk -v rules="$work/rules" -v prefix="$work/trace/t." -v begin="$work/here" -v refused_too="$refused_too" \
		-v pids="$(ls "$work/trace" | sed 's/^t\.//' | tr '\n' ' ')" -f "$work/judge.awk"
}
trace() { # COMMAND...: within a terminal of its own, if $keys are given
	rm -rf "$work/trace" && mkdir "$work/trace"
	(cd "$work/here" && timeout 60 ${keys:+"$drive" "$keys"} \
		strace --seccomp-bpf -ff -y -qq -s 5000 -o "$work/trace/t" -e trace=$calls "$@") > "$work/out" 2> "$work/err" < /dev/null
	status=$?
}
# observe STATUS RULE... -- ARGUMENTS...: runs simttutor; in $wrong is what the rules do not allow, and how it ended, if not so.
observe() {
	expected=$1
	shift
	cp "$work/usual" "$work/rules"
	while [ "$1" != -- ]; do
		case $1 in
		'rules '*) cat "${1#rules }" ;;
		*) echo "$1" ;;
		esac >> "$work/rules"
		shift
	done
	shift
	trace "$simttutor" "$@"
	wrong=$(judged)
	case " $expected " in
	*" $status "*) ;;
	*) wrong="status $status: $(head -c 500 "$work/err")
$wrong" ;;
	esac
	wrong=${wrong:+$*
$wrong
}
}
# traced NAME STATUS RULE... -- ARGUMENTS...: that as a test.
traced() {
	name=$1
	shift
	observe "$@"
	report_none "$name" "$(printf '%s' "$wrong" | head -n 10)"
}

cp "$work/usual" "$work/rules"
keys= refused_too=1
trace sh -c 'cd "$0" && exec 3< canary 4> new 5>> canary && mkdir folder && : > folder/in && ln -s / link && ln canary hard &&
	mv hard moved && rm moved && chmod 600 new && touch -d yesterday new && mkfifo fifo && rmdir ../outside/none; rm -r folder link fifo new
	cd "$1" && : > made && cat made ./../outside/canary && rm made' "$work/outside" "$TMPDIR"
judged > "$work/wrong"
missing=
for wrong in "read $CANARY: openat" "write $work/outside/new: openat" "write $CANARY: openat" "write $work/outside/folder: mkdir" \
	"write $work/outside/folder/in: openat" "write $work/outside/link: symlink" "write $work/outside/hard: link" \
	"write $work/outside/moved: rename" "write $work/outside/moved: unlink" "write $work/outside/new: fchmodat" \
	"write $work/outside/fifo: mknod" "write $work/outside/folder: unlink"; do
	grep -qF "$wrong" "$work/wrong" || missing="$missing
$wrong"
done
report_none "the judge finds each call that reads or changes what it may not" "$missing"
! grep "^[a-z]* $TMPDIR" "$work/wrong"
report $? "and allows what a rule allows"

# --- commands --------------------------------------------------------------------------------------------------------------

# Of the course, three lessons.
mkdir -p "$work/course/lessons"
cp -R "$top_srcdir/kernels" "$work/course/kernels"
for part in 03-divergence 04-predication 10-banks template.md; do cp -R "$top_srcdir/lessons/$part" "$work/course/lessons"; done
chmod -R u+w "$work/course"
SIMTTUTOR_DATA=$work/course
export SIMTTUTOR_DATA
lesson="read $work/course/"
here="read $work/here/" # the reader's current folder, where sources of PTX may be
cp "$top_srcdir/kernels/shared_stride.ptx" "$work/in/k.ptx"
printf '#include "near.h"\n__global__ void k() {}\n' > "$work/in/k.cu"
echo > "$work/in/near.h"
head -c 4096 /dev/zero > "$work/in/values"
stride="--grid 1 --block 32 --arg u32[1024]:iota --arg u32[32] --arg u32:2 --arg u32:32"

traced "list" 0 "$lesson" -- list
traced "show" 0 "$lesson" -- show predication/2 --format svg
traced "run of PTX" 0 "$lesson" "$here" "read $work/in/" -- run "$work/in/k.ptx" $stride
traced "run with an argument from a file" 0 "$lesson" "$here" "read $work/in/values" "read $work/course/kernels/" -- \
	run "$work/course/kernels/shared_stride.ptx" --grid 1 --block 32 --arg u32[]:@"$work/in/values" --arg u32[32] --arg u32:2 --arg u32:32
# A compiler, and its keeper, which looks for the processes that it left.
cat > "$work/compiling" << END
read $top_srcdir/tests/attack/stand-in-nvcc
read /proc/loadavg
read /proc
read /proc/N/stat
END
traced "run of CUDA" 0 "$lesson" "$here" "read $work/in/" "rules $work/compiling" -- run "$work/in/k.cu" --grid 1 --block 32 --arg u32[1]
echo show > "$work/commands"
traced "debug" 0 "$lesson" "$here" "read $work/in/" "read $work/commands" -- debug "$work/in/k.ptx" $stride --commands "$work/commands"
traced "lesson check" 0 "$lesson" "rules $work/compiling" -- lesson check "$work/course/lessons/04-predication"
traced "exercise --check" 0 "$lesson" -- exercise --check "$work/course/lessons/10-banks/exercise/solution.ptx" banks
traced "exercise" 0 "$lesson" "rules $work/compiling" -- exercise banks
traced "probe --output" 0 "$lesson" "$here" "read $work/in/" "out $work/out.ptx" -- probe "$work/in/k.ptx" $stride --output "$work/out.ptx"
traced "lesson new" 0 "$lesson" "write $work/new/" "write $work/new" -- lesson new "$work/new"
keys='nn e e Q'
traced "learn, with an exercise" 0 "$lesson" "rules $work/compiling" -- learn banks/exercise --gpu none
keys=
for behavior in count machine; do
	printf '#!/bin/sh\nexec %s %s\n' "$fake" "$behavior" > "$work/$behavior"
	chmod +x "$work/$behavior"
done
if long; then
	traced "doctor" 0 "read $work/count" "read $fake" "read $work/course/" -- doctor --gpu "command:$work/count"
	traced "record" 0 "$lesson" "$here" "read $work/count" "read $fake" "write $work/recorded/" "write $work/recorded" -- \
		record predication --gpu "command:$work/count" --output "$work/recorded"
	traced "validate --record" 0 "read $work/machine" "read $fake" "out $work/validated" "$lesson" -- \
		validate instructions --gpu "command:$work/machine" --seed 1 --count 1 --record "$work/validated"
	if [ "$real_nvcc" != : ]; then
		NVCC=$real_nvcc
		cuda=$(dirname "$(dirname "$(readlink -f "$(command -v "$real_nvcc")")")")
		traced "run of CUDA with nvcc" 0 "$lesson" "$here" "read $work/in/" "rules $work/compiling" "read $cuda/" -- \
			run "$work/in/k.cu" --grid 1 --block 32
		NVCC=$top_srcdir/tests/attack/stand-in-nvcc
	else
		skip "run of CUDA with nvcc" "it is not here"
	fi
fi

# --- hostile ones ------------------------------------------------------------------------------------------------------------

"$simttutor" doctor --gpu none --json > "$work/out" 2> "$work/err"
if [ "$(at confinement.landlock_abi)" -lt 1 ] 2> /dev/null || [ "$(at confinement.seccomp)" != true ]; then
	skip "hostile courses" "this kernel lacks Landlock or seccomp, which keep links from leading elsewhere"
	finish
	exit
fi
cat > "$work/in/acts" << 'END'
cat "$CANARY" "$HOME/.ssh/id" /etc/shadow
for path in "$CANARY" "$HOME/.ssh/new" "$PWD/../new" ../../in/k.cu ../../state/x /dev/shm/x /proc/self/oom_score_adj; do
	echo more >> "$path"
	rm -f "$path"
	mkdir "$path.folder"
	ln -s / "$path.link"
	mv simttutor-macros.h "$path.moved"
	chmod 777 "$path"
done
END
ACTS=$work/in/acts && export ACTS
refused_too=
traced "run of CUDA with a compiler that is not what it seems" 0 "$lesson" "$here" "read $work/in/" "rules $work/compiling" -- \
	run "$work/in/k.cu" --grid 1 --block 32 --arg u32[1]
unset ACTS

"$top_builddir/tests/attack/courses" 1 400 "$work/hostile" || exit 99
SIMTTUTOR_DATA=$work/hostile
any='0 1 2 3' hostile="read $work/hostile/"
traced "list of hostile courses" "$any" "$hostile" "$here" -- list
# over_lessons NAME FILE ARGUMENTS...: a test for some of the lessons, where FILE is one that is named, to be read wherever it leads; hN
# stands for a lesson's name and LESSON for its folder.
over_lessons() {
	many=$1 file=$2 found=
	shift 2
	for n in $(if long; then seq 0 13 399; else echo 140 150; fi); do
		folder=$work/hostile/lessons/$((n + 1))-h$n
		one() { printf '%s' "$1" | sed "s|LESSON|$folder|; s|hN|h$n|"; }
		observe "$any" "$hostile" "$here" "rules $work/compiling" "read $(readlink -f "$(one "$file")")" -- \
			$(for argument; do one "$argument"; echo; done)
		found="$found$wrong"
	done
	report_none "$many" "$(printf '%s' "$found" | head -n 10)"
}
over_lessons "lesson check of hostile lessons" LESSON lesson check --no-recorded LESSON
over_lessons "show of hostile lessons" LESSON show hN
for source in start.ptx start.cu; do
	over_lessons "hostile exercises, $source" LESSON/exercise/$source exercise hN --check LESSON/exercise/$source
done
hostile_ptx=$work/hostile/kernels/hN.ptx
over_lessons "hostile PTX" "$hostile_ptx" run "$hostile_ptx" --grid 1 --block 32 --arg u32[64] --arg u32:1 --steps 100000
keys='nn?nbe Q'
over_lessons "hostile lessons on the screen" LESSON learn hN --gpu none
keys=
finish
