// The parser of requests. It uses Boost.Beast's grammar of HTTP.

#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/growing_buffer.h"
#include "server/request.h"

namespace dolmen::server {

// The size limits of requests.
struct RequestLimits {
  std::uint32_t head_bytes_max = 16 * 1024;
  std::uint64_t body_bytes_max = 16 * 1024 * 1024;
};

// The result of parsing a part of a request.
enum class ReadOutcome : std::uint8_t {
  kDone,
  kIncomplete,    // more bytes are needed
  kBad,           // not HTTP/1.0 or HTTP/1.1, or ambiguous, or a head over the limits
  kBodyTooLarge,  // the announced or received body exceeds the limit
  kNoRoom,        // the shared budget for incomplete requests is exhausted
};

// A parser of one request. After an outcome other than kDone and kIncomplete it must not be used
// again.
class RequestParser : private boost::beast::http::basic_parser<true> {
 public:
  RequestParser(const RequestLimits& limits, Request* request);

  // Reads the head. The request refers to `bytes`, which must outlive it.
  // REQUIRES: `bytes` is a head with its empty line, as FindHeadEnd finds it.
  ReadOutcome ReadHead(std::string_view bytes);

  // Reads the chunks that follow the head, as far as they have arrived completely. Appends the
  // contents of the chunks to `body`. Sets `consumed` to the number of bytes that were read. The
  // caller must not pass these bytes again.
  ReadOutcome ReadChunks(std::string_view bytes, GrowingBuffer* body, std::size_t* consumed);

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

  bool HasUnambiguousEnd() const;
  void StoreKnownField(Field field, std::string_view name, std::string_view value);

  Request* request_;
  GrowingBuffer* body_ = nullptr;
  // The number of header lines with each of the names Host, Transfer-Encoding and Content-Length.
  unsigned hosts_ = 0;
  unsigned transfer_encodings_ = 0;
  unsigned content_lengths_ = 0;
};

// Returns the position after the empty line that ends the head, or npos if the head is incomplete.
// The caller knows that the end of the head is not in the first `searched` bytes.
std::size_t FindHeadEnd(std::string_view bytes, std::size_t searched);

}  // namespace dolmen::server
