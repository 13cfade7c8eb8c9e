// A thread of the engine: an instance of its module over its memory, which helps with its loops for good (src/threads.cpp).

const inNode = typeof self === "undefined";
const port = inNode ? (await import(/* @vite-ignore */ "node:worker_threads")).parentPort : self;

function receive({ module, memory, stack, data, thread }) {
  const imports = {};
  for (const { module: room, name, kind } of WebAssembly.Module.imports(module)) (imports[room] ??= {})[name] = kind === "memory" ? memory : () => 52; // ENOSYS
  const { exports } = new WebAssembly.Instance(module, imports);
  exports.__stack_pointer.value = stack;
  exports.__wasm_init_tls(data);
  port.postMessage("ready");
  exports.pliant_help(thread);
}

if (inNode) port.once("message", receive);
else port.onmessage = (event) => receive(event.data);
