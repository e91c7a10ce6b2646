#ifndef CSUPPORT_VARIADIC_H
#define CSUPPORT_VARIADIC_H

#include <stdint.h>

// Calls of C functions `int f(void *handle, int option, ...)` found at run time. Swift cannot call a variadic function,
// and some processors pass its arguments in other places than those of an ordinary one.

typedef int (*cs_variadic_function)(void *, int, ...);

/// Passes a `long`.
static inline int cs_call_with_long(void *function, void *handle, int option, long value) {
    return ((cs_variadic_function)function)(handle, option, value);
}

/// Passes a 64-bit integer.
static inline int cs_call_with_int64(void *function, void *handle, int option, int64_t value) {
    return ((cs_variadic_function)function)(handle, option, value);
}

/// Passes a pointer, to data or to a function.
static inline int cs_call_with_pointer(void *function, void *handle, int option, const void *value) {
    return ((cs_variadic_function)function)(handle, option, value);
}

#endif
