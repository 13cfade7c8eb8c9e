// node unshare.js FILE.wasm: says of the memory that the module imports that it is not shared.

import { readFileSync, writeFileSync } from "node:fs";
import { setShared } from "../memory.js";

const bytes = readFileSync(process.argv[2]);
setShared(bytes, false);
writeFileSync(process.argv[2], bytes);
