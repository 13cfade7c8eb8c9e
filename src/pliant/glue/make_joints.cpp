#include "pliant/glue/block.h"
#include "pliant/glue/bound.h"
#include "pliant/shape/colours.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace pliant {

namespace {

struct Joint {
    int glue, corner;
};

/// Numbers what the joints touch: particles first, then rigid bodies.
struct Touched {
    std::vector<int> particles;         // in order
    std::map<int, int> particle_point;  // of the world -> point
    std::map<int, int> bodies;          // of the world -> behind the points

    explicit Touched(std::span<const Glue> glues)
    {
        for (const Glue& glue : glues)
            for (const Anchor* anchor : {&glue.a, &glue.b}) {
                for (const int i : anchor->parents) particle_point[i] = 0;
                if (anchor->body >= 0) bodies[anchor->body] = 0;
            }
        for (auto& [particle, point] : particle_point) {
            point = static_cast<int>(particles.size());
            particles.push_back(particle);
        }
        int next = static_cast<int>(particles.size());
        for (auto& [body, number] : bodies) number = next++;
    }

    int count() const { return static_cast<int>(particles.size() + bodies.size()); }
    std::vector<int> by(const Glue& glue) const
    {
        std::vector<int> all;
        for (const Anchor* anchor : {&glue.a, &glue.b}) {
            for (const int i : anchor->parents) all.push_back(particle_point.at(i));
            if (anchor->body >= 0) all.push_back(bodies.at(anchor->body));
        }
        return all;
    }
};

void add_rows(const Anchor& anchor, int lane, const Touched& touched, JointSide& side, std::vector<ParentRow>& rows)
{
    for (std::size_t i = 0; i < anchor.parents.size(); ++i) {
        ParentRow& row = rows[static_cast<std::size_t>(side.first_row) + i];
        row.point[lane] = touched.particle_point.at(anchor.parents[i]);
        row.weight.set(lane, anchor.weights[i]);
        set_lane(row.rest, lane, anchor.rest[i]);
    }
}

JointSide make_side(std::span<const Glue> glues, std::span<const Joint> joints, Anchor Glue::* end, int padding,
                    const Touched& touched, std::vector<ParentRow>& rows)
{
    JointSide side;
    side.first_row = static_cast<int>(rows.size());
    side.body.fill(-1);
    side.rotation = Matrix3<Lanes>::identity();
    for (const Joint& joint : joints)
        side.rows = std::max(side.rows, static_cast<int>((glues[joint.glue].*end).parents.size()));
    ParentRow empty{};
    empty.point.fill(padding);
    rows.insert(rows.end(), static_cast<std::size_t>(side.rows), empty);
    for (int l = 0; l < static_cast<int>(joints.size()); ++l) {
        const Glue& glue = glues[joints[l].glue];
        const Anchor& anchor = glue.*end;
        add_rows(anchor, l, touched, side, rows);
        if (anchor.kind == AnchorKind::motion) {
            side.keyed.set(l, 1);
            continue;
        }
        side.body[l] = anchor.body;
        side.rigid = side.rigid || anchor.body >= 0;
        if (!anchor.oriented) continue;
        set_lane(side.point, l, corner_of(glue, anchor, joints[l].corner).cast<Real>());
        if (anchor.body >= 0) continue;
        side.alone.set(l, 0);
        side.fits = true;
        for (int j = 0; j < 3; ++j) set_lane(side.rotation.c[j], l, anchor.rotation.c[j]);
    }
    return side;
}

/// A thousandth of the arm about which an end turns; what is left after one linear step is the square of that.
Real tolerance_of(const Glue& glue, int corner)
{
    double shortest = std::sqrt(double(std::numeric_limits<Real>::max()));
    for (const Anchor* anchor : {&glue.a, &glue.b}) {
        if (anchor->kind == AnchorKind::motion || !anchor->oriented) continue;
        double width = corner_of(glue, *anchor, corner).squared_norm();
        for (std::size_t i = 0; i < anchor->rest.size(); ++i)
            width += double(anchor->weights[i]) * double(anchor->rest[i].squared_norm());
        shortest = std::min(shortest, 1e-3 * std::sqrt(width));
    }
    return static_cast<Real>(shortest);
}

class JointBuilder {
  public:
    explicit JointBuilder(std::span<const Glue> glues)
        : glues_(glues), touched_(glues), ranks_(Bindings(glues).ranks(glues))
    {}

    Joints build()
    {
        joints_.particles = touched_.particles;
        const std::vector<std::vector<int>> blocks = find_blocks(glues_);
        add_colours(blocks);
        add_blocks(blocks);
        joints_.ranks = ranks_.empty() ? 0 : std::ranges::max(ranks_);
        return std::move(joints_);
    }

  private:
    std::vector<Joint> list_joints(std::span<const int> glues) const
    {
        std::vector<Joint> list;
        for (const int g : glues)
            for (int c = 0; c < corners_of(glues_[g]); ++c) list.push_back({g, c});
        return list;
    }

    void add_colours(const std::vector<std::vector<int>>& blocks)
    {
        std::vector<bool> elsewhere(glues_.size(), false);
        for (const std::vector<int>& block : blocks)
            for (const int g : block) elsewhere[g] = true;
        std::vector<int> single;
        for (int g = 0; g < static_cast<int>(glues_.size()); ++g)
            if (!elsewhere[g]) single.push_back(g);
        const std::vector<Joint> list = list_joints(single);
        const Colours colours = find_colours(static_cast<int>(list.size()), touched_.count(),
                                             [&](int j) { return touched_.by(glues_[list[j].glue]); });
        joints_.first_group = group_by_eight(colours, [&](std::span<const int> items) {
            std::vector<Joint> members;
            for (const int item : items) members.push_back(list[item]);
            add_group(members);
        });
    }

