#include "dolmen/internal/pinned_rows.h"

#include "engine/storage/cache/shared_rows.h"

namespace dolmen::internal {

PinnedRows::PinnedRows(const SharedRows* rows) : rows_(rows) {
  if (rows_ != nullptr) rows_->Acquire();
}

void PinnedRows::Release() { rows_->Release(); }

}  // namespace dolmen::internal
