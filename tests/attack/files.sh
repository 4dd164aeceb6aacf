#!/bin/sh
# Files that a command writes and reads by names from outside: nothing is replaced that is not the command's own, nothing waits for
# a file without end, nothing from elsewhere is shown or sent.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
kernel=$work/kernel.ptx
cat > "$kernel" <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry double(.param .u64 values)
{
	.reg .b32 %r<3>;
	.reg .b64 %a<4>;
	ld.param.u64 %a1, [values];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %a2, %r1, 4;
	add.s64 %a3, %a1, %a2;
	ld.global.u32 %r2, [%a3];
	add.u32 %r2, %r2, %r2;
	st.global.u32 [%a3], %r2;
	ret;
}
END
XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data
export XDG_STATE_HOME XDG_DATA_HOME TMPDIR

# All of it once as who runs this, and as root once more as somebody else, in a folder of theirs.
prefix= who=
as() { # USER: how commands are started and how tests are called
	case $1 in
	self) prefix= who= ;;
	user) prefix="setpriv --reuid=65534 --regid=65534 --clear-groups" who=" (as a user)" ;;
	esac
	dir=$work/$1
	XDG_STATE_HOME=$dir/state XDG_DATA_HOME=$dir/data TMPDIR=$work/tmp-$1
	mkdir -p "$dir" "$TMPDIR" && cd "$dir" || exit 99
	[ "$1" = self ] || chown 65534:65534 "$dir" "$TMPDIR"
}
chmod 711 "$work"
users=self
if [ "$(id -u)" -eq 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups "$simttutor" --version > /dev/null 2>&1 &&
	setpriv --reuid=65534 --regid=65534 --clear-groups cat "$kernel" > /dev/null 2>&1 && mkdir "$work/user" &&
	chown 65534:65534 "$work/user" && setpriv --reuid=65534 --regid=65534 --clear-groups sh -c 'cd "$0" && : > it && rm it' \
	"$work/user" > /dev/null 2>&1; then
	users="self user"
fi
tutor() { capture timeout 20 $prefix "$simttutor" "$@"; }
give() { [ -z "$who" ] || chown -h 65534:65534 "$@"; } # files made here become the user's
kind() { stat -c '%F %a' "$1" 2> /dev/null; }
probe() { tutor probe "$kernel" --grid 1 --block 32 --arg 'u32[32]:iota' "$@"; }

# --- what is replaced ----------------------------------------------------------------------------------------------------

writes() {
	probe --output new.ptx
	ends 0 && head -n 1 new.ptx | grep -q 'written by simttutor probe' && [ "$(find . -name '.simttutor*' | wc -l)" -eq 0 ]
	report $? "probe writes a new file$who"
	probe --output new.ptx
	ends 0
	report $? "probe replaces what it wrote$who"
	echo precious > mine.ptx && give mine.ptx
	tutor probe nothing.ptx --grid 1 --block 1 --output made/for/nothing.ptx
	ends 3 && tutor probe "$kernel" --grid 1 --block 1 --line 0 --output made/for/nothing.ptx
	ends 2 && tutor exercise nothing --dir made/for
	ends 2 && [ ! -e made ]
	report $? "no folder is left where nothing was written$who"
	probe --output made/for/new.ptx
	ends 0 && [ -f made/for/new.ptx ]
	report $? "the folders of an output are made$who"
	probe --output mine.ptx
	ends 2 && said err 'mine.ptx: --output: there is a file already that this command did not write; --force overwrites it' &&
		[ "$(cat mine.ptx)" = precious ]
	report $? "probe does not replace another file$who"
	chmod 640 mine.ptx && ln -s mine.ptx link.ptx
	probe --output link.ptx
	ends 2 && [ "$(cat mine.ptx)" = precious ]
	report $? "nor through a link$who"
	probe --output link.ptx --force
	ends 0 && [ -L link.ptx ] && grep -q '\.entry' mine.ptx && [ "$(kind mine.ptx)" = "regular file 640" ]
	report $? "--force replaces it, through a link, and keeps its mode$who"
	echo precious > locked.ptx && chmod 400 locked.ptx && give locked.ptx
	probe --output locked.ptx --force
	ends 1 && [ "$(cat locked.ptx)" = precious ] && [ "$(kind locked.ptx)" = "regular file 400" ]
	report $? "a read-only file is not replaced, not even with --force$who"
	ln -s nowhere dangling
	probe --output dangling
	ends 1 && said err 'dangling: cannot write: it is a link to a file that does not exist' && [ ! -e nowhere ]
	report $? "a link to nothing makes nothing$who"
	probe --output .
	ends 2 && said err 'it is a folder'
	report $? "a folder is no output$who"
}

# What is not waited for at once, since it takes a second: begun with `specials`, reported later.
unread() {
	probe --output unread
	ends 1 && [ -p unread ] && said err 'unread: cannot write: that FIFO has no reader'
}

specials() {
	mkfifo unread && chmod 622 unread && mkdir "$work/unread$who"
	(work=$work/unread$who && unread) &
	unread=$!
	mkfifo fifo && chmod 622 fifo
	timeout 10 cat fifo > read &
	reader=$!
	probe --output fifo
	wait $reader
	ends 0 && [ -p fifo ] && grep -q '\.entry' read
	report $? "a FIFO is written to$who"
	: > descriptor
	capture sh -c 'exec "$@" 7> descriptor' sh $prefix "$simttutor" probe "$kernel" --grid 1 --block 32 \
		--arg 'u32[32]:iota' --output /dev/fd/7
	ends 0 && grep -q '\.entry' descriptor && [ "$(kind descriptor)" = "$(kind read)" ]
	report $? "/dev/fd/N is that descriptor$who"
	echo mine > small.ptx && give small.ptx
	capture sh -c 'ulimit -f 1 && exec "$@"' sh $prefix "$simttutor" probe "$kernel" --grid 1 --block 32 \
		--arg 'u32[32]:iota' --output small.ptx --force
	ends 1 && said err 'small.ptx: cannot write: File too large' && [ "$(cat small.ptx)" = mine ] &&
		[ "$(find . -name '.simttutor*' | wc -l)" -eq 0 ]
	report $? "a limit of ulimit -f is an error$who"
}

real_devices() {
	before=$(stat -Lc '%F %t %T %a' /dev/null)
	probe --output /dev/null
	ends 0 && [ "$(stat -Lc '%F %t %T %a' /dev/null)" = "$before" ]
	report $? "a device is written to$who"
	probe --output /dev/full
	ends 1 && [ -c /dev/full ] && said err 'No space left'
	report $? "a full device is an error$who"
	probe --output /dev/stdout
	ends 0 && has '\.entry' && has 'records'
	report $? "/dev/stdout is standard output$who"
}

device_nodes() {
	if [ -w /dev ] && [ -z "$who" ]; then # a program with that fault would replace the real ones
		skip "real devices$who" "this user could replace them"
	else
		real_devices
	fi
	if mknod node c 1 3 2> /dev/null && (echo x > node) 2> /dev/null; then
		chmod 666 node
		probe --output node
		ends 0 && [ -c node ] && [ "$(stat -c '%t %T %a' node)" = "1 3 666" ]
		report $? "a device node stays one$who"
		rm -f node
	else
		skip "a device node stays one$who" "devices cannot be made here"
	fi
	if mknod block b 7 255 2> /dev/null; then
		chmod 666 block
		probe --output block
		ends 2 && [ -b block ] && said err -- '--force'
		report $? "a disk is not written to without --force$who"
		rm -f block
	else
		skip "a disk is not written to without --force$who" "devices cannot be made here"
	fi
}

leftovers() {
	for name in .simttutor-new-0123456789abcdef .simttutor-new-other new.ptx.12.new; do
		echo half > "$name"
		touch -d '2 hours ago' "$name"
		give "$name"
	done
	echo half > .simttutor-new-fedcba9876543210
	probe --output new.ptx
	ends 0 && [ ! -e .simttutor-new-0123456789abcdef ] && [ -e .simttutor-new-other ] && [ -e new.ptx.12.new ] &&
		[ -e .simttutor-new-fedcba9876543210 ]
	report $? "what an interrupted write left is removed, nothing else$who"
	rm -f .simttutor-new-* new.ptx.12.new
}

hidden_lessons() { # which cannot be read: list says so
	mkdir -p course/lessons/10-loop course/lessons/11-nowhere course/lessons/12-shut course/lessons/13-none course/kernels
	ln -s lesson.md course/lessons/10-loop/lesson.md
	ln -s missing.md course/lessons/11-nowhere/lesson.md
	ln -s 14-itself course/lessons/14-itself
	echo > course/lessons/12-shut/lesson.md && chmod 0 course/lessons/12-shut/lesson.md
	give course/lessons/12-shut/lesson.md
	SIMTTUTOR_DATA=$PWD/course && export SIMTTUTOR_DATA
	tutor list
	unset SIMTTUTOR_DATA
	[ "$status" -ne 0 ] && said err '10-loop/lesson.md: cannot open' && said err '11-nowhere/lesson.md: cannot open' &&
		said err '12-shut/lesson.md' && said err '14-itself/lesson.md: cannot open' && ! said err 13-none
	report $? "list names the lessons that cannot be read$who"
	rm -rf course
}

own_files() {
	echo precious > lesson.md
	tutor lesson new .
	ends 1 && [ "$(cat lesson.md)" = precious ]
	report $? "lesson new replaces nothing$who"
	mkdir -p unreadable && echo precious > unreadable/lesson.md && chmod 0 unreadable/lesson.md
	tutor lesson new unreadable
	ends 1 && [ -s unreadable/lesson.md ]
	report $? "nor what cannot be read$who"
	mkdir -p linked && ln -s ../target linked/lesson.md
	tutor lesson new linked
	ends 1 && [ ! -e target ]
	report $? "nor follows a link to nothing$who"
	mkdir -p exercises && ln -s ../target exercises/banks.cu
	tutor exercise banks --dir exercises
	ends 1 && [ ! -e target ]
	report $? "exercise follows no link to nothing$who"
	echo precious > recording && give recording
	tutor validate instructions --gpu "command:'$fake' machine" --seed 1 --count 1 --record recording
	ends 2 && [ "$(cat recording)" = precious ]
	report $? "validate --record does not replace another file$who"
	tutor validate instructions --gpu "command:'$fake' machine" --seed 1 --count 1 --record recording --force
	ends 0 && grep -q '^simttutor validate' recording
	report $? "but with --force$who"
	tutor validate instructions --gpu "command:'$fake' machine" --seed 1 --count 1 --record recording
	ends 0
	report $? "and its own without$who"
	mkdir -p kept && echo precious > kept/1.ptx
	tutor validate instructions --gpu "command:'$fake' flip" --seed 1 --count 1 --only add --keep kept
	ends 1 && [ "$(cat kept/1.ptx)" = precious ] && said err -- '--force'
	report $? "validate --keep does not replace another file$who"
	mkdir -p recorded/10-banks && echo precious > recorded/10-banks/recorded.json
	tutor record banks --gpu "command:'$fake' ok" --output recorded
	ends 2 && [ "$(cat recorded/10-banks/recorded.json)" = precious ]
	report $? "record --output does not replace another file$who"
}

# --- what is read --------------------------------------------------------------------------------------------------------

launch="--grid 1 --block 32 --arg u32[32]:iota"
# refused_at_once NAME WHY ARGUMENTS...: ends within seconds with status 3 or 1 or 2, and says why
refused_at_once() {
	name=$1 why=$2
	shift 2
	# shellcheck disable=SC2086
	tutor "$@"
	[ "$status" -ge 1 ] && [ "$status" -le 3 ] && said err "$why" && [ "$(wc -c < "$work/err")" -lt 5000 ]
	report $? "$name$who"
}

# A course with one lesson, whose files are links to what is asked: course FILE TARGET
course() {
	rm -rf course
	mkdir -p course/lessons course/kernels
	cp -r "$top_srcdir"/lessons/10-banks course/lessons/
	cp "$top_srcdir"/kernels/simt.h "$top_srcdir"/kernels/shared_[gs]* course/kernels/
	[ $# -eq 0 ] || { rm -f "course/$1" && ln -s "$2" "course/$1"; }
	[ -z "$who" ] || chown -R 65534:65534 course
}

endless() {
	rm -f fifo && mkfifo fifo
	for file in "$PWD/fifo" /dev/zero /proc/kmsg /proc/self/environ "$PWD"; do
		case $file in
		/proc/*) built_with HAVE_LINUX_MAGIC_H || continue ;; # nothing else tells them from other files
		esac
		case $file in
		/dev/*) why="it is a device" ;;
		*/fifo) why="it is a FIFO" ;;
		/proc/*) why="cannot" ;;
		*) why="it is a folder" ;;
		esac
		what=${file##*/}
		[ "$file" != "$PWD" ] || what="a folder"
		# shellcheck disable=SC2086
		refused_at_once "$what as PTX" "$why" run "$file" $launch
		[ "$what" = fifo ] || long || continue
		# shellcheck disable=SC2086
		refused_at_once "$what as commands" "$why" debug "$kernel" $launch --commands "$file"
		refused_at_once "$what as argument" "$why" run "$kernel" --grid 1 --block 32 --arg "u32[]:@$file"
		refused_at_once "$what as recording" "$why" validate --expect "$file"
		# of a folder, all kernels below it are checked
		[ "$what" = "a folder" ] || refused_at_once "$what as exercise" "$why" exercise banks --check "$file"
		ln -sf "$file" link.cu
		# shellcheck disable=SC2086
		refused_at_once "$what as CUDA for the worker" "$why" run link.cu $launch --gpu "command:$fake echo"
		rm -f link.cu
		for part in lessons/10-banks/lesson.md kernels/shared_stride.cu kernels/shared_stride.ptx lessons/10-banks/recorded.json; do
			course $part "$file"
			if [ $part = lessons/10-banks/lesson.md ]; then
				refused_at_once "$what as ${part##*/} for check" "$why" lesson check course/lessons/10-banks
			fi
			SIMTTUTOR_DATA=$PWD/course tutor show banks < /dev/null
			[ "$status" -le 3 ] && { said err "$why" || said out "$why" || [ "$what" = kmsg ]; } # which users may not open at all
			report $? "$what as ${part##*/}$who"
		done
		mkdir -p "$XDG_STATE_HOME/simttutor" && give "$XDG_STATE_HOME" "$XDG_STATE_HOME/simttutor"
		rm -f "$XDG_STATE_HOME/simttutor/progress.json"
		ln -s "$file" "$XDG_STATE_HOME/simttutor/progress.json"
		tutor list < /dev/null
		[ "$status" -eq 0 ] && said err "$why" && said err "progress is not kept" && [ -L "$XDG_STATE_HOME/simttutor/progress.json" ]
		report $? "$what as progress$who"
		rm -f "$XDG_STATE_HOME/simttutor/progress.json"
	done
	# shellcheck disable=SC2086
	refused_at_once "standard input without end" "larger than the limit" run - $launch < /dev/zero
	rm -f fifo
}

