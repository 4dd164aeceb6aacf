/* simttutor_texture.h: textures and surfaces as kernels read and write them. */
#pragma once
#include "cuda_runtime_api.h"

/* --- channels --------------------------------------------------------------------------------------------------------- */

/* Of a type: what its channels are, and how it is made of the four values that an instruction gives. */
template <typename T> struct simt_texel;
#define SIMT_TEXEL(type, base, channels, kind, v)                                                                      \
	template <> struct simt_texel<type> {                                                                          \
		typedef base channel;                                                                                  \
		enum { n = channels, format = kind };                                                                  \
		template <typename V> static __host__ __device__ __forceinline__ type of(const V *a)                   \
		{                                                                                                      \
			return v;                                                                                      \
		}                                                                                                      \
	};
#define SIMT_TEXELS(name, base, kind)                                                                                  \
	SIMT_TEXEL(base, base, 1, kind, ((base)a[0]))                                                                  \
	SIMT_TEXEL(name##1, base, 1, kind, (name##1{(base)a[0]}))                                                             \
	SIMT_TEXEL(name##2, base, 2, kind, (name##2{(base)a[0], (base)a[1]}))                                                 \
	SIMT_TEXEL(name##4, base, 4, kind, (name##4{(base)a[0], (base)a[1], (base)a[2], (base)a[3]}))
SIMT_TEXELS(char, signed char, cudaChannelFormatKindSigned)
SIMT_TEXELS(uchar, unsigned char, cudaChannelFormatKindUnsigned)
SIMT_TEXELS(short, short, cudaChannelFormatKindSigned)
SIMT_TEXELS(ushort, unsigned short, cudaChannelFormatKindUnsigned)
SIMT_TEXELS(int, int, cudaChannelFormatKindSigned)
SIMT_TEXELS(uint, unsigned int, cudaChannelFormatKindUnsigned)
SIMT_TEXELS(float, float, cudaChannelFormatKindFloat)
#undef SIMT_TEXELS
#undef SIMT_TEXEL

template <typename T> inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
	typedef simt_texel<T> texel;
	int bits = 8 * (int)sizeof(typename texel::channel);
	return cudaChannelFormatDesc{bits, texel::n > 1 ? bits : 0, texel::n > 2 ? bits : 0, texel::n > 3 ? bits : 0,
		(cudaChannelFormatKind)texel::format};
}

/* --- textures --------------------------------------------------------------------------------------------------------- */

/* The values as integers or as floats, by the type that is asked for. */
#define SIMT_FETCH(name, parameters, operands, ...)                                                                    \
	template <typename T> SIMT_DEVICE T name parameters                                                            \
	{                                                                                                              \
		if constexpr (simt_texel<T>::format == cudaChannelFormatKindFloat) {                                   \
			float a[4];                                                                                    \
			asm volatile("tex." SIMT_GEOMETRY ".v4.f32." SIMT_COORDINATE " {%0, %1, %2, %3}, [%4, " operands "];"   \
				     : "=f"(a[0]), "=f"(a[1]), "=f"(a[2]), "=f"(a[3])                                  \
				     : "l"(texture), __VA_ARGS__);                                                     \
			return simt_texel<T>::of(a);                                                                   \
		} else {                                                                                               \
			int a[4];                                                                                      \
			asm volatile("tex." SIMT_GEOMETRY ".v4.s32." SIMT_COORDINATE " {%0, %1, %2, %3}, [%4, " operands "];"   \
				     : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])                                  \
				     : "l"(texture), __VA_ARGS__);                                                     \
			return simt_texel<T>::of(a);                                                                   \
		}                                                                                                      \
	}
#define SIMT_COORDINATE "s32"
#define SIMT_GEOMETRY "1d"
SIMT_FETCH(tex1Dfetch, (cudaTextureObject_t texture, int x), "{%5}", "r"(x))
#undef SIMT_COORDINATE
#define SIMT_COORDINATE "f32"
SIMT_FETCH(tex1D, (cudaTextureObject_t texture, float x), "{%5}", "f"(x))
#undef SIMT_GEOMETRY
#define SIMT_GEOMETRY "2d"
SIMT_FETCH(tex2D, (cudaTextureObject_t texture, float x, float y), "{%5, %6}", "f"(x), "f"(y))
#undef SIMT_GEOMETRY
#define SIMT_GEOMETRY "3d"
SIMT_FETCH(tex3D, (cudaTextureObject_t texture, float x, float y, float z), "{%5, %6, %7, %7}", "f"(x), "f"(y), "f"(z))
#undef SIMT_GEOMETRY
#define SIMT_GEOMETRY "a1d"
SIMT_FETCH(tex1DLayered, (cudaTextureObject_t texture, float x, int layer), "{%5, %6}", "r"(layer), "f"(x))
#undef SIMT_GEOMETRY
#define SIMT_GEOMETRY "a2d"
SIMT_FETCH(tex2DLayered, (cudaTextureObject_t texture, float x, float y, int layer), "{%5, %6, %7, %7}", "r"(layer), "f"(x),
	"f"(y))
