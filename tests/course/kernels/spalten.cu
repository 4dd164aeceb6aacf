// Jeder Thread liest eine Zahl; Nachbarn lesen im Abstand `schritt`.
extern "C" __global__ void spalten(const float *ein, float *aus, unsigned schritt)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	aus[i] = ein[i * schritt]; //@ lesen
}
