#include "pliant/files/atomic_file.h"

#include "pliant/base/check.h"

#include <fmt/format.h>
#include <cerrno>
#include <system_error>
#include <utility>

namespace pliant {

namespace fs = std::filesystem;

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path))
{
    std::error_code error;
    if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), error);
    if (error) fail(error.value());
    // The rename would say so too, but only after the work is done.
    if (fs::is_directory(path_, error)) fail(EISDIR);

    // Exclusive creation: two runs into one folder, or the leftover of a killed one, never share a temporary.
    for (int i = 0; !file_; ++i) {
        temporary_ = path_;
        temporary_ += fmt::format(".part{}", i);
        file_ = std::fopen(temporary_.string().c_str(), "wbx");
        if (!file_ && errno != EEXIST) fail(errno);
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
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail(errno);
    std::error_code error;
    fs::rename(temporary_, path_, error);
    if (error) fail(error.value());
    temporary_.clear();
}

void AtomicFile::fail(int error)
{
    discard();
    throw FileError(fmt::format("cannot write '{}': {}", path_.string(), std::generic_category().message(error)));
}

void AtomicFile::discard() noexcept
{
    if (file_) std::fclose(std::exchange(file_, nullptr));
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove(temporary_, ignored);
    temporary_.clear();
}

void write_file(const fs::path& path, std::string_view bytes)
{
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

}  // namespace pliant
