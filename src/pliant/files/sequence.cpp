#include "pliant/files/sequence.h"

#include <fmt/format.h>
#include <filesystem>

namespace pliant {

std::string sequence_path(const std::string& path, int number)
{
    std::filesystem::path numbered(path);
    const std::string suffix = numbered.extension().string();
    numbered.replace_extension();
    numbered += fmt::format(".{:04}{}", number, suffix);
    return numbered.string();
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
