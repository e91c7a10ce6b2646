#ifndef CSUPPORT_BLOCK_H
#define CSUPPORT_BLOCK_H

#include <stddef.h>

/// Gives a block of memory another size and keeps what fits; the rest is uninitialised. From `least_in_pages` bytes on,
/// which may not change during its life, a block on Linux has its pages for itself: it then grows without being copied,
/// leaves no gap in the heap, and goes back to the system when it is freed. A process has 65,530 such blocks at most.
///
/// `block` is null for a new one, with `size` 0. Returns null if there is no memory; the block then stays as it was.
void *cs_block_resize(void *block, size_t size, size_t wanted, size_t least_in_pages);

/// Frees a block of `size` bytes.
void cs_block_free(void *block, size_t size, size_t least_in_pages);

#endif
