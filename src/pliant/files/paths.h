#pragma once
// Paths and what is at them. The only user of std::filesystem, so that a build without it replaces one file.

#include <string>

namespace pliant {

/// "bunny" for "out/bunny.obj".
std::string path_stem(const std::string& path);
/// ".obj" for "out/bunny.OBJ".
std::string lower_extension(const std::string& path);
/// "out" for "out/bunny.obj"; empty for "bunny.obj".
std::string parent_path(const std::string& path);
/// `path` relative to `folder`, with ".." resolved; an absolute path stays as it is.
std::string join_paths(const std::string& folder, const std::string& path);
/// "out/bunny" and ".obj" for "out/bunny.obj"; upper and lower case are kept.
struct SplitPath {
    std::string stem, extension;
};
SplitPath split_extension(const std::string& path);
bool is_absolute(const std::string& path);

enum class PathKind { missing, file, folder, other };  // other: a pipe, a device, a socket

/// What is at a path, after following links.
PathKind kind_of_path(const std::string& path);
inline bool path_exists(const std::string& path) { return kind_of_path(path) != PathKind::missing; }

/// The target of the links at a path, which need not exist. Sets `error` to 0 or errno.
std::string follow_links(const std::string& path, int& error);
/// The folder of the running program; empty where that is not known.
std::string program_folder();
/// Each returns 0 or errno.
int make_folder(const std::string& path);
int rename_path(const std::string& from, const std::string& to);
/// Gives `to` the permissions of `from`; a failure is ignored.
void copy_permissions(const std::string& from, const std::string& to);
/// Does nothing if nothing is there.
void remove_path(const std::string& path) noexcept;

}  // namespace pliant
