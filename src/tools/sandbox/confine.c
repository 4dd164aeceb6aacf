#include "config.h"
#include "tools/sandbox/confine.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/paths.h"
#include "base/portable.h"

void confine_allow(struct arena *arena, struct confine_profile *profile, const char *path, unsigned access)
{
	*vec_push_in(arena, profile->rules, profile->n, profile->cap) = (struct confine_rule){path, access};
}

void confine_allow_open(struct arena *arena, struct confine_profile *profile, int fd, unsigned access)
{
	*vec_push_in(arena, profile->open_rules, profile->n_open, profile->cap_open) = (struct confine_open_rule){
		fd, access};
}

void confine_check_environment(struct diag *diag)
{
	environment_is_no("SIMTTUTOR_CONFINE", diag);
}

struct confine_support confine_support(void)
{
	return (struct confine_support){
		.abi = confine_landlock_abi(),
		.seccomp = confine_seccomp_offered(),
		.refused = environment_is_no("SIMTTUTOR_CONFINE", NULL),
	};
}

int confine_lacks(const struct confine_support *s, struct confine_lack lacks[CONFINE_LACKS_MAX])
{
	const struct confine_lack all[] = {
		{"confinement",
			"SIMTTUTOR_CONFINE=no turns it off: files of strangers are handled with all your rights"},
		{"Landlock", "what handles files of strangers could read and write your other files"},
		{"seccomp", "what handles files of strangers could use the network and look into your other programs"},
		{"Landlock's network rules (ABI 4)", "TCP, too, is closed by seccomp alone"},
		{"Landlock's rules for devices (ABI 5)", "devices that may be opened take every command"},
		{"Landlock's scopes (ABI 6)",
			"compilers can send no signals at all, and what handles files of strangers "
			"only to itself"},
	};
	const bool lacking[] = {s->refused, !s->refused && s->abi < 1, !s->refused && !s->seccomp,
		!s->refused && s->abi > 0 && s->abi < 4, !s->refused && s->abi > 0 && s->abi < 5,
		!s->refused && s->abi > 0 && s->abi < 6};
	int n = 0;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (lacking[i])
			lacks[n++] = all[i];
	return n;
}

bool confine_self(const struct confine_profile *profile, const struct confine_support *s)
{
	if (s->refused)
		return true;
	return portable_gain_no_privileges() && (s->abi < 1 || confine_landlock(profile, s->abi)) &&
		(!s->seccomp || confine_seccomp(profile->liberties, s->abi));
}
