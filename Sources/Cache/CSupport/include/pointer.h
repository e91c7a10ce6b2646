#ifndef CSUPPORT_POINTER_H
#define CSUPPORT_POINTER_H

#include <stdbool.h>

// Pointers that several threads read and set. In C, since Swift's `Atomic` cannot be part of a copyable struct, and the
// header of a `ManagedBuffer` has to be one.

/// What the slot holds, with everything written before it was set visible to the caller.
static inline void *cs_pointer_load(void *const *slot) { return __atomic_load_n(slot, __ATOMIC_ACQUIRE); }

/// Sets an empty slot to `value`. Returns null when it did, else what the slot holds already.
static inline void *cs_pointer_set_once(void **slot, void *value) {
    void *existing = 0;
    bool set = __atomic_compare_exchange_n(slot, &existing, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return set ? 0 : existing;
}

/// Replaces `expected` by `value`; false when the slot holds something else.
static inline bool cs_pointer_replace(void **slot, void *expected, void *value) {
    return __atomic_compare_exchange_n(slot, &expected, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/// Sets the slot to `value`. Returns what it held.
static inline void *cs_pointer_exchange(void **slot, void *value) {
    return __atomic_exchange_n(slot, value, __ATOMIC_ACQ_REL);
}

#endif
