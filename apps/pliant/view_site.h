#pragma once
// What `pliant view` answers. The files of the built page are for anyone on this machine; what is shown in it, and writing
// it, needs a token that only the printed address has. Requests that come from, or through the name of, another site are
// refused: a page somewhere in the net cannot reach this one (CSRF, DNS rebinding).
//
//   GET  /...               the page: only files that were there at the start
//   GET  /session/info      {kind, name, version, files}; the version changes with the file
//   GET  /session/text      the scene or recording
//   GET  /session/files/N   a mesh that the scene names
//   PUT  /session/text      writes the scene file
//   GET  /session/page      a recorded page; here the token is in the address

#include "http.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pliant::cli {

class ViewSite {
  public:
    /// `shown` is a scene file, a built-in scene, a recording, a recorded page or empty. Throws InputError and FileError.
    ViewSite(std::string shown, std::string token, int port);

    HttpResponse answer(const HttpRequest& request);
    /// What to open in a browser.
    std::string address() const;

  private:
    enum class Kind { gallery, builtin, scene, recording, page };

    bool comes_from_here(const HttpRequest& request) const;
    bool has_token(const HttpRequest& request) const;
    HttpResponse answer_session(const HttpRequest& request);
    HttpResponse info();
    HttpResponse save(const HttpRequest& request);
    std::string text() const;

    std::string shown_, token_;
    int port_;
    Kind kind_ = Kind::gallery;
    std::map<std::string, std::string> page_;  // address -> file
};

/// 128 random bits in hexadecimal.
std::string make_token();

}  // namespace pliant::cli
