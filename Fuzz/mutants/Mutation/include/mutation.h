// Linked into the copy of the sources that holds the mutants: says which of them runs.
#ifndef MUTATION_H
#define MUTATION_H

#include <stdbool.h>
#include <stdint.h>

/// Mutants are numbered from 1 to one less than this.
#define MUTATION_LIMIT 4096

/// The mutant that runs, from the environment's CACHEGAUGE_MUTANT; 0 is the program as it was written.
extern int32_t mutation_number;

/// By number: whether the place that the mutant would change was come to.
extern unsigned char mutation_reached[MUTATION_LIMIT];

/// Whether mutant `number` runs. Notes that its place was reached.
static inline bool isMutant(int32_t number) {
    if (!__atomic_load_n(&mutation_reached[number], __ATOMIC_RELAXED))
        __atomic_store_n(&mutation_reached[number], 1, __ATOMIC_RELAXED);
    return mutation_number == number;
}

#endif
