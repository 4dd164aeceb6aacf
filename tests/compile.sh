# CUDA source compiled by the worker's NVRTC, or by nvcc and clang for the right target.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
# gives VALUE: every element of the buffer printed is this, or the first are.
gives() { case $(at buffers.0) in "[$1"*) ;; *) false ;; esac }
LC_ALL=C.UTF-8; export LC_ALL
mkdir "$work/deep" "$work/tmp"
TMPDIR=$work/tmp; export TMPDIR
cu() { # FILE OPTION...: runs it with one buffer of 32
	file=$1
	shift
	capture "$simttutor" run "$work/$file" --grid 1 --block 32 --arg 's32[32]' "$@"
}

cat > "$work/a.cu" << 'END'
#include <simt.h>
#include "deep/one.h"
  #  include   "two.h" // beside
__global__ void k(int *p)
{
	p[threadIdx.x] = one(p[threadIdx.x]) + TWO + N;
}
END
printf '#include "two.h"\n__device__ int one(int x) { return x + DEEP; }\n' > "$work/deep/one.h"
printf '#pragma once\n#define DEEP 100\n' > "$work/deep/two.h"
printf '#pragma once\n#define TWO 20\n' > "$work/two.h"

# --- what is sent, and what comes of the answer ----------------------------------------------------------------------
cu a.cu -D N=3 --gpu "command:$fake echo"
[ $? = 1 ] && printed err "a.cu:1: cc 90, 4 headers, 1 macros: N=3" && printed err "$work/deep/one.h:1:" && printed err "$work/two.h:1:" &&
	printed err "$work/deep/two.h:1:" && printed err "simt.h:1:"
report $? "a source travels with the headers it includes, two of one name kept apart, and its macros"
cu a.cu --cc 8.0 --gpu "command:$fake echo"; printed err "a.cu:1: cc 80,"
report $? "it is compiled for --cc where that is older than the GPU"
cu a.cu --cc 12.0 --gpu "command:$fake echo"; printed err "a.cu:1: cc 90,"
report $? "and for the GPU where that is older"
capture "$simttutor" debug "$work/a.cu" --grid 1 --block 32 --arg 's32[32]' -x /dev/null --gpu "command:$fake echo"
[ $? = 1 ] && printed err "a.cu:1: cc 90,"
report $? "debug asks the worker too"
capture "$simttutor" probe "$work/a.cu" --grid 1 --block 32 --arg 's32[32]' --gpu "command:$fake echo"
[ $? = 1 ] && printed err "a.cu:1: cc 90,"
report $? "probe asks the worker too"

cat > "$work/refused.cu" << END
__global__ void k(int *p)
{
	const char *s = "é"; *p = not_there;
}
/*LOG
$work/refused.cu(3): error: identifier "not_there" is undefined
  	const char *s = "é"; *p = not_there;
  	                           ^

$work/refused.cu(1): error: more than one instance fits:
            function "f(int)" (declared at line 2)
  __global__ void k(int *p)
                  ^
          detected during instantiation of "f" at line 3

/usr/include/thing.h(7): warning #177-D: variable "x" was declared but never referenced
    int x;
        ^

Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"

2 errors detected in the compilation of "$work/refused.cu".
*/
END
cu refused.cu --gpu "command:$fake"
[ $? = 1 ] && cat > "$work/wanted" << END && cmp "$work/err" "$work/wanted" > "$work/out"
simttutor: $work/refused.cu:3:29: identifier "not_there" is undefined
    	const char *s = "é"; *p = not_there;
    	                          ^
simttutor: $work/refused.cu:1:17: more than one instance fits: function "f(int)" (declared at line 2); detected during instantiation of "f" at line 3
    __global__ void k(int *p)
                    ^
simttutor: /usr/include/thing.h:7:7: warning: variable "x" was declared but never referenced
END
report $? "NVRTC's messages are shown like our own, with place, line and caret"

cat > "$work/good.cu" << 'END'
__global__ void k(int *p) { *p = 7; }
/*PTX
.version 6.3
.target sm_50
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .u64 %r<2>;
	ld.param.u64 %r1, [p];
	st.global.u32 [%r1], 7;
	ret;
}
*/
END
cu good.cu --gpu "command:$fake machine" --print 0 --format json --check none
[ $? = 0 ] && gives 7,0, && printed out '"differences": []'
report $? "what it makes runs on the machine and the GPU, one worker for both"

