/**
 * @file Builds the three programs: main (ES modules, one file per source file, dependencies left outside), the preload
 * (one CommonJS file, as Electron's sandbox demands) and the renderer. Needs no Electron binary.
 */
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'electron-vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  main: {
    build: {
      sourcemap: true,
      rolldownOptions: {
        // A worker is an entry of its own: it is found at run time as `./<name>${extname(import.meta.url)}`.
        input: {
          'hosts/desktop': at('src-main/hosts/desktop.ts'),
          'hosts/cli': at('src-main/hosts/cli.ts'),
          'archive/inspect-worker': at('src-main/archive/inspect-worker.ts'),
        },
        output: {
          preserveModules: true,
          preserveModulesRoot: at('src-main'),
          entryFileNames: '[name].js',
        },
      },
    },
  },
  preload: {
    build: {
      rolldownOptions: {
        input: { preload: at('src-preload/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('src-renderer'),
    plugins: [svelte({ configFile: at('svelte.config.js') })],
    build: { minify: true, rolldownOptions: { input: at('src-renderer/index.html') } },
  },
});
