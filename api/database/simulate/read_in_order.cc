#include "database/simulate/read_in_order.h"

#include "engine/engine.h"
#include "engine/read/query.h"
#include "engine/read/scan.h"
#include "engine/schema/live_table.h"

namespace dolmen::engine {
namespace {

ReadOrder OrderOf(const SimulateOptions& options) {
  return {.seed = options.seed,
          .hashes_partitions = options.hash_order,
          .shuffles_equal_keys = options.shuffle_equal_keys};
}

ReadContext ContextOf(const TableRef& table) {
  return static_cast<const Engine&>(*table.backend()).read_context();
}

}  // namespace

Status ReadInOrder(const SimulateOptions& options, const TableRef& table, const QueryInput& input,
                   QueryOutput* page) {
  if (!options.shuffle_equal_keys) return table.backend()->Query(table, input, page);
  const ReadOrder order = OrderOf(options);
  return ReadWithSchema(LiveTableOf(table), [&](const TableSchema& schema) {
    return engine::Query(ContextOf(table), schema, input, page, &order);
  });
}

Status ReadInOrder(const SimulateOptions& options, const TableRef& table, const ScanInput& input,
                   ScanOutput* page) {
  if (!options.hash_order && !options.shuffle_equal_keys) {
    return table.backend()->Scan(table, input, page);
  }
  const ReadOrder order = OrderOf(options);
  return ReadWithSchema(LiveTableOf(table), [&](const TableSchema& schema) {
    return engine::Scan(ContextOf(table), schema, input, page, &order);
  });
}

}  // namespace dolmen::engine
