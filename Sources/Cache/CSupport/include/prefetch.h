#ifndef CSUPPORT_PREFETCH_H
#define CSUPPORT_PREFETCH_H

/// Begins to load the cache line of `address`. Never faults, whatever the address.
static inline void cs_prefetch(const void *address) { __builtin_prefetch(address); }

#endif
