# A course from elsewhere: tests/course has a kernel of its own and a lesson in German.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data
export XDG_STATE_HOME XDG_DATA_HOME
unset SIMTTUTOR_COURSES XDG_DATA_DIRS
mkdir -p "$work/shelf"
cp -R "$top_srcdir/tests/course" "$work/shelf/spalten" && chmod -R u+w "$work/shelf"
course=$work/shelf/spalten

# --- it is sound, and found ---------------------------------------------------------------------------------------------
answers 0 "Zeilen und Spalten, 2 steps" "the answer is 16 (schritt 4)" "the answer is 'nein'" \
	"spelling is not checked: the language of the course is de" -- lesson check --no-recorded "$course/lessons/01-spalten"
answers 0 "Speicher in Zeilen und Spalten" "Globaler Speicher" "nebeneinander" "!Two lanes" -- list --course "$course"
SIMTTUTOR_COURSES=$work/nowhere:$work/shelf
export SIMTTUTOR_COURSES
answers 0 "nebeneinander" -- list --course spalten
unset SIMTTUTOR_COURSES
mkdir -p "$XDG_DATA_HOME/simttutor/courses" "$work/system/simttutor/courses"
cp -R "$course" "$XDG_DATA_HOME/simttutor/courses/eigener"
cp -R "$course" "$work/system/simttutor/courses/aller"
answers 0 "nebeneinander" -- list --course eigener
XDG_DATA_DIRS=$work/nowhere:$work/system
export XDG_DATA_DIRS
answers 0 "nebeneinander" -- list --course aller
unset XDG_DATA_DIRS
answers 2 "there is no such course" -- list --course nirgends
answers 2 "there is no such course" -- list --course "$work"

# --- it is read ---------------------------------------------------------------------------------------------------------
answers 0 "ein[i * schritt]" -- show --course "$course" spalten/1 --view source
answers 0 "Liest jeder Thread" -- show "$course/lessons/01-spalten" --size 80x24
answers 0 "Mehr wird es nicht" -- learn "$course/lessons/01-spalten/2"
answers 0 "Mehr wird es nicht" -- learn --course "$course" 1/2
(cd "$course/lessons" && answers 0 "Liest jeder Thread" -- learn ./01-spalten) > "$work/tap"
grep -q '^ok' "$work/tap"
report $? "a lesson is opened by its relative path"
answers 2 "there is no lesson.md" -- learn ./nirgends
answers 2 "no lesson 'banks'" -- show --course "$course" banks

answers 0 '<html lang="de">' '<title>Zeilen und Spalten</title>' "Mehr wird es nicht" "!Two lanes, one bank" -- book --course "$course"
answers 0 '<html lang="de">' "Mehr wird es nicht" -- book "$course/lessons/01-spalten" --format html

# A number with a digit more lies between two others.
cp -R "$course" "$work/shelf/between" && between=$work/shelf/between
for name in 001-erst 011-dann 02-zuletzt; do cp -R "$between/lessons/01-spalten" "$between/lessons/$name"; done
answers 0 -- list --course "$between" --json
[ "$(sed -n 's/.*"folder": "\(.*\)".*/\1/p' "$work/out" | tr '\n' ' ')" = '001-erst 01-spalten 011-dann 02-zuletzt ' ]
report $? "lessons stand in the order of their folders' names"
answers 0 '  0.1  erst: ' '  1    spalten: ' '  1.1  dann: ' '  2    zuletzt: ' -- list --course "$between"
answers 0 "Mehr wird es nicht" -- learn --course "$between" 1.1/2
answers 2 "no lesson '11'" -- learn --course "$between" 11/2

# A book of a translation says the language of that; one of lessons in several, that of each.
cp -R "$course" "$work/shelf/two" && mkdir "$work/shelf/two/lessons/02-zeilen" && two=$work/shelf/two
cp -R "$two/lessons/01-spalten/." "$two/lessons/02-zeilen/"
sed 's/^title: .*/title: Rangs et colonnes/' "$two/lessons/01-spalten/lesson.md" > "$two/lessons/01-spalten/lesson.fr.md"
in_french() { LC_ALL=fr_FR.UTF-8 LANGUAGE=fr "$simttutor" book --course "$two" "$@" > "$work/out" 2>&1; }
in_french spalten && printed out '<html lang="fr">' && printed out '<title>Rangs et colonnes</title>' && ! printed out '<div lang='
report $? "a book of a translated lesson is in its language"
in_french && printed out '<html lang="de">' && [ "$(grep -c '<div lang="fr">' "$work/out")" -eq 1 ] && ! printed out '<div lang="de">'
report $? "a book of lessons in two languages is in the course's, the other lesson in its own"
in_french --format pdf-ready && printed out '<div lang="fr">' && in_french --format md && ! printed out 'lang='
report $? "the same for paper, and in Markdown"
rm -rf "$two"

