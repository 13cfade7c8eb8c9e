#include "pliant/glue/bindings.h"
#include "pliant/glue/joint.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace pliant {

namespace {

/// A thousandth of the arm about which an end turns, or of the length of a rope; what is left after one linear step is the
/// square of that.
double tolerance_of(const Glue& glue)
{
    double shortest = 1e18;
    for (const Anchor* anchor : {&glue.a, &glue.b}) {
        if (anchor->kind == AnchorKind::motion || !anchor->oriented) continue;
        double width = anchor->point.squared_norm();
        for (std::size_t i = 0; i < anchor->rest.size(); ++i)
            width += double(anchor->weights[i]) * double(anchor->rest[i].squared_norm());
        shortest = std::min(shortest, 1e-3 * std::sqrt(width));
    }
    if (glue.params.kind == GlueKind::distance && glue.length > 0) shortest = std::min(shortest, 1e-3 * glue.length);
    return std::max(shortest, 1e-9);
}

BlockNodes nodes_of(const Glue& glue)
{
    BlockNodes nodes;
    for (const Anchor* anchor : {&glue.a, &glue.b}) {
        nodes.particles.insert(nodes.particles.end(), anchor->parents.begin(), anchor->parents.end());
        if (anchor->body >= 0) nodes.bodies.push_back(anchor->body);
    }
    return nodes;
}

bool has_turn(const Glue& glue) { return holds_turn(glue.params.kind); }

/// The axis and a direction across it.
void set_axis(const Glue& glue, Joint& joint)
{
    joint.axis = glue.params.axis.normalized();
    const Vec3d wish = std::abs(joint.axis.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    joint.across = joint.axis.cross(wish).normalized();
}

JointEnd make_end(const Anchor& anchor)
{
    JointEnd end;
    end.kind = anchor.kind;
    end.oriented = anchor.oriented;
    end.parents = static_cast<int>(anchor.parents.size());
    end.body = anchor.body;
    end.point = anchor.point;
    end.axes = anchor.axes;
    return end;
}

class JointBuilder {
  public:
    JointBuilder(std::span<const Glue> glues, int particles, int bodies, std::span<const BlockNodes> others)
        : glues_(glues), ranks_(Bindings(glues).ranks(glues))
    {
        for (const Glue& glue : glues) {
            first_block_.push_back(static_cast<int>(blocks_.size()));
            for (int k = 0; k < (has_turn(glue) ? 2 : 1); ++k) blocks_.push_back(nodes_of(glue));
        }
        const std::size_t joints = blocks_.size();
        blocks_.insert(blocks_.end(), others.begin(), others.end());
        ConstraintSystems made = make_constraint_systems(blocks_, particles, bodies);
        out_.systems = std::move(made.systems);
        out_.others.assign(made.places.begin() + static_cast<std::ptrdiff_t>(joints), made.places.end());
        out_.joint_blocks.assign(out_.systems.size(), 0);
        for (std::size_t b = 0; b < joints; ++b) ++out_.joint_blocks[made.places[b].system];
        places_ = std::move(made.places);
    }

    Joints build()
    {
        std::vector<int> order(glues_.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::sort(order, {}, [&](int g) { return std::pair(places_[first_block_[g]].system, g); });
        for (const int g : order) {
            const int system = places_[first_block_[g]].system;
            while (static_cast<int>(out_.first_joint.size()) <= system)
                out_.first_joint.push_back(static_cast<int>(out_.joints.size()));
            add_joint(g);
        }
        while (out_.first_joint.size() <= out_.systems.size())
            out_.first_joint.push_back(static_cast<int>(out_.joints.size()));
        out_.ranks = ranks_.empty() ? 0 : std::ranges::max(ranks_);
        return std::move(out_);
    }

  private:
    void add_joint(int g)
    {
        const Glue& glue = glues_[g];
        const BlockPlace at = places_[first_block_[g]];
        Joint joint;
        joint.glue = g;
        joint.kind = glue.params.kind;
        joint.length = glue.length;
        if (has_axis(joint.kind)) set_axis(glue, joint);
        joint.system = at.system;
        joint.position = at.block;
        joint.turn = has_turn(glue) ? at.block + 1 : -1;
        joint.scalar = glue.params.form == GlueForm::scalar;
        joint.arm = glue.arm;
        joint.tolerance = tolerance_of(glue);
        const ConstraintSystem& system = out_.systems[at.system];
        int t = system.first_touch[at.block];
        const Anchor* anchors[] = {&glue.a, &glue.b};
        for (int s = 0; s < 2; ++s) {
            joint.end[s] = make_end(*anchors[s]);
            joint.end[s].first_parent = static_cast<int>(out_.parents.size());
            for (std::size_t i = 0; i < anchors[s]->parents.size(); ++i)
                out_.parents.push_back(
                    {system.touches[t++].node, double(anchors[s]->weights[i]), anchors[s]->rest[i].cast<double>()});
        }
        if (bound_particle(glue) >= 0) {
            joint.bound_side = &bound_to(glue) == &glue.b ? 0 : 1;
            joint.bound = out_.parents[joint.end[joint.bound_side].first_parent].point;
            joint.bound_rank = ranks_[g];
        }
        out_.joints.push_back(joint);
    }

    std::span<const Glue> glues_;
    std::vector<int> ranks_;        // per glue, of bound particles
    std::vector<int> first_block_;  // per glue
    std::vector<BlockNodes> blocks_;
    std::vector<BlockPlace> places_;
    Joints out_;
};

}  // namespace

Joints make_joints(std::span<const Glue> glues, int particles, int bodies, std::span<const BlockNodes> others)
{
    return JointBuilder(glues, particles, bodies, others).build();
}

void load_joints(std::span<const Glue> glues, Joints& joints)
{
    for (Joint& joint : joints.joints) {
        const Glue& glue = glues[joint.glue];
        const Anchor* anchors[] = {&glue.a, &glue.b};
        for (int s = 0; s < 2; ++s) {
            joint.end[s].now.rotation = anchors[s]->rotation.cast<double>();
            joint.end[s].start.at = glue.last.at[s].cast<double>();
            joint.end[s].start.rotation = glue.last.rotation[s].cast<double>();
        }
        joint.on = glue.last.acted;
        joint.angle = glue.angle;
        const auto load = [](const Vec3& lambda, ConstraintBlock& block) {
            block.turned = false;  // its rows are found at the start of the substep
            block.lambda = lambda.cast<double>();
        };
        ConstraintSystem& system = joints.systems[joint.system];
        load(glue.last.lambda, system.blocks[joint.position]);
        if (joint.turn >= 0) load(glue.last.turn_lambda, system.blocks[joint.turn]);
    }
}

void save_joints(const Joints& joints, std::span<Glue> glues)
{
    for (const Joint& joint : joints.joints) {
        Glue& glue = glues[joint.glue];
        Anchor* anchors[] = {&glue.a, &glue.b};
        const ConstraintSystem& system = joints.systems[joint.system];
        for (int s = 0; s < 2; ++s) {
            anchors[s]->rotation = joint.end[s].now.rotation.cast<Real>();
            glue.last.at[s] = joint.end[s].start.at.cast<Real>();
            glue.last.rotation[s] = joint.end[s].start.rotation.cast<Real>();
        }
        glue.last.acted = joint.on;
        glue.angle = joint.angle;
        const auto lambda_of = [&](int b) { return system.blocks[b].in_world(system.blocks[b].lambda).cast<Real>(); };
        glue.last.lambda = lambda_of(joint.position);
        if (joint.turn >= 0) glue.last.turn_lambda = lambda_of(joint.turn);
    }
}

}  // namespace pliant
