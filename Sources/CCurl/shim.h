// SPDX-License-Identifier: Apache-2.0

#pragma once

// libcurl's types; its functions, found when they are needed; and its calls with a variable argument list, which Swift
// can't make. A program that sends nothing does not load libcurl and the 30 libraries behind it.
#include <curl/curl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <sys/eventfd.h>

typedef struct {
    __typeof__(curl_version_info) *version_info;
    __typeof__(curl_global_init) *global_init;
    __typeof__(curl_easy_init) *easy_init;
    __typeof__(curl_easy_reset) *easy_reset;
    __typeof__(curl_easy_cleanup) *easy_cleanup;
    __typeof__(curl_easy_setopt) *easy_setopt;
    __typeof__(curl_easy_getinfo) *easy_getinfo;
    __typeof__(curl_easy_strerror) *easy_strerror;
    __typeof__(curl_multi_init) *multi_init;
    __typeof__(curl_multi_cleanup) *multi_cleanup;
    __typeof__(curl_multi_setopt) *multi_setopt;
    __typeof__(curl_multi_add_handle) *multi_add_handle;
    __typeof__(curl_multi_remove_handle) *multi_remove_handle;
    __typeof__(curl_multi_perform) *multi_perform;
    __typeof__(curl_multi_poll) *multi_poll;
    __typeof__(curl_multi_info_read) *multi_info_read;
    // OpenSSL's function, in the library that libcurl has loaded; NULL if it stands on another.
    int (*ssl_has_pending)(const void *connection);
} sallyport_curl;

// Loads libcurl once for the process. Returns false if it is missing, or older than 7.80: before that, nobody is asked
// when a request is sent.
static inline bool sallyport_curl_load(sallyport_curl *curl) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
#define SALLYPORT_FIND(name) \
    if ((curl->name = (__typeof__(curl->name)) dlsym(library, "curl_" #name)) == NULL) return false
    SALLYPORT_FIND(version_info);
    SALLYPORT_FIND(global_init);
    SALLYPORT_FIND(easy_init);
    SALLYPORT_FIND(easy_reset);
    SALLYPORT_FIND(easy_cleanup);
    SALLYPORT_FIND(easy_setopt);
    SALLYPORT_FIND(easy_getinfo);
    SALLYPORT_FIND(easy_strerror);
    SALLYPORT_FIND(multi_init);
    SALLYPORT_FIND(multi_cleanup);
    SALLYPORT_FIND(multi_setopt);
    SALLYPORT_FIND(multi_add_handle);
    SALLYPORT_FIND(multi_remove_handle);
    SALLYPORT_FIND(multi_perform);
    SALLYPORT_FIND(multi_poll);
    SALLYPORT_FIND(multi_info_read);
#undef SALLYPORT_FIND
    curl->ssl_has_pending = (int (*)(const void *)) dlsym(library, "SSL_has_pending");
    return curl->version_info(CURLVERSION_NOW)->version_num >= 0x075000
        && curl->global_init(CURL_GLOBAL_ALL) == CURLE_OK;
}

// Returns the path of the file with the system's authorities; NULL if there is none.
static inline const char *sallyport_curl_authorities(const sallyport_curl *curl) {
    return curl->version_info(CURLVERSION_NOW)->cainfo;
}

static inline CURLcode sallyport_curl_set_long(
    const sallyport_curl *curl, CURL *easy, CURLoption option, long value
) {
    return curl->easy_setopt(easy, option, value);
}

static inline CURLcode sallyport_curl_set_size(
    const sallyport_curl *curl, CURL *easy, CURLoption option, curl_off_t value
) {
    return curl->easy_setopt(easy, option, value);
}

// The text is copied.
static inline CURLcode sallyport_curl_set_text(
    const sallyport_curl *curl, CURL *easy, CURLoption option, const char *value
) {
    return curl->easy_setopt(easy, option, value);
}

// The memory is not copied.
static inline CURLcode sallyport_curl_set_pointer(
    const sallyport_curl *curl, CURL *easy, CURLoption option, void *value
) {
    return curl->easy_setopt(easy, option, value);
}

// The function for the header's lines, or for the body.
static inline CURLcode sallyport_curl_set_write(
    const sallyport_curl *curl, CURL *easy, CURLoption option, curl_write_callback value
) {
    return curl->easy_setopt(easy, option, value);
}

static inline CURLcode sallyport_curl_set_prereq(const sallyport_curl *curl, CURL *easy, curl_prereq_callback value) {
    return curl->easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode sallyport_curl_set_opensocket(
    const sallyport_curl *curl, CURL *easy, curl_opensocket_callback value
) {
    return curl->easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode sallyport_curl_set_closesocket(
    const sallyport_curl *curl, CURL *easy, curl_closesocket_callback value
) {
    return curl->easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, value);
}

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
