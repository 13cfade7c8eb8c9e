#include "pliant/files/text_reader.h"

#include "pliant/base/check.h"
#include "pliant/files/file_table.h"
#include "pliant/files/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <utility>

namespace pliant {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f'; }

std::string_view without_plus(std::string_view word) { return word.substr(word.starts_with('+') ? 1 : 0); }

bool parse_integer(std::string_view text, std::int64_t& value)
{
    const std::string_view word = without_plus(text);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size();
}

}  // namespace

bool parse_number(std::string_view text, double& value)
{
    const std::string_view word = without_plus(text);  // which from_chars does not accept
#if defined(__cpp_lib_to_chars)
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size();
#else
    // For a standard library without floating from_chars: strtod, less the blanks, signs and hexadecimal digits that
    // only strtod accepts.
    const std::string copy(word);
    if (copy.empty() || is_blank(copy[0]) || copy[0] == '+' || copy.find_first_of("xX") != std::string::npos)
        return false;
    char* end = nullptr;
    errno = 0;
    value = std::strtod(copy.c_str(), &end);
    return end == copy.c_str() + copy.size() && errno != ERANGE;
#endif
}

std::string read_bytes(const std::string& path)
{
    if (const std::string* given = find_in_memory(path)) return *given;
    constexpr std::size_t kMaxFileBytes = std::size_t{1} << 31;  // so that counts of its content fit into an int
    if (kind_of_path(path) == PathKind::folder)
        throw FileError(fmt::format("{}: cannot read: it is a folder; give a file", path));
    errno = 0;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    std::string bytes;
    std::array<char, 1 << 16> part;
    while (file && std::feof(file.get()) == 0 && std::ferror(file.get()) == 0 && bytes.size() < kMaxFileBytes)
        bytes.append(part.data(), std::fread(part.data(), 1, part.size(), file.get()));
    if (bytes.size() >= kMaxFileBytes)
        throw FileError(fmt::format("{}: cannot read: it is larger than 2 GB; split it into several", path));
    if (!file || std::ferror(file.get()) != 0) {
        const std::string reason = errno != 0 ? std::generic_category().message(errno) : "unknown reason";
        throw FileError(fmt::format("{}: cannot read: {}", path, reason));
    }
    return bytes;
}

std::string quoted(std::string_view word)
{
    std::string text;
    for (const char c : word.substr(0, 24)) text += c >= ' ' && c <= '~' ? c : '?';
    return "'" + text + (word.size() > 24 ? "..." : "") + "'";
}

std::string_view first_word(std::string_view text)
{
    std::size_t first = 0;
    while (first < text.size() && is_blank(text[first])) ++first;
    std::size_t last = first;
    while (last < text.size() && !is_blank(text[last])) ++last;
    return text.substr(first, last - first);
}

std::vector<std::string_view> split_words(std::string_view line, std::string_view separators)
{
    const auto ends_word = [separators](char c) { return is_blank(c) || separators.find(c) != std::string_view::npos; };
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at < line.size();) {
        if (ends_word(line[at])) {
            ++at;
            continue;
        }
        const std::size_t first = at;
        while (at < line.size() && !ends_word(line[at])) ++at;
        words.push_back(line.substr(first, at - first));
    }
    return words;
}

TextReader::TextReader(const std::string& path) : TextReader(path, read_bytes(path)) {}

TextReader::TextReader(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text))
{
    if (text_.empty()) throw InputError(fmt::format("{}: the file is empty", path_));
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // byte order mark
}

bool TextReader::next_line(std::string_view& line)
{
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line = std::string_view(text_).substr(at_, end - at_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    at_ = std::min(end + 1, text_.size());
    line_ = next_line_number_++;
    return true;
}

std::vector<std::string_view> TextReader::next_words()
{
    std::string_view line;
    while (next_line(line)) {
        std::vector<std::string_view> words = split_words(line);
        if (!words.empty()) return words;
    }
    return {};
}

std::string_view TextReader::next_word()
{
    while (at_ < text_.size() && is_blank(text_[at_])) next_line_number_ += text_[at_++] == '\n' ? 1 : 0;
    line_ = next_line_number_;
    const std::string_view word = peek_word();
    at_ += word.size();
    return word;
}

std::string_view TextReader::peek_word() const { return first_word(std::string_view(text_).substr(at_)); }

double TextReader::next_number(const char* what) { return number_from(next_word(), what); }

std::int64_t TextReader::next_integer(const char* what) { return integer_from(next_word(), what); }

double TextReader::number_from(std::string_view word, const char* what) const
{
    double value = 0;
    if (word.empty()) fail(fmt::format("the file ends where {} should be; is it cut off?", what));
    if (!parse_number(word, value)) fail(fmt::format("{} should be a number, not {}", what, quoted(word)));
    if (!std::isfinite(value)) fail(fmt::format("{} is {}; repair the file", what, quoted(word)));
    return value;
}

std::int64_t TextReader::integer_from(std::string_view word, const char* what) const
{
    std::int64_t value = 0;
    if (word.empty()) fail(fmt::format("the file ends where {} should be; is it cut off?", what));
    if (!parse_integer(word, value)) fail(fmt::format("{} should be a whole number, not {}", what, quoted(word)));
    return value;
}

void TextReader::fail(const std::string& message) const { fail_at(line_, message); }

void TextReader::fail_at(int line, const std::string& message) const
{
    throw InputError(fmt::format("{}:{}: {}", path_, line, message));
}

}  // namespace pliant
