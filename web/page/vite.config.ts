import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const engine = (file: string): string => fileURLToPath(new URL(`../engine/${file}`, import.meta.url));

export const alias = [
  { find: /^@pliant\/engine\/pliant\.wasm/, replacement: engine("dist/pliant.wasm") },
  { find: /^@pliant\/engine$/, replacement: engine("engine.js") },
];

export default defineConfig({
  base: "./",
  resolve: { alias },
  worker: { format: "es" },
  build: { target: "es2022", outDir: "dist/page", emptyOutDir: true, chunkSizeWarningLimit: 900, assetsInlineLimit: 0 },
});
