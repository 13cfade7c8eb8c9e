#include "bench/baselines/bullet_drape.h"

#include <BulletSoftBody/btDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableGravityForce.h>
#include <BulletSoftBody/btDeformableMassSpringForce.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <btBulletDynamicsCommon.h>

namespace pliant {

namespace {

constexpr btScalar kFrame = btScalar(1) / 60;
constexpr int kSteps = 4;
// Near the stiffest that so few explicit steps bear: its implicit ones do not converge here. Masses and forces are
// scaled, or the solver would take those of grams for rounding.
constexpr btScalar kScale = 1000;
constexpr btScalar kStiffness = kScale, kDamping = kScale * btScalar(0.001);  // [N/m], [N s/m]

btVector3 bullet(const Vec3& a)
{
    return {static_cast<btScalar>(a.x), static_cast<btScalar>(a.y), static_cast<btScalar>(a.z)};
}

}  // namespace

struct BulletDrape::Parts {
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btDeformableBodySolver deformable;
    btDeformableMultiBodyConstraintSolver solver;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::unique_ptr<btSoftBody> cloth;
    std::unique_ptr<btDeformableMassSpringForce> springs;
    std::unique_ptr<btDeformableGravityForce> gravity;
    btDeformableMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration, &deformable};

    void set_up(const btVector3& g)
    {
        solver.setDeformableSolver(&deformable);
        world.setGravity(g);
        world.getWorldInfo().m_gravity = g;
        world.getWorldInfo().m_sparsesdf.setDefaultVoxelsz(btScalar(0.05));
        world.getWorldInfo().m_sparsesdf.Reset();
        gravity = std::make_unique<btDeformableGravityForce>(g);
    }

    void add(const Collider& collider)
    {
        Vec3d center = collider.position;
        if (collider.shape == ColliderShape::sphere) {
            shapes.push_back(std::make_unique<btSphereShape>(static_cast<btScalar>(collider.radius)));
        } else {  // a thick box: against Bullet's plane cloth stays a tenth of a metre above
            constexpr btScalar kThick = 1;
            shapes.push_back(std::make_unique<btBoxShape>(btVector3(5, kThick, 5)));
            center.y -= kThick;
        }
        btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, shapes.back().get());
        info.m_friction = static_cast<btScalar>(collider.friction);
        info.m_startWorldTransform = btTransform(btQuaternion::getIdentity(), bullet(center.cast<Real>()));
        bodies.push_back(std::make_unique<btRigidBody>(info));
        world.addRigidBody(bodies.back().get());
    }

    void add(const Cloth& sheet, const Particles& particles)
    {
        std::vector<btScalar> vertices;
        for (const Vec3& x : sheet.particles.of(particles.x))
            for (int k = 0; k < 3; ++k) vertices.push_back(static_cast<btScalar>(x[k]));
        std::vector<int> triangles;
        for (const auto& t : *sheet.triangles) triangles.insert(triangles.end(), t.begin(), t.end());
        cloth.reset(btSoftBodyHelpers::CreateFromTriMesh(world.getWorldInfo(), vertices.data(), triangles.data(),
                                                         static_cast<int>(sheet.triangles->size())));
        for (int i = 0; i < sheet.particles.count; ++i)
            cloth->setMass(i, kScale / static_cast<btScalar>(particles.inv_mass[sheet.particles.first + i]));
        cloth->getCollisionShape()->setMargin(static_cast<btScalar>(thickness_of(sheet) / 2));
        cloth->m_cfg.collisions =
            btSoftBody::fCollision::SDF_RD | btSoftBody::fCollision::SDF_RDN | btSoftBody::fCollision::VF_DD;
        cloth->m_cfg.kKHR = cloth->m_cfg.kCHR = 1;
        cloth->m_cfg.kDF = btScalar(0.5);
        world.addSoftBody(cloth.get());
        cloth->setSelfCollision(true);
        cloth->setSpringStiffness(kStiffness);  // of the push between near parts
        springs = std::make_unique<btDeformableMassSpringForce>(kStiffness, kDamping, false);
        world.addForce(cloth.get(), springs.get());
        world.addForce(cloth.get(), gravity.get());
    }

    ~Parts()
    {
        if (cloth) world.removeSoftBody(cloth.get());
        for (const auto& body : bodies) world.removeRigidBody(body.get());
    }
};

BulletDrape::BulletDrape(const World& world) : parts_(std::make_unique<Parts>())
{
    parts_->set_up(bullet(world.forces->gravity));
    for (const Collider& collider : world.colliders) parts_->add(collider);
    parts_->add(world.cloths[0], world.particles);
}

BulletDrape::~BulletDrape() = default;

void BulletDrape::step_frame() { parts_->world.stepSimulation(kFrame, kSteps, kFrame / kSteps); }

std::vector<Vec3> BulletDrape::positions() const
{
    std::vector<Vec3> x;
    for (int i = 0; i < parts_->cloth->m_nodes.size(); ++i) {
        const btVector3& p = parts_->cloth->m_nodes[i].m_x;
        x.push_back({static_cast<Real>(p.x()), static_cast<Real>(p.y()), static_cast<Real>(p.z())});
    }
    return x;
}

}  // namespace pliant
