# Courses that are begun, packed and installed elsewhere; and archives of strangers.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data
export XDG_STATE_HOME XDG_DATA_HOME
unset SIMTTUTOR_COURSES XDG_DATA_DIRS
grep -q '^#define HAVE_LIBARCHIVE' "$top_builddir/config.h" || skip_all "built without libarchive"
installed=$XDG_DATA_HOME/simttutor/courses
cd "$work" || exit 99

# --- begun ------------------------------------------------------------------------------------------------------------
answers 0 "course.yaml" "learn --course mine 1" -- course new mine --title 'My "first" \ course' --author 'A. Author' --license MIT
answers 0 "the answer is 4 (flip 31)" "1 lesson: 2 steps, 2 questions" -- course check --no-recorded mine
answers 0 'My "first" \ course' "A first lesson" '!\n' -- list --course ./mine
answers 1 "there is a course already" -- course new mine
answers 1 "a language is a tag" -- course new other --language '../en'
answers 2 "new takes one folder" -- course new
answers 2 "what to do with a course? It takes: new, check" -- course
if command -v "${NVCC:-nvcc}" > /dev/null || command -v clang > /dev/null; then
	answers 0 "mirror.ptx: current" -- course build mine
	echo '// changed' >> mine/kernels/mirror.cu
	answers 1 "it was not made from what is now in" -- course check --no-recorded mine
	answers 0 "mirror.ptx: made" -- course build mine
else
	skip "a kernel that changed is built" "no compiler for kernels"
fi

# --- checked as a whole -----------------------------------------------------------------------------------------------
answers 1 "4 of 4 launches are not recorded" -- course check mine
cp -R mine broken
ln -s /etc/passwd broken/kernels/passwd
answers 1 "kernels/passwd: is neither a folder nor a plain file; a course has no links" -- course check --no-recorded broken
rm broken/kernels/passwd
touch 'broken/a name'
answers 1 "has letters, digits and ._+- alone" -- course check --no-recorded broken
rm 'broken/a name' && touch broken/README.md~ broken/.hidden
cp -R broken/lessons/01-first broken/lessons/02-first
answers 1 "is called 'first', too" -- course check --no-recorded broken
sed 's/^after.*//; s/^title: A first/after: [nowhere]\n&/' mine/lessons/01-first/lesson.md > broken/lessons/01-first/lesson.md
rm -r broken/lessons/02-first
answers 1 "it comes after 'nowhere', but there is no such lesson" -- course check --no-recorded broken
rm broken/course.yaml
capture "$simttutor" course check --no-recorded --format json broken
[ "$status" = 1 ] && [ "$(at outcome)" = '"error"' ] && [ "$(at totals.lessons)" = 1 ]
report $? "faults of a course as JSON"
answers 3 "there is no such folder" -- course check nowhere
answers 3 "there is no such folder" -- course pack nowhere
for fault in 'solutions: hidden' 'prerequisites: warps'; do
	{ cat mine/course.yaml; echo "$fault"; } > broken/course.yaml
	capture_all "$simttutor" course check --no-recorded broken
	[ "$status" = 1 ] && printed out 'course.yaml:'
	report $? "refused in course.yaml: $fault"
done

# --- packed, and the same bytes for the same files --------------------------------------------------------------------
answers 0 "mine-0.1.tar.xz: 5 files" -- course pack --no-recorded mine
touch -d '2020-01-01' mine/course.yaml mine/kernels/* && chmod 600 mine/kernels/mirror.cu
(umask 077 && "$simttutor" course pack --no-recorded mine -o again.tar.xz) > /dev/null
cmp -s mine-0.1.tar.xz again.tar.xz
report $? "an archive is the same for the same files"
tar tf mine-0.1.tar.xz > names
printf 'mine/\nmine/README.md\nmine/course.yaml\nmine/kernels/mirror.cu\nmine/kernels/mirror.ptx\nmine/lessons/01-first/lesson.md\n' |
	cmp -s - names
report $? "an archive has the files of the course in order"
answers 1 "not recorded" -- course pack mine -o never.tar.xz
[ ! -e never.tar.xz ]
report $? "a course that does not pass is not packed"

# --- installed --------------------------------------------------------------------------------------------------------
sed -i 's/^version.*/&\nprerequisites: [You know what a warp is.]/' mine/course.yaml
"$simttutor" course pack --no-recorded mine -o mine.tar.xz > /dev/null 2>&1
answers 0 'mine: My "first" \ course, version 0.1, by A. Author, license MIT; 1 lesson' "You know what a warp is." -- course install mine.tar.xz
answers 0 "In any order" -- list --course mine
answers 0 "How many sectors" -- show --course mine first/1
answers 0 'My "first"' "data/simttutor/courses/mine" -- course list
answers 1 "there is a course of that name" "nothing was installed" -- course install mine.tar.xz
answers 0 "mine: My" -- course install --replace mine.tar.xz
answers 0 "yours: My" -- course install --name yours mine.tar.xz
answers 2 "letters, digits" -- course install --name ../up mine.tar.xz
answers 0 "yours is removed" -- course remove yours
answers 3 "no course of that name" -- course remove yours
answers 3 "no course of that name" -- course remove ../courses/mine
answers 3 "no course of that name" -- course remove .incoming-x
answers 3 "cannot" -- course install nowhere.tar.xz
(cd "$work" && tar czf plain.tar.gz mine)
answers 0 "host: My" -- course install --name host plain.tar.gz

