#pragma once
// Timers of the phases of a step. Off, a timer is one test of a flag.

#include <array>
#include <chrono>
#include <cstddef>

namespace pliant {

enum class Phase {
    drive,
    forces,
    match_shapes,
    damping,
    predict,
    limit_strain,
    cloth,
    rods,
    glue,
    collider_contacts,  // of particles and of rigid bodies
    feature_contacts,   // of bodies with each other and with themselves
    rigid_contacts,     // of rigid bodies with each other and with colliders
    velocities
};
inline constexpr std::size_t kPhases = 13;
constexpr auto enum_names(Phase)
{
    return std::array{"drive",     "forces", "match_shapes", "damping",           "predict",          "limit_strain",
                      "cloth",     "rods",   "glue",         "collider_contacts", "feature_contacts", "rigid_contacts",
                      "velocities"};
}

struct Profile {
    bool on = false;
    std::array<double, kPhases> ms{};  // per phase, since the last clear

    void clear() { ms.fill(0); }
};

/// Adds the time from its construction to its destruction to a phase.
class PhaseTimer {
  public:
    PhaseTimer(Profile& profile, Phase phase) : profile_(profile.on ? &profile : nullptr), phase_(phase)
    {
        if (profile_ != nullptr) start_ = Clock::now();
    }
    ~PhaseTimer()
    {
        if (profile_ == nullptr) return;
        const std::chrono::duration<double, std::milli> passed = Clock::now() - start_;
        profile_->ms[static_cast<std::size_t>(phase_)] += passed.count();
    }
    PhaseTimer(const PhaseTimer&) = delete;
    PhaseTimer& operator=(const PhaseTimer&) = delete;

  private:
    using Clock = std::chrono::steady_clock;
    Profile* profile_;
    Phase phase_;
    Clock::time_point start_{};
};

}  // namespace pliant
