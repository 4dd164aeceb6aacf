#include "gpu/worker/sass.h"

#include <stdlib.h>
#include <string.h>

#include "base/elf.h"
#include "gpu/worker/cause.h"

#define PARAMS(type, name) type name = {.structSize = type##_STRUCT_SIZE}

/* --- opening ------------------------------------------------------------------------------------------------------ */

void sass_drop_cubin(struct sass *sass)
{
	free(sass->cubin);
	sass->cubin = NULL;
}

static void CUPTIAPI keep_cubin(void *ctx, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
	struct sass *s = ctx;
	if (domain != CUPTI_CB_DOMAIN_RESOURCE || id != CUPTI_CBID_RESOURCE_MODULE_LOADED)
		return;
	const CUpti_ModuleResourceData *module = ((const CUpti_ResourceData *)data)->resourceDescriptor;
	sass_drop_cubin(s);
	if (!module->pCubin || !module->cubinSize)
		return;
	s->cubin_size = module->cubinSize;
	s->cubin = memcpy(base_malloc(module->cubinSize), module->pCubin, module->cubinSize);
}

static bool open_once(struct sass *s, const struct sass_chip *chip, struct wire_error *error)
{
	const struct cupti *cupti = s->cupti;
	CUptiResult result = cupti->cuptiSubscribe(&s->subscriber, keep_cubin, s);
	if (result == CUPTI_SUCCESS)
		result = cupti->cuptiEnableCallback(
			1, s->subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED);
	if (result != CUPTI_SUCCESS)
		return cause_fail_cupti(s->arena, s->cupti, "cuptiSubscribe", result, error);

	PARAMS(CUpti_SassMetrics_GetNumOfMetrics_Params, count);
	count.pChipName = chip->name;
	result = s->cupti->cuptiSassMetricsGetNumOfMetrics(&count);
	if (result == CUPTI_SUCCESS) {
		s->n_metrics = count.numOfMetrics;
		s->metrics = arena_array(s->arena, CUpti_SassMetrics_MetricDetails, s->n_metrics + 1);
		PARAMS(CUpti_SassMetrics_GetMetrics_Params, list);
		list.pChipName = chip->name;
		list.numOfMetrics = s->n_metrics;
		list.pMetricsList = s->metrics;
		result = s->cupti->cuptiSassMetricsGetMetrics(&list);
	}

	if (result != CUPTI_SUCCESS)
		return cause_fail_cupti(s->arena, s->cupti, "cuptiSassMetricsGetMetrics", result, error);

	CUpti_SassMetrics_Config *configs = base_calloc(s->n_metrics + 1, sizeof *configs);
	for (size_t i = 0; i < s->n_metrics; i++) {
		configs[i].metricId = s->metrics[i].metricId;
		configs[i].outputGranularity = CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU;
	}
	PARAMS(CUpti_SassMetricsSetConfig_Params, params);
	params.numOfMetricConfig = s->n_metrics;
	params.pConfigs = configs;
	params.deviceIndex = (uint32_t)chip->device;
	result = s->cupti->cuptiSassMetricsSetConfig(&params);
	free(configs);

	return result == CUPTI_SUCCESS ||
		cause_fail_cupti(s->arena, s->cupti, "cuptiSassMetricsSetConfig", result, error);
}

bool sass_open(struct arena *arena, struct sass *sass, const struct sass_chip *chip, struct wire_error *error)
{
	if (!sass->tried) {
		*sass = (struct sass){.arena = arena, .cupti = chip->cupti, .context = chip->context, .tried = true};
		sass->ready = open_once(sass, chip, &sass->error);
	}
	*error = sass->error;
	return sass->ready;
}

/* --- counting ----------------------------------------------------------------------------------------------------- */

static CUptiResult disable(struct sass *s)
{
	PARAMS(CUpti_SassMetricsDisable_Params, params);
	params.ctx = s->context;
	return s->cupti->cuptiSassMetricsDisable(&params);
}

/* One metric of one machine instruction each. */
struct records {
	CUpti_SassMetrics_Data *data;
	CUpti_SassMetrics_InstanceValue *values;
	size_t n, instances;
};

