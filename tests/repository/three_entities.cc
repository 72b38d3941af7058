// An ordinary application of three entities. application_cost_test.sh compiles it.

#include <dolmen/entity.h>

#include <iostream>
#include <string>
#include <utility>

using namespace dolmen;

struct TaskList {
  std::string id = {}, title = {};
  Timestamp created_at = {};
};
constexpr auto DescribeEntity(const TaskList*) {
  return DefineEntity<TaskList>("list",
                                {Attribute<&TaskList::id>("list").IfUnset<NewUlid>(),
                                 Attribute<&TaskList::title>("title").Required(),
                                 Attribute<&TaskList::created_at>("createdAt").IfUnset<Now>()},
                                {PrimaryKey("LIST#{list}", "LIST")});
}

struct Member {
  std::string list = {}, user = {};
};
constexpr auto DescribeEntity(const Member*) {
  return DefineEntity<Member>(
      "member", {Attribute<&Member::list>("list"), Attribute<&Member::user>("user")},
      {PrimaryKey("LIST#{list}", "MEMBER#{user}"), IndexKey("GSI1", "USER#{user}", "LIST#{list}")});
}

struct Task {
  std::string list = {}, id = {}, text = {};
  bool done = false;
  int priority = 3;
};
constexpr auto DescribeEntity(const Task*) {
  return DefineEntity<Task>(
      "task",
      {Attribute<&Task::list>("list"), Attribute<&Task::id>("id").IfUnset<NewUlid>(),
       Attribute<&Task::text>("text").ReadOnly(), Attribute<&Task::done>("done"),
       Attribute<&Task::priority>("priority")},
      {PrimaryKey("LIST#{list}", "TASK#{id}")});
}
static_assert(CheckTable<TaskList, Member, Task>());

class ToDo {
 public:
  explicit ToDo(EntityTable table) : table_(std::move(table)) {}
  Result<TaskList> Open(const std::string& title) const {
    return table_.Create(TaskList{.title = title});
  }
  Status Rename(TaskList list, const std::string& title) const {
    list.title = title;
    return table_.Put(list).status();
  }
  Status Join(const Member& member) const { return table_.Create(member).status(); }
  Status Add(const Member& by, const std::string& text) const {
    return table_.Transact().Require(by).Create(Task{.list = by.list, .text = text}).Commit();
  }
  Status Finish(const Task& task) const {
    return table_.Update(task, Changes<Task>().Set<&Task::done>(true)).status();
  }
  auto Tasks(const std::string& list) const {
    return table_.Query<Task>().With<&Task::list>(list).All();
  }
  auto ListsOf(const std::string& user) const {
    return table_.Query<Member>("GSI1").With<&Member::user>(user).All();
  }

 private:
  EntityTable table_;
};

int main() {
  const auto database = Database::InMemory();
  if (!database) return 1;
  const auto table = EntityTable::Open(*database, {.name = "to-do", .indexes = {"GSI1"}});
  if (!table) return 1;
  const ToDo todo(*table);
  auto home = todo.Open("Home");
  if (!home || !todo.Rename(*home, "At home").ok()) return 1;
  if (!todo.Join({home->id, "ann"}).ok() || !todo.Join({home->id, "bob"}).ok()) return 1;
  if (!todo.Add({home->id, "ann"}, "Buy bread").ok()) return 1;
  std::cout << todo.Add({home->id, "eve"}, "Call me").message() << '\n';
  const auto lists = todo.ListsOf("bob");
  if (!lists || lists->empty()) return 1;
  const auto tasks = todo.Tasks(lists->front().list);
  return tasks && tasks->size() == 1 && todo.Finish(tasks->front()).ok() ? 0 : 1;
}
