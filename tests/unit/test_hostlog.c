/* The times that the model gives to what a program asks for: what overlaps, what waits for what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/hardware/hostlog.h"

#define ROOM 64
#define BYTES ((uint64_t)25000000) /* a millisecond of the link, and a little */
#define KERNEL_MS 1.0

/* A log that is being written; streams 0: the default one, 1 and 2: created, 3: one that does not block. */
static struct hostlog_op ops[ROOM];
static struct hostlog_stream streams[] = {{HOSTLOG_DEFAULT, 1, true}, {HOSTLOG_CREATED, 1, true},
	{HOSTLOG_CREATED, 2, true}, {HOSTLOG_CREATED, 3, false}};
static struct hostlog written;

static int begin_log(void **state)
{
	(void)state;
	written = (struct hostlog){.ops = ops, .streams = streams, .n_streams = 4};
	return 0;
}

static struct hostlog_op *add(enum hostlog_kind kind, int stream)
{
	struct hostlog_op *op = &ops[written.n_ops++];
	*op = (struct hostlog_op){
		.kind = kind, .stream = stream, .call = "", .name = "", .of = -1, .to = -1, .from = -1, .graph = -1};
	return op;
}

static struct hostlog_op *copy(int stream, enum hostlog_direction direction, enum hostlog_memory memory)
{
	struct hostlog_op *op = add(HOSTLOG_COPY, stream);
	op->bytes = BYTES;
	op->direction = direction;
	op->memory = memory;
	return op;
}

static struct hostlog_op *launch(int stream, double share)
{
	struct hostlog_op *op = add(HOSTLOG_LAUNCH, stream);
	op->ms = KERNEL_MS;
	op->share = share;
	return op;
}

static struct hostlog_op *sync(int stream)
{
	struct hostlog_op *op = add(HOSTLOG_SYNC, stream);
	op->blocks = true;
	return op;
}

static void schedule(void)
{
	assert_true(hostlog_is_sound(&written));
	hostlog_schedule(&written);
	for (int i = 0; i < written.n_ops; i++) {
		assert_true(ops[i].end >= ops[i].begin);
		assert_true(ops[i].begin >= ops[i].asked);
		assert_true(i == 0 || ops[i].graph >= 0 || ops[i].asked >= ops[i - 1].returned - 1e-12);
	}
}

static bool overlap(const struct hostlog_op *a, const struct hostlog_op *b)
{
	return a->begin < b->end - 1e-9 && b->begin < a->end - 1e-9;
}

static void test_stream_is_in_order(void **state)
{
	(void)state;
	struct hostlog_op *in = copy(1, HOSTLOG_IN, HOSTLOG_PINNED), *kernel = launch(1, 1),
			  *out = copy(1, HOSTLOG_OUT, HOSTLOG_PINNED), *wait = sync(-1);
	schedule();
	assert_true(kernel->begin >= in->end && out->begin >= kernel->end);
	assert_int_equal(kernel->why, HOSTLOG_BY_STREAM);
	assert_int_equal(kernel->after, 0);
	assert_true(wait->end >= out->end);
	assert_int_equal(hostlog_sum(&written).overlapping, 0);
}

static void test_streams_overlap(void **state)
{
	(void)state;
	for (int stream = 1; stream <= 2; stream++) {
		copy(stream, HOSTLOG_IN, HOSTLOG_PINNED);
		launch(stream, 1);
		copy(stream, HOSTLOG_OUT, HOSTLOG_PINNED);
	}
	schedule();
	assert_false(overlap(&ops[0], &ops[3])); /* one engine for each direction */
	assert_int_equal(ops[3].why, HOSTLOG_BY_ENGINE);
	assert_int_equal(ops[3].after, 0);
	assert_true(overlap(&ops[1], &ops[3]));
	assert_true(overlap(&ops[2], &ops[4]));
	assert_true(hostlog_sum(&written).overlapping >= 4);
	assert_int_equal(hostlog_sum(&written).streams, 2);
}

/* A copy that is ready goes before one that was asked for earlier and waits for a kernel. */
static void test_engine_takes_what_is_ready(void **state)
{
	(void)state;
	struct hostlog_op *kernel = launch(1, 1), *waits = copy(1, HOSTLOG_IN, HOSTLOG_PINNED),
			  *ready = copy(2, HOSTLOG_IN, HOSTLOG_PINNED);
	schedule();
	assert_true(overlap(kernel, ready));
	assert_true(waits->begin >= ready->end);
}

static void test_kernels_share_the_device(void **state)
{
	(void)state;
	struct hostlog_op *a = launch(1, 0.4), *b = launch(2, 0.4), *c = launch(3, 0.4);
	schedule();
	assert_true(overlap(a, b));
	assert_false(overlap(a, c));
	assert_int_equal(c->why, HOSTLOG_BY_ENGINE);
}

