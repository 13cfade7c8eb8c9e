#include "pliant/glue/joint.h"
#include "pliant/shape/colours.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

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
        if (anchor.kind == AnchorKind::motion) continue;
        side.body[l] = anchor.body;
        side.rigid = side.rigid || anchor.body >= 0;
        if (anchor.parents.size() == 1) continue;  // a particle without a frame
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
        if (anchor->kind == AnchorKind::motion || anchor->parents.size() == 1) continue;
        double width = corner_of(glue, *anchor, corner).squared_norm();
        for (std::size_t i = 0; i < anchor->rest.size(); ++i)
            width += double(anchor->weights[i]) * double(anchor->rest[i].squared_norm());
        shortest = std::min(shortest, 1e-3 * std::sqrt(width));
    }
    return static_cast<Real>(shortest);
}

}  // namespace

Vec3d corner_of(const Glue& glue, const Anchor& anchor, int corner)
{
    if (glue.params.kind == GlueKind::point) return anchor.point;
    constexpr double kThird = 1.0 / 3;
    Vec3d d{-kThird, -kThird, -kThird};
    d[corner] += 1;
    return anchor.point + std::sqrt(1.5) * glue.arm * (anchor.axes * d);  // all at a distance of `arm`
}

Joints make_joints(std::span<const Glue> glues)
{
    std::vector<Joint> list;
    for (int g = 0; g < static_cast<int>(glues.size()); ++g)
        for (int c = 0; c < corners_of(glues[g]); ++c) list.push_back({g, c});

    Joints joints;
    const Touched touched(glues);
    joints.particles = touched.particles;
    const Colours colours = find_colours(static_cast<int>(list.size()), touched.count(),
                                         [&](int j) { return touched.by(glues[list[j].glue]); });
    joints.first_group = group_by_eight(colours, [&](std::span<const int> items) {
        JointGroup group;
        group.glue.fill(-1);
        std::vector<Joint> members;
        for (const int item : items) {
            group.glue[members.size()] = list[item].glue;
            group.corner[members.size()] = list[item].corner;
            group.tolerance.set(static_cast<int>(members.size()),
                                tolerance_of(glues[list[item].glue], list[item].corner));
            members.push_back(list[item]);
        }
        const int padding =
            padding_of_group(static_cast<int>(joints.particles.size()), static_cast<int>(joints.groups.size()));
        group.side[0] = make_side(glues, members, &Glue::a, padding, touched, joints.rows);
        group.side[1] = make_side(glues, members, &Glue::b, padding, touched, joints.rows);
        joints.groups.push_back(group);
    });
    return joints;
}

void save_rotations(const Joints& joints, std::span<Glue> glues)
{
    for (const JointGroup& group : joints.groups)
        for (int l = 0; l < kLanes; ++l) {
            if (group.glue[l] < 0) continue;
            glues[group.glue[l]].a.rotation = lane(group.side[0].rotation, l);
            glues[group.glue[l]].b.rotation = lane(group.side[1].rotation, l);
        }
}

}  // namespace pliant
