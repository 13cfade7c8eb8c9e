#ifndef __wasi__  // paths_wasi.cpp takes its place there

#include "pliant/files/paths.h"

#include "pliant/files/file_table.h"

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace pliant {

namespace fs = std::filesystem;

std::string path_stem(const std::string& path) { return fs::path(path).stem().string(); }

std::string lower_extension(const std::string& path)
{
    std::string extension = fs::path(path).extension().string();
    for (char& c : extension)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return extension;
}

std::string parent_path(const std::string& path) { return fs::path(path).parent_path().string(); }

std::string join_paths(const std::string& folder, const std::string& path)
{
    return (fs::path(folder) / path).lexically_normal().string();
}

SplitPath split_extension(const std::string& path)
{
    fs::path stem(path);
    const std::string extension = stem.extension().string();
    stem.replace_extension();
    return {stem.string(), extension};
}

bool is_absolute(const std::string& path) { return fs::path(path).is_absolute(); }

PathKind kind_of_path(const std::string& path)
{
    if (find_in_memory(path) != nullptr) return PathKind::file;
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (!fs::exists(status)) return PathKind::missing;
    if (fs::is_directory(status)) return PathKind::folder;
    return fs::is_regular_file(status) ? PathKind::file : PathKind::other;
}

std::string follow_links(const std::string& path, int& error)
{
    constexpr int kMaxLinks = 40;  // the limit of Linux
    std::error_code code;
    fs::path end(path);
    for (int i = 0; fs::is_symlink(fs::symlink_status(end, code)); ++i) {
        const fs::path target = fs::read_symlink(end, code);
        if (code || i == kMaxLinks) {
            error = code ? code.value() : ELOOP;
            return path;
        }
        end = end.parent_path() / target;
    }
    error = 0;
    return end.string();
}

std::string program_folder()
{
    std::error_code ignored;
    return fs::read_symlink("/proc/self/exe", ignored).parent_path().string();
}

int make_folder(const std::string& path)
{
    std::error_code error;
    fs::create_directory(path, error);
    return error.value();
}

int rename_path(const std::string& from, const std::string& to)
{
    std::error_code error;
    fs::rename(from, to, error);
    return error.value();
}

void copy_permissions(const std::string& from, const std::string& to)
{
    std::error_code ignored;
    const fs::file_status status = fs::status(from, ignored);
    if (fs::exists(status)) fs::permissions(to, status.permissions(), ignored);
}

void remove_path(const std::string& path) noexcept
{
    std::error_code ignored;
    fs::remove(path, ignored);
}

}  // namespace pliant

#endif
