# For scripts that see what of a stranger's text reaches an output: sourced after tests/tap.sh.
hostile=$top_builddir/tests/attack/hostile
LC_ALL=C.UTF-8 XDG_STATE_HOME=$work/state XDG_CACHE_HOME=$work/cache PTXAS=: NVCC=: CLANG=:
export LC_ALL XDG_STATE_HOME XDG_CACHE_HOME PTXAS NVCC CLANG
unset SIMTTUTOR_DATA

# watched CANARIES COMMAND...: on a terminal it writes nothing but text and colors, and so many canaries. What the terminal was
# sent is in $work/out.
watched() {
	watched_canaries=$1
	shift
	"$hostile" watch --canaries "$watched_canaries" "$@" > "$work/out" 2> "$work/err"
}
judged() { "$hostile" judge --canaries "$1" < "$work/out" 2>> "$work/err"; }
# on_screen CANARIES KEYS COMMAND...: the same of what curses writes.
on_screen() {
	watched_canaries=$1 watched_keys=$2
	shift 2
	"$hostile" watch --screen --canaries "$watched_canaries" --keys "$watched_keys" "$@" > "$work/out" 2> "$work/err"
}
# json_text SEED COUNT: such strings as the inside of one string of JSON, with controls as \u001b.
json_text() {
	"$hostile" text "$1" "$2" | tr -d '\n' | sed 's/[\\"]/\\&/g; s/z/\\u001b]0;t\\u0007\\u009b31337J\\u007f\\n/g'
}
