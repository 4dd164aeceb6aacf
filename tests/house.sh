#!/bin/sh
# The habits that keep the house (HACKING.md): who may include whom, names, headers, and what else a look at the sources shows.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
cd "$top_srcdir/src" || exit 99
# A folder of src/ includes itself and what stands after its name here, by the last part of its path; only tui sees curses, only
# worker sees CUDA. A folder that has sources of its own and rooms (runtime) is one folder here.
rules='
base:
tools/sandbox: base
machine/warp: base
machine/launch: warp base
machine/ptx: warp base
machine/race: warp base
machine/simt: race ptx warp base
machine/snapshot: simt ptx launch warp base
model/hardware: warp base
model/probe: ptx wire launch hardware warp base
model/profile: snapshot simt ptx hardware launch warp base
model/validate: ptx hardware launch warp base
course/lesson: launch warp base
course/notes: base
course/grade: compile tutor experiment lesson snapshot profile ptx hardware sandbox base
course/experiment: lesson profile simt ptx hardware probe wire launch warp base
course/book: tutor experiment lesson view canvas client hardware warp base
gpu/wire: launch base
gpu/client: wire launch sandbox base
gpu/worker: wire launch warp sandbox base
tools/compile: profile hardware client wire launch warp sandbox base
front/canvas: base
front/view: canvas hardware warp base
front/tutor: experiment lesson profile probe simt ptx hardware view canvas client wire launch warp notes sandbox base
front/debug: lesson profile snapshot simt ptx hardware launch warp base
front/dap: debug wire profile simt ptx launch warp base
front/screen: tutor debug ptx view canvas client wire lesson hardware warp notes base
front/tui: screen tutor debug canvas client notes sandbox base
runtime: snapshot simt ptx race hardware warp base
cmd: *
'
find . -mindepth 2 -name '*.[ch]' | sed 's|^\./||' | LC_ALL=C sort > "$work/sources"
xargs grep -HnE '^#include "[a-z]+/' < "$work/sources" > "$work/includes"
folders=$(sed 's|/[^/]*$||; s|^runtime/.*|runtime|' "$work/sources" | sort -u)
for dir in $folders; do
	if ! allowed=$(printf '%s\n' "$rules" | grep "^$dir:"); then
		fail "$dir is in the list of folders"
		continue
	fi
	report_none "$dir includes only what it may" "$(awk -v dir="$dir" -v allowed="${allowed#*:} ${dir##*/}" '
		BEGIN { n = split(allowed, word, " "); for (i = 1; i <= n; i++) may[word[i]] = 1 }
		index($0, dir "/") == 1 {
			other = $0
			sub(/^[^"]*"/, "", other)
			sub(/\/[^\/]*$/, "", other)
			sub(/^runtime\/.*/, "runtime", other)
			sub(/.*\//, "", other)
			if (!(other in may) && !("*" in may && (other != "tui" || /"front\/tui\/tui\.h"/)))
				print
		}' "$work/includes")"
done
only() { # FOLDER PATTERN WHAT
	report_none "only $1 includes $3" "$(grep -rlE "^#include [<\"]$2" . | grep -v "^\./$1/")"
}
only front/tui '(n?curses|term)' curses
only gpu/worker '(cuda|cupti|nvperf)' "CUDA and CUPTI"
# named FILE...: what these Makefile fragments name, a word a line
named() { cat -- "$@" | tr -s '[:space:]' '\n' | sort -u; }
export LC_ALL=C # sort and comm agree
find . -name local.mk | xargs cat | named > "$work/named"
report_none "every source is in a Makefile fragment" "$(find . -mindepth 2 -name '*.[ch]' -o -mindepth 2 -name '*.def' | sed 's|^\.|src|' | sort | comm -23 - "$work/named")"
named ../kernels/local.mk ../lessons/local.mk > "$work/named"
report_none "every kernel and every file of a lesson is in a Makefile fragment" "$(cd .. &&
	find kernels lessons -type f -not -name '*.mk' -not -name '*.new' |
	awk -v named="$work/named" 'BEGIN { while ((getline line < named) > 0) is[line] = 1 }
		{ folder = $0; sub(/\/[^\/]*$/, "", folder) }
		!($0 in is) && !(folder in is)')"

# --- names -------------------------------------------------------------------------------------------------------------

# A name that others see begins with the name of its folder, or with a word that stands here, for one folder only; or it is one of
# CUDA's, which runtime emulates.
prefixes='
base: arena buf cksum clock demangle diag elf environment escape expr file hash key mangled narrow number pack path paths portable signals source text utf8 vec wrap
client: gpu
cmd: campaign course editor exercise explore measure output picture play probing program run spelling
compile: build cuda kernel ptxas renamed
experiment: experiments
grade: class
hardware: access bank blocks chip counter counts cache engine hostlog latency line listing local mask metric occupancy phase roof roofs schedule sector sums timeline timing value witness
profile: cubin
ptx: instr
runtime: array copy event executor fatbin graph ipc pool queue report running shared work
sandbox: confine foreground process scratch starter
tutor: recompile
worker: cause cupti driver facts input job library nvrtc plan profiler sampler sass serve session share surroundings tensor turn
'
allowed() { printf '%s\n' "$prefixes" | sed -n "s/^$1://p" | tr -s ' ' '\n' | grep .; }
for archive in "$top_builddir"/src/*/lib*.a "$top_builddir"/src/*/*/lib*.a; do
	dir=$(basename "${archive%/*}")
	nm -g --defined-only "$archive" 2> /dev/null | awk 'NF == 3 && $3 !~ /^_|^cu(da)?[A-Z]/ { print $3 }' | sort -u > "$work/symbols"
	{ echo "$dir" && allowed "$dir"; } > "$work/allowed"
	report_none "names that $dir gives to others begin with a word of its own" \
		"$(awk -F_ 'NR == FNR { ok[$1] = 1; next } !($1 in ok)' "$work/allowed" "$work/symbols")"
	report_none "every word that the list above has for $dir is used" "$(allowed "$dir" | while read -r word; do
		grep -q "^${word}\(_\|\$\)" "$work/symbols" || echo "$word"
	done)"
done
report_none "executors that ops.def picks as GROUP_NAME are in src/machine/simt/exec_GROUP*.c" \
	"$(nm -Ag --defined-only "$top_builddir"/src/machine/simt/libsimt.a 2> /dev/null |
		sed -n 's/.*-\(exec_[a-z_]*\)\.o:.* simt_pick_\([a-z0-9]*\)_\(.*\)/\1 \2 \3/p' |
		while read -r file group name; do
			case $file in "exec_$group" | "exec_${group}_"*) ;; *) echo "$file.c: simt_pick_${group}_$name" ;; esac
		done)"
