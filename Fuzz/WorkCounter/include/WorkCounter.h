#ifndef WORK_COUNTER_H
#define WORK_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this build counts: one that Fuzz/fuzz has made.
bool work_is_counted(void);

/// Comparisons that instrumented code has made since the process began; 0 where nothing counts.
uint64_t work_comparisons(void);

/// From now on comparisons are neither counted nor shown to libFuzzer, which takes a third of the time of a target that
/// compares little of its input with anything.
void work_hide_comparisons(void);

#endif
