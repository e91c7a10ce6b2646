#include "fork.h"

#include <pthread.h>
#include <stdatomic.h>

static _Atomic uint32_t generation;

static void count(void) { atomic_fetch_add_explicit(&generation, 1, memory_order_relaxed); }

__attribute__((constructor)) static void watch(void) { pthread_atfork(NULL, NULL, count); }

uint32_t cs_fork_generation(void) { return atomic_load_explicit(&generation, memory_order_relaxed); }
