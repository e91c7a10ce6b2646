#define _GNU_SOURCE
#include "guarded.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#if defined(__linux__)
#include <ucontext.h>
#endif

/// A copy that is under way on a thread.
struct copy {
    sigjmp_buf escape;
    uintptr_t begin, end;
};

// A synchronous signal is handled on the thread that caused it, between two of its instructions: so its own variable is
// all that the handler has to look at.
static _Thread_local struct copy *volatile copying;

static struct sigaction previous;
static bool isSet;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/// Does what would have been done without this file.
static void pass_on(int signal, siginfo_t *information, void *context) {
    if (previous.sa_flags & SA_SIGINFO) {
        previous.sa_sigaction(signal, information, context);
    } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
        previous.sa_handler(signal);
    } else {
        // An access that failed is made again when this returns, and a signal that was sent arrives again: then it is
        // fatal, or ignored if it may be.
        bool isSent = information->si_code <= 0;
        sigaction(signal, &previous, NULL);
        if (isSent) raise(signal);
    }
}

/// Lets signals through again as before the signal that is handled: a jump out of the handler does not, unless
/// `sigsetjmp` saves them, which is a system call for every copy.
static void restore_mask(int signal, void *context) {
#if defined(__linux__)
    (void)signal;
    pthread_sigmask(SIG_SETMASK, &((ucontext_t *)context)->uc_sigmask, NULL);
#else
    (void)context;
    sigset_t handled;
    sigemptyset(&handled);
    sigaddset(&handled, signal);
    pthread_sigmask(SIG_UNBLOCK, &handled, NULL);
#endif
}

static void handle(int signal, siginfo_t *information, void *context) {
    struct copy *copy = copying;
    uintptr_t address = (uintptr_t)information->si_addr;
    if (copy && information->si_code > 0 && address >= copy->begin && address < copy->end) {
        copying = NULL;
        restore_mask(signal, context);
        siglongjmp(copy->escape, 1);
    }
    pass_on(signal, information, context);
}

static void set(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    isSet = sigaction(SIGBUS, &action, &previous) == 0;
}

bool cs_guard_copies(void) {
    pthread_once(&once, set);
    return isSet;
}

bool cs_copy_guarded(void *to, const void *from, size_t length) {
    struct copy copy;
    copy.begin = (uintptr_t)from;
    copy.end = copy.begin + length;
    if (sigsetjmp(copy.escape, 0)) return false;
    copying = &copy;
    // The compiler may not move the copy out from between the two.
    atomic_signal_fence(memory_order_seq_cst);
    memcpy(to, from, length);
    atomic_signal_fence(memory_order_seq_cst);
    copying = NULL;
    return true;
}
