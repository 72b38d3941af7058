// A program that has a RocksDB and gflags of its own, of other versions than those within libdolmen_c.so.

#include <dolmen.h>
#include <gflags/gflags.h>
#include <rocksdb/db.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

DEFINE_string(directory, "", "where both databases are created");

namespace {

constexpr const char* kTable =
    R"({"TableName": "app", "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}]})";

bool Succeeds(dolmen_database* database, const char* operation, const char* request,
              const char* expected) {
  dolmen_buffer response;
  const int status = dolmen_execute(database, operation, request, std::strlen(request), &response);
  const bool as_expected = status == 200 && std::strstr(response.data, expected) != nullptr;
  if (!as_expected) std::fprintf(stderr, "%s: %d %s\n", operation, status, response.data);
  dolmen_free(&response);
  return as_expected;
}

bool Uses(rocksdb::DB* own, int round) {
  const std::string value = std::to_string(round);
  std::string found;
  return own->Put(rocksdb::WriteOptions(), "k", value).ok() &&
         own->Flush(rocksdb::FlushOptions()).ok() &&
         own->Get(rocksdb::ReadOptions(), "k", &found).ok() && found == value;
}

}  // namespace

int main(int argc, char** argv) {
  gflags::ParseCommandLineFlags(&argc, &argv, true);
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::DB* opened = nullptr;
  if (!rocksdb::DB::Open(options, FLAGS_directory + "/own", &opened).ok()) return 1;
  const std::unique_ptr<rocksdb::DB> own(opened);

  dolmen_buffer error;
  dolmen_database* database;
  const std::string open = R"({"Directory": ")" + FLAGS_directory + R"(/dolmen"})";
  if (dolmen_open(open.c_str(), &database, &error) != 200) {
    std::fprintf(stderr, "%s\n", error.data);
    return 1;
  }
  bool succeeded = Succeeds(database, "CreateTable", kTable, "\"ACTIVE\"");
  for (int round = 0; round < 100 && succeeded; ++round) {
    succeeded = Uses(own.get(), round) &&
                Succeeds(database, "PutItem", R"({"TableName": "app", "Item": {"id": {"S": "a"}}})",
                         "{}") &&
                Succeeds(database, "GetItem", R"({"TableName": "app", "Key": {"id": {"S": "a"}}})",
                         "\"a\"");
  }
  dolmen_close(database);
  return succeeded && Uses(own.get(), 100) ? 0 : 1;
}
