# tests/fuzz/targets.sh: the fuzz targets. Sourced by replay.sh, fuzz.sh and coverage.sh, with $top_srcdir set.
#
# fuzz_target NAME sets what is known of it; false when there is none of that name:
#   seeds     files of the tree that are inputs besides those of corpus/NAME
#   code      the sources that it is for, of which coverage.sh says how much the inputs reach
#   longest   bytes of the longest input that is made up
#   words     the dictionary of a fuzzer: what the language is made of, one a line, as AFL and libFuzzer write it
fuzz_targets="ptx lesson front recorded wire gpu worker expr arguments debug progress text launch fatbin snapshot dap log pack term validate variables disassembly"

fuzz_target() {
	seeds= longest=4096
	words=$top_srcdir/tests/fuzz/words/$1
	src=$top_srcdir/src
	case $1 in
	ptx)
		seeds="$top_srcdir/tests/ptx/*.ptx $top_srcdir/tests/ptx/corpus/*.ptx $top_srcdir/kernels/*.ptx"
		code="$src/machine/ptx/*.c $src/machine/simt/*.c $src/machine/race/*.c $src/model/probe/*.c $src/model/profile/*.c"
		longest=20000
		;;
	lesson)
		words=$top_srcdir/tests/fuzz/words/front
		seeds="$top_srcdir/tests/lessons/bad/*.md $top_srcdir/tests/lessons/data/lessons/*/lesson.md $top_srcdir/lessons/*/lesson.md"
		code="$src/course/lesson/*.c"
		longest=20000
		;;
	front) code="$src/course/lesson/lesson.c $src/course/lesson/reader.c $src/course/lesson/names.c $src/course/lesson/parameter.c $src/course/lesson/catalog.c" ;;
	recorded) code="$src/course/experiment/recordings*.c $src/course/experiment/hostlog.c $src/model/hardware/hostlog.c" ;;
	disassembly) code="$src/model/profile/disassembly.c" ;;
	wire) code="$src/gpu/wire/*.c" ;;
	gpu)
		words=$top_srcdir/tests/fuzz/words/wire
		code="$src/gpu/client/talk.c $src/gpu/client/request.c $src/gpu/client/events.c"
		;;
	worker)
		words=$top_srcdir/tests/fuzz/words/wire
		seeds="$top_srcdir/tests/fuzz/corpus/wire/*"
		code="$src/gpu/worker/serve.c $src/gpu/worker/job.c $src/gpu/worker/compile.c $src/gpu/worker/stamp.c"
		;;
	expr) code="$src/base/expr.c" ;;
	arguments) code="$src/machine/launch/*.c $src/gpu/client/spec.c $src/cmd/access_parse.c" ;;
	debug) code="$src/front/debug/*.c $src/front/screen/debug*.c" ;;
	progress) code="$src/course/lesson/progress.c" ;;
	text) code="$src/base/utf8.c $src/base/demangle.c $src/base/diag.c $src/front/canvas/*.c" ;;
	launch)
		seeds="$top_srcdir/tests/ptx/*.ptx"
		code="$src/machine/launch/texture.c $src/machine/launch/tensor.c $src/model/profile/arguments.c $src/machine/simt/exec_async*.c $src/machine/simt/exec_cluster.c $src/machine/simt/exec_mbarrier.c $src/machine/simt/exec_surface.c $src/machine/simt/exec_tensor.c $src/machine/simt/exec_texture.c $src/machine/simt/exec_wgmma.c $src/machine/simt/async.c $src/machine/simt/cluster.c $src/machine/simt/texture.c $src/machine/simt/wgmma.c"
		longest=20000
		;;
	pack) code="$src/base/pack.c" longest=8192 ;;
	log) code="$src/tools/compile/cuda_source.c $src/base/paths.c" ;;
	term) code="$src/front/tui/term*.c" ;;
	validate) code="$src/model/validate/text.c $src/model/validate/pattern.c $src/model/validate/emit.c $src/model/validate/tally.c" ;;
	fatbin) code="$src/runtime/module/fatbin.c" ;;
	snapshot) code="$src/machine/snapshot/read.c $src/machine/snapshot/restore.c" longest=20000 ;;
	dap) code="$src/front/dap/*.c" ;;
	variables)
		seeds="$top_srcdir/tests/run/variables*.ptx"
		code="$src/machine/ptx/section.c $src/front/debug/dwarf.c $src/front/debug/object.c $src/front/debug/value.c $src/front/debug/assign.c"
		longest=30000
		;;
	*) return 1 ;;
	esac
	seeds="$top_srcdir/tests/fuzz/corpus/$1/* $seeds"
}
