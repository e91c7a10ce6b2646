// Replaces malloc and its family, and counts the calls.
//
// This can't be Swift, which reserves the name malloc for its runtime, nor part of CSupport, which applications link.
// It must not allocate or wait: malloc is called before main and from everywhere.

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "AllocationCounter.h"

// The compiler defines a feature for its own sanitizers; one that is only linked needs NO_ALLOCATION_COUNTER.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define NO_ALLOCATION_COUNTER 1
#endif
#endif

#if defined(__linux__)
#include <features.h>
#endif

#if defined(__GLIBC__) && !defined(NO_ALLOCATION_COUNTER)

#include <dlfcn.h>
#include <errno.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>

enum { shared_line = 63, line_count = 64 };

// Each of the first 63 threads has its own line, which no other thread writes; later threads share the last one.
static struct {
    alignas(64) _Atomic uint64_t count;
    _Atomic uint64_t bytes;
} lines[line_count];

static _Atomic unsigned threads_seen;

// The thread's line plus one; 0 before its first allocation.
static _Thread_local unsigned own_line;

static unsigned claim_line(void) {
    unsigned number = atomic_fetch_add_explicit(&threads_seen, 1, memory_order_relaxed);
    own_line = (number < shared_line ? number : shared_line) + 1;
    return own_line;
}

static inline void count_allocation(size_t bytes) {
    unsigned line = (own_line ? own_line : claim_line()) - 1;
    if (line == shared_line) {
        atomic_fetch_add_explicit(&lines[line].count, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&lines[line].bytes, bytes, memory_order_relaxed);
        return;
    }
    // No other thread writes this line, so no locked instruction is needed.
    uint64_t count = atomic_load_explicit(&lines[line].count, memory_order_relaxed);
    uint64_t total = atomic_load_explicit(&lines[line].bytes, memory_order_relaxed);
    atomic_store_explicit(&lines[line].count, count + 1, memory_order_relaxed);
    atomic_store_explicit(&lines[line].bytes, total + bytes, memory_order_relaxed);
}

// The next allocator. This module doesn't replace `free`, which with LD_PRELOAD is the preloaded library's, so the
// memory must come from there too.
typedef struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void *(*memalign)(size_t, size_t);
} allocator;

// glibc exports its own functions under a second set of names.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *pointer, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
static const allocator library = {__libc_malloc, __libc_calloc, __libc_realloc, __libc_memalign};

static allocator found;
// The next allocator; null before it is looked up.
static const allocator *_Atomic behind;

// Looks up the next allocator in link order. The first call comes before any threads.
__attribute__((noinline)) static const allocator *look_up(void) {
    // Older versions of dlsym allocate.
    static _Thread_local bool is_looking;
    if (is_looking) return &library;
    is_looking = true;
    found.malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    found.calloc = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc");
    found.realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
    found.memalign = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "memalign");
    is_looking = false;
    bool is_whole = found.malloc && found.calloc && found.realloc && found.memalign;
    const allocator *next = is_whole ? &found : &library;
    atomic_store_explicit(&behind, next, memory_order_release);
    return next;
}

static inline const allocator *next_allocator(void) {
    const allocator *next = atomic_load_explicit(&behind, memory_order_acquire);
    return next ? next : look_up();
}

void *malloc(size_t size) {
    count_allocation(size);
    return next_allocator()->malloc(size);
}

void *calloc(size_t count, size_t size) {
    count_allocation(count * size);
    return next_allocator()->calloc(count, size);
}

void *realloc(void *pointer, size_t size) {
    count_allocation(size);
    return next_allocator()->realloc(pointer, size);
}

void *memalign(size_t alignment, size_t size) {
    count_allocation(size);
    return next_allocator()->memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count_allocation(size);
    return next_allocator()->memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    // The library's own check: a power of two, and a multiple of a pointer's size.
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    count_allocation(size);
    void *pointer = next_allocator()->memalign(alignment, size);
    if (pointer == NULL) return ENOMEM;
    *result = pointer;
    return 0;
}

bool allocation_counter_is_active(void) { return true; }

uint64_t allocation_counter_count(void) {
    uint64_t sum = 0;
    for (unsigned line = 0; line < line_count; line++)
        sum += atomic_load_explicit(&lines[line].count, memory_order_relaxed);
    return sum;
}

uint64_t allocation_counter_bytes(void) {
    uint64_t sum = 0;
    for (unsigned line = 0; line < line_count; line++)
        sum += atomic_load_explicit(&lines[line].bytes, memory_order_relaxed);
    return sum;
}

#else

bool allocation_counter_is_active(void) { return false; }
uint64_t allocation_counter_count(void) { return 0; }
uint64_t allocation_counter_bytes(void) { return 0; }

#endif
