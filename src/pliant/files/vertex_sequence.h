#pragma once
// Points that move, from files: a point cache (.pc2, .mdd), a mesh for each frame (.obj, .ply), or a body that is moved by the
// joints of a skin, by morph targets and by nodes (.gltf, .glb). What is needed is read when it is asked for: memory does not
// grow with the number of frames.

#include "pliant/math/types.h"

#include <memory>
#include <string>
#include <vector>

namespace pliant {

class VertexSequence {
  public:
    virtual ~VertexSequence() = default;

    virtual std::size_t points() const = 0;  // at any time
    virtual double length() const = 0;       // from its first frame to its last [s]
    /// Its points at a time from 0 to length, all finite. Frames are exact, and what is between them lies on straight lines;
    /// glTF says for itself what is between its keys. Throws InputError or FileError that names the file.
    virtual void read_at(double time, std::vector<Vec3d>& points) = 0;
};

/// Opens a .pc2, an .mdd, a .gltf or .glb, or the files that a name with #### for the number of the frame means. `rate` [1/s]
/// is that of frames whose file does not say when they are; `clip` names one of several animations in a glTF file, the
/// first without a name. InputError unless there is a frame and its points.
std::unique_ptr<VertexSequence> open_vertex_sequence(const std::string& path, double rate,
                                                     const std::string& clip = {});

/// Throws InputError, with `where` in front, if a point is not finite.
void check_finite(const std::string& where, const std::vector<Vec3d>& points);

}  // namespace pliant