#undef SIMT_GEOMETRY
#define SIMT_GEOMETRY "cube"
SIMT_FETCH(texCubemap, (cudaTextureObject_t texture, float x, float y, float z), "{%5, %6, %7, %7}", "f"(x), "f"(y), "f"(z))
#undef SIMT_GEOMETRY
#undef SIMT_COORDINATE
#undef SIMT_FETCH

/* Of a level; of one channel of the four texels that a filter would take. */
#define SIMT_FETCH_OF(name, instruction, parameters, operands, ...)                                                    \
	template <typename T> SIMT_DEVICE T name parameters                                                            \
	{                                                                                                              \
		if constexpr (simt_texel<T>::format == cudaChannelFormatKindFloat) {                                   \
			float a[4];                                                                                    \
			asm volatile(instruction ".v4.f32.f32 {%0, %1, %2, %3}, [%4, " operands ";"                    \
				     : "=f"(a[0]), "=f"(a[1]), "=f"(a[2]), "=f"(a[3])                                  \
				     : "l"(texture), __VA_ARGS__);                                                     \
			return simt_texel<T>::of(a);                                                                   \
		} else {                                                                                               \
			int a[4];                                                                                      \
			asm volatile(instruction ".v4.s32.f32 {%0, %1, %2, %3}, [%4, " operands ";"                    \
				     : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])                                  \
				     : "l"(texture), __VA_ARGS__);                                                     \
			return simt_texel<T>::of(a);                                                                   \
		}                                                                                                      \
	}
SIMT_FETCH_OF(tex1DLod, "tex.level.1d", (cudaTextureObject_t texture, float x, float level), "{%5}], %6", "f"(x), "f"(level))
SIMT_FETCH_OF(tex2DLod, "tex.level.2d", (cudaTextureObject_t texture, float x, float y, float level), "{%5, %6}], %7", "f"(x),
	"f"(y), "f"(level))
SIMT_FETCH_OF(tex3DLod, "tex.level.3d", (cudaTextureObject_t texture, float x, float y, float z, float level),
	"{%5, %6, %7, %7}], %8", "f"(x), "f"(y), "f"(z), "f"(level))
SIMT_FETCH_OF(tex2DLayeredLod, "tex.level.a2d", (cudaTextureObject_t texture, float x, float y, int layer, float level),
	"{%5, %6, %7, %7}], %8", "r"(layer), "f"(x), "f"(y), "f"(level))
SIMT_FETCH_OF(simt_gather_r, "tld4.r.2d", (cudaTextureObject_t texture, float x, float y), "{%5, %6}]", "f"(x), "f"(y))
SIMT_FETCH_OF(simt_gather_g, "tld4.g.2d", (cudaTextureObject_t texture, float x, float y), "{%5, %6}]", "f"(x), "f"(y))
SIMT_FETCH_OF(simt_gather_b, "tld4.b.2d", (cudaTextureObject_t texture, float x, float y), "{%5, %6}]", "f"(x), "f"(y))
SIMT_FETCH_OF(simt_gather_a, "tld4.a.2d", (cudaTextureObject_t texture, float x, float y), "{%5, %6}]", "f"(x), "f"(y))
#undef SIMT_FETCH_OF
template <typename T> SIMT_DEVICE T tex2Dgather(cudaTextureObject_t texture, float x, float y, int channel = 0)
{
	return channel == 0 ? simt_gather_r<T>(texture, x, y)
		: channel == 1 ? simt_gather_g<T>(texture, x, y)
		: channel == 2 ? simt_gather_b<T>(texture, x, y)
			       : simt_gather_a<T>(texture, x, y);
}

