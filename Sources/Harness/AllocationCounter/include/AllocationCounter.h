#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

// Linking this module is enough: with glibc its malloc and relatives take the place of the library's in the whole
// process, Swift's runtime and Foundation included; they count, and hand on: to another allocator where one is preloaded
// (LD_PRELOAD), else to the library. Elsewhere, and when compiled with NO_ALLOCATION_COUNTER (a sanitizer brings an
// allocator of its own), nothing is replaced and nothing counted.

/// Whether anything is counted.
bool allocation_counter_is_active(void);

/// Calls that allocated since the process started. A realloc is one of them.
uint64_t allocation_counter_count(void);

/// Bytes that they asked for.
uint64_t allocation_counter_bytes(void);

#endif
