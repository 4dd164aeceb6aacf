# What a class hands in: found, graded side by side, and reported.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data
export XDG_STATE_HOME XDG_DATA_HOME
unset SIMTTUTOR_COURSES XDG_DATA_DIRS
cd "$work" || exit 99
lessons=$top_srcdir/lessons

# Compiled already, so that no compiler is needed.
mkdir -p class/anna class/bert/deep class/carl
cp "$lessons/10-banks/exercise/solution.ptx" class/anna/banks.ptx
cp "$lessons/10-banks/exercise/start.ptx" class/bert/banks.ptx
cp "$lessons/05-sectors/exercise/solution.ptx" class/bert/deep/sectors.ptx
cp "$lessons/05-sectors/exercise/solution.ptx" class/bert/unknown.ptx
echo 'no PTX' > class/carl/banks.ptx
ln -s /etc/passwd class/carl/sectors.ptx
cat > class/anna/progress.json << 'END'
{"format": 1, "lessons": {"banks": {"step": 1, "visited": ["exercise"], "answered": ["exercise"], "answers": {}},
 "warps": {"step": 0, "visited": [], "answered": ["the-last-warp"], "answers": {}}}}
END
echo damaged > class/carl/progress.json

answers 0 "anna: " "of 45 exercises solved" "bert: no progress was handed in" "carl/progress.json: warning: left out" \
	"anna/banks.ptx: solved" "bert/banks.ptx: not solved: no bank conflicts: " "bert/deep/sectors.ptx: solved" \
	"bert/unknown.ptx: not graded: no exercise of the course is called so" "carl/banks.ptx: not compiled: " \
	"carl/sectors.ptx: not graded: it is a link, which is not followed" "6 kernels, 2 solved" -- class collect class
"$simttutor" class collect --jobs 1 class > one 2> /dev/null
"$simttutor" class collect --jobs 7 class > seven 2> /dev/null
cmp -s one seven && [ -s one ]
report $? "the report does not depend on how many are graded at a time"
capture "$simttutor" class collect --format json class
[ "$status" = 0 ] && [ "$(at students.2.name)" = '"carl"' ] && [ "$(at kernels.0.verdict)" = '"solved"' ] &&
	[ "$(at kernels.1.grade.goals.0.holds)" = false ] && [ "$(at kernels.5.grade)" = null ]
report $? "a class as JSON"
"$top_builddir/tests/json-get" answers kind done < "$work/out" | grep -c 'exercise.*true' > count
[ "$(cat count)" = 1 ]
report $? "answers of those who handed progress in"

mkdir -p "class/=2+2" && cp class/anna/banks.ptx "class/=2+2/banks.ptx"
capture "$simttutor" class collect --format csv class
printed out "\"'=2+2\",\"banks\",\"exercise\",kernel,yes,,,,\"banks.ptx\",\"solved\",\"\"" &&
	[ "$(sed -n 1p "$work/out")" = student,lesson,step,kind,done,tries,hints,looked_up,file,verdict,detail ]
report $? "a class as CSV, in which nothing is a formula"
odd=$(printf 'class/o\033]0;owned\007dd')
mkdir -p "$odd" && cp class/anna/banks.ptx "$odd/banks.ptx"
for format in text csv json; do
	"$simttutor" class collect --format $format class > "$work/out" 2>&1
	printed out owned && ! LC_ALL=C grep -q "$(printf '\033')" "$work/out"
	report $? "a folder's name controls no terminal: $format"
done

# --- what is not read is named ------------------------------------------------------------------------------------------
mkdir -p odd/anna/away.cu odd/banks.cu odd/bert odd/carl/banks.cu odd/a/b/c/d/e/f/g
cp class/anna/banks.ptx odd/carl/banks.cu/banks.ptx
cp class/anna/banks.ptx odd/a/b/c/d/e/f/g/banks.ptx
ln -s "$work/class/anna" odd/dora
ln -s nowhere odd/emil
ln -s ../class/anna odd/fred.cu
ln -s ../../class/anna odd/bert/work
ln -s ../../class/anna/progress.json odd/bert/progress.json
ln -s "$work/class/anna/progress.json" odd/notes.txt
is_link="not graded: it is a link, which is not followed"
no_kernel="not graded: it is a folder, without a kernel in it"
answers 0 "dora: no progress was handed in" "dora: $is_link" "odd/dora: warning: left out: it is a link, which is not followed" \
	"emil: $is_link" "odd/emil: warning: left out: it is a link" "fred.cu: $is_link" "odd/fred.cu: warning: left out: it is a link" \
	"bert/work: $is_link" "odd/bert/work: warning: left out: it is a link" \
	"bert/progress.json: $is_link" "odd/bert/progress.json: warning: left out: it is a link" \
	"anna/away.cu: $no_kernel" "banks.cu: $no_kernel" "banks.cu: no progress was handed in" "carl/banks.cu/banks.ptx: solved" \
	"a/b/c/d/e/f/g: not graded: it lies too deep in other folders" "!notes.txt" "1 kernel, 1 solved" -- class collect odd
