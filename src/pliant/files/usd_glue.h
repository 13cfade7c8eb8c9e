#pragma once
// Glue in `.usda`, after the proposal for deformable bodies of the working group on physics of AOUSD: a glue is an Xform that
// moves with it, and each body that it holds is attached to that by a PhysicsVtxXformAttachment, whose attachmentEnabled
// says when. A reader that knows no physics still has the Xform, to hang something on.
//
// An attachment names points of the body as they are in the file. The particles that carry an anchor are such points in
// cloth and rods; of a solid or a rigid body, they are the three points nearest to the anchor.

#include "pliant/files/stream_file.h"
#include "pliant/files/usd_text.h"
#include "pliant/files/writer_options.h"
#include "pliant/world/world.h"

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// A body of the file: where its prim is, its points in the first frame, and which of them each particle is.
struct UsdBody {
    std::string prim;
    std::vector<Float3> points;
    std::vector<int> point_of;  // per particle of the body; -1 for none. Empty if points are no particles
};

class UsdGlue {
  public:
    /// Frames are collected in a file until they are written.
    UsdGlue(const World& world, const WriterOptions& options, const std::string& spool, StreamFile::Start start);

    /// The state of a frame.
    void append(const World& world);
    /// Forgets all frames but the first few.
    void shrink(int frames);
    void remove_spool();
    using Out = std::function<void(std::string_view)>;
    /// Bodies are those of the world, in the order of for_each_body; `scope` is the name of the prim around all glue.
    void write(const World& world, std::span<const UsdBody> bodies, const std::string& scope, const Out& out) const;

  private:
    struct Sample {
        std::array<Float3, 3> rows{};  // images of the axes
        Float3 place{}, other{};       // of the side that the Xform moves with, and of the other
        float on = 0;
    };

    Sample sample(const World& world, const Glue& glue) const;
    Sample read(int frame, std::size_t glue) const;
    int frames() const;
    std::string transforms(std::size_t glue, int frames) const;
    std::string switches(std::size_t glue, int frames) const;
    /// What it holds of a body; empty if it is on none.
    std::string attachment(const Glue& glue, const Anchor& anchor, const World& world, std::span<const UsdBody> bodies,
                           std::size_t number) const;
    void write_one(const Glue& glue, std::size_t number, const std::string& prim, const World& world,
                   std::span<const UsdBody> bodies, const Out& out) const;

    WriterOptions options_;
    std::vector<std::string> names_;  // of glues of the first frame
    std::unique_ptr<StreamFile> file_;
};

}  // namespace pliant
