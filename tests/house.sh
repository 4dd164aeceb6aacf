#!/bin/sh
# The habits that keep the house (HACKING.md): who may include whom, names, headers, and what else a look at the sources shows.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
cd "$top_srcdir/src" || exit 99
# A folder of src/ includes itself and what stands after its name here; only tui/ sees curses, only worker/ sees CUDA.
rules='
base:
warp: base
launch: warp base
ptx: warp base
race: warp base
simt: race ptx warp base
snapshot: simt ptx launch warp base
probe: ptx wire launch model warp base
model: warp base
profile: snapshot simt ptx model launch warp base
validate: ptx model launch warp base
lesson: launch warp base
canvas: base
view: canvas model warp base
wire: launch base
gpu: wire launch base
notes: base
experiment: lesson profile simt ptx model probe wire launch warp base
tutor: experiment lesson profile probe simt ptx model view canvas gpu wire launch warp notes base
debug: lesson profile snapshot simt ptx model launch warp base
dap: debug wire profile simt ptx launch warp base
book: tutor experiment lesson view canvas gpu model warp base
screen: tutor debug ptx view canvas gpu wire lesson model warp notes base
tui: screen tutor debug canvas gpu notes base
worker: wire launch warp base
runtime: snapshot simt ptx race model warp base
cmd: *
'
grep -HnE '^#include "[a-z]+/' */*.[ch] > "$work/includes"
for dir in */; do
	dir=${dir%/}
	if ! allowed=$(printf '%s\n' "$rules" | grep "^$dir:"); then
		fail "$dir is in the list of folders"
		continue
	fi
	report_none "$dir includes only what it may" "$(awk -v dir="$dir" -v allowed="${allowed#*:} $dir" '
		BEGIN { n = split(allowed, word, " "); for (i = 1; i <= n; i++) may[word[i]] = 1 }
		index($0, dir "/") == 1 {
			other = $0
			sub(/^[^"]*"/, "", other)
			sub(/\/.*/, "", other)
			if (!(other in may) && !("*" in may && (other != "tui" || /"tui\/tui\.h"/)))
				print
		}' "$work/includes")"
done
only() { # FOLDER PATTERN WHAT
	report_none "only $1 includes $3" "$(grep -rlE "^#include [<\"]$2" . | grep -v "^./$1/")"
}
only tui '(n?curses|term)' curses
only worker '(cuda|cupti|nvperf)' "CUDA and CUPTI"
# named FILE...: what these Makefile fragments name, a word a line
named() { cat "$@" | tr -s '[:space:]' '\n' | sort -u; }
export LC_ALL=C # sort and comm agree
named */local.mk > "$work/named"
report_none "every source is in a Makefile fragment" "$(ls */*.[ch] */*.def | sed 's|^|src/|' | sort | comm -23 - "$work/named")"
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
base: arena buf cksum clock confine demangle diag elf environment escape expr file foreground hash leash mangled narrow number pack path paths portable process scratch signals source starter text utf8 vec wrap
cmd: build campaign cc class compile course cuda editor exercise explore measure output picture play probing program ptxas renamed run show spelling
experiment: experiments
model: access bank blocks chip counter counts cache engine hostlog latency line listing local mask metric occupancy phase roof roofs schedule sector sums timeline timing value witness
profile: cubin
ptx: instr
runtime: array copy event executor fatbin graph pool queue report running work
tutor: recompile
worker: cause cupti driver facts input job library nvrtc plan profiler sampler sass serve session share surroundings tensor turn
'
allowed() { printf '%s\n' "$prefixes" | sed -n "s/^$1://p" | tr -s ' ' '\n' | grep .; }
for archive in "$top_builddir"/src/*/lib*.a; do
	dir=$(basename "${archive%/*}")
	[ -d "$dir" ] || continue
	nm -g --defined-only "$archive" 2> /dev/null | awk 'NF == 3 && $3 !~ /^_|^cu(da)?[A-Z]/ { print $3 }' | sort -u > "$work/symbols"
	{ echo "$dir" && allowed "$dir"; } > "$work/allowed"
	report_none "names that $dir gives to others begin with a word of its own" \
		"$(awk -F_ 'NR == FNR { ok[$1] = 1; next } !($1 in ok)' "$work/allowed" "$work/symbols")"
	report_none "every word that the list above has for $dir is used" "$(allowed "$dir" | while read -r word; do
		grep -q "^${word}\(_\|\$\)" "$work/symbols" || echo "$word"
	done)"
done
report_none "executors that ops.def picks as GROUP_NAME are in src/simt/exec_GROUP*.c" \
	"$(nm -Ag --defined-only "$top_builddir"/src/simt/libsimt.a 2> /dev/null |
		sed -n 's/.*-\(exec_[a-z_]*\)\.o:.* simt_pick_\([a-z0-9]*\)_\(.*\)/\1 \2 \3/p' |
		while read -r file group name; do
			case $file in "exec_$group" | "exec_${group}_"*) ;; *) echo "$file.c: simt_pick_${group}_$name" ;; esac
		done)"
report_none "no two folders have one word" \
	"$({ ls -d */ | tr -d /; printf '%s\n' "$prefixes" | cut -d: -f2 | tr -s ' ' '\n'; } | grep . | sort | uniq -d)"
report_none "tags of structs and enums are unique over src" \
	"$(grep -noE '^(static )?(const )?(struct|enum|union) [a-z_0-9]+ \{' */*.[ch] | sed 's/:[0-9]*:.*\(struct\|enum\|union\) / /; s/ {//' |
		awk '{ n[$2]++; files[$2] = files[$2] " " $1 } END { for (tag in n) if (n[tag] > 1) print tag ":" files[tag] }')"

