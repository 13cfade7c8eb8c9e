#include "pliant/math/procrustes.h"

#include "golden/golden.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

template <class T>
T largest_entry(const Matrix3<T>& m)
{
    T r = 0;
    for (int i = 0; i < 9; ++i) r = std::max(r, std::abs(m(i % 3, i / 3)));
    return r;
}

template <class T>
class Procrustes : public testing::Test {
  public:
    static constexpr T kEps = std::numeric_limits<T>::epsilon();
    std::mt19937 random{7};

    T uniform() { return std::uniform_real_distribution<T>(-1, 1)(random); }
    Vector3<T> point() { return {uniform(), uniform(), uniform()}; }
    Matrix3<T> rotation()
    {
        Matrix3<T> m;
        for (auto& c : m.c) c = point();
        const SignedSvd<T> d = signed_svd(m);
        return d.u * d.v.transposed();
    }
    std::vector<T> weights(std::size_t n)
    {
        std::vector<T> w(n);
        for (T& x : w) x = T(1.5) + uniform();
        return w;
    }

    /// Conditions (a)-(c): R is a rotation, B R^T is symmetric, K = tr(P) 1 - P has no negative eigenvalue.
    void accept(const RigidFit<T>& r, T bound)
    {
        const Matrix3<T>& rot = r.fit.rotation;
        EXPECT_LE(largest_entry(rot.transposed() * rot - Matrix3<T>::identity()), 16 * kEps);
        EXPECT_GT(rot.determinant(), T(0));
        const Matrix3<T> b = r.b;
        const T size = std::max(largest_entry(b), std::numeric_limits<T>::min());
        const Matrix3<T> p = (T(1) / size) * b * rot.transposed();
        EXPECT_LE(largest_entry(p - p.transposed()), bound * kEps);
        EXPECT_GE(r.fit.s.y + r.fit.s.z, T(0));
        EXPECT_GE(r.fit.s.x, r.fit.s.y);
        EXPECT_GE(r.fit.s.y, std::abs(r.fit.s.z));
    }
};

using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(Procrustes, Scalars);

/// Points of a kind: generic, planar, collinear, reflected, with repeated singular values.
enum class Kind { generic, planar, collinear, reflected, repeated };

TYPED_TEST(Procrustes, MeetsTheAcceptanceConditionsOnEveryKindAndSize)
{
    using T = TypeParam;
    for (const Kind kind : {Kind::generic, Kind::planar, Kind::collinear, Kind::reflected, Kind::repeated}) {
        for (const T size : {T(1e-6), T(1), T(1e5)}) {
            for (int trial = 0; trial < 200; ++trial) {
                std::vector<Vector3<T>> rest, x;
                const Matrix3<T> q = this->rotation();
                for (int i = 0; i < 8; ++i) {
                    Vector3<T> r = this->point();
                    if (kind == Kind::repeated) r = {T(i & 1 ? 1 : -1), T(i & 2 ? 1 : -1), T(i & 4 ? 1 : -1)};
                    if (kind == Kind::planar) r.z = 0;
                    if (kind == Kind::collinear) r.y = r.z = 0;
                    Vector3<T> now = kind == Kind::reflected ? Vector3<T>{r.x, r.y, -r.z} : r;
                    if (kind == Kind::generic) now += T(0.2) * this->point();
                    rest.push_back(size * r);
                    x.push_back(size * (q * now));
                }
                const std::vector<T> w = kind == Kind::repeated ? std::vector<T>(8, T(1)) : this->weights(8);
                const RigidFit<T> fit = fit_rigid<T>(rest, x, w, this->rotation());
                // The prior trades a little of (b) for a definite answer: by lambda, at most half of kmin (S1+S2).
                const T slack = fit.fit.prior > 0 ? 4 * kFitConditioning<T> / this->kEps : T(0);
                this->accept(fit, 64 + slack);
            }
        }
    }
}

TYPED_TEST(Procrustes, FindsAnyRigidMotionExactly)  // G-f
{
    using T = TypeParam;
    for (const T far : {T(0), T(1e3)}) {
        for (int trial = 0; trial < 200; ++trial) {
            const Matrix3<T> q = this->rotation();
            const Vector3<T> s = far * this->point() + this->point();
            std::vector<Vector3<T>> rest, x;
            for (int i = 0; i < 6; ++i) {
                rest.push_back(this->point());
                x.push_back(q * rest.back() + s);
            }
            std::vector<T> w = this->weights(6);
            const RigidFit<T> fit = fit_rigid<T>(rest, x, w);
            if (fit.fit.s.y + fit.fit.s.z < T(0.02)) continue;  // a poorly determined draw
            const T kappa = (fit.fit.s.x + fit.fit.s.y) / (fit.fit.s.y + fit.fit.s.z);
            const T c1 = kappa + (1 + far) / (fit.fit.s.y + fit.fit.s.z);
            EXPECT_LE(largest_entry(fit.fit.rotation - q), 16 * this->kEps * c1);

            for (T& weight : w) weight *= T(8);  // scaling all weights changes nothing
            const RigidFit<T> scaled = fit_rigid<T>(rest, x, w);
            EXPECT_EQ(largest_entry(scaled.fit.rotation - fit.fit.rotation), T(0));
        }
    }
}

