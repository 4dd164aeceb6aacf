# A compiler that never ends, while the lessons are on the screen: nothing of it outlives them, however they end.
. "${top_srcdir:=.}/tests/terminal/lib.sh"
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

begin() { # opens the exercise and has it compiled, in a folder of its own: KILL may come before a keeper knows what to remove
	tmp=$(mktemp -d "$work/tmp.XXXXXX")
	term_open 80 48 "NVCC='$work/nvcc'" "CLANG=:" "XDG_DATA_HOME='$work/data'" "TMPDIR='$tmp'"
	learn banks/exercise
	until_ on_screen '○ one wavefront for a load'
	keys e e e # each time from the start
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
finish
