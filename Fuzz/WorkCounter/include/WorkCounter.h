#ifndef WORK_COUNTER_H
#define WORK_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this build counts: one that Fuzz/fuzz has made.
bool work_is_counted(void);

/// Comparisons that instrumented code has made while they were counted; 0 where nothing counts.
uint64_t work_comparisons(void);

/// Sets whether comparisons are counted and passed to libFuzzer from now on; at first they are not. The comparisons of
/// an oracle say nothing about the code under test, and passing them takes up to a third of the time.
void work_count_comparisons(bool yes);

/// Whether libFuzzer profiles the values that are compared, which it does when told to by -use_value_profile=1.
void work_profile_values(bool yes);

/// Chooses whose counters of branches libFuzzer is shown: those of the gauge or those of the cache. To be called once,
/// before it looks at any. It looks through all that it is shown after every input.
void work_show_counters(bool of_gauge);

#endif