# --- solutions that a course withholds --------------------------------------------------------------------------------
cp -R "$top_srcdir/tests/course" held && chmod -R u+w held
mkdir -p held/lessons held/kernels
cp -R "$top_srcdir/lessons/10-banks" held/lessons/ && chmod -R u+w held
rm -rf held/lessons/01-spalten held/kernels/*
printf 'format: 1\ntitle: Held\nsolutions: withheld\n' > held/course.yaml
answers 0 "files that tell solutions are withheld" -- course pack --no-recorded held -o held.tar.xz
! tar tf held.tar.xz | grep -E 'exercise/(solution|wrong|right)' > "$work/out"
report $? "a reader's archive has no solutions"
"$simttutor" course pack --no-recorded --edition instructor held -o all.tar.xz > /dev/null 2>&1
tar tf all.tar.xz | grep -q 'exercise/solution.cu'
report $? "an instructor's archive has them"
answers 0 "held: Held" -- course install held.tar.xz
answers 3 "this course withholds the solutions" -- exercise --course held --solution banks
answers 0 "neighboring lanes" -- exercise --course held --hint 1 banks

# --- strangers' archives ----------------------------------------------------------------------------------------------
before=$(ls -A "$installed")
hostile() { # NAME TEXT: x.tar.xz is refused with the text, and nothing is left
	capture_all "$simttutor" course install --name stranger x.tar.xz
	[ "$status" = 1 ] && printed out "$2" && [ "$(ls -A "$installed")" = "$before" ] && [ ! -e "$work/escaped" ]
	report $? "refused: $1"
}
pack_as() { # SED-EXPRESSION: the course with names changed
	tar cJf x.tar.xz -P --transform "$1" mine
}
pack_as 's|^mine/README.md|mine/../../escaped|' && hostile "a name that leads out" "must not lead out"
pack_as "s|^mine/README.md|$work/escaped|" && hostile "an absolute name" "must not lead out"
pack_as 's|^mine/README.md|mine/a b|' && hostile "a name with a blank" "letters, digits"
pack_as "s|^mine/README.md|mine/$(printf 'a\033]0;x\a')|" && hostile "a name with control characters" "letters, digits"
! LC_ALL=C grep -q "$(printf '\033')" "$work/out"
report $? "and they do not reach the terminal"
pack_as 's|^mine/README.md|other/README.md|' && hostile "two folders" "one folder, with the course in it"
pack_as 's|^mine/README.md|mine/course.yaml|' && hostile "a file twice" "course.yaml"
pack_as 's|^mine/README.md|mine/kernels/mirror.cu/x|' && hostile "a file in a file" "mirror.cu"
pack_as 's|^mine/lessons|mine/lektionen|' && hostile "no lessons" "there is no folder lessons"
mkdir -p bad && cp -R mine bad/ && cd bad || exit 99
ln -s /etc/passwd mine/kernels/passwd && tar cJf ../x.tar.xz mine && cd .. && hostile "a symbolic link" "neither a folder nor a plain file"
rm bad/mine/kernels/passwd && ln bad/mine/course.yaml bad/mine/zz.yaml
(cd bad && tar cJf ../x.tar.xz mine) && hostile "a hard link" "neither a folder nor a plain file"
rm bad/mine/zz.yaml && mkfifo bad/mine/fifo
(cd bad && tar cJf ../x.tar.xz mine) && hostile "a FIFO" "neither a folder nor a plain file"
rm bad/mine/fifo && head -c 40000000 /dev/zero > bad/mine/zeros
(cd bad && tar cJf ../x.tar.xz mine) && hostile "a bomb" "more bytes than a course may"
mkdir bad/mine/.git && mv bad/mine/zeros bad/mine/.git/zeros
(cd bad && tar cJf ../x.tar.xz mine) && hostile "a bomb in what is passed over" "more bytes than a course may"
rm -r bad/mine/.git && (cd bad && mkdir mine/many && cd mine/many && seq 10100 | xargs touch && cd ../.. && tar cJf ../x.tar.xz mine)
hostile "too many files" "too many files"
rm -r bad/mine/many
head -c 700 mine.tar.xz > x.tar.xz && hostile "an archive that was cut" "x.tar.xz"
printf 'no archive' > x.tar.xz && hostile "what is no archive" "x.tar.xz"
: > x.tar.xz && hostile "an empty file" "x.tar.xz"
sed 's/metric: global_load_sectors_per_request/metric: nonsense/' mine/lessons/01-first/lesson.md > bad/mine/lessons/01-first/lesson.md
(cd bad && tar cJf ../x.tar.xz mine) && hostile "a lesson with a fault" "lesson.md:"
sed 's/"u32:{flip}"/"u32:0x7fffffff"/' mine/lessons/01-first/lesson.md > bad/mine/lessons/01-first/lesson.md
(cd bad && tar cJf ../x.tar.xz mine) && hostile "a kernel that reads out of bounds" "out of bounds"
mkdir -p "$installed/.incoming-old/x" && touch -d '2020-01-01' "$installed/.incoming-old"
"$simttutor" course install --replace mine.tar.xz > /dev/null 2>&1
[ ! -e "$installed/.incoming-old" ]
report $? "what an interrupted installation left is removed"
finish
