#include "engine/storage/files/marker.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/support/status_matchers.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::StatusIs;
using testing::AnyOf;
using testing::HasSubstr;

constexpr EncryptionKey kMarkerKey = {std::byte{1}, std::byte{2}};
constexpr EncryptionKey kOtherMarkerKey = {std::byte{1}, std::byte{3}};

Status CheckText(const std::string& text, const std::optional<EncryptionKey>& key) {
  return CheckMarker(text, "app.dolmen", key);
}

TEST(MarkerTest, APlainDatabaseHasFormat1AndNoKey) {
  const std::string text = *NewMarker(std::nullopt);
  EXPECT_EQ(text, "dolmen database, format 1\n");
  EXPECT_THAT(CheckText(text, std::nullopt), IsOk());
  EXPECT_THAT(CheckText(text, kMarkerKey),
              StatusIs(StatusCode::kValidation, HasSubstr("not encrypted")));
}

TEST(MarkerTest, AnEncryptedDatabaseHasFormat2AndOneKey) {
  const std::string text = *NewMarker(kMarkerKey);
  EXPECT_THAT(text, testing::StartsWith("dolmen database, format 2\n"));
  EXPECT_LT(text.size(), kMarkerBytesMax);
  EXPECT_THAT(CheckText(text, kMarkerKey), IsOk());
  EXPECT_THAT(CheckText(text, kOtherMarkerKey),
              StatusIs(StatusCode::kValidation, HasSubstr("not the key")));
  EXPECT_THAT(CheckText(text, std::nullopt),
              StatusIs(StatusCode::kValidation, HasSubstr("is encrypted")));
}

TEST(MarkerTest, TheMarkersOfTwoDatabasesDiffer) {
  EXPECT_NE(*NewMarker(kMarkerKey), *NewMarker(kMarkerKey));
}

TEST(MarkerTest, TheNoteAboutTheListOrATornNoteMayFollow) {
  for (const auto& key : {std::optional<EncryptionKey>(), std::optional(kMarkerKey)}) {
    const std::string text = *NewMarker(key);
    EXPECT_EQ(WithoutListNote(text), text);
    for (std::size_t size = 0; size <= kListNote.size(); ++size) {
      const std::string noted = text + std::string(kListNote.substr(0, size));
      EXPECT_EQ(WithoutListNote(noted), text);
      EXPECT_THAT(CheckText(noted, key), IsOk());
      EXPECT_THAT(CheckText(noted + std::string(3, '\0'), key), IsOk());
    }
    EXPECT_THAT(CheckText(text + "x", key), StatusIs(StatusCode::kCorruption, testing::_));
  }
}

TEST(MarkerTest, EachFlippedBitAndEachCutAreFound) {
  const std::string text = *NewMarker(kMarkerKey);
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string damaged = text;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    EXPECT_THAT(CheckText(damaged, kMarkerKey).code(),
                AnyOf(StatusCode::kCorruption, StatusCode::kUnsupportedFormat))
        << damaged;
  }
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_THAT(CheckText(text.substr(0, size), kMarkerKey),
                StatusIs(StatusCode::kCorruption, testing::_));
  }
}

}  // namespace
}  // namespace dolmen::engine
