#ifndef WORK_COUNTER_H
#define WORK_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this build counts comparisons, as builds by Fuzz/fuzz do.
bool work_is_counted(void);

/// The number of comparisons counted so far; 0 if this build does not count.
uint64_t work_comparisons(void);

/// The number of bytes copied by memmove and memcpy while comparisons were counted; 0 if this build does not count.
uint64_t work_copied_bytes(void);

/// Sets whether comparisons are counted and passed to libFuzzer from now on; at first they are not. The comparisons of
/// an oracle say nothing about the code under test, and passing them takes up to a third of the time.
void work_count_comparisons(bool yes);

/// Sets whether libFuzzer profiles the compared values, as with -use_value_profile=1.
void work_profile_values(bool yes);

/// Chooses the branch counters that libFuzzer sees: those of the gauge or those of the cache. Call this once, before
/// libFuzzer reads any. It scans all of them after every input.
void work_show_counters(bool of_gauge);

#endif
