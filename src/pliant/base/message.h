#pragma once
// The text of a message: each {} of the pattern stands for the next value. Numbers are as short as they can be and still
// be read back, with an exponent only where they are very large or small; {:.3g} rounds to three digits. What fmt does,
// without the dependency, for the rooms of the engine.

#include <string>
#include <string_view>
#include <type_traits>

namespace pliant {

/// A value in a message.
class MessageValue {
  public:
    template <class T>
        requires std::is_integral_v<T>
    MessageValue(T value) : kind_(std::is_same_v<T, char> ? Kind::letter : Kind::integer), integer_(value)
    {}
    MessageValue(float value) : kind_(Kind::single), number_(static_cast<double>(value)) {}
    MessageValue(double value) : kind_(Kind::number), number_(value) {}
    MessageValue(std::string_view value) : kind_(Kind::text), text_(value) {}
    MessageValue(const std::string& value) : MessageValue(std::string_view(value)) {}
    MessageValue(const char* value) : MessageValue(std::string_view(value)) {}

    /// `digits` > 0 rounds a number to that many significant digits.
    void append_to(std::string& out, int digits) const;

  private:
    enum class Kind { integer, letter, single, number, text };
    Kind kind_;
    long long integer_ = 0;
    double number_ = 0;
    std::string_view text_;
};

namespace detail {
std::string fill_in(std::string_view pattern, const MessageValue* values, int count);
}

template <class... Values>
std::string message(std::string_view pattern, const Values&... values)
{
    const MessageValue list[] = {MessageValue(values)..., MessageValue(0)};
    return detail::fill_in(pattern, list, static_cast<int>(sizeof...(values)));
}

}  // namespace pliant
