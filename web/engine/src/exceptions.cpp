// C++ exceptions in WebAssembly. clang makes the instructions (-fwasm-exceptions), but Debian's libc++abi for wasm32-wasi is
// built without the functions that they call. These are they, after the Itanium C++ ABI
// (https://itanium-cxx-abi.github.io/cxx-abi/abi-eh.html), for exceptions of C++ that stay on their thread.
//
// A throw puts a header in front of the exception and hands its address to the `throw` instruction, whose tag is
// __cpp_exception. A landing pad stores its number and the table of its function (LSDA) in __wasm_lpad_context and calls
// _Unwind_CallPersonality, which looks up which catch clause of that pad takes the exception, and stores the number of its
// type as the selector. The rest (destructors, going on to the next frame) is compiled code.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>

// What libc++abi's classes of std::type_info have behind their destructor (private_typeinfo.h).
namespace __cxxabiv1 {
class __shim_type_info : public std::type_info {  // NOLINT(bugprone-reserved-identifier)
  public:
    ~__shim_type_info() override;
    virtual void noop1() const;
    virtual void noop2() const;
    /// Whether a catch of this type takes an exception of that; moves its address to the base that is caught.
    virtual bool can_catch(const __shim_type_info* thrown, void*& object) const = 0;
};
}  // namespace __cxxabiv1

namespace {

using TypeInfo = __cxxabiv1::__shim_type_info;

struct alignas(16) Header {
    const std::type_info* type;
    void* (*destroy)(void*);  // destructors give their argument back in WebAssembly
    Header* next_caught;  // below it on the stack of those being handled
    void* caught;         // the object as the catch clause sees it
    int handlers;         // that are handling it now; negative: rethrown
    int references;
};

thread_local Header* caught_top = nullptr;  // NOLINT(*-global-variables): the exception that is being handled

Header* header_of(void* object) { return static_cast<Header*>(object) - 1; }

void release(Header* header)
{
    if (--header->references > 0) return;
    if (header->destroy != nullptr) header->destroy(header + 1);
    std::free(header);
}

std::uintptr_t read_uleb(const std::uint8_t*& at)
{
    std::uintptr_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const std::uint8_t byte = *at++;
        value |= static_cast<std::uintptr_t>(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0) return value;
    }
}

std::intptr_t read_sleb(const std::uint8_t*& at)
{
    std::uintptr_t value = 0;
    unsigned shift = 0;
    std::uint8_t byte = 0;
    do {
        byte = *at++;
        value |= static_cast<std::uintptr_t>(byte & 0x7f) << shift;
        shift += 7;
    } while ((byte & 0x80) != 0);
    if ((byte & 0x40) != 0 && shift < 8 * sizeof value) value |= ~std::uintptr_t{0} << shift;
    return static_cast<std::intptr_t>(value);
}

/// The parts of a function's table that are needed: a landing pad has a chain of actions, an action a type.
struct Table {
    const std::uint8_t* types = nullptr;  // addresses of type_info, backwards from here
    const std::uint8_t* pads = nullptr;
    const std::uint8_t* actions = nullptr;

    explicit Table(const std::uint8_t* at)
    {
        constexpr std::uint8_t kOmitted = 0xff, kAddress = 0x00;
        if (*at++ != kOmitted) std::abort();  // a base of landing pads: makes no sense here
        const std::uint8_t encoding = *at++;
        if (encoding != kOmitted) {
            if (encoding != kAddress) std::abort();
            const std::uintptr_t offset = read_uleb(at);
            types = at + offset;
        }
        ++at;  // encoding of the call sites: always ULEB128
        const std::uintptr_t length = read_uleb(at);
        pads = at;
        actions = at + length;
    }

