/* Programs as CUDA C++. Everything is declared at the beginning of a function, since jumps must not pass
 * initializations. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/validate/flow.h"

void validate_flow_write_head(struct buf *out)
{
	buf_puts(out,
		"#ifdef __clang__\n#pragma clang diagnostic ignored \"-Weverything\"\n"
		"#else\n#pragma nv_diag_suppress 111, 128, 177, 186, 550\n#endif\n"
		"#include \"simt.h\"\n"
		"struct flow { unsigned *result; const unsigned *table; unsigned stride, *shared, *passed; };\n"
		"static __device__ __forceinline__ unsigned next_mask(flow &f)\n"
		"{\n\tunsigned mask = *f.table;\n\tf.table += f.stride;\n\treturn mask;\n}\n"
		"// the lane, or its own where that one is not there\n"
		"static __device__ __forceinline__ unsigned from(unsigned mask, unsigned source, unsigned lane)\n"
		"{\n\treturn mask >> source & 1 ? source : lane;\n}\n"
		"static __device__ __forceinline__ unsigned together(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, "
		"unsigned g)\n"
		"{\n\treturn ((((a * 31 + b) * 31 + c) * 31 + d) * 31 + e) * 31 + g;\n}\n"
		"static __device__ __forceinline__ unsigned match_all(unsigned mask, unsigned value)\n"
		"{\n\tint all;\n\tunsigned same = __match_all_sync(mask, value, &all);\n\treturn (same != 0) + (all != 0);\n}\n"
		"#ifdef __clang__\n"
		"static __device__ __forceinline__ unsigned block_count(unsigned p)\n"
		"{\n\tunsigned n;\n\tasm volatile(\"{.reg .pred p; setp.ne.u32 p, %1, 0; bar.red.popc.u32 %0, 0, p;}\" : \"=r\"(n) : "
		"\"r\"(p) : \"memory\");\n\treturn n;\n}\n"
		"#define BLOCK_VOTE(name, op) static __device__ __forceinline__ unsigned name(unsigned p) { unsigned n; \\\n"
		"\tasm volatile(\"{.reg .pred p, q; setp.ne.u32 p, %1, 0; bar.red.\" op \".pred q, 0, p; selp.u32 %0, 1, 0, q;}\" : "
		"\"=r\"(n) : \"r\"(p) : \"memory\"); return n; }\n"
		"BLOCK_VOTE(block_all, \"and\")\nBLOCK_VOTE(block_any, \"or\")\n"
		"#else\n"
		"static __device__ __forceinline__ unsigned block_count(unsigned p) { return __syncthreads_count(p); }\n"
		"static __device__ __forceinline__ unsigned block_all(unsigned p) { return __syncthreads_and(p) != 0; }\n"
		"static __device__ __forceinline__ unsigned block_any(unsigned p) { return __syncthreads_or(p) != 0; }\n"
		"#endif\n");
}

#define TEXT_MAX 512

struct flow_text {
	const struct flow_program *flow;
	const char *name;
	struct buf *out;
	int tabs;
	char texts[4][TEXT_MAX]; /* of expressions, in turn, so that a line may have several */
	int next;
};

__attribute__((format(printf, 2, 3))) static void line(struct flow_text *w, const char *format, ...)
{
	va_list args;
	for (int i = 0; i < w->tabs; i++)
		buf_putc(w->out, '\t');
	va_start(args, format);
	buf_vprintf(w->out, format, args);
	va_end(args);
	buf_putc(w->out, '\n');
}

static void write_list(struct flow_text *w, int first);

/* --- expressions -------------------------------------------------------------------------------------------------- */

static void put_expr(const struct flow_program *f, int expr, struct buf *out)
{
	static const char *const signs[] = {[FLOW_ADD] = "+",
		[FLOW_SUB] = "-",
		[FLOW_MUL] = "*",
		[FLOW_AND] = "&",
		[FLOW_XOR] = "^",
		[FLOW_SHIFT] = ">>",
		[FLOW_LESS] = "<",
		[FLOW_EQUAL] = "=="};
	const struct flow_expr *e = &f->exprs[expr];
	switch (e->op) {
	case FLOW_CONSTANT: buf_printf(out, "%" PRIu32 "u", e->value); break;
	case FLOW_VARIABLE: buf_printf(out, "v%" PRIu32, e->value); break;
	case FLOW_UNIFORM: buf_printf(out, "u%" PRIu32, e->value); break;
	case FLOW_COUNTER: buf_printf(out, "i%" PRIu32, e->value); break;
	case FLOW_LANE: buf_puts(out, "lane"); break;
	case FLOW_THREAD: buf_puts(out, "thread"); break;
	case FLOW_WARP: buf_puts(out, "(thread >> 5)"); break;
	case FLOW_BLOCK: buf_puts(out, "blockIdx.x"); break;
	case FLOW_DEPTH: buf_puts(out, "n"); break;
	default:
		buf_putc(out, '(');
		put_expr(f, e->a, out);
		buf_printf(out, " %s ", signs[e->op]);
		put_expr(f, e->b, out);
		buf_putc(out, ')');
	}
}

