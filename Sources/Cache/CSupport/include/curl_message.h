#ifndef CSUPPORT_CURL_MESSAGE_H
#define CSUPPORT_CURL_MESSAGE_H

/// libcurl's `CURLMsg`: what `curl_multi_info_read` returns. Part of its binary interface since 2006.
struct cs_curl_message {
    int kind;
    void *easy;
    union {
        void *whatever;
        int result;
    } data;
};

#endif
