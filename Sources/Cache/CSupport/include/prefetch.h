#ifndef CSUPPORT_PREFETCH_H
#define CSUPPORT_PREFETCH_H

/// Begins to load the cache line of `address`. Never faults, whatever the address.
static inline void cs_prefetch(const void *address) { __builtin_prefetch(address); }

/// The same for a line that will be written; other processors give it up. Where the instruction is missing, x86 ignores it.
static inline void cs_prefetch_to_change(const void *address) {
#if defined(__x86_64__)
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)address));
#else
    __builtin_prefetch(address, 1);
#endif
}

#endif