report_none "no two folders have one word" \
	"$({ echo "$folders" | sed 's|.*/||'; printf '%s\n' "$prefixes" | cut -d: -f2 | tr -s ' ' '\n'; } | grep . | sort | uniq -d)"
report_none "tags of structs and enums are unique over src" \
	"$(grep -noE '^(static )?(const )?(struct|enum|union) [a-z_0-9]+ \{' $(cat "$work/sources") | sed 's/:[0-9]*:.*\(struct\|enum\|union\) / /; s/ {//' |
		awk '{ n[$2]++; files[$2] = files[$2] " " $1 } END { for (tag in n) if (n[tag] > 1) print tag ":" files[tag] }')"

# --- headers -----------------------------------------------------------------------------------------------------------

# WORKER_CPPFLAGS is empty where the toolkit's headers are not.
: "${CC:=cc}" "${HEADER_CPPFLAGS:=-DHAVE_CONFIG_H -I$top_builddir -I$top_srcdir/src}" "${WORKER_CPPFLAGS:=}"
grep '\.h$' "$work/sources" | if [ -n "$WORKER_CPPFLAGS" ]; then cat; else grep -v '^gpu/worker/'; fi > "$work/headers"
compiles() { # FILE...: by themselves, with all warnings; prints the errors
	# shellcheck disable=SC2086
	$CC -fsyntax-only -std=gnu11 -Wall -Wextra -Werror $HEADER_CPPFLAGS $WORKER_CPPFLAGS "$@" 2>&1
}
mkdir "$work/alone"
while read -r header; do
	printf '#include "config.h"\n#include "%s"\n' "$header" > "$work/alone/$(echo "$header" | tr / :).c"
