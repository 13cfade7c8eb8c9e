#include "bench/baselines/bullet_cloth.h"

#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>

namespace pliant {

struct BulletCloth::Body {
    btSoftBodyWorldInfo world;
    std::unique_ptr<btSoftBody> soft;
    Real h = 0;
};

BulletCloth::~BulletCloth() = default;
BulletCloth::BulletCloth(BulletCloth&&) noexcept = default;
BulletCloth& BulletCloth::operator=(BulletCloth&&) noexcept = default;

BulletCloth::BulletCloth(const SurfaceMesh& rest, std::span<const Vec3> x, std::span<const Real> inv_mass, Real h,
                         Real drag)
    : body_(std::make_unique<Body>())
{
    std::vector<btScalar> vertices;
    for (const Vec3d& v : rest.vertices)
        for (int k = 0; k < 3; ++k) vertices.push_back(static_cast<btScalar>(v[k]));
    std::vector<int> triangles;
    for (const auto& t : rest.triangles) triangles.insert(triangles.end(), t.begin(), t.end());

    body_->h = h;
    body_->world.m_gravity = {0, btScalar(-9.81), 0};
    body_->world.m_sparsesdf.Initialize();
    body_->soft.reset(btSoftBodyHelpers::CreateFromTriMesh(body_->world, vertices.data(), triangles.data(),
                                                           static_cast<int>(rest.triangles.size())));
    btSoftBody& soft = *body_->soft;
    soft.m_materials[0]->m_kLST = 1;
    for (std::size_t i = 0; i < inv_mass.size(); ++i)
        soft.setMass(static_cast<int>(i), inv_mass[i] > 0 ? static_cast<btScalar>(1 / inv_mass[i]) : 0);
    soft.m_cfg.kDP = static_cast<btScalar>(h * drag / (1 + h * drag));
    set_positions(x);
}

void BulletCloth::step(int iterations)
{
    btSoftBody& soft = *body_->soft;
    soft.m_cfg.piterations = iterations;
    soft.predictMotion(static_cast<btScalar>(body_->h));
    soft.solveConstraints();
    soft.integrateMotion();
}

void BulletCloth::project_links() { btSoftBody::PSolve_Links(body_->soft.get(), 1, 0); }

void BulletCloth::set_positions(std::span<const Vec3> x)
{
    for (std::size_t i = 0; i < x.size(); ++i) {
        btSoftBody::Node& node = body_->soft->m_nodes[static_cast<int>(i)];
        node.m_x =
            node.m_q = {static_cast<btScalar>(x[i].x), static_cast<btScalar>(x[i].y), static_cast<btScalar>(x[i].z)};
    }
}

std::vector<Vec3> BulletCloth::positions() const
{
    std::vector<Vec3> x;
    for (int i = 0; i < body_->soft->m_nodes.size(); ++i) {
        const btVector3& p = body_->soft->m_nodes[i].m_x;
        x.push_back({static_cast<Real>(p.x()), static_cast<Real>(p.y()), static_cast<Real>(p.z())});
    }
    return x;
}

int BulletCloth::links() const { return body_->soft->m_links.size(); }

}  // namespace pliant
