#pragma once
// Paths and what is at them. The one place that knows std::filesystem, so that a build without it replaces one file.

#include <string>

namespace pliant {

/// "bunny" for "out/bunny.obj".
std::string path_stem(const std::string& path);
/// ".obj" for "out/bunny.OBJ".
std::string lower_extension(const std::string& path);
/// "out" for "out/bunny.obj"; empty for "bunny.obj".
std::string parent_path(const std::string& path);
/// `path` as seen from `folder`, without detours through ".."; an absolute path stays as it is.
std::string join_paths(const std::string& folder, const std::string& path);
/// "out/bunny" and ".obj" for "out/bunny.obj", with the case of the letters kept.
struct SplitPath {
    std::string stem, extension;
};
SplitPath split_extension(const std::string& path);
bool is_absolute(const std::string& path);

enum class PathKind { missing, file, folder, other };  // other: a pipe, a device, a socket

/// What is at a path, or at the end of the links there.
PathKind kind_of_path(const std::string& path);
inline bool path_exists(const std::string& path) { return kind_of_path(path) != PathKind::missing; }

/// Where the links at a path lead, though nothing may be there yet. An `error` other than 0 is that of the system.
std::string follow_links(const std::string& path, int& error);
/// Each gives 0, or the system's number of the error.
int make_folder(const std::string& path);
int rename_path(const std::string& from, const std::string& to);
/// Gives `to` the permissions of `from`; that it may fail is of no importance.
void copy_permissions(const std::string& from, const std::string& to);
/// Whether or not something is there.
void remove_path(const std::string& path) noexcept;

}  // namespace pliant
