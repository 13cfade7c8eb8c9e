#pragma once
// Values to and from bytes: numbers, strings, lists, optionals, variants, shared data, and structs by their members
// (snapshot/members.h) or their parameter tables.
//
// Numbers have a fixed width and the lowest byte first. A list is its length and its elements. Data that several owners
// share is written once and shared again when read. A Revision is not written: whoever reads gets a new one, so that a
// Solver compiles what came from a file. The bytes carry no types; layout_of<T>() describes them in words, for two builds to
// compare.

#include "pliant/base/fields.h"
#include "pliant/base/revision.h"
#include "pliant/math/quaternion.h"
#include "pliant/state/writable.h"

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace pliant {

static_assert(std::endian::native == std::endian::little, "ByteWriter copies numbers as they lie in memory");

/// The bytes end early or do not make sense.
struct DamagedBytes {};

template <class T>
concept Number = std::same_as<T, char> || std::same_as<T, bool> || std::same_as<T, int> ||
                 std::same_as<T, std::uint32_t> || std::same_as<T, std::int64_t> || std::same_as<T, std::uint64_t> ||
                 std::same_as<T, float> || std::same_as<T, double>;

namespace detail {

/// Types that are nothing but numbers of one kind, side by side.
template <class T>
struct NumbersOf {};
template <Number T>
struct NumbersOf<T> {
    using Kind = T;
};
template <class S>
struct NumbersOf<Vector3<S>> : NumbersOf<S> {};
template <class S>
struct NumbersOf<Matrix3<S>> : NumbersOf<S> {};
template <class S>
struct NumbersOf<Quaternion<S>> : NumbersOf<S> {};
template <class T, std::size_t N>
struct NumbersOf<std::array<T, N>> : NumbersOf<T> {};

}  // namespace detail

template <class T>
concept Numbers = requires { typename detail::NumbersOf<T>::Kind; } &&
                  sizeof(T) % sizeof(typename detail::NumbersOf<T>::Kind) == 0 && !std::same_as<T, bool>;

class ByteWriter {
  public:
    std::string take() { return std::move(bytes_); }

    template <Numbers T>
    void put(const T& value)
    {
        put_raw(&value, sizeof(T));
    }
    void put(bool value) { put(static_cast<char>(value)); }
    template <class E>
        requires std::is_enum_v<E>
    void put(E value)
    {
        put(static_cast<int>(value));
    }
    void put(const std::string& text)
    {
        put_size(text.size());
        put_raw(text.data(), text.size());
    }
    template <class T>
    void put(const std::vector<T>& list)
    {
        put_size(list.size());
        if constexpr (Numbers<T>) put_raw(list.data(), list.size() * sizeof(T));
        else
            for (const T& item : list) put(item);
    }
    template <class T, std::size_t N>
        requires(!Numbers<std::array<T, N>>)
    void put(const std::array<T, N>& list)
    {
        for (const T& item : list) put(item);
    }
    template <class K, class T>
    void put(const std::map<K, T>& table)
    {
        put_size(table.size());
        for (const auto& [key, item] : table) {
            put(key);
            put(item);
        }
    }
    template <class T>
    void put(const std::optional<T>& value)
    {
        put(value.has_value());
        if (value) put(*value);
    }
    template <class... T>
    void put(const std::variant<T...>& value)
    {
        put(static_cast<int>(value.index()));
        std::visit([&](const auto& one) { put(one); }, value);
    }
    template <class T>
    void put(const std::shared_ptr<const T>& data)
    {
        if (data == nullptr) return put_size(0);
        const auto [known, is_new] = shared_.emplace(data.get(), shared_.size() + 1);
        put_size(known->second);
        if (is_new) put(*data);
    }
    void put(const Revision&) {}
    template <class Kind>
    void put(const Id<Kind>& id)
    {
        put(id.slot);
        put(id.generation);
    }
    template <class T>
    void put(const Guarded<T>& guarded)
    {
        put(*guarded);
    }
    template <class Body>
    void put(const BodyList<Body>& list)
    {
        const auto& [items, ids] = Writable::parts(list);
        put(items);
        std::apply([&](const auto&... part) { (put(part), ...); }, Writable::parts(ids));
    }
    template <class T>
        requires requires(const T& object) { members_of(object); }
    void put(const T& object)
    {
        std::apply([&](const auto&... member) { (put(member), ...); }, members_of(object));
    }
    template <HasFields T>
        requires(!requires(const T& object) { members_of(object); })
    void put(const T& params)
    {
        for_each_field<T>([&](const auto& field) { put(params.*field.member); });
    }

  private:
    void put_size(std::size_t size) { put(static_cast<std::uint64_t>(size)); }
    void put_raw(const void* from, std::size_t count)
    {
        if (count > 0) bytes_.append(static_cast<const char*>(from), count);
    }

    std::string bytes_;
    std::map<const void*, std::size_t> shared_;  // numbers from 1
};

/// Reads what a ByteWriter has written into a value of the same type. Throws DamagedBytes; never takes more memory than a
/// small multiple of the bytes there are.
class ByteReader {
  public:
    explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

    bool at_end() const { return rest_.empty(); }

    template <Numbers T>
    void get(T& value)
    {
        get_raw(&value, sizeof(T));
    }
    void get(bool& value)
    {
        char byte = 0;
        get(byte);
        value = byte != 0;
    }
    template <class E>
        requires std::is_enum_v<E>
    void get(E& value)
    {
        int number = 0;
        get(number);
        value = static_cast<E>(number);
        if constexpr (NamedEnum<E>)
            if (number < 0 || number >= static_cast<int>(enum_names(value).size())) throw DamagedBytes();
    }
    void get(std::string& text)
    {
        text.resize(get_size(1));
        get_raw(text.data(), text.size());
    }
    template <class T>
    void get(std::vector<T>& list)
    {
        list.clear();
        if constexpr (Numbers<T>) {
            list.resize(get_size(sizeof(T)));
            get_raw(list.data(), list.size() * sizeof(T));
        } else {
            // Element by element: a length that lies meets the end of the bytes before it takes memory.
            for (std::size_t left = get_size(1); left > 0; --left) get(list.emplace_back());
        }
    }
    template <class T, std::size_t N>
        requires(!Numbers<std::array<T, N>>)
    void get(std::array<T, N>& list)
    {
        for (T& item : list) get(item);
    }
    template <class K, class T>
    void get(std::map<K, T>& table)
    {
        table.clear();
        for (std::size_t left = get_size(1); left > 0; --left) {
            K key{};
            get(key);
            get(table[std::move(key)]);
        }
    }
    template <class T>
    void get(std::optional<T>& value)
    {
        bool has = false;
        get(has);
        value.reset();
        if (has) get(value.emplace());
    }
    template <class... T>
    void get(std::variant<T...>& value)
    {
        int index = 0;
        get(index);
        const auto take = [&]<std::size_t... k>(std::index_sequence<k...>) {
            return ((index == static_cast<int>(k) && (get(value.template emplace<k>()), true)) || ...);
        };
        if (!take(std::index_sequence_for<T...>())) throw DamagedBytes();
    }
    template <class T>
    void get(std::shared_ptr<const T>& data)
    {
        std::uint64_t number = 0;
        get(number);
        data.reset();
        if (number == 0) return;
        if (number > shared_.size() + 1) throw DamagedBytes();
        if (number <= shared_.size()) {
            const Shared& known = shared_[static_cast<std::size_t>(number - 1)];
            if (known.kind != &kKindOf<T>) throw DamagedBytes();
            data = std::static_pointer_cast<const T>(known.data);
            return;
        }
        const auto fresh = std::make_shared<T>();
        shared_.push_back({&kKindOf<T>, fresh});
        get(*fresh);
        if constexpr (requires { complete(*fresh); })
            if (!complete(*fresh)) throw DamagedBytes();
        data = fresh;
    }
    void get(Revision& revision) { revision.bump(); }
    template <class Kind>
    void get(Id<Kind>& id)
    {
        get(id.slot);
        get(id.generation);
    }
    template <class T>
    void get(Guarded<T>& guarded)
    {
        get(writable(guarded));
    }
    template <class Body>
    void get(BodyList<Body>& list)
    {
        const auto& [items, ids] = Writable::parts(list);
        get(items);
        std::apply([&](auto&... part) { (get(part), ...); }, Writable::parts(ids));
    }
    template <class T>
        requires requires(T& object) { members_of(object); }
    void get(T& object)
    {
        std::apply([&](auto&... member) { (get(member), ...); }, members_of(object));
    }
    template <HasFields T>
        requires(!requires(T& object) { members_of(object); })
    void get(T& params)
    {
        for_each_field<T>([&](const auto& field) { get(params.*field.member); });
    }

  private:
    struct Shared {
        const char* kind;
        std::shared_ptr<const void> data;
    };
    template <class T>
    static constexpr char kKindOf = 0;  // its address stands for the type

    /// The length of what takes at least `each` bytes an element.
    std::size_t get_size(std::size_t each)
    {
        std::uint64_t size = 0;
        get(size);
        if (size > rest_.size() / each) throw DamagedBytes();
        return static_cast<std::size_t>(size);
    }
    void get_raw(void* to, std::size_t count)
    {
        if (count > rest_.size()) throw DamagedBytes();
        if (count > 0) std::memcpy(to, rest_.data(), count);
        rest_.remove_prefix(count);
    }

    std::string_view rest_;
    std::vector<Shared> shared_;
};

}  // namespace pliant
