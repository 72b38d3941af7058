// Profiles in the shared files of AWS's tools.
// https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html

#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "dolmen/result.h"
#include "remote/system.h"

namespace dolmen::remote {

// The settings of a profile by their names, for example "region".
using Profile = std::map<std::string, std::string, std::less<>>;

// Returns the profile `name` of ~/.aws/config and ~/.aws/credentials, or of the files that
// AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE name. A setting of the credentials file has
// precedence. An empty name stands for AWS_PROFILE, or "default". Returns an empty profile if the
// profile "default" or a file does not exist.
// - kValidation: a profile that is named explicitly does not exist.
Result<Profile> ReadProfile(std::string name, const System& system);

// Returns the value of a setting, or an empty text.
std::string SettingOf(const Profile& profile, std::string_view name);

// Adds the settings of the section `section` of a shared file to the profile. Returns false if the
// section does not exist. Ignores comments, indented lines and lines that are not settings.
bool AddSection(std::string_view content, std::string_view section, Profile* profile);

// Returns the content of a file up to 1 MiB; empty if it cannot be read. A "~/" at the beginning of the
// path stands for HOME.
std::string ReadSharedFile(std::string path, const System& system);

}  // namespace dolmen::remote
