# Toolchain: WebAssembly with Debian's clang 19, wasi-libc and libc++. The C++ library names no exceptions and no threads:
# web/engine/src/exceptions.cpp has the former, PLIANT_SERIAL does without the latter.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_CROSSCOMPILING_EMULATOR node)

find_path(wasi_include wasi/api.h PATHS /usr/include/wasm32-wasi NO_DEFAULT_PATH REQUIRED)
find_path(wasi_lib libc.a PATHS /usr/lib/wasm32-wasi NO_DEFAULT_PATH REQUIRED)
find_path(llvm_root include/wasm32-wasi/c++/v1/vector PATHS /usr/lib/llvm-19 NO_DEFAULT_PATH REQUIRED)
file(GLOB wasm_builtins ${llvm_root}/lib/clang/19/lib/wasi/libclang_rt.builtins-wasm32.a)

# clang's own headers, then these two folders, and never those of this machine.
set(CMAKE_CXX_FLAGS_INIT "-msimd128 -matomics -mbulk-memory -fwasm-exceptions -fno-stack-protector -nostdinc++ -isystem ${llvm_root}/include/wasm32-wasi/c++/v1 -isystem ${wasi_include}")
set(CMAKE_CXX_CREATE_STATIC_LIBRARY "<CMAKE_AR> rcs <TARGET> <OBJECTS>")
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
set(CMAKE_CXX_LINK_EXECUTABLE "wasm-ld-19 ${wasi_lib}/crt1-reactor.o <OBJECTS> -o <TARGET> <LINK_FLAGS> <LINK_LIBRARIES> -L${llvm_root}/lib/wasm32-wasi -L${wasi_lib} -lc++ -lc++abi -lc -lm ${wasm_builtins}")