TYPED_TEST(Procrustes, KeepsThePreviousRotationWhenAllPointsAreInOnePlace)
{
    using T = TypeParam;
    const std::vector<Vector3<T>> rest(4, Vector3<T>{1, 2, 3}), x(4, Vector3<T>{4, 5, 6});
    const Matrix3<T> previous = this->rotation();
    const RigidFit<T> fit = fit_rigid<T>(rest, x, std::vector<T>(4, T(1)), previous);
    EXPECT_EQ(largest_entry(fit.fit.rotation - previous), T(0));
    EXPECT_EQ(largest_entry(inverse_k(fit.fit)), T(0));
}

TYPED_TEST(Procrustes, TurnsThePriorByTheSmallestRotationThatAlignsALine)
{
    using T = TypeParam;
    const std::vector<Vector3<T>> rest{{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}};
    const Vector3<T> along = Vector3<T>{T(0.8), T(0.6), 0};
    const std::vector<Vector3<T>> x{-along, Vector3<T>{}, along};
    const RigidFit<T> fit = fit_rigid<T>(rest, x, std::vector<T>(3, T(1)));
    const Matrix3<T> smallest{{{T(0.8), T(0.6), 0}, {T(-0.6), T(0.8), 0}, {0, 0, 1}}};
    EXPECT_LE(largest_entry(fit.fit.rotation - smallest), T(2) * kFitConditioning<T>);
}

TYPED_TEST(Procrustes, DerivativeAgreesWithDifferences)
{
    using T = double;  // differences need digits
    std::mt19937 generator(3);
    std::uniform_real_distribution<T> u(-1, 1);
    for (int trial = 0; trial < 50; ++trial) {
        Matrix3<T> b, db;
        for (int i = 0; i < 9; ++i) {
            b(i % 3, i / 3) = u(generator);
            db(i % 3, i / 3) = u(generator);
        }
        const RotationFit<T> fit = fit_rotation(b, Matrix3<T>::identity());
        if (fit.s.y + fit.s.z < 0.1) continue;
        const T e = 1e-6;
        const Matrix3<T> ahead = fit_rotation(b + e * db, Matrix3<T>::identity()).rotation;
        const Matrix3<T> behind = fit_rotation(b - e * db, Matrix3<T>::identity()).rotation;
        const Matrix3<T> difference = (1 / (2 * e)) * (ahead - behind);
        const Matrix3<T> predicted = Matrix3<T>::skew(fit_derivative(fit, db)) * fit.rotation;
        EXPECT_LE(largest_entry(difference - predicted), 1e-7);
    }
}

TYPED_TEST(Procrustes, MeetsTheGoldenFits)
{
    using T = TypeParam;
    for (const golden::Case& c : golden::cases("glue")) {
        const auto rest = golden::vectors<T>(c.input("rest")), x = golden::vectors<T>(c.input("x"));
        const auto weights = c.input("weights").template get<std::vector<T>>();
        const bool prior = c.json.at("input").contains("R_prev");
        const Matrix3<T> previous = prior ? golden::matrix<T>(c.input("R_prev")) : Matrix3<T>::identity();
        const T conditioning = prior ? c.input("kappa_min").template get<T>() : std::numeric_limits<T>::epsilon();
        const RigidFit<T> r = fit_rigid<T>(rest, x, weights, previous, conditioning);
        const Matrix3<T> p = stretch(r.fit);
        const Vector3<T> bound = golden::vector<T>(c.input("rest_bound"));

        const golden::Check<T> check(c);
        check("t_rest", r.rest_center, c.expected("t_rest"));
        check("t", r.center, c.expected("t"));
        check("B", r.b, c.expected("B"));
        check("prior_lambda", double(r.fit.prior), c.expected("prior_lambda"));
        check("signed_singular_values", r.fit.s, c.expected("signed_singular_values"));
        check("R", r.fit.rotation, c.expected("R"));
        check("P", p, c.expected("P"));
        check("K", p.trace() * Matrix3<T>::identity() - p, c.expected("K"));
        check("phi", r(bound), c.expected("phi"));

        // The derivative of the fit, along the given velocities: the angular velocity of the frame.
        const auto velocities = golden::vectors<T>(c.input("velocities"));
        T total = 0;
        for (const T w : weights) total += w;
        Matrix3<T> db;
        for (std::size_t i = 0; i < rest.size(); ++i) {
            db += Matrix3<T>::outer((weights[i] / total) * velocities[i], rest[i] - r.rest_center);
        }
        check("frame_angular_velocity", fit_derivative(r.fit, db), c.expected("frame_angular_velocity"));
    }
}

}  // namespace
}  // namespace pliant
