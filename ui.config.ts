/** @file Serves the page that documents the window's tokens and components (`npm run ui`); no part of the product's build. */
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: at('test/component/gallery'),
  plugins: [svelte({ configFile: at('svelte.config.js') })],
  server: { fs: { allow: [at('.')] } },
});
