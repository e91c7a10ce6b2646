#ifndef WORK_COUNTER_H
#define WORK_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this build counts comparisons, as those of Fuzz/fuzz do.
bool work_is_counted(void);

/// Comparisons counted so far; 0 if this build doesn't count.
uint64_t work_comparisons(void);

/// Bytes copied by memmove and memcpy while comparisons were counted; 0 if this build doesn't count.
uint64_t work_copied_bytes(void);

/// Sets whether comparisons are counted and passed to libFuzzer from now on; at first they aren't. An oracle's
/// comparisons say nothing about the code under test, and passing them takes up to a third of the time.
void work_count_comparisons(bool yes);

/// Sets whether libFuzzer profiles the compared values, as with -use_value_profile=1.
void work_profile_values(bool yes);

/// Chooses whether libFuzzer sees the branch counters of the gauge or of the cache, all of which it scans after every
/// input. Call this once, before libFuzzer reads any.
void work_show_counters(bool of_gauge);

#endif
