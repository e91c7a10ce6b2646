#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // sched_setaffinity
#endif
#include "processors.h"

#include <errno.h>

#if defined(__linux__)
#include <sched.h>

int cs_thread_processors(void *bits, size_t length) {
    return sched_getaffinity(0, length, bits) == 0 ? 0 : errno;
}

int cs_bind_thread(const void *bits, size_t length) {
    return sched_setaffinity(0, length, bits) == 0 ? 0 : errno;
}
#else
int cs_thread_processors(void *bits, size_t length) {
    (void)bits, (void)length;
    return ENOTSUP;
}

int cs_bind_thread(const void *bits, size_t length) {
    (void)bits, (void)length;
    return ENOTSUP;
}
#endif
