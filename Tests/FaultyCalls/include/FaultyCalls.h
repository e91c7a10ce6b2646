#ifndef FAULTY_CALLS_H
#define FAULTY_CALLS_H

/// The calls by which the disk tier changes and reads its file, for tests that have them fail on a real file.
enum faulty_call {
    FAULTY_READ,
    FAULTY_WRITE,
    FAULTY_RESERVE,
    FAULTY_RESIZE,
    FAULTY_SYNCHRONIZE,
    FAULTY_LOCK,
    FAULTY_MAP
};

/// Has calls of one kind fail, in the whole process: to be used in a child of its own.
///
/// The next `after` of them pass; then one of two fails (so that what repeats an interrupted call gets through; of
/// mappings, each), `times` in all, with the error number `code`. With 0 as `code` `times` reads or writes transfer at
/// most `limit` bytes instead.
void faulty_calls_arm(enum faulty_call call, int after, int times, int code, long limit);

/// How many calls of a kind have failed or were cut short.
int faulty_calls_count(enum faulty_call call);

/// Whether this platform and this build let calls fail; 0 or 1.
int faulty_calls_are_possible(void);

#endif
