// pread, pwrite and their like in front of the C library's own: each passes the call on unless a test wants it to fail.
// Whatever is linked into the same executable comes here. Empty but on Linux: elsewhere one executable's symbols do not
// stand in for another library's. Empty under ThreadSanitizer, too, which puts its own functions there.
#define _GNU_SOURCE
#include "FaultyCalls.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

#if defined(__linux__) && !defined(IS_SANITIZED)

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>

static struct {
    _Atomic int after, times, isPassing, failed;
    int code;
    long limit;
} faults[FAULTY_MAP + 1];

void faulty_calls_arm(enum faulty_call call, int after, int times, int code, long limit) {
    faults[call].code = code;
    faults[call].limit = limit;
    faults[call].isPassing = 0;
    faults[call].after = after;
    faults[call].times = times;
}

int faulty_calls_count(enum faulty_call call) { return faults[call].failed; }

int faulty_calls_are_possible(void) { return 1; }

/// Whether this call is to fail.
static int is_due(enum faulty_call call) {
    if (faults[call].times <= 0) return 0;
    if (atomic_fetch_sub(&faults[call].after, 1) > 0) return 0;
    if (faults[call].code && call != FAULTY_MAP && atomic_fetch_xor(&faults[call].isPassing, 1)) return 0;
    if (atomic_fetch_sub(&faults[call].times, 1) <= 0) return 0;
    atomic_fetch_add(&faults[call].failed, 1);
    return 1;
}

static size_t at_most(size_t count, enum faulty_call call) {
    size_t limit = (size_t)faults[call].limit;
    return count < limit ? count : limit;
}

#define ORIGINAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAIL_IF_DUE(call)                                                                                              \
    do {                                                                                                               \
        if (is_due(call)) {                                                                                            \
            errno = faults[call].code;                                                                                 \
            return -1;                                                                                                 \
        }                                                                                                              \
    } while (0)

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
    static __typeof__(&pread) original;
    if (!original) original = ORIGINAL(pread);
    if (faults[FAULTY_READ].code) FAIL_IF_DUE(FAULTY_READ);
    else if (is_due(FAULTY_READ)) count = at_most(count, FAULTY_READ);
    return original(descriptor, bytes, count, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    static __typeof__(&pwrite) original;
    if (!original) original = ORIGINAL(pwrite);
    if (faults[FAULTY_WRITE].code) FAIL_IF_DUE(FAULTY_WRITE);
    else if (is_due(FAULTY_WRITE)) count = at_most(count, FAULTY_WRITE);
    return original(descriptor, bytes, count, offset);
}

/// The first part of a vector that is not empty, cut to the limit, as a vector of one.
static struct iovec cut(const struct iovec *parts, int count, enum faulty_call call) {
    int first = 0;
    while (first < count - 1 && parts[first].iov_len == 0) first++;
    struct iovec part = parts[first];
    part.iov_len = at_most(part.iov_len, call);
    return part;
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
    static __typeof__(&pwritev) original;
    if (!original) original = ORIGINAL(pwritev);
    if (faults[FAULTY_WRITE].code) FAIL_IF_DUE(FAULTY_WRITE);
    else if (is_due(FAULTY_WRITE)) {
        struct iovec part = cut(parts, count, FAULTY_WRITE);
        return original(descriptor, &part, 1, offset);
    }
    return original(descriptor, parts, count, offset);
}

int posix_fallocate(int descriptor, off_t offset, off_t count) {
    static __typeof__(&posix_fallocate) original;
    if (!original) original = ORIGINAL(posix_fallocate);
    if (is_due(FAULTY_RESERVE)) return faults[FAULTY_RESERVE].code;
    return original(descriptor, offset, count);
}

int ftruncate(int descriptor, off_t count) {
    static __typeof__(&ftruncate) original;
    if (!original) original = ORIGINAL(ftruncate);
    FAIL_IF_DUE(FAULTY_RESIZE);
    return original(descriptor, count);
}

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
    static __typeof__(&mmap) original;
    if (!original) original = ORIGINAL(mmap);
    // Files alone: memory is asked for in this way, too.
    if (descriptor >= 0 && flags & MAP_SHARED && is_due(FAULTY_MAP)) {
        errno = faults[FAULTY_MAP].code;
        return MAP_FAILED;
    }
    return original(address, length, protection, flags, descriptor, offset);
}

int flock(int descriptor, int operation) {
    static __typeof__(&flock) original;
    if (!original) original = ORIGINAL(flock);
    FAIL_IF_DUE(FAULTY_LOCK);
    return original(descriptor, operation);
}

int fdatasync(int descriptor) {
    static __typeof__(&fdatasync) original;
    if (!original) original = ORIGINAL(fdatasync);
    FAIL_IF_DUE(FAULTY_SYNCHRONIZE);
    return original(descriptor);
}
#else
void faulty_calls_arm(enum faulty_call call, int after, int times, int code, long limit) {}
int faulty_calls_count(enum faulty_call call) { return 0; }
int faulty_calls_are_possible(void) { return 0; }
#endif
