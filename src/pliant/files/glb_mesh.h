#pragma once
// A body as glTF wants it: triangles, and one texture coordinate a vertex, so that a point with several is there as often.

#include "pliant/files/spooled_writer.h"

#include <array>
#include <string>
#include <vector>

namespace pliant {

class GlbMesh {
  public:
    explicit GlbMesh(const SpooledBody& body);

    std::vector<int> corners;               // three a triangle: vertices; empty for a cloud
    std::vector<std::array<float, 2>> uvs;  // per vertex, v downwards; empty for none

    const std::string& name() const { return body_->name; }
    /// Of the vertices in a frame.
    std::vector<Float3> points(int frame) const;
    /// Of vertices at these places; none for a cloud.
    std::vector<Float3> normals(const std::vector<Float3>& points) const;

  private:
    void split_at_uvs(const PolygonFaces& faces, const Triangles& triangles);

    const SpooledBody* body_;
    std::vector<int> point_;  // per vertex: of the body
};

}  // namespace pliant
