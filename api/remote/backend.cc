#include "remote/backend.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "dolmen/database.h"
#include "engine/base/status_macros.h"
#include "remote/page_request.h"
#include "remote/remote_table.h"
#include "remote/target.h"
#include "remote/transact_write.h"
#include "remote/write_item.h"

namespace dolmen::remote {
namespace {

// Returns the description without the numbers and sizes of items.
TableDescription WithoutContent(TableDescription table) {
  table.content = {};
  for (auto& index : table.global_secondary_indexes) index.content = {};
  for (auto& index : table.local_secondary_indexes) index.content = {};
  return table;
}

}  // namespace

Status RemoteBackend::OnlyEmbedded(std::string_view operation, std::string_view instead) {
  return Status::Validation(
      std::string(operation).append(" works only on a database in this process. ").append(instead));
}

Status RemoteBackend::CheckOwner(const TableRef& table) const {
  if (table.backend().get() == this) return {};
  return Status::Validation("The table " + table.name() +
                            " belongs to a different database. Open it with this database.");
}

Result<std::shared_ptr<internal::TableState>> RemoteBackend::CreateTable(
    const CreateTableInput& input) {
  DOLMEN_ASSIGN_OR_RETURN(std::shared_ptr<internal::TableState> table, tables_.Create(input));
  return table;
}

Result<std::shared_ptr<internal::TableState>> RemoteBackend::OpenTable(std::string_view name) {
  DOLMEN_ASSIGN_OR_RETURN(std::shared_ptr<internal::TableState> table, tables_.Open(name));
  return table;
}

Result<TableDescription> RemoteBackend::DescribeTable(std::string_view name, ContentSizes sizes) {
  DOLMEN_ASSIGN_OR_RETURN(TableDescription table, tables_.Describe(name));
  return sizes == ContentSizes::kOmit ? WithoutContent(std::move(table)) : std::move(table);
}

Result<TableDescription> RemoteBackend::UpdateTable(const UpdateTableInput& input) {
  DOLMEN_ASSIGN_OR_RETURN(TableDescription table, tables_.Update(input));
  return WithoutContent(std::move(table));
}

Status RemoteBackend::Query(const TableRef& table, const QueryInput& input, QueryOutput* page) {
  // Another program may have created the index since the table was opened.
  if (TableOf(table).definition()->KeysOf(input.index).empty()) {
    DOLMEN_RETURN_IF_ERROR(tables_.Refresh(table.name()));
  }
  return QueryPage(service_, TableOf(table), input, page);
}

Result<WriteItemOutput> RemoteBackend::PutItem(const TableRef& table, const PutItemInput& input) {
  return WriteOneItem(service_, TableOf(table), input);
}

Result<WriteItemOutput> RemoteBackend::UpdateItem(const TableRef& table,
                                                  const UpdateItemInput& input) {
  return WriteOneItem(service_, TableOf(table), input);
}

Result<WriteItemOutput> RemoteBackend::DeleteItem(const TableRef& table,
                                                  const DeleteItemInput& input) {
  return WriteOneItem(service_, TableOf(table), input);
}

Result<TransactWriteItemsOutput> RemoteBackend::TransactWriteItems(
    const TransactWriteItemsInput& input) {
  for (const auto& action : input.actions) DOLMEN_RETURN_IF_ERROR(CheckOwner(action.table));
  return TransactWrite(service_, input);
}

Result<std::unique_ptr<internal::Subscriber>> RemoteBackend::Subscribe(
    const TableRef& table, const SubscribeInput& input, internal::SubscriptionHandler handler) {
  return Subscriber::Create(subscriber_context_, table, input, std::move(handler));
}

Status RemoteBackend::Unsubscribe(const TableRef& table, std::string_view name) {
  return remote::Unsubscribe(subscriber_context_, table, std::string(name));
}

}  // namespace dolmen::remote

namespace dolmen {
namespace {

// Defaults of ConnectOptions::poll_pause.
constexpr std::chrono::milliseconds kPollPause{200};
constexpr std::chrono::milliseconds kLocalPollPause{50};
constexpr std::chrono::milliseconds kPollPauseMin{1};

}  // namespace

Result<Database> Database::Connect(const ConnectOptions& options) {
  DOLMEN_ASSIGN_OR_RETURN(std::unique_ptr<remote::Client> client, remote::Client::Create(options));
  const auto pause = [](std::chrono::milliseconds time) { std::this_thread::sleep_for(time); };
  const SharedClock clock = options.clock ? options.clock : Clock::System();
  const bool is_local = remote::IsLocal(client->endpoint());
  const std::chrono::milliseconds default_pause = is_local ? kLocalPollPause : kPollPause;
  remote::SubscriptionOptions subscriptions{
      .table = options.subscriptions_table,
      .poll_pause = std::max(options.poll_pause.value_or(default_pause), kPollPauseMin)};
  std::unique_ptr<internal::Backend> backend = std::make_unique<remote::RemoteBackend>(
      std::move(client), clock, pause, std::move(subscriptions));
  return Database(internal::ShareInOwnProcess(std::move(backend)));
}

}  // namespace dolmen
