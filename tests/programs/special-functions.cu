// Special functions of floats and doubles, and those that are instructions.
// out: 2.5625 0.41667 0.94898 0.31532 3.0096 3.4903 17.783 0.22314
// out: 0.32193 0.09691 1.7469 1.2643 1 0.8 1.118 0.89443
// out: 1.25 1.5625 0.17857 0.625 0.27246 0.73287 0.36782 0.89435
// out: 0.5244 0.92832 -0.70711 -0.70711 0.29924 0.424 2.5617 0.39036
// out: 3.9449 0.25349 5.6181 0.178 1.4305 0.75528 3.1416 17.783
// out: -0.098272 15 1 1.5 1
// out: 2.5625 1.25 3.75 0.4166666667 0.8 1.118033989 0.2724627147 0.732869078
// out: 0.3678229165 0.8943502263 0.5244005127 0.9283177667 -0.7071067812 -0.7071067812 0.2992360721 0.423999152
// out: 2.561737691 0.3903600292 3.94493346 0.2534897002 2.561737691 0.3903600292 1.430468718 0.7552814183
// out: 3.141592654 0.894427191 1 1.953125 1.118033989 1.118033989 1.25 2
// out: -2 17.7827941
#include <cstdio>
#include <cstdlib>
#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			printf("line %d: %s\n", __LINE__, cudaGetErrorString(error));                                  \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)
#include <math_constants.h>
__global__ void k(float x, double y, float *f, double *d)
{
	int n = 0, m = 0;
	float s, c;
	double sd, cd;
	f[n++] = __fmaf_rn(x, x, 1);
	f[n++] = __fdividef(x, 3);
	f[n++] = __sinf(x);
	f[n++] = __cosf(x);
	f[n++] = __tanf(x);
	f[n++] = __expf(x);
	f[n++] = __exp10f(x);
	f[n++] = __logf(x);
	f[n++] = __log2f(x);
	f[n++] = __log10f(x);
	f[n++] = __powf(x, 2.5f);
	__sincosf(x, &s, &c);
	f[n++] = s + c;
	f[n++] = __saturatef(x);
	f[n++] = __frcp_rn(x);
	f[n++] = __fsqrt_rn(x);
	f[n++] = __frsqrt_rn(x);
	f[n++] = __fadd_rz(x, 1e-9f);
	f[n++] = __fmul_ru(x, x);
	f[n++] = __fdiv_rn(x, 7);
	f[n++] = fdividef(x, 2);
	f[n++] = erfinvf(0.3f);
	f[n++] = erfcinvf(0.3f);
	f[n++] = erfcxf(x);
	f[n++] = normcdff(x);
	f[n++] = normcdfinvf(0.7f);
	f[n++] = rcbrtf(x);
	f[n++] = sinpif(x);
	f[n++] = cospif(x);
	sincosf(x, &s, &c);
	f[n++] = s * c;
	f[n++] = rhypotf(x, 2);
	f[n++] = norm3df(x, 1, 2);
	f[n++] = rnorm3df(x, 1, 2);
	f[n++] = norm4df(x, 1, 2, 3);
	f[n++] = rnorm4df(x, 1, 2, 3);
	float v[5] = {1, 2, 3, 4, x};
	f[n++] = normf(5, v);
	f[n++] = rnormf(5, v);
	f[n++] = cyl_bessel_i0f(x);
	f[n++] = cyl_bessel_i1f(x);
	f[n++] = CUDART_PI_F;
	f[n++] = exp10f(x);
	f[n++] = lgammaf(x);
	f[n++] = isnan(CUDART_NAN_F) + 2 * isinf(CUDART_INF_F) + 4 * isfinite(x) + 8 * signbit(-x);
	f[n++] = fmaxf(CUDART_NAN_F, 1);
	f[n++] = __uint_as_float(0x3fc00000);
	f[n++] = nanf("") != nanf("");
	d[m++] = __fma_rn(y, y, 1);
	d[m++] = __dadd_rd(y, 1e-30);
	d[m++] = __dmul_rn(y, 3);
	d[m++] = __ddiv_rn(y, 3);
	d[m++] = __drcp_rn(y);
	d[m++] = __dsqrt_rn(y);
	d[m++] = erfinv(0.3);
	d[m++] = erfcinv(0.3);
	d[m++] = erfcx(y);
	d[m++] = normcdf(y);
	d[m++] = normcdfinv(0.7);
	d[m++] = rcbrt(y);
	d[m++] = sinpi(y);
	d[m++] = cospi(y);
	sincos(y, &sd, &cd);
	d[m++] = sd * cd;
	d[m++] = rhypot(y, 2.0);
	d[m++] = norm3d(y, 1, 2);
	d[m++] = rnorm3d(y, 1, 2);
	d[m++] = norm4d(y, 1, 2, 3);
	d[m++] = rnorm4d(y, 1, 2, 3);
	double w[3] = {1, 2, y};
	d[m++] = norm(3, w);
	d[m++] = rnorm(3, w);
	d[m++] = cyl_bessel_i0(y);
	d[m++] = cyl_bessel_i1(y);
	d[m++] = CUDART_PI;
	d[m++] = rsqrt(y);
	d[m++] = CUDART_INF > 1;
	d[m++] = pow(y, 3);
	d[m++] = std::pow(y, 0.5);
	d[m++] = std::sqrt(y);
	d[m++] = std::abs(-y);
	d[m++] = std::fmax(y, 2.0);
	d[m++] = std::floor(-y);
	d[m++] = exp10(y);
	f[63] = n;
	d[63] = m;
}
int main()
{
	float *f, hf[64];
	double *d, hd[64];
	CHECK(cudaMalloc(&f, sizeof hf));
	CHECK(cudaMalloc(&d, sizeof hd));
	k<<<1, 1>>>(1.25f, 1.25, f, d);
	CHECK(cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(hd, d, sizeof hd, cudaMemcpyDeviceToHost));
	for (int i = 0; i < hf[63]; i++)
		printf("%s%.5g", i ? i % 8 ? " " : "\n" : "", hf[i]);
	printf("\n");
	for (int i = 0; i < hd[63]; i++)
		printf("%s%.10g", i ? i % 8 ? " " : "\n" : "", hd[i]);
	printf("\n");
	CHECK(cudaFree(f));
	CHECK(cudaFree(d));
	return 0;
}
