#include "region.h"

__attribute__((noinline)) void cs_measured_region(void (*body)(void *), void *context) {
    body(context);
    // Keeps the call from becoming a jump, after which the region would have no end of its own.
    __asm__ volatile("" : : : "memory");
}
