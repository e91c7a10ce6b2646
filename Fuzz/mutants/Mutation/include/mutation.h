// Linked into the copy of the sources with the mutants; selects the active one.
#ifndef MUTATION_H
#define MUTATION_H

#include <stdbool.h>
#include <stdint.h>

/// Mutants have numbers from 1 to below this.
#define MUTATION_LIMIT 4096

/// The active mutant, from the environment variable CACHEGAUGE_MUTANT; 0 is the unchanged program.
extern int32_t mutation_number;

/// By number: whether the mutant's place was reached.
extern unsigned char mutation_reached[MUTATION_LIMIT];

/// Whether mutant `number` is active. Notes that its place was reached.
static inline bool isMutant(int32_t number) {
    if (!__atomic_load_n(&mutation_reached[number], __ATOMIC_RELAXED))
        __atomic_store_n(&mutation_reached[number], 1, __ATOMIC_RELAXED);
    return mutation_number == number;
}

#endif
