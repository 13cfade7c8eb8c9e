#include "pliant/report/stats.h"

#include "pliant/cloth/fibres.h"
#include "pliant/cloth/triangles.h"
#include "pliant/json/fields_json.h"
#include "pliant/solver/sleeping.h"
#include "pliant/world/contact_surface.h"
#include "pliant/world/measure.h"
#include "pliant/world/queries.h"

#include <fmt/format.h>

namespace pliant {

namespace {

Json count_all(const World& world)
{
    long long clusters = 0, memberships = 0, triangles = 0, triangle_clusters = 0, fibres = 0, pinned = 0;
    long long strands = 0, rod_edges = 0;
    for (const Solid& solid : world.solids) {
        clusters += solid.memberships.clusters();
        memberships += solid.memberships.count();
    }
    for (const Cloth& cloth : world.cloths) {
        triangles += static_cast<long long>(cloth.rest.triangles.size());
        triangle_clusters += static_cast<long long>(find_triangle_clusters(cloth.rest, cloth.mesh_edges).size());
        fibres += count_fibres(cloth);
    }
    for (const Rod& rod : world.rods) {
        strands += rod.strands();
        rod_edges += static_cast<long long>(rod.edges.size());
    }
    for (const PinnedSet& set : world.drivers->pins) pinned += static_cast<long long>(set.particles.size());
    return {{"particles", world.particles->size()},
            {"solids", world.solids.size()},
            {"clusters", clusters},
            {"memberships", memberships},
            {"cloths", world.cloths.size()},
            {"triangles", triangles},
            {"triangle_clusters", triangle_clusters},
            {"fibres", fibres},
            {"rods", world.rods.size()},
            {"strands", strands},
            {"rod_edges", rod_edges},
            {"rigids", world.rigids.size()},
            {"glues", world.glues.size()},
            {"colliders", world.colliders.size()},
            {"pinned", pinned},
            {"grabs", world.grabs.size()}};
}

Json phase_times(const Profile& profile)
{
    Json times = Json::object();
    for (std::size_t i = 0; i < kPhases; ++i) times[name_of(static_cast<Phase>(i))] = profile.ms[i];
    return times;
}

Json list_events(const std::vector<GlueEvent>& events)
{
    Json list = Json::array();
    for (const GlueEvent& event : events)
        list.push_back({{"time", event.time}, {"what", name_of(event.kind)}, {"glue", event.glue}});
    return list;
}

Json measure_contact(const FeatureContactReport& report)
{
    return {{"contacts", report.contacts},
            {"searches", report.searches},
            {"passes", report.passes},
            {"held", report.held},
            {"open", report.open}};
}

/// The body that asked for the most substeps, and its reason, such as "cloth: speed".
std::string asked_by(const World& world, const Effort& effort)
{
    const std::string name = effort.body ? name_of(world, *effort.body) : std::string();
    return name.empty() ? effort.why : fmt::format("{}: {}", name, effort.why);
}

/// Force, torque, gap and work of each glue.
Json measure_glue(const World& world)
{
    Json all = Json::object();
    for (const Glue& glue : world.glues)
        append_member(glue.name,
                      Json{{"on", glue.on},
                           {"force", glue.force},
                           {"torque", glue.torque},
                           {"gap", glue_gap(world, glue)},
                           {"work", glue.work}},
                      all);
    return all;
}

/// The parameters of each body, by its name.
template <class Body>
Json params_of(const BodyList<Body>& bodies)
{
    Json params = Json::object();
    for (const Body& body : bodies) append_member(body.name, write_fields(body.params), params);
    return params;
}

Json measure_frame(int frame, const World& world, const FrameCost& cost)
{
    const Energy energy = measure_energy(world);
    Json max_strain = Json::object(), p99_strain = Json::object(), center = Json::object();
    const auto measure = [&](const auto& bodies) {
        for (const auto& body : bodies) {
            const Strain strain = measure_strain(world, body);
            append_member(body.name, strain.max, max_strain);
            append_member(body.name, strain.p99, p99_strain);
            append_member(body.name, write_fields(center_of_points(world.particles, body.particles)), center);
        }
    };
    measure(world.solids);
    measure(world.cloths);
    measure(world.rods);
    for (std::size_t i = 0; i < world.rigids.size(); ++i)
        append_member(world.rigids[i].name, write_fields(world.rigid_bodies->pose[i].x), center);
    const Vec3d momentum = linear_momentum(world);
    const Vec3d spin = angular_momentum(world, center_of_mass(world));
    Json json = {{"frame", frame},
                 {"time", *world.time},
                 {"phase_ms", phase_times(cost.phases)},
                 {"step_ms", cost.step_ms},
                 {"substeps", frame == 0 ? 0 : cost.effort.substeps},
                 {"asked_by", asked_by(world, cost.effort)},
                 {"kinetic_energy", energy.kinetic},
                 {"potential_energy", energy.potential},
                 {"elastic_energy", energy.elastic},
                 {"total_energy", energy.total()},
                 {"linear_momentum", write_fields(momentum)},
                 {"angular_momentum", write_fields(spin)},
                 {"max_strain", std::move(max_strain)},
                 {"p99_strain", std::move(p99_strain)},
                 {"center", std::move(center)},
                 {"contacts", cost.contacts},
                 {"asleep", count_asleep(world.rigid_bodies)},
                 {"intersections", cost.intersections},
                 {"events", list_events(cost.events)},
                 {"hash", fmt::format("{:016x}", hash_state(world))}};
    if (may_touch(world)) json["body_contact"] = measure_contact(cost.feature_contacts);
    if (!world.glues.empty()) {
        json["glue"] = measure_glue(world);
        json["glue_gap"] = largest_glue_gap(world);
    }
    return json;
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

Stats::Stats(const World& world)
{
    Json settings = write_fields(*world.settings);
    settings.update(write_fields(*world.forces));
    settings["precision"] = sizeof(Real) == sizeof(float) ? "float" : "double";
    settings["solids"] = params_of(world.solids);
    settings["cloths"] = params_of(world.cloths);
    settings["rods"] = params_of(world.rods);
    settings["rigids"] = params_of(world.rigids);
    settings["glue"] = params_of(world.glues);
    settings["contact"] = write_fields(*world.contact);
    head_ = fmt::format("{{\n\"settings\": {},\n\"counts\": {},\n\"frames\": [", text_of(settings),
                        text_of(count_all(world)));
}

/// One line per frame, so that people and text tools can find it.
std::string Stats::line(int frame, const World& world, const FrameCost& cost)
{
    return text_of(measure_frame(frame, world, cost));
}

void Stats::add(int frame, const World& world, const FrameCost& cost)
{
    frames_ += (frames_.empty() ? "\n" : ",\n") + line(frame, world, cost);
}

std::string Stats::text() const { return head_ + frames_ + tail(); }

std::string write_frame_stats(int frame, const World& world, const FrameCost& cost,
                              const std::vector<std::string>& warnings)
{
    Json json = measure_frame(frame, world, cost);
    json["warnings"] = warnings;
    return text_of(json);
}

long long count_fibres(const Cloth& cloth)
{
    if (cloth.params.fibres == FibreMode::none) return 0;
    return static_cast<long long>(find_fibres(cloth.rest, cloth.mesh_edges).size());
}

}  // namespace pliant
