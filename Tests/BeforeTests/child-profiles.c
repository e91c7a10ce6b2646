// Keeps the profiles of child processes apart from that of the tests, when `swift test` measures coverage.
//
// `swift test` merges all files *.profraw of its directory and fails when one is damaged. A worker that a test kills
// may leave a damaged one. So children write files *.child, which .ci/coverage merges as far as they are whole. Where
// counters can be moved (-runtime-counter-relocation), a child has them in its file from the start (%c), and being
// killed, a crash and `_exit` lose nothing.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Present where the executable is built for coverage. A name that is set so takes precedence over the environment.
extern void __llvm_profile_set_filename(const char *) __attribute__((weak));
// Present where counters can be moved.
extern intptr_t __llvm_profile_counter_bias __attribute__((weak));

__attribute__((constructor)) static void name_profiles_of_children(void) {
    static const char suffix[] = ".profraw";
    const char *inherited = getenv("LLVM_PROFILE_FILE");
    if (!inherited || !&__llvm_profile_set_filename) return;
    size_t stem = strlen(inherited) - strlen(suffix);
    if (strlen(inherited) < strlen(suffix) || strcmp(inherited + stem, suffix) != 0) return;
    const char *ending = &__llvm_profile_counter_bias ? "%c.child" : ".child";
    char *own = strdup(inherited), *children = malloc(stem + strlen(ending) + 1);
    if (!own || !children) return;
    // The profile keeps this text until the process ends.
    __llvm_profile_set_filename(own);
    memcpy(children, inherited, stem);
    strcpy(children + stem, ending);
    setenv("LLVM_PROFILE_FILE", children, 1);
    free(children);
}
