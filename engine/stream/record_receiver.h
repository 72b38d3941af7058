// The handler of a subscription and the filter in front of it. This header is not installed.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "dolmen/result.h"
#include "dolmen/streams.h"
#include "dolmen/subscription.h"
#include "engine/backend.h"

namespace dolmen::internal {

// Passes the records that match the filter of a subscription to its handler. Not thread-safe.
class RecordReceiver {
 public:
  // - kValidation: the name is empty or too long, the handler is empty, or the filter is malformed.
  static Result<std::unique_ptr<RecordReceiver>> Make(const SubscribeInput& input,
                                                      SubscriptionHandler handler);
  RecordReceiver(const RecordReceiver&) = delete;
  RecordReceiver& operator=(const RecordReceiver&) = delete;
  ~RecordReceiver();

  const SubscribeInput& input() const { return input_; }
  // Returns true if the handler is a PageHandler.
  bool takes_pages() const { return std::holds_alternative<PageHandler>(handler_); }

  // Calls the handler unless the filter rejects the record. Returns true if the handler was called
  // and has succeeded, and false if the filter rejects the record.
  // - The error that the handler returned, unchanged.
  // - kValidation: the handler threw an exception; the message has its text.
  // - kCorruption: an item of the record is damaged.
  // REQUIRES: !takes_pages()
  Result<bool> Receive(const StreamRecord& record) const;
  // Calls the handler with all records that the filter accepts, unless there are none. Returns their
  // number. Fails as Receive does.
  // REQUIRES: takes_pages()
  Result<std::size_t> ReceivePage(std::span<const StreamRecord> page) const;

 private:
  struct Filter;
  RecordReceiver(const SubscribeInput& input, SubscriptionHandler handler);

  Result<bool> Passes(const StreamRecord& record) const;
  template <typename Handler, typename Records>
  Status CallHandler(const Handler& handler, const Records& records) const;

  const SubscribeInput input_;
  const SubscriptionHandler handler_;
  std::unique_ptr<Filter> filter_;
};

// Returns the error for a name that a running subscription has.
Status SubscriptionIsRunning(const std::string& name);
// Returns the error for a name under which no position is stored.
Status NoSuchSubscription(const std::string& name);
// Returns the error for a table that has no stream.
Status NoStream(const std::string& table);

}  // namespace dolmen::internal