printf '__global__ void k(int *p) { *p = 7; }\nint main() {}\n/*LOG\n%s(2): error: A function without execution space annotations is considered a host function, and host functions are not allowed in JIT mode.\n  int main() {}\n      ^\n\n*/\n' \
	"$work/host.cu" > "$work/host.cu"
(NVCC=: CLANG=:; export NVCC CLANG; cu host.cu --gpu "command:$fake"; exit $?)
[ $? = 1 ] && printed err 'host.cu:2:5: A function without' && printed err '__CUDACC_RTC__'
report $? "a host's code is refused with what helps, where nothing else compiles"
(NVCC=: CLANG=:; export NVCC CLANG; cu a.cu -D N=1 --gpu "command:$fake no-nvrtc"; exit $?)
[ $? = 3 ] && printed err 'as the test asked' && printed err 'NVRTC (part of the CUDA toolkit)' && printed err 'neither nvcc nor clang'
report $? "no compiler anywhere: what is missing on both sides, exit 3"
for bad in '-D 1' '-D =' '--define a-b' "-D 'x y=1'"; do
	eval "cu a.cu $bad"; [ $? = 2 ] && printed err 'NAME or NAME=VALUE'
	report $? "$bad is wrong usage"
done

# --- compilers here --------------------------------------------------------------------------------------------------
compilers=
for compiler in NVCC CLANG; do
	eval "name=\${$compiler-:}"
	[ "${name:-:}" = : ] && { skip "$compiler compiles for --cc" "it is not here"; continue; }
	compilers="$compilers$compiler"
	other=$([ $compiler = NVCC ] && echo CLANG || echo NVCC)
	printf '__global__ void k(int *p) { p[threadIdx.x] = __CUDA_ARCH__ + N; }\n' > "$work/arch.cu"
	here() { (eval "$other=:; export NVCC CLANG"; cu arch.cu --format json --print 0 "$@"); }
	here --cc 8.6 -D N=1 && gives 861,861,; status=$?
	here --cc 7.5 -DN=2 && gives 752,752, && here --cc 8.0 -DN=0 && gives 800,800,; status=$((status + $?))
	report $status "$compiler compiles for --cc, with macros"
	here --cc 13.7 -DN=0 && { gives 8 || gives 9 || gives 1; }
	report $? "$compiler compiles for its newest where --cc is newer"
	(eval "$other=:; export NVCC CLANG"; cu host.cu --check none --gpu "command:$fake machine")
	if [ $compiler = NVCC ]; then
		report $? "nvcc compiles what has a host's code instead of NVRTC"
	fi
	(eval "$other=:; export NVCC CLANG"; cu a.cu -D N=3 --gpu "command:$fake no-nvrtc" --check none)
	printed err 'not compiled by the GPU' && printed err 'as the test asked'
	report $? "$compiler compiles where the worker has no NVRTC, which is reported"
	if [ $compiler = CLANG ]; then
		printf '#include <cufft.h>\n__global__ void k(int *p) { *p = 1; }\n' > "$work/theirs.cu"
		(eval "$other=:; export NVCC CLANG"; cu theirs.cu --gpu none; exit $?)
		[ $? = 1 ] && printed err "a library of NVIDIA's"
		report $? "clang lacks NVIDIA's libraries, which is explained"
	fi
done
cu no-such.cu --gpu "command:$fake"; [ $? = 3 ]
report $? "a source that is not there"
cu a.cu -D N=3 --live --gpu none --check none; [ $? != 0 ] && printed err 'switched off'
[ -n "$compilers" ] && report $? "without a GPU it is compiled here"

# --- the real NVRTC --------------------------------------------------------------------------------------------------
ask() { printf '%s\n' "$1" | CUDA_VISIBLE_DEVICES= "$worker" 2> "$work/err" | tail -n +2 > "$work/out"; }
if [ ! -x "$worker" ]; then
	skip NVRTC "this build has no simttutor-gpu"