/* The result by a pointer, as nvcc has them, too. */
#define SIMT_FETCH_INTO(name, parameters, arguments)                                                                   \
	template <typename T> SIMT_DEVICE void name parameters                                                         \
	{                                                                                                              \
		*v = name<T> arguments;                                                                                \
	}
SIMT_FETCH_INTO(tex1Dfetch, (T * v, cudaTextureObject_t texture, int x), (texture, x))
SIMT_FETCH_INTO(tex1D, (T * v, cudaTextureObject_t texture, float x), (texture, x))
SIMT_FETCH_INTO(tex2D, (T * v, cudaTextureObject_t texture, float x, float y), (texture, x, y))
SIMT_FETCH_INTO(tex3D, (T * v, cudaTextureObject_t texture, float x, float y, float z), (texture, x, y, z))
SIMT_FETCH_INTO(tex1DLayered, (T * v, cudaTextureObject_t texture, float x, int layer), (texture, x, layer))
SIMT_FETCH_INTO(tex2DLayered, (T * v, cudaTextureObject_t texture, float x, float y, int layer), (texture, x, y, layer))
#undef SIMT_FETCH_INTO

/* --- surfaces --------------------------------------------------------------------------------------------------------- */

/* Of 1, 2, 4 and 8 bytes, x in bytes; outside, a read gives 0, is moved to the edge, or traps, and so is a write. */
#define SIMT_SURFACE(name, dims, parameters, place, ...)                                                               \
	template <typename T>                                                                                          \
	SIMT_DEVICE T surf##name##read(cudaSurfaceObject_t surface, parameters,                                        \
		cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                                   \
	{                                                                                                              \
		if (mode == cudaBoundaryModeZero)                                                                      \
			SIMT_LOAD_SURFACE(dims, ".zero", place, __VA_ARGS__)                                           \
		if (mode == cudaBoundaryModeClamp)                                                                     \
			SIMT_LOAD_SURFACE(dims, ".clamp", place, __VA_ARGS__)                                          \
		SIMT_LOAD_SURFACE(dims, ".trap", place, __VA_ARGS__)                                                   \
	}                                                                                                              \
	template <typename T>                                                                                          \
	SIMT_DEVICE void surf##name##read(T *v, cudaSurfaceObject_t surface, parameters,                               \
		cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                                   \
	{                                                                                                              \
		*v = surf##name##read<T>(surface, SIMT_NAMES_##name, mode);                                            \
	}                                                                                                              \
	template <typename T>                                                                                          \
	SIMT_DEVICE void surf##name##write(T v, cudaSurfaceObject_t surface, parameters,                               \
		cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                                   \
	{                                                                                                              \
		if (mode == cudaBoundaryModeZero)                                                                      \
			SIMT_STORE_SURFACE(dims, ".zero", place, __VA_ARGS__)                                          \
		else if (mode == cudaBoundaryModeClamp)                                                                \
			SIMT_STORE_SURFACE(dims, ".clamp", place, __VA_ARGS__)                                         \
		else                                                                                                   \
			SIMT_STORE_SURFACE(dims, ".trap", place, __VA_ARGS__)                                          \
	}
/* An access of a size, in words that the instruction knows. */
#define SIMT_LOAD_BITS(type, bits, letter, dims, mode, place, ...)                                                     \
	{                                                                                                              \
		type simt_bits;                                                                                        \
		asm volatile("suld.b." dims "." bits mode " %[v], [%[s], " place "];"                                  \
			     : [v] "=" letter(simt_bits)                                                               \
			     : [s] "l"(surface), __VA_ARGS__                                                           \
			     : "memory");                                                                              \
		T simt_value;                                                                                          \
		__builtin_memcpy(&simt_value, &simt_bits, sizeof simt_value);                                          \
		return simt_value;                                                                                     \
	}
