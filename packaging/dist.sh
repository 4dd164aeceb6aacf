# The tarball of a commit is the same, byte for byte, whenever, wherever and by whomever it is made.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
for tool in git autoreconf xz; do
	command -v $tool > /dev/null || skip_all "no $tool"
done
git -C "$top_srcdir" ls-files --error-unmatch configure.ac > /dev/null 2>&1 || skip_all "not a checkout"
unset SOURCE_DATE_EPOCH XZ_OPT XZ_DEFAULTS TAR_OPTIONS GIT_DIR GIT_WORK_TREE MAKEFLAGS MFLAGS MAKELEVEL
GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000'
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_DATE
cd "$work" || exit 99

# The files as they are now, as one commit: what has not been committed yet is tested, too.
(cd "$top_srcdir" && git ls-files | while IFS= read -r file; do [ ! -e "$file" ] || printf '%s\n' "$file"; done | tar cf "$work/files.tar" -T -) || exit 99

# check_out FOLDER UMASK: a commit of them. make_dist FOLDER UMASK BUILD: its tarball, made in BUILD, to FOLDER.tar.xz.
check_out() (
	umask "$2" && mkdir -p "$1" && cd "$1" && tar xf "$work/files.tar" --no-same-permissions --touch &&
		git init -q . && git add -Af . && git -c commit.gpgsign=false commit -qm all && autoreconf -fi
)
make_dist() (
	umask "$2" && mkdir -p "$1/$3" && cd "$1/$3" || exit
	# what is built for it only prints; in the folder itself, where no cache of compilations has it, it is not optimized
	case $3 in .) configure="./configure CFLAGS=-O0" ;; *) configure=../configure ;; esac
	$configure -q --with-cuda=no && make dist && mv ./*.tar.xz "$work/$(basename "$1").tar.xz"
)

LC_ALL=C && export LC_ALL
capture_all check_out one 022 && capture_all make_dist one 022 build
report $status "a tarball of a checkout"
(
	LC_ALL=C.UTF-8 LANGUAGE=de TZ=Pacific/Auckland
	export LC_ALL LANGUAGE TZ
	check_out "a/longer/name/two" 077 && find a -name '*.c' -exec touch -d '2020-02-02' {} + && make_dist a/longer/name/two 077 .
) > "$work/out" 2>&1
report $? "one of another, with other times, languages and rights"

same() { # A B: what differs is shown
	cmp "$1" "$2" > "$work/out" 2>&1 && return 0
	tar tvf "$1" > list.1 && tar tvf "$2" > list.2
	diff list.1 list.2 >> "$work/out"
	rm -rf x.1 x.2 && mkdir x.1 x.2 && tar xf "$1" -C x.1 && tar xf "$2" -C x.2
	diff -rq x.1 x.2 >> "$work/out"
	return 1
}
same one.tar.xz two.tar.xz
report $? "both are the same, byte for byte"
# What is of the checkout alone: what makes packages of the tarball, and what checks changes.
tar tf one.tar.xz | sed 's|^[^/]*/||' | sort > in-tarball
report_none "every file is in it" "$(git -C one ls-files | grep -v -e '^\.ci/' -e '^\.gitignore$' -e '^debian/' -e '^configure$' | sort | comm -23 - in-tarball | head -n 20)"
tar tvf one.tar.xz --utc --full-time > list
awk '$4 " " $5 != "2023-11-14 22:13:20" || $2 != "0/0" { print }' list > unlike
[ -s list ] && [ ! -s unlike ]
report $? "its files are as old as the commit, and nobody's"
[ ! -s unlike ] || note "$(head -n 5 unlike)"

mkdir again && tar xf one.tar.xz -C again --strip-components=1
capture_all make_dist again 022 build && same one.tar.xz again.tar.xz
report $? "what is unpacked makes the same tarball again"
SOURCE_DATE_EPOCH=1000000000 make -C one/build dist > "$work/out" 2>&1
tar tvf one/build/*.tar.xz --utc --full-time > list
[ -s list ] && [ -z "$(awk '$4 " " $5 != "2001-09-09 01:46:40"' list)" ]
report $? "SOURCE_DATE_EPOCH says how old its files are"
finish