    /// The first action of a landing pad; null for none.
    const std::uint8_t* action_of(std::uintptr_t pad) const
    {
        const std::uint8_t* at = pads;
        for (std::uintptr_t k = 0; at < actions; ++k) {
            read_uleb(at);  // the pad's number again
            const std::uintptr_t action = read_uleb(at);
            if (k == pad) return action != 0 ? actions + action - 1 : nullptr;
        }
        std::abort();
    }

    /// Null for `catch (...)`.
    const TypeInfo* type(std::intptr_t number) const
    {
        return reinterpret_cast<const TypeInfo* const*>(types)[-number];
    }
};

/// The number of the type that takes the exception at a landing pad; 0 for none.
std::intptr_t find_handler(const Table& table, std::uintptr_t pad, Header& header)
{
    const auto* thrown = static_cast<const TypeInfo*>(header.type);
    for (const std::uint8_t* at = table.action_of(pad); at != nullptr;) {
        const std::intptr_t number = read_sleb(at);
        const std::uint8_t* from = at;
        const std::intptr_t next = read_sleb(at);
        if (number > 0) {
            void* object = &header + 1;
            const TypeInfo* type = table.type(number);
            if (type == nullptr || type->can_catch(thrown, object)) {
                header.caught = object;
                return number;
            }
        } else if (number < 0) {
            std::abort();  // exception specifications went with C++17
        }
        at = next != 0 ? from + next : nullptr;
    }
    return 0;
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the ABI's
extern "C" {

thread_local struct {
    std::uintptr_t pad;
    const std::uint8_t* table;
    std::uintptr_t selector;
} __wasm_lpad_context;

int _Unwind_CallPersonality(void* object)
{
    Header& header = *header_of(object);
    const Table table(__wasm_lpad_context.table);
    const std::intptr_t number = find_handler(table, __wasm_lpad_context.pad, header);
    __wasm_lpad_context.selector = static_cast<std::uintptr_t>(number);
    return number != 0 ? 6 : 8;  // _URC_HANDLER_FOUND, _URC_CONTINUE_UNWIND
}

/// Named by every function that catches, never called.
int __gxx_personality_wasm0() { std::abort(); }

void* __cxa_allocate_exception(std::size_t size) noexcept
{
    auto* header = static_cast<Header*>(std::aligned_alloc(alignof(Header), (sizeof(Header) + size + 15) / 16 * 16));
    if (header == nullptr) std::terminate();
    *header = {};
    return header + 1;
}

void __cxa_free_exception(void* object) noexcept { std::free(header_of(object)); }

void __cxa_throw(void* object, std::type_info* type, void* (*destroy)(void*))
{
    Header* header = header_of(object);
    header->type = type;
    header->destroy = destroy;
    header->caught = object;
    header->references = 1;
    __builtin_wasm_throw(0, object);
}

void* __cxa_get_exception_ptr(void* object) noexcept { return header_of(object)->caught; }

void* __cxa_begin_catch(void* object) noexcept
{
    Header* header = header_of(object);
    header->handlers = (header->handlers < 0 ? -header->handlers : header->handlers) + 1;
    if (header != caught_top) {
        header->next_caught = caught_top;
        caught_top = header;
    }
    return header->caught;
}

void __cxa_end_catch()
{
    Header* header = caught_top;
    if (header == nullptr) return;
    if (header->handlers < 0) {  // it was rethrown and lives on
        if (++header->handlers == 0) caught_top = header->next_caught;
    } else if (--header->handlers == 0) {
        caught_top = header->next_caught;
        release(header);
    }
}

void __cxa_rethrow()
{
    Header* header = caught_top;
    if (header == nullptr) std::terminate();
    header->handlers = -header->handlers;
    __builtin_wasm_throw(0, header + 1);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)

// Those of the library end the program where memory is short: it was built without exceptions. The other forms call these.
void* operator new(std::size_t size)
{
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment)
{
    const auto unit = static_cast<std::size_t>(alignment);
    if (void* memory = std::aligned_alloc(unit, (size + unit - 1) / unit * unit)) return memory;
    throw std::bad_alloc();
}
