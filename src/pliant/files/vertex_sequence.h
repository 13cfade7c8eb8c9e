#pragma once
// Points that move, from files: a point cache (.pc2, .mdd), or a mesh for each frame (.obj, .ply). A frame is read when it is
// asked for: memory does not grow with their number.

#include "pliant/math/types.h"

#include <memory>
#include <string>
#include <vector>

namespace pliant {

class VertexSequence {
  public:
    virtual ~VertexSequence() = default;

    virtual int frames() const = 0;          // at least one
    virtual std::size_t points() const = 0;  // of every frame
    /// When a frame is reached, from the first on [s]; later than that of the frame before.
    virtual double time(int frame) const = 0;
    /// Its points, all finite. Throws InputError or FileError that names the file.
    virtual void read(int frame, std::vector<Vec3d>& points) = 0;
};

/// Opens a .pc2, an .mdd, or the files that a name with #### for the number of the frame means. `rate` [1/s] is that of
/// frames whose file does not say when they are. InputError unless there is a frame and its points.
std::unique_ptr<VertexSequence> open_vertex_sequence(const std::string& path, double rate);

}  // namespace pliant
