#include "thread.h"

#include <stdatomic.h>

#ifdef __APPLE__
#include <pthread.h>
#endif
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

_Thread_local uint32_t cs_thread_number_or_zero;

uint32_t cs_number_thread(void) {
    static _Atomic uint32_t given;
    uint32_t number = atomic_fetch_add_explicit(&given, 1, memory_order_relaxed) + 1;
    if (number == 0) number = 1;  // wrapped round after 2^32 threads; numbers need not be unique, only not zero
    cs_thread_number_or_zero = number;
    return number;
}

int cs_thread_identifier(void) {
#ifdef __linux__
    return (int)syscall(SYS_gettid);
#else
    return 0;
#endif
}

void cs_name_thread(const char *name) {
#ifdef __linux__
    prctl(PR_SET_NAME, name);
#elif defined(__APPLE__)
    pthread_setname_np(name);
#else
    (void)name;
#endif
}
