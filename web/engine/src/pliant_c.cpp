// The C interface over Session and Replay. Exceptions end here: they become the result and a 0.

#include "pliant_c.h"

#include "pliant/base/build.h"
#include "pliant/base/check.h"
#include "pliant/json/fields_json.h"
#include "pliant/render/debug_layers.h"
#include "pliant/render/display.h"
#include "pliant/render/frame.h"
#include "pliant/scene/scene.h"
#include "pliant/session/parameters.h"
#include "pliant/session/replay.h"
#include "pliant/world/measure.h"
#include "pliant/world/queries.h"

#include <fmt/format.h>

#include <cstdlib>
#include <new>
#include <optional>
#include <type_traits>

using namespace pliant;  // NOLINT: this file is the border to C

static_assert(sizeof(Real) == sizeof(float), "arrays are shown to C as they are: build it in single precision");
static_assert(sizeof(Vec3) == 3 * sizeof(float));

/// A session, its own or that of a replay, and what was asked of it last.
struct PliantSession {
    explicit PliantSession(Session& s) : session(&s) {}
    explicit PliantSession(std::unique_ptr<Session> s) : owned(std::move(s)), session(owned.get()) {}

    std::unique_ptr<Session> owned;
    Session* session;
    Frame frame;
    int shown = -1;  // frame that `frame` is of
    RodDisplay rods = RodDisplay::tubes;
    std::vector<DisplayLayer> layers;
    std::vector<std::vector<int>> nearest;  // per layer, once a field was asked for
    std::vector<Vec3> points, normals;      // scratch
    std::vector<float> numbers;
    DebugLayer debug;

    const World& world() const { return session->world(); }
    void update()
    {
        if (shown == session->frame()) return;
        update_frame(world(), session->frame(), frame);
        shown = session->frame();
    }
    const DisplayLayer* layer(int number)
    {
        if (layers.empty()) {
            update();
            layers = make_display(world(), frame, rods);
        }
        return number >= 0 && number < static_cast<int>(layers.size()) ? &layers[static_cast<std::size_t>(number)]
                                                                       : nullptr;
    }
    const std::vector<Vec3>& positions(int number)
    {
        update();
        return display_points(world(), frame, number, rods, points);
    }
};

struct PliantReplay {
    explicit PliantReplay(Recording recording) : replay(std::move(recording)), session(replay.session()) {}
    Replay replay;
    PliantSession session;
};

namespace {

// One page has one engine, which has one thread: these are what C calls errno.
std::string last_result;     // NOLINT(*-global-variables)
std::size_t last_length = 0;  // NOLINT(*-global-variables)
FileTable given_files;       // NOLINT(*-global-variables)

int give(std::string text)
{
    last_result = std::move(text);
    last_length = last_result.size();
    return 1;
}
int give(const Json& json) { return give(json.dump(-1, ' ', false, Json::error_handler_t::replace)); }

template <class T>
const T* give_array(const T* data, std::size_t count)
{
    last_length = count;
    return data;
}
const float* give_vectors(const std::vector<Vec3>& v)
{
    return give_array(reinterpret_cast<const float*>(v.data()), 3 * v.size());
}

/// Runs an action; what it throws becomes the result, and the answer is 0.
template <class Action>
auto attempt(Action&& action) -> std::invoke_result_t<Action>
{
    try {
        return action();
    } catch (const std::bad_alloc&) {
        give(std::string("out of memory; use fewer particles"));
    } catch (const std::exception& error) {
        give(std::string(error.what()));
    }
    return {};
}

const char* kind_of(const BodyRef& body)
{
    constexpr const char* kKinds[] = {"solid", "cloth", "rod", "rigid", "collider"};
    return kKinds[body.index()];
}

int count_particles(const World& world, const BodyRef& body)
{
    return std::visit(
        [&](auto id) {
            if constexpr (requires { get(world, id).particles; }) return get(world, id).particles.count;
            else return 0;
        },
        body);
}

template <class Entry>
Json write_list(const std::vector<Entry>& entries)
{
    Json list = Json::array();
    for (const Entry& entry : entries) list.push_back(JsonType<Entry>::write(entry));
    return list;
}

Json list_of_bodies(const World& world)
{
    Json list = Json::array();
    for (const BodyRef& body : list_bodies(world))
        list.push_back({{"name", name_of(world, body)}, {"kind", kind_of(body)}, {"particles", count_particles(world, body)}});
    return list;
}

std::optional<std::size_t> index_of_name(std::string_view name, std::span<const std::string> names)
{
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - names.begin()));
}

