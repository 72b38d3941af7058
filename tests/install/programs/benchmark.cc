// Benchmarks of a to-do list.

#include <dolmen/design/benchmark.h>
#include <dolmen/entity.h>
using namespace dolmen;

struct Task {
  std::string list = {}, id = {}, text = {};
};
constexpr auto DescribeEntity(const Task*) {
  return DefineEntity<Task>(
      "task",
      {Attribute<&Task::list>("list"), Attribute<&Task::id>("id").IfUnset<NewUlid>(),
       Attribute<&Task::text>("text")},
      {PrimaryKey("LIST#{list}", "TASK#{id}")});
}

Result<EntityTable> Open(const Database& database, RequestObserver observer) {
  return EntityTable::Open(database, {.name = "to-do", .observer = std::move(observer)});
}
Status Load(const EntityTable& table, std::size_t tasks) {  // ten tasks in each list
  std::vector<Task> all;
  for (std::size_t i = 0; i < tasks; ++i)
    all.push_back({.list = std::to_string(i / 10), .text = "Buy bread"});
  return table.BatchPut(std::move(all));
}

int main(int argc, char** argv) {
  ModelBenchmark<EntityTable>({.name = "to-do", .open = Open, .load = Load})
      .Pattern("tasks of a list",
               [](const EntityTable& table, BenchmarkCall call) {
                 const std::string list = std::to_string(call.number % (call.size / 10));
                 return table.Query<Task>().With<&Task::list>(list).All();
               })
      .Pattern("add a task", [](const EntityTable& table) {
        return table.Create(Task{.list = "later", .text = "Call Bob"});
      });
  return RunModelBenchmarks(argc, argv);
}
