#ifndef CSUPPORT_THREAD_H
#define CSUPPORT_THREAD_H

#include <stdint.h>

// At a fixed offset from the thread's own address, so that finding it takes no call: code that could be part of a
// library loaded later calls for the address otherwise, and saves its registers for that.
#if defined(__ELF__)
#define CS_FOUND_WITHOUT_CALL __attribute__((tls_model("initial-exec")))
#else
#define CS_FOUND_WITHOUT_CALL
#endif

/// The calling thread's number; use `cs_thread_number`, which gives one to a thread that has none.
extern _Thread_local uint32_t cs_thread_number_or_zero CS_FOUND_WITHOUT_CALL;

/// Gives the calling thread its number.
uint32_t cs_number_thread(void);

/// A small number of the calling thread's own, from 1 upwards in the order in which threads first ask. About 1 ns.
static inline uint32_t cs_thread_number(void) {
    uint32_t number = cs_thread_number_or_zero;
    return number ? number : cs_number_thread();
}

/// The number by which Linux knows the calling thread; 0 elsewhere.
int cs_thread_identifier(void);

/// Tells the processor `count` times that the caller spins.
static inline void cs_spin_pause(int count) {
    for (; count > 0; count--) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
        __asm__ volatile("yield");
#endif
    }
}

/// Names the calling thread for debuggers and `top`; Linux shows 15 bytes.
void cs_name_thread(const char *name);

#endif
