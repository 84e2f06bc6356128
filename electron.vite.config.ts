/**
 * @file Builds the three programs: main (ES modules, one file per source file, dependencies left outside), the preload
 * (one CommonJS file, as Electron's sandbox demands) and the renderer. Needs no Electron binary.
 */
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'electron-vite';
import { Visitor, type Plugin } from 'vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Workers are found at run time, as `./<name>${extname(import.meta.url)}`, so nothing imports them: each is an entry. */
const mainEntries = [
  'hosts/desktop.ts',
  'hosts/cli.ts',
  ...globSync('**/*-worker.ts', { cwd: at('src-main') }),
];

/**
 * The page checks nothing that the bridge has checked: of the contract it uses constants and functions, never a schema. What builds
 * one when its module is loaded is marked as without effect, so that zod stays out.
 */
export const withoutSchemas: Plugin = {
  name: 'without-schemas',
  transform: {
    filter: { id: /[\\/]src-contract[\\/].+\.ts$/ },
    handler(code) {
      let marked = code;
      for (const statement of this.parse(code).body.toReversed()) {
        const { declaration } =
          statement.type === 'ExportNamedDeclaration' ? statement : { declaration: statement };
        if (declaration?.type !== 'VariableDeclaration') continue;
        for (const { init } of declaration.declarations.toReversed()) {
          if (init?.type !== 'CallExpression') continue;
          const call = code.slice(init.start, init.end);
          marked = `${marked.slice(0, init.start)}/* @__PURE__ */ (() => ${call})()${marked.slice(init.end)}`;
        }
      }
      return { code: marked, map: null, moduleSideEffects: false };
    },
  },
};

/** What errors say only where commands are typed stays out of the page: properties named `typed`, and what `asSaid` takes second. */
const withoutTypedSentences: Plugin = {
  name: 'without-typed-sentences',
  transform: {
    filter: { id: /[\\/]src-contract[\\/]error-messages\.ts$/ },
    handler(code) {
      const found: { start: number; end: number }[] = [];
      new Visitor({
        Property: ({ key, value, shorthand }) => {
          if (!shorthand && key.type === 'Identifier' && key.name === 'typed') found.push(value);
        },
        CallExpression: ({ callee, arguments: [, typed] }) => {
          if (callee.type === 'Identifier' && callee.name === 'asSaid' && typed !== undefined)
            found.push(typed);
        },
      }).visit(this.parse(code));
      const last = found.sort((a, b) => b.start - a.start);
      const shorter = last.reduce(
        (text, { start, end }) => `${text.slice(0, start)}void 0${text.slice(end)}`,
        code,
      );
      return { code: shorter, map: null };
    },
  },
};

export default defineConfig({
  main: {
    build: {
      sourcemap: true,
      rolldownOptions: {
        input: Object.fromEntries(
          mainEntries.map((file) => [
            file.replace(/\.ts$/, '').replaceAll('\\', '/'),
            at(`src-main/${file}`),
          ]),
        ),
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
    plugins: [svelte({ configFile: at('svelte.config.js') }), withoutTypedSentences, withoutSchemas],
    build: {
      minify: true,
      // Every browser that the window is made for loads modules ahead by itself.
      modulePreload: { polyfill: false },
      // The page comes from the disk, whole; `npm run bench -- ui` measures its size against the goal.
      chunkSizeWarningLimit: 1_000,
      rolldownOptions: { input: at('src-renderer/index.html') },
    },
  },
});
