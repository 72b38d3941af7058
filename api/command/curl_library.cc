// The functions of libcurl that api/remote calls, each of which forwards to the library. GNU's linker cannot
// load a library at its first call. A plug-in with api/remote would be a second file to install and to
// find. A macro that lists the functions would still need the code for setopt and getinfo.

#include "command/curl_library.h"

#include <curl/curl.h>
#include <dlfcn.h>

#include <cstdarg>
#include <initializer_list>

// curl.h can define these two as macros.
#undef curl_easy_setopt
#undef curl_easy_getinfo

namespace dolmen::command {
namespace {

// Returns the library, or null. The names are those of its builds with GnuTLS and with OpenSSL.
void* CurlLibrary() {
  static void* const library = []() -> void* {
    for (const char* name : {"libcurl-gnutls.so.4", "libcurl.so.4"}) {
      if (void* const loaded = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) return loaded;
    }
    return nullptr;
  }();
  return library;
}

// Returns a function of the library; null if there is no library.
template <typename Function>
Function* CurlFunction(const char* name) {
  void* const library = CurlLibrary();
  return library == nullptr ? nullptr : reinterpret_cast<Function*>(::dlsym(library, name));
}

}  // namespace

bool HasCurl() { return CurlFunction<decltype(curl_easy_init)>("curl_easy_init") != nullptr; }

}  // namespace dolmen::command

using dolmen::command::CurlFunction;

// Clang warns that `option` and `info` are enumerations. Their type is passed as it is.
#pragma GCC diagnostic ignored "-Wvarargs"

// If the library is missing, no handle exists, so only the first six of these functions are called.
extern "C" {

CURLcode curl_global_init(long flags) {
  static const auto call = CurlFunction<decltype(curl_global_init)>("curl_global_init");
  return call == nullptr ? CURLE_FAILED_INIT : call(flags);
}

void curl_global_cleanup() {
  static const auto call = CurlFunction<decltype(curl_global_cleanup)>("curl_global_cleanup");
  if (call != nullptr) call();
}

CURL* curl_easy_init() {
  static const auto call = CurlFunction<decltype(curl_easy_init)>("curl_easy_init");
  return call == nullptr ? nullptr : call();
}

const char* curl_easy_strerror(CURLcode code) {
  static const auto call = CurlFunction<decltype(curl_easy_strerror)>("curl_easy_strerror");
  return call == nullptr ? "libcurl is missing" : call(code);
}

curl_slist* curl_slist_append(curl_slist* list, const char* text) {
  static const auto call = CurlFunction<decltype(curl_slist_append)>("curl_slist_append");
  return call == nullptr ? nullptr : call(list, text);
}

void curl_slist_free_all(curl_slist* list) {
  static const auto call = CurlFunction<decltype(curl_slist_free_all)>("curl_slist_free_all");
  if (call != nullptr) call(list);
}

void curl_easy_cleanup(CURL* handle) {
  static const auto call = CurlFunction<decltype(curl_easy_cleanup)>("curl_easy_cleanup");
  call(handle);
}

void curl_easy_reset(CURL* handle) {
  static const auto call = CurlFunction<decltype(curl_easy_reset)>("curl_easy_reset");
  call(handle);
}

CURLcode curl_easy_perform(CURL* handle) {
  static const auto call = CurlFunction<decltype(curl_easy_perform)>("curl_easy_perform");
  return call(handle);
}

CURLcode curl_easy_setopt(CURL* handle, CURLoption option, ...) {
  static const auto call = CurlFunction<decltype(curl_easy_setopt)>("curl_easy_setopt");
  std::va_list arguments;
  va_start(arguments, option);
  CURLcode code = CURLE_OK;
  if (option < CURLOPTTYPE_OBJECTPOINT) {
    code = call(handle, option, va_arg(arguments, long));
  } else if (option >= CURLOPTTYPE_OFF_T && option < CURLOPTTYPE_BLOB) {
    code = call(handle, option, va_arg(arguments, curl_off_t));
  } else {
    code = call(handle, option, va_arg(arguments, void*));
  }
  va_end(arguments);
  return code;
}

CURLcode curl_easy_getinfo(CURL* handle, CURLINFO info, ...) {
  static const auto call = CurlFunction<decltype(curl_easy_getinfo)>("curl_easy_getinfo");
  std::va_list arguments;
  va_start(arguments, info);
  void* const result = va_arg(arguments, void*);
  va_end(arguments);
  return call(handle, info, result);
}

}  // extern "C"