# The kernels of an exercise are in files called start and solution: which one is launched need not be said.
cp -R "$top_srcdir/lessons/10-banks" "$course/lessons/02-banks" && chmod -R u+w "$course/lessons/02-banks"
cp "$top_srcdir"/kernels/shared_stride.* "$top_srcdir/kernels/simt.h" "$course/kernels"
sed 's/kernel: row_sums, *//; s/^  launch: {kernel: row_sums}$//' "$course/lessons/02-banks/lesson.md" > "$work/lesson.md"
! cmp -s "$work/lesson.md" "$course/lessons/02-banks/lesson.md" && cp "$work/lesson.md" "$course/lessons/02-banks/lesson.md"
report $? "a lesson whose exercise names no kernel"
answers 0 "start fails: " -- lesson check --no-recorded "$course/lessons/02-banks"
rm -r "$course/lessons/02-banks"

# A translation is checked, whatever the language of who checks it.
mkdir "$work/two" && cp -R "$top_srcdir/tests/course/." "$work/two" && chmod -R u+w "$work/two"
german=$work/two/lessons/01-spalten/lesson.md
sed 's/^title: .*/title: Lignes et colonnes/' "$german" > "${german%.md}.fr.md"
answers 0 "1 lesson: 2 steps" "!lesson.fr.md" -- course check --no-recorded "$work/two"
sed 's/^## Mehr wird es nicht/## Cela ne monte plus/' "$german" > "${german%.md}.fr.md"
answers 1 "lesson.fr.md: its steps, by their ids, or its parameters are not those of lesson.md" -- \
	course check --no-recorded "$work/two"
sed 's/schritt=16\] <= /schritt=16] > /' "$german" > "${german%.md}.fr.md"
answers 1 "lesson.fr.md:" "mehr-wird-es-nicht" -- course check --no-recorded "$work/two"
sed 's/^format: 1/format: x/' "$german" > "${german%.md}.fr.md"
answers 1 "lesson.fr.md:2:" -- lesson check --no-recorded "$work/two/lessons/01-spalten"
rm "${german%.md}.fr.md"

# Without a GPU nothing is recorded; what to do then is said.
answers 1 "with --no-recorded it is no error" "!as it is" -- course pack "$work/two" -o "$work/two.tar.xz"

# A lesson in no course, with its kernel.
cp -R "$course/lessons/01-spalten" "$work/allein" && cp -R "$course/kernels" "$course/course.yaml" "$work/allein"
answers 0 "Liest jeder Thread" -- learn "$work/allein/"
answers 0 "the answer is 'nein'" -- lesson check --no-recorded "$work/allein"

# What the course lacks comes from what ships, and only then.
rm "$work"/allein/kernels/spalten.*
sed 's/^kernel: spalten/kernel: shared_stride/' "$course/lessons/01-spalten/lesson.md" > "$work/allein/lesson.md"
answers 1 "kernels/shared_stride.cu; it has read" -- lesson check --no-recorded "$work/allein"

# --- what it says of itself ---------------------------------------------------------------------------------------------
for fault in 'format: 2' 'title: [a]' 'language: "../en"' 'home: here' 'language: e'; do
	{ grep -v "^${fault%%:*}:" "$top_srcdir/tests/course/course.yaml"; echo "$fault"; } > "$course/course.yaml"
	capture_all "$simttutor" list --course "$course"
	[ "$status" = 1 ] && printed out 'course.yaml:' 
	report $? "refused in course.yaml: $fault"
done
cp "$top_srcdir/tests/course/course.yaml" "$course/course.yaml"
printf 'format: 1\ntitle: "\\e]0;owned\\a"\n' > "$course/course.yaml"
"$simttutor" list --course "$course" > "$work/out" 2>&1
! LC_ALL=C grep -q "$(printf '\033')" "$work/out"
report $? "its title controls no terminal"

# --- its files do not leave it ------------------------------------------------------------------------------------------
rm "$course/kernels/spalten.cu" && printf 'secret' > "$work/secret" && ln -s "$work/secret" "$course/kernels/spalten.cu"
"$simttutor" show --course "$course" spalten/1 --view source > "$work/out" 2>&1
if [ "${SIMTTUTOR_CONFINE-}" = no ] || ! "$simttutor" doctor 2> /dev/null | grep -qi landlock; then
	skip "a kernel that is a link to elsewhere is not read" "the system does not confine"
else
	! printed out secret
	report $? "a kernel that is a link to elsewhere is not read"
fi
finish
