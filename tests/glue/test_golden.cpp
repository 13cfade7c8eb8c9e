// The frame of a cloud and all that follows from it, against test vectors of 50 digits.

#include "golden/golden.h"
#include "pliant/glue/binding.h"

namespace pliant {
namespace {

template <class T>
class GlueGolden : public ::testing::Test {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(GlueGolden, Scalars);

template <class T>
struct Cloud {
    std::vector<Vector3<T>> v;
    std::vector<T> weights, inverse_masses;
    RigidFit<T> rigid;
    BoundFrame<T> frame;
};

template <class T>
Cloud<T> cloud_of(const golden::Case& c)
{
    Cloud<T> cloud;
    const auto rest = golden::vectors<T>(c.input("rest"));
    const auto x = golden::vectors<T>(c.input("x"));
    T sum = 0;
    for (const auto& w : c.input("weights")) sum += cloud.weights.emplace_back(w.template get<T>());
    for (T& w : cloud.weights) w /= sum;
    for (const auto& m : c.input("masses")) {
        const T mass = m.template get<T>();
        cloud.inverse_masses.push_back(mass > 0 ? 1 / mass : 0);
    }
    const golden::Json& input = c.json.at("input");
    const bool prior = input.contains("R_prev");
    const Matrix3<T> previous = prior ? golden::matrix<T>(input.at("R_prev")) : Matrix3<T>::identity();
    const T conditioning = prior ? input.at("kappa_min").template get<T>() : std::numeric_limits<T>::epsilon();
    cloud.rigid = fit_rigid<T>(rest, x, cloud.weights, previous, conditioning);
    for (const Vector3<T>& r : rest) cloud.v.push_back(r - cloud.rigid.rest_center);
    const Vector3<T> bound = golden::vector<T>(c.input("rest_bound")) - cloud.rigid.rest_center;
    cloud.frame = bound_frame(cloud.rigid.center, cloud.rigid.fit, bound);
    return cloud;
}

TYPED_TEST(GlueGolden, FindsThePointAndItsDerivative)
{
    using T = TypeParam;
    for (const golden::Case& c : golden::cases("glue")) {
        const Cloud<T> cloud = cloud_of<T>(c);
        const golden::Check<T> check(c);
        const Matrix3<T> p = stretch(cloud.rigid.fit);
        check("t_rest", cloud.rigid.rest_center, c.expected("t_rest"));
        check("t", cloud.rigid.center, c.expected("t"));
        check("B", cloud.rigid.b, c.expected("B"));
        check("prior_lambda", double(cloud.rigid.fit.prior), c.expected("prior_lambda"));
        check("signed_singular_values", cloud.rigid.fit.s, c.expected("signed_singular_values"));
        check("R", cloud.frame.rotation, c.expected("R"));
        check("P", p, c.expected("P"));
        check("K", p.trace() * Matrix3<T>::identity() - p, c.expected("K"));
        check("phi", cloud.frame.point(), c.expected("phi"));
        for (std::size_t i = 0; i < cloud.v.size(); ++i)
            check("J", jacobian(cloud.frame, cloud.weights[i], cloud.v[i]), c.expected("J").at(i));
    }
}

TYPED_TEST(GlueGolden, PassesForcesOnAndMovesWithTheParents)
{
    using T = TypeParam;
    for (const golden::Case& c : golden::cases("glue")) {
        const Cloud<T> cloud = cloud_of<T>(c);
        const golden::Check<T> check(c);
        const Vector3<T> force = golden::vector<T>(c.input("force"));
        const auto velocities = golden::vectors<T>(c.input("velocities"));
        const Vector3<T> omega = angular_velocity<T>(cloud.frame, cloud.weights, cloud.v, velocities);
        const Vector3<T> velocity = bound_velocity<T>(cloud.frame, cloud.weights, cloud.v, velocities);
        std::vector<Vector3<T>> forces(cloud.v.size());
        pass_on<T>(cloud.frame, force, cloud.weights, cloud.v, forces);
        for (std::size_t i = 0; i < cloud.v.size(); ++i) {
            check("parent_forces", forces[i], c.expected("parent_forces").at(i));
        }
        check("frame_angular_velocity", omega, c.expected("frame_angular_velocity"));
        check("bound_velocity", velocity, c.expected("bound_velocity"));
    }
}

TYPED_TEST(GlueGolden, WeighsThePointAndProjectsIt)
{
    using T = TypeParam;
    for (const golden::Case& c : golden::cases("glue")) {
        const Cloud<T> cloud = cloud_of<T>(c);
        const golden::Check<T> check(c);
        const Matrix3<T> a = mobility<T>(cloud.frame, cloud.inverse_masses, cloud.weights, cloud.v);
        check("inverse_mass_matrix", a, c.expected("inverse_mass_matrix"));
        check("inverse_effective_mass", double(largest_inverse_mass(a)), c.expected("inverse_effective_mass"));
        const T bound = inverse_mass_bound<T>(cloud.frame, cloud.inverse_masses, cloud.weights, cloud.v);
        check("inverse_effective_mass_bound", double(bound), c.expected("inverse_effective_mass_bound"));

        const T mass = c.input("constrained_mass").template get<T>();
        const T inverse = mass > 0 ? 1 / mass : 0;
        const Vector3<T> gap = golden::vector<T>(c.input("constrained_x")) - cloud.frame.point();
        const Vector3<T> lambda = -((inverse * Matrix3<T>::identity() + a).inverse() * gap);
        check("pbd_delta_constrained", inverse * lambda, c.expected("pbd_delta_constrained"));
        const Vector3<T> eta = turning(cloud.frame, -lambda);
        for (std::size_t i = 0; i < cloud.v.size(); ++i)
            check("pbd_delta_parents",
                  cloud.inverse_masses[i] * passed_on(cloud.frame, -lambda, eta, cloud.weights[i], cloud.v[i]),
                  c.expected("pbd_delta_parents").at(i));
    }
}

}  // namespace
}  // namespace pliant
