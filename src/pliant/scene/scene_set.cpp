#include "pliant/base/check.h"
#include "pliant/json/nearest_name.h"
#include "pliant/scene/scene_parts.h"

#include <fmt/format.h>

namespace pliant {

namespace {

/// Lines for a value that was never in a file.
SourceLines set_lines(const Json& value)
{
    SourceLines lines{kSetLine, {}};
    if (value.is_structured())
        for (const Json& item : value) lines.items.push_back(set_lines(item));
    return lines;
}

/// JSON where it is that, otherwise the text itself: `limiter=cluster` needs no quotes.
Json parse_value(const std::string& text)
{
    try {
        return parse_json(text, "--set").root;
    } catch (const InputError&) {
        const bool meant_json = text.starts_with('[') || text.starts_with('{') || text.starts_with('"');
        if (meant_json) throw;
        return text;
    }
}

/// A place in the document, with what the schema says about it.
class SetTarget {
  public:
    SetTarget(const std::string& edit, const Json& schema, JsonText& text)
        : edit_(edit), rules_(&schema), value_(&text.root), lines_(&text.lines), source_(text.source)
    {}

    void enter(const std::string& part)
    {
        if (rules_->contains("properties")) {
            enter_member(part);
        } else if (rules_->contains("items")) {
            enter_element(part);
        } else {
            fail(fmt::format("{} is a single value and has no part \"{}\"", path_, part));
        }
        path_ += path_.empty() ? part : "/" + part;
    }

    void assign(Json value)
    {
        *lines_ = set_lines(value);
        *value_ = std::move(value);
    }

    [[noreturn]] void fail(const std::string& message) const
    {
        throw InputError(fmt::format("{}:--set: {}: {}", source_, edit_, message));
    }

  private:
    void enter_member(const std::string& part)
    {
        const Json& properties = rules_->at("properties");
        if (!properties.contains(part)) {
            std::vector<std::string> known;
            for (const auto& property : properties.items()) known.push_back(property.key());
            fail(fmt::format("unknown key \"{}\"{}{}", part, path_.empty() ? "" : " in " + path_,
                             suggest_name(part, known)));
        }
        if (!value_->is_object()) fail(fmt::format("{} is not an object in the file", path_));
        rules_ = &properties.at(part);
        if (!value_->contains(part)) {  // begin from the default, so that one part of a vector can be set
            (*value_)[part] = rules_->contains("default") ? rules_->at("default")
                              : rules_->contains("items") ? Json::array()
                                                          : Json::object();
            lines_->items.push_back(set_lines((*value_)[part]));
        }
        const auto member = value_->find(part);
        lines_ = &lines_->items[static_cast<std::size_t>(std::distance(value_->begin(), member))];
        value_ = &*member;
    }

    /// By index, or by the name of the element.
    void enter_element(const std::string& part)
    {
        if (!value_->is_array()) fail(fmt::format("{} is not an array in the file", path_));
        std::vector<std::string> names;
        for (std::size_t i = 0; i < value_->size(); ++i) {
            Json& element = (*value_)[i];
            const auto name = element.is_object() ? element.find("name") : element.end();
            const bool named = element.is_object() && name != element.end() && name->is_string();
            if (named) names.push_back(name->get<std::string>());
            if (std::to_string(i) != part && !(named && names.back() == part)) continue;
            rules_ = &rules_->at("items");
            value_ = &element;
            lines_ = &lines_->items[i];
            return;
        }
        fail(fmt::format("{} has {} elements and none is \"{}\"{}", path_, value_->size(), part,
                         names.empty() ? "" : suggest_name(part, names)));
    }

    std::string edit_;
    const Json* rules_;
    Json* value_;
    SourceLines* lines_;
    std::string source_;
    std::string path_;
};

}  // namespace

void apply_set(const std::string& edit, const Json& schema, JsonText& text)
{
    SetTarget target(edit, schema, text);
    const std::size_t equals = edit.find('=');
    if (equals == std::string::npos || equals == 0) target.fail("must be like settings.substeps=4");

    std::string_view key = std::string_view(edit).substr(0, equals);
    while (true) {
        const std::size_t dot = key.find('.');
        target.enter(std::string(key.substr(0, dot)));
        if (dot == std::string_view::npos) break;
        key.remove_prefix(dot + 1);
    }
    target.assign(parse_value(edit.substr(equals + 1)));
}

}  // namespace pliant
