/* <cutune/arguments>: appended to a source by `cutune check --compile` to compare the arguments of a launch with the
 * kernel's parameters. All names begin with cutune_, because any other may be a macro. */
#ifndef __CUTUNE_ARGUMENTS
#define __CUTUNE_ARGUMENTS

struct __half;
struct __half2;
struct __nv_bfloat16;
struct __nv_bfloat162;

/* The parts of a type: components of `cutune_bytes` and a family: 'i' signed, 'u' unsigned, 'f' floating point, 'h'
 * half, 'b' bfloat16, 'p' pointer, 'c' a class of unknown content. */
template <class cutune_type, bool cutune_enum = __is_enum(cutune_type)> struct cutune_kind {
    enum { cutune_family = 'c', cutune_bytes = 0, cutune_components = 1 };
};
template <class cutune_type> struct cutune_kind<cutune_type, true> {
    enum { cutune_family = 'u', cutune_bytes = sizeof(cutune_type), cutune_components = 1 };
};
template <class cutune_type> struct cutune_kind<cutune_type *, false> {
    enum { cutune_family = 'p', cutune_bytes = sizeof(cutune_type *), cutune_components = 1 };
};
#define CUTUNE_KIND(cutune_type, cutune_is, cutune_size, cutune_count)                                                 \
    template <> struct cutune_kind<cutune_type, false> {                                                               \
        enum { cutune_family = cutune_is, cutune_bytes = cutune_size, cutune_components = cutune_count };              \
    };
