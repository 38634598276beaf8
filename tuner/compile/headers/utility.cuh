/* <utility> and <algorithm>. The compiler itself has std::move, std::forward and std::initializer_list. */
#ifndef __CUTUNE_UTILITY
#define __CUTUNE_UTILITY

#define __CUTUNE_FUNCTION template <class __t> __host__ __device__ constexpr
namespace std {
using ::ptrdiff_t;
using ::size_t;
__CUTUNE_FUNCTION void swap(__t &__a, __t &__b)
{
    __t __c = static_cast<__t &&>(__a);
    __a = static_cast<__t &&>(__b);
    __b = static_cast<__t &&>(__c);
}
template <class __t, decltype(sizeof 0) __n> __host__ __device__ constexpr void swap(__t (&__a)[__n], __t (&__b)[__n])
{
    for (decltype(sizeof 0) __i = 0; __i < __n; __i++)
        std::swap(__a[__i], __b[__i]);
}
template <class __t, class __u = __t> __host__ __device__ constexpr __t exchange(__t &__a, __u &&__value)
{
    __t __old = static_cast<__t &&>(__a);
    __a = static_cast<__u &&>(__value);
    return __old;
}
__CUTUNE_FUNCTION const __t &as_const(__t &__a) noexcept { return __a; }

__CUTUNE_FUNCTION const __t &min(const __t &__a, const __t &__b) { return __b < __a ? __b : __a; }
__CUTUNE_FUNCTION const __t &max(const __t &__a, const __t &__b) { return __a < __b ? __b : __a; }
template <class __t, class __f> __host__ __device__ constexpr const __t &min(const __t &__a, const __t &__b, __f __less) { return __less(__b, __a) ? __b : __a; }
template <class __t, class __f> __host__ __device__ constexpr const __t &max(const __t &__a, const __t &__b, __f __less) { return __less(__a, __b) ? __b : __a; }
#if __NV_BUILTIN_INITIALIZER_LIST
__CUTUNE_FUNCTION __t min(initializer_list<__t> __list)
{
    const __t *__least = __list.begin();
    for (const __t *__i = __least; __i < __list.end(); __i++)
        __least = *__i < *__least ? __i : __least;
    return *__least;
}
__CUTUNE_FUNCTION __t max(initializer_list<__t> __list)
{
    const __t *__most = __list.begin();
    for (const __t *__i = __most; __i < __list.end(); __i++)
        __most = *__most < *__i ? __i : __most;
    return *__most;
}
#endif
__CUTUNE_FUNCTION const __t &clamp(const __t &__a, const __t &__low, const __t &__high) { return __a < __low ? __low : __high < __a ? __high : __a; }

template <class __t, class __u> struct pair {
    typedef __t first_type;
    typedef __u second_type;
    __t first;
    __u second;
    constexpr pair() = default;
    __host__ __device__ constexpr pair(const __t &__a, const __u &__b) : first(__a), second(__b) {}
    template <class __v, class __w> __host__ __device__ constexpr pair(const pair<__v, __w> &__p) : first(__p.first), second(__p.second) {}
};
template <class __t> struct __cutune_bare { typedef __t __type; };
template <class __t> struct __cutune_bare<__t &> : __cutune_bare<__t> {};
template <class __t> struct __cutune_bare<__t &&> : __cutune_bare<__t> {};
template <class __t> struct __cutune_bare<const __t> : __cutune_bare<__t> {};
template <class __t, class __u> __host__ __device__ constexpr pair<typename __cutune_bare<__t>::__type, typename __cutune_bare<__u>::__type> make_pair(__t &&__a, __u &&__b)
{
    return {static_cast<__t &&>(__a), static_cast<__u &&>(__b)};
}
#define __CUTUNE_COMPARE(__operator, __value) \
    template <class __t, class __u> __host__ __device__ constexpr bool operator __operator(const pair<__t, __u> &__a, const pair<__t, __u> &__b) { return __value; }
__CUTUNE_COMPARE(==, __a.first == __b.first && __a.second == __b.second)
__CUTUNE_COMPARE(!=, !(__a == __b))
__CUTUNE_COMPARE(<, __a.first < __b.first || (!(__b.first < __a.first) && __a.second < __b.second))
__CUTUNE_COMPARE(>, __b < __a)
__CUTUNE_COMPARE(<=, !(__b < __a))
__CUTUNE_COMPARE(>=, !(__a < __b))
#undef __CUTUNE_COMPARE

template <class __t, __t... __i> struct integer_sequence {
    typedef __t value_type;
    __host__ __device__ static constexpr decltype(sizeof 0) size() noexcept { return sizeof...(__i); }
};
template <decltype(sizeof 0)... __i> using index_sequence = integer_sequence<decltype(sizeof 0), __i...>;
/* Halves the number, so that long sequences stay below the compiler's depth of templates. */
template <class __t, class __a, class __b> struct __cutune_join;
template <class __t, __t... __i, __t... __j> struct __cutune_join<__t, integer_sequence<__t, __i...>, integer_sequence<__t, __j...>> {
    typedef integer_sequence<__t, __i..., (__t(sizeof...(__i)) + __j)...> __type;
};
template <class __t, decltype(sizeof 0) __n> struct __cutune_count
    : __cutune_join<__t, typename __cutune_count<__t, __n / 2>::__type, typename __cutune_count<__t, __n - __n / 2>::__type> {};
template <class __t> struct __cutune_count<__t, 0> { typedef integer_sequence<__t> __type; };
template <class __t> struct __cutune_count<__t, 1> { typedef integer_sequence<__t, 0> __type; };
template <class __t, __t __n> using make_integer_sequence = typename __cutune_count<__t, __n>::__type;
template <decltype(sizeof 0) __n> using make_index_sequence = make_integer_sequence<decltype(sizeof 0), __n>;
template <class... __t> using index_sequence_for = make_index_sequence<sizeof...(__t)>;
}
#undef __CUTUNE_FUNCTION

#endif
