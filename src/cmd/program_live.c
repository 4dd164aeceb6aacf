/* The launches of a program that were kept, on the machine and on the GPU. */
#include "config.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "cmd/program_parts.h"
#include "cmd/run.h"
#include "machine/snapshot/snapshot.h"

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The files of a folder in the order of their names, which begin with the launches' numbers. */
static const char **list_files(struct cmd_ctx *ctx, const char *folder, size_t *n)
{
	const char **files = NULL;
	size_t cap = 0;
	DIR *dir = opendir(folder);
	*n = 0;
	for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;)
		if (snapshot_is_named(entry->d_name))
			*vec_push_in(ctx->arena, files, *n, cap) = path_join(ctx->arena, folder, entry->d_name);
	if (dir)
		closedir(dir);
	if (*n)
		qsort(files, *n, sizeof *files, by_name);
	return files;
}

/* Standard output is the program's. */
int program_live(struct cmd_ctx *ctx, const char *folder)
{
	size_t n;
	const char **files = list_files(ctx, folder, &n);
	struct gpu *gpu = gpu_new(cmd_gpu(ctx), ctx->paths.worker, &ctx->diag);
	int worst = gpu ? EXIT_OK : EXIT_USAGE;
	for (size_t i = 0; i < n && gpu; i++) {
		struct buf text = {0};
		int status = run_live_kept(ctx, files[i], gpu, &text);
		worst = worst == EXIT_OK ? status : worst;
		cmd_print_messages(ctx);
		cmd_print_log(&text);
		buf_free(&text);
		if (status == EXIT_MISSING)
			break; /* no GPU for this one is none for the others */
	}
	gpu_free(gpu);
	return worst;
}
