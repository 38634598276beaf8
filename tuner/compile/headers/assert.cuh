/* <cassert> and <assert.h>: read again by each #include, because NDEBUG may have changed. */
#undef assert
#ifdef NDEBUG
#define assert(...) (static_cast<void>(0))
#else
#define assert(...) ((__VA_ARGS__) ? static_cast<void>(0) : __assertfail(#__VA_ARGS__, __FILE__, __LINE__, __PRETTY_FUNCTION__, sizeof(char)))
#endif
