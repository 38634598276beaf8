/* <utility> and <algorithm>. The compiler itself has std::move, std::forward and std::initializer_list. */
#ifndef __CUTUNE_UTILITY
#define __CUTUNE_UTILITY

#define __CUTUNE_FUNCTION template <class __t> __host__ __device__ constexpr
namespace std {
using ::ptrdiff_t;
using ::size_t;
__CUTUNE_FUNCTION void swap(__t &__a, __t &__b) noexcept(__is_nothrow_constructible(__t, __t) && __is_nothrow_assignable(__t &, __t))
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
struct __cutune_less { template <class __t, class __u> __host__ __device__ constexpr bool operator()(const __t &__a, const __u &__b) const { return __a < __b; } };
template <class __t, class __f> __host__ __device__ constexpr const __t &min(const __t &__a, const __t &__b, __f __less) { return __less(__b, __a) ? __b : __a; }
template <class __t, class __f> __host__ __device__ constexpr const __t &max(const __t &__a, const __t &__b, __f __less) { return __less(__a, __b) ? __b : __a; }
#if __NV_BUILTIN_INITIALIZER_LIST
template <class __t, class __f = __cutune_less> __host__ __device__ constexpr __t min(initializer_list<__t> __list, __f __less = __f())
{
    const __t *__least = __list.begin();
    for (const __t *__i = __least; __i < __list.end(); __i++)
        __least = __less(*__i, *__least) ? __i : __least;
    return *__least;
}
template <class __t, class __f = __cutune_less> __host__ __device__ constexpr __t max(initializer_list<__t> __list, __f __less = __f())
{
    const __t *__most = __list.begin();
    for (const __t *__i = __most; __i < __list.end(); __i++)
        __most = __less(*__most, *__i) ? __i : __most;
    return *__most;
}
#endif
template <class __t, class __f> __host__ __device__ constexpr const __t &clamp(const __t &__a, const __t &__low, const __t &__high, __f __less) { return __less(__a, __low) ? __low : __less(__high, __a) ? __high : __a; }
__CUTUNE_FUNCTION const __t &clamp(const __t &__a, const __t &__low, const __t &__high) { return __a < __low ? __low : __high < __a ? __high : __a; }

template <bool> struct __cutune_if {};
template <> struct __cutune_if<true> { typedef int __type; };
template <bool __v> using __cutune_yes = typename __cutune_if<__v>::__type;
template <class __t, class __u> struct pair {
    typedef __t first_type;
    typedef __u second_type;
    __t first;
    __u second;
    template <class __v = __t, class __w = __u, class = __cutune_yes<__is_constructible(__v) && __is_constructible(__w)>>
    __host__ __device__ constexpr pair() : first(), second() {}
    __host__ __device__ constexpr pair(const __t &__a, const __u &__b) : first(__a), second(__b) {}
    template <class __v, class __w, class = __cutune_yes<__is_constructible(__t, __v &&) && __is_constructible(__u, __w &&)>>
    __host__ __device__ constexpr pair(__v &&__a, __w &&__b) : first(static_cast<__v &&>(__a)), second(static_cast<__w &&>(__b)) {}
    constexpr pair(const pair &) = default;
    constexpr pair(pair &&) = default;
    template <class __v, class __w, class = __cutune_yes<__is_constructible(__t, const __v &) && __is_constructible(__u, const __w &)>>
    __host__ __device__ constexpr pair(const pair<__v, __w> &__p) : first(__p.first), second(__p.second) {}
    template <class __v, class __w, class = __cutune_yes<__is_constructible(__t, __v &&) && __is_constructible(__u, __w &&)>>
    __host__ __device__ constexpr pair(pair<__v, __w> &&__p) : first(static_cast<__v &&>(__p.first)), second(static_cast<__w &&>(__p.second)) {}
    __host__ __device__ constexpr pair &operator=(const pair &__p) { first = __p.first; second = __p.second; return *this; }
    template <class __v, class __w, class = __cutune_yes<__is_assignable(__t &, const __v &) && __is_assignable(__u &, const __w &)>>
    __host__ __device__ constexpr pair &operator=(const pair<__v, __w> &__p) { first = __p.first; second = __p.second; return *this; }
    __host__ __device__ constexpr void swap(pair &__p) { std::swap(first, __p.first); std::swap(second, __p.second); }
};
template <class __t, class __u> pair(__t, __u) -> pair<__t, __u>;
template <class __t, class __u> __host__ __device__ constexpr void swap(pair<__t, __u> &__a, pair<__t, __u> &__b) { __a.swap(__b); }
/* Declared as the toolkit declares them. */
template <class...> struct tuple_size;
template <class __t, class __u> struct tuple_size<pair<__t, __u>> { static constexpr decltype(sizeof 0) value = 2; };
template <decltype(sizeof 0), class...> struct tuple_element;
template <class __t, class __u> struct tuple_element<0, pair<__t, __u>> { typedef __t type; };
template <class __t, class __u> struct tuple_element<1, pair<__t, __u>> { typedef __u type; };
template <decltype(sizeof 0) __n, class __p> using tuple_element_t = typename tuple_element<__n, __p>::type;
#define __CUTUNE_GET(__const, __type) \
    template <decltype(sizeof 0) __n, class __t, class __u> __host__ __device__ constexpr __const tuple_element_t<__n, pair<__t, __u>> __type get(__const pair<__t, __u> __type __p) noexcept \
    { if constexpr (__n == 0) return static_cast<__const __t __type>(__p.first); else return static_cast<__const __u __type>(__p.second); } \
    template <class __t, class __u> __host__ __device__ constexpr __const __t __type get(__const pair<__t, __u> __type __p) noexcept { return static_cast<__const __t __type>(__p.first); } \
    template <class __u, class __t> __host__ __device__ constexpr __const __u __type get(__const pair<__t, __u> __type __p) noexcept { return static_cast<__const __u __type>(__p.second); }
__CUTUNE_GET(, &) __CUTUNE_GET(const, &) __CUTUNE_GET(, &&)
#undef __CUTUNE_GET
template <class __t> struct __cutune_bare { typedef __t __type; };
template <class __t> struct __cutune_bare<__t &> : __cutune_bare<__t> {};
template <class __t> struct __cutune_bare<__t &&> : __cutune_bare<__t> {};
template <class __t> struct __cutune_bare<const __t> : __cutune_bare<__t> {};
template <class __t> struct __cutune_bare<volatile __t> : __cutune_bare<__t> {};
template <class __t> struct __cutune_bare<const volatile __t> : __cutune_bare<__t> {};
template <class __t, decltype(sizeof 0) __n> struct __cutune_bare<__t[__n]> { typedef __t *__type; };
template <class __t, decltype(sizeof 0) __n> struct __cutune_bare<const __t[__n]> { typedef const __t *__type; };
template <class __r, class... __a> struct __cutune_bare<__r(__a...)> { typedef __r (*__type)(__a...); };
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