static const char *text(struct flow_text *w, int expr)
{
	struct buf out = {0};
	w->next = (w->next + 1) % 4;
	put_expr(w->flow, expr, &out);
	snprintf(w->texts[w->next], TEXT_MAX, "%s", buf_str(&out));
	buf_free(&out);
	return w->texts[w->next];
}

/* m7 = the mask of node 7. */
static void write_mask(struct flow_text *w, int self)
{
	const struct flow_node *n = &w->flow->nodes[self];
	switch (n->mask) {
	case FLOW_MASK_CONSTANT: line(w, "m%d = 0x%08" PRIx32 "u;", self, n->first); break;
	case FLOW_MASK_ENDED: line(w, "m%d = 0x%08" PRIx32 "u;", self, n->all); break;
	case FLOW_MASK_TRACKED: line(w, "m%d = m%d;", self, n->inside); break;
	case FLOW_MASK_TABLE: line(w, "m%d = next_mask(f);", self); break;
	}
}

/* --- statements --------------------------------------------------------------------------------------------------- */

static void open_block(struct flow_text *w, const char *head)
{
	line(w, "%s {", head);
	w->tabs++;
}

static void close_block(struct flow_text *w, const char *tail)
{
	w->tabs--;
	line(w, "}%s", tail);
}

#define HEAD_MAX (2 * TEXT_MAX)

static const char *const all_variables = "together(v0, v1, v2, v3, u0, u1)";

static void write_barrier(struct flow_text *w, const struct flow_node *n)
{
	static const char *const votes[] = {"block_count", "block_all", "block_any"};
	int u = n->variable % FLOW_UNIFORMS;
	if (n->kind == FLOW_COUNT) {
		line(w, "u%d = u%d * 5u + %s(%s & 1u);", u, u, votes[n->number % 3], text(w, n->exprs[0]));
		return;
	}
	if (n->kind == FLOW_EXCHANGE)
		line(w, "f.shared[thread] = %s;", text(w, n->exprs[0]));
	line(w, "__syncthreads();");
	if (n->kind != FLOW_EXCHANGE)
		return;
	line(w, "v%d = v%d * 5u + f.shared[(thread + 1u + (%s & 31u)) %% %" PRIu32 "u];", n->variable, n->variable,
		text(w, n->exprs[1]), w->flow->threads);
	line(w, "__syncthreads();");
}

static void write_shuffle(struct flow_text *w, const struct flow_node *n, int self)
{
	static const char *const names[] = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"};
	uint32_t distance = 1 + n->number / 4 % 16, how = n->number % 4;
	char source[HEAD_MAX];
	const char *value = text(w, n->exprs[0]);
	if (how == 0)
		snprintf(source, sizeof source, "(%s & 31u)", text(w, n->exprs[1]));
	else if (how == 1)
		snprintf(source, sizeof source, "(lane < %" PRIu32 "u ? lane : lane - %" PRIu32 "u)", distance,
			distance);
	else if (how == 2)
		snprintf(source, sizeof source, "(lane + %" PRIu32 "u > 31u ? lane : lane + %" PRIu32 "u)", distance,
			distance);
	else
		snprintf(source, sizeof source, "(lane ^ %" PRIu32 "u)", distance);
	if (!n->direct)
		line(w, "v%d = v%d * 5u + __shfl_sync(m%d, %s, from(m%d, %s, lane));", n->variable, n->variable, self,
			value, self, source);
	else if (how == 0)
		line(w, "v%d = v%d * 5u + __shfl_sync(m%d, %s, %s);", n->variable, n->variable, self, value, source);
	else
		line(w, "v%d = v%d * 5u + %s(m%d, %s, %" PRIu32 "u);", n->variable, n->variable, names[how], self,
			value, distance);
}

