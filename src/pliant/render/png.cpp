#include "pliant/base/check.h"
#include "pliant/render/picture.h"

#include <fmt/format.h>
#include <new>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wshadow"
#define STB_IMAGE_WRITE_STATIC  // other libraries bring their own copy
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace pliant {

namespace {

constexpr int kMaxSide = 20000;  // [pixels]; the encoder counts bytes with an int

}  // namespace

std::string encode_png(const Image& image)
{
    const int stride = image.width * 3;
    const bool fits = stride > 0 && image.height > 0 && image.width <= kMaxSide && image.height <= kMaxSide;
    if (!fits) {
        throw InputError(fmt::format("a picture of {} x {} pixels: use at least 1 x 1, at most {} x {}", image.width,
                                     image.height, kMaxSide, kMaxSide));
    }
    std::string bytes;
    const auto append = [](void* context, void* data, int size) {
        static_cast<std::string*>(context)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
    };
    const int ok = stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, image.rgb.data(), stride);
    if (!ok) throw std::bad_alloc();  // its only reason to fail
    return bytes;
}

}  // namespace pliant
