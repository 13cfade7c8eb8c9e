// JSON text to a document with line numbers, with error messages for people.

#include "pliant/json/json_parts.h"

#include "pliant/base/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace pliant {

using detail::Members;
using detail::members_of;
using detail::printable;

namespace {

constexpr std::size_t kMaxDepth = 64;  // levels; a scene has six

/// Reads characters and knows the line of the last one that is not white space: a number is known to be
/// complete only when the character after it, which may be the end of the line, has been read.
class CountingIterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(std::string_view::const_iterator at, int& token_line) : at_(at), token_line_(&token_line) {}

    reference operator*() const { return *at_; }
    CountingIterator& operator++()
    {
        if (*at_ == '\n') ++line_;
        if (*at_ != '\n' && *at_ != '\r' && *at_ != ' ' && *at_ != '\t') *token_line_ = line_;
        ++at_;
        return *this;
    }
    CountingIterator operator++(int)
    {
        const CountingIterator before = *this;
        ++*this;
        return before;
    }
    friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }

  private:
    std::string_view::const_iterator at_;
    int line_ = 1;
    int* token_line_;
};

/// Where the offending token starts and ends in the text.
std::pair<std::size_t, std::size_t> word_at(std::string_view text, std::size_t at)
{
    constexpr std::string_view kEnds = " \t\r\n,:[]{}\"";
    if (at >= text.size() || kEnds.find(text[at]) != std::string_view::npos) return {at, std::min(at + 1, text.size())};
    const std::size_t before = text.find_last_of(kEnds, at);
    const std::size_t after = text.find_first_of(kEnds, at);
    return {before == std::string_view::npos ? 0 : before + 1, std::min(after, text.size())};
}

/// The probable cause of a syntax error; empty if unknown.
std::string hint(std::string_view before, std::string_view word, std::string_view reason)
{
    const auto says = [&](std::string_view part) { return reason.find(part) != std::string_view::npos; };
    const std::size_t end = before.find_last_not_of(" \t\r\n");
    const bool after_comma = end != std::string_view::npos && before[end] == ',';
    if (after_comma && (word == "]" || word == "}")) return "; remove the comma before it";
    std::string lower(word.substr(word.starts_with('-') ? 1 : 0));
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (lower.starts_with("nan") || lower.starts_with("inf"))
        return "; a number must be finite, NaN and Infinity are not allowed";
    if (word.starts_with("'")) return "; text must be in double quotes";
    if (says("unexpected end")) return "; a bracket or brace is not closed";
    if (says("; expected ']'") || says("; expected '}'")) return "; is a comma missing before it?";
    if (says("parsing object key")) return "; a key must be in double quotes";
    return {};
}

/// The reason that nlohmann-json gives, without its own numbers and excerpts.
std::string_view shortened(std::string_view what)
{
    const auto drop_until = [&](std::string_view mark) {
        if (const std::size_t at = what.find(mark); at != std::string_view::npos) what.remove_prefix(at + mark.size());
    };
    if (what.starts_with("[json")) drop_until("] ");
    if (what.starts_with("parse error")) drop_until(": ");
    drop_until("syntax error while parsing ");
    drop_until(" - ");
    return what.substr(0, what.find("; last read"));
}

/// Builds the document and its lines side by side.
class Builder : public nlohmann::json_sax<Json> {
  public:
    Builder(std::string_view text, const int& line, JsonText& out) : text_(text), line_(line), out_(out) {}

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t&) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t&) override { return false; }  // not in text
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override
    {
        open_.back().key = name;
        open_.back().key_line = line_;
        return true;
    }

    bool end_object() override
    {
        check_keys();
        return close();
    }

    bool parse_error(std::size_t position, const std::string& last_token,
                     const nlohmann::detail::exception& error) override;

  private:
    struct Level {
        Json* value;
        SourceLines* lines;
        std::string key;
        int key_line = 0;
    };

    template <class T>
    bool add(T&& value)
    {
        put(Json(std::forward<T>(value)));
        return true;
    }

    Level put(Json value)
    {
        if (open_.empty()) {
            out_.root = std::move(value);
            out_.lines.line = line_;
            return {&out_.root, &out_.lines, {}};
        }
        Level& parent = open_.back();
        const bool member = parent.value->is_object();
        parent.lines->items.push_back({member ? parent.key_line : line_, {}});
        if (member) {  // duplicate keys stay until check_keys reports them
            append_member(std::move(parent.key), std::move(value), *parent.value);
            return {&members_of(*parent.value).back().second, &parent.lines->items.back(), {}};
        }
        parent.value->push_back(std::move(value));
        return {&parent.value->back(), &parent.lines->items.back(), {}};
    }

    bool open(Json value)
    {
        if (open_.size() >= kMaxDepth)
            throw InputError(fmt::format("{}:{}: nested more than {} levels deep", out_.source, line_, kMaxDepth));
        open_.push_back(put(std::move(value)));
        return true;
    }

    bool close()
    {
        open_.pop_back();
        return true;
    }

    void check_keys() const
    {
        const Members& members = members_of(std::as_const(*open_.back().value));
        std::vector<std::size_t> order(members.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const int comparison = members[a].first.compare(members[b].first);
            return comparison != 0 ? comparison < 0 : a < b;
        });
        for (std::size_t i = 1; i < order.size(); ++i) {
            if (members[order[i - 1]].first != members[order[i]].first) continue;
            const std::vector<SourceLines>& lines = open_.back().lines->items;
            throw InputError(fmt::format(
                "{}:{}: key \"{}\" is given twice; the first is in line {}; remove one of them", out_.source,
                lines[order[i]].line, printable(members[order[i]].first, 60), lines[order[i - 1]].line));
        }
    }

    std::string_view text_;
    const int& line_;
    JsonText& out_;
    std::vector<Level> open_;
};

bool Builder::parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error)
{
    if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos)
        throw InputError(out_.source + ":1: the file is empty");

    // The position is one past the offending character.
    const auto [start, end] = word_at(text_, std::min(position, text_.size()) - (position > 0 ? 1 : 0));
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(start), '\n');
    const std::string word = printable(text_.substr(start, end - start), 40);
    const std::string reason = printable(shortened(error.what()), 160);
    throw InputError(fmt::format("{}:{}: not valid JSON at `{}`: {}{}", out_.source, line, word, reason,
                                 hint(text_.substr(0, start), word, error.what())));
}

}  // namespace

JsonText parse_json(std::string_view text, std::string source)
{
    JsonText result;
    result.source = std::move(source);
    int line = 1;
    Builder builder(text, line, result);
    constexpr bool kStrict = true, kComments = true;
    Json::sax_parse(CountingIterator(text.begin(), line), CountingIterator(text.end(), line), &builder,
                    nlohmann::detail::input_format_t::json, kStrict, kComments);
    return result;
}

}  // namespace pliant
