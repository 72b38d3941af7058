// bind_query parses and binds a Query with a filter, as a request does before it reads an item. The
// row "dolmen" has expressions whose texts the syntax cache holds. The row dolmen_statement has a
// SELECT that the cache of statements holds: its values become those of a Query, which is then
// bound. Both rows have the same values.

#include <cstdint>
#include <utility>

#include "bench/contender.h"
#include "database/statement/lower/lower_read.h"
#include "database/statement/parameters.h"
#include "database/statement/select_requests.h"
#include "database/statement/syntax/statement_parser.h"
#include "dolmen/database.h"
#include "engine/read/query.h"

namespace dolmen::bench::bind_query {
namespace {

class BoundExpression {
 public:
  static constexpr const char* kName = "bind_query/dolmen";

  Status Bind() const { return engine::ValidateQuery(input_); }
  Status Read(const Database& database, QueryOutput* page) const {
    const auto table = database.OpenTable("app");
    return table.ok() ? table->Query(input_, page) : table.status();
  }

 private:
  const QueryInput input_ = {
      .key_condition = "PK = :pk AND SK > :sk",
      .filter = "score >= :score",
      .values = {{":pk", "USER#u_0042"}, {":score", 80}, {":sk", "ORDER#2026"}}};
};

class BoundStatement {
 public:
  static constexpr const char* kName = "bind_query/dolmen_statement";

  Status Bind() const {
    const auto statement = database::GetStatement(input_.statement, /*additions=*/false);
    if (!statement.ok()) return statement.status();
    database::Parameters parameters(input_.parameters);
    if (Status encoded = parameters.Encode(); !encoded.ok()) return encoded;
    if (Status checked = parameters.Check(**statement); !checked.ok()) return checked;
    auto read = database::LowerRead(**statement, schema_, parameters, input_.consistent_read);
    if (!read.ok()) return read.status();
    const database::SelectRequests requests(**statement, parameters, input_, *std::move(read));
    return engine::ValidateQuery(requests.Query({}, input_.limit));
  }
  Status Read(const Database& database, QueryOutput* page) const {
    ExecuteStatementOutput output;
    Status read = database.ExecuteStatement(input_, &output);
    *page = std::move(output.page);
    return read;
  }

 private:
  const ExecuteStatementInput input_ = {
      .statement = "SELECT * FROM app WHERE PK = ? AND SK > ? AND score >= ?",
      .parameters = {"USER#u_0042", "ORDER#2026", 80}};
  const engine::TableSchema schema_ = {.name = "app",
                                       .keyspace = engine::KeyspaceId{1},
                                       .keys = {KeyAttribute{"PK"}, KeyAttribute{"SK"}}};
};

// Checks that the request returns the only item that it should find.
template <typename Request>
Status CheckAnswer(const Request& request) {
  const auto database = Database::InMemory();
  if (!database.ok()) return database.status();
  const auto table = database->CreateTable({.name = "app"});
  if (!table.ok()) return table.status();
  const auto put = [&](const char* pk, const char* sk, int score) {
    return table->PutItem({.item = {{"PK", pk}, {"SK", sk}, {"score", score}}}).status();
  };
  for (const Status& written :
       {put("USER#u_0042", "ORDER#2025", 99), put("USER#u_0042", "ORDER#2027", 79),
        put("USER#u_0042", "ORDER#2028", 80), put("USER#u_0043", "ORDER#2028", 80)}) {
    if (!written.ok()) return written;
  }
  QueryOutput page;
  if (Status read = request.Read(*database, &page); !read.ok()) return read;
  const bool right = page.size() == 1 && page[0]["SK"].ToString() == "\"ORDER#2028\"";
  return right ? request.Bind() : Status::Corruption("the Query returned wrong items");
}

template <typename Request>
class BindQuery : public Contender {
 public:
  std::string name() const override { return Request::kName; }

  Status Prepare(Stores&) override { return CheckAnswer(request_); }

  void Time(benchmark::State& state) override {
    for ([[maybe_unused]] auto iteration : state) {
      const Status bound = request_.Bind();
      if (!bound.ok()) {
        state.SkipWithError(bound.ToString().c_str());
        break;
      }
      benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
  }

 private:
  Request request_;
};

const Registered<BindQuery<BoundExpression>> kExpression;
const Registered<BindQuery<BoundStatement>> kStatement;

}  // namespace
}  // namespace dolmen::bench::bind_query
