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
		code="$src/ptx/*.c $src/simt/*.c $src/race/*.c $src/probe/*.c $src/profile/*.c"
		longest=20000
		;;
	lesson)
		words=$top_srcdir/tests/fuzz/words/front
		seeds="$top_srcdir/tests/lessons/bad/*.md $top_srcdir/tests/lessons/data/lessons/*/lesson.md $top_srcdir/lessons/*/lesson.md"
		code="$src/lesson/*.c"
		longest=20000
		;;
	front) code="$src/lesson/lesson.c $src/lesson/blocks.c $src/lesson/reader.c $src/lesson/names.c $src/lesson/parameter.c $src/lesson/catalog.c" ;;
	recorded) code="$src/experiment/recordings*.c $src/experiment/hostlog.c $src/model/hostlog.c $src/experiment/json_place.c" ;;
	disassembly) code="$src/profile/disassembly.c" ;;
	wire) code="$src/wire/*.c" ;;
	gpu)
		words=$top_srcdir/tests/fuzz/words/wire
		code="$src/gpu/talk.c $src/gpu/request.c $src/gpu/events.c"
		;;
	worker)
		words=$top_srcdir/tests/fuzz/words/wire
		seeds="$top_srcdir/tests/fuzz/corpus/wire/*"
		code="$src/worker/serve.c $src/worker/job.c $src/worker/compile.c $src/worker/stamp.c"
		;;
	expr) code="$src/base/expr*.c $src/base/number.c" ;;
	arguments) code="$src/launch/*.c $src/gpu/spec.c $src/cmd/access_parse.c" ;;
	debug) code="$src/debug/*.c $src/screen/debug*.c" ;;
	progress) code="$src/lesson/progress.c" ;;
	text) code="$src/base/escape.c $src/base/utf8.c $src/base/wrap.c $src/base/mangled.c $src/base/source.c $src/canvas/*.c" ;;
	launch)
		seeds="$top_srcdir/tests/ptx/*.ptx"
		code="$src/launch/texture.c $src/launch/tensor.c $src/profile/arguments.c $src/simt/exec_async*.c $src/simt/exec_cluster.c $src/simt/exec_mbarrier.c $src/simt/exec_surface.c $src/simt/exec_tensor.c $src/simt/exec_texture.c $src/simt/exec_wgmma.c $src/simt/async.c $src/simt/cluster.c $src/simt/mem_cluster.c $src/simt/texture.c $src/simt/wgmma.c"
		longest=20000
		;;
	pack) code="$src/base/pack.c" longest=8192 ;;
	log) code="$src/cmd/cuda_log.c $src/base/environment.c" ;;
	term) code="$src/tui/background.c $src/tui/term.c $src/tui/keynames.c $src/tui/mouse.c" ;;
	validate) code="$src/validate/text.c $src/validate/pattern.c $src/validate/emit.c $src/validate/tally.c" ;;
	fatbin) code="$src/runtime/fatbin.c" ;;
	snapshot) code="$src/snapshot/read.c $src/snapshot/restore.c" longest=20000 ;;
	dap) code="$src/dap/*.c" ;;
	variables)
		seeds="$top_srcdir/tests/run/variables*.ptx"
		code="$src/ptx/section.c $src/debug/dwarf.c $src/debug/locate.c $src/debug/types.c $src/debug/object.c $src/debug/value.c $src/debug/assign.c"
		longest=30000
		;;
	*) return 1 ;;
	esac
	seeds="$top_srcdir/tests/fuzz/corpus/$1/* $seeds"
}
