// A fixture for tests of backups and restores in DynamoDB's JSON, with the table "app" and a clock
// that shows a time of 2025.

#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "tests/wire/fixture.h"

namespace dolmen {

inline constexpr std::string_view kService = "com.amazonaws.dynamodb.v20120810#";

class WireBackupTest : public WireItemTest {
 protected:
  WireBackupTest() {
    clock_->Set(Timestamp(std::chrono::seconds(1'760'000'000)));
    Put(R"({"PK":{"S":"p"},"SK":{"S":"s"},"n":{"N":"1"}})");
  }

  // Returns the text of the first member with this name.
  static std::string TextIn(const std::string& body, const std::string& name) {
    const std::size_t begin = body.find("\"" + name + "\":\"");
    if (begin == std::string::npos) return "";
    const std::size_t text = begin + name.size() + 4;
    return body.substr(text, body.find('"', text) - text);
  }

  std::string CreateBackup(const std::string& name = "backup") {
    return TextIn(Body("CreateBackup", R"({"TableName":"app","BackupName":")" + name + R"("})"),
                  "BackupArn");
  }
  void EnableRecovery() {
    Body("UpdateContinuousBackups", R"({"TableName":"app","PointInTimeRecoverySpecification":)"
                                    R"({"PointInTimeRecoveryEnabled":true}})");
  }
  static std::string OfBackup(std::string_view arn, std::string_view more = "") {
    return R"({"BackupArn":")" + std::string(arn) + "\"" + std::string(more) + "}";
  }
  void ExpectError(std::string_view operation, std::string_view json, std::string_view type,
                   std::string_view message) {
    EXPECT_EQ(Body(operation, json, 400), ErrorBody(std::string(kService).append(type), message));
  }
};

}  // namespace dolmen
