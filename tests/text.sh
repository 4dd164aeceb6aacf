#!/bin/sh
# Texts in another language: a made-up one, in which each stands in brackets, so that what is not translatable shows.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
for tool in xgettext msgen msgfilter msgfmt; do
	command -v "$tool" > /dev/null || skip_all "$tool is not installed"
done
pot=$work/simttutor.pot catalogs=$work/catalogs
capture "$top_srcdir/po/update" "$(cd "$top_srcdir" && pwd)" "$pot"
ends 0
report $? "the texts can be collected"

# What the tables have, each with its columns.
texts() { # FILE SED
	sed -n "$2" "$top_srcdir/src/$1" | grep -v '^$' | sort -u
}
listed() { msgcat --no-wrap "$pot" | sed -n 's/^msgid "\(.*\)"$/\1/p' | sort -u; }
listed > "$work/listed"
missing() { comm -23 - "$work/listed"; }
report_none "every action's help is collected" "$(texts front/tutor/actions.def 's/^ACTION([A-Z_]*, "[^"]*", "\(.*\)")$/\1/p' | missing)"
report_none "the debugger's, too" "$(texts front/debug/actions.def 's/^ACTION([A-Z_]*, "[^"]*", "\(.*\)")$/\1/p' | missing)"
report_none "every footer of a key" "$(texts front/tutor/keys.def 's/^KEY([A-Z]*, [^ ]*, [A-Z_]*, "\(.*\)")$/\1/p' | missing)"
report_none "the debugger's, too" "$(texts front/debug/keys.def 's/^KEY([^ ]*, [A-Z_]*, "\(.*\)")$/\1/p' | missing)"
report_none "every setting" "$(texts front/tutor/settings.def 's/^SETTING(.*"\([^"]*\)")$/\1/p' | missing)"
report_none "every theme" "$(texts front/canvas/themes.def 's/^THEME(.*"\([^"]*\)")$/\1/p' | missing)"
report_none "every command of the debugger" "$(texts front/debug/commands.def 's/^COMMAND(.*, "\(.*\)")$/\1/p' | missing)"
[ "$(texts front/debug/commands.def 's/^COMMAND(.*, "\(.*\)")$/\1/p' | wc -l)" -gt 20 ]
report $? "whose table can be read"
report_none "every view's title" "$(texts front/view/views.def 's/^VIEW([A-Z]*, "[^"]*", "\([^"]*\)",.*/\1/p' | missing)"
report_none "every metric's label" "$(texts model/hardware/metrics.def 's/^METRIC([A-Z0-9_]*, [A-Z0-9_]*, "[^"]*", "\([^"]*\)",.*/\1/p' | missing)"
[ "$(texts front/tutor/actions.def 's/^ACTION([A-Z_]*, "[^"]*", "\(.*\)")$/\1/p' | wc -l)" -gt 50 ]
report $? "the tables can be read"

mkdir -p "$catalogs/de/LC_MESSAGES"
sed -i 's/nplurals=INTEGER; plural=EXPRESSION;/nplurals=2; plural=(n != 1);/' "$pot"
msgen "$pot" 2> "$work/err" | msgfilter --keep-header --output="$work/de.po" sed -e 's/^/[/' -e 's/$/]/' 2>> "$work/err" &&
	msgfmt --check-format -o "$catalogs/de/LC_MESSAGES/simttutor.mo" "$work/de.po" 2>> "$work/err"
report $? "they can be translated, formats included"

export LC_ALL=C.UTF-8 XDG_CONFIG_HOME="$work/config"
translated() { LANGUAGE=de TEXTDOMAINDIR=$catalogs SIMTTUTOR_DATA=$top_srcdir "$simttutor" "$@"; }
translated help > "$work/out" 2> "$work/err"
if ! grep -qF '[' "$work/out"; then
	skip "this C library translates nothing in the locale C.UTF-8"
	finish
	exit 0
fi
report_none "every command's summary is" "$(sed -n '/^commands:/,/^$/p' "$work/out" | grep '^  [a-z]' | grep -vF '[')"
# What run and cc say at length has lists from tables in it, and stays as it is. Paragraphs are wrapped: one begins and ends with a bracket. The two columns of options: the second one does.
commands=$(sed -n '/^\[*commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$work/out")
[ "$(echo "$commands" | wc -l)" -gt 20 ]
report $? "commands are listed"
for command in $commands; do
	translated help "$command" > "$work/help" 2>> "$work/err"
	case $command in run | cc) continue ;; esac
	sed -n '/^usage\|options:/,$p' "$work/help" | sed ':a; N; $!ba; s/\n                             / /g' | grep '^  *-' | grep -vF '['
	grep -q '^  simttutor ' "$work/help" && continue # examples are commands and what they print
	sed -n '2,/options:/p' "$work/help" | tr '\n' ' ' | sed 's/\[[^][]*\(\[[^][]*\][^][]*\)*\]//g' | grep '[a-z][a-z]'
done > "$work/plain"
report_none "every option and every paragraph about a command is" "$(grep -v -e '--view NAME' -e '--theme NAME' "$work/plain")"
capture translated access --space shared --op ld 'lane*2'
said out '[A bank delivers one 4-byte word per wavefront, and the busiest bank has [2 words to deliver]'
report $? "sentences with numbers are"
capture translated access --space shared --op ld 'lane'
said out '[1 word to deliver]' && said out '[1 request] of [1 wavefront]'
report $? "and with the form for one"
printf '%s\n' help 'lane 99' 9 hint 2 'open nowhere' edit list measure 'try lane*(' leave quit > "$work/said"
translated --gpu none learn --linear banks/2 < "$work/said" > "$work/out" 2> "$work/err"
has '^[a-z]*: \[these commands\]\.$' && has '^\[Which? Lanes' && has '^\[That is not it' && has '^\[This step is no exercise' &&
	has '^\[At character 7: \]'
report $? "lessons line by line are"
capture translated show banks/2 --size 100x30
ends 0 && has '\[step\].*\[view\]' && has '\[help\]'
report $? "the keys below the screen are"
capture translated access --bank 3
printed err 'simttutor: ' && printed err '['
report $? "errors are"
capture translated run "$work/no-such.cu" --grid 1 --block 1
printed err '['
report $? "with what they are about" && printed err 'no-such.cu'
capture translated learn < /dev/null
ends 0
report $? "the list can be printed"

# Without a catalog, and in its language, English.
capture env LANGUAGE=tlh TEXTDOMAINDIR="$catalogs" "$simttutor" help
mv "$work/out" "$work/other"
capture env LANGUAGE= "$simttutor" help
cmp -s "$work/out" "$work/other" && ! has '\['"open"
report $? "without a catalog the texts are English"
finish
