#pragma once
// A scene that is run by hand: stepped, dragged, changed, taken back, and recorded all the while. The page, node and
// `pliant replay` run the same code.

#include "pliant/report/watch.h"
#include "pliant/scene/scene.h"
#include "pliant/session/recording.h"
#include "pliant/snapshot/snapshot.h"
#include "pliant/solver/solver.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace pliant {

class Session {
  public:
    /// Reads the scene. Throws InputError with a line for each problem. `unit` is that of a recording [m]; 0 chooses one.
    explicit Session(SceneText text, double unit = 0);

    const Scene& scene() const { return scene_; }  // as it was read, without its world
    const std::vector<std::string>& warnings() const { return warnings_; }
    const World& world() const { return state_.world; }
    int frame() const { return state_.frame; }  // 0 before the first step
    const StepReport& report() const { return report_; }
    double step_ms() const { return step_ms_; }
    const Profile& profile() const { return solver_.profile; }

    /// Advances by a frame. Returns what became non-finite; empty for nothing.
    std::string step();
    void reset();
    std::uint64_t hash() const;
    /// About the last frame, as JSON: what `--stats` writes, with `warnings`.
    std::string stats();

    /// Takes hold of a body at a point: of a solid with a few particles around the one that is given, of a rigid body where
    /// the point is. A compliance below 0 [m/N] chooses one for the mass of the body. 0 where nothing can be held.
    int grab(const BodyRef& body, int particle, const Vec3d& at, double compliance);
    void drag(int hand, const Vec3d& target);
    void release(int hand);
    /// See parameters.h. `value` is JSON.
    void set(const std::string& path, const std::string& value);

    /// The state, the recording included, kept in memory. A handle from 1.
    int save();
    void restore(int snapshot);
    void forget(int snapshot) { snapshots_.erase(snapshot); }

    /// The World as bytes, for another machine or a program without this scene.
    std::string snapshot() const { return write_snapshot(state_.world); }
    /// Goes on from such bytes, of whichever build of this precision. Hands let go here (what hands held there stays held),
    /// and there is no recording until the next reset. Throws InputError for bytes that are damaged or of other bodies than those of the scene.
    void open_snapshot(std::string_view bytes);

    Recording recording() const;

  private:
    struct Hand {
        std::vector<GrabId> grabs;
        std::vector<Vec3> offset;  // per grab, from the hand [m]
        std::size_t input = 0;     // of the log, whose path it goes
        GridPoint place{};
    };
    /// All that a snapshot keeps.
    struct State {
        World world;
        int frame = 0;
        std::map<int, Hand> hands;
        int next_hand = 1;
        std::vector<Input> inputs;
        std::vector<std::uint64_t> hashes;
        bool from_outside = false;  // no recording leads here
    };

    GridPoint on_grid(const Vec3d& place) const;
    Vec3 place_of(const GridPoint& place) const;
    Hand& hand(int number);
    void restart();
    template <class What>
    void note(What what);  // in the log of inputs

    SceneText text_;
    Scene scene_;
    double unit_ = 1;                    // of the grid that hands move on [m]
    std::vector<std::string> warnings_;  // of the scene as it starts
    State start_, state_;
    std::map<int, State> snapshots_;
    int next_snapshot_ = 1;
    Solver solver_;
    StepReport report_;
    double step_ms_ = 0;
    std::optional<Watch> watch_;
};

}  // namespace pliant
