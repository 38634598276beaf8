/* <type_traits>: the common ones. */
#ifndef __CUTUNE_TYPE_TRAITS
#define __CUTUNE_TYPE_TRAITS

namespace std {
using ::size_t;
template <class __t, __t __v> struct integral_constant {
    static constexpr __t value = __v;
    typedef __t value_type;
    typedef integral_constant type;
    __host__ __device__ constexpr operator value_type() const noexcept { return __v; }
    __host__ __device__ constexpr value_type operator()() const noexcept { return __v; }
};
template <bool __v> using bool_constant = integral_constant<bool, __v>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;
template <class...> using void_t = void;

template <bool __v, class __t = void> struct enable_if {};
template <class __t> struct enable_if<true, __t> { typedef __t type; };
template <bool __v, class __t, class __u> struct conditional { typedef __t type; };
template <class __t, class __u> struct conditional<false, __t, __u> { typedef __u type; };
template <class __t> struct remove_const { typedef __t type; };
template <class __t> struct remove_const<const __t> { typedef __t type; };
template <class __t> struct remove_volatile { typedef __t type; };
template <class __t> struct remove_volatile<volatile __t> { typedef __t type; };
template <class __t> struct remove_cv { typedef typename remove_const<typename remove_volatile<__t>::type>::type type; };
template <class __t> struct remove_reference { typedef __t type; };
template <class __t> struct remove_reference<__t &> { typedef __t type; };
template <class __t> struct remove_reference<__t &&> { typedef __t type; };
template <class __t> struct remove_cvref { typedef typename remove_cv<typename remove_reference<__t>::type>::type type; };
template <class __t> struct remove_pointer { typedef __t type; };
template <class __t> struct remove_pointer<__t *> { typedef __t type; };
template <class __t> struct remove_pointer<__t *const> { typedef __t type; };
template <class __t> struct remove_pointer<__t *volatile> { typedef __t type; };
template <class __t> struct remove_pointer<__t *const volatile> { typedef __t type; };
template <class __t> struct remove_all_extents { typedef __t type; };
template <class __t> struct remove_all_extents<__t[]> : remove_all_extents<__t> {};
template <class __t, decltype(sizeof 0) __n> struct remove_all_extents<__t[__n]> : remove_all_extents<__t> {};
template <class __t> struct remove_extent { typedef __t type; };
template <class __t> struct remove_extent<__t[]> { typedef __t type; };
template <class __t, decltype(sizeof 0) __n> struct remove_extent<__t[__n]> { typedef __t type; };
template <class __t> struct add_const { typedef const __t type; };
template <class __t> struct add_volatile { typedef volatile __t type; };
template <class __t> struct add_cv { typedef const volatile __t type; };
template <class __t> struct type_identity { typedef __t type; };

template <class __t> struct __cutune_unbounded { static constexpr bool value = false; };
template <class __t> struct __cutune_unbounded<__t[]> { static constexpr bool value = true; };

/* Types that cannot be referenced or pointed to stay unchanged. */
template <class __t> __host__ __device__ type_identity<__t &> __cutune_lvalue(int);
template <class __t> __host__ __device__ type_identity<__t> __cutune_lvalue(...);
template <class __t> __host__ __device__ type_identity<__t &&> __cutune_rvalue(int);
template <class __t> __host__ __device__ type_identity<__t> __cutune_rvalue(...);
template <class __t> struct add_lvalue_reference { typedef typename decltype(__cutune_lvalue<__t>(0))::type type; };
template <class __t> struct add_rvalue_reference { typedef typename decltype(__cutune_rvalue<__t>(0))::type type; };
template <class __t> __host__ __device__ type_identity<typename remove_reference<__t>::type *> __cutune_pointer_to(int);
template <class __t> __host__ __device__ type_identity<__t> __cutune_pointer_to(...);
template <class __t> struct add_pointer { typedef typename decltype(__cutune_pointer_to<__t>(0))::type type; };
template <class __t> __host__ __device__ typename add_rvalue_reference<__t>::type declval() noexcept;

template <class __t, class = decltype(declval<__t &>().~__t())> __host__ __device__ true_type __cutune_destroy(int);
template <class __t> __host__ __device__ false_type __cutune_destroy(...);
template <class __t> struct __cutune_destructible : decltype(__cutune_destroy<__t>(0)) {};
template <class __t> struct __cutune_safe : bool_constant<noexcept(declval<__t &>().~__t())> {};

template <class __t, class __u> struct is_same : false_type {};
template <class __t> struct is_same<__t, __t> : true_type {};
template <class __t> struct is_const : false_type {};
template <class __t> struct is_const<const __t> : true_type {};
template <class __t> struct is_volatile : false_type {};
template <class __t> struct is_volatile<volatile __t> : true_type {};
template <class __t> struct is_lvalue_reference : false_type {};
template <class __t> struct is_lvalue_reference<__t &> : true_type {};
template <class __t> struct is_rvalue_reference : false_type {};
template <class __t> struct is_rvalue_reference<__t &&> : true_type {};
template <class __t> struct is_reference : bool_constant<is_lvalue_reference<__t>::value || is_rvalue_reference<__t>::value> {};
template <class __t> struct is_array : false_type {};
template <class __t> struct is_array<__t[]> : true_type {};
template <class __t, decltype(sizeof 0) __n> struct is_array<__t[__n]> : true_type {};
template <class __t> struct is_function : bool_constant<!is_const<const __t>::value && !is_reference<__t>::value> {};
template <class __t> struct __cutune_pointer : false_type {};
template <class __t> struct __cutune_pointer<__t *> : true_type {};
template <class __t> struct is_pointer : __cutune_pointer<typename remove_cv<__t>::type> {};
template <class __t> struct is_void : is_same<void, typename remove_cv<__t>::type> {};
template <class __t> struct is_null_pointer : is_same<decltype(nullptr), typename remove_cv<__t>::type> {};

template <class __t, class... __u> struct __cutune_one_of : bool_constant<(is_same<__t, __u>::value || ...)> {};
template <class __t> struct is_integral : __cutune_one_of<typename remove_cv<__t>::type, bool, char, signed char, unsigned char, wchar_t, char16_t, char32_t,
                                                          short, unsigned short, int, unsigned int, long, unsigned long, long long, unsigned long long> {};
template <class __t> struct is_floating_point : __cutune_one_of<typename remove_cv<__t>::type, float, double, long double> {};
template <class __t> struct is_arithmetic : bool_constant<is_integral<__t>::value || is_floating_point<__t>::value> {};
template <class __t, bool = is_arithmetic<__t>::value> struct is_signed : bool_constant<(__t(-1) < __t(0))> {};
template <class __t> struct is_signed<__t, false> : false_type {};
template <class __t> struct is_unsigned : bool_constant<is_arithmetic<__t>::value && !is_signed<__t>::value> {};
template <class __t> struct is_fundamental : bool_constant<is_arithmetic<__t>::value || is_void<__t>::value || is_null_pointer<__t>::value> {};
template <class __t> struct is_enum : bool_constant<__is_enum(__t)> {};
template <class __t> struct is_class : bool_constant<__is_class(__t)> {};
template <class __t> struct is_union : bool_constant<__is_union(__t)> {};
template <class __t> struct is_empty : bool_constant<__is_empty(__t)> {};
template <class __t> struct is_final : bool_constant<__is_final(__t)> {};
template <class __t> struct is_trivial : bool_constant<__is_trivial(__t)> {};
template <class __t> struct is_trivially_copyable : bool_constant<__is_trivially_copyable(__t)> {};
template <class __t> struct is_standard_layout : bool_constant<__is_standard_layout(__t)> {};
template <class __t> struct __cutune_member : false_type {};
template <class __t, class __c> struct __cutune_member<__t __c::*> : true_type {};
template <class __t> struct is_member_pointer : __cutune_member<typename remove_cv<__t>::type> {};
template <class __t> struct __cutune_method : false_type {};
template <class __t, class __c> struct __cutune_method<__t __c::*> : bool_constant<is_function<__t>::value> {};
template <class __t> struct is_member_function_pointer : __cutune_method<typename remove_cv<__t>::type> {};
template <class __t> struct is_member_object_pointer : bool_constant<is_member_pointer<__t>::value && !is_member_function_pointer<__t>::value> {};
template <class __t> struct is_scalar : bool_constant<is_arithmetic<__t>::value || is_enum<__t>::value || is_pointer<__t>::value || is_null_pointer<__t>::value ||
                                                      is_member_pointer<__t>::value> {};
template <class __t> struct is_object : bool_constant<!is_function<__t>::value && !is_reference<__t>::value && !is_void<__t>::value> {};
template <class __t> struct is_compound : bool_constant<!is_fundamental<__t>::value> {};
template <class __t> struct is_pod : bool_constant<__is_pod(__t)> {};
template <class __t> struct is_polymorphic : bool_constant<__is_polymorphic(__t)> {};
template <class __t> struct is_abstract : bool_constant<__is_abstract(__t)> {};
template <class __t> struct is_aggregate : bool_constant<__is_aggregate(typename remove_cv<__t>::type)> {};
template <class __t> struct has_virtual_destructor : bool_constant<__has_virtual_destructor(__t)> {};
template <class __t> struct has_unique_object_representations : bool_constant<__has_unique_object_representations(typename remove_cv<typename remove_all_extents<__t>::type>::type)> {};
template <class __t, class __u> struct is_base_of : bool_constant<__is_base_of(__t, __u)> {};
/* The compiler would convert functions to pointers to void. */
template <class __t> struct __cutune_function : is_function<__t> {};
template <class __t> struct __cutune_function<__t *> : is_function<__t> {};
template <class __t> struct __cutune_void : false_type {};
template <class __t> struct __cutune_void<__t *> : is_void<__t> {};
template <class __t, class __u> struct __cutune_code : bool_constant<__cutune_void<typename remove_cv<__u>::type>::value &&
    __cutune_function<typename remove_cv<typename remove_reference<__t>::type>::type>::value> {};
template <class __t, class __u> struct is_convertible : bool_constant<__is_convertible_to(__t, __u) && !__cutune_code<__t, __u>::value> {};
template <class __t, class __u> struct is_assignable : bool_constant<__is_assignable(__t, __u)> {};
template <class __t, class __u> struct is_nothrow_assignable : bool_constant<__is_nothrow_assignable(__t, __u)> {};
template <class __t, class __u> struct is_trivially_assignable : bool_constant<__is_trivially_assignable(__t, __u)> {};
template <class __t, class... __u> struct is_constructible : bool_constant<__is_constructible(__t, __u...)> {};
template <class __t, class... __u> struct is_nothrow_constructible : bool_constant<__is_nothrow_constructible(__t, __u...)> {};
template <class __t, class... __u> struct is_trivially_constructible : bool_constant<__is_trivially_constructible(__t, __u...)> {};
#define __CUTUNE_WAYS(__how) \
    template <class __t> struct is##__how##default_constructible : is##__how##constructible<__t> {}; \
    template <class __t> struct is##__how##copy_constructible : is##__how##constructible<__t, typename add_lvalue_reference<const __t>::type> {}; \
    template <class __t> struct is##__how##move_constructible : is##__how##constructible<__t, typename add_rvalue_reference<__t>::type> {}; \
    template <class __t> struct is##__how##copy_assignable : is##__how##assignable<typename add_lvalue_reference<__t>::type, typename add_lvalue_reference<const __t>::type> {}; \
    template <class __t> struct is##__how##move_assignable : is##__how##assignable<typename add_lvalue_reference<__t>::type, typename add_rvalue_reference<__t>::type> {};
__CUTUNE_WAYS(_) __CUTUNE_WAYS(_nothrow_) __CUTUNE_WAYS(_trivially_)
#undef __CUTUNE_WAYS
template <class __t, bool = is_object<__t>::value && !__cutune_unbounded<__t>::value> struct is_destructible
    : __cutune_destructible<typename remove_all_extents<__t>::type> {};
template <class __t> struct is_destructible<__t, false> : is_reference<__t> {};
template <class __t, bool = is_destructible<__t>::value> struct is_nothrow_destructible : is_reference<__t> {};
template <class __t> struct is_nothrow_destructible<__t, true> : __cutune_safe<typename remove_all_extents<__t>::type> {};
template <class __t> struct is_nothrow_destructible<__t &, true> : true_type {};
template <class __t> struct is_nothrow_destructible<__t &&, true> : true_type {};
template <class __t> struct is_trivially_destructible : bool_constant<is_destructible<__t>::value && (is_reference<__t>::value || __has_trivial_destructor(__t))> {};
template <class __t, unsigned int __i = 0> struct extent : integral_constant<decltype(sizeof 0), 0> {};
template <class __t, decltype(sizeof 0) __n> struct extent<__t[__n], 0> : integral_constant<decltype(sizeof 0), __n> {};
template <class __t, decltype(sizeof 0) __n, unsigned int __i> struct extent<__t[__n], __i> : extent<__t, __i - 1> {};
template <class __t> struct extent<__t[], 0> : integral_constant<decltype(sizeof 0), 0> {};
template <class __t, unsigned int __i> struct extent<__t[], __i> : extent<__t, __i - 1> {};
template <class __t> struct rank : integral_constant<decltype(sizeof 0), 0> {};
template <class __t> struct rank<__t[]> : integral_constant<decltype(sizeof 0), rank<__t>::value + 1> {};
template <class __t, decltype(sizeof 0) __n> struct rank<__t[__n]> : integral_constant<decltype(sizeof 0), rank<__t>::value + 1> {};
template <class __t> struct alignment_of : integral_constant<decltype(sizeof 0), alignof(__t)> {};
template <class...> struct conjunction : true_type {};
template <class __t> struct conjunction<__t> : __t {};
template <class __t, class __u, class... __v> struct conjunction<__t, __u, __v...> : conditional<bool(__t::value), conjunction<__u, __v...>, __t>::type {};
template <class...> struct disjunction : false_type {};
template <class __t> struct disjunction<__t> : __t {};
template <class __t, class __u, class... __v> struct disjunction<__t, __u, __v...> : conditional<bool(__t::value), __t, disjunction<__u, __v...>>::type {};
template <class __t> struct negation : bool_constant<!bool(__t::value)> {};

template <class __t> struct decay {
    typedef typename remove_reference<__t>::type __bare;
    typedef typename conditional<is_array<__bare>::value, add_pointer<typename remove_extent<__bare>::type>,
        typename conditional<is_function<__bare>::value, add_pointer<__bare>, remove_cv<__bare>>::type>::type::type type;
};
template <class __t> struct underlying_type { typedef __underlying_type(__t) type; };

/* The result type of a call, or of an access by a pointer to a member. */
struct __cutune_no_call {};
template <class __f, class... __a> __host__ __device__ type_identity<decltype(declval<__f>()(declval<__a>()...))> __cutune_call(int);
template <class __f, class __c, class... __a> __host__ __device__ type_identity<decltype((declval<__c>().*declval<__f>())(declval<__a>()...))> __cutune_call(int);
template <class __f, class __c, class... __a> __host__ __device__ type_identity<decltype(((*declval<__c>()).*declval<__f>())(declval<__a>()...))> __cutune_call(int);
template <class __f, class __c> __host__ __device__ typename enable_if<is_member_object_pointer<typename remove_reference<__f>::type>::value, type_identity<decltype(declval<__c>().*declval<__f>())>>::type __cutune_call(int);
template <class __f, class __c> __host__ __device__ typename enable_if<is_member_object_pointer<typename remove_reference<__f>::type>::value, type_identity<decltype((*declval<__c>()).*declval<__f>())>>::type __cutune_call(int);
template <class...> __host__ __device__ __cutune_no_call __cutune_call(...);
template <class __f, class... __a> struct invoke_result : decltype(__cutune_call<__f, __a...>(0)) {};
template <class __f, class... __a> struct is_invocable : bool_constant<!is_same<decltype(__cutune_call<__f, __a...>(0)), __cutune_no_call>::value> {};
template <class __r, class __call> struct __cutune_gives : bool_constant<is_void<__r>::value || is_convertible<typename __call::type, __r>::value> {};
template <class __r> struct __cutune_gives<__r, __cutune_no_call> : false_type {};
template <class __r, class __f, class... __a> struct is_invocable_r : __cutune_gives<__r, decltype(__cutune_call<__f, __a...>(0))> {};

/* Integers by size, for types without a counterpart of their own and for enumerations. */
template <int __n> struct __cutune_sized;
template <> struct __cutune_sized<1> { typedef signed char __signed; typedef unsigned char __unsigned; };
template <> struct __cutune_sized<2> { typedef short __signed; typedef unsigned short __unsigned; };
template <> struct __cutune_sized<4> { typedef int __signed; typedef unsigned int __unsigned; };
template <> struct __cutune_sized<8> { typedef long __signed; typedef unsigned long __unsigned; };
template <class __t> struct __cutune_signs : __cutune_sized<sizeof(__t)> {};
template <class __from, class __t> struct __cutune_same_cv { typedef __t type; };
template <class __from, class __t> struct __cutune_same_cv<const __from, __t> { typedef const __t type; };
template <class __from, class __t> struct __cutune_same_cv<volatile __from, __t> { typedef volatile __t type; };
template <class __from, class __t> struct __cutune_same_cv<const volatile __from, __t> { typedef const volatile __t type; };
template <class __t, bool = (is_integral<__t>::value || is_enum<__t>::value) && !is_same<typename remove_cv<__t>::type, bool>::value> struct make_unsigned;
template <class __t, bool = (is_integral<__t>::value || is_enum<__t>::value) && !is_same<typename remove_cv<__t>::type, bool>::value> struct make_signed;
template <class __t> struct make_unsigned<__t, true> : __cutune_same_cv<__t, typename __cutune_signs<typename remove_cv<__t>::type>::__unsigned> {};
template <class __t> struct make_signed<__t, true> : __cutune_same_cv<__t, typename __cutune_signs<typename remove_cv<__t>::type>::__signed> {};
template <> struct __cutune_signs<long long> { typedef long long __signed; typedef unsigned long long __unsigned; };
template <> struct __cutune_signs<unsigned long long> : __cutune_signs<long long> {};

template <class...> struct common_type {};
template <class __t> struct common_type<__t> : decay<__t> {};
template <class __t, class __u> __host__ __device__ decay<decltype(true ? declval<__t>() : declval<__u>())> __cutune_common(int);
template <class __t, class __u> __host__ __device__ __cutune_no_call __cutune_common(...);
template <class __t, class __u> struct common_type<__t, __u> : decltype(__cutune_common<__t, __u>(0)) {};
template <class __t, class __u, class... __v> struct common_type<__t, __u, __v...> : common_type<typename common_type<__t, __u>::type, __v...> {};

template <bool __v, class __t = void> using enable_if_t = typename enable_if<__v, __t>::type;
template <bool __v, class __t, class __u> using conditional_t = typename conditional<__v, __t, __u>::type;
template <class... __t> using common_type_t = typename common_type<__t...>::type;
template <class __f, class... __a> using invoke_result_t = typename invoke_result<__f, __a...>::type;
#define __CUTUNE_TYPE(__name) template <class __t> using __name##_t = typename __name<__t>::type;
__CUTUNE_TYPE(remove_const) __CUTUNE_TYPE(remove_volatile) __CUTUNE_TYPE(remove_cv) __CUTUNE_TYPE(remove_reference)
__CUTUNE_TYPE(remove_cvref) __CUTUNE_TYPE(remove_pointer) __CUTUNE_TYPE(remove_extent) __CUTUNE_TYPE(add_const)
__CUTUNE_TYPE(add_volatile) __CUTUNE_TYPE(add_cv) __CUTUNE_TYPE(add_lvalue_reference) __CUTUNE_TYPE(add_rvalue_reference)
__CUTUNE_TYPE(add_pointer) __CUTUNE_TYPE(remove_all_extents) __CUTUNE_TYPE(type_identity) __CUTUNE_TYPE(decay) __CUTUNE_TYPE(underlying_type)
__CUTUNE_TYPE(make_unsigned) __CUTUNE_TYPE(make_signed)
#undef __CUTUNE_TYPE
#define __CUTUNE_VALUE(__name) template <class __t> inline constexpr bool __name##_v = __name<__t>::value;
__CUTUNE_VALUE(is_const) __CUTUNE_VALUE(is_volatile) __CUTUNE_VALUE(is_lvalue_reference) __CUTUNE_VALUE(is_rvalue_reference)
__CUTUNE_VALUE(is_reference) __CUTUNE_VALUE(is_array) __CUTUNE_VALUE(is_function) __CUTUNE_VALUE(is_pointer)
__CUTUNE_VALUE(is_void) __CUTUNE_VALUE(is_null_pointer) __CUTUNE_VALUE(is_integral) __CUTUNE_VALUE(is_floating_point)
__CUTUNE_VALUE(is_arithmetic) __CUTUNE_VALUE(is_signed) __CUTUNE_VALUE(is_unsigned) __CUTUNE_VALUE(is_fundamental)
__CUTUNE_VALUE(is_enum) __CUTUNE_VALUE(is_class) __CUTUNE_VALUE(is_union) __CUTUNE_VALUE(is_empty) __CUTUNE_VALUE(is_final)
__CUTUNE_VALUE(is_trivial) __CUTUNE_VALUE(is_trivially_copyable) __CUTUNE_VALUE(is_standard_layout) __CUTUNE_VALUE(is_scalar)
__CUTUNE_VALUE(is_default_constructible) __CUTUNE_VALUE(negation)
__CUTUNE_VALUE(is_object) __CUTUNE_VALUE(is_compound) __CUTUNE_VALUE(is_member_pointer) __CUTUNE_VALUE(is_member_object_pointer)
__CUTUNE_VALUE(is_member_function_pointer) __CUTUNE_VALUE(is_pod) __CUTUNE_VALUE(is_polymorphic) __CUTUNE_VALUE(is_abstract)
__CUTUNE_VALUE(is_aggregate) __CUTUNE_VALUE(has_virtual_destructor) __CUTUNE_VALUE(has_unique_object_representations)
__CUTUNE_VALUE(is_copy_constructible) __CUTUNE_VALUE(is_move_constructible) __CUTUNE_VALUE(is_copy_assignable) __CUTUNE_VALUE(is_move_assignable)
__CUTUNE_VALUE(is_destructible) __CUTUNE_VALUE(is_trivially_default_constructible) __CUTUNE_VALUE(is_trivially_copy_constructible)
__CUTUNE_VALUE(is_trivially_move_constructible) __CUTUNE_VALUE(is_trivially_copy_assignable) __CUTUNE_VALUE(is_trivially_move_assignable)
__CUTUNE_VALUE(is_trivially_destructible) __CUTUNE_VALUE(is_nothrow_default_constructible) __CUTUNE_VALUE(is_nothrow_copy_constructible)
__CUTUNE_VALUE(is_nothrow_move_constructible) __CUTUNE_VALUE(is_nothrow_copy_assignable) __CUTUNE_VALUE(is_nothrow_move_assignable)
__CUTUNE_VALUE(is_nothrow_destructible)
#undef __CUTUNE_VALUE
template <class __t, class __u> inline constexpr bool is_same_v = is_same<__t, __u>::value;
template <class __t, class __u> inline constexpr bool is_base_of_v = is_base_of<__t, __u>::value;
template <class __t, class __u> inline constexpr bool is_convertible_v = is_convertible<__t, __u>::value;
template <class __t, class __u> inline constexpr bool is_assignable_v = is_assignable<__t, __u>::value;
template <class __t, class... __u> inline constexpr bool is_constructible_v = is_constructible<__t, __u...>::value;
template <class __t, class __u> inline constexpr bool is_nothrow_assignable_v = is_nothrow_assignable<__t, __u>::value;
template <class __t, class __u> inline constexpr bool is_trivially_assignable_v = is_trivially_assignable<__t, __u>::value;
template <class __t, class... __u> inline constexpr bool is_nothrow_constructible_v = is_nothrow_constructible<__t, __u...>::value;
template <class __t, class... __u> inline constexpr bool is_trivially_constructible_v = is_trivially_constructible<__t, __u...>::value;
template <class __f, class... __a> inline constexpr bool is_invocable_v = is_invocable<__f, __a...>::value;
template <class __r, class __f, class... __a> inline constexpr bool is_invocable_r_v = is_invocable_r<__r, __f, __a...>::value;
template <class __t, unsigned int __i = 0> inline constexpr decltype(sizeof 0) extent_v = extent<__t, __i>::value;
template <class... __t> inline constexpr bool conjunction_v = conjunction<__t...>::value;
template <class... __t> inline constexpr bool disjunction_v = disjunction<__t...>::value;
template <class __t> inline constexpr decltype(sizeof 0) rank_v = rank<__t>::value;
template <class __t> inline constexpr decltype(sizeof 0) alignment_of_v = alignment_of<__t>::value;
}

#endif
