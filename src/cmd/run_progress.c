/* What a run that takes long has done so far, on a terminal, and its end by Ctrl-C. */
#include "config.h"
#include "cmd/run.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/portable.h"

#define SHOWN_AFTER_MS 1000
#define TICK_MS 200

static struct simt_progress progress;
static _Atomic bool over;
static pthread_t ticker;
static bool ticks;

/* The first one ends the run in good order, the second at once. */
static void on_interrupt(int number)
{
	(void)number;
	progress.stop = true;
}

static void show_progress(uint64_t blocks, double ms)
{
	struct buf text = {0};
	double steps = (double)progress.steps;
	buf_printf(&text, "%.1f million warp instructions, %llu of %llu blocks, %.1f million a second; Ctrl-C stops it",
		steps / 1e6, (unsigned long long)progress.blocks, (unsigned long long)blocks, steps / 1e3 / ms);
	cmd_print_progress(buf_str(&text));
	buf_free(&text);
}

static void *tick(void *arg)
{
	uint64_t blocks = *(const uint64_t *)arg;
	double begin = clock_ms();
	bool shown = false;
	while (!over) {
		nanosleep(&(struct timespec){.tv_nsec = TICK_MS * 1000000L}, NULL);
		if (over || clock_ms() - begin < SHOWN_AFTER_MS)
			continue;
		show_progress(blocks, clock_ms() - begin);
		shown = true;
	}
	if (shown)
		cmd_print_progress("");
	return NULL;
}

void run_progress_begin(struct run *run)
{
	static uint64_t blocks;
	struct sigaction act = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
	bool stopped = progress.stop;
	progress.steps = progress.blocks = 0;
	progress.stop = stopped;
	run->watch.progress = &progress;
	blocks = warp_dim_volume(run->launch.grid);
	sigaction(SIGINT, &act, NULL);
	over = false;
	ticks = isatty(STDERR_FILENO) && pthread_create(&ticker, NULL, tick, &blocks) == 0;
}

void run_progress_end(struct run *run)
{
	over = true;
	if (ticks)
		pthread_join(ticker, NULL);
	ticks = false;
	signal(SIGINT, SIG_DFL);
	run->watch.progress = NULL;
}
