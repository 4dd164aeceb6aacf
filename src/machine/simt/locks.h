/* machine/simt/locks.h: which accesses threads make between taking a lock and releasing it, so that a race of two such
 * accesses is known for one whose lock lacks its fences. Inside simt/ only.
 *
 * A thread takes a lock by a compare-and-swap or an exchange that changes it, or by a loop that waits until it is its
 * turn; it releases it by what sets that word back, or, of a turn, changes it. What it does between counts when it has
 * released it: an exchange that nothing sets back is no lock. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct code;
struct locks;
struct machine;
struct race_order;
struct warp;

/* Makes m->locks if the kernel may take locks; `order` has one for each instruction, and stays. */
void simt_locks_find(struct machine *m, const struct race_order *order);

/* A warp begins a block, and holds none. m->access is about to be made; returns the lanes that so release a lock. Both
 * only where m->locks is not NULL. */
void simt_locks_begin(struct warp *w);
uint32_t simt_locks_access(struct warp *w, const struct code *c);

/* Whether threads were seen to hold a lock at both instructions, which are those that are reported. */
bool simt_locks_guard(const struct machine *m, int one, int other);
