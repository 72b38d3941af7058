#include "server/request_parser.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>

#include "http/header_text.h"

namespace dolmen::server {
namespace {

namespace beast_http = boost::beast::http;

// The error that on_field_impl reports if the request has more header lines than `fields` has room
// for.
constexpr auto kTooManyFields = beast_http::error::header_limit;

std::string_view ToStdView(boost::beast::string_view view) { return {view.data(), view.size()}; }

// Returns true if a header line continues on the next line. Beast would accept such a line, and
// would join the parts of its value in a buffer of its own.
bool HasFoldedLine(std::string_view head) {
  for (std::size_t end = head.find('\n'); end + 1 < head.size(); end = head.find('\n', end + 1)) {
    if (head[end + 1] == ' ' || head[end + 1] == '\t') return true;
  }
  return false;
}

ReadOutcome OutcomeOf(const boost::beast::error_code& error) {
  if (!error) return ReadOutcome::kDone;
  if (error == beast_http::error::need_more) return ReadOutcome::kIncomplete;
  if (error == beast_http::error::body_limit) return ReadOutcome::kBodyTooLarge;
  return ReadOutcome::kBad;
}

}  // namespace

RequestParser::RequestParser(const RequestLimits& limits, Request* request) : request_(request) {
  header_limit(limits.head_bytes_max);
  body_limit(limits.body_bytes_max);
  eager(false);
}

ReadOutcome RequestParser::ReadHead(std::string_view bytes) {
  if (HasFoldedLine(bytes)) return ReadOutcome::kBad;
  ErrorCode error;
  put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
  // Beast takes some heads for incomplete, for example a head whose first line has no version.
  if (error == beast_http::error::need_more) return ReadOutcome::kBad;
  if (error) return OutcomeOf(error);
  if (!HasUnambiguousEnd()) return ReadOutcome::kBad;
  request_->keep_alive = keep_alive();
  request_->chunked = chunked();
  request_->content_length = content_length().value_or(0);
  return ReadOutcome::kDone;
}

ReadOutcome RequestParser::ReadChunks(std::string_view bytes, GrowingBuffer* body,
                                      std::size_t* consumed) {
  body_ = body;
  *consumed = 0;
  ErrorCode error;
  while (!is_done() && !error) {
    const std::string_view rest = bytes.substr(*consumed);
    // Returns if all bytes are consumed. Without this check the loop would not end inside a chunk,
    // because put() reports no error there for an empty input.
    if (rest.empty()) return ReadOutcome::kIncomplete;
    // Waits for the rest of a last chunk, which has at least five bytes. Beast asserts this size, but
    // only if no other chunk precedes the last one.
    constexpr std::size_t kLastChunkBytesMin = 5;
    if (rest.front() == '0' && rest.size() < kLastChunkBytesMin) return ReadOutcome::kIncomplete;
    *consumed += put(boost::asio::const_buffer(rest.data(), rest.size()), error);
  }
  return OutcomeOf(error);
}

// Returns true if every HTTP implementation finds the same end of the request. Beast ignores an
// unknown Transfer-Encoding, and would parse the body of the request as the next request.
bool RequestParser::HasUnambiguousEnd() const {
  if (hosts_ > 1 || (hosts_ == 0 && !request_->is_http10)) return false;
  if (transfer_encodings_ == 0) return true;
  return transfer_encodings_ == 1 && content_lengths_ == 0 && chunked() && !request_->is_http10;
}

void RequestParser::on_request_impl(beast_http::verb, View method, View target, int version,
                                    ErrorCode&) {
  request_->method = ToStdView(method);
  request_->target = ToStdView(target);
  request_->is_http10 = version == 10;
}

void RequestParser::on_field_impl(Field field, View name, View value, ErrorCode& error) {
  // Ignores the trailers of a chunked body, because request_->fields may contain only views of the
  // head. Beast calls this function for each header line and each trailer.
  if (body_ != nullptr) return;
  if (request_->fields.size() == request_->fields.capacity()) {
    error = kTooManyFields;
    return;
  }
  request_->fields.push_back({ToStdView(name), ToStdView(value)});
  StoreKnownField(field, ToStdView(name), ToStdView(value));
}

void RequestParser::StoreKnownField(Field field, std::string_view name, std::string_view value) {
  const auto store_if = [&](std::string_view lower_name, std::string_view* member) {
    if (http::IsSameName(name, lower_name)) *member = value;
  };
  switch (field) {
    case Field::host:
      ++hosts_;
      request_->host = value;
      break;
    case Field::content_length:
      ++content_lengths_;
      break;
    case Field::transfer_encoding:
      // Counts a value other than "chunked" like two lines Transfer-Encoding, so that
      // HasUnambiguousEnd rejects the request. Beast would accept "gzip, chunked" as a chunked
      // body, but the content of that body is compressed.
      transfer_encodings_ += http::IsSameName(value, "chunked") ? 1 : 2;
      break;
    case Field::authorization:
      request_->authorization = value;
      break;
    case Field::content_type:
      request_->content_type = value;
      break;
    case Field::content_encoding:
      request_->content_encoding = value;
      break;
    case Field::accept_encoding:
      // Like DynamoDB, ignores all lines Accept-Encoding except the first.
      if (request_->accept_encoding.empty()) request_->accept_encoding = value;
      break;
    case Field::date:
      request_->date = value;
      break;
    case Field::origin:
      request_->origin = value;
      break;
    case Field::access_control_request_method:
      request_->cors_method = value;
      break;
    case Field::access_control_request_headers:
      request_->cors_headers = value;
      break;
    case Field::expect:
      request_->expects_continue = !request_->is_http10 && http::IsSameName(value, "100-continue");
      break;
    case Field::unknown:
      if (name.size() == 10) store_if("x-amz-date", &request_->amz_date);
      if (name.size() == 12) store_if("x-amz-target", &request_->amz_target);
      if (name.size() == 20) store_if("x-amz-content-sha256", &request_->amz_content_sha256);
      break;
    default:
      break;
  }
}

// Ignores a body of known length, because the connection uses the received bytes of the body
// directly.
std::size_t RequestParser::on_body_impl(View bytes, ErrorCode&) { return bytes.size(); }

std::size_t RequestParser::on_chunk_body_impl(std::uint64_t, View bytes, ErrorCode&) {
  body_->Append(ToStdView(bytes));
  return bytes.size();
}

std::size_t FindHeadEnd(std::string_view bytes, std::size_t searched) {
  constexpr std::string_view kEmptyLine = "\r\n\r\n";
  const std::size_t from = searched < kEmptyLine.size() ? 0 : searched - (kEmptyLine.size() - 1);
  const std::size_t at = bytes.find(kEmptyLine, from);
  return at == bytes.npos ? at : at + kEmptyLine.size();
}

}  // namespace dolmen::server
