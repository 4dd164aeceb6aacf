// C++17 on the host around kernels: containers, algorithms, smart pointers with the device's memory, optional, structured bindings.
// out: and 2, brown 1, fox 2, quick 1, the 3
// out: no hen
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

__global__ void count(const unsigned *hashes, int n, unsigned wanted, int *out)
{
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		if (hashes[i] == wanted)
			atomicAdd(out, 1);
}

struct device_free {
	void operator()(void *p) const { cudaFree(p); }
};
template <typename T> using device_ptr = std::unique_ptr<T[], device_free>;
template <typename T> device_ptr<T> on_device(const std::vector<T> &values)
{
	T *p = nullptr;
	cudaMalloc(&p, values.size() * sizeof(T));
	cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
	return device_ptr<T>(p);
}

static unsigned hash(std::string_view word)
{
	unsigned h = 2166136261u;
	for (unsigned char c : word)
		h = (h ^ c) * 16777619u;
	return h;
}

static std::optional<int> occurrences(const device_ptr<unsigned> &hashes, int n, std::string_view word)
{
	auto result = on_device(std::vector<int>{0});
	int found;
	count<<<1, 32>>>(hashes.get(), n, hash(word), result.get());
	cudaMemcpy(&found, result.get(), sizeof found, cudaMemcpyDeviceToHost);
	return found ? std::optional<int>(found) : std::nullopt;
}

int main()
{
	std::istringstream text("the quick fox and the brown fox and the");
	std::vector<std::string> words;
	for (std::string word; text >> word;)
		words.push_back(word);
	std::vector<unsigned> hashes(words.size());
	std::transform(words.begin(), words.end(), hashes.begin(), hash);
	auto d = on_device(hashes);
	std::map<std::string, int> counts;
	for (const auto &word : words)
		if (auto n = occurrences(d, (int)words.size(), word))
			counts[word] = *n;
	std::string line;
	for (const auto &[word, n] : counts)
		line += (line.empty() ? "" : ", ") + word + " " + std::to_string(n);
	puts(line.c_str());
	puts(occurrences(d, (int)words.size(), "hen") ? "a hen" : "no hen");
}
