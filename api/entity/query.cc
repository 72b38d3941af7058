#include "dolmen/entity/query.h"

#include "engine/base/status_macros.h"

namespace dolmen::entity {

Status QueryPage(const RequestSender& sender, const QueryPlanner& planner, AnyPage* page) {
  QueryOutput output;
  DOLMEN_RETURN_IF_ERROR(sender.Query(planner, &output));
  return ReadPage(planner.matcher(), output, page);
}

Status QueryAll(const RequestSender& sender, const QueryPlanner& planner, AnyPage* page) {
  const auto read_page = [&](const QueryOutput& output) {
    return ReadWholePage(planner.matcher(), output, planner.limit(), page);
  };
  DOLMEN_RETURN_IF_ERROR(sender.QueryPages(planner, read_page));
  DropAfter(planner.limit(), page);
  return {};
}

}  // namespace dolmen::entity