static void write_together(struct flow_text *w, const struct flow_node *n, int self)
{
	static const char *const reductions[] = {"add", "min", "max", "and", "or", "xor"};
	const char *value = text(w, n->exprs[0]);
	int v = n->variable;
	write_mask(w, self);
	switch (n->kind) {
	case FLOW_SYNC: line(w, "__syncwarp(m%d);", self); break;
	case FLOW_SHUFFLE: write_shuffle(w, n, self); break;
	case FLOW_PASS:
		line(w, "f.passed[thread] = %s;", value);
		line(w, "__syncwarp(m%d);", self);
		line(w, "v%d = v%d * 5u + f.passed[(thread & ~31u) + from(m%d, %s & 31u, lane)];", v, v, self,
			text(w, n->exprs[1]));
		line(w, "__syncwarp(m%d);", self);
		break;
	case FLOW_BALLOT: line(w, "v%d = v%d * 5u + __ballot_sync(m%d, %s & 1u);", v, v, self, value); break;
	case FLOW_VOTE:
		line(w, "v%d = v%d * 5u + (%s(m%d, %s & 1u) != 0);", v, v, n->number % 2 ? "__any_sync" : "__all_sync",
			self, value);
		break;
	case FLOW_MATCH:
		line(w, "v%d = v%d * 5u + %s(m%d, %s & 3u);", v, v, n->number % 2 ? "__match_any_sync" : "match_all",
			self, value);
		break;
	default: line(w, "v%d = v%d * 5u + __reduce_%s_sync(m%d, %s);", v, v, reductions[n->number % 6], self, value);
	}
}