    void add_group(std::span<const Joint> members)
    {
        JointGroup group;
        group.glue.fill(-1);
        group.bound.fill(-1);
        for (int l = 0; l < static_cast<int>(members.size()); ++l) {
            const Glue& glue = glues_[members[l].glue];
            group.glue[l] = members[l].glue;
            group.corner[l] = members[l].corner;
            group.tolerance.set(l, tolerance_of(glue, members[l].corner));
            const int particle = bound_particle(glue);
            if (particle < 0) continue;
            group.bound[l] = touched_.particle_point.at(particle);
            group.bound_first.set(l, &bound_to(glue) == &glue.b ? 1 : 0);
            group.bound_rank[l] = ranks_[members[l].glue];
        }
        const int padding =
            padding_of_group(static_cast<int>(joints_.particles.size()), static_cast<int>(joints_.groups.size()));
        group.side[0] = make_side(glues_, members, &Glue::a, padding, touched_, joints_.rows);
        group.side[1] = make_side(glues_, members, &Glue::b, padding, touched_, joints_.rows);
        joints_.groups.push_back(group);
    }

    void add_blocks(const std::vector<std::vector<int>>& blocks)
    {
        const Colours colours = find_colours(static_cast<int>(blocks.size()), touched_.count(), [&](int b) {
            std::vector<int> all;
            for (const int g : blocks[b])
                for (const int number : touched_.by(glues_[g])) all.push_back(number);
            return all;
        });
        joints_.first_block = colours.first;
        for (const int b : colours.order) add_block(list_joints(blocks[b]));
    }

    void add_block(std::span<const Joint> list)
    {
        JointBlock block;
        block.first_group = static_cast<int>(joints_.groups.size());
        block.joints = static_cast<int>(list.size());
        for (std::size_t at = 0; at < list.size(); at += kLanes)
            add_group(list.subspan(at, std::min<std::size_t>(kLanes, list.size() - at)));
        std::map<int, BlockNode> nodes;  // by what Touched numbers them
        for (int j = 0; j < block.joints; ++j)
            for (int s = 0; s < 2; ++s) {
                const Anchor& anchor = s == 0 ? glues_[list[j].glue].a : glues_[list[j].glue].b;
                const JointGroup& group = joints_.groups[block.first_group + j / kLanes];
                for (int i = 0; i < static_cast<int>(anchor.parents.size()); ++i) {
                    const int point = touched_.particle_point.at(anchor.parents[i]);
                    nodes[point].point = point;
                    nodes[point].ends.push_back({j, s, group.side[s].first_row + i});
                }
                if (anchor.body < 0) continue;
                BlockNode& node = nodes[touched_.bodies.at(anchor.body)];
                node.body = anchor.body;
                node.ends.push_back({j, s, -1});
            }
        for (auto& [number, node] : nodes) block.nodes.push_back(std::move(node));
        joints_.blocks.push_back(std::move(block));
    }

    std::span<const Glue> glues_;
    Touched touched_;
    std::vector<int> ranks_;  // per glue, of bound particles
    Joints joints_;
};

}  // namespace

Vec3d corner_of(const Glue& glue, const Anchor& anchor, int corner)
{
    if (glue.params.kind == GlueKind::point) return anchor.point;
    constexpr double kThird = 1.0 / 3;
    Vec3d d{-kThird, -kThird, -kThird};
    d[corner] += 1;
    return anchor.point + std::sqrt(1.5) * glue.arm * (anchor.axes * d);  // all at a distance of `arm`
}

Joints make_joints(std::span<const Glue> glues) { return JointBuilder(glues).build(); }

void load_joints(std::span<const Glue> glues, Joints& joints)
{
    for (JointGroup& group : joints.groups) {
        group.active = false;
        for (int l = 0; l < kLanes; ++l) {
            if (group.glue[l] < 0) continue;
            const Glue& glue = glues[group.glue[l]];
            group.active = group.active || glue.last.acted;
            const Anchor* anchors[] = {&glue.a, &glue.b};
            for (int s = 0; s < 2; ++s) {
                set_lane(group.at[s], l, glue.last.from[group.corner[l]][s]);
                for (int j = 0; j < 3; ++j) set_lane(group.side[s].rotation.c[j], l, anchors[s]->rotation.c[j]);
            }
            set_lane(group.lambda, l, glue.last.lambda[group.corner[l]]);
        }
    }
}

void save_joints(const Joints& joints, std::span<Glue> glues)
{
    for (const JointGroup& group : joints.groups) {
        for (int l = 0; l < kLanes; ++l) {
            if (group.glue[l] < 0) continue;
            Glue& glue = glues[group.glue[l]];
            Anchor* anchors[] = {&glue.a, &glue.b};
            for (int s = 0; s < 2; ++s) {
                glue.last.from[group.corner[l]][s] = lane(group.at[s], l);
                anchors[s]->rotation = lane(group.side[s].rotation, l);
            }
            glue.last.lambda[group.corner[l]] = lane(group.lambda, l);
            glue.last.acted = group.active;
        }
    }
}

}  // namespace pliant