static bool run_counted(struct sass *s, struct arena *arena, const struct profiler_run *run, struct records *records,
	struct wire_error *error)
{
	PARAMS(CUpti_SassMetricsEnable_Params, params);
	params.ctx = s->context;
	params.enableLazyPatching = 1;
	CUptiResult result = s->cupti->cuptiSassMetricsEnable(&params);
	if (result != CUPTI_SUCCESS)
		return cause_fail_cupti(s->arena, s->cupti, "cuptiSassMetricsEnable", result, error);
	bool ran = run->run(run->ctx, error);
	if (ran) {
		PARAMS(CUpti_SassMetricsGetDataProperties_Params, properties);
		properties.ctx = s->context;
		result = s->cupti->cuptiSassMetricsGetDataProperties(&properties);
		if (result == CUPTI_SUCCESS) {
			records->n = properties.numOfPatchedInstructionRecords;
			records->instances = properties.numOfInstances;
			if (!records->n || !records->instances) {
				result = CUPTI_ERROR_QUEUE_EMPTY;
			} else {
				records->data = arena_array(arena, CUpti_SassMetrics_Data, records->n);
				records->values = arena_array(
					arena, CUpti_SassMetrics_InstanceValue, records->n * records->instances);
				for (size_t i = 0; i < records->n; i++) {
					records->data[i].structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE;
					records->data[i].pInstanceValues = records->values + i * records->instances;
				}
				PARAMS(CUpti_SassMetricsFlushData_Params, flush);
				flush.ctx = s->context;
				flush.numOfPatchedInstructionRecords = records->n;
				flush.numOfInstances = records->instances;
				flush.pMetricsData = records->data;
				result = s->cupti->cuptiSassMetricsFlushData(&flush);
			}
		}
	} else {
		result = CUPTI_SUCCESS;
	}
	disable(s);
	if (result != CUPTI_SUCCESS)
		return cause_fail_cupti(s->arena, s->cupti, "reading the SASS metrics", result, error);
	return ran;
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

static int compare_rows(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return (x > y) - (x < y);
}

/* What is of no row. */
#define NO_ROW (-1)

/* The sums of the records, by the row that each is of. */
static struct wire_line *sum_records(const struct sass *s, struct arena *arena, const struct records *records,
	const int *of, const struct sass_request *request, int *n_rows)
{
	/* A zeroed row for each distinct number. */
	int *sorted = base_calloc(records->n, sizeof *sorted), distinct = 0;
	memcpy(sorted, of, records->n * sizeof *sorted);
	qsort(sorted, records->n, sizeof *sorted, compare_rows);
	for (size_t i = 0; i < records->n; i++)
		if (sorted[i] != NO_ROW && (!distinct || sorted[i] != sorted[distinct - 1]))
			sorted[distinct++] = sorted[i];
	struct wire_line *rows = arena_array(arena, struct wire_line, (size_t)distinct + 1);
	for (int i = 0; i < distinct; i++)
		rows[i] = (struct wire_line){sorted[i], arena_array(arena, double, (size_t)request->n + 1)};
	*n_rows = distinct;
	free(sorted);

	for (size_t i = 0; i < records->n; i++)
		if (of[i] != NO_ROW) {
			const struct wire_line *row = bsearch(
				&of[i], rows, (size_t)*n_rows, sizeof *rows, compare_rows);
			double *values = (double *)row->values;
			for (size_t k = 0; k < records->instances; k++) {
				const CUpti_SassMetrics_InstanceValue *v = &records->values[i * records->instances + k];
				int metric;
				if (v->value) {
					metric = -1;
					const char *name = NULL;
					for (size_t j = 0; j < s->n_metrics && !name; j++)
						if (s->metrics[j].metricId == v->metricId)
							name = s->metrics[j].pMetricName;
					for (int asked_i = 0; name && asked_i < request->n; asked_i++)
						if (!strcmp(request->metrics[asked_i], name)) {
							metric = asked_i;
							break;
						}
				} else {
					metric = -1;
				}
				if (metric >= 0)
					values[metric] += (double)v->value;
			}
		}
	return rows;
}

bool sass_count(struct sass *sass, struct arena *arena, struct sass_request *request, const struct profiler_run *run,
	struct wire_error *error)
{
	struct records records = {0};
	if (!run_counted(sass, arena, run, &records, error))
		return false;
	request->available = arena_array(arena, bool, (size_t)request->n + 1);
	for (int i = 0; i < request->n; i++)
		for (size_t k = 0; k < sass->n_metrics && !request->available[i]; k++)
			request->available[i] = !strcmp(sass->metrics[k].pMetricName, request->metrics[i]);
	int *of = arena_array(arena, int, records.n);
	for (size_t i = 0; i < records.n; i++) {
		CUpti_GetSassToSourceCorrelationParams params = {.size = CUpti_GetSassToSourceCorrelationParamsSize,
			.cubin = request->cubin,
			.cubinSize = request->cubin_size,
			.functionName = records.data[i].functionName,
			.pcOffset = records.data[i].pcOffset};
		CUptiResult result = sass->cupti->cuptiGetSassToSourceCorrelation(&params);
		int line = result == CUPTI_SUCCESS && params.lineNumber <= INT32_MAX ? (int)params.lineNumber : 0;
		free(params.fileName);
		free(params.dirName);
		of[i] = line == WIRE_LINE_NONE ? 0 : line; /* 0: no line */
	}
	request->lines = sum_records(sass, arena, &records, of, request, &request->n_lines);

	/* By machine instructions: of the kernel alone, and only where its code is known: an address says nothing of
	 * other code. */
	struct elf elf;
	char code[ELF_CODE_PRINT];
	if (request->kernel && elf_read(arena, request->cubin, request->cubin_size, &elf) &&
		elf_fingerprint_code(&elf, request->kernel, code)) {
		for (size_t i = 0; i < records.n; i++) {
			const CUpti_SassMetrics_Data *data = &records.data[i];
			bool is_of = data->functionName && strcmp(data->functionName, request->kernel) == 0;
			of[i] = is_of && data->pcOffset <= INT32_MAX ? (int)data->pcOffset : NO_ROW;
		}
		request->code = arena_strdup(arena, code);
		request->instrs = sum_records(sass, arena, &records, of, request, &request->n_instrs);
	}

	return true;
}
