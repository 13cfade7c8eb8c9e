#include "pliant/session/parameters.h"

#include "pliant/base/check.h"
#include "pliant/json/fields_json.h"
#include "pliant/json/nearest_name.h"
#include "pliant/world/edits.h"

#include <fmt/format.h>

#include <algorithm>

namespace pliant {

namespace {

// Which types a slider, a tick box or a list can show; keys, rules and motions are for the scene file.
template <class T>
struct ParameterType {
    static constexpr const char* kName = nullptr;
};
template <>
struct ParameterType<bool> {
    static constexpr const char* kName = "boolean";
};
template <>
struct ParameterType<int> {
    static constexpr const char* kName = "integer";
};
template <std::floating_point T>
struct ParameterType<T> {
    static constexpr const char* kName = "number";
};
template <NamedEnum E>
struct ParameterType<E> {
    static constexpr const char* kName = "choice";
};
template <class S>
struct ParameterType<Vector3<S>> {
    static constexpr const char* kName = "vector";
};
template <class T>
struct ParameterType<std::optional<T>> : ParameterType<T> {};

template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
Json choices_of()
{
    if constexpr (NamedEnum<T>) return JsonType<T>::names();
    else return Json::array();
}
template <class T>
    requires kIsOptional<T>
Json choices_of()
{
    return choices_of<typename T::value_type>();
}

/// What a body was made from, which set_ refuses.
bool is_live(std::string_view kind, std::string_view name)
{
    constexpr std::pair<std::string_view, std::string_view> kFixed[] = {
        {"solid", "clustering"}, {"solid", "cluster_radius"},
        {"solid", "seed"},       {"rod", "rest"},
        {"collider", "shape"},   {"glue", "kind"},
        {"glue", "form"},        {"glue", "axis"}};
    return std::ranges::find(kFixed, std::pair(kind, name)) == std::end(kFixed);
}

Json limit_of(double limit) { return std::abs(limit) < std::numeric_limits<double>::max() ? Json(limit) : Json(); }

/// All of a parameter that depends on its type; one function writes it, so that the code stays small.
struct Described {
    const char *name, *type, *unit, *help;
    Json value, standard, choices;
    bool optional;
    Limits limits;
};

Json write_parameter(Described&& p, const char* kind)
{
    return {{"name", p.name},
            {"type", p.type},
            {"unit", p.unit},
            {"help", p.help},
            {"value", std::move(p.value)},
            {"default", std::move(p.standard)},
            {"optional", p.optional},
            {"low", limit_of(p.limits.low)},
            {"high", limit_of(p.limits.high)},
            {"openLow", p.limits.open_low},
            {"choices", std::move(p.choices)},
            {"live", is_live(kind, p.name)}};
}

template <class Owner, class V>
Json describe_parameter(const Field<Owner, V>& field, const char* kind, const Owner& values)
{
    const Owner defaults{};
    return write_parameter(
        {field.name, ParameterType<V>::kName, field.unit, field.doc, JsonType<V>::write(values.*field.member),
         JsonType<V>::write(defaults.*field.member), choices_of<V>(), kIsOptional<V>, field.limits},
        kind);
}

template <HasFields T>
Json make_table(const std::string& path, const char* kind, int body, const T& values)
{
    Json parameters = Json::array();
    for_each_field<T>([&]<class Owner, class V>(const Field<Owner, V>& field) {
        if constexpr (ParameterType<V>::kName != nullptr) parameters.push_back(describe_parameter(field, kind, values));
    });
    return {{"path", path}, {"kind", kind}, {"body", body}, {"parameters", std::move(parameters)}};
}

/// The value of one field, read and checked as in a scene file.
template <HasFields T>
T changed(T params, const std::string& path, const std::string& name, const Json& value)
{
    Json object = Json::object();
    object[name] = value;
    if (value.is_null()) {
        bool done = false;
        for_each_field<T>([&]<class Owner, class V>(const Field<Owner, V>& field) {
            if constexpr (kIsOptional<V>) {
                if (name != field.name) return;
                (params.*field.member).reset();
                done = true;
            }
        });
        if (!done) throw InputError(fmt::format("{}.{}: cannot be left out; give it a value", path, name));
        return params;
    }
    Problems problems;
    const JsonText text = parse_json(object.dump(), path);
    read_fields(text, problems, params);
    problems.raise();
    return params;
}

struct ParameterPath {
    std::string list, body, name;  // `body` is empty for settings, forces and contact

