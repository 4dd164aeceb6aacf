#!/bin/sh
# Completions: every command and every option is in each of them; bash's are tried.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99

commands=$("$simttutor" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
for shell in bash zsh fish; do
	capture "$simttutor" completion $shell
	report "$status" "$shell: there are completions"
	cp "$work/out" "$work/$shell"
	missing=
	for command in $commands; do
		grep -q -- "$command" "$work/$shell" || missing="$missing $command"
		for option in $("$simttutor" help "$command" | sed -n '/^options:/,$s/^  \(-., \)\{0,1\}--\([a-z-]*\).*/\2/p'); do
			grep -q -e "--$option" -e "-l $option" "$work/$shell" || missing="$missing $command:$option"
		done
	done
	[ -z "$missing" ]
	report $? "$shell: every command and option"
	[ -z "$missing" ] || note "missing:$missing"
	if command -v $shell >/dev/null 2>&1; then
		$shell -n "$work/$shell"
		report $? "$shell: it can be read"
	fi
done

if command -v bash >/dev/null 2>&1; then
	# complete WORD... : what bash offers for the last of the words
	offers() {
		bash -c '. "$0"; PATH=$1:$PATH; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _simttutor
			printf "%s\n" "${COMPREPLY[@]}"' "$work/bash" "$top_builddir" "$@" | tr '\n' ' '
	}
	expect_offer() {
		name=$1 want=$2
		shift 2
		got=$(offers "$@")
		case " $got" in
		*" $want "*) report 0 "bash: $name" ;;
		*) report 1 "bash: $name"; note "offered: $got" ;;
		esac
	}
	expect_offer "a command" learn simttutor le
	expect_offer "an option of a command" --point simttutor show --po
	expect_offer "a view" banks simttutor show banks/2 --view ba
	expect_offer "a theme before the command" projector simttutor --theme pro
	expect_offer "a value of an option that has few" kernel simttutor play --playground ke
	expect_offer "a lesson" banks simttutor learn ba
	expect_offer "a lesson after an option" sectors simttutor --gpu none learn sec
	expect_offer "a command to be helped with" metrics simttutor help met
	expect_offer "a shell" fish simttutor completion fi
fi
capture "$simttutor" completion tcsh
[ "$status" -eq 2 ] && grep -q "not for 'tcsh'" "$work/err"
report $? "another shell is refused"
finish
