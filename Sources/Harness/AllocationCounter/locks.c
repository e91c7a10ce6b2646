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
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sendfile.h>
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
#define TAKES(name, parameters, arguments)                                                                             \
    __attribute__((weak)) int name parameters {                                                                        \
        NEXT(name)                                                                                                     \
        int code = library arguments;                                                                                  \
        if (code == 0) locks_held++;                                                                                   \
        return code;                                                                                                   \
    }

#define RELEASES(name, type)                                                                                           \
    __attribute__((weak)) int name(type *lock) {                                                                       \
        NEXT(name)                                                                                                     \
        if (locks_held) locks_held--;                                                                                  \
        return library(lock);                                                                                          \
    }

TAKES(pthread_mutex_lock, (pthread_mutex_t * a), (a))
TAKES(pthread_mutex_trylock, (pthread_mutex_t * a), (a))
TAKES(pthread_mutex_timedlock, (pthread_mutex_t * a, const struct timespec *b), (a, b))
RELEASES(pthread_mutex_unlock, pthread_mutex_t)
TAKES(pthread_rwlock_rdlock, (pthread_rwlock_t * a), (a))
TAKES(pthread_rwlock_wrlock, (pthread_rwlock_t * a), (a))
TAKES(pthread_rwlock_tryrdlock, (pthread_rwlock_t * a), (a))
TAKES(pthread_rwlock_trywrlock, (pthread_rwlock_t * a), (a))
TAKES(pthread_rwlock_timedrdlock, (pthread_rwlock_t * a, const struct timespec *b), (a, b))
TAKES(pthread_rwlock_timedwrlock, (pthread_rwlock_t * a, const struct timespec *b), (a, b))
RELEASES(pthread_rwlock_unlock, pthread_rwlock_t)
#if __GLIBC_PREREQ(2, 30)
TAKES(pthread_mutex_clocklock, (pthread_mutex_t * a, clockid_t b, const struct timespec *c), (a, b, c))
TAKES(pthread_rwlock_clockrdlock, (pthread_rwlock_t * a, clockid_t b, const struct timespec *c), (a, b, c))
TAKES(pthread_rwlock_clockwrlock, (pthread_rwlock_t * a, clockid_t b, const struct timespec *c), (a, b, c))
#endif

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
CALL(ssize_t, preadv, (int a, const struct iovec *b, int c, off_t d), (a, b, c, d))
CALL(ssize_t, preadv64, (int a, const struct iovec *b, int c, off64_t d), (a, b, c, d))
CALL(ssize_t, pwritev, (int a, const struct iovec *b, int c, off_t d), (a, b, c, d))
CALL(ssize_t, pwritev64, (int a, const struct iovec *b, int c, off64_t d), (a, b, c, d))
CALL(off_t, lseek, (int a, off_t b, int c), (a, b, c))
CALL(off64_t, lseek64, (int a, off64_t b, int c), (a, b, c))
CALL(int, fsync, (int a), (a))
CALL(int, fdatasync, (int a), (a))
CALL(int, ftruncate, (int a, off_t b), (a, b))
CALL(int, ftruncate64, (int a, off64_t b), (a, b))
CALL(int, truncate, (const char *a, off_t b), (a, b))
CALL(int, truncate64, (const char *a, off64_t b), (a, b))
CALL(int, posix_fallocate, (int a, off_t b, off_t c), (a, b, c))
CALL(int, posix_fallocate64, (int a, off64_t b, off64_t c), (a, b, c))
CALL(int, fallocate, (int a, int b, off_t c, off_t d), (a, b, c, d))
CALL(int, fallocate64, (int a, int b, off64_t c, off64_t d), (a, b, c, d))
CALL(ssize_t, sendfile, (int a, int b, off_t *c, size_t d), (a, b, c, d))
CALL(ssize_t, sendfile64, (int a, int b, off64_t *c, size_t d), (a, b, c, d))
CALL(int, msync, (void *a, size_t b, int c), (a, b, c))
CALL(int, flock, (int a, int b), (a, b))
CALL(int, rename, (const char *a, const char *b), (a, b))
CALL(int, renameat, (int a, const char *b, int c, const char *d), (a, b, c, d))
CALL(int, unlink, (const char *a), (a))
CALL(int, unlinkat, (int a, const char *b, int c), (a, b, c))
CALL(int, mkdir, (const char *a, mode_t b), (a, b))
CALL(int, rmdir, (const char *a), (a))
CALL(int, access, (const char *a, int b), (a, b))
CALL(int, faccessat, (int a, const char *b, int c, int d), (a, b, c, d))
CALL(int, link, (const char *a, const char *b), (a, b))
CALL(int, connect, (int a, const struct sockaddr *b, socklen_t c), (a, b, c))
CALL(ssize_t, send, (int a, const void *b, size_t c, int d), (a, b, c, d))
CALL(ssize_t, recv, (int a, void *b, size_t c, int d), (a, b, c, d))
CALL(ssize_t, sendmsg, (int a, const struct msghdr *b, int c), (a, b, c))
CALL(ssize_t, recvmsg, (int a, struct msghdr *b, int c), (a, b, c))
CALL(
    ssize_t, sendto, (int a, const void *b, size_t c, int d, const struct sockaddr *e, socklen_t f),
    (a, b, c, d, e, f))