/// An enum by its name. Throws InputError that lists the names.
template <NamedEnum E>
E parse_enum(const char* name)
{
    const std::vector<std::string> names = JsonType<E>::names();
    if (const auto index = index_of_name(name, names)) return static_cast<E>(*index);
    throw InputError(fmt::format("\"{}\" is unknown; it is one of {}", name, fmt::join(names, ", ")));
}

BodyRef body_at(const World& world, int number)
{
    const std::vector<BodyRef> bodies = list_bodies(world);
    if (number < 0 || number >= static_cast<int>(bodies.size())) throw InputError(fmt::format("there is no body {}", number));
    return bodies[static_cast<std::size_t>(number)];
}

Json describe_hit(const World& world, const RayHit& hit)
{
    const std::vector<BodyRef> bodies = list_bodies(world);
    const auto number = std::ranges::find(bodies, hit.body) - bodies.begin();
    return {{"body", number},
            {"name", name_of(world, hit.body)},
            {"kind", kind_of(hit.body)},
            {"particle", hit.particle},
            {"point", write_fields(hit.point)},
            {"normal", write_fields(hit.normal)},
            {"distance", hit.distance}};
}

}  // namespace

void* pliant_allocate(size_t bytes) { return std::malloc(bytes); }
void pliant_free(void* memory) { std::free(memory); }

const char* pliant_version(void)
{
    static const std::string version =
        fmt::format("{}.{}.{}", PLIANT_VERSION_MAJOR, PLIANT_VERSION_MINOR, PLIANT_VERSION_PATCH);
    return version.c_str();
}
const char* pliant_result(void) { return last_result.c_str(); }
size_t pliant_length(void) { return last_length; }

int pliant_scenes(void)
{
    return attempt([] {
        Json list = Json::array();
        for (const BuiltinScene& scene : builtin_scenes()) list.push_back({{"name", scene.name}, {"about", scene.about}});
        return give(list);
    });
}

int pliant_scene_text(const char* name)
{
    return attempt([&] {
        for (BuiltinScene& scene : builtin_scenes())
            if (scene.name == name) return give(std::move(scene.text));
        throw InputError(fmt::format("there is no built-in scene \"{}\"", name));
    });
}

int pliant_schema(void)
{
    return attempt([] { return give(scene_schema()); });
}

int pliant_add_file(const char* name, const void* bytes, size_t size)
{
    return attempt([&] {
        given_files[name] = std::string(static_cast<const char*>(bytes), size);
        return 1;
    });
}
void pliant_clear_files(void) { given_files.clear(); }

PliantSession* pliant_load(const char* text, const char* source, const char* sets)
{
    return attempt([&] {
        SceneText scene{source, text, Json::parse(sets).get<std::vector<std::string>>(), given_files};
        return new PliantSession(std::make_unique<Session>(std::move(scene)));
    });
}
void pliant_close(PliantSession* session) { delete session; }

int pliant_info(PliantSession* s)
{
    return attempt([&] {
        const Scene& scene = s->session->scene();
        return give(Json{{"name", scene.name},
                         {"about", scene.about},
                         {"frames", scene.frames},
                         {"dt", s->world().settings->dt},
                         {"warnings", s->session->warnings()},
                         {"particles", s->world().particles->size()},
                         {"bodies", list_of_bodies(s->world())},
                         {"camera", write_list(scene.camera)},
                         {"looks", write_list(scene.looks)}});
    });
}

