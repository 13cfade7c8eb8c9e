# For cross-compiling: takes the libraries that are nothing but headers from this machine (fmt, nlohmann-json, CLI11, stb)
# and shows the cross compiler these alone. The folder they lie in holds the headers of this machine's C library too,
# and those must not be seen.
set(host_headers ${PROJECT_BINARY_DIR}/host_headers)
file(MAKE_DIRECTORY ${host_headers})
foreach(name fmt nlohmann CLI stb)
  find_path(${name}_parent ${name} PATHS /usr/include /usr/local/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(CREATE_LINK ${${name}_parent}/${name} ${host_headers}/${name} SYMBOLIC)
endforeach()
foreach(target fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE ${host_headers})
endforeach()
# No locale of fmt's: it would bring all of the library's along.
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY FMT_USE_LONG_DOUBLE=0 FMT_STATIC_THOUSANDS_SEPARATOR=',')
