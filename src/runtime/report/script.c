/* Places in a script of Python, whose interpreter is in the process: where its innermost function was that the script's
 * author wrote. */
#define _GNU_SOURCE
#include "runtime/report/report.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "runtime/report/report_parts.h"

#define DEPTH 100 /* of functions that a library has between the script and us */

/* Of Python's interface for C, what every version from 3.9 on has; objects are pointers to what we do not look into. */
static struct {
	int (*Py_IsInitialized)(void);
	int (*PyGILState_Ensure)(void);
	void (*PyGILState_Release)(int);
	void *(*PyEval_GetFrame)(void);
	void *(*PyFrame_GetBack)(void *frame);
	void *(*PyFrame_GetCode)(void *frame);
	int (*PyFrame_GetLineNumber)(void *frame);
	void *(*PyObject_GetAttrString)(void *object, const char *name);
	const char *(*PyUnicode_AsUTF8)(void *text);
	void (*PyErr_Clear)(void);
	void *(*PyErr_Occurred)(void);
	void (*Py_IncRef)(void *);
	void (*Py_DecRef)(void *);
	int (*Py_IsFinalizing)(void);
} py;
static bool is_there;

static void *find(const char *name)
{
	return dlsym(RTLD_DEFAULT, name);
}

static void find_python(void)
{
#define FIND(name)                                                                                                     \
	{                                                                                                              \
		void *symbol = find(#name);                                                                            \
		memcpy(&py.name, &symbol, sizeof symbol);                                                              \
		is_there = is_there && symbol;                                                                         \
	}
	is_there = true;
	FIND(Py_IsInitialized)
	FIND(PyGILState_Ensure)
	FIND(PyGILState_Release)
	FIND(PyEval_GetFrame)
	FIND(PyFrame_GetBack)
	FIND(PyFrame_GetCode)
	FIND(PyFrame_GetLineNumber)
	FIND(PyObject_GetAttrString)
	FIND(PyUnicode_AsUTF8)
	FIND(PyErr_Clear)
	FIND(PyErr_Occurred)
	FIND(Py_IncRef)
	FIND(Py_DecRef)
#undef FIND
	void *symbol = find("Py_IsFinalizing");
	symbol = symbol ? symbol : find("_Py_IsFinalizing");
	memcpy(&py.Py_IsFinalizing, &symbol, sizeof symbol);
	is_there = is_there && symbol;
}

/* Not what is installed, what the interpreter has in itself, or what has no file. */
static bool is_written(const char *file)
{
	static const char *const others[] = {"/site-packages/", "/dist-packages/", "/lib/python3"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strstr(file, others[i]))
			return false;
	return *file && *file != '<';
}

/* Whether a frame is in a function of the author's, and where. */
static bool take_frame(void *frame, struct report_script *out)
{
	void *code = py.PyFrame_GetCode(frame), *name = code ? py.PyObject_GetAttrString(code, "co_filename") : NULL;
	const char *file = name ? py.PyUnicode_AsUTF8(name) : NULL;
	bool is = file && is_written(file);
	if (is) {
		const char *slash = strrchr(file, '/');
		const char *base = slash ? slash + 1 : file;
		size_t len = strlen(base) < sizeof out->file - 1 ? strlen(base) : sizeof out->file - 1;
		memcpy(out->file, base, len);
		out->file[len] = '\0';
		out->line = py.PyFrame_GetLineNumber(frame);
	}
	if (name)
		py.Py_DecRef(name);
	if (code)
		py.Py_DecRef(code);
	return is && out->line > 0;
}

/* The interpreter's lock is taken, which a library may have left before it called us. So this must not be called with
 * one of ours, for which a thread with the interpreter's may be waiting. */
void report_find_script(struct report_script *out)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	*out = (struct report_script){0};
	pthread_once(&once, find_python);
	if (!is_there || !py.Py_IsInitialized() || py.Py_IsFinalizing())
		return;
	int state = py.PyGILState_Ensure();
	/* With an error of the program's under way nothing else may be asked. */
	const bool asks = !py.PyErr_Occurred();
	void *frame = asks ? py.PyEval_GetFrame() : NULL;
	if (frame)
		py.Py_IncRef(frame);
	for (int i = 0; frame && i < DEPTH && !take_frame(frame, out); i++) {
		void *outer = py.PyFrame_GetBack(frame);
		py.Py_DecRef(frame);
		frame = outer;
	}
	if (frame)
		py.Py_DecRef(frame);
	if (asks)
		py.PyErr_Clear();
	py.PyGILState_Release(state);
}
