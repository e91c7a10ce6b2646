// memmove and memcpy in the place of the C library's, in whatever links this: they count what they copy. Elsewhere than
// on Linux, and under a sanitizer, which has its own, nothing is counted.
#include "CountedCopies.h"

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

#if defined(__linux__) && defined(__x86_64__) && !defined(IS_SANITIZED)
static uint64_t copied;

uint64_t counted_copies(void) { return copied; }

// In assembly, since the compiler makes a call of memmove from a loop.
static void *copy(void *to, const void *from, size_t count) {
    void *result = to;
    copied += count;
    if ((uintptr_t)to - (uintptr_t)from >= count) {
        __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
    } else {
        to = (char *)to + count - 1;
        from = (const char *)from + count - 1;
        __asm__ volatile("std; rep movsb; cld" : "+D"(to), "+S"(from), "+c"(count) : : "memory", "cc");
    }
    return result;
}

void *memmove(void *to, const void *from, size_t count) { return copy(to, from, count); }

void *memcpy(void *to, const void *from, size_t count) { return copy(to, from, count); }
#else
uint64_t counted_copies(void) { return 0; }
#endif