    std::string table() const { return body.empty() ? list : list + "." + body; }
};

ParameterPath split_path(std::string_view path)
{
    const std::size_t first = path.find('.'), last = path.rfind('.');
    if (first == std::string_view::npos)
        throw InputError(fmt::format("\"{}\" is no parameter; write it like solids.bunny.gamma", path));
    ParameterPath parts{std::string(path.substr(0, first)), {}, std::string(path.substr(last + 1))};
    if (last > first) parts.body = path.substr(first + 1, last - first - 1);
    return parts;
}

/// Finds the body of a path and gives set(id, body) the word.
template <class Body, class Set>
void set_in(const BodyList<Body>& list, const ParameterPath& path, const Set& set)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].name == path.body) return set(list.id_at(static_cast<int>(i)), list[i]);
        names.push_back(list[i].name);
    }
    throw InputError(fmt::format("there is no \"{}\" in {}{}", path.body, path.list, suggest_name(path.body, names)));
}

}  // namespace

std::string list_parameters(const World& world)
{
    Json tables = Json::array();
    tables.push_back(make_table("settings", "settings", -1, *world.settings));
    tables.push_back(make_table("forces", "forces", -1, *world.forces));
    tables.push_back(make_table("contact", "contact", -1, *world.contact));
    int body = 0;
    const auto add = [&](const char* list, const char* kind, const auto& bodies) {
        for (const auto& b : bodies)
            tables.push_back(make_table(fmt::format("{}.{}", list, b.name), kind, body++, b.params));
    };
    add("solids", "solid", world.solids);
    add("cloths", "cloth", world.cloths);
    add("rods", "rod", world.rods);
    add("rigids", "rigid", world.rigids);
    for (const Collider& c : world.colliders)
        tables.push_back(make_table("colliders." + c.name, "collider", body++, c));
    for (const Glue& g : world.glues) tables.push_back(make_table("glue." + g.name, "glue", -1, g.params));
    return tables.dump();
}

void set_parameter(World& world, std::string_view path, std::string_view value)
{
    const ParameterPath p = split_path(path);
    const Json json = parse_json(value, std::string(path)).root;
    const auto with = [&](const auto& params) { return changed(params, p.table(), p.name, json); };
    if (p.list == "settings") return set_settings(world, with(*world.settings));
    if (p.list == "forces") return set_forces(world, with(*world.forces));
    if (p.list == "contact") return set_contact(world, with(*world.contact));
    if (p.list == "solids")
        return set_in(world.solids, p, [&](auto id, auto& b) { set_solid(world, id, with(b.params)); });
    if (p.list == "cloths")
        return set_in(world.cloths, p, [&](auto id, auto& b) { set_cloth(world, id, with(b.params)); });
    if (p.list == "rods") return set_in(world.rods, p, [&](auto id, auto& b) { set_rod(world, id, with(b.params)); });
    if (p.list == "rigids")
        return set_in(world.rigids, p, [&](auto id, auto& b) { set_rigid(world, id, with(b.params)); });
    if (p.list == "colliders")
        return set_in(world.colliders, p, [&](auto id, auto& b) { set_collider(world, id, with(b)); });
    if (p.list == "glue") return set_in(world.glues, p, [&](auto id, auto& b) { set_glue(world, id, with(b.params)); });
    const std::vector<std::string> known = {"settings", "forces", "contact",   "solids", "cloths",
                                            "rods",     "rigids", "colliders", "glue"};
    throw InputError(fmt::format("unknown list \"{}\"{}", p.list, suggest_name(p.list, known)));
}

std::vector<BodyRef> list_bodies(const World& world)
{
    std::vector<BodyRef> bodies;
    const auto add = [&](const auto& list) {
        for (std::size_t i = 0; i < list.size(); ++i) bodies.emplace_back(list.id_at(static_cast<int>(i)));
    };
    std::apply([&](auto... kind) { (add(world.*kind), ...); }, kBodyKinds);
    add(world.colliders);
    return bodies;
}

}  // namespace pliant
