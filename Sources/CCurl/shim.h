// SPDX-License-Identifier: Apache-2.0

#pragma once

// libcurl's types; its functions, found when they are needed; and its calls with a variable argument list, which Swift
// can't make. A program that sends nothing does not load libcurl and the 30 libraries behind it.
#include <curl/curl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <sys/eventfd.h>

#define SALLYPORT_FUNCTIONS(USE) \
    USE(version_info) USE(global_init) USE(easy_init) USE(easy_reset) USE(easy_cleanup) USE(easy_setopt) \
    USE(easy_getinfo) USE(easy_strerror) USE(multi_init) USE(multi_cleanup) USE(multi_setopt) USE(multi_add_handle) \
    USE(multi_remove_handle) USE(multi_perform) USE(multi_poll) USE(multi_info_read)

typedef struct {
#define SALLYPORT_DECLARE(name) __typeof__(curl_##name) *name;
    SALLYPORT_FUNCTIONS(SALLYPORT_DECLARE)
#undef SALLYPORT_DECLARE
    // OpenSSL's function, in the library that libcurl has loaded; NULL if it stands on another.
    int (*ssl_has_pending)(const void *connection);
} sallyport_curl;

// Loads libcurl once for the process. Returns false if it is missing, or older than 7.80: before that, nobody is asked
// when a request is sent.
static inline bool sallyport_curl_load(sallyport_curl *curl) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
#define SALLYPORT_FIND(name) \
    if ((curl->name = (__typeof__(curl->name)) dlsym(library, "curl_" #name)) == NULL) return false;
    SALLYPORT_FUNCTIONS(SALLYPORT_FIND)
#undef SALLYPORT_FIND
    curl->ssl_has_pending = (int (*)(const void *)) dlsym(library, "SSL_has_pending");
    return curl->version_info(CURLVERSION_NOW)->version_num >= 0x075000
        && curl->global_init(CURL_GLOBAL_ALL) == CURLE_OK;
}

// Returns the path of the file with the system's authorities; NULL if there is none.
static inline const char *sallyport_curl_authorities(const sallyport_curl *curl) {
    return curl->version_info(CURLVERSION_NOW)->cainfo;
}

// Sets an option. libcurl copies a text, and not the memory behind a pointer.
#define SALLYPORT_SET(kind, type) \
    static inline CURLcode sallyport_curl_set_##kind( \
        const sallyport_curl *curl, CURL *easy, CURLoption option, type value \
    ) { \
        return curl->easy_setopt(easy, option, value); \
    }
SALLYPORT_SET(long, long)
SALLYPORT_SET(size, curl_off_t)
SALLYPORT_SET(text, const char *)
SALLYPORT_SET(pointer, void *)
SALLYPORT_SET(write, curl_write_callback)
SALLYPORT_SET(prereq, curl_prereq_callback)
SALLYPORT_SET(opensocket, curl_opensocket_callback)
SALLYPORT_SET(closesocket, curl_closesocket_callback)
#undef SALLYPORT_SET

// Returns whether TLS holds bytes that it has read from the connection's socket, and that nobody has read from it. True
// for TLS of another library than OpenSSL, which can't be asked.
static inline bool sallyport_curl_has_pending(const sallyport_curl *curl, CURL *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if (curl->easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || session == NULL) return true;
    if (session->internals == NULL) return false;
    return session->backend != CURLSSLBACKEND_OPENSSL || curl->ssl_has_pending == NULL
        || curl->ssl_has_pending(session->internals) != 0;
}

// Allows http and https alone. The newer option, with a text, is missing before 7.85.
static inline CURLcode sallyport_curl_allow_http(const sallyport_curl *curl, CURL *easy) {
    return curl->easy_setopt(easy, CURLOPT_PROTOCOLS, (long) (CURLPROTO_HTTP | CURLPROTO_HTTPS));
}

// Leaves a lookup of a name to itself if its transfer ends. Before 7.87 the thread of all transfers waits for it.
static inline CURLcode sallyport_curl_abandon_lookups(const sallyport_curl *curl, CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl->easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void) curl, (void) easy;
    return CURLE_OK;
#endif
}

static inline CURLcode sallyport_curl_get_long(const sallyport_curl *curl, CURL *easy, CURLINFO info, long *value) {
    return curl->easy_getinfo(easy, info, value);
}

static inline CURLMcode sallyport_curl_multi_set_long(
    const sallyport_curl *curl, CURLM *multi, CURLMoption option, long value
) {
    return curl->multi_setopt(multi, option, value);
}