static void write_list(struct flow_text *w, int first)
{
	for (int i = first; i != FLOW_NONE; i = w->flow->nodes[i].next) {
		const struct flow_node *n = &w->flow->nodes[i];
		switch (n->kind) {
		case FLOW_ASSIGN: {
			bool uniform = n->variable >= FLOW_VARIABLES;
			int v = uniform ? n->variable - FLOW_VARIABLES : n->variable;
			line(w, "%c%d = %c%d * 5u + %s;", "vu"[uniform], v, "vu"[uniform], v, text(w, n->exprs[0]));
			break;
		}
		case FLOW_IF: {
			char head[HEAD_MAX];
			if (n->tracked) {
				write_mask(w, i);
				line(w, "q = m%d;", i);
				line(w, "p = %s;", text(w, n->exprs[0]));
				line(w, "m%d = __ballot_sync(q, p);", i);
				line(w, "m%d = p ? m%d : q & ~m%d;", i, i, i);
			}
			snprintf(head, sizeof head, "if (%s)", n->tracked ? "p" : text(w, n->exprs[0]));
			open_block(w, head);
			write_list(w, n->lists[0]);
			if (n->lists[1] != FLOW_NONE) {
				w->tabs--;
				line(w, "} else {");
				w->tabs++;
				write_list(w, n->lists[1]);
			}
			close_block(w, "");
			break;
		}
		case FLOW_FOR:
		case FLOW_WHILE:
		case FLOW_DO:
		case FLOW_AGAIN:
		case FLOW_INTO_LOOP: {
			char head[HEAD_MAX] = "", tail[HEAD_MAX] = "";
			const char *condition = text(w, n->exprs[n->kind == FLOW_INTO_LOOP]);
			if (n->kind == FLOW_FOR)
				snprintf(head, sizeof head, "for (i%d = 0; i%d < %s; i%d++)", i, i, condition, i);
			else if (n->kind == FLOW_WHILE || n->kind == FLOW_INTO_LOOP)
				snprintf(head, sizeof head, "while (i%d++ < %" PRIu32 "u && %s)", i, n->number,
					condition);
			else
				snprintf(tail, sizeof tail, "(++i%d < %" PRIu32 "u && %s)", i, n->number, condition);

			line(w, "i%d = 0;", i);
			if (n->kind == FLOW_AGAIN) {
				line(w, "L%d:;", i);
				write_list(w, n->lists[0]);
				line(w, "if (%s)", tail);
				line(w, "\tgoto L%d;", i);
			} else {
				if (n->kind == FLOW_INTO_LOOP) {
					line(w, "if (%s)", text(w, n->exprs[0]));
					line(w, "\tgoto L%d;", i);
				}
				open_block(w, n->kind == FLOW_DO ? "do" : head);
				write_list(w, n->lists[0]);
				if (n->kind == FLOW_INTO_LOOP) {
					line(w, "L%d:;", i);
					write_list(w, n->lists[1]);
				}
				char foot[HEAD_MAX + 16];
				snprintf(foot, sizeof foot, " while %s;", tail);
				close_block(w, n->kind == FLOW_DO ? foot : "");
			}
			break;
		}
		case FLOW_SWITCH: {
			char head[HEAD_MAX];
			snprintf(head, sizeof head, "switch (%s)", text(w, n->exprs[0]));
			open_block(w, head);
			for (int j = 0; j < FLOW_LISTS; j++) {
				w->tabs--;
				if (j == FLOW_LISTS - 1)
					line(w, "default:");
				else
					line(w, "case %du:", j);
				w->tabs++;
				write_list(w, n->lists[j]);
				if (j == FLOW_LISTS - 1 || !(n->number >> j & 1))
					line(w, "break;");
			}
			close_block(w, "");
			break;
		}
		case FLOW_BREAK: line(w, "break;"); break;
		case FLOW_CONTINUE: line(w, "continue;"); break;
		case FLOW_RETURN:
			if (n->owner == FLOW_NONE) {
				line(w, "*f.result = %s;", all_variables);
				line(w, "return;");
			} else {
				line(w, "return %s;", all_variables);
			}
			break;
		case FLOW_EXIT:
			line(w, "*f.result = %s;", all_variables);
			line(w, "asm volatile(\"exit;\" ::: \"memory\");");
			break;
		case FLOW_LABEL:
			write_list(w, n->lists[0]);
			line(w, "L%d:;", i);
			break;
		case FLOW_GOTO: line(w, "goto L%" PRIu32 ";", n->number); break;
		case FLOW_INTO_IF: {
			char head[HEAD_MAX];
			line(w, "if (%s)", text(w, n->exprs[0]));
			line(w, "\tgoto L%d;", i);
			snprintf(head, sizeof head, "if (%s)", text(w, n->exprs[1]));
			open_block(w, head);
			write_list(w, n->lists[0]);
			line(w, "L%d:;", i);
			write_list(w, n->lists[1]);
			close_block(w, "");
			break;
		}
		case FLOW_CROSS: {
			char head[HEAD_MAX];
			snprintf(head, sizeof head, "if (%s)", text(w, n->exprs[0]));
			open_block(w, head);
			write_list(w, n->lists[0]);
			line(w, "goto L%d;", i);
			w->tabs--;
			line(w, "} else {");
			w->tabs++;
			write_list(w, n->lists[1]);
			snprintf(head, sizeof head, "if (%s)", text(w, n->exprs[1]));
			open_block(w, head);
			line(w, "L%d:;", i);
			write_list(w, n->lists[2]);
			close_block(w, "");
			close_block(w, "");
			break;
		}
		case FLOW_CALL:
		case FLOW_POINTER: {
			bool lower = n->owner != FLOW_NONE &&
				(n->functions[0] == n->owner || n->functions[1] == n->owner);
			char callee[TEXT_MAX];
			snprintf(callee, sizeof callee, "%s_f%d", w->name, n->functions[0]);
			if (n->kind == FLOW_POINTER) {
				line(w, "p%d = %s ? %s_f%d : %s_f%d;", i, text(w, n->exprs[0]), w->name,
					n->functions[0], w->name, n->functions[1]);
				snprintf(callee, sizeof callee, "p%d", i);
			}
			line(w, "v%d = v%d * 5u + %s(f, %s, %s);", n->variable, n->variable, callee,
				text(w, n->exprs[0]), lower ? "n - 1u" : text(w, n->exprs[1]));
			break;
		}
		case FLOW_BARRIER:
		case FLOW_COUNT:
		case FLOW_EXCHANGE: write_barrier(w, n); break;
		case FLOW_SPLIT: {
			char head[HEAD_MAX];
			write_mask(w, i);
			snprintf(head, sizeof head, "if (%s)", text(w, n->exprs[0]));
			open_block(w, head);
			for (int side = 0; side < 2; side++) {
				if (side) {
					w->tabs--;
					line(w, "} else {");
					w->tabs++;
				}
				write_list(w, n->lists[2 * side]);
				line(w, "f.passed[thread] = %s + %du;", text(w, n->exprs[1]), side);
				line(w, "__syncwarp(m%d);", i);
				line(w, "v%d = v%d * 5u + f.passed[(thread & ~31u) + from(m%d, %s & 31u, lane)];",
					n->variable, n->variable, i, text(w, n->exprs[1]));
				line(w, "__syncwarp(m%d);", i); /* what follows may write the array again */
				write_list(w, n->lists[2 * side + 1]);
			}
			close_block(w, "");
			break;
		}
		default: write_together(w, n, i);
		}
	}
}

/* --- functions ---------------------------------------------------------------------------------------------------- */

