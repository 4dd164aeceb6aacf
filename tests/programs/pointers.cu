// Memory full of addresses: a linked list that is reversed, an array of pointers to rows of unequal lengths, a tree in one buffer that is
// passed in a structure, a list in managed memory, and a hash table whose buckets lead into a pool.
// out: the list backwards: 9 8 7 6 5 4 3 2 1 0
// out: rows of 1 to 7 have the sums 1 4 9 16 25 36 49
// out: 15 nodes of a tree, 78 in those below 13
// out: the managed list has the sum 285
// out: 64 words in 16 buckets, 0 lost, the longest chain has 4
#include <cstdio>
#include <cuda_runtime.h>

struct node {
	int value;
	node *next;
};

__global__ void reverse(node *list, node **head)
{
	node *before = nullptr;
	while (list) {
		node *next = list->next;
		list->next = before;
		before = list;
		list = next;
	}
	*head = before;
}

__global__ void sum_rows(int *const *rows, int n, int *sums)
{
	int row = threadIdx.x;
	if (row >= n)
		return;
	for (int i = 0; i <= row; i++) {
		rows[row][i] = 2 * i + 1;
		sums[row] += rows[row][i];
	}
}

struct branch {
	int key;
	branch *left, *right;
};

struct tree {
	branch *root, *pool;
	int n;
	int *below;
};

__global__ void grow(tree t, int limit)
{
	for (int i = 1; i < t.n; i++) {
		branch *at = t.root, *fresh = t.pool + i;
		fresh->key = i * 7 % t.n;
		for (;;) {
			branch **side = fresh->key < at->key ? &at->left : &at->right;
			if (!*side) {
				*side = fresh;
				break;
			}
			at = *side;
		}
	}
	for (int i = 0; i < t.n; i++)
		if (t.pool[i].key < limit)
			*t.below += t.pool[i].key;
}

__global__ void add_up(const node *list, int *sum)
{
	for (*sum = 0; list; list = list->next)
		*sum += list->value;
}

__global__ void insert(node *pool, unsigned long long *buckets)
{
	int i = threadIdx.x;
	node *mine = pool + i;
	mine->value = i * i;
	unsigned long long *bucket = buckets + i % 16;
	mine->next = (node *)atomicExch(bucket, (unsigned long long)mine);
}

int main()
{
	static node list[10], pool[64];
	node *d_list, **d_head, *at, *end = nullptr;
	cudaMalloc(&d_list, sizeof list);
	cudaMalloc(&d_head, sizeof *d_head);
	for (int i = 0; i < 10; i++)
		list[i] = {i, i < 9 ? d_list + i + 1 : nullptr};
	cudaMemcpy(d_list, list, sizeof list, cudaMemcpyHostToDevice);
	reverse<<<1, 1>>>(d_list, d_head);
	cudaMemcpy(list, d_list, sizeof list, cudaMemcpyDeviceToHost);
	cudaMemcpy(&at, d_head, sizeof at, cudaMemcpyDeviceToHost);
	printf("the list backwards:");
	for (; at != end; at = list[at - d_list].next)
		printf(" %d", list[at - d_list].value);

	int *rows[7], **d_rows, *d_sums, sums[7];
	for (int i = 0; i < 7; i++)
		cudaMalloc(&rows[i], (i + 1) * sizeof(int));
	cudaMalloc(&d_rows, sizeof rows);
	cudaMalloc(&d_sums, sizeof sums);
	cudaMemset(d_sums, 0, sizeof sums);
	cudaMemcpy(d_rows, rows, sizeof rows, cudaMemcpyHostToDevice);
	sum_rows<<<1, 32>>>(d_rows, 7, d_sums);
	cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
	printf("\nrows of 1 to 7 have the sums");
	for (int i = 0; i < 7; i++)
		printf(" %d", sums[i]);

	tree t = {nullptr, nullptr, 15, nullptr};
	int below;
	cudaMalloc(&t.pool, 15 * sizeof(branch));
	cudaMalloc(&t.below, sizeof(int));
	cudaMemset(t.pool, 0, 15 * sizeof(branch));
	cudaMemset(t.below, 0, sizeof(int));
	t.root = t.pool;
	grow<<<1, 1>>>(t, 13);
	cudaMemcpy(&below, t.below, sizeof below, cudaMemcpyDeviceToHost);
	printf("\n%d nodes of a tree, %d in those below 13\n", t.n, below);

	node *managed, *before = nullptr;
	int *sum;
	cudaMallocManaged(&sum, sizeof *sum);
	for (int i = 0; i < 10; i++) {
		cudaMallocManaged(&managed, sizeof *managed);
		*managed = {i * i, before};
		before = managed;
	}
	add_up<<<1, 1>>>(before, sum);
	cudaDeviceSynchronize();
	printf("the managed list has the sum %d\n", *sum);

	node *d_pool, *heads[16];
	unsigned long long *d_buckets;
	cudaMalloc(&d_pool, sizeof pool);
	cudaMalloc(&d_buckets, sizeof heads);
	cudaMemset(d_pool, 0, sizeof pool);
	cudaMemset(d_buckets, 0, sizeof heads);
	insert<<<1, 64>>>(d_pool, d_buckets);
	cudaMemcpy(pool, d_pool, sizeof pool, cudaMemcpyDeviceToHost);
	cudaMemcpy(heads, d_buckets, sizeof heads, cudaMemcpyDeviceToHost);
	int words = 0, lost = 0, longest = 0;
	for (int b = 0; b < 16; b++) {
		int length = 0;
		for (node *n = heads[b]; n; n = pool[n - d_pool].next) {
			int i = int(n - d_pool);
			lost += i % 16 != b || pool[i].value != i * i;
			length++;
		}
		words += length;
		longest = length > longest ? length : longest;
	}
	printf("%d words in 16 buckets, %d lost, the longest chain has %d\n", words, lost, longest);

	while (before) {
		node *next = before->next;
		cudaFree(before);
		before = next;
	}
	cudaFree(sum);
	cudaFree(d_list);
	cudaFree(d_head);
	for (int *row : rows)
		cudaFree(row);
	cudaFree(d_rows);
	cudaFree(d_sums);
	cudaFree(t.pool);
	cudaFree(t.below);
	cudaFree(d_pool);
	cudaFree(d_buckets);
	return 0;
}
