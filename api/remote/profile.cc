#include "remote/profile.h"

#include <fstream>
#include <utility>

#include "http/header_text.h"

namespace dolmen::remote {
namespace {

// Returns the name in "[name]" without repeated spaces, or an empty text.
std::string SectionName(std::string_view line) {
  const std::size_t end = line.find(']');
  if (!line.starts_with('[') || end == line.npos) return {};
  std::string name;
  http::ForEachPart(line.substr(1, end - 1), ' ', [&](std::string_view word) {
    word = http::Trimmed(word);
    if (!word.empty()) name.append(name.empty() ? "" : " ").append(word);
  });
  return name;
}

// Returns the value without a comment, which begins with a space and "#" or ";".
std::string_view WithoutComment(std::string_view value) {
  for (const std::string_view mark : {" #", " ;", "\t#", "\t;"}) {
    value = value.substr(0, value.find(mark));
  }
  return http::Trimmed(value);
}

void AddSetting(std::string_view line, Profile* profile) {
  const std::size_t equals = line.find('=');
  if (equals == line.npos || line.starts_with('#') || line.starts_with(';')) return;
  profile->insert_or_assign(std::string(http::Trimmed(line.substr(0, equals))),
                            std::string(WithoutComment(line.substr(equals + 1))));
}

std::string PathOr(std::string path, const char* otherwise) {
  return path.empty() ? std::string(otherwise) : std::move(path);
}

}  // namespace

bool AddSection(std::string_view content, std::string_view section, Profile* profile) {
  bool is_in = false;
  bool found = false;
  http::ForEachPart(content, '\n', [&](std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with('[')) {
      is_in = SectionName(line) == section;
      found = found || is_in;
    } else if (is_in && !line.starts_with(' ') && !line.starts_with('\t')) {
      AddSetting(line, profile);
    }
  });
  return found;
}

std::string ReadSharedFile(std::string path, const System& system) {
  constexpr std::size_t kBytesMax = 1 << 20;
  if (path.starts_with("~/")) path.replace(0, 1, system.variable("HOME"));
  std::ifstream file(path, std::ios::binary);
  std::string content(kBytesMax, '\0');
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  content.resize(file.is_open() ? static_cast<std::size_t>(file.gcount()) : 0);
  return content;
}

std::string SettingOf(const Profile& profile, std::string_view name) {
  const auto setting = profile.find(name);
  return setting == profile.end() ? "" : setting->second;
}

Result<Profile> ReadProfile(std::string name, const System& system) {
  if (name.empty()) name = system.variable("AWS_PROFILE");
  const bool is_named = !name.empty();
  if (!is_named) name = "default";
  const std::string config =
      ReadSharedFile(PathOr(system.variable("AWS_CONFIG_FILE"), "~/.aws/config"), system);
  const std::string credentials = ReadSharedFile(
      PathOr(system.variable("AWS_SHARED_CREDENTIALS_FILE"), "~/.aws/credentials"), system);

  Profile profile;
  bool found = name == "default" && AddSection(config, "default", &profile);
  found |= AddSection(config, "profile " + name, &profile);
  found |= AddSection(credentials, name, &profile);
  if (!found && is_named) {
    return Status::Validation(
        "The profile \"" + name +
        "\" is neither in ~/.aws/config nor in ~/.aws/credentials, nor in the "
        "files that AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE name.");
  }
  return profile;
}

}  // namespace dolmen::remote
