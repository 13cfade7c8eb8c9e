#pragma once
// The bodies of a frame as most formats want them: meshes with normals, and velocities by the difference to the frame before.

#include "pliant/files/writer_options.h"
#include "pliant/render/frame.h"

#include <span>
#include <string>
#include <vector>

namespace pliant {

using Float3 = Vector3<float>;

/// One body in one frame. Axes and unit are those of the files.
struct BodyMesh {
    const Layer* layer = nullptr;
    std::string name;                // unique: letters, digits, - and _
    std::vector<Float3> points;      // in units
    std::vector<Float3> normals;     // per point, of unit length; empty for a cloud
    std::vector<Float3> velocities;  // per point, in units a second; zero in the first frame
};

/// Turns frames into meshes, one after the other. Bodies must stay the same.
class FrameMeshes {
  public:
    FrameMeshes(std::string path, const WriterOptions& options) : path_(std::move(path)), options_(options) {}

    /// Without scenery. Valid until the next call, as long as the frame is. Throws FileError if bodies have come or gone,
    /// or if one has another number of points: these formats have no place for that.
    std::span<const BodyMesh> update(const Frame& frame);
    /// In place of the frames before: velocities are then taken from this one.
    void resume(const Frame& latest) { update(latest); }

  private:
    void fit_to(const Frame& frame);

    std::string path_;
    WriterOptions options_;
    std::vector<BodyMesh> meshes_;
    bool started_ = false;
};

/// Corners of the faces of a layer, and how many each has: its polygons, or its triangles.
struct FaceList {
    std::vector<int> counts, corners;
};
FaceList faces_of(const Layer& layer);

}  // namespace pliant