CALL(ssize_t, recvfrom, (int a, void *b, size_t c, int d, struct sockaddr *e, socklen_t *f), (a, b, c, d, e, f))
CALL(int, accept, (int a, struct sockaddr *b, socklen_t *c), (a, b, c))
CALL(int, accept4, (int a, struct sockaddr *b, socklen_t *c, int d), (a, b, c, d))
CALL(int, select, (int a, fd_set *b, fd_set *c, fd_set *d, struct timeval *e), (a, b, c, d, e))
CALL(int, epoll_wait, (int a, struct epoll_event *b, int c, int d), (a, b, c, d))
CALL(int, poll, (struct pollfd *a, nfds_t b, int c), (a, b, c))
CALL(int, usleep, (useconds_t a), (a))
CALL(int, nanosleep, (const struct timespec *a, struct timespec *b), (a, b))
#if __GLIBC_PREREQ(2, 28)
CALL(ssize_t, copy_file_range, (int a, off64_t *b, int c, off64_t *d, size_t e, unsigned f), (a, b, c, d, e, f))
CALL(int, statx, (int a, const char *b, int c, unsigned d, struct statx *e), (a, b, c, d, e))
#endif
// In older versions these are inline functions.
#if __GLIBC_PREREQ(2, 33)
CALL(int, stat, (const char *a, struct stat *b), (a, b))
CALL(int, stat64, (const char *a, struct stat64 *b), (a, b))
CALL(int, lstat, (const char *a, struct stat *b), (a, b))
CALL(int, lstat64, (const char *a, struct stat64 *b), (a, b))
CALL(int, fstat, (int a, struct stat *b), (a, b))
CALL(int, fstat64, (int a, struct stat64 *b), (a, b))
CALL(int, fstatat, (int a, const char *b, struct stat *c, int d), (a, b, c, d))
CALL(int, fstatat64, (int a, const char *b, struct stat64 *c, int d), (a, b, c, d))
#endif

// Always passes the mode on: without O_CREAT nothing reads it.
#define OPEN(name, parameters, arguments)                                                                              \
    __attribute__((weak)) int name parameters {                                                                        \
        NEXT(name)                                                                                                     \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        mode_t mode = va_arg(list, mode_t);                                                                            \
        va_end(list);                                                                                                  \
        count_call();                                                                                                  \
        return library arguments;                                                                                      \
    }

OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
OPEN(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))

uint64_t allocation_counter_calls_under_lock(void) {
    return atomic_load_explicit(&calls_under_lock, memory_order_relaxed);
}

#else

uint64_t allocation_counter_calls_under_lock(void) { return 0; }

#endif