int pliant_step(PliantSession* s)
{
    return attempt([&] {
        const std::string trouble = s->session->step();
        give(trouble);
        return trouble.empty() ? 1 : 0;
    });
}

int pliant_reset(PliantSession* s)
{
    return attempt([&] {
        s->session->reset();
        s->shown = -1;
        return 1;
    });
}

int pliant_frame(const PliantSession* s) { return s->session->frame(); }
double pliant_time(const PliantSession* s) { return s->world().time; }
double pliant_step_ms(const PliantSession* s) { return s->session->step_ms(); }
int pliant_hash(PliantSession* s) { return give(fmt::format("{:016x}", s->session->hash())); }
int pliant_stats(PliantSession* s)
{
    return attempt([&] { return give(s->session->stats()); });
}

int pliant_layers(PliantSession* s, int rods_as_lines)
{
    return attempt([&] {
        s->rods = rods_as_lines != 0 ? RodDisplay::lines : RodDisplay::tubes;
        s->layers.clear();
        s->nearest.clear();
        s->layer(0);
        Json list = Json::array();
        for (const DisplayLayer& layer : s->layers)
            list.push_back({{"name", layer.name},
                            {"kind", layer.kind},
                            {"body", list.size()},
                            {"scenery", layer.scenery},
                            {"ground", layer.ground},
                            {"primitive", layer.primitive},
                            {"radius", layer.radius},
                            {"vertices", layer.vertices},
                            {"sharp", layer.sharp}});
        return give(list);
    });
}

const uint32_t* pliant_indices(PliantSession* s, int layer)
{
    const DisplayLayer* l = s->layer(layer);
    return l != nullptr ? give_array(l->indices.data(), l->indices.size()) : give_array<uint32_t>(nullptr, 0);
}
const uint32_t* pliant_strands(PliantSession* s, int layer)
{
    const DisplayLayer* l = s->layer(layer);
    return l != nullptr ? give_array(l->strands.data(), l->strands.size()) : give_array<uint32_t>(nullptr, 0);
}
const float* pliant_uvs(PliantSession* s, int layer)
{
    const DisplayLayer* l = s->layer(layer);
    if (l == nullptr) return give_array<float>(nullptr, 0);
    return give_array(reinterpret_cast<const float*>(l->uvs.data()), 2 * l->uvs.size());
}
const float* pliant_positions(PliantSession* s, int layer)
{
    if (s->layer(layer) == nullptr) return give_array<float>(nullptr, 0);
    return give_vectors(s->positions(layer));
}
const float* pliant_normals(PliantSession* s, int layer)
{
    const DisplayLayer* l = s->layer(layer);
    if (l == nullptr || l->primitive != std::string_view("triangles")) return give_array<float>(nullptr, 0);
    s->normals = vertex_normals(s->positions(layer), l->indices);
    return give_vectors(s->normals);
}

const float* pliant_field(PliantSession* s, int layer, const char* what)
{
    return attempt([&] {
        const auto field = parse_enum<VertexField>(what);
        if (s->layer(layer) == nullptr) throw InputError(fmt::format("there is no layer {}", layer));
        s->nearest.resize(s->layers.size());
        std::vector<int>& nearest = s->nearest[static_cast<std::size_t>(layer)];
        const std::vector<Vec3>& points = s->positions(layer);
        if (nearest.empty()) nearest = nearest_particles(s->world(), layer, points);
        s->numbers.assign(std::max<std::size_t>(points.size(), 1), 0);
        const std::vector<float> values = particle_field(s->world(), field);
        for (std::size_t k = 0; k < nearest.size(); ++k) s->numbers[k] = values[static_cast<std::size_t>(nearest[k])];
        return give_array<float>(s->numbers.data(), points.size());
    });
}