good_streams() {
	# shellcheck disable=SC2086
	capture sh -c 'cat "$1" | { shift; "$@"; }' sh "$kernel" $prefix "$simttutor" run - $launch
	ends 0
	report $? "PTX from standard input works$who"
	# shellcheck disable=SC2086
	capture sh -c 'cat "$1" | { shift; exec 7<&0 < /dev/null; "$@"; }' sh "$kernel" $prefix "$simttutor" run /dev/fd/7 $launch
	ends 0
	report $? "so it does from a descriptor, as of a process substitution$who"
	# shellcheck disable=SC2086
	capture sh -c 'echo step | { exec 7<&0 < /dev/null; "$@"; }' sh $prefix "$simttutor" debug "$kernel" $launch --commands /dev/fd/7
	ends 0
	report $? "and commands$who"
	# shellcheck disable=SC2086
	tutor debug "$kernel" $launch --commands /dev/null
	ends 0
	report $? "/dev/null is empty$who"
	printf '\357\273\277' | cat - "$kernel" > bom.ptx
	# shellcheck disable=SC2086
	tutor run bom.ptx $launch
	ends 0
	report $? "a byte order mark is no part of PTX$who"
	printf '\377\376.\0v\0' > utf16.ptx
	# shellcheck disable=SC2086
	tutor run utf16.ptx $launch
	ends 3 && said err 'utf16.ptx: is text in UTF-16; save it as UTF-8'
	report $? "text in UTF-16 is named$who"
	course
	printf '\357\273\277' | cat - "$top_srcdir/lessons/10-banks/lesson.md" > course/lessons/10-banks/lesson.md
	SIMTTUTOR_DATA=$PWD/course tutor show banks
	ends 0
	report $? "nor of a lesson$who"
}

