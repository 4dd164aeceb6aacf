# simttutor new: a program in a new folder, which compiles and runs, with nvcc or without.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
SIMTTUTOR_PROGRAMS=yes
export SIMTTUTOR_PROGRAMS
cd "$work" || exit 99

capture "$simttutor" new "home work/one"
ends 0 && [ -f "home work/one/main.cu" ] && [ -f "home work/one/Makefile" ] && printed out 'make check'
report $? "the folder is made with a program and a Makefile"
echo mine > "home work/one/main.cu"
capture "$simttutor" new "home work/one"
[ "$status" = 1 ] && printed err 'there is a main.cu already' && [ "$(cat "home work/one/main.cu")" = mine ]
report $? "what is there is left as it is"
capture "$simttutor" new
[ "$status" = 2 ]
report $? "without a name it is a wrong usage"
capture "$simttutor" new one two
[ "$status" = 2 ] && [ ! -e one ]
report $? "so it is with two"
mkdir locked && chmod 500 locked
capture "$simttutor" new locked/inside
if [ "$(id -u)" = 0 ]; then
	skip "a folder that cannot be made" "root may make any"
else
	[ "$status" = 1 ] && [ -s "$work/err" ]
	report $? "a folder that cannot be made"
fi

build() { # NAME NVCC
	"$simttutor" new "$1" > /dev/null
	capture make -C "$1" SIMTTUTOR="$simttutor" NVCC="$2" check
	said out '1000 sums, 0 wrong' && said err '1 launch, no problems'
	report $? "make check, $1"
	echo step > "$work/once"
	capture "$simttutor" debug "$1/main" --launch 1 --commands "$work/once"
	ends 0 && printed out 'step 1  block 0 warp 0'
	report $? "the program debugged, $1"
}
if nm "$top_builddir/src/runtime/libcudart.so.13" | grep -q '__asan_init\|__tsan_init'; then
	skip "make check, without" "a library with sanitizers needs a program with them"
	skip "the program debugged" "a library with sanitizers needs a program with them"
	skip "make check, with" "a library with sanitizers needs a program with them"
	finish
	exit 0
fi
case $("${CLANG:-clang}" --version 2> /dev/null) in
*"clang version 1"[4-9]*) (NVCC=: && export NVCC && make --version > /dev/null) && build "without" "env NVCC=: $simttutor cc" ;;
*) skip "make check, without" "needs clang" ;;
esac
case $("${NVCC:-nvcc}" --version 2> /dev/null) in
*"release 13."*) build "with" "${NVCC:-nvcc}" ;;
*) skip "make check, with" "needs nvcc of CUDA 13" ;;
esac
finish
