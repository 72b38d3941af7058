#include "remote/http_pool.h"

#include <curl/curl.h>

#include <algorithm>
#include <utility>

#include "engine/base/standard_descriptors.h"
#include "http/header_text.h"

namespace dolmen::remote {
namespace {

constexpr std::string_view kAllInUse = "all connections are in use (connections_max)";

// The longest time that an idle connection is kept. Load balancers and proxies often close it after a
// minute. A request on a connection that is just being closed fails.
constexpr long kIdleSecondsMax = 50;

// The lines of a header, for libcurl.
class HeaderLines {
 public:
  explicit HeaderLines(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) Add(line.c_str());
    Add("Expect:");  // without it libcurl waits for "100 Continue" before it sends a large body
  }
  ~HeaderLines() { curl_slist_free_all(list_); }
  HeaderLines(const HeaderLines&) = delete;
  HeaderLines& operator=(const HeaderLines&) = delete;

  curl_slist* get() const { return list_; }

 private:
  void Add(const char* line) {
    if (curl_slist* const longer = curl_slist_append(list_, line)) list_ = longer;
  }

  curl_slist* list_ = nullptr;
};

// The state of one exchange, which libcurl's callbacks change.
struct Exchange {
  HttpResponse response = {};
  bool sent_once = false;
  std::size_t response_bytes_max = 0;
  int times_sent = 0;
  bool refused = false;   // libcurl wanted to send the request again
  bool has_head = false;  // the whole header of the last response has arrived
  bool too_large = false;
};

// Is called by libcurl with a connection, before it sends the request.
int BeforeSending(void* exchange_of, char*, char*, int, int) {
  auto* const exchange = static_cast<Exchange*>(exchange_of);
  exchange->refused = exchange->sent_once && exchange->times_sent > 0;
  if (exchange->refused) return CURL_PREREQFUNC_ABORT;
  ++exchange->times_sent;
  return CURL_PREREQFUNC_OK;
}

std::size_t ReceiveLine(char* bytes, std::size_t, std::size_t count, void* exchange_of) {
  auto* const exchange = static_cast<Exchange*>(exchange_of);
  HttpResponse& response = exchange->response;
  std::string_view line(bytes, count);
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  if (line.starts_with("HTTP/")) exchange->has_head = false;
  if (line.empty()) exchange->has_head = true;
  const std::size_t colon = line.find(':');
  if (colon == line.npos) return count;
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = http::Trimmed(line.substr(colon + 1));
  if (http::IsSameName(name, "date")) response.date = value;
  if (http::IsSameName(name, "x-amz-crc32")) response.crc32 = value;
  return count;
}

std::size_t ReceiveBody(char* bytes, std::size_t, std::size_t count, void* exchange_of) {
  auto* const exchange = static_cast<Exchange*>(exchange_of);
  std::string& body = exchange->response.body;
  exchange->too_large = body.size() + count > exchange->response_bytes_max;
  if (exchange->too_large) return 0;  // ends the exchange
  body.append(bytes, count);
  return count;
}

long Milliseconds(std::chrono::milliseconds time) {
  return static_cast<long>(std::max<std::chrono::milliseconds::rep>(1, time.count()));
}

void SetConnection(CURL* curl, const HttpRequest& request, const std::string& ca_file) {
  curl_easy_reset(curl);  // keeps the connection
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, Milliseconds(request.connect_timeout));
  curl_easy_setopt(curl, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(curl, CURLOPT_MAXAGE_CONN, kIdleSecondsMax);
  curl_easy_setopt(curl, CURLOPT_MAXCONNECTS, 1L);
  if (!request.proxy) curl_easy_setopt(curl, CURLOPT_PROXY, "");
  if (!ca_file.empty()) curl_easy_setopt(curl, CURLOPT_CAINFO, ca_file.c_str());
}

void SetMessage(CURL* curl, const HttpRequest& request, const HeaderLines& lines) {
  const std::string_view method = request.method;
  if (method == "GET") {
    curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
  } else {
    curl_easy_setopt(curl, CURLOPT_POST, 1L);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.empty() ? "" : request.body.data());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request.body.size()));
    if (method != "POST") curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request.method);
  }
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, lines.get());
}

void SetReceiver(CURL* curl, Exchange* exchange, char* error) {
  curl_easy_setopt(curl, CURLOPT_PREREQFUNCTION, BeforeSending);
  curl_easy_setopt(curl, CURLOPT_PREREQDATA, exchange);
  curl_easy_setopt(curl, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);  // those of a proxy
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, ReceiveLine);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, exchange);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, ReceiveBody);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, exchange);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error);
}