#define CUTUNE_VECTORS(cutune_type, cutune_is, cutune_size)                                                            \
    CUTUNE_KIND(cutune_type##1, cutune_is, cutune_size, 1)                                                             \
    CUTUNE_KIND(cutune_type##2, cutune_is, cutune_size, 2)                                                             \
    CUTUNE_KIND(cutune_type##3, cutune_is, cutune_size, 3)
#define CUTUNE_VECTORS_4(cutune_type, cutune_is, cutune_size)                                                          \
    CUTUNE_VECTORS(cutune_type, cutune_is, cutune_size)                                                                \
    CUTUNE_KIND(cutune_type##4, cutune_is, cutune_size, 4)
CUTUNE_KIND(bool, 'u', 1, 1)
CUTUNE_KIND(char, 'i', 1, 1)
CUTUNE_KIND(signed char, 'i', 1, 1)
CUTUNE_KIND(unsigned char, 'u', 1, 1)
CUTUNE_KIND(short, 'i', 2, 1)
CUTUNE_KIND(unsigned short, 'u', 2, 1)
CUTUNE_KIND(int, 'i', 4, 1)
CUTUNE_KIND(unsigned int, 'u', 4, 1)
CUTUNE_KIND(long, 'i', 8, 1)
CUTUNE_KIND(unsigned long, 'u', 8, 1)
CUTUNE_KIND(long long, 'i', 8, 1)
CUTUNE_KIND(unsigned long long, 'u', 8, 1)
CUTUNE_KIND(float, 'f', 4, 1)
CUTUNE_KIND(double, 'f', 8, 1)
CUTUNE_KIND(__half, 'h', 2, 1)
CUTUNE_KIND(__half2, 'h', 2, 2)
CUTUNE_KIND(__nv_bfloat16, 'b', 2, 1)
CUTUNE_KIND(__nv_bfloat162, 'b', 2, 2)
CUTUNE_VECTORS_4(char, 'i', 1)
CUTUNE_VECTORS_4(uchar, 'u', 1)
CUTUNE_VECTORS_4(short, 'i', 2)
CUTUNE_VECTORS_4(ushort, 'u', 2)
CUTUNE_VECTORS_4(int, 'i', 4)
CUTUNE_VECTORS_4(uint, 'u', 4)
CUTUNE_VECTORS_4(float, 'f', 4)
CUTUNE_VECTORS(long, 'i', 8)
CUTUNE_VECTORS(ulong, 'u', 8)
CUTUNE_VECTORS(longlong, 'i', 8)
CUTUNE_VECTORS(ulonglong, 'u', 8)
CUTUNE_VECTORS(double, 'f', 8)

template <class cutune_type> struct cutune_plain {
    typedef cutune_type cutune_is;
};
template <class cutune_type> struct cutune_plain<const cutune_type> {
    typedef cutune_type cutune_is;
};
template <class cutune_type> struct cutune_plain<volatile cutune_type> {
    typedef cutune_type cutune_is;
};
template <class cutune_type> struct cutune_plain<const volatile cutune_type> {
    typedef cutune_type cutune_is;
};

__device__ constexpr bool cutune_integer(int cutune_family)
{
    return cutune_family == 'i' || cutune_family == 'u' || cutune_family == 'p';
}

/* True if numbers of one family and size serve as those of the other. Unsigned integers serve as the bits of any. */
__device__ constexpr bool cutune_same(int cutune_family, int cutune_bytes, int cutune_other, int cutune_other_bytes)
{
    return cutune_bytes == cutune_other_bytes &&
           (cutune_family == cutune_other || cutune_family == 'u' || cutune_other == 'u' ||
            (cutune_integer(cutune_family) && cutune_integer(cutune_other)));
}

/* True if a pointer to the type may point to elements whose components have this family and size. Bytes, classes,
 * words of 16 bytes, and unsigned words over smaller floating-point numbers may hold anything. */
template <class cutune_type> __device__ constexpr bool cutune_stream_gates(int cutune_family, int cutune_bytes)
{
    typedef cutune_kind<cutune_type> cutune_of;
    return cutune_of::cutune_family == 'c' || (cutune_of::cutune_bytes == 1 && cutune_of::cutune_components == 1) ||
           cutune_of::cutune_bytes * cutune_of::cutune_components == 16 ||
           cutune_same(cutune_of::cutune_family, cutune_of::cutune_bytes, cutune_family, cutune_bytes) ||
           (cutune_of::cutune_family == 'u' && !cutune_integer(cutune_family) &&
            (int)cutune_of::cutune_bytes > cutune_bytes);
}

/* True if a parameter takes an argument. Addresses: 'a' of such elements, 'o' of anything, 'n' the null pointer.
 * Values: 'v' with these components, 's' a struct of this size, 'i' an integer of 4 or 8 bytes, 't' a texture or a surface. */
template <class cutune_type, bool cutune_class = __is_class(cutune_type) || __is_union(cutune_type)>
struct cutune_takes {
    static __device__ constexpr bool cutune_it(int cutune_given, int cutune_family, int cutune_bytes, int)
    {
        typedef cutune_kind<cutune_type> cutune_of;
        return cutune_given == 'v' ? cutune_same(cutune_of::cutune_family, cutune_of::cutune_bytes, cutune_family,
                                                 cutune_bytes)
               : cutune_given == 's' ? (int)sizeof(cutune_type) == cutune_bytes
               : cutune_given == 'i' ? cutune_integer(cutune_of::cutune_family) && cutune_of::cutune_bytes >= 4
                                     : cutune_of::cutune_family == 'u' && cutune_of::cutune_bytes == 8;
    }
};
template <class cutune_type> struct cutune_takes<cutune_type *, false> {
    static __device__ constexpr bool cutune_it(int cutune_given, int cutune_family, int cutune_bytes, int)
    {
        return cutune_given == 'a'
                   ? cutune_stream_gates<typename cutune_plain<cutune_type>::cutune_is>(cutune_family, cutune_bytes)
                   : cutune_given == 'o' || cutune_given == 'n' || (cutune_given == 's' && cutune_bytes == 8);
    }
};
template <class cutune_type> struct cutune_takes<cutune_type, true> {
    static __device__ constexpr bool cutune_it(int cutune_given, int cutune_family, int cutune_bytes, int cutune_count)
    {
        typedef cutune_kind<cutune_type> cutune_of;
        return cutune_given == 'v' || cutune_given == 's'
                   ? (int)sizeof(cutune_type) == cutune_bytes * cutune_count &&
                         (cutune_given == 's' || cutune_of::cutune_family == 'c' ||
                          cutune_same(cutune_of::cutune_family, cutune_of::cutune_bytes, cutune_family, cutune_bytes))
                   : sizeof(cutune_type) == 8;
    }
};

template <class... cutune_types> struct cutune_list {};
template <class... cutune_types> __device__ cutune_list<cutune_types...> cutune_parameters(void (*)(cutune_types...));

/* The type of a parameter; a list if its number is too large. */
template <int cutune_number, class cutune_types> struct cutune_at {
    typedef cutune_list<> cutune_is;
};
template <class cutune_first, class... cutune_rest> struct cutune_at<0, cutune_list<cutune_first, cutune_rest...>> {
    typedef cutune_first cutune_is;
};
template <int cutune_number, class cutune_first, class... cutune_rest>
struct cutune_at<cutune_number, cutune_list<cutune_first, cutune_rest...>>
    : cutune_at<cutune_number - 1, cutune_list<cutune_rest...>> {};

/* The compiler's message names the values of these parameters; evaluate/argument_types.c reads them. */
template <int cutune_step, int cutune_given, class cutune_types> struct cutune_count;
template <int cutune_step, int cutune_given, class... cutune_types>
struct cutune_count<cutune_step, cutune_given, cutune_list<cutune_types...>> {
    static_assert(cutune_given == sizeof...(cutune_types), "cutune count");
};
template <int cutune_step, int cutune_number, int cutune_given, int cutune_family, int cutune_bytes, int cutune_count,
          class cutune_parameter>
struct cutune_argument {
    static_assert(cutune_takes<cutune_parameter>::cutune_it(cutune_given, cutune_family, cutune_bytes, cutune_count),
                  "cutune argument");
};
template <int cutune_step, int cutune_number, int cutune_given, int cutune_family, int cutune_bytes, int cutune_count>
struct cutune_argument<cutune_step, cutune_number, cutune_given, cutune_family, cutune_bytes, cutune_count,
                       cutune_list<>> {};

/* Questions about types: the message names the values of the parameters of cutune_named; evaluate/argument_questions.c
 * reads them. Parts as in cutune_kind are those of the type, or of the pointed one, whatever name a `typedef` gives it. */
template <class cutune_type> struct cutune_pointed {
    typedef cutune_type cutune_is;
    enum { cutune_points = 0 };
};
template <class cutune_type> struct cutune_pointed<cutune_type *> {
    typedef cutune_type cutune_is;
    enum { cutune_points = 1 };
};
template <class cutune_type> struct cutune_pointed<const cutune_type *> {
    typedef cutune_type cutune_is;
    enum { cutune_points = 2 };
};
template <int cutune_number, int cutune_points, int cutune_family, int cutune_element, int cutune_count, int cutune_bytes,
          class cutune_parameter>
struct cutune_named {
    static_assert(cutune_number < 0, "cutune named");
};
template <int cutune_number, class cutune_parameter, int cutune_bytes>
struct cutune_asked
    : cutune_named<
          cutune_number, cutune_pointed<cutune_parameter>::cutune_points,
          cutune_kind<typename cutune_plain<typename cutune_pointed<cutune_parameter>::cutune_is>::cutune_is>::cutune_family,
          cutune_kind<typename cutune_plain<typename cutune_pointed<cutune_parameter>::cutune_is>::cutune_is>::cutune_bytes,
          cutune_kind<
              typename cutune_plain<typename cutune_pointed<cutune_parameter>::cutune_is>::cutune_is>::cutune_components,
          cutune_bytes, cutune_parameter> {};
template <int cutune_number, int cutune_bytes> struct cutune_asked<cutune_number, cutune_list<>, cutune_bytes> {};

#endif
