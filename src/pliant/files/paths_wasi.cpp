// Paths in WebAssembly, whose standard library has no std::filesystem. There are no folders there, only files in memory.
#ifdef __wasi__

#include "pliant/files/file_table.h"
#include "pliant/files/paths.h"

#include <cerrno>
#include <cstddef>
#include <vector>

namespace pliant {

namespace {

std::size_t start_of_name(const std::string& path) { return path.find_last_of('/') + 1; }

/// Where the extension begins; the end of the path where there is none. A name such as ".obj" has none.
std::size_t start_of_extension(const std::string& path)
{
    const std::size_t name = start_of_name(path), dot = path.find_last_of('.');
    const bool none = dot == std::string::npos || dot <= name || path.substr(name) == "..";
    return none ? path.size() : dot;
}

}  // namespace

std::string path_stem(const std::string& path)
{
    const std::size_t name = start_of_name(path);
    return path.substr(name, start_of_extension(path) - name);
}

std::string lower_extension(const std::string& path)
{
    std::string extension = path.substr(start_of_extension(path));
    for (char& c : extension)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return extension;
}

std::string parent_path(const std::string& path)
{
    const std::size_t name = start_of_name(path);
    return path.substr(0, name > 1 ? name - 1 : name);
}

std::string join_paths(const std::string& folder, const std::string& path)
{
    const std::string whole = is_absolute(path) ? path : folder + "/" + path;
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= whole.size();) {
        const std::size_t end = std::min(whole.find('/', at), whole.size());
        const std::string part = whole.substr(at, end - at);
        at = end + 1;
        if (part.empty() || part == ".") continue;
        if (part == ".." && !parts.empty() && parts.back() != "..") parts.pop_back();
        else parts.push_back(part);
    }
    std::string joined = is_absolute(whole) ? "/" : "";
    for (const std::string& part : parts) joined += (joined.empty() || joined == "/" ? "" : "/") + part;
    return joined.empty() ? "." : joined;
}

SplitPath split_extension(const std::string& path)
{
    const std::size_t dot = start_of_extension(path);
    return {path.substr(0, dot), path.substr(dot)};
}

bool is_absolute(const std::string& path) { return path.starts_with('/'); }

PathKind kind_of_path(const std::string& path)
{
    return find_in_memory(path) != nullptr ? PathKind::file : PathKind::missing;
}

std::string follow_links(const std::string& path, int& error)
{
    error = 0;
    return path;
}

std::string program_folder() { return {}; }
int make_folder(const std::string& /*path*/) { return ENOTSUP; }
int rename_path(const std::string& /*from*/, const std::string& /*to*/) { return ENOTSUP; }
void copy_permissions(const std::string& /*from*/, const std::string& /*to*/) {}
void remove_path(const std::string& /*path*/) noexcept {}

}  // namespace pliant

#endif