static void test_default_stream_holds_others(void **state)
{
	(void)state;
	struct hostlog_op *before = launch(1, 0.1), *held = launch(0, 0.1), *after = launch(2, 0.1),
			  *free = launch(3, 0.1);
	schedule();
	assert_true(held->begin >= before->end && after->begin >= held->end);
	assert_int_equal(held->why, HOSTLOG_BY_DEFAULT);
	assert_int_equal(held->after, 0);
	assert_int_equal(after->after, 1);
	assert_true(overlap(before, free));
}

static void test_event_orders_streams(void **state)
{
	(void)state;
	struct hostlog_op *first = copy(1, HOSTLOG_IN, HOSTLOG_PINNED);
	add(HOSTLOG_RECORD, 1);
	struct hostlog_op *await = add(HOSTLOG_AWAIT, 2), *second = launch(2, 1), *other = launch(3, 0);
	await->of = 1;
	schedule();
	assert_true(second->begin >= first->end);
	assert_int_equal(await->why, HOSTLOG_BY_EVENT);
	assert_true(overlap(first, other));
}

static void test_pageable_copies_block(void **state)
{
	(void)state;
	for (int stream = 1; stream <= 2; stream++) {
		copy(stream, HOSTLOG_IN, HOSTLOG_PAGEABLE)->blocks = true;
		launch(stream, 0.1);
		copy(stream, HOSTLOG_OUT, HOSTLOG_PAGEABLE)->blocks = true;
	}
	schedule();
	assert_true(ops[0].returned >= ops[0].end);
	assert_true(ops[3].asked >= ops[2].end); /* nothing of the second part is asked for before */
	assert_int_equal(hostlog_sum(&written).overlapping, 0);
	assert_int_equal(hostlog_sum(&written).waits, 4);
}

static void test_waiting_for_one_stream(void **state)
{
	(void)state;
	struct hostlog_op *shorter = launch(1, 0.1), *longer = launch(2, 0.1);
	longer->ms = 5;
	struct hostlog_op *wait = sync(1), *event = add(HOSTLOG_RECORD, 2), *last = sync(-1);
	last->of = 3;
	schedule();
	assert_true(wait->end >= shorter->end && wait->end < longer->end);
	assert_true(event->end >= longer->end && last->end >= event->end);
}

/* A graph is one call, and its nodes depend on each other as they are made to. */
static void test_graph_is_one_call(void **state)
{
	(void)state;
	for (int i = 0; i < 10; i++)
		launch(1, 0.1)->ms = 0;
	schedule();
	double calls = hostlog_sum(&written).call_ms, ms = hostlog_sum(&written).ms;
	assert_int_equal(hostlog_sum(&written).launches, 10);
	begin_log(NULL);
	add(HOSTLOG_GRAPH, 1);
	for (int i = 0; i < 10; i++) {
		struct hostlog_op *op = launch(1, 0.1);
		op->ms = 0;
		op->graph = 0;
	}
	schedule();
	assert_int_equal(hostlog_sum(&written).launches, 1);
	assert_int_equal(hostlog_sum(&written).kernels, 10);
	assert_true(hostlog_sum(&written).call_ms < calls);
	assert_true(hostlog_sum(&written).ms < ms);
}

static void test_what_is_not_sound(void **state)
{
	(void)state;
	struct hostlog_op *op = launch(1, 1);
	op->of = 0; /* itself */
	assert_false(hostlog_is_sound(&written));
	op->of = -1;
	op->stream = 4;
	assert_false(hostlog_is_sound(&written));
	op->stream = -1;
	assert_false(hostlog_is_sound(&written));
	op->stream = 1;
	op->share = 2;
	assert_false(hostlog_is_sound(&written));
	op->share = 1;
	op->graph = -2;
	assert_false(hostlog_is_sound(&written));
	op->graph = -1;
	assert_true(hostlog_is_sound(&written));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_stream_is_in_order, begin_log),
		cmocka_unit_test_setup(test_streams_overlap, begin_log),
		cmocka_unit_test_setup(test_engine_takes_what_is_ready, begin_log),
		cmocka_unit_test_setup(test_kernels_share_the_device, begin_log),
		cmocka_unit_test_setup(test_default_stream_holds_others, begin_log),
		cmocka_unit_test_setup(test_event_orders_streams, begin_log),
		cmocka_unit_test_setup(test_pageable_copies_block, begin_log),
		cmocka_unit_test_setup(test_waiting_for_one_stream, begin_log),
		cmocka_unit_test_setup(test_graph_is_one_call, begin_log),
		cmocka_unit_test_setup(test_what_is_not_sound, begin_log),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
