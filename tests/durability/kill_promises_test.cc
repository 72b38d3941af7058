// Tests of the promises that entities make about several items: unique values, edges, shards,
// counters and requests. Processes that write such entities are killed. Each promise then holds for
// the whole table.
//
// To test a further promise, add a Promise to Promises().

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "dolmen/entity.h"
#include "dolmen/entity/counter.h"
#include "dolmen/entity/idempotent.h"
#include "dolmen/entity/sharded.h"
#include "engine/base/status_macros.h"
#include "tests/durability/acknowledgements.h"
#include "tests/support/child_process.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

constexpr int kThreads = 3;

// A promise about the items of a table.
struct Promise {
  std::string name = {};

  // Makes a random change. Several threads call it at once. `turn` differs in each call of a
  // thread, and in each process. An error ends the process.
  Status (*write)(const EntityTable& table, Random* random, std::uint64_t turn);

  // Checks the promise. Returns the number of items that it is about.
  std::size_t (*check)(const EntityTable& table);
};

// Returns ok for an error that the change of another thread explains.
Status IgnoreOtherThreads(const Status& status) {
  switch (status.code()) {
    case StatusCode::kResourceInUse:
    case StatusCode::kResourceNotFound:
    case StatusCode::kTransactionConflict:
    case StatusCode::kConditionalCheckFailed:
      return {};
    default:
      return status;
  }
}

// Returns one of `count` names.
std::string Name(const char* kind, std::size_t count, Random* random) {
  return kind + std::to_string(random->Below(count));
}

// --- Each unique value has a claim, and each claim has the value of its owner ---

struct Customer {
  std::string id = {};
  std::string email = {};
};
constexpr auto DescribeEntity(const Customer*) {
  return DefineEntity<Customer>(
             "customer",
             {Attribute<&Customer::id>("customerId"), Attribute<&Customer::email>("email")},
             {PrimaryKey("CUSTOMER#{customerId}", "CUSTOMER")})
      .Unique<&Customer::email>("emailClaim");
}

Status WriteCustomer(const EntityTable& table, Random* random, std::uint64_t /*turn*/) {
  const Customer customer = {.id = Name("id", 60, random), .email = Name("email", 60, random)};
  const Customer other = {.id = Name("id", 60, random), .email = Name("email", 60, random)};
  switch (random->Below(5)) {
    case 0:
      return table.Create(customer).status();
    case 1:
      return table.Put(customer).status();
    case 2:
      return table.Remove(customer);
    case 3:
      return table.Update(customer, Changes<Customer>().Set<&Customer::email>(customer.email))
          .status();
    default:
      if (customer.id == other.id) return {};
      return table.Transact()
          .Remove(customer)
          .Put(Customer{.id = other.id, .email = customer.email})
          .Commit();
  }
}

std::size_t CheckClaims(const EntityTable& table) {
  std::map<std::string, std::string> owned;   // the value of each customer, by the key of its claim
  std::map<std::string, std::string> claims;  // the owner of each claim
  for (const ItemView item : Value(table.table().Scan({}))) {
    const std::string partition(*item["PK"].AsString());
    if (item["entityType"].AsString() == "emailClaim") {
      claims[partition] = *item["ownerPK"].AsString();
      continue;
    }
    const std::string claim = "UNIQUE#emailClaim#" + std::string(*item["email"].AsString());
    EXPECT_TRUE(owned.emplace(claim, partition).second) << claim << " has two owners";
  }
  EXPECT_EQ(claims, owned);
  return owned.size();
}

// --- Each direction of an edge has the other direction, with the same attributes ---

struct Follow {
  std::string user = {};
  std::string other = {};
  std::int64_t weight = 0;
};
struct Follower {
  std::string other = {};
  std::string user = {};
  std::int64_t weight = 0;
};
constexpr auto DescribeEntity(const Follower*) {
  return DefineEntity<Follower>(
      "follower",
      {Attribute<&Follower::other>("other"), Attribute<&Follower::user>("user"),
       Attribute<&Follower::weight>("weight")},
      {PrimaryKey("USER#{other}", "FOLLOWER#{user}")});
}
constexpr auto DescribeEntity(const Follow*) {
  return DefineEntity<Follow>("follow",
                              {Attribute<&Follow::user>("user"), Attribute<&Follow::other>("other"),
                               Attribute<&Follow::weight>("weight")},
                              {PrimaryKey("USER#{user}", "FOLLOWS#{other}")})
      .Edge<Follower>();
}

Status WriteFollow(const EntityTable& table, Random* random, std::uint64_t turn) {
  const Follow follow = {.user = Name("user", 12, random),
                         .other = Name("user", 12, random),
                         .weight = static_cast<std::int64_t>(turn)};
  switch (random->Below(4)) {
    case 0:
      return table.Create(follow).status();
    case 1:
      return table.Put(follow).status();
    case 2:
      return table.Remove(follow);
    default:
      return table.Update(follow, Changes<Follow>().Add<&Follow::weight>(1)).status();
  }
}

