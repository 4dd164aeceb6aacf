# What a desktop reads of the program is sound, and says the version there is.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
cd "$top_srcdir" || exit 99
version=$("$simttutor" --version | sed -n '1s/^[^ ]* //p')
grep -q "<release version=\"$version\"" packaging/simttutor.metainfo.xml
report $? "metainfo has a release of the version there is"
for package in debian debian/gpu; do
	# The tarball has none: a distribution brings its own.
	[ -d $package ] || { skip "$package/changelog begins with the version there is" "not in the tarball"; continue; }
	sed -n "1s/^simttutor[a-z-]* ($version-[0-9]*) .*/&/p" $package/changelog | grep -q .
	report $? "$package/changelog begins with the version there is"
done
if command -v appstreamcli > /dev/null; then
	capture_all appstreamcli validate --no-net packaging/simttutor.metainfo.xml
	ends 0
	report $? "appstreamcli finds nothing to complain of"
else
	skip "appstreamcli finds nothing to complain of" "no appstreamcli"
fi
if command -v desktop-file-validate > /dev/null; then
	report_none "desktop-file-validate finds nothing to complain of" "$(desktop-file-validate packaging/simttutor.desktop 2>&1)"
else
	skip "desktop-file-validate finds nothing to complain of" "no desktop-file-validate"
fi
finish