#define SIMT_LOAD_SURFACE(dims, mode, place, ...)                                                                      \
	{                                                                                                              \
		static_assert(sizeof(T) <= 8 || sizeof(T) == 16, "surfaces of 1, 2, 4, 8 and 16 bytes");               \
		if constexpr (sizeof(T) == 1)                                                                          \
			SIMT_LOAD_BITS(short, "b8", "h", dims, mode, place, __VA_ARGS__)                               \
		else if constexpr (sizeof(T) == 2)                                                                     \
			SIMT_LOAD_BITS(short, "b16", "h", dims, mode, place, __VA_ARGS__)                              \
		else if constexpr (sizeof(T) == 4)                                                                     \
			SIMT_LOAD_BITS(int, "b32", "r", dims, mode, place, __VA_ARGS__)                                \
		else if constexpr (sizeof(T) == 8)                                                                     \
			SIMT_LOAD_BITS(long long, "b64", "l", dims, mode, place, __VA_ARGS__)                          \
		else {                                                                                                 \
			int simt_part[4];                                                                              \
			asm volatile("suld.b." dims ".v4.b32" mode " {%[a], %[b], %[c], %[d]}, [%[s], " place "];"     \
				     : [a] "=r"(simt_part[0]), [b] "=r"(simt_part[1]), [c] "=r"(simt_part[2]),         \
				     [d] "=r"(simt_part[3])                                                            \
				     : [s] "l"(surface), __VA_ARGS__                                                   \
				     : "memory");                                                                      \
			T simt_value;                                                                                  \
			__builtin_memcpy(&simt_value, simt_part, sizeof simt_value);                                   \
			return simt_value;                                                                             \
		}                                                                                                      \
	}
#define SIMT_STORE_BITS(type, bits, letter, dims, mode, place, ...)                                                    \
	{                                                                                                              \
		type simt_bits = 0;                                                                                    \
		__builtin_memcpy(&simt_bits, &v, sizeof v);                                                            \
		asm volatile("sust.b." dims "." bits mode " [%[s], " place "], %[v];"                                  \
			     :                                                                                         \
			     : [v] letter(simt_bits), [s] "l"(surface), __VA_ARGS__                                    \
			     : "memory");                                                                              \
	}
#define SIMT_STORE_SURFACE(dims, mode, place, ...)                                                                     \
	{                                                                                                              \
		static_assert(sizeof(T) <= 8 || sizeof(T) == 16, "surfaces of 1, 2, 4, 8 and 16 bytes");               \
		if constexpr (sizeof(T) == 1)                                                                          \
			SIMT_STORE_BITS(short, "b8", "h", dims, mode, place, __VA_ARGS__)                              \
		else if constexpr (sizeof(T) == 2)                                                                     \
			SIMT_STORE_BITS(short, "b16", "h", dims, mode, place, __VA_ARGS__)                             \
		else if constexpr (sizeof(T) == 4)                                                                     \
			SIMT_STORE_BITS(int, "b32", "r", dims, mode, place, __VA_ARGS__)                               \
		else if constexpr (sizeof(T) == 8)                                                                     \
			SIMT_STORE_BITS(long long, "b64", "l", dims, mode, place, __VA_ARGS__)                         \
		else {                                                                                                 \
			int simt_part[4];                                                                              \
			__builtin_memcpy(simt_part, &v, sizeof v);                                                     \
			asm volatile("sust.b." dims ".v4.b32" mode " [%[s], " place "], {%[a], %[b], %[c], %[d]};"     \
				     :                                                                                 \
				     : [a] "r"(simt_part[0]), [b] "r"(simt_part[1]), [c] "r"(simt_part[2]),            \
				     [d] "r"(simt_part[3]), [s] "l"(surface), __VA_ARGS__                              \
				     : "memory");                                                                      \
		}                                                                                                      \
	}
#define SIMT_COMMA ,
#define SIMT_NAMES_1D x
#define SIMT_NAMES_2D x, y
#define SIMT_NAMES_3D x, y, z
#define SIMT_NAMES_1DLayered x, layer
#define SIMT_NAMES_2DLayered x, y, layer
SIMT_SURFACE(1D, "1d", int x, "{%[x]}", [x] "r"(x))
SIMT_SURFACE(2D, "2d", int x SIMT_COMMA int y, "{%[x], %[y]}", [x] "r"(x), [y] "r"(y))
SIMT_SURFACE(3D, "3d", int x SIMT_COMMA int y SIMT_COMMA int z, "{%[x], %[y], %[z], %[z]}", [x] "r"(x), [y] "r"(y), [z] "r"(z))
SIMT_SURFACE(1DLayered, "a1d", int x SIMT_COMMA int layer, "{%[l], %[x]}", [x] "r"(x), [l] "r"(layer))
SIMT_SURFACE(2DLayered, "a2d", int x SIMT_COMMA int y SIMT_COMMA int layer, "{%[l], %[x], %[y], %[y]}", [x] "r"(x), [y] "r"(y),
	[l] "r"(layer))
#undef SIMT_SURFACE
