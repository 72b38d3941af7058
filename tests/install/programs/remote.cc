// A program of an external project that uses a table of a service. argv[1] is the URL of the service.

#include <dolmen/dolmen.h>

#include <cstdio>

int main(int, char** argv) {
  using namespace dolmen;
  auto db = Database::Connect({.endpoint = argv[1]});
  if (!db) return std::puts(db.status().message().c_str());
  auto table = db->CreateTable({.name = "app"});
  if (!table) return std::puts(table.status().message().c_str());
  auto put = table->PutItem({.item = {{"PK", "a"}, {"SK", "b"}, {"n", 1}}});
  if (!put) return std::puts(put.status().message().c_str());
  auto got = table->GetItem({.key = {{"PK", "a"}, {"SK", "b"}}});
  const bool found = got.ok() && got->item && (*got->item)["n"].AsInt64() == 1;
  std::puts(found ? "ok" : "GetItem did not return the item that PutItem stored");
  return found ? 0 : 1;
}
