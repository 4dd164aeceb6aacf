# A compiler that never ends, while the lessons are on the screen: nothing of it outlives them, however they end.
. "${top_srcdir:=.}/tests/terminal/lib.sh" || exit 99
mark=86124.$$
cat > "$work/nvcc" << END
#!/bin/sh
trap '' TERM HUP INT
case "\$*" in *--list-gpu-arch*) echo compute_75; exit ;; esac
setsid sleep $mark &
sleep $mark &
sleep $mark
END
chmod +x "$work/nvcc"
sleepers() { pgrep -f "^sleep $mark"; }
clean_up() {
	close_terminals
	for pid in $(sleepers); do kill -9 "$pid"; done
}
compiles() { [ "$(sleepers | wc -l)" = 3 ]; }
is_over() { ! sleepers > /dev/null && [ -z "$(find "$tmp" -name 'simttutor-scratch-*')" ]; }

echo "echo >> '$work/edited'" > "$work/editor"
: > "$work/edited"
was_edited() { [ "$(wc -l < "$work/edited")" -gt "$edited" ]; }
has_screen() { [ "$(tm display -p '#{alternate_on}')" = 1 ]; }

begin() { # opens the exercise and has it compiled, in a folder of its own: KILL may come before a keeper knows what to remove
	tmp=$(mktemp -d "$work/tmp.XXXXXX")
	term_open 80 48 "NVCC='$work/nvcc'" "CLANG=:" "XDG_DATA_HOME='$work/data'" "TMPDIR='$tmp'" "EDITOR=\"sh '$work/editor'\""
	learn banks/exercise
	until_ on_screen '○ no bank conflicts'
	for _ in 1 2 3; do # each time from the start
		edited=$(wc -l < "$work/edited")
		keys e
		until_ was_edited && until_ has_screen # while an editor is open, INT and QUIT are for that
	done
	until_ compiles
}
for signal in INT TERM HUP QUIT; do
	begin && kill -"$signal" "$(program)" && until_ is_over
	report $? "$signal ends the lessons and the compiler"
done
begin && kill -KILL "$(program)" && until_ eval '! sleepers > /dev/null'
report $? "KILL ends the compiler, too"
begin && keys q q && until_ is_over
report $? "so does the key that leaves"

# ptxas, which run waits for at the end.
printf '#!/bin/sh\ntrap "" TERM HUP INT\nsetsid sleep %s &\nsleep %s &\nsleep %s\n' "$mark" "$mark" "$mark" > "$work/ptxas"
chmod +x "$work/ptxas"
tmp=$(mktemp -d "$work/tmp.XXXXXX")
term_open 120 24 "PTXAS='$work/ptxas'" "TMPDIR='$tmp'"
run "simttutor run '$top_srcdir/kernels/shared_stride.ptx' --grid 1 --block 32 --arg u32[1024]:iota --arg u32[32] --arg u32:2 --arg u32:32"
until_ on_screen 'ptxas is still counting registers'
report $? "run says that it waits for ptxas"
begun=$(date +%s)
keys C-c && until_ on_screen '^shell>$' && run 'echo status=$?' && until_ on_screen '^status=130' && [ $(($(date +%s) - begun)) -lt 10 ] && until_ is_over
report $? "Ctrl-C ends that"
finish
