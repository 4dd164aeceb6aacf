// Addresses reserved, memory created and mapped: an array over two pieces, one piece at two addresses, access and its end.
// out: without access: an error
// out: over the seam: 4 4 50 51 52 53 4 4
// out: the same memory elsewhere: 52 53
// out: granted: 0, then 3
// out: freed while it is mapped: an error
// out: unmapped, a launch: CUDA_ERROR_ILLEGAL_ADDRESS
// says: out of bounds
// says: bytes that are allocated
#include "driver.h"

struct location {
	int type, id;
};
struct properties {
	int type, handles;
	struct location at;
	void *unused;
	unsigned char flags[8];
};
struct access {
	struct location at;
	int flags;
};

int main(void)
{
	struct properties p = {1, 0, {1, 0}, NULL, {0}};
	struct access both = {{1, 0}, 3};
	unsigned long long granted[2];
	uint64_t at, memory[2];
	size_t unit;
	void *module, *f;
	int out[8];
	begin();
	CALL(cuModuleLoadData, &module, PTX ADD);
	CALL(cuModuleGetFunction, &f, module, "add");
	CALL(cuMemGetAllocationGranularity, &unit, &p, 0);
	CALL(cuMemAddressReserve, &at, SIZE 4 * unit, SIZE 0, AT 0, AT 0);
	for (int i = 0; i < 2; i++) {
		CALL(cuMemCreate, &memory[i], SIZE unit, &p, AT 0);
		CALL(cuMemMap, AT at + i * unit, SIZE unit, SIZE 0, AT memory[i], AT 0);
	}
	printf("without access: %s\n", TRY(cuMemsetD32_v2, AT at, 4, SIZE 1) ? "an error" : "none");
	CALL(cuMemGetAccess, &granted[0], &both.at, AT at);
	CALL(cuMemSetAccess, AT at, SIZE 2 * unit, &both, SIZE 1);
	CALL(cuMemGetAccess, &granted[1], &both.at, AT at);
	CALL(cuMemsetD32_v2, AT at, 4, SIZE unit / 2);
	uint64_t seam = at + unit - 8;
	unsigned int value = 50;
	void *args[] = {&seam, &value};
	CALL(cuLaunchKernel, f, 1, 1, 1, 4, 1, 1, 0, NULL, args, NULL);
	CALL(cuMemcpyDtoH_v2, out, AT seam - 8, SIZE sizeof out);
	printf("over the seam:");
	for (int i = 0; i < 8; i++)
		printf(" %d", out[i]);
	CALL(cuMemMap, AT at + 3 * unit, SIZE unit, SIZE 0, AT memory[1], AT 0);
	CALL(cuMemSetAccess, AT at + 3 * unit, SIZE unit, &both, SIZE 1);
	CALL(cuMemcpyDtoH_v2, out, AT at + 3 * unit, SIZE 8);
	printf("\nthe same memory elsewhere: %d %d\n", out[0], out[1]);
	printf("granted: %llu, then %llu\n", granted[0], granted[1]);
	printf("freed while it is mapped: %s\n", TRY(cuMemAddressFree, AT at, SIZE 4 * unit) ? "an error" : "none");
	CALL(cuMemUnmap, AT at, SIZE 2 * unit);
	CALL(cuMemUnmap, AT at + 3 * unit, SIZE unit);
	for (int i = 0; i < 2; i++)
		CALL(cuMemRelease, AT memory[i]);
	CALL(cuMemAddressFree, AT at, SIZE 4 * unit);
	CALL(cuLaunchKernel, f, 1, 1, 1, 4, 1, 1, 0, NULL, args, NULL);
	printf("unmapped, a launch: %s\n", name_of(TRY(cuCtxSynchronize, 0)));
	return 0;
}
