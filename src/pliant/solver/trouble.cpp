#include "pliant/solver/trouble.h"

#include "pliant/base/message.h"
#include "pliant/base/parallel.h"
#include "pliant/solver/cause.h"
#include "pliant/world/bodies.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

bool is_finite(const Vec3& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

/// Whether all positions and velocities are numbers: zero times anything else is not zero.
bool all_finite(const Particles& p, std::vector<Real>& check)
{
    constexpr int kChunk = 4096;
    check.assign(static_cast<std::size_t>(p.size() / kChunk + 1), 0);
    parallel_for(static_cast<int>(check.size()), 1, [&](int begin, int end) {
        for (int c = begin; c < end; ++c) {
            Vec3 sum{};
            for (int i = c * kChunk; i < std::min((c + 1) * kChunk, p.size()); ++i) sum += Real(0) * (p.x[i] + p.v[i]);
            check[c] = sum.x + sum.y + sum.z;
        }
    });
    return std::all_of(check.begin(), check.end(), [](Real sum) { return sum == 0; });
}

constexpr const char* kNotFinite = "position or velocity is no longer a finite number";

std::string cause_of(const World& world, const auto& body) { return likely_cause(world, body); }
std::string cause_of(const World&, const Rigid&) { return {}; }  // it has no particles

/// The first particle of a body that is nowhere; -1 for none.
int find_lost(Range range, const Particles& p)
{
    for (int i = range.first; i < range.end(); ++i)
        if (!is_finite(p.x[i]) || !is_finite(p.v[i])) return i - range.first;
    return -1;
}

Trouble trouble_of_rigid(const World& world, int i)
{
    const RigidBodies& bodies = *world.rigid_bodies;
    const Pose& pose = bodies.pose[i];
    if (is_finite(pose.x) && is_finite(bodies.v[i]) && is_finite(bodies.w[i]) && is_finite(pose.q.v)) return {};
    const std::string& name = world.rigids[i].name;
    return {TroubleKind::not_finite, name, -1,
            message("{} \"{}\": {}. {}", Rigid::kKind, name, kNotFinite, likely_cause_of_rigid(world, i))};
}

}  // namespace

Trouble find_trouble(const World& world, std::vector<Real>& scratch)
{
    Trouble trouble;
    if (!all_finite(world.particles, scratch)) {
        for_each_body(world, [&](const auto& body) {
            const int lost = trouble ? -1 : find_lost(particles_of(body), world.particles);
            if (lost < 0) return;
            trouble = {TroubleKind::not_finite, body.name, lost,
                       message("{} \"{}\", particle {}: {}. {}", body.kKind, body.name, lost, kNotFinite,
                               cause_of(world, body))};
        });
    }
    for (int i = 0; i < world.rigid_bodies->size() && !trouble; ++i) trouble = trouble_of_rigid(world, i);
    return trouble;
}

Trouble trouble_of_step(Real dt)
{
    return {TroubleKind::bad_step, "", -1,
            message("a step of {} s: give a time of at least 0; the world is as it was", static_cast<double>(dt))};
}

}  // namespace pliant
