// The same values in two layouts: an array of structures, and a structure of arrays.
#include "simt.h"

struct particle { float vx, vy, vz, mass; };

// One field of all particles.
extern "C" __global__ void mass_aos(const struct particle *particles, float *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float mass = particles[i].mass; //@ mass_aos
	out[i] = mass;
}

// The fields lie one after the other, n values each: vx, vy, vz, mass.
extern "C" __global__ void mass_soa(const float *fields, float *out, unsigned n)
{
	const float *masses = fields + 3 * n;

	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float mass = masses[i]; //@ mass_soa
	out[i] = mass;
}

// All fields: twice the kinetic energy.
extern "C" __global__ void energy_aos(const struct particle *particles, float *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float vx = particles[i].vx; //@ energy_aos
	float vy = particles[i].vy;
	float vz = particles[i].vz;
	float mass = particles[i].mass;
	out[i] = mass * (vx * vx + vy * vy + vz * vz);
}

extern "C" __global__ void energy_soa(const float *fields, float *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float vx = fields[i]; //@ energy_soa
	float vy = fields[n + i];
	float vz = fields[2 * n + i];
	float mass = fields[3 * n + i];
	out[i] = mass * (vx * vx + vy * vy + vz * vz);
}

// alignas promises an address that is a multiple of 16, so that one load may take all four fields.
struct alignas(16) aligned_particle { float vx, vy, vz, mass; };

extern "C" __global__ void energy_aligned(const struct aligned_particle *particles, float *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	struct aligned_particle p = particles[i]; //@ energy_aligned
	out[i] = p.mass * (p.vx * p.vx + p.vy * p.vy + p.vz * p.vz);
}

// The first field of structures that are `fields` floats long.
extern "C" __global__ void first_field(const float *structures, float *out, unsigned fields)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float first = structures[i * fields]; //@ first
	out[i] = first;
}

struct pixel { float red, green, blue; };

// Whole blocks only: n is a multiple of 128.
extern "C" __global__ void grey_direct(const struct pixel *pixels, float *gray)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float red = pixels[i].red; //@ pixel_direct
	float green = pixels[i].green;
	float blue = pixels[i].blue;
	gray[i] = (red + green + blue) / 3;
}

// The block copies its 384 floats in the order they lie, then picks its pixels from the copy.
extern "C" __global__ void grey_staged(const float *pixels, float *gray)
{
	__shared__ float tile[3 * 128];

	unsigned first = blockIdx.x * 128;
	for (unsigned k = 0; k < 3 * 128; k += 128)
		tile[k + threadIdx.x] = pixels[3 * first + k + threadIdx.x]; //@ pixel_staged
	__syncthreads();

	const float *pixel = tile + 3 * threadIdx.x;
	gray[first + threadIdx.x] = (pixel[0] + pixel[1] + pixel[2]) / 3;
}