int pliant_debug(PliantSession* s, const char* kind)
{
    return attempt([&] {
        s->debug = make_debug_layer(parse_enum<DebugKind>(kind), s->world(), s->session->report());
        return 1;
    });
}

const float* pliant_debug_array(PliantSession* s, int number)
{
    const DebugLayer& d = s->debug;
    switch (number) {
        case 0: return give_vectors(d.points);
        case 1: return give_array(d.sizes.data(), d.sizes.size());
        case 2: return give_array(d.point_values.data(), d.point_values.size());
        case 3: return give_vectors(d.lines);
        default: return give_array(d.line_values.data(), d.line_values.size());
    }
}

int pliant_pick(PliantSession* s, double ox, double oy, double oz, double dx, double dy, double dz, double reach)
{
    return attempt([&] {
        const auto hit = raycast(s->world(), Vec3d{ox, oy, oz}.cast<Real>(), Vec3d{dx, dy, dz}.cast<Real>(),
                                 reach < std::numeric_limits<Real>::max() ? static_cast<Real>(reach)
                                                                          : std::numeric_limits<Real>::max());
        return hit ? give(describe_hit(s->world(), *hit)) : give(std::string("null"));
    });
}

int pliant_grab(PliantSession* s, int body, int particle, double x, double y, double z, double compliance)
{
    return attempt([&] {
        give(std::string());
        return s->session->grab(body_at(s->world(), body), particle, {x, y, z}, compliance);
    });
}
int pliant_drag(PliantSession* s, int grab, double x, double y, double z)
{
    return attempt([&] {
        s->session->drag(grab, {x, y, z});
        return 1;
    });
}
int pliant_release(PliantSession* s, int grab)
{
    return attempt([&] {
        s->session->release(grab);
        return 1;
    });
}

int pliant_parameters(PliantSession* s)
{
    return attempt([&] { return give(list_parameters(s->world())); });
}
int pliant_set(PliantSession* s, const char* path, const char* value)
{
    return attempt([&] {
        s->session->set(path, value);
        return 1;
    });
}

int pliant_save(PliantSession* s)
{
    return attempt([&] { return s->session->save(); });
}
int pliant_restore(PliantSession* s, int snapshot)
{
    return attempt([&] {
        s->session->restore(snapshot);
        s->shown = -1;
        return 1;
    });
}
void pliant_forget(PliantSession* s, int snapshot) { s->session->forget(snapshot); }

int pliant_snapshot(PliantSession* s)
{
    return attempt([&] { return give(s->session->snapshot()); });
}
int pliant_open_snapshot(PliantSession* s, const char* bytes, int size)
{
    return attempt([&] {
        s->session->open_snapshot({bytes, static_cast<std::size_t>(size)});
        s->shown = -1;
        return 1;
    });
}

int pliant_recording(PliantSession* s)
{
    return attempt([&] { return give(write_recording(s->session->recording())); });
}

PliantReplay* pliant_open_recording(const char* json)
{
    return attempt([&] { return new PliantReplay(read_recording(json, "recording")); });
}
void pliant_close_replay(PliantReplay* replay) { delete replay; }
PliantSession* pliant_replay_session(PliantReplay* replay) { return &replay->session; }
int pliant_replay_frames(const PliantReplay* replay) { return replay->replay.frames(); }
int pliant_replay_difference(const PliantReplay* replay) { return replay->replay.difference(); }

int pliant_replay_step(PliantReplay* r)
{
    return attempt([&] {
        const auto result = r->replay.step();
        if (!result) return give(std::string("null"));
        return give(Json{{"frame", result->frame},
                         {"hash", fmt::format("{:016x}", result->hash)},
                         {"recorded", fmt::format("{:06x}", result->recorded)},
                         {"equal", result->equal}});
    });
}
int pliant_replay_seek(PliantReplay* r, int frame)
{
    return attempt([&] {
        r->replay.seek(frame);
        r->session.shown = -1;
        return 1;
    });
}
