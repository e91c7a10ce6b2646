#include "mutation.h"

#include <stdio.h>
#include <stdlib.h>

int32_t mutation_number;
unsigned char mutation_reached[MUTATION_LIMIT];

// Runs before any Swift code.
__attribute__((constructor)) static void choose_mutant(void) {
    const char *number = getenv("CACHEGAUGE_MUTANT");
    if (number) mutation_number = (int32_t)strtol(number, 0, 10);
}

// Appended, because children of a test reach places too.
__attribute__((destructor)) static void write_reached(void) {
    const char *path = getenv("CACHEGAUGE_MUTANTS_REACHED");
    FILE *file = path ? fopen(path, "a") : 0;
    if (!file) return;
    for (int number = 0; number < MUTATION_LIMIT; number++)
        if (mutation_reached[number]) fprintf(file, "%d\n", number);
    fclose(file);
}
