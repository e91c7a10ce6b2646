// Lets a few tests run at once in the place of all of them.
//
// swift-testing begins every test together. Each `await` of one then waits behind the work of thousands, and a request
// that allows its answer a minute fails after it.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void limit_tests_at_once(void) {
    char width[24];
    snprintf(width, sizeof width, "%ld", 3 * sysconf(_SC_NPROCESSORS_ONLN));
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
}
