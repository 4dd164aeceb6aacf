// Functions on the bits of whole numbers, on the halves and bytes of words, and between integers and floats.
// out: 13 20 f7b3d59 f7b3d591e6a2c480 4 1 3 7
// out: 9a34de56 ffffffff9c2d2080 142d2080 fffffffff8cc93d6 b00ea4e 14b66dc33f6ac 14b66dc33f6ac 12345680
// out: 8888887b 91a2b3f 91a2b40 4d5e6f7a 4d5e6f7a ffffffffffffd81d ec1d ffffffffffce7ba9
// out: 3829f9 468acf13 c4d5e6f7 9abcdef0 12345678 acf03568 acf03468 88888878
// out: 88888878 210 9abcdef0 9abcdef0 ffffffff ffffffff 56789ab4 66442210
// out: 65442110 ffffffff 1abb5eef 88888878 1010101 12345678 56789ab4 7f7f7f7f
// out: ffffffff ef00 3 9abcdef0 12345678 123456789abcdef 5 9abcdef0
// out: 5 123456789abcdef 6 9abcdef0 5 9 3fc00000 3
// out: bf800000 4000000000000000 40080000 ffffffff9999999a 3 2 fffffffffffffffe 3
// out: fffffffffffffffd 4 2540be400 2 ffffff172b5af000 5 1000000 fffffffffffffffd
// out: 1000002 10000000000 7 3 9
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
#define R(x) o[n++] = (long long)(x)
__global__ void k(long long *o, int a, unsigned b, long long c)
{
	int n = 0;
	R(__popc(b));
	R(__popcll(c));
	R(__brev(b));
	R(__brevll(c));
	R(__ffs(a));
	R(__ffsll(c));
	R(__clz(a));
	R(__clzll(c));
	R(__byte_perm(b, a, 0x3615));
	R(__mul24(a, b));
	R(__umul24(a, b));
	R(__mulhi(a, (int)b));
	R(__umulhi(a, b));
	R(__mul64hi(c, c));
	R(__umul64hi(c, c));
	R(__sad(a, -5, 3));
	R(__usad(a, b, 3));
	R(__hadd(a, 7));
	R(__rhadd(a, 8));
	R(__uhadd(b, 4));
	R(__urhadd(b, 3));
	R(__dp4a((int)b, a, 5));
	R(__dp4a(b, (unsigned)a, 5u));
	R(__dp2a_lo((int)b, a, 1));
	R(__dp2a_hi(b, (unsigned)a, 1u));
	R(__funnelshift_l(b, a, 5));
	R(__funnelshift_r(b, a, 37));
	R(__funnelshift_lc(b, a, 40));
	R(__funnelshift_rc(b, a, 33));
	R(__vadd2(b, a));
	R(__vadd4(b, a));
	R(__vsub4(b, a));
	R(__vabsdiffu4(b, a));
	R(__vsadu4(b, a));
	R(__vmaxu4(b, a));
	R(__vmins2(b, a));
	R(__vcmpeq4(b, b));
	R(__vcmpgtu4(b, a));
	R(__vavgu4(b, a));
	R(__vabs4(b));
	R(__vneg2(b));
	R(__vaddus4(b, 0x80808080));
	R(__vaddss2(b, 0x7fff7fff));
	R(__vsubus4(b, a));
	R(__vsetltu4(a, b));
	R(__vmaxs4(a, b));
	R(__vhaddu4(a, b));
	R(__vabsss4(0x80808080));
	R(__vcmpltu2(a, b));
	R(__vsads2(a, b));
	R(min(a, 3));
	R(max(b, 7u));
	R(abs(a));
	R(llabs(c));
	R(umin(b, 5u));
	R(umax(b, 5u));
	R(llmin(c, 5ll));
	R(llmax(c, 5ll));
	R(ullmin(b, 6ull));
	R(ullmax(b, 6ull));
	R(min(c, 5ll));
	R(max(3ul, 9ul));
	R(__float_as_int(1.5f));
	R(__int_as_float(0x40490fdb));
	R(__float_as_uint(-1.0f));
	R(__double_as_longlong(2.0));
	R(__double2hiint(3.0));
	R(__double2loint(0.1));
	R(__hiloint2double(0x40080000, 0));
	R(__float2int_rn(2.5f));
	R(__float2int_rz(-2.7f));
	R(__float2int_ru(2.1f));
	R(__float2int_rd(-2.1f));
	R(__float2uint_rn(3.5f));
	R(__float2ll_rn(1e10f));
	R(__double2int_rn(2.5));
	R(__double2ll_rz(-1e12));
	R(__double2uint_rz(5.9));
	R(__int2float_rn(16777217));
	R(__int2double_rn(-3));
	R(__uint2float_ru(16777217));
	R(__ll2float_rz(1ll << 40));
	R(__ull2double_rn(7));
	R(__double2float_rd(3.999));
	R(__float2ull_rz(9.9f));
	o[127] = n;
}
int main()
{
	long long *o, h[128];
	CHECK(cudaMalloc(&o, sizeof h));
	k<<<1, 1>>>(o, 0x12345678, 0x9abcdef0u, 0x0123456789abcdefll);
	CHECK(cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost));
	for (int i = 0; i < h[127]; i++)
		printf("%s%llx", i ? i % 8 ? " " : "\n" : "", h[i]);
	printf("\n");
	CHECK(cudaFree(o));
	return 0;
}
