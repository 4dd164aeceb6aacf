#include "gpu/worker/nvrtc.h"
#include "gpu/worker/serve.h"

/* Opened by the first request; a failure may have been of the moment, so the next one tries again. */
static bool open_nvrtc(struct nvrtc *nvrtc, int driver_cuda, struct wire_error *error)
{
	static struct arena *arena;
	if (nvrtc->library)
		return true;
	arena_free(arena);
	arena = arena_new();
	return nvrtc_open(arena, nvrtc, driver_cuda, error);
}

static bool compile_source(struct server *server, struct arena *arena, const struct wire_compile *request,
	struct wire_compiled *out, struct wire_error *error)
{
	static struct nvrtc nvrtc;
	if (!request->cc && !job_open_gpu(server, error))
		return false;
	const struct wire_gpu *gpu = server->session ? &server->session->gpu : NULL;
	struct wire_compile asked = *request;
	if (!asked.cc)
		asked.cc = gpu->cc;
	return open_nvrtc(&nvrtc, gpu ? gpu->driver_cuda : 0, error) &&
		nvrtc_compile(arena, &nvrtc, &asked, out, error);
}

/* Takes no turn: nothing runs on the GPU. */
void serve_compile(struct server *server, struct arena *arena, struct wire_message *request)
{
	struct wire_message answer = {.kind = WIRE_RESULT_COMPILE, .id = request->id};
	struct wire_error error;
	if (compile_source(server, arena, &request->compile, &answer.compiled, &error))
		server->send(&answer);
	else
		serve_error(server, request->id, &error);
}
