#include "pliant/world/assemblies.h"

#include "pliant/world/bodies.h"

#include <algorithm>

namespace pliant {

BodyTable::BodyTable(const World& world)
{
    const auto add = [&](const auto& list) {
        for (int i = 0; i < static_cast<int>(list.size()); ++i) {
            refs.emplace_back(list.id_at(i));
            first.push_back(particles_of(list[i]).first);
            end.push_back(particles_of(list[i]).end());
        }
    };
    std::apply([&](auto... kind) { (add(world.*kind), ...); }, kBodyKinds);
    rigids = static_cast<int>(refs.size() - world.rigids.size());
}

int BodyTable::of(const Anchor& anchor) const
{
    if (anchor.kind == AnchorKind::rigid) return rigids + anchor.body;
    if (anchor.kind == AnchorKind::motion) return -1;
    const int p = anchor.parents.front();
    for (int b = 0; b < rigids; ++b)
        if (first[b] <= p && p < end[b]) return b;
    return -1;
}

DisjointSets connect(const World& world, const BodyTable& bodies)
{
    DisjointSets sets(static_cast<std::size_t>(bodies.size()));
    for (const Glue& glue : world.glues) {
        if (!glue.on) continue;
        const int a = bodies.of(glue.a), b = bodies.of(glue.b);
        if (a >= 0 && b >= 0) sets.join(a, b);
    }
    return sets;
}

namespace {

class Touching {
  public:
    Touching(const World& world, const BodyTable& bodies)
        : bodies_(bodies),
          free_(static_cast<std::size_t>(bodies.size())),
          all_(static_cast<std::size_t>(bodies.size())),
          touch_(static_cast<std::size_t>(bodies.size()) * static_cast<std::size_t>(bodies.size()), 1),
          held_(static_cast<std::size_t>(bodies.size()), 0)
    {
        for (const HeldRigid& held : world.drivers->held)
            if (held.release < 0) held_[bodies.rigids + held.body] = 1;
        for (const Glue& glue : world.glues) {
            // also one that has attached or let go in the last frame: update_bonds has not seen it yet
            const int a = glue.on || glue.bonded ? bodies.of(glue.a) : -1;
            const int b = a >= 0 ? bodies.of(glue.b) : -1;
            if (b >= 0 && a != b) join(a, b);
        }
    }

    std::vector<char> find()
    {
        for (const auto& [held, other] : on_held_)
            for (int b = 0; b < bodies_.size(); ++b)
                if (free_.find(b) == free_.find(other)) leave_out(held, b);
        for (int a = 0; a < bodies_.size(); ++a)
            for (int b = 0; b < bodies_.size(); ++b) {
                const bool joined = free_.find(a) == free_.find(b);
                const bool strands = is<RodId>(a) && is<RodId>(b) && all_.find(a) == all_.find(b);
                if (joined || strands) leave_out(a, b);
            }
        return std::move(touch_);
    }

  private:
    template <class Id>
    bool is(int body) const
    {
        return std::holds_alternative<Id>(bodies_.refs[body]);
    }
    void join(int a, int b)
    {
        all_.join(a, b);
        if (held_[a] != 0) on_held_.push_back({a, b});
        else if (held_[b] != 0) on_held_.push_back({b, a});
        else free_.join(a, b);
    }
    void leave_out(int a, int b)
    {
        if (is<ClothId>(a) && is<ClothId>(b)) return;
        const auto n = static_cast<std::size_t>(bodies_.size());
        touch_[static_cast<std::size_t>(a) * n + b] = touch_[static_cast<std::size_t>(b) * n + a] = 0;
    }

    const BodyTable& bodies_;
    DisjointSets free_, all_;  // that hang together; also over bodies that are held
    std::vector<std::array<int, 2>> on_held_;
    std::vector<char> touch_;
    std::vector<char> held_;  // per body: for good
};

}  // namespace

std::vector<char> usual_touching(const World& world, const BodyTable& bodies) { return Touching(world, bodies).find(); }

}  // namespace pliant