/* What the nodes of a list need: counters, masks, pointers to functions. */
static void declare(struct flow_text *w, int first)
{
	for (int i = first; i != FLOW_NONE; i = w->flow->nodes[i].next) {
		const struct flow_node *n = &w->flow->nodes[i];
		switch (n->kind) {
		case FLOW_FOR:
		case FLOW_WHILE:
		case FLOW_DO:
		case FLOW_AGAIN:
		case FLOW_INTO_LOOP: line(w, "unsigned i%d = 0;", i); break;
		case FLOW_SYNC:
		case FLOW_SHUFFLE:
		case FLOW_BALLOT:
		case FLOW_VOTE:
		case FLOW_MATCH:
		case FLOW_REDUCE:
		case FLOW_PASS:
		case FLOW_SPLIT: line(w, "unsigned m%d;", i); break;
		case FLOW_POINTER: line(w, "unsigned (*p%d)(flow &, unsigned, unsigned);", i); break;
		default:
			if (n->tracked)
				line(w, "unsigned m%d = 0;", i);
		}
		for (int k = 0; k < FLOW_LISTS; k++)
			declare(w, n->lists[k]);
	}
}

void validate_flow_write(const struct flow_program *flow, const char *name, struct buf *out)
{
	struct flow_text w = {.flow = flow, .name = name, .out = out};
	for (int i = 0; i < flow->n_functions; i++) {
		line(&w, "static __device__ __noinline__ unsigned %s_f%d(flow &f, unsigned x, unsigned n)", w.name, i);
		line(&w, "{");
		w.tabs++;
		line(&w, "unsigned thread = threadIdx.x, lane = thread & 31u, p, q;");
		line(&w,
			"unsigned v0 = x * 3u, v1 = x * 5u + 1u, v2 = x * 7u + 2u, v3 = x * 9u + 3u, u0 = 2, u1 = 13;");
		declare(&w, w.flow->functions[i].body);
		line(&w, "if (n == 0)");
		line(&w, "\treturn x * 7u + 1u;");
		write_list(&w, w.flow->functions[i].body);
		line(&w, "return %s;", all_variables);
		w.tabs--;
		line(&w, "}");
	}
	line(&w, "extern \"C\" __global__ void %s(unsigned *results, const unsigned *table)", name);
	line(&w, "{");
	w.tabs++;
	line(&w, "__shared__ unsigned shared[%" PRIu32 "], passed[%" PRIu32 "];", flow->threads, flow->threads);
	line(&w, "unsigned thread = threadIdx.x, lane = thread & 31u, all = blockIdx.x * %" PRIu32 "u + thread, p, q;",
		flow->threads);
	line(&w, "unsigned v0 = all * 3u, v1 = all * 5u + 1u, v2 = all * 7u + 2u, v3 = all * 9u + 3u;");
	line(&w, "unsigned u0 = blockIdx.x * 7u + 2u, u1 = blockIdx.x * 7u + 13u;");
	line(&w, "flow f = {results + all, table + all, %" PRIu32 "u, shared, passed};", flow->blocks * flow->threads);
	declare(&w, flow->body);
	line(&w, "shared[thread] = passed[thread] = thread * 3u + 1u;");
	line(&w, "__syncthreads();");
	write_list(&w, flow->body);
	line(&w, "*f.result = %s;", all_variables);
	w.tabs--;
	line(&w, "}");
}

/* --- the launch --------------------------------------------------------------------------------------------------- */

void validate_flow_launch(
	struct arena *arena, const struct flow_program *flow, const char *kernel, struct launch *launch)
{
	size_t all = (size_t)flow->blocks * flow->threads, masks = all * (flow->rows ? flow->rows : 1);
	struct buf text = {0};
	*launch = (struct launch){.kernel = arena_strdup(arena, kernel),
		.grid = {flow->blocks, 1, 1},
		.block = {flow->threads, 1, 1},
		.args = arena_array(arena, struct launch_arg, 2),
		.n_args = 2};
	buf_puts(&text, "u32[]:");
	for (size_t i = 0; i < masks; i++)
		buf_printf(&text, "%s%" PRIu32, i ? "," : "", flow->table[i]);
	launch->args[0] = (struct launch_arg){.type = LAUNCH_U32,
		.buffer = true,
		.count = all,
		.fill = LAUNCH_ZERO,
		.align = 4,
		.text = arena_printf(arena, "u32[%zu]", all)};
	launch->args[1] = (struct launch_arg){.type = LAUNCH_U32,
		.buffer = true,
		.count = masks,
		.fill = LAUNCH_VALUES,
		.align = 4,
		.bytes = flow->table,
		.text = arena_strdup(arena, buf_str(&text))};
	buf_free(&text);
}
