#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

// Linking this module is enough. With glibc, its malloc family replaces the library's in the whole process, including
// Swift's runtime and Foundation. It counts each call and forwards it to another allocator if one is preloaded
// (LD_PRELOAD), or else to the library. On other platforms, and with NO_ALLOCATION_COUNTER (a sanitizer has its own
// allocator), it replaces and counts nothing.

/// Whether allocations are counted.
bool allocation_counter_is_active(void);

/// The number of allocating calls since the process started. A realloc counts as one.
uint64_t allocation_counter_count(void);

/// The bytes that these calls requested.
uint64_t allocation_counter_bytes(void);

/// How many calls of the C library that enter the system (open, read, write, fsync, rename, send, …) were made by a
/// thread that held a pthread mutex or read-write lock: NSLock, pthread_mutex_t and whatever uses them. Inlined locks,
/// such as Synchronization.Mutex, can't be seen.
uint64_t allocation_counter_calls_under_lock(void);

#endif