# --- what is shown and sent ----------------------------------------------------------------------------------------------

# shows NAME: runs PTX that names this as its source
shows() {
	sed "s|^{|{\n\t.loc 1 1 0|" "$kernel" > sub/debug.ptx
	printf '.file 1 "%s"\n' "$1" >> sub/debug.ptx
	shift
	# shellcheck disable=SC2086
	tutor run sub/debug.ptx $launch "$@"
}

sources() {
	rm -rf sub outside
	mkdir -p sub/inner outside
	for file in sub/near.cu sub/inner/deep.cu here.cu outside/far.cu; do echo "canary of $file" > "$file"; done
	mkfifo sub/fifo.cu
	ln -s "$PWD/outside/far.cu" sub/link.cu
	ln -s /etc sub/etc
	give sub
	cd sub || exit 99
	for name in near.cu inner/deep.cu "$PWD/near.cu" ./inner/../near.cu /old/place/near.cu; do
		cd .. && shows "$name" && cd sub || exit 99
		ends 0 && printed out "canary of sub/"
		report $? "a source below the folder of the PTX is shown: ${name#"$PWD/"}$who"
	done
	cd ..
	shows here.cu
	ends 0 && printed out "canary of here.cu"
	report $? "one below the current folder is shown$who"
	for name in /etc/passwd ../../../../../../../../etc/passwd etc/passwd link.cu fifo.cu /dev/zero /proc/self/environ /proc/self/cmdline; do
		cd outside || exit 99
		cp -r ../sub . && shows "$name"
		cd ..
		rm -rf outside/sub
		[ "$status" -eq 0 ] && ! grep -qE 'root:|canary|PATH=|simttutor.run' "$work/out" &&
			[ "$(grep -c "the source that it names, $name, is not shown" "$work/err")" -eq 1 ]
		report $? "a source elsewhere is not shown: $name$who"
	done
	mkdir -p elsewhere && cp sub/near.cu elsewhere/other.cu
	mkdir -p empty && cp -r sub empty/
	cd empty || exit 99
	shows "$dir/elsewhere/other.cu"
	ends 0
	! printed out canary
	report $? "nor in a folder beside it$who"
	shows "$dir/elsewhere/other.cu" --source ../elsewhere
	ends 0 && printed out "canary"
	report $? "but with --source$who"
	cd ..
	rm -rf sub outside elsewhere empty
}

