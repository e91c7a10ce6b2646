#include "counters.h"

// Weak: resolved only in an executable that links AllocationCounter, so that linking it is all that an author does.
#if defined(__linux__)
__attribute__((weak)) bool allocation_counter_is_active(void);
__attribute__((weak)) uint64_t allocation_counter_count(void);
__attribute__((weak)) uint64_t allocation_counter_bytes(void);
__attribute__((weak)) uint64_t allocation_counter_calls_under_lock(void);

bool cs_counts_allocations(void) { return allocation_counter_is_active && allocation_counter_is_active(); }
uint64_t cs_allocation_count(void) { return allocation_counter_count ? allocation_counter_count() : 0; }
uint64_t cs_allocated_bytes(void) { return allocation_counter_bytes ? allocation_counter_bytes() : 0; }
uint64_t cs_calls_under_lock(void) {
    return allocation_counter_calls_under_lock ? allocation_counter_calls_under_lock() : 0;
}
#else
bool cs_counts_allocations(void) { return false; }
uint64_t cs_allocation_count(void) { return 0; }
uint64_t cs_allocated_bytes(void) { return 0; }
uint64_t cs_calls_under_lock(void) { return 0; }
#endif
