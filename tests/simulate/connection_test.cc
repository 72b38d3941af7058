// Faults of connections, with and without a server that breaks the connection.

#include <thread>

#include "database/simulate/connection_fault.h"
#include "tests/simulate/fixture.h"

namespace dolmen::simulate {
namespace {

using internal::ConnectionFault;
using internal::ConnectionFaultReceiver;
using testing::HasSubstr;

class ConnectionTest : public SimulateTest {};

TEST_F(ConnectionTest, ACallerInTheProcessGetsAnErrorThatNamesTheFault) {
  Simulate({{.fault = Fault::kDroppedConnection}});
  EXPECT_THAT(Put("before", "1"),
              StatusIs(StatusCode::kServiceUnavailable, HasSubstr("before the response")));
  EXPECT_FALSE(Exists("before", "1"));
  Simulate({{.fault = Fault::kDroppedConnection, .moment = FaultMoment::kAfter}});
  EXPECT_THAT(Put("after", "1"), StatusIs(StatusCode::kServiceUnavailable, _));
  EXPECT_TRUE(Exists("after", "1"));
  Simulate({{.fault = Fault::kHalfResponse}});
  EXPECT_THAT(Put("half", "1"),
              StatusIs(StatusCode::kServiceUnavailable, HasSubstr("half of the response")));
  EXPECT_EQ(TraceText(), "PutItem table=app key=half call=1 fault=HalfResponse after\n");
  EXPECT_TRUE(Exists("half", "1"));
}

TEST_F(ConnectionTest, AServerGetsTheFaultAndTheResponse) {
  const ConnectionFaultReceiver receiver;
  Simulate({{.fault = Fault::kServiceUnavailable}});
  EXPECT_THAT(Get("p", "1"), StatusIs(StatusCode::kServiceUnavailable, _));
  EXPECT_EQ(receiver.fault(), ConnectionFault::kNone);
  Simulate({{.fault = Fault::kHalfResponse}});
  EXPECT_THAT(Get("p", "1"), IsOk());
  EXPECT_EQ(receiver.fault(), ConnectionFault::kHalfResponse);
  Simulate({{.fault = Fault::kDroppedConnection}});
  EXPECT_THAT(Put("new", "1"), StatusIs(StatusCode::kServiceUnavailable, _));
  EXPECT_EQ(receiver.fault(), ConnectionFault::kDropped);
  EXPECT_FALSE(Exists("new", "1"));
}

TEST_F(ConnectionTest, AFailedOperationKeepsItsErrorAndItsConnection) {
  const ConnectionFaultReceiver receiver;
  Simulate({{.fault = Fault::kHalfResponse}});
  EXPECT_THAT(table_.PutItem({.item = KeyOf("p", "1"), .condition = "attribute_not_exists(PK)"}),
              StatusIs(StatusCode::kConditionalCheckFailed, _));
  EXPECT_EQ(receiver.fault(), ConnectionFault::kNone);
}

TEST_F(ConnectionTest, AReceiverHearsOnlyItsOwnThreadAndTheLatestOneIsUsed) {
  const ConnectionFaultReceiver outer;
  {
    const ConnectionFaultReceiver inner;
    EXPECT_TRUE(ConnectionFaultReceiver::Report(ConnectionFault::kDropped));
    EXPECT_EQ(inner.fault(), ConnectionFault::kDropped);
  }
  EXPECT_EQ(outer.fault(), ConnectionFault::kNone);
  bool received = true;
  std::thread([&] {
    received = ConnectionFaultReceiver::Report(ConnectionFault::kDropped);
  }).join();
  EXPECT_FALSE(received);
  EXPECT_TRUE(ConnectionFaultReceiver::Report(ConnectionFault::kHalfResponse));
  EXPECT_EQ(outer.fault(), ConnectionFault::kHalfResponse);
}

}  // namespace
}  // namespace dolmen::simulate