done < "$work/headers"
{ echo '#include "config.h"'; sed 's/.*/#include "&"/' "$work/headers"; } > "$work/all.c"
compiles "$work/all.c" > "$work/out"
report $? "all headers of src compile in one translation unit"
compiles "$work/alone"/*.c > "$work/out"
report $? "every header of src compiles alone"

# What Linux has and other systems lack is below an #if, for which there is another way; the front end compiles without it
# (configure --enable-portable). Three files are compiled only where a system confines.
report_none "headers and calls of Linux are below an #if" "$({ cat "$work/sources"; ls *.c; } |
	grep -vE '^(gpu/worker|runtime)/|^tools/sandbox/(confine_landlock|confine_seccomp|starter)\.c$' | xargs awk '
	FNR == 1 { depth = 0 }
	/^#if/ { depth++ }
	/^#endif/ { depth-- }
	depth > 0 { next }
	/^#include <(linux\/|asm\/|(elf|malloc|link)\.h|sys\/(auxv|epoll|eventfd|inotify|prctl|random|sendfile|signalfd|syscall|sysinfo|sysmacros|timerfd|vfs|xattr)\.h)/ ||
	/(^|[^a-z_])(accept4|close_range|dup3|getrandom|memfd_create|mremap|pipe2|ppoll|prctl|renameat2|signalfd|sigtimedwait|strverscmp|syscall) ?\(/ ||
	/[^A-Z_](O_PATH|MSG_NOSIGNAL|SOCK_(CLOEXEC|NONBLOCK)|SO_PEERCRED|PR_SET_[A-Z_]+|POSIX_SPAWN_SETSID)[^A-Z_]/ ||
	/\.st_[amc]tim\>/ || /"\/proc\/self\/exe"\)/ { print FILENAME ":" FNR ": " $0 }')"

c=$(grep '\.c$' "$work/sources")

# --- what depends on what ------------------------------------------------------------------------------------------------

# Which sources see a header or table, by what they include, directly or not: "COUNT FILE" for each.
sed 's/:[0-9]*:/:/' "$work/includes" | awk '
	{
		file = other = $0
		sub(/:.*/, "", file)
		sub(/^[^"]*"/, "", other)
		sub(/".*/, "", other)
		sees[file] = sees[file] " " other
	}
	function reach(file,   n, i, word) {
		n = split(sees[file], word, " ")
		for (i = 1; i <= n; i++)
			if (!(word[i] in seen)) {
				seen[word[i]] = 1
				count[word[i]]++
				reach(word[i])
			}
	}
	END {
		for (source in sees)
			if (source ~ /\.c$/) {
				split("", seen)
				reach(source)
			}
		for (header in count)
			print count[header], header
	}' > "$work/fan-out"
# Tables that grow: how many objects a new row compiles anew, at most.
while read -r limit table; do
	count=$(sed -n "s|^\([0-9]*\) $table\$|\1|p" "$work/fan-out")
	[ "${count:-0}" -le "$limit" ]
	report $? "at most $limit sources see $table${count:+ (they are $count)}"
done << EOT
40 machine/ptx/ops.def
110 machine/ptx/kinds.def
30 front/view/views.def
80 model/hardware/metrics.def
10 cmd/commands.def
EOT
# What is below everything is seen by everything; the rest by those that need it.
report_none "no header above base and warp is seen by more than 310 sources" \
	"$(awk '$1 > 310 && $2 !~ /^(base|machine\/warp)\// { print $2 ": " $1 }' "$work/fan-out")"

# --- habits ------------------------------------------------------------------------------------------------------------

report_none "no line of C is wider than 120 columns, but for texts and macros" "$(cd "$top_srcdir/src" && for file in $(cat "$work/sources"); do
	expand -t 8 "$file" | awk -v file="$file" 'length($0) > 120 && !/"/ && !/\\$/ { print file ":" FNR }'
done)"
report_none "no name of a static function is in more than three files, so that one can search for it" "$(
	grep -nE '^static [a-z].*\(' $c | sed -nE 's/__attribute__\(\([a-z_]+\)\)//; s/^([^:]*):[0-9]+:static [^(]*[ *]([a-z_0-9]+)\(.*/\2 \1/p' | sort -u |
		awk '{ n[$1]++; files[$1] = files[$1] " " $2 } END { for (name in n) if (n[name] > 3) print name ":" files[name] }')"
