// From bytes to a Request, with Boost.Beast's grammar of HTTP.

#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/request.h"

namespace dolmen::server {

struct RequestLimits {
  std::uint32_t head_bytes_max = 32 * 1024;  // session tokens are long
  std::uint64_t body_bytes_max = 16 * 1024 * 1024;
};

enum class ReadOutcome : std::uint8_t {
  kDone,
  kIncomplete,    // more bytes are needed
  kBad,           // this is no HTTP/1.0 or 1.1
  kHeadTooLarge,  // more bytes, or more fields, than the limit
  kBodyTooLarge,  // more bytes, announced or come, than the limit
  kNoRoom,        // all connections together wait for more bytes than there is memory for
};

// Reads one request.  After anything but kDone and kIncomplete it is done with.
class RequestParser : private boost::beast::http::basic_parser<true> {
 public:
  RequestParser(const RequestLimits& limits, Request* request);

  // REQUIRES: `bytes` begins with a head and its empty line, as FindHeadEnd finds it.
  // `bytes` has to stay where it is as long as the request is used.
  ReadOutcome ReadHead(std::string_view bytes);

  // After the head of a chunked request: reads what follows, as far as it can, and appends the
  // contents to `body`.  `consumed` says how many of the bytes are not to be given again.
  ReadOutcome ReadChunks(std::string_view bytes, std::string* body, std::size_t* consumed);

 private:
  using ErrorCode = boost::beast::error_code;
  using View = boost::beast::string_view;
  using Field = boost::beast::http::field;

  void on_request_impl(boost::beast::http::verb, View method, View target, int version,
                       ErrorCode&) override;
  void on_response_impl(int, View, int, ErrorCode&) override {}
  void on_field_impl(Field field, View name, View value, ErrorCode& error) override;
  void on_header_impl(ErrorCode&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, ErrorCode&) override {}
  std::size_t on_body_impl(View, ErrorCode&) override;
  void on_chunk_header_impl(std::uint64_t, View, ErrorCode&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, View bytes, ErrorCode&) override;
  void on_finish_impl(ErrorCode&) override {}

  bool IsFramedClearly() const;
  void KeepKnown(Field field, std::string_view name, std::string_view value);

  Request* request_;
  std::string_view bytes_ = {};  // what is being read
  std::string* body_ = nullptr;
  // How many lines there are of each.
  unsigned hosts_ = 0;
  unsigned transfer_encodings_ = 0;
  unsigned content_lengths_ = 0;
};

// Where the head that `bytes` begins with ends, behind its empty line; npos if it does not.  The
// first `searched` bytes are known not to hold its end.
std::size_t FindHeadEnd(std::string_view bytes, std::size_t searched);

}  // namespace dolmen::server
