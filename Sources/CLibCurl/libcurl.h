// Swift calls no C function with a variable number of arguments: each kind of argument that libcurl's
// take has a function of its own here.
#include <curl/curl.h>

#if LIBCURL_VERSION_NUM < 0x074400
#error "FreshetHTTP needs libcurl 7.68 or later"
#endif

typedef size_t (*freshet_curl_sink)(char *, size_t, size_t, void *);
typedef int (*freshet_curl_progress)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

static inline CURLcode freshet_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode freshet_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode freshet_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode freshet_curl_set_bytes(CURL *handle, CURLoption option, const void *value) {
  return curl_easy_setopt(handle, option, value ? value : "");
}

static inline CURLcode freshet_curl_set_list(CURL *handle, struct curl_slist *value) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, value);
}

static inline CURLcode freshet_curl_set_sink(
    CURL *handle, CURLoption option, freshet_curl_sink value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode freshet_curl_set_progress(CURL *handle, freshet_curl_progress value) {
  return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

// Only http and https, however libcurl was built.
static inline CURLcode freshet_curl_set_protocols(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
}

// A transfer that ends does not wait for the thread that looks up its host.
static inline CURLcode freshet_curl_set_leaves_quickly(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
  return CURLE_OK;
#endif
}

static inline CURLcode freshet_curl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode freshet_curl_set_shared(CURLM *handle, CURLMoption option, long value) {
  return curl_multi_setopt(handle, option, value);
}
