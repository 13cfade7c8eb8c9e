#include "pliant/files/atomic_file.h"

#include "pliant/base/check.h"
#include "pliant/files/paths.h"

#include <fmt/format.h>
#include <cerrno>
#include <system_error>
#include <utility>

namespace pliant {

bool is_standard_output(const std::string& path)
{
    return path == kStandardOutput || path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
}

bool is_stream(const std::string& path) { return is_standard_output(path) || kind_of_path(path) == PathKind::other; }

AtomicFile::AtomicFile(std::string path) : path_(std::move(path))
{
    if (is_stream(path_)) open_stream();
    else open_temporary();
}

void AtomicFile::open_stream()
{
    file_ = is_standard_output(path_) ? stdout : std::fopen(path_.c_str(), "wb");
    if (!file_) fail(errno);
}

void AtomicFile::open_temporary()
{
    int error = 0;
    target_ = follow_links(path_, error);
    if (error != 0) fail(error);
    // The rename would fail too, but only after the work is done.
    if (kind_of_path(target_) == PathKind::folder) fail(EISDIR);

    const std::string folder = parent_path(target_);
    if (!folder.empty() && !path_exists(folder)) {
        const std::string outer = parent_path(folder);
        if (!outer.empty() && !path_exists(outer))
            fail(fmt::format("there is no folder '{}', nor the folder '{}' to create it in; create that first", folder,
                             outer));
        error = make_folder(folder);
        if (error != 0) fail(error);
    }
    // Exclusive creation: never shares a temporary with another run, or with the leftover of a killed one.
    for (int i = 0; !file_; ++i) {
        temporary_ = fmt::format("{}.part{}", target_, i);
        file_ = std::fopen(temporary_.c_str(), "wbx");
        if (file_ || errno == EEXIST) continue;
        const int reason = errno;
        temporary_.clear();
        fail(reason);
    }
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::write(std::string_view bytes)
{
    PLIANT_ASSERT(file_ != nullptr);
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail(errno);
}

void AtomicFile::commit()
{
    PLIANT_ASSERT(file_ != nullptr);
    // Flushes what is left; network file systems report a full disk as late as here.
    if (const int error = close(); error != 0) fail(error);
    if (temporary_.empty()) return;
    copy_permissions(target_, temporary_);
    if (const int error = rename_path(temporary_, target_); error != 0) fail(error);
    temporary_.clear();
}

int AtomicFile::close() noexcept
{
    std::FILE* file = std::exchange(file_, nullptr);
    const int failed = file == stdout ? std::fflush(file) : std::fclose(file);
    return failed != 0 ? errno : 0;
}

void AtomicFile::fail(int error) { fail(std::generic_category().message(error)); }

void AtomicFile::fail(const std::string& reason)
{
    discard();
    throw FileError(fmt::format("cannot write '{}': {}", path_, reason));
}

void AtomicFile::discard() noexcept
{
    if (file_) close();
    if (!temporary_.empty()) remove_path(temporary_);
    temporary_.clear();
}

void write_file(const std::string& path, std::string_view bytes)
{
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

}  // namespace pliant