std::size_t CheckEdges(const EntityTable& table) {
  std::map<std::pair<std::string, std::string>, std::int64_t> there;
  std::map<std::pair<std::string, std::string>, std::int64_t> back;
  for (const Follow& edge : Value(table.Scan<Follow>().All())) {
    there[{edge.user, edge.other}] = edge.weight;
  }
  for (const Follower& edge : Value(table.Scan<Follower>().All())) {
    back[{edge.user, edge.other}] = edge.weight;
  }
  EXPECT_EQ(there, back);
  EXPECT_EQ(Value(table.VerifyEdges<Follow>({.share = 1})).items_failed, 0U);
  return there.size();
}

// --- A request votes once, and the counter is the number of votes in all shards ---

struct Vote {
  Sharded<8> shard = {};
  std::string id = {};
  std::string request = {};
};
constexpr auto DescribeEntity(const Vote*) {
  return DefineEntity<Vote>(
      "vote",
      {Attribute<&Vote::shard>("shard").IfUnset<Sharded<8>::AtRandom>(),
       Attribute<&Vote::id>("voteId").IfUnset<NewUlid>(), Attribute<&Vote::request>("request")},
      {PrimaryKey("VOTES#{shard}", "{voteId}")});
}

// Two threads at a time send the same request.
Status CastVote(const EntityTable& table, Random* /*random*/, std::uint64_t turn) {
  const std::string request = "request " + std::to_string(turn / 2);
  EntityTransaction transaction = table.Transact();
  transaction.Create(Vote{.request = request});
  Counter(table, "votes").Add(1, &transaction);
  return CommitOnce(table, std::move(transaction), request, std::chrono::hours(1)).status();
}

std::size_t CheckVotes(const EntityTable& table) {
  const auto votes = Value(table.Query<Vote>().AllShards<&Vote::shard>().All());
  std::set<std::string> requests;
  for (const Vote& vote : votes) {
    EXPECT_TRUE(requests.insert(vote.request).second) << vote.request << " has voted twice";
  }
  EXPECT_EQ(Value(Counter(table, "votes").Value()), static_cast<std::int64_t>(votes.size()));
  EXPECT_EQ(Value(table.Scan<CommittedRequest>().All()).size(), votes.size());
  return votes.size();
}

// --- The rig ---

const std::vector<Promise>& Promises() {
  static const std::vector<Promise> kPromises = {
      {.name = "UniqueValues", .write = WriteCustomer, .check = CheckClaims},
      {.name = "Edges", .write = WriteFollow, .check = CheckEdges},
      {.name = "Votes", .write = CastVote, .check = CheckVotes},
  };
  return kPromises;
}

// Writes from several threads until the parent kills the process. The arguments are the directory, a
// seed, the position of the promise, and the first turn.
int WritePromised(const ChildArguments& arguments) {
  const std::uint64_t seed = std::stoull(arguments[1]);
  const Promise& promise = Promises()[std::stoull(arguments[2])];
  const auto database = Database::Open(arguments[0], OptionsOf(seed));
  if (!database.ok()) return 1;
  const auto table = EntityTable::Open(*database, {.name = "promises"});
  if (!table.ok()) return 2;
  const auto write = [&](std::uint64_t thread) {
    Random random(seed + thread);
    for (std::uint64_t turn = std::stoull(arguments[3]) + thread;; turn += kThreads) {
      if (!IgnoreOtherThreads(promise.write(*table, &random, turn)).ok()) std::_Exit(3);
      if (!TellParent(std::to_string(turn))) std::_Exit(4);
    }
  };
  std::vector<std::thread> threads;
  for (std::uint64_t thread = 0; thread < kThreads; ++thread) threads.emplace_back(write, thread);
  for (std::thread& thread : threads) thread.join();
  return 0;
}

const ChildRole kWritePromised("write_promised", WritePromised);

class KillPromisesTest : public SeededTest, public testing::WithParamInterface<std::size_t> {};

TEST_P(KillPromisesTest, HoldAfterAKill) {
  const Promise& promise = Promises()[GetParam()];
  const TempDirectory directory;
  const std::string path = (directory / "db").string();
  std::uint64_t turn = 0;
  std::size_t items = 0;
  for (std::size_t round = 0; round < kRounds; ++round) {
    {
      ChildProcess child(kWritePromised, {path, std::to_string(random_.Next()),
                                          std::to_string(GetParam()), std::to_string(turn + 1)});
      turn = KillAfter(1 + random_.Below(kAcknowledgementsMax), &child).value_or(turn) + kThreads;
    }
    const Database database = Value(Database::Open(path, OptionsOf(random_.Next())));
    items += promise.check(Value(EntityTable::Open(database, {.name = "promises"})));
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
  EXPECT_GT(items, 0U);  // otherwise the checks are empty
  std::cout << turn << " changes; " << items / kRounds << " items on average\n";
}

INSTANTIATE_TEST_SUITE_P(All, KillPromisesTest, testing::Range<std::size_t>(0, Promises().size()),
                         [](const auto& test) { return Promises()[test.param].name; });

}  // namespace
}  // namespace dolmen::test
