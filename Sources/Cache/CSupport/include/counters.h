#ifndef CSUPPORT_COUNTERS_H
#define CSUPPORT_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this executable links AllocationCounter, and it is active. The other functions return 0 otherwise.
bool cs_counts_allocations(void);

uint64_t cs_allocation_count(void);
uint64_t cs_allocated_bytes(void);

/// System calls made while a lock was held; see AllocationCounter.
uint64_t cs_calls_under_lock(void);

#endif
