import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const server = process.env.WHETSTONE_DEV_API ?? "http://127.0.0.1:8000";
const proxied = ["/api", "/_allauth", "/files", "/health"];

// The platform serves dist/ under /static/ and index.html for every page, so assets carry that base
// in a build; the development server keeps the pages at the root, as they are in production.
export default defineConfig(({ command }) => ({
  base: command === "build" ? "/static/" : "/",
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: {
    proxy: Object.fromEntries(proxied.map((path) => [path, { target: server, changeOrigin: false }])),
  },
  worker: { format: "es" },
  build: { outDir: "dist", emptyOutDir: true, target: "es2022" },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/test/setup.ts"],
    restoreMocks: true,
    css: false,
  },
}));
