// Chooses which of the compiler's branch counters libFuzzer sees.
//
// Before `main`, every instrumented file passes the bounds of all counters, and of the table of their code positions,
// to libFuzzer. Fuzz/fuzz links with --wrap for these calls, so that they end here: the linker separates the harness's
// counters from the cache's, and libFuzzer gets one of the two parts once the target is known.
#include "WorkCounter.h"

#if FUZZ
// A section's bounds, under the names that the linker gives them.
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
