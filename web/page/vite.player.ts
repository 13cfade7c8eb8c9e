// The player: one file with everything in it, which plays from the disk without server and network.

import { defineConfig, type Plugin } from "vite";

/** Puts the script and the style into the page itself. */
function inline(): Plugin {
  return {
    name: "inline",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = Object.values(bundle).find((file) => file.fileName.endsWith(".html"));
      if (page?.type !== "asset") throw new Error("no page was made");
      let html = String(page.source);
      for (const file of Object.values(bundle)) {
        if (file === page) continue;
        const content = file.type === "chunk" ? file.code : String(file.source);
        const name = file.fileName.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
        if (file.type === "chunk") {
          html = html.replace(new RegExp(`<script[^>]*${name}[^>]*></script>`), "");
          html = html.replace("</body>", () => `<script type="module">${content.replace(/<\/script/g, "<\\/script")}</script></body>`);
        } else {
          html = html.replace(new RegExp(`<link[^>]*${name}[^>]*>`), () => `<style>${content}</style>`);
        }
        delete bundle[file.fileName];
      }
      page.source = html;
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [inline()],
  build: {
    target: "es2022", outDir: "dist", emptyOutDir: false, cssCodeSplit: false, modulePreload: false, assetsInlineLimit: 1e9, chunkSizeWarningLimit: 900,
    rollupOptions: { input: "player.html" },
  },
});
