// Tests of the observer: it receives a readable description of each request, and the consumed
// capacity.

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

using testing::SizeIs;

class RequestLogTest : public EntityTest {
 protected:
  // Returns the only request since the last call.
  RequestTrace Only() const {
    const std::vector<RequestTrace> traces = log_.Take();
    EXPECT_THAT(traces, SizeIs(1));
    return traces.empty() ? RequestTrace() : traces.front();
  }
  void ExpectRequest(const std::string& operation, const std::string& request, double read_units,
                     double write_units) const {
    const RequestTrace trace = Only();
    EXPECT_EQ(trace.operation, operation);
    EXPECT_EQ(trace.request, request);
    EXPECT_EQ(trace.total().read_units, read_units) << request;
    EXPECT_EQ(trace.total().write_units, write_units) << request;
  }
};

const char* const kRoomKey = "PK = \"HOTEL#h1\", SK = \"ROOM#0101\"";

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;

TEST_F(RequestLogTest, DetailsShowWhatAWriteStoresAndRequires) {
  Value(table().Create(TheRoom()));
  EXPECT_THAT(Only().details,
              ElementsAre(AllOf(HasSubstr("Item = {"), HasSubstr("PK: \"HOTEL#h1\"")),
                          "ConditionExpression = attribute_not_exists(PK)"));
  Value(table().Update(TheRoom(), Changes<Room>().Set<&Room::note>("loud")));
  EXPECT_THAT(Only().details, ElementsAre("SET note = \"loud\""));
  EXPECT_THAT(table().Transact().Require(TheRoom()).Remove(TheRoom()).Commit(),
              test::StatusIs(StatusCode::kValidation, testing::_));
  EXPECT_THAT(table().Transact().Remove(TheRoom()).Commit(), IsOk());
  EXPECT_THAT(log_.Take().back().details,
              ElementsAre("Delete " + std::string(kRoomKey), HasSubstr("  ConditionExpression")));
}

TEST_F(RequestLogTest, DetailsShowFiltersAndTheKeysOfBatches) {
  Value(table().Create(TheRoom()));
  log_.Take();
  Value(table().Query<Room>().With<&Room::hotel_id>("h1").All());
  EXPECT_THAT(Only().details, testing::IsEmpty());
  Value(table()
            .Query<Room>()
            .With<&Room::hotel_id>("h1")
            .Where(AttrOf<&Room::note>() == "loud")
            .Count());
  EXPECT_THAT(Only().details, ElementsAre("FilterExpression = note = \"loud\""));
  Value(table().BatchGet(std::vector{TheRoom()}));
  EXPECT_THAT(Only().details, ElementsAre(kRoomKey));
}

// A room has an entry in one index. A write that changes this entry costs 2 units instead of 1.
TEST_F(RequestLogTest, RecordsWritesWithTheirUnits) {
  Value(table().Create(TheRoom()));
  ExpectRequest("PutItem", kRoomKey, 0, 2);
  Value(table().Put(TheRoom()));
  ExpectRequest("PutItem", kRoomKey, 0, 1);
  Value(table().Update(TheRoom(), Changes<Room>().Set<&Room::note>("loud")));
  ExpectRequest("UpdateItem", kRoomKey, 0, 2);
  EXPECT_THAT(table().Remove(TheRoom()), IsOk());
  ExpectRequest("DeleteItem", kRoomKey, 0, 2);
}

TEST_F(RequestLogTest, RecordsTheWritesOfAMigration) {
  Value(table().Create(TheRoom()));
  log_.Take();
  Value(table().Migrate<Room>([](Room& room) { room.note = "loud"; }));
  EXPECT_THAT(log_.Take(), Contains(AllOf(Field(&RequestTrace::operation, "UpdateItem"),
                                          Field(&RequestTrace::request, kRoomKey))));
}

// All reads of the test except TransactGet are eventually consistent. Each of them costs half a
// unit.
TEST_F(RequestLogTest, RecordsReadsWithTheirUnits) {
  Value(table().Create(TheRoom()));
  log_.Take();
  Value(table().Get(TheRoom()));
  ExpectRequest("GetItem", kRoomKey, 0.5, 0);
  Value(table().Query<Room>().With<&Room::hotel_id>("h1").All());
  ExpectRequest("Query", "PK = \"HOTEL#h1\", begins_with(SK, \"ROOM#\")", 0.5, 0);
  Value(table().BatchGet(std::vector{TheRoom(), Room{.hotel_id = "h1", .number = 102}}));
  EXPECT_EQ(Only().operation, "BatchGetItem");
  Value(table().TransactGet(TheRoom()));
  ExpectRequest("TransactGetItems", kRoomKey, 2, 0);
}