// Returns true if the certificate of the server, or the file with the certificates to trust, is wrong.
bool IsNotTrusted(CURLcode code) {
  return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE;
}

HttpOutcome OutcomeOf(CURLcode code, long status, const Exchange& exchange) {
  // libcurl accepts a response whose connection has ended within the header.
  const bool has_response = exchange.has_head && status >= 200;  // a lower one precedes a response
  if (code == CURLE_OK) return has_response ? HttpOutcome::kResponse : HttpOutcome::kLost;
  if (exchange.times_sent == 0) {
    return IsNotTrusted(code) ? HttpOutcome::kNotTrusted : HttpOutcome::kNotSent;
  }
  if (exchange.too_large) return HttpOutcome::kTooLarge;
  return code == CURLE_OPERATION_TIMEDOUT ? HttpOutcome::kTimeout : HttpOutcome::kLost;
}

std::string ErrorOf(CURLcode code, const Exchange& exchange, const std::string& detail) {
  if (exchange.refused) return "the server has closed the kept connection";
  if (code == CURLE_OK) return "the connection has ended within the response's header";
  std::string words = detail.front() == '\0' ? curl_easy_strerror(code) : detail.c_str();
  if (IsNotTrusted(code)) {
    words.append(" (AWS_CA_BUNDLE names the file with the certificates to trust)");
  }
  return words;
}

HttpResponse Perform(CURL* curl, const HttpRequest& request, std::chrono::milliseconds timeout,
                     const std::string& ca_file) {
  Exchange exchange{.sent_once = request.sent_once,
                    .response_bytes_max = request.response_bytes_max};
  const HeaderLines lines(request.fields);
  std::string error(CURL_ERROR_SIZE, '\0');
  SetConnection(curl, request, ca_file);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, Milliseconds(timeout));
  SetMessage(curl, request, lines);
  SetReceiver(curl, &exchange, error.data());
  const CURLcode code = curl_easy_perform(curl);
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, nullptr);
  HttpResponse response = std::move(exchange.response);
  response.status = static_cast<int>(status);
  response.was_resent = exchange.times_sent > 1;
  response.outcome = OutcomeOf(code, status, exchange);
  if (response.outcome != HttpOutcome::kResponse) response.error = ErrorOf(code, exchange, error);
  return response;
}

}  // namespace

HttpPool::HttpPool(std::size_t connections_max, std::string ca_file)
    : connections_max_(std::max<std::size_t>(1, connections_max)), ca_file_(std::move(ca_file)) {
  OpenStandardDescriptors();  // printed text must not go to a connection
  // Is thread-safe since libcurl 7.84, and counts its calls.
  curl_global_init(CURL_GLOBAL_DEFAULT);
}

HttpPool::~HttpPool() {
  for (void* const handle : free_) curl_easy_cleanup(handle);
  curl_global_cleanup();
}

HttpResponse HttpPool::Send(const HttpRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  void* const handle = Take(request.timeout);
  if (handle == nullptr) {
    return {.outcome = HttpOutcome::kNotSent, .error = std::string(kAllInUse)};
  }
  const auto waited = std::chrono::steady_clock::now() - start;
  const auto left = request.timeout - std::chrono::floor<std::chrono::milliseconds>(waited);
  HttpResponse response = {.outcome = HttpOutcome::kNotSent, .error = std::string(kAllInUse)};
  if (left > std::chrono::milliseconds(0)) response = Perform(handle, request, left, ca_file_);
  GiveBack(handle);
  return response;
}

std::size_t HttpPool::handles() const {
  const MutexLock lock(mutex_);
  return handles_;
}

void* HttpPool::Take(std::chrono::milliseconds timeout) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  const MutexLock lock(mutex_);
  while (free_.empty() && handles_ >= connections_max_) {
    if (std::chrono::steady_clock::now() >= deadline) return nullptr;
    returned_.WaitUntil(mutex_, deadline);
  }
  if (!free_.empty()) {
    void* const handle = free_.back();
    free_.pop_back();
    return handle;
  }
  void* const handle = curl_easy_init();
  if (handle != nullptr) ++handles_;
  return handle;
}

void HttpPool::GiveBack(void* handle) {
  const MutexLock lock(mutex_);
  free_.push_back(handle);
  returned_.NotifyOne();
}

}  // namespace dolmen::remote
