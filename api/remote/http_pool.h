// Connections by libcurl.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/mutex.h"

namespace dolmen::remote {

// The bytes of a response's body at most, by default. DynamoDB's largest responses have 16 MB of data.
inline constexpr std::size_t kResponseBytesMax = std::size_t{128} << 20;

struct HttpRequest {
  const char* method = "POST";  // POST sends the body; other methods have none
  std::string url = {};
  std::vector<std::string> fields = {};  // lines of the header: "name: value"
  std::string_view body = {};
  std::chrono::milliseconds connect_timeout{1000};
  std::chrono::milliseconds timeout{1000};  // of the whole exchange
  // True: the request is not sent again on another connection. By default libcurl sends it again if a
  // kept connection ends without a response.
  bool sent_once = false;
  bool proxy = true;  // false: never through a proxy that the environment names
  std::size_t response_bytes_max = kResponseBytesMax;  // of the response's body
};

// The ways in which an exchange ends.
enum class HttpOutcome : std::uint8_t {
  kResponse,
  kNotSent,     // the server was not reached; it has not seen the request
  kNotTrusted,  // as kNotSent, because its certificate was refused, which would happen again
  kLost,        // the request was sent, perhaps in part, and the response did not arrive
  kTimeout,     // as kLost, because the time was over
  kTooLarge,    // the response has more than response_bytes_max
};

struct HttpResponse {
  HttpOutcome outcome = HttpOutcome::kResponse;
  std::string error = {};  // libcurl's words, unless the outcome is kResponse
  // libcurl has sent the request again, because a kept connection has ended without a response. The
  // server may have executed the first one.
  bool was_resent = false;
  int status = 0;
  std::string date = {};   // the header Date
  std::string crc32 = {};  // the header x-amz-crc32
  std::string body = {};
};

// A pool of handles of libcurl. Each handle keeps its connection for the next request, and has one
// request at a time. Thread-safe.
class HttpPool {
 public:
  // Makes a pool with at most `connections_max` connections. An empty `ca_file` stands for the
  // certificates of the system.
  explicit HttpPool(std::size_t connections_max, std::string ca_file = {});
  ~HttpPool();
  HttpPool(const HttpPool&) = delete;
  HttpPool& operator=(const HttpPool&) = delete;

  // Sends the request and waits for the response. First waits for a free handle, within the timeout.
  HttpResponse Send(const HttpRequest& request);

  // Returns the number of handles that exist.
  std::size_t handles() const;

 private:
  // Returns a handle that no other thread uses; null if the time is over or libcurl has no memory.
  void* Take(std::chrono::milliseconds timeout);
  void GiveBack(void* handle);

  const std::size_t connections_max_;
  const std::string ca_file_;
  mutable Mutex mutex_;
  ConditionVariable returned_;
  // The handle that was used last is used next, so that few connections stay busy.
  std::vector<void*> free_ DOLMEN_GUARDED_BY(mutex_);
  std::size_t handles_ DOLMEN_GUARDED_BY(mutex_) = 0;
};

}  // namespace dolmen::remote
