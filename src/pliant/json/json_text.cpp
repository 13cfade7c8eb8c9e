#include "pliant/json/json_text.h"

#include "pliant/base/check.h"
#include "pliant/json/json_parts.h"
#include "pliant/json/nearest_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace pliant {

using detail::members_of;
using detail::printable;

namespace {

constexpr std::size_t kMaxProblems = 20;  // shown

std::string line_text(int line) { return line == kSetLine ? "--set" : std::to_string(line); }

}  // namespace

std::string detail::printable(std::string_view text, std::size_t most)
{
    std::string shown(text.substr(0, most));
    for (char& c : shown)
        if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
    return text.size() > most ? shown + "..." : shown;
}

std::string read_text_file(const std::string& path)
{
    constexpr std::size_t kMaxBytes = std::size_t{1} << 30;
    const auto fail = [&] { throw FileError(fmt::format("cannot read {}: {}", path, std::strerror(errno))); };

    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!file) fail();
    std::string text;
    std::array<char, 1 << 16> buffer;
    while (std::feof(file.get()) == 0 && std::ferror(file.get()) == 0) {
        const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file.get());
        text.append(buffer.data(), count);
        if (text.size() > kMaxBytes) throw FileError(fmt::format("cannot read {}: larger than a gigabyte", path));
    }
    if (std::ferror(file.get()) != 0) fail();
    return text;
}

void Problems::add(std::string text)
{
    if (texts_.size() < kMaxProblems) {
        texts_.push_back(std::move(text));
    } else {
        ++left_out_;
    }
}

void Problems::raise() const
{
    if (none()) return;
    std::string all = join_names(texts_, "\n");
    if (left_out_ > 0) all += fmt::format("\nand {} more", left_out_);
    throw InputError(all);
}

const std::string& JsonCursor::key(std::size_t position) const { return members_of(*value_)[position].first; }

JsonCursor JsonCursor::item(std::size_t position) const
{
    const bool member = value_->is_object();
    const Json& value = member ? members_of(*value_)[position].second : (*value_)[position];
    const std::string name = member ? printable(key(position), 60) : std::to_string(position);
    return {*text_, *problems_, value, lines_->items[position], path_.empty() ? name : path_ + "/" + name};
}

JsonCursor JsonCursor::descend(std::string_view path) const
{
    JsonCursor at = *this;
    while (!path.empty()) {
        const std::string_view part = path.substr(0, path.find('/'));
        path.remove_prefix(std::min(part.size() + 1, path.size()));
        std::size_t position = 0;
        while (position < at.size() &&
               (at.value().is_object() ? at.key(position) != part : std::to_string(position) != part))
            ++position;
        if (!at.value().is_structured() || position == at.size()) break;
        at = at.item(position);
    }
    return at;
}

std::string JsonCursor::place() const
{
    const std::string line = line_text(lines_->line);
    return path_.empty() ? fmt::format("{}:{}: ", text_->source, line)
                         : fmt::format("{}:{}: {}: ", text_->source, line, path_);
}

void JsonCursor::report(std::string_view text) const { problems_->add(fmt::format("{}{}", place(), text)); }

void JsonCursor::report_not(std::string_view what) const
{
    report(fmt::format("must be {}, is {}", what, brief(*value_)));
}

void JsonCursor::report_unknown_key(std::size_t position, std::span<const std::string> known) const
{
    const std::string name = printable(key(position), 60);
    problems_->add(fmt::format("{}:{}: unknown key \"{}\"{}{}", text_->source, line_text(lines_->items[position].line),
                               name, path_.empty() ? "" : " in " + path_, suggest_name(name, known)));
}

std::string place_of(const JsonText& text, std::string_view path)
{
    Problems none;
    const JsonCursor at = JsonCursor(text, none).descend(path);
    std::string place = at.place();
    if (at.path() == path) return place;
    place.erase(place.size() - (at.path().empty() ? 0 : at.path().size() + 2));
    return fmt::format("{}{}: ", place, path);
}

void append_member(std::string key, Json value, Json& object)
{
    members_of(object).emplace_back(std::move(key), std::move(value));
}

std::string brief(const Json& value)
{
    constexpr std::size_t kMaxLength = 60;
    if (value.is_structured() && value.size() > 8)  // not dumped: it may have millions of values
        return fmt::format("{} of {}", value.is_array() ? "an array" : "an object", value.size());
    return printable(value.dump(-1, ' ', false, Json::error_handler_t::replace), kMaxLength);
}

}  // namespace pliant