"$simttutor" class collect --format csv odd > "$work/out" 2> "$work/err"
printed out '"dora","","",folder,no,,,,"","not graded","it is a link, which is not followed"' &&
	printed out '"bert","","",folder,no,,,,"work","not graded",' && printed err "odd/dora: warning: left out: it is a link"
report $? "what is not read is in CSV, too"
"$simttutor" class collect --format json odd > "$work/out" 2> "$work/err"
"$top_builddir/tests/json-get" kernels student file verdict < "$work/out" > rows
"$top_builddir/tests/json-get" students name < "$work/out" > names
grep -q 'dora.*null.*not graded' rows && grep -q 'banks.cu.*null.*not graded' rows && grep -q dora names && grep -q emil names
report $? "what is not read is in JSON, too"
if [ "$(id -u)" -ne 0 ]; then
	mkdir odd/shut && chmod 0 odd/shut
	capture "$simttutor" class collect odd
	[ "$status" = 0 ] && printed err "odd/shut: warning: left out: " && printed out "shut: not graded: "
	report $? "a folder that may not be read is named"
	rmdir odd/shut
else
	skip "a folder that may not be read is named" "root may read everything"
fi

# --- a folder of kernels for one exercise -----------------------------------------------------------------------------
mkdir flat && cp class/anna/banks.ptx flat/anna.ptx && cp class/bert/banks.ptx flat/bert.ptx
answers 1 "anna.ptx: solved" "bert.ptx: not solved" "2 kernels, 1 solved" -- exercise --check flat banks
rm flat/bert.ptx
ln -s ../class/bert flat/more
answers 1 "anna.ptx: solved" "more: $is_link" "flat/more: warning: left out: it is a link" "1 kernel, 1 solved" -- exercise --check flat banks
rm flat/more
answers 0 "1 kernel, 1 solved" -- exercise --check flat --jobs 2 banks
capture "$simttutor" exercise --check flat --format json banks
[ "$(at 0.verdict)" = '"solved"' ]
report $? "a folder of kernels as JSON"
capture "$simttutor" exercise --check flat/anna.ptx --format json --output verdict.json banks
[ "$status" = 0 ] && [ ! -s "$work/out" ] && grep -q '"solved": true' verdict.json
report $? "a verdict in a file"

# --- handed in --------------------------------------------------------------------------------------------------------
answers 3 "there is nothing to hand in" -- class hand-in --name me --yes handed
mkdir -p "$XDG_STATE_HOME/simttutor" "$XDG_DATA_HOME/simttutor" && chmod 700 "$XDG_STATE_HOME/simttutor"
cp class/anna/progress.json "$XDG_STATE_HOME/simttutor/" && chmod 600 "$XDG_STATE_HOME/simttutor/progress.json"
cp "$lessons/10-banks/exercise/solution.cu" "$XDG_DATA_HOME/simttutor/banks.cu"
"$simttutor" class hand-in --name me handed < /dev/null > "$work/out" 2> "$work/err"
[ $? = 1 ] && printed out "To handed/me:" && printed out "banks.cu" && printed out "you: 1 of" && printed err "nothing was handed in" && [ ! -e handed/me ]
report $? "what would be handed in is shown first"
printf 'y\n' | "$simttutor" class hand-in --name me handed > "$work/out" 2>&1
[ $? = 0 ] && cmp -s handed/me/progress.json class/anna/progress.json && cmp -s handed/me/banks.cu "$lessons/10-banks/exercise/solution.cu"
report $? "progress and kernels are handed in"
answers 0 "progress.json" -- class hand-in --name me --yes handed
answers 2 "a folder cannot be called '../me'" -- class hand-in --name ../me --yes handed
answers 2 "what to do? It takes: collect, hand-in" -- class
answers 2 "name one folder" -- class collect
answers 3 "there is no such folder" -- class collect nowhere
answers 3 "there is no such folder" -- class collect /nowhere
answers 0 "anna/banks.ptx: solved" -- class collect "$work/class"
answers 0 "anna/banks.ptx: solved" -- class collect ./class
answers 2 "text, csv or json" -- class collect --format xml class
finish