TEST_F(RequestLogTest, RecordsTheItemsThatAReadHasRead) {
  Value(table().Create(TheRoom()));
  EXPECT_EQ(Only().items_read, 0);
  const Room none = {.hotel_id = "h1", .number = 102};
  Value(table().Get(TheRoom()));
  const RequestTrace get = Only();
  EXPECT_EQ(get.items_read, 1);
  EXPECT_GT(get.bytes_read, 0);
  const auto expect_one = [&](const std::string& operation) {
    const RequestTrace trace = Only();
    EXPECT_EQ(trace.operation, operation);
    EXPECT_EQ(trace.items_read, 1);
    EXPECT_EQ(trace.bytes_read, get.bytes_read);
  };
  Value(table().BatchGet(std::vector{TheRoom(), none}));
  expect_one("BatchGetItem");
  Value(table().TransactGet(TheRoom()));
  expect_one("TransactGetItems");
  Value(table().Query<Room>().With<&Room::hotel_id>("h1").All());
  expect_one("Query");
  EXPECT_THAT(Value(table().Scan<Room>().All()), SizeIs(1));
  expect_one("Scan");
}

TEST_F(RequestLogTest, RecordsTheItemsThatAFilterHasRejected) {
  Value(table().Create(TheRoom()));
  const auto rooms = [&] { return table().Query<Room>().With<&Room::hotel_id>("h1"); };
  log_.Take();
  Value(rooms().All());
  const RequestTrace all = Only();
  EXPECT_THAT(Value(rooms().Where(AttrOf<&Room::note>() == "loud").All()), IsEmpty());
  const RequestTrace filtered = Only();
  EXPECT_EQ(filtered.items_read, 1);
  EXPECT_EQ(filtered.bytes_read, all.bytes_read);
}

// A query of two partitions looks for items in two ranges.
TEST_F(RequestLogTest, RecordsTheRangesOfARead) {
  Value(table().Find(TheRoom()));
  EXPECT_EQ(Only().ranges, 0);
  Value(table().Query<Room>().With<&Room::hotel_id>("h1").All());
  EXPECT_EQ(Only().ranges, 1);
  Value(table().Query<Room>().WithEach<&Room::hotel_id>({"h1", "h2"}).All());
  EXPECT_EQ(Only().ranges, 2);
  Value(table().Scan<Room>().All());
  EXPECT_EQ(Only().ranges, 1);
}

TEST_F(RequestLogTest, DescribesAQuery) {
  const auto rooms = [&] {
    return table().Query<Room>("GSI1").With<&Room::kind>(RoomKind::kSuite);
  };
  Value(rooms().With<&Room::price>(90).First());
  EXPECT_EQ(Only().request,
            "IndexName = GSI1, GSI1PK = \"KIND#suite\", GSI1SK = \"PRICE#000090\", Limit = 1");
  Value(rooms().Between<&Room::price>(80, 90).Backward().Page());
  EXPECT_EQ(Only().request,
            "IndexName = GSI1, GSI1PK = \"KIND#suite\", GSI1SK BETWEEN \"PRICE#000080\" AND "
            "\"PRICE#000090\", ScanIndexForward = false");
  Value(rooms().Where(AttrOf<&Room::note>().Exists()).Count());
  EXPECT_THAT(Only().request, HasSubstr("FilterExpression"));
}

TEST_F(RequestLogTest, DescribesATransaction) {
  Value(table().Create(Hotel{.id = "h1", .name = "Rheinblick"}));
  log_.Take();
  ASSERT_THAT(table().Transact().Create(TheRoom()).Require(Hotel{.id = "h1"}).Commit(), IsOk());
  // In a transaction each write costs 2 units: the room's item, its index entry and the condition
  // check.
  ExpectRequest(
      "TransactWriteItems",
      std::string("Put ") + kRoomKey + "; ConditionCheck PK = \"HOTEL#h1\", SK = \"HOTEL\"", 0, 6);
}

TEST_F(RequestLogTest, ConsumedCapacityIsSplitByTableAndIndex) {
  Value(table().Create(TheRoom()));
  const RequestTrace trace = Only();
  ASSERT_THAT(trace.consumed_capacity, SizeIs(1));
  const ConsumedCapacity& consumed = trace.consumed_capacity.front();
  EXPECT_EQ(consumed.table_name, "hotels");
  EXPECT_EQ(consumed.table, (Capacity{.write_units = 1}));
  EXPECT_EQ(consumed.global_secondary_indexes,
            (ConsumedCapacity::ByIndex{{"GSI1", {.write_units = 1}}}));
}

TEST_F(RequestLogTest, RecordsFailedRequests) {
  EXPECT_THAT(table().Remove(TheRoom()), StatusIs(kNotFound, testing::_));
  ExpectRequest("DeleteItem", kRoomKey, 0, 0);
}

TEST_F(RequestLogTest, TakeEmptiesTheLog) {
  Value(table().Create(TheRoom()));
  EXPECT_THAT(log_.Take(), SizeIs(1));
  EXPECT_THAT(log_.Take(), IsEmpty());
}

TEST_F(RequestLogTest, RecordsRequestsOfAnyThread) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 25; ++i) EXPECT_THAT(table().Find(TheRoom()), IsOk());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(log_.Take(), SizeIs(100));
}

}  // namespace
}  // namespace dolmen::hotel
