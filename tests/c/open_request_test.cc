// Tests of the options of dolmen_open.

#include "c/open_request.h"

#include <chrono>
#include <cstddef>
#include <string>

#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using c::OpenRequest;
using c::ParseOpenRequest;
using testing::AllOf;
using testing::HasSubstr;

TEST(OpenRequestTest, NoOptionsMeanTheDefaults) {
  for (const char* options : {"{}", R"({"Directory": null, "ReadOnly": null})"}) {
    const OpenRequest request = Value(ParseOpenRequest(options));
    const OpenOptions defaults;
    EXPECT_FALSE(request.directory.has_value());
    EXPECT_TRUE(request.open.create_if_missing);
    EXPECT_FALSE(request.open.read_only);
    EXPECT_EQ(request.open.durability, Durability::kSync);
    EXPECT_EQ(request.open.on_conflict, OnConflict::kWait);
    EXPECT_EQ(request.open.expiry_lag, std::chrono::seconds(60));
    EXPECT_EQ(request.open.cache_bytes, defaults.cache_bytes);
    EXPECT_EQ(request.open.row_cache_bytes, defaults.row_cache_bytes);
    EXPECT_EQ(request.open.clock->AsManualClock(), nullptr);
    EXPECT_FALSE(request.open.encryption_key.has_value());
    EXPECT_EQ(request.endpoint.region, "us-east-1");
    EXPECT_EQ(request.endpoint.account, "000000000000");
  }
}

TEST(OpenRequestTest, EachOptionSetsItsField) {
  const OpenRequest request = Value(ParseOpenRequest(
      R"({"Directory": "a/b", "CreateIfMissing": false, "ReadOnly": true, "Durability": "buffered",
          "OnConflict": "fail", "CacheBytes": 1000, "RowCacheBytes": 0, "ExpiryLagSeconds": 0,
          "Clock": "2026-04-15T10:30:00Z", "Region": "eu-west-1",
          "Account": "123456789012", "EncryptionKey": "0A)" +
      std::string(62, '0') + "\"}"));
  EXPECT_EQ(request.directory, "a/b");
  EXPECT_FALSE(request.open.create_if_missing);
  EXPECT_TRUE(request.open.read_only);
  EXPECT_EQ(request.open.durability, Durability::kBuffered);
  EXPECT_EQ(request.open.on_conflict, OnConflict::kFail);
  EXPECT_EQ(request.open.cache_bytes, 1000U);
  EXPECT_EQ(request.open.row_cache_bytes, 0U);
  EXPECT_FALSE(request.open.expiry_lag.has_value());
  EXPECT_EQ(ToIso8601(request.open.clock->Now()), "2026-04-15T10:30:00Z");
  EXPECT_EQ(request.open.encryption_key->front(), std::byte{10});
  EXPECT_EQ(request.endpoint.region, "eu-west-1");
  EXPECT_EQ(request.endpoint.account, "123456789012");
}

TEST(OpenRequestTest, AManualClockBeginsWithATextOrWithMilliseconds) {
  for (const char* options :
       {R"({"Clock": "2026-04-15T10:30:00.250Z"})", R"({"Clock": 1776249000250})"}) {
    const OpenRequest request = Value(ParseOpenRequest(options));
    EXPECT_EQ(ToIso8601(request.open.clock->Now()), "2026-04-15T10:30:00.250Z") << options;
  }
}

TEST(OpenRequestTest, AnErrorNamesTheOptionAndItsValues) {
  struct Case {
    const char* options;
    const char* name;
    const char* accepts;
  };
  for (const Case& wrong : {
           Case{R"({"Directory": ""})", "Directory", "a path"},
           Case{R"({"Directory": "a\u0000b"})", "Directory", "a path"},
           Case{R"({"CreateIfMissing": 1})", "CreateIfMissing", "true or false"},
           Case{R"({"ReadOnly": "true"})", "ReadOnly", "true or false"},
           Case{R"({"Durability": "none"})", "Durability", "sync"},
           Case{R"({"OnConflict": true})", "OnConflict", "wait"},
           Case{R"({"EncryptionKey": "0g"})", "EncryptionKey", "64 hexadecimal digits"},
           Case{R"({"CacheBytes": -1})", "CacheBytes", "a number of bytes"},
           Case{R"({"CacheBytes": 18446744073709551615})", "CacheBytes", "a number of bytes"},
           Case{R"({"CacheBytes": 9223372036854775808})", "CacheBytes", "a number of bytes"},
           Case{R"({"CacheBytes": 1e400})", "CacheBytes", "a number of bytes"},
           Case{R"({"RowCacheBytes": 1.5})", "RowCacheBytes", "a number of bytes"},
           Case{R"({"RowCacheBytes": -9223372036854775808})", "RowCacheBytes", "a number of bytes"},
           Case{R"({"Clock": "noon"})", "Clock", "manual"},
           Case{R"({"Clock": "1969-12-31T23:59:59.999Z"})", "Clock", "1970 to 9998"},
           Case{R"({"Clock": "9999-01-01T00:00:00Z"})", "Clock", "1970 to 9998"},
           Case{R"({"Clock": -1})", "Clock", "1970 to 9998"},
           Case{R"({"Clock": 253370764800000})", "Clock", "1970 to 9998"},
           Case{R"({"Clock": 1.5})", "Clock", "1970 to 9998"},
           Case{R"({"Clock": 18446744073709551615})", "Clock", "1970 to 9998"},
           Case{R"({"Clock": "10000-01-01T00:00:00Z"})", "Clock", "1970 to 9998"},
           Case{R"({"Clock": -9223372036854775808})", "Clock", "1970 to 9998"},
           Case{R"({"Clock": 9223372036854775807})", "Clock", "1970 to 9998"},
           Case{R"({"ExpiryLagSeconds": 31536001})", "ExpiryLagSeconds", "0 to 31536000"},
           Case{R"({"ExpiryLagSeconds": 18446744073709551615})", "ExpiryLagSeconds", "31536000"},
           Case{R"({"ExpiryLagSeconds": -1})", "ExpiryLagSeconds", "0 to 31536000"},
           Case{R"({"Region": "EU"})", "Region", "eu-west-1"},
           Case{R"({"Account": "12345678901x"})", "Account", "12 digits"},
           Case{R"({"Simulate": {"Rules": [{"Chance": "x"}]}})", "Rules[0].Chance", "a number"},
           Case{R"({"Path": "a"})", "Path", "The options are Directory, CreateIfMissing"},
           Case{"[]", "JSON", "not a JSON object"},
           Case{"{", "JSON", "The text of the options is not JSON"},
           Case{R"({"Region": "\ud83d"})", "Region", "half of a surrogate pair"},
       }) {
    EXPECT_THAT(
        ParseOpenRequest(wrong.options),
        StatusIs(StatusCode::kValidation, AllOf(HasSubstr(wrong.name), HasSubstr(wrong.accepts))))
        << wrong.options;
  }
}

}  // namespace
}  // namespace dolmen::test
