#ifndef CSUPPORT_BARRIER_H
#define CSUPPORT_BARRIER_H

#include <stdint.h>

// Empty assembly with operands: it emits no instruction, yet the optimiser must assume that it reads (or changes) them.

/// Uses `word`, as far as the optimiser can tell.
static inline void cs_keep_word(uint64_t word) { __asm__ volatile("" : : "r"(word)); }

/// Uses everything reachable from `address`, and all memory that other code could see.
static inline void cs_keep_memory(const void *address) { __asm__ volatile("" : : "r"(address) : "memory"); }

/// Gives `word` back as a value of unknown origin.
static inline uint64_t cs_opaque_word(uint64_t word) {
    __asm__ volatile("" : "+r"(word));
    return word;
}

#endif
