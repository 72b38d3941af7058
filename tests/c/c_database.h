// A database that the tests use through the C interface.

#pragma once

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <string_view>

#include "c/dolmen.h"

namespace dolmen::test {

// A response as a value.
struct CResponse {
  int status = 0;
  std::string body = {};
};

// Calls `call` with a buffer, and frees the buffer.
template <typename Call>
CResponse AnswerOf(Call call) {
  dolmen_buffer buffer = {nullptr, 0};
  const int status = call(&buffer);
  CResponse response = {status, std::string(buffer.data, buffer.size)};
  EXPECT_EQ(buffer.data[buffer.size], '\0');
  dolmen_free(&buffer);
  EXPECT_EQ(buffer.data, nullptr);
  return response;
}

struct CloseDatabase {
  void operator()(dolmen_database* database) const { dolmen_close(database); }
};
using CDatabase = std::unique_ptr<dolmen_database, CloseDatabase>;

// Opens a database and fails the test if that fails.
inline CDatabase OpenC(const std::string& options = "{}") {
  dolmen_database* database = nullptr;
  const CResponse response = AnswerOf(
      [&](dolmen_buffer* buffer) { return dolmen_open(options.c_str(), &database, buffer); });
  EXPECT_EQ(response.status, 200) << response.body;
  EXPECT_EQ(response.body, "");
  return CDatabase(database);
}

inline CResponse Execute(dolmen_database* database, const char* operation,
                         std::string_view request) {
  return AnswerOf([&](dolmen_buffer* buffer) {
    return dolmen_execute(database, operation, request.data(), request.size(), buffer);
  });
}

// Creates the table "app" with the key PK, a stream and a time to live.
inline void CreateApp(dolmen_database* database) {
  const CResponse created = Execute(database, "CreateTable", R"({"TableName": "app",
      "BillingMode": "PAY_PER_REQUEST",
      "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
      "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
      "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"}})");
  EXPECT_EQ(created.status, 200) << created.body;
  const CResponse enabled = Execute(database, "UpdateTimeToLive", R"({"TableName": "app",
      "TimeToLiveSpecification": {"Enabled": true, "AttributeName": "expires"}})");
  EXPECT_EQ(enabled.status, 200) << enabled.body;
}

inline CResponse Put(dolmen_database* database, const std::string& key) {
  return Execute(database, "PutItem",
                 R"({"TableName": "app", "Item": {"PK": {"S": ")" + key + R"("}}})");
}

// Returns the response of GetItem: "{}" if the item does not exist.
inline std::string Get(dolmen_database* database, const std::string& key) {
  return Execute(database, "GetItem",
                 R"({"TableName": "app", "Key": {"PK": {"S": ")" + key + R"("}}})")
      .body;
}

inline std::string Stored(const std::string& key) {
  return R"({"Item":{"PK":{"S":")" + key + R"("}}})";
}

MATCHER_P3(IsAnswer, status, name, message,
           "has the status " + testing::PrintToString(status) + ", the name " + name +
               " and a message that " + testing::DescribeMatcher<std::string>(message)) {
  const bool has_name = arg.body.find(std::string("#") + name + '"') != std::string::npos;
  *result_listener << arg.status << " " << arg.body;
  return arg.status == status && has_name &&
         testing::ExplainMatchResult(message, arg.body, result_listener);
}

}  // namespace dolmen::test
