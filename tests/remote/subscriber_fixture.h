// A fixture with a remote table that has a stream, and handlers that keep the records they receive.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/update_builder.h"
#include "tests/behaviour/subscription_fixture.h"
#include "tests/remote/backend_fixture.h"

namespace dolmen::remote {

using behaviour::Given;
using behaviour::SortKeyOf;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using test::IsOkAndHolds;
using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

inline constexpr auto kInUse = StatusCode::kResourceInUse;

class SubscriberTest : public BackendTest {
 protected:
  static constexpr char kState[] = "dolmen-subscriptions";

  static SubscribeInput ByHand(const StreamPosition& start = {}) {
    return {.name = "reader", .start = start, .in_background = false};
  }
  static SubscribeInput InBackground() {
    return {.name = "reader", .retry_after = std::chrono::milliseconds(1)};
  }

  Subscription Subscribe(const SubscribeInput& input) {
    return Value(table_.Subscribe(input, given_.Handler()));
  }
  // Subscribes as another process does.
  Subscription SubscribeElsewhere(const SubscribeInput& input) {
    return Value(Value(Connect().OpenTable("app")).Subscribe(input, given_.Handler()));
  }

  void Put(const std::string& partition, const std::string& sort) const {
    EXPECT_THAT(Value(local_.OpenTable("app")).PutItem({.item = {{"PK", partition}, {"SK", sort}}}),
                IsOk());
  }
  void Put(const std::string& sort) const { Put("p", sort); }

  void SetStream(bool enabled) const {
    StreamSpecification stream{.enabled = enabled};
    if (enabled) stream.view_type = StreamViewType::kNewAndOldImages;
    EXPECT_THAT(local_.UpdateTable({.name = "app", .stream_specification = stream}), IsOk());
  }

  // Cuts all connections. Returns the port of the server.
  std::uint16_t StopServer() {
    const std::uint16_t port = server_->port();
    server_.reset();
    return port;
  }
  void StartServer(std::uint16_t port) {
    server_ =
        Value(server::Server::Start(server::Service{.endpoint = Endpoint(local_), .clock = clock_},
                                    {.port = port, .threads = 2}));
  }

  // Stores the lease as another process that takes it from its owner.
  void StealLease() const {
    const Item key{{"PK", "app/reader"}, {"SK", "lease"}};
    EXPECT_THAT(
        Value(local_.OpenTable(kState))
            .UpdateItem({.key = key, .update = Update().Set("owner", "thief").Add("epoch", 1)}),
        IsOk());
  }

  const Table table_ =
      Value(remote_.CreateTable({.name = "app",
                                 .stream_specification = StreamSpecification{
                                     .view_type = StreamViewType::kNewAndOldImages}}));
  Given given_;
};

}  // namespace dolmen::remote
