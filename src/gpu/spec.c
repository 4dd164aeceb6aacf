#include "gpu/spec.h"

#include "gpu/gpu.h"

#include <string.h>

/* Each fills argv from what follows the colon (NULL: no colon) and says whether that was right. */
static bool spec_none(const char *rest, const char *worker, struct spec *out)
{
	(void)worker, (void)out;
	return !rest;
}

static bool spec_local(const char *rest, const char *worker, struct spec *out)
{
	out->argv[0] = worker;
	if (!rest)
		return true;
	out->argv[1] = "--device";
	out->argv[2] = rest;
	return *rest && strlen(rest) <= 4 && strspn(rest, "0123456789") == strlen(rest);
}

static bool spec_command(const char *rest, const char *worker, struct spec *out)
{
	(void)worker;
	out->argv[0] = "/bin/sh";
	out->argv[1] = "-c";
	out->argv[2] = rest;
	return rest && *rest;
}

static bool spec_ssh(const char *rest, const char *worker, struct spec *out)
{
	(void)worker;
	/* no one can answer a prompt; a dead connection is noticed; and what the reader's configuration adds to a
	 * session of theirs has no place in this one */
	const char *const argv[] = {"ssh", "-T", "-oBatchMode=yes", "-oConnectTimeout=20", "-oServerAliveInterval=5",
		"-oServerAliveCountMax=3", "-oClearAllForwardings=yes", "-oRemoteCommand=none", "--", rest,
		"simttutor-gpu"};
	memcpy(out->argv, argv, sizeof argv);
	if (!rest || !*rest || *rest == '-')
		return false;
	for (const char *c = rest; *c; c++)
		if ((unsigned char)*c <= ' ' || *c == 0x7F)
			return false;
	return true;
}

static const struct {
	const char *name;
	bool (*fill)(const char *rest, const char *worker, struct spec *out);
	int start_ms, rest_ms;
	bool far;
} kinds[] = {
	{"none", spec_none, 0, 0, false},
	{"local", spec_local, 30000, 0, false},
	{"command", spec_command, 86400000, 60000, true},
	{"ssh", spec_ssh, 60000, 0, true},
};

bool gpu_spec_parse(struct arena *arena, const char *spec, const char *worker, struct spec *out, struct diag *diag)
{
	const char *colon = strchr(spec, ':');
	size_t len = colon ? (size_t)(colon - spec) : strlen(spec);
	*out = (struct spec){0};
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (strlen(kinds[i].name) != len || memcmp(kinds[i].name, spec, len) != 0)
			continue;
		out->start_ms = kinds[i].start_ms;
		out->rest_ms = kinds[i].rest_ms;
		out->far = kinds[i].far;
		if (kinds[i].fill(colon ? arena_strdup(arena, colon + 1) : NULL, arena_strdup(arena, worker), out))
			return true;
	}
	diag_error(diag, (struct diag_pos){0},
		"\"%.100s\" names no GPU: use none, local, local:N, ssh:HOST or command:CMD", spec);
	return false;
}

const char *const *gpu_command(struct arena *arena, const char *spec, const char *worker)
{
	struct spec *parsed = arena_alloc(arena, sizeof *parsed);
	struct diag quiet = {0};
	bool ok = gpu_spec_parse(arena, spec, worker, parsed, &quiet);
	diag_free(&quiet);
	return ok && parsed->argv[0] ? parsed->argv : NULL;
}
