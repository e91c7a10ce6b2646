// Replaces the functions that take and release pthreads locks, and those that enter the system, and counts calls of the
// latter by a thread that holds a lock. All are weak, so that another definition in the executable, e.g. in a test,
// wins.
//
// This code must not allocate or wait, and keeps errno: it is called before main and from everywhere.

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "AllocationCounter.h"

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
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static _Thread_local unsigned locks_held;
static _Atomic uint64_t calls_under_lock;

static inline void count_call(void) {
    if (locks_held) atomic_fetch_add_explicit(&calls_under_lock, 1, memory_order_relaxed);
}

// The library's own function. Two threads may look it up at once and find the same.
#define NEXT(name)                                                                                                     \
    static _Atomic(void *) next;                                                                                       \
    void *address = atomic_load_explicit(&next, memory_order_relaxed);                                                 \
    if (!address) {                                                                                                    \
        address = dlsym(RTLD_NEXT, #name);                                                                             \
        atomic_store_explicit(&next, address, memory_order_relaxed);                                                   \
    }                                                                                                                  \
    __typeof__(&name) library = (__typeof__(&name))address;

// A function that takes a lock when it returns 0.
#define TAKES(name, type)                                                                                              \
    __attribute__((weak)) int name(type *lock) {                                                                       \
        NEXT(name)                                                                                                     \
        int code = library(lock);                                                                                      \
        if (code == 0) locks_held++;                                                                                   \
        return code;                                                                                                   \
    }

#define RELEASES(name, type)                                                                                           \
    __attribute__((weak)) int name(type *lock) {                                                                       \
        NEXT(name)                                                                                                     \
        if (locks_held) locks_held--;                                                                                  \
        return library(lock);                                                                                          \
    }

TAKES(pthread_mutex_lock, pthread_mutex_t)
TAKES(pthread_mutex_trylock, pthread_mutex_t)
RELEASES(pthread_mutex_unlock, pthread_mutex_t)
TAKES(pthread_rwlock_rdlock, pthread_rwlock_t)
TAKES(pthread_rwlock_wrlock, pthread_rwlock_t)
TAKES(pthread_rwlock_tryrdlock, pthread_rwlock_t)
TAKES(pthread_rwlock_trywrlock, pthread_rwlock_t)
RELEASES(pthread_rwlock_unlock, pthread_rwlock_t)

// A function that enters the system.
#define CALL(result, name, parameters, arguments)                                                                      \
    __attribute__((weak)) result name parameters {                                                                     \
        NEXT(name)                                                                                                     \
        count_call();                                                                                                  \
        return library arguments;                                                                                      \
    }

CALL(int, close, (int a), (a))
CALL(ssize_t, read, (int a, void *b, size_t c), (a, b, c))
CALL(ssize_t, write, (int a, const void *b, size_t c), (a, b, c))
CALL(ssize_t, pread, (int a, void *b, size_t c, off_t d), (a, b, c, d))
CALL(ssize_t, pread64, (int a, void *b, size_t c, off64_t d), (a, b, c, d))
CALL(ssize_t, pwrite, (int a, const void *b, size_t c, off_t d), (a, b, c, d))
CALL(ssize_t, pwrite64, (int a, const void *b, size_t c, off64_t d), (a, b, c, d))
CALL(ssize_t, readv, (int a, const struct iovec *b, int c), (a, b, c))
CALL(ssize_t, writev, (int a, const struct iovec *b, int c), (a, b, c))
CALL(int, fsync, (int a), (a))
CALL(int, fdatasync, (int a), (a))
CALL(int, ftruncate, (int a, off_t b), (a, b))
CALL(int, ftruncate64, (int a, off64_t b), (a, b))
CALL(int, msync, (void *a, size_t b, int c), (a, b, c))
CALL(int, flock, (int a, int b), (a, b))
CALL(int, rename, (const char *a, const char *b), (a, b))
CALL(int, renameat, (int a, const char *b, int c, const char *d), (a, b, c, d))
CALL(int, unlink, (const char *a), (a))
CALL(int, unlinkat, (int a, const char *b, int c), (a, b, c))
CALL(int, mkdir, (const char *a, mode_t b), (a, b))
CALL(int, rmdir, (const char *a), (a))
CALL(int, connect, (int a, const struct sockaddr *b, socklen_t c), (a, b, c))
CALL(ssize_t, send, (int a, const void *b, size_t c, int d), (a, b, c, d))
CALL(ssize_t, recv, (int a, void *b, size_t c, int d), (a, b, c, d))
CALL(ssize_t, sendmsg, (int a, const struct msghdr *b, int c), (a, b, c))
CALL(ssize_t, recvmsg, (int a, struct msghdr *b, int c), (a, b, c))
CALL(int, poll, (struct pollfd *a, nfds_t b, int c), (a, b, c))
CALL(int, usleep, (useconds_t a), (a))
CALL(int, nanosleep, (const struct timespec *a, struct timespec *b), (a, b))

// Always passes the mode on: without O_CREAT nothing reads it.
#define OPEN(name)                                                                                                     \
    __attribute__((weak)) int name(const char *path, int flags, ...) {                                                 \
        NEXT(name)                                                                                                     \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        mode_t mode = va_arg(list, mode_t);                                                                            \
        va_end(list);                                                                                                  \
        count_call();                                                                                                  \
        return library(path, flags, mode);                                                                             \
    }

OPEN(open)
OPEN(open64)

uint64_t allocation_counter_calls_under_lock(void) {
    return atomic_load_explicit(&calls_under_lock, memory_order_relaxed);
}

#else

uint64_t allocation_counter_calls_under_lock(void) { return 0; }

#endif