else
	ask '{"type":"compile","id":1,"cc":90,"file":"/r/k.cu","source":"__global__ void k() {}","headers":[],"defines":[]}'
	if printed out '"no_nvrtc"'; then
		skip NVRTC "it is not here"
	else
		printed out '"type":"compiled","id":1,"ptx":"//' && printed out '.target sm_90' && printed out '.file\t1 \"/r/k.cu\"'
		report $? "NVRTC compiles, and names the reader's file"
		ask '{"type":"compile","id":1,"cc":99,"file":"/r/k.cu","source":"__global__ void k() {}","headers":[],"defines":[]}'
		printed out '"cc":90,'
		report $? "for the newest it knows that is not newer than the device"
		ask '{"type":"compile","id":1,"cc":50,"file":"/r/k.cu","source":"","headers":[],"defines":[]}'
		printed out '"code":"no_nvrtc","message":"NVRTC'
		report $? "an older device than it knows is reported"
		ask '{"type":"compile","id":1,"cc":90,"file":"/r/k.cu","source":"","headers":[],"defines":["-I/etc"]}'
		printed out '"bad_request"'
		report $? "a macro is no way to other options"
		ask '{"type":"compile","id":1,"file":"/r/k.cu","source":"","headers":[],"defines":[]}'
		printed out '"no_d'
		report $? "without a device and cc, what is missing"
		# The front end with a worker that has NVRTC but no GPU: the fake one answers all else.
		cat > "$work/mixed" << END
#!/bin/sh
'$fake' machine < /dev/null
while IFS= read -r line; do
	case \$line in
	*'"type":"compile"'*) printf '%s\n' "\$line" | CUDA_VISIBLE_DEVICES= '$(cd "$top_builddir" && pwd)/simttutor-gpu' ;;
	*) printf '%s\n' "\$line" | '$fake' machine ;;
	esac | tail -n +2
done
END
		chmod +x "$work/mixed"
		(NVCC=: CLANG=:; export NVCC CLANG; cu a.cu -D N=3 --gpu "command:$work/mixed" --format json --print 0; exit $?)
		[ $? = 0 ] && gives 123,123,
		report $? "a kernel with headers, compiled by NVRTC"
		printf '#include <cstdio>\n#include <stdint.h>\n#include <climits>\n__global__ void k(int *p) { int64_t n = INT_MAX; p[threadIdx.x] = fminf(3, 9) + (n > 1); if (p[0] == 99) printf("%%d", p[1]); }\n' > "$work/std.cu"
		(NVCC=: CLANG=:; export NVCC CLANG; cu std.cu --gpu "command:$work/mixed" --format json --print 0 --check none; exit $?)
		[ $? = 0 ] && gives 4,4,
		report $? "what NVRTC has built in needs no header of the host"
		printf '#include <cuda_fp16.h>\n__global__ void k(int *p) { p[threadIdx.x] = __half2int_rn(__hadd(__int2half_rn(threadIdx.x), __int2half_rn(1))); }\n' > "$work/half.cu"
		(NVCC=: CLANG=:; export NVCC CLANG; cu half.cu --gpu "command:$work/mixed" --format json --print 0; exit $?)
		status=$?
		if printed err 'open source file "cuda_fp16.h"'; then
			skip "cuda_fp16.h" "the toolkit's headers are not here"
		else
			[ $status = 0 ] && gives 1,2,3,4,
			report $? "the toolkit's headers are found"
		fi
		printf '__global__ void k(int *p)\n{\n\tp[threadIdx.x] = oops;\n}\n' > "$work/wrong.cu"
		(NVCC=: CLANG=:; export NVCC CLANG; cu wrong.cu --gpu "command:$work/mixed"; exit $?)
		[ $? = 1 ] && printed err "$work/wrong.cu:3:19: identifier \"oops\" is undefined" && printed err '	                 ^'
		report $? "its messages name the place"
		printf '__global__ void k(int *p) { *p = 1; }\nint main() { return 0; }\n' > "$work/main.cu"
		(NVCC=: CLANG=:; export NVCC CLANG; cu main.cu --gpu "command:$work/mixed"; exit $?)
		[ $? = 1 ] && printed err 'main.cu:2:5:' && printed err '__CUDACC_RTC__'
		report $? "a host's code is refused with what helps"
	fi
fi
[ -z "$(ls -A "$TMPDIR")" ]
report $? "nothing is left over"
finish
