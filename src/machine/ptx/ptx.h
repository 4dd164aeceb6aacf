/* machine/ptx/ptx.h: PTX text -> a checked program. What a caller outside ptx/ and simt/ needs; the program's inside is
 * in machine/ptx/program.h. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"

struct ptx_module;
struct ptx_kernel;

/* Parses and checks `text` (`len` bytes, need not be terminated), named `name` in diagnostics. Everything belongs to
 * `arena`, which must outlive the module; `text` need not. On errors returns NULL; diagnostics carry line and column of
 * the PTX. An instruction the table does not know is an error "unsupported instruction" when its kernel is looked up,
 * not here: a module with one odd kernel still runs its others. */
struct ptx_module *ptx_parse(struct arena *arena, const char *name, const char *text, size_t len, struct diag *diag);

/* Links device code that was compiled to be linked (nvcc -rdc=true): appends one text of the PTX of several source
 * files, in which what one declares is what another defines. Reports what two define; what none defines is reported
 * when it is parsed. The texts must outlive the call; working memory is the arena's. */
struct ptx_source {
	const char *name, *text;
	size_t len;
};
bool ptx_combine(struct arena *arena, const struct ptx_source *parts, int n, struct buf *out, struct diag *diag);

/* A kernel by its name in the PTX, or in the source (demangle_is); NULL or "": the only one. NULL, with an error that
 * lists the entries there are, when there is none, or several go by that name. Unsupported instructions of this kernel
 * and of the functions it may call are reported here, each with its location. Not to be called for one module from two
 * threads at once. */
const struct ptx_kernel *ptx_find_kernel(struct ptx_module *module, const char *name, struct diag *diag);

/* A function of the module that a launch hands to its kernel by address, by such a name; before ptx_find_kernel, so
 * that kernels can call it indirectly. NULL with an error at `pos`. */
const struct ptx_kernel *ptx_take_function(
	struct ptx_module *module, const char *name, struct diag_pos pos, struct diag *diag);

/* A .global or .const variable, by such a name. NULL with an error at `pos`. */
struct ptx_var;
const struct ptx_var *ptx_find_variable(
	const struct ptx_module *module, const char *name, struct diag_pos pos, struct diag *diag);

/* Whether a kernel, looked up before, or a function that it may call uses dynamic shared memory. */
bool ptx_dynamic_shared(const struct ptx_module *module, const char *kernel);

/* The name in the PTX of the kernel that ptx_find_kernel would look up, supported or not. */
const char *ptx_resolve_kernel(struct ptx_module *module, const char *name, struct diag *diag);

/* The GPUs that PTX was made for: `.target sm_90` is for CC 9.0 and all later ones, sm_90a for that one alone, sm_100f
 * for 10.0 and later ones of its family (CC 10.x). PTX ISA, ".target". */
struct ptx_target {
	int cc;    /* 90; 0: the text does not say */
	char only; /* 'a', 'f' or NUL */
};
struct ptx_target ptx_built_for(const struct ptx_module *module);
bool ptx_target_fits(struct ptx_target target, int cc);

int ptx_kernel_count(const struct ptx_module *module);
const char *ptx_kernel_name(const struct ptx_module *module, int index);
const struct ptx_module *ptx_kernel_module(const struct ptx_kernel *kernel);

/* Parameters of a kernel: bytes and offset in the parameter space. */
int ptx_param_count(const struct ptx_kernel *kernel);
struct ptx_param {
	const char *name;
	uint32_t offset, size, align; /* bytes */
	char kind;                    /* of the type: 'U', 'S', 'F'; 'B': bits, also the bytes of a struct */
};
struct ptx_param ptx_kernel_param(const struct ptx_kernel *kernel, int index);
uint32_t ptx_param_bytes(const struct ptx_kernel *kernel);

/* What a variable of the kernel's module is declared as: a .texref and a .surfref stand for what the launch says. */
enum ptx_opaque { PTX_NOT_OPAQUE, PTX_TEXREF, PTX_SAMPLERREF, PTX_SURFREF };
bool ptx_has_linear_sampler(const struct ptx_kernel *kernel); /* a .samplerref of the module filters linearly */
enum ptx_opaque ptx_opaque_of(const struct ptx_kernel *kernel, const char *name);

/* Static shared memory of a kernel, bytes. */
uint32_t ptx_shared_bytes(const struct ptx_kernel *kernel);

/* Instructions are numbered from 0: those of the kernel in text order, then those of the functions that it may call. */
int ptx_instr_count(const struct ptx_kernel *kernel);
/* Where code is written, and the place that it was inlined at. */
struct ptx_frame {
	const char *file;               /* NULL: not known */
	int line;                       /* 0: not known */
	const struct ptx_frame *caller; /* NULL: the kernel or function itself */
};

/* An instruction belongs to the line of the reader's own code: that of the innermost caller which is in the file of the
 * kernel or function. */
struct ptx_location {
	const char *file; /* as the PTX names it, or NULL */
	int line;         /* source line, 0: none */
	int ptx_line;     /* line in the PTX text */
	/* Where it is written, when that is elsewhere; NULL: at file and line. Equal chains are one frame. */
	const struct ptx_frame *inlined;
};
struct ptx_location ptx_instr_location(const struct ptx_kernel *kernel, int index);

/* Where a report puts an instruction: one that the compiler moved, and left without a source line, is at that of the
 * next instruction of its function that has one, else at that of the one before. */
struct ptx_location ptx_reported_location(const struct ptx_kernel *kernel, int index);

/* Whether instruction `at` may belong to what the condition of branch `from`, both of the kernel's own code, decides
 * on, by where nvcc says that their statements begin. False: between the two a statement begins no further to the
 * right than the branch's, so that this one is a way out, such as an early return. True also where the source does not
 * tell. */
bool ptx_may_enclose(const struct ptx_kernel *kernel, int from, int at);

/* "line 14", or "PTX line 80" where there is no source line. Returns `out`. */
#define PTX_LOCATION_TEXT 32
const char *ptx_location_text(const struct ptx_location *location, char out[PTX_LOCATION_TEXT]);

/* "mma.cu:21 → pipeline.h:203 → :188 → helpers.h:88": from the location to where inlined code is written, outermost
 * first, files without their folders, and named once for frames in a row. Nothing where it was not inlined. Without the
 * outermost `skip` of them, but with the innermost: "… → helpers.h:88". Returns how many it wrote. A chain of more than
 * PTX_CHAIN_MAX leaves out its middle. The names are the PTX's: escape before printing. */
#define PTX_CHAIN_MAX 12
int ptx_location_chain(const struct ptx_location *location, int skip, struct buf *out);

/* One instruction as text, in PTX syntax. */
void ptx_instr_print(const struct ptx_kernel *kernel, int index, struct buf *out);