# --- headers -----------------------------------------------------------------------------------------------------------

# WORKER_CPPFLAGS is empty where the toolkit's headers are not.
: "${CC:=cc}" "${HEADER_CPPFLAGS:=-DHAVE_CONFIG_H -I$top_builddir -I$top_srcdir/src}" "${WORKER_CPPFLAGS:=}"
ls */*.h | if [ -n "$WORKER_CPPFLAGS" ]; then cat; else grep -v '^worker/'; fi > "$work/headers"
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
# (configure --enable-portable). Four files are compiled only where a system confines.
report_none "headers and calls of Linux are below an #if" "$(ls */*.[ch] *.c |
	grep -vE '^(worker|runtime)/|^base/(confine_landlock|confine_seccomp|starter|starter_children)\.c$' | xargs awk '
	FNR == 1 { depth = 0 }
	/^#if/ { depth++ }
	/^#endif/ { depth-- }
	depth > 0 { next }
	/^#include <(linux\/|asm\/|(elf|malloc|link)\.h|sys\/(auxv|epoll|eventfd|inotify|prctl|random|sendfile|signalfd|syscall|sysinfo|sysmacros|timerfd|vfs|xattr)\.h)/ ||
	/(^|[^a-z_])(accept4|close_range|dup3|getrandom|memfd_create|mremap|pipe2|ppoll|prctl|renameat2|signalfd|sigtimedwait|strverscmp|syscall) ?\(/ ||
	/[^A-Z_](O_PATH|MSG_NOSIGNAL|SOCK_(CLOEXEC|NONBLOCK)|SO_PEERCRED|PR_SET_[A-Z_]+|POSIX_SPAWN_SETSID)[^A-Z_]/ ||
	/\.st_[amc]tim\>/ || /"\/proc\/self\/exe"\)/ { print FILENAME ":" FNR ": " $0 }')"

# --- habits ------------------------------------------------------------------------------------------------------------

report_none "functions of more than 60 lines say why in their comment: \"Long: ...\"" "$(awk '
	/^\/\*/ { comment = "" }
	{ comment = comment $0 }
	/^[a-z].*\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
	/^\{$/ { start = FNR; why = comment ~ /[ *]Long: / }
	/^\}/ { if (start && FNR - start + 1 > 60 && !why) print FILENAME ":" start ": " name ", " FNR - start + 1 " lines"; start = 0; comment = "" }
	' */*.c *.c)"
report_none "no name of a static function is in more than three files, so that one can search for it" "$(
	grep -nE '^static [a-z].*\(' */*.c | sed -nE 's/__attribute__\(\([a-z_]+\)\)//; s/^([^:]*):[0-9]+:static [^(]*[ *]([a-z_0-9]+)\(.*/\2 \1/p' | sort -u |
		awk '{ n[$1]++; files[$1] = files[$1] " " $2 } END { for (name in n) if (n[name] > 3) print name ":" files[name] }')"
report_none "numbers are read by strto*, or by sscanf with a width: others overflow" \
	"$(grep -nE 'scanf\(.*%l*[diuxfg]|\b(atoi|atol|atoll|atof)\(' */*.c)"
# What others wrote reaches an output through a few functions: cmd_print and its like (cmd/cmd.h), the canvas on the terminal
# (tui/term.c), the worker's own answers and usage, and a whole
# program's output with what is said of it (runtime/state.c); and libraries that have not found the one that says it.
report_none "only these write to standard output or standard error" "$(grep -nE \
	'\b(v?f?printf|vprintf|f?puts|f?putc|putchar|fwrite|perror|dprintf|psignal|f?putws|f?wprintf|warnx?|errx?) ?\(|\b(write|file_put)\((STD|[12],)' */*.[ch] |
	grep -vE '^(cmd/cmd\.c|tui/term\.c|worker/(main|relay|share)\.c|base/arena\.c|runtime/(state|libcuda|libnvrtc)\.c):')"
cd ..
# Without it $work would be empty, and what is below it everybody's; bash alone goes on.
report_none "a script ends where one that it sources is missing" \
	"$(grep -nE '^[[:space:]]*\. ' tests/*.sh tests/*/*.sh man/*.sh doc/*.sh | grep -v '|| exit 99$')"
# American spelling; the prose of lessons is checked by `lesson check`.
report_none "the spelling is American" "$(grep -rniE '(^|[^a-z])(un|re|de)?(initial|serial|synchron|util|recogn|optim|organ|normal|visual|special|general|minim|maxim|emphas|summar|parallel|vector|token|random|categor|local|final|material|real)i[s](e|ed|es|er|ers|ing|ation|ations)([^a-z]|$)|(^|[^a-z])analy[s](e|ed|es|ing)([^a-z]|$)|colo[u]r|behavio[u]r|neighbo[u]r|favo[u]r|hono[u]r|(^|[^a-z])(cent[r]e|met[r]e|fib[r]e|gr[e]y|wh[i]lst|amongst|learn[t]|spel[t]|defenc[e]|licenc[e]|catalogu[e]|judgemen[t]|program[m]e|artefac[t])s?([^a-z]|$)|(label|model|signal|travel)l(ed|ing|er)([^a-z]|$)' \
	src man README.md HACKING.md doc bootstrap configure.ac Makefile.am tests/*.sh tests/*/*.sh tests/*/*.c --include='*.[ch1-9]' --include='*.def' \
	--include='*.md' --include='*.sh' --include='*.in' --include='*.mk' --include=bootstrap --exclude=house.sh | cut -c1-160)"
finish
