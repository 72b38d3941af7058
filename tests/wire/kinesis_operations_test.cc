// Tests of the operations on Kinesis streaming destinations in DynamoDB's JSON.

#include <string>

#include "tests/wire/tables.h"

namespace dolmen {
namespace {

constexpr std::string_view kFirst = "arn:aws:kinesis:us-east-1:000000000000:stream/first";
constexpr std::string_view kSecond = "arn:aws:kinesis:us-east-1:000000000000:stream/second";
constexpr std::string_view kNotStored =
    R"("DestinationStatusDescription":"Dolmen stores this destination, but sends no records to it.")";

class KinesisOperationsTest : public WireTableTest {
 protected:
  KinesisOperationsTest() { EXPECT_TRUE(db_.CreateTable({.name = "table"}).ok()); }

  static std::string On(std::string_view arn, std::string_view more = "") {
    return Object({R"("TableName":"table")", R"("StreamArn":")" + std::string(arn) + "\"", more});
  }
  static std::string Precise(std::string_view change, std::string_view precision) {
    return "\"" + std::string(change) +
           R"(KinesisStreamingConfiguration":{"ApproximateCreationDateTimePrecision":")" +
           std::string(precision) + "\"}";
  }
  // Expects that DescribeKinesisStreamingDestination returns these destinations.
  void ExpectDestinations(const std::string& destinations) {
    EXPECT_EQ(Body("DescribeKinesisStreamingDestination", R"({"TableName":"table"})"),
              R"({"TableName":"table","KinesisDataStreamDestinations":[)" + destinations + "]}");
  }
};

TEST_F(KinesisOperationsTest, ATableHasNoDestinationAtFirst) { ExpectDestinations(""); }

TEST_F(KinesisOperationsTest, ADestinationIsEnabledChangedAndDisabled) {
  EXPECT_EQ(Body("EnableKinesisStreamingDestination", On(kFirst)),
            On(kFirst, R"("DestinationStatus":"ENABLING")"));
  ExpectDestinations(R"({"DestinationStatus":"ACTIVE",)" + std::string(kNotStored) +
                     R"(,"StreamArn":")" + std::string(kFirst) + "\"}");
  const std::string micro = Precise("Update", "MICROSECOND");
  EXPECT_EQ(Body("UpdateKinesisStreamingDestination", On(kFirst, micro)),
            On(kFirst, R"("DestinationStatus":"UPDATING",)" + micro));
  EXPECT_EQ(Body("DisableKinesisStreamingDestination", On(kFirst)),
            On(kFirst, R"("DestinationStatus":"DISABLING")"));
  ExpectDestinations(
      R"({"ApproximateCreationDateTimePrecision":"MICROSECOND","DestinationStatus":"DISABLED",)"
      R"("StreamArn":")" +
      std::string(kFirst) + "\"}");
}

TEST_F(KinesisOperationsTest, ATableHasOneLiveDestination) {
  const std::string milli = Precise("Enable", "MILLISECOND");
  EXPECT_EQ(Body("EnableKinesisStreamingDestination", On(kFirst, milli)),
            On(kFirst, R"("DestinationStatus":"ENABLING",)" + milli));
  ExpectInvalid("EnableKinesisStreamingDestination", On(kSecond),
                "Table is not in a valid state to enable Kinesis Streaming Destination: "
                "EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform "
                "ENABLE operation.");
  Body("DisableKinesisStreamingDestination", On(kFirst));
  Body("EnableKinesisStreamingDestination", On(kSecond));
}

TEST_F(KinesisOperationsTest, OnlyAnActiveDestinationCanBeChanged) {
  constexpr std::string_view kInactive =
      "Table is not in a valid state to enable Kinesis Streaming Destination: "
      "KinesisStreamingDestination must be ACTIVE to perform ";
  ExpectInvalid("DisableKinesisStreamingDestination", On(kFirst),
                std::string(kInactive) + "DISABLE operation.");
  ExpectInvalid("UpdateKinesisStreamingDestination", On(kFirst, Precise("Update", "MICROSECOND")),
                std::string(kInactive) + "UPDATE operation.");
  Body("EnableKinesisStreamingDestination", On(kFirst));
  ExpectInvalid(
      "UpdateKinesisStreamingDestination", On(kFirst, Precise("Update", "MILLISECOND")),
      std::string(kInvalid) + "ApproximateCreationDateTimePrecision is already set to MILLISECOND");
  ExpectInvalid("DisableKinesisStreamingDestination", On(kFirst, Precise("Enable", "MICROSECOND")),
                "EnableKinesisStreamingConfiguration cannot be specified when a Kinesis Streaming "
                "Destination is disabled");
}

TEST_F(KinesisOperationsTest, TheTableMustExist) {
  ExpectNotFound("DescribeKinesisStreamingDestination", R"({"TableName":"none"})",
                 "Requested resource not found: Table: none not found");
}

}  // namespace
}  // namespace dolmen
