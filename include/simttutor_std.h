/* simttutor_std.h: cuda::std, of which each header of cuda/std has its part. What is constexpr in the C++ library of the host runs on the device
 * as it is; the rest is written here. */
#pragma once
#include "cuda_runtime.h"
#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <algorithm>

#define SIMT_STD __host__ __device__ __forceinline__ constexpr

namespace cuda
{
namespace std
{

/* cstddef, cstdint */
using ::std::byte;
using ::std::int16_t;
using ::std::int32_t;
using ::std::int64_t;
using ::std::int8_t;
using ::std::intmax_t;
using ::std::intptr_t;
using ::std::max_align_t;
using ::std::nullptr_t;
using ::std::ptrdiff_t;
using ::std::size_t;
using ::std::uint16_t;
using ::std::uint32_t;
using ::std::uint64_t;
using ::std::uint8_t;
using ::std::uintmax_t;
using ::std::uintptr_t;

/* limits, type_traits */
using ::std::add_const;
using ::std::add_const_t;
using ::std::add_lvalue_reference;
using ::std::add_lvalue_reference_t;
using ::std::add_pointer;
using ::std::add_pointer_t;
using ::std::add_rvalue_reference;
using ::std::add_rvalue_reference_t;
using ::std::alignment_of;
using ::std::bool_constant;
using ::std::common_type;
using ::std::common_type_t;
using ::std::conditional;
using ::std::conditional_t;
using ::std::conjunction;
using ::std::conjunction_v;
using ::std::decay;
using ::std::decay_t;
using ::std::declval;
using ::std::disjunction;
using ::std::disjunction_v;
using ::std::enable_if;
using ::std::enable_if_t;
using ::std::extent;
using ::std::extent_v;
using ::std::false_type;
using ::std::integral_constant;
using ::std::invoke_result;
using ::std::invoke_result_t;
using ::std::is_arithmetic;
using ::std::is_arithmetic_v;
using ::std::is_array;
using ::std::is_array_v;
using ::std::is_base_of;
using ::std::is_base_of_v;
using ::std::is_class;
using ::std::is_class_v;
using ::std::is_const;
using ::std::is_const_v;
using ::std::is_constructible;
using ::std::is_constructible_v;
using ::std::is_convertible;
using ::std::is_convertible_v;
using ::std::is_default_constructible;
using ::std::is_default_constructible_v;
using ::std::is_empty;
using ::std::is_empty_v;
using ::std::is_enum;
using ::std::is_enum_v;
using ::std::is_floating_point;
using ::std::is_floating_point_v;
using ::std::is_function;
using ::std::is_function_v;
using ::std::is_fundamental;
using ::std::is_fundamental_v;
using ::std::is_integral;
using ::std::is_integral_v;
using ::std::is_invocable;
using ::std::is_invocable_r;
using ::std::is_invocable_r_v;
using ::std::is_invocable_v;
using ::std::is_lvalue_reference;
using ::std::is_lvalue_reference_v;
using ::std::is_pointer;
using ::std::is_pointer_v;
using ::std::is_reference;
using ::std::is_reference_v;
using ::std::is_rvalue_reference;
using ::std::is_rvalue_reference_v;
using ::std::is_same;
using ::std::is_same_v;
using ::std::is_scalar;
using ::std::is_scalar_v;
using ::std::is_signed;
using ::std::is_signed_v;
using ::std::is_standard_layout;
using ::std::is_standard_layout_v;
using ::std::is_trivial;
using ::std::is_trivial_v;
using ::std::is_trivially_copyable;
using ::std::is_trivially_copyable_v;
using ::std::is_trivially_destructible;
using ::std::is_trivially_destructible_v;
using ::std::is_union;
using ::std::is_union_v;
using ::std::is_unsigned;
using ::std::is_unsigned_v;
using ::std::is_void;
using ::std::is_void_v;
using ::std::make_signed;
using ::std::make_signed_t;
using ::std::make_unsigned;
using ::std::make_unsigned_t;
using ::std::negation;
using ::std::negation_v;
using ::std::numeric_limits;
using ::std::rank;
using ::std::rank_v;
using ::std::remove_const;
using ::std::remove_const_t;
using ::std::remove_cv;
using ::std::remove_cv_t;
using ::std::remove_extent;
using ::std::remove_extent_t;
using ::std::remove_pointer;
using ::std::remove_pointer_t;
using ::std::remove_reference;
using ::std::remove_reference_t;
using ::std::true_type;
using ::std::underlying_type;
using ::std::underlying_type_t;
using ::std::void_t;

/* utility, tuple, optional, array, initializer_list */
using ::std::array;
using ::std::as_const;
using ::std::forward;
using ::std::get;
using ::std::in_place;
using ::std::in_place_t;
using ::std::index_sequence;
using ::std::index_sequence_for;
using ::std::initializer_list;
using ::std::integer_sequence;
using ::std::make_index_sequence;
using ::std::make_integer_sequence;
using ::std::make_pair;
using ::std::move;
using ::std::pair;
template <typename T> SIMT_STD void swap(T &a, T &b)
{
	T c = static_cast<T &&>(a);
	a = static_cast<T &&>(b);
	b = static_cast<T &&>(c);
}
template <typename T, typename U = T> SIMT_STD T exchange(T &object, U &&value)
{
	T old = static_cast<T &&>(object);
	object = static_cast<U &&>(value);
	return old;
}
using ::std::apply;
using ::std::forward_as_tuple;
using ::std::ignore;
using ::std::make_optional;
using ::std::make_tuple;
using ::std::nullopt;
using ::std::nullopt_t;
using ::std::optional;
using ::std::tie;
using ::std::tuple;
using ::std::tuple_cat;
using ::std::tuple_element;
using ::std::tuple_element_t;
using ::std::tuple_size;
using ::std::tuple_size_v;

/* functional */
using ::std::bit_and;
using ::std::bit_not;
using ::std::bit_or;
using ::std::bit_xor;
using ::std::divides;
using ::std::equal_to;
using ::std::greater;
using ::std::greater_equal;
using ::std::less;
using ::std::less_equal;
using ::std::logical_and;
using ::std::logical_not;
using ::std::logical_or;
using ::std::minus;
using ::std::modulus;
using ::std::multiplies;
using ::std::negate;
using ::std::not_equal_to;
using ::std::plus;

/* algorithm, iterator */
using ::std::begin;
using ::std::clamp;
using ::std::data;
using ::std::end;
using ::std::max;
using ::std::min;
using ::std::minmax;
using ::std::next;
using ::std::prev;
using ::std::size;
template <typename I, typename T> SIMT_STD void fill(I first, I last, const T &value)
{
	for (; first != last; ++first)
		*first = value;
}
template <typename I, typename O> SIMT_STD O copy(I first, I last, O to)
{
	for (; first != last; ++first, ++to)
		*to = *first;
	return to;
}
template <typename I, typename T> SIMT_STD I lower_bound(I first, I last, const T &value)
{
	for (auto n = last - first; n > 0;) {
		auto half = n / 2;
		if (first[half] < value)
			first += half + 1, n -= half + 1;
		else
			n = half;
	}
	return first;
}
template <typename I, typename T> SIMT_STD I upper_bound(I first, I last, const T &value)
{
	for (auto n = last - first; n > 0;) {
		auto half = n / 2;
		if (!(value < first[half]))
			first += half + 1, n -= half + 1;
		else
			n = half;
	}
	return first;
}
template <typename I, typename T> SIMT_STD I find(I first, I last, const T &value)
{
	while (first != last && !(*first == value))
		++first;
	return first;
}
template <typename I> SIMT_STD I max_element(I first, I last)
{
	I best = first;
	for (; first != last; ++first)
		if (*best < *first)
			best = first;
	return best;
}
template <typename I> SIMT_STD I min_element(I first, I last)
{
	I best = first;
	for (; first != last; ++first)
		if (*first < *best)
			best = first;
	return best;
}
/* numeric */
template <typename I, typename T> SIMT_STD T accumulate(I first, I last, T sum)
{
	for (; first != last; ++first)
		sum = sum + *first;
	return sum;
}

/* span */
inline constexpr size_t dynamic_extent = size_t(-1);
template <typename T, size_t Extent = dynamic_extent> class span
{
	T *data_;
	size_t size_;

      public:
	using element_type = T;
	using value_type = ::std::remove_cv_t<T>;
	using size_type = size_t;
	using iterator = T *;
	static constexpr size_t extent = Extent;
	SIMT_STD span() : data_(nullptr), size_(0)
	{
	}
	SIMT_STD span(T *data, size_t size) : data_(data), size_(size)
	{
	}
	SIMT_STD span(T *first, T *last) : data_(first), size_((size_t)(last - first))
	{
	}
	template <size_t N> SIMT_STD span(T (&array)[N]) : data_(array), size_(N)
	{
	}
	template <typename C, typename = decltype(static_cast<T *>(::std::declval<C &>().data())),
		typename = decltype(::std::declval<C &>().size())>
	SIMT_STD span(C &container) : data_(container.data()), size_(container.size())
	{
	}
	SIMT_STD T *data() const
	{
		return data_;
	}
	SIMT_STD size_t size() const
	{
		return size_;
	}
	SIMT_STD size_t size_bytes() const
	{
		return size_ * sizeof(T);
	}
	SIMT_STD bool empty() const
	{
		return !size_;
	}
	SIMT_STD T &operator[](size_t i) const
	{
		return data_[i];
	}
	SIMT_STD T &front() const
	{
		return data_[0];
	}
	SIMT_STD T &back() const
	{
		return data_[size_ - 1];
	}
	SIMT_STD T *begin() const
	{
		return data_;
	}
	SIMT_STD T *end() const
	{
		return data_ + size_;
	}
	SIMT_STD span<T> first(size_t n) const
	{
		return span<T>(data_, n);
	}
	SIMT_STD span<T> last(size_t n) const
	{
		return span<T>(data_ + size_ - n, n);
	}
	SIMT_STD span<T> subspan(size_t offset, size_t n = dynamic_extent) const
	{
		return span<T>(data_ + offset, n == dynamic_extent ? size_ - offset : n);
	}
};
template <typename T, size_t N> span(T (&)[N]) -> span<T, N>;
template <typename T> span(T *, size_t) -> span<T>;
template <typename C> span(C &) -> span<::std::remove_pointer_t<decltype(::std::declval<C &>().data())>>;

/* bit */
template <typename T> SIMT_STD int popcount(T v)
{
	return __builtin_popcountll((::std::make_unsigned_t<T>)v);
}
template <typename T> SIMT_STD int countl_zero(T v)
{
	return v ? __builtin_clzll(v) - (64 - 8 * (int)sizeof(T)) : 8 * (int)sizeof(T);
}
template <typename T> SIMT_STD int countr_zero(T v)
{
	return v ? __builtin_ctzll(v) : 8 * (int)sizeof(T);
}
template <typename T> SIMT_STD int bit_width(T v)
{
	return 8 * (int)sizeof(T) - countl_zero(v);
}
template <typename T> SIMT_STD bool has_single_bit(T v)
{
	return v && !(v & (v - 1));
}
template <typename T> SIMT_STD T bit_floor(T v)
{
	return v ? T(T(1) << (bit_width(v) - 1)) : T(0);
}
template <typename T> SIMT_STD T bit_ceil(T v)
{
	return v <= 1 ? T(1) : T(T(1) << bit_width(T(v - 1)));
}
template <typename T> SIMT_STD T rotl(T v, int by)
{
	constexpr int n = 8 * (int)sizeof(T);
	by = (by % n + n) % n;
	return by ? T(v << by | v >> (n - by)) : v;
}
template <typename T> SIMT_STD T rotr(T v, int by)
{
	return rotl(v, -by);
}
template <typename To, typename From> SIMT_STD To bit_cast(const From &from)
{
	return __builtin_bit_cast(To, from);
}

/* cmath */
using ::abs;
using ::acos;
using ::asin;
using ::atan;
using ::atan2;
using ::cbrt;
using ::ceil;
using ::cos;
using ::cosh;
using ::erf;
using ::exp;
using ::exp2;
using ::expm1;
using ::fabs;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::hypot;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::pow;
using ::rint;
using ::round;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;
using ::trunc;

} // namespace std

/* What cuda:: has of the kind, in cuda/cmath and cuda/functional. */
template <typename T, typename U> SIMT_STD auto ceil_div(T n, U by)
{
	return n / by + (n % by != 0);
}
template <typename T, typename U> SIMT_STD auto round_up(T n, U to)
{
	return ceil_div(n, to) * to;
}
template <typename T, typename U> SIMT_STD auto round_down(T n, U to)
{
	return n / to * to;
}
template <typename T = void> struct maximum {
	SIMT_STD T operator()(const T &a, const T &b) const
	{
		return a < b ? b : a;
	}
};
template <> struct maximum<void> {
	template <typename T> SIMT_STD T operator()(const T &a, const T &b) const
	{
		return a < b ? b : a;
	}
};
template <typename T = void> struct minimum {
	SIMT_STD T operator()(const T &a, const T &b) const
	{
		return b < a ? b : a;
	}
};
template <> struct minimum<void> {
	template <typename T> SIMT_STD T operator()(const T &a, const T &b) const
	{
		return b < a ? b : a;
	}
};
template <typename Result, typename F> SIMT_STD auto proclaim_return_type(F f)
{
	return f;
}

} // namespace cuda

#undef SIMT_STD
