#include "dolmen/table.h"

#include <array>
#include <utility>

#include "engine/table/engine.h"
#include "engine/table/read.h"
#include "engine/table/write_action.h"
#include "engine/table/writer.h"

namespace dolmen {
namespace {

// A single write is an atomic write of one action.
template <typename Input>
Result<WriteItemOutput> Write(engine::Engine& engine, const engine::TableSchema& table,
                              const Input& input) {
  engine::WriteAction action;
  if (Status prepared = Prepare(table, input, &action); !prepared.ok()) return prepared;
  const std::array<const engine::WriteAction*, 1> actions = {&action};
  std::array<engine::ActionOutcome, 1> outcomes;
  Status written = WriteAtomically(engine.store(), engine.locks(), actions, outcomes);
  if (!written.ok()) return written;
  if (!outcomes[0].status.ok()) return outcomes[0].status;
  return WriteItemOutput{std::move(outcomes[0].attributes)};
}

}  // namespace

Table::Table(std::shared_ptr<engine::Engine> engine,
             std::shared_ptr<const engine::TableSchema> schema)
    : engine_(std::move(engine)), schema_(std::move(schema)) {}

const std::string& Table::name() const { return schema_->name; }

Result<GetItemOutput> Table::GetItem(const GetItemInput& input) const {
  return engine::GetItem(engine_->store(), *schema_, input);
}

Result<WriteItemOutput> Table::PutItem(const PutItemInput& input) const {
  return Write(*engine_, *schema_, input);
}

Result<WriteItemOutput> Table::UpdateItem(const UpdateItemInput& input) const {
  return Write(*engine_, *schema_, input);
}

Result<WriteItemOutput> Table::DeleteItem(const DeleteItemInput& input) const {
  return Write(*engine_, *schema_, input);
}

Result<QueryOutput> Table::Query(const QueryInput& input) const {
  QueryOutput page;
  if (Status read = Query(input, &page); !read.ok()) return read;
  return page;
}

Status Table::Query(const QueryInput& input, QueryOutput* page) const {
  return engine::Query(engine_->store(), *schema_, input, page);
}

}  // namespace dolmen