report_none "numbers are read by strto*, or by sscanf with a width: others overflow" \
	"$(grep -nE 'scanf\(.*%l*[diuxfg]|\b(atoi|atol|atoll|atof)\(' $c)"
# What others wrote reaches an output through a few functions: cmd_print and its like (cmd/cmd.h), the canvas on the terminal
# (front/tui/term.c), the worker's own answers and usage, and a whole
# program's output with what is said of it (runtime/state.c); and libraries that have not found the one that says it.
report_none "only these write to standard output or standard error" "$(grep -nE \
	'\b(v?f?printf|vprintf|f?puts|f?putc|putchar|fwrite|perror|dprintf|psignal|f?putws|f?wprintf|warnx?|errx?) ?\(|\b(write|file_put)\((STD|[12],)' $(cat "$work/sources") |
	grep -vE '^(cmd/cmd\.c|front/tui/term\.c|gpu/worker/(main|relay|share)\.c|base/arena\.c|runtime/(state|linked|driver/libcuda|driver/libnvrtc)\.c):')"
cd ..
# Without it $work would be empty, and what is below it everybody's; bash alone goes on.
report_none "a script ends where one that it sources is missing" \
	"$(grep -nE '^[[:space:]]*\. ' tests/*.sh tests/*/*.sh man/*.sh doc/*.sh | grep -v '|| exit 99$')"
# American spelling; the prose of lessons is checked by `lesson check`.
report_none "the spelling is American" "$(grep -rniE '(^|[^a-z])(un|re|de)?(initial|serial|synchron|util|recogn|optim|organ|normal|visual|special|general|minim|maxim|emphas|summar|parallel|vector|token|random|categor|local|final|material|real)i[s](e|ed|es|er|ers|ing|ation|ations)([^a-z]|$)|(^|[^a-z])analy[s](e|ed|es|ing)([^a-z]|$)|colo[u]r|behavio[u]r|neighbo[u]r|favo[u]r|hono[u]r|(^|[^a-z])(cent[r]e|met[r]e|fib[r]e|gr[e]y|wh[i]lst|amongst|learn[t]|spel[t]|defenc[e]|licenc[e]|catalogu[e]|judgemen[t]|program[m]e|artefac[t])s?([^a-z]|$)|(label|model|signal|travel)l(ed|ing|er)([^a-z]|$)' \
	src man README.md HACKING.md doc bootstrap configure.ac Makefile.am tests/*.sh tests/*/*.sh tests/*/*.c --include='*.[ch1-9]' --include='*.def' \
	--include='*.md' --include='*.sh' --include='*.in' --include='*.mk' --include=bootstrap --exclude=house.sh | cut -c1-160)"
finish
