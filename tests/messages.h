#pragma once
// What a refusal says.

#include "pliant/base/check.h"

#include <functional>
#include <string>

namespace pliant {

/// For EXPECT_PRED2, which shows both texts.
inline bool says(const std::string& error, const std::string& part) { return error.find(part) != std::string::npos; }

inline std::string message_of(const std::function<void()>& action)
{
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace pliant
