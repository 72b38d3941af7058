// A program of an external project that uses DynamoDB's JSON.

#include <dolmen/wire.h>

#include <cstdio>

int main() {
  const auto db = dolmen::Database::InMemory();
  if (!db) return std::puts(db.status().message().c_str());
  const std::string body = dolmen::Endpoint(*db).Execute("ListTables", "{}").body;
  std::puts(body.c_str());
  return body == R"({"TableNames":[]})" ? 0 : 1;
}
