// Chooses which of the compiler's counters of branches libFuzzer sees.
//
// Every file that the compiler instruments hands over the bounds of all counters, and of the table of the places that they
// stand for, before `main`. Fuzz/fuzz links with --wrap for that, so that it comes here first, where it ends: the linker
// has put the gauge's counters apart from the cache's, and libFuzzer is told of one of the two when the target is known.
#include "WorkCounter.h"

#if FUZZ
// The bounds of sections, which the linker names so.
#define SECTION(name, type) extern type __start_##name[], __stop_##name[]
SECTION(gauge_cntrs, uint8_t);
SECTION(gauge_pcs, uintptr_t);
SECTION(__sancov_cntrs, uint8_t);
SECTION(__sancov_pcs, uintptr_t);

void __real___sanitizer_cov_8bit_counters_init(uint8_t *, uint8_t *);
void __real___sanitizer_cov_pcs_init(const uintptr_t *, const uintptr_t *);

void __wrap___sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop) {
    (void)start, (void)stop;
}

void __wrap___sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop) {
    (void)start, (void)stop;
}

void work_show_counters(bool of_gauge) {
    if (of_gauge) {
        __real___sanitizer_cov_8bit_counters_init(__start_gauge_cntrs, __stop_gauge_cntrs);
        __real___sanitizer_cov_pcs_init(__start_gauge_pcs, __stop_gauge_pcs);
    } else {
        __real___sanitizer_cov_8bit_counters_init(__start___sancov_cntrs, __stop___sancov_cntrs);
        __real___sanitizer_cov_pcs_init(__start___sancov_pcs, __stop___sancov_pcs);
    }
}
#else
void work_show_counters(bool of_gauge) { (void)of_gauge; }
#endif
