#ifndef CSUPPORT_ZLIB_STREAM_H
#define CSUPPORT_ZLIB_STREAM_H

/// zlib's `z_stream`, as its binary interface has it since version 1.0.
struct cs_zlib_stream {
    const unsigned char *next_in;
    unsigned int available_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned int available_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *allocate;
    void *deallocate;
    void *opaque;
    int data_type;
    unsigned long checksum;
    unsigned long reserved;
};

#endif
