/* cmd/confined.h: what a command needs of the system, said before it runs. Then it is confined to that
 * (tools/sandbox/confine.h), before it reads anything that a stranger wrote.
 *
 * Every command that opens files may read the course, what is installed, and what terminal and C library look up, and
 * keep progress. A command's row adds its own inputs and outputs from its arguments. Programs are started for it by a
 * process that is not confined (tools/sandbox/starter.h): the worker that --gpu names, compilers and the other tools.
 * Without either, no process is started. None is signaled but those. */
#pragma once
#include "cmd/cmd.h"
#include "tools/sandbox/confine.h"

#define CMD_OUTPUT_MODE 0777u /* of folders that are made for outputs */

struct cmd_needs {
	struct cmd_ctx *ctx;
	struct confine_profile profile;
	bool tools;      /* compilers, ptxas, hunspell */
	bool self;       /* this program, for what one process must not do for another */
	const char *gpu; /* the worker's --gpu; NULL: none is started */
	bool all;        /* it is not confined: it reads nothing that a stranger wrote */
	bool no_files;   /* it opens none, not even the course */
	bool forks;      /* it makes copies of itself */
	bool accepts;    /* who connects to a socket that `before` made */
	bool calls;      /* it connects to sockets of this host */
	bool records;    /* it writes in the folders of lessons */
	/* Called before it is confined, when `scratch` is the folder in which folders for tools are made, NULL: none;
	 * false with errno. */
	bool (*before)(struct cmd_needs *needs, const struct cmd_parsed *args, int n);
	const char *scratch;
	const char **made;
	size_t n_made, cap_made; /* folders that were missing, outer ones first */
};

/* A file, or a folder with all below it; fine when there is none, or it is standard input. */
void cmd_needs_reading(struct cmd_needs *needs, const char *path);

/* Like cmd_needs_reading, and the folder that the file is in, for what is found beside it. */
void cmd_needs_file(struct cmd_needs *needs, const char *path);

/* A folder of the reader's own, which is made where it is missing, with such a mode. To where the links in it lead may
 * be read. */
void cmd_needs_writing(struct cmd_needs *needs, const char *folder, unsigned mode);

/* A file that is written, wherever links lead: its folder, where the new one is made, or, what is no regular file,
 * itself alone. Missing folders are made, since that is impossible afterwards, and removed at the end where nothing was
 * written to them. */
void cmd_needs_output(struct cmd_needs *needs, const char *path);

/* Nothing of it: a command that opens no file. */
void cmd_needs_no_files(struct cmd_needs *needs, const struct cmd_parsed *args, int n);

/* What building a program reads: sources with their folders, headers, objects, libraries. */
struct build_request;
void cmd_needs_build(struct cmd_needs *needs, const struct build_request *request);

/* Those of run, debug and probe: FILE, which is compiled where it is CUDA source, --source, --arg TYPE:@FILE, --gpu and
 * --live. */
void cmd_needs_launch(struct cmd_needs *needs, const struct cmd_parsed *args, int n);

/* False with an error. */
bool cmd_confine(struct cmd_ctx *ctx, const struct cmd_entry *entry, const struct cmd_parsed *args, int n);

/* Ends what was started for it. */
void cmd_confine_end(void);
