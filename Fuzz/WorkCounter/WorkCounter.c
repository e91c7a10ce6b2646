// Counts the comparisons of instrumented code and the bytes that it copies, a measure of work that doesn't depend on a
// clock: a loop makes at least one comparison per iteration, unless it is in a function such as memmove.
//
// The compiler calls __sanitizer_cov_trace_… before every comparison, to show its operands to libFuzzer. Fuzz/fuzz
// links with --wrap for these, so that the calls come here first. Counted ones go on to libFuzzer by a jump instead of
// a call: libFuzzer tells comparisons apart by the return address, which must stay the comparison's.
//
// With LLVM 20 or later, each function reads __sancov_should_track on entry and makes the calls only if it is set. With
// older compilers, uncounted calls return from here.
//
// libFuzzer keeps operands of four and eight bytes to write them into inputs. Of other operands and indirect calls it
// only profiles the values, if -use_value_profile=1 is set; only then are they passed on.
//
// memmove and memcpy are wrapped too. Sanitizers give instrumented code other names for them.
//
// Only one thread runs while comparisons are counted, so the counter isn't atomic.
#include "WorkCounter.h"

#include <stddef.h>

#if FUZZ
#define UNINSTRUMENTED __attribute__((no_sanitize("coverage", "address", "thread")))

static uint64_t comparisons, copied_bytes;
static bool are_values_profiled;
// The compiler refers to this name in every file that it instruments.
__attribute__((visibility("hidden"))) uint64_t __sancov_should_track;

bool work_is_counted(void) { return true; }

// Flags of Swift and C differ, so Fuzz/fuzz looks for these names.
#if __has_feature(address_sanitizer)
__attribute__((used, retain)) void work_in_c_has_address_sanitizer(void) {}
#elif __has_feature(thread_sanitizer)
__attribute__((used, retain)) void work_in_c_has_thread_sanitizer(void) {}
#endif

UNINSTRUMENTED uint64_t work_comparisons(void) { return comparisons; }

UNINSTRUMENTED uint64_t work_copied_bytes(void) { return copied_bytes; }

UNINSTRUMENTED void work_count_comparisons(bool yes) { __sancov_should_track = yes; }

UNINSTRUMENTED void work_profile_values(bool yes) { are_values_profiled = yes; }

#define COUNTED(name, type)                                                             \
    void __real___sanitizer_cov_trace_##name(type, type);                               \
    UNINSTRUMENTED void __wrap___sanitizer_cov_trace_##name(type one, type other) {     \
        if (!__sancov_should_track) return;                                             \
        comparisons++;                                                                  \
        if (sizeof(type) < 4 && !are_values_profiled) return;                           \
        __attribute__((musttail)) return __real___sanitizer_cov_trace_##name(one, other); \
    }

COUNTED(cmp1, uint8_t)
COUNTED(cmp2, uint16_t)
COUNTED(cmp4, uint32_t)
COUNTED(cmp8, uint64_t)
COUNTED(const_cmp1, uint8_t)
COUNTED(const_cmp2, uint16_t)
COUNTED(const_cmp4, uint32_t)
COUNTED(const_cmp8, uint64_t)

// Weak, since a build has the functions of at most one sanitizer.
#define COPYING(name)                                                                          \
    __attribute__((weak)) void *__real_##name(void *, const void *, size_t);                   \
    UNINSTRUMENTED void *__wrap_##name(void *to, const void *from, size_t count) {             \
        if (__sancov_should_track) copied_bytes += count;                                      \
        __attribute__((musttail)) return __real_##name(to, from, count);                       \
    }

COPYING(memmove)
COPYING(memcpy)
COPYING(__asan_memmove)
COPYING(__asan_memcpy)
COPYING(__tsan_memmove)
COPYING(__tsan_memcpy)

void __real___sanitizer_cov_trace_pc_indir(uintptr_t);
UNINSTRUMENTED void __wrap___sanitizer_cov_trace_pc_indir(uintptr_t callee) {
    if (are_values_profiled) __attribute__((musttail)) return __real___sanitizer_cov_trace_pc_indir(callee);
}
#else
bool work_is_counted(void) { return false; }

uint64_t work_comparisons(void) { return 0; }

uint64_t work_copied_bytes(void) { return 0; }

void work_count_comparisons(bool yes) { (void)yes; }

void work_profile_values(bool yes) { (void)yes; }
#endif
