#include "pliant/files/sequence.h"

#include "pliant/base/check.h"
#include "pliant/files/paths.h"

#include <fmt/format.h>

namespace pliant {

std::string sequence_path(const std::string& path, int number)
{
    const SplitPath split = split_extension(path);
    return fmt::format("{}.{:04}{}", split.stem, number, split.extension);
}

void check_sequence(const std::string& path, int last)
{
    for (int i = 0; i <= last; ++i)
        if (const std::string file = sequence_path(path, i); !path_exists(file))
            throw FileError(
                fmt::format("'{}' of the run to resume is missing; run without --resume to start again", file));
}

std::string one_line(const std::string& name)
{
    std::string line = name;
    for (char& c : line) {
        const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
        if (control) c = '_';
    }
    return line;
}

}  // namespace pliant