# sends LINE: compiles a kernel with this line through a worker that says what it got
sends() {
	printf '%s\n__global__ void k(int *p) { *p = 1; }\n' "$1" > cuda/k.cu
	# shellcheck disable=SC2086
	tutor run cuda/k.cu $launch --gpu "command:$fake echo"
}

headers() {
	mkdir -p cuda/inner outside
	echo '// near' > cuda/near.h
	echo '#include "../near.h"' > cuda/inner/deep.h
	echo '#include "../../outside/far.h"' > cuda/inner/leaves.h
	echo 'canary' > outside/far.h
	ln -s ../outside/far.h cuda/link.h
	ln -s ../outside cuda/folder
	mkfifo cuda/fifo.h
	give cuda
	for line in '#include "near.h"' '#include "inner/deep.h"' '#include "inner/../near.h"' '#include <simt.h>' '#include "./near.h"'; do
		sends "$line"
		[ "$status" -eq 1 ] && printed err 'k.cu:1: cc 90' && ! said err 'is not sent'
		report $? "sent: $line$who"
	done
	for line in '#include "../outside/far.h"' '#include "/etc/hostname"' '#include </etc/hostname>' '#include "/proc/self/environ"' \
		'#include "../../../../../../../../../../etc/hostname"' '#include "link.h"' '#include "folder/far.h"' '#include "fifo.h"' \
		'#include "inner/leaves.h"' '#include "/dev/zero"' '# /**/ include "../outside/far.h"' '#include "near.h/../../outside/far.h"'; do
		sends "$line"
		case $line in
		*'/**/'* | *near.h/*) ! said err canary && ! printed err 'far.h:1:' ;;
		*) [ "$status" -eq 1 ] && said err "is not sent to the GPU's worker" && ! printed err 'k.cu:1: cc' ;;
		esac
		report $? "not sent: $line$who"
	done
	head -c 17000000 /dev/zero | tr '\0' ' ' > cuda/large.h
	sends '#include "large.h"'
	ends 1 && said err 'large.h: larger than the limit'
	report $? "a huge header is not sent$who"
	rm -rf cuda outside
}

for user in $users; do
	as "$user"
	writes
	specials
	device_nodes
	leftovers
	hidden_lessons
	own_files
	wait $unread
	report $? "a FIFO without a reader holds nothing up$who"
	[ -z "$who" ] || long || continue # what is read is refused for what it is, whoever reads it
	endless
	good_streams
	sources
	headers
done
[ "$users" != self ] || skip "the same as a user" "it takes root, setpriv and folders that others can read"
finish
