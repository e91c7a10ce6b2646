#include "region.h"

#include <stdint.h>
#include <time.h>

#include "counters.h"

// Whether this thread is in the measured region, and how many pauses it is in there.
static _Thread_local int is_inside, pauses;

// The allocations of the process during the pauses of this thread's last region and the time of these pauses, and the
// totals and the clock when a pause began.
static _Thread_local struct { uint64_t count, bytes, nanoseconds; } paused, began;

enum { toggle_collect = 2, start_instrumentation = 4 };

// A client request of callgrind: 'C', 'T' and its number. Valgrind recognises the sequence of rotations, which leave
// the register as it was; without valgrind they do nothing. See its manual, "The Client Request mechanism".
static void ask_callgrind(uint64_t number) {
#if defined(__x86_64__) || defined(__aarch64__)
    volatile uint64_t request[6] = {(uint64_t)'C' << 24 | (uint64_t)'T' << 16 | number, 0, 0, 0, 0, 0};
#else
    (void)number;
#endif
#if defined(__x86_64__)
    uint64_t result = 0;
    __asm__ volatile("rolq $3, %%rdi\n\trolq $13, %%rdi\n\trolq $61, %%rdi\n\trolq $51, %%rdi\n\txchgq %%rbx, %%rbx"
                     : "+d"(result)
                     : "a"(&request[0])
                     : "cc", "memory");
#elif defined(__aarch64__)
    __asm__ volatile("mov x3, xzr\n\tmov x4, %0\n\t"
                     "ror x12, x12, #3\n\tror x12, x12, #13\n\tror x12, x12, #51\n\tror x12, x12, #61\n\t"
                     "orr x10, x10, x10"
                     :
                     : "r"(&request[0])
                     : "cc", "memory", "x3", "x4");
#endif
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

__attribute__((noinline)) void cs_measured_region(void (*body)(void *), void *context) {
    paused.count = paused.bytes = paused.nanoseconds = 0;
    is_inside = 1;
    body(context);
    is_inside = 0;
    // Keeps the call from becoming a jump, after which the region would have no end of its own.
    __asm__ volatile("" : : : "memory");
}

void cs_pause_measuring(void) {
    if (!is_inside || pauses++ > 0) return;
    ask_callgrind(toggle_collect);
    began.count = cs_allocation_count();
    began.bytes = cs_allocated_bytes();
    began.nanoseconds = now();
}

void cs_resume_measuring(void) {
    if (!is_inside || --pauses > 0) return;
    paused.nanoseconds += now() - began.nanoseconds;
    paused.count += cs_allocation_count() - began.count;
    paused.bytes += cs_allocated_bytes() - began.bytes;
    ask_callgrind(toggle_collect);
}

uint64_t cs_paused_allocation_count(void) { return paused.count; }
uint64_t cs_paused_allocated_bytes(void) { return paused.bytes; }
uint64_t cs_paused_nanoseconds(void) { return paused.nanoseconds; }

void cs_start_counting(void) { ask_callgrind(start_instrumentation); }
