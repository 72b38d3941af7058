// A program of an external project that declares an entity. CMakeLists.txt compiles it with
// -fno-exceptions and -fno-rtti.

#include <dolmen/dolmen.h>
#include <dolmen/entity.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>

using namespace dolmen;

struct Task {
  std::string list = {}, id = {}, text = {};
  bool done = false;
};
constexpr auto DescribeEntity(const Task*) {
  return DefineEntity<Task>("task",
                            {Attribute<&Task::list>("list"), Attribute<&Task::id>("id"),
                             Attribute<&Task::text>("text"), Attribute<&Task::done>("done")},
                            {PrimaryKey("LIST#{list}", "TASK#{id}")});
}

// A class of the user that derives from a class of Dolmen.
class FixedClock : public Clock {
 public:
  Timestamp Now() override { return Timestamp(std::chrono::hours(24)); }
};

int main() {
  auto db = Database::InMemory({.clock = std::make_shared<FixedClock>()});
  if (!db) return std::puts(db.status().message().c_str());
  auto table = EntityTable::Open(*db, {.name = "app"});
  if (!table) return std::puts(table.status().message().c_str());
  const Task bread = {.list = "home", .id = "1", .text = "Buy bread"};
  if (!table->Create(bread).ok()) return std::puts("Create failed");
  if (!table->Update(bread, Changes<Task>().Set<&Task::done>(true)).ok()) {
    return std::puts("Update failed");
  }
  const auto tasks = table->Query<Task>().With<&Task::list>("home").All();
  const bool found = tasks.ok() && tasks->size() == 1 && tasks->front().done;
  std::puts(found ? "ok" : "Query did not return the updated task");
  return found ? 0 : 1;
}
