import { builtinModules } from 'node:module';
import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

const clockOnly = 'Take a Clock (src-main/platform/clock.ts); only that file reads wall clock and timers.';
const timers = ['setTimeout', 'setInterval'];

/** What main must not import by name; dependency-cruiser sees files and packages only. */
const ipcMain = {
  name: 'electron',
  importNames: ['ipcMain'],
  message: 'Calls are answered in src-main/bridge/transports/electron.ts.',
};
const mainImports = {
  paths: [
    ...['timers', 'node:timers', 'timers/promises', 'node:timers/promises'].map((name) => ({
      name,
      importNames: [...timers, 'scheduler'],
      message: clockOnly,
    })),
    ...['perf_hooks', 'node:perf_hooks'].map((name) => ({ name, message: clockOnly })),
  ],
  patterns: [
    {
      group: ['**/platform/clock.ts'],
      importNames: ['systemClock'],
      message: 'A Clock is handed down from src-main/compose/compose.ts.',
    },
  ],
};

/** The page uses nouns and types. A noun imports only the types of its schemas (dependency-cruiser checks it). */
const schemas = {
  regex: String.raw`^zod\b|src-contract/(.*-schema|schema|calls)\.ts$|src-contract/calls/`,
  allowTypeImports: true,
  message:
    'The page carries neither schemas nor zod (docs/decisions/0022): import the noun, or the type alone.',
};

/** What no component may import; dependency-cruiser does not see its types. */
const componentImports = {
  patterns: [
    { group: ['**/src-main/**'], message: 'The renderer sees only the contract.' },
    {
      group: ['**/preload.ts'],
      message: 'The renderer reaches the preload through window.packhorse.',
    },
    {
      regex: '^node:|^electron$',
      message: 'The renderer has no Node and no Electron.',
    },
    schemas,
  ],
  paths: builtinModules.map((name) => ({ name, message: 'The renderer has no Node.' })),
};
/** The rooms of the window: what each may not import besides. */
const rooms = {
  kit: [
    '**/data/**',
    '**/views/**',
    '**/shell/**',
    '**/client.ts',
    '**/src-contract/call*',
    '**/src-contract/calls/**',
  ],
  data: ['**/views/**', '**/shell/**'],
  shell: ['**/views/**'],
  views: ['**/shell/**'],
};

export default tseslint.config(
  { ignores: ['node_modules/', 'out/', 'dist/', 'coverage/'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  ...svelte.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: {
      globals: globals.node,
      parserOptions: {
        project: ['./tsconfig.node.json', './tsconfig.web.json'],
        extraFileExtensions: ['.svelte'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Takes whatever a factory of Node, Fastify or Electron returns for a forged instance.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-console': 'error',
      'no-eval': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['src-main/**/*.ts'],
    ignores: ['src-main/platform/clock.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...[...timers, 'performance'].map((name) => ({ name, message: clockOnly })),
      ],
      'no-restricted-properties': [
        'error',
        ...[...timers, 'performance'].map((property) => ({
          object: 'globalThis',
          property,
          message: clockOnly,
        })),
        { object: 'Date', property: 'now', message: clockOnly },
        { object: 'AbortSignal', property: 'timeout', message: clockOnly },
        { object: 'process', property: 'hrtime', message: clockOnly },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: clockOnly },
        { selector: "CallExpression[callee.name='Date']", message: clockOnly },
      ],
      'no-restricted-imports': ['error', { ...mainImports, paths: [...mainImports.paths, ipcMain] }],
    },
  },
  {
    files: ['src-main/bridge/transports/electron.ts'],
    rules: { 'no-restricted-imports': ['error', mainImports] },
  },
  {
    files: [
      'src-main/{compose,hosts}/**/*.ts',
      'src-main/services/sandbox/embedded-sandbox.ts',
      'src-main/**/*-worker.ts',
    ],
    rules: {
      'no-restricted-imports': ['error', { paths: [...mainImports.paths, ipcMain] }],
    },
  },
  {
    files: ['src-renderer/**'],
    languageOptions: { globals: globals.browser },
    rules: {
      // The content security policy would refuse these at run time.
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'setHTMLUnsafe'].map((property) => ({
          property,
          message: 'Text from a server is shown as text.',
        })),
        { object: 'document', property: 'write', message: 'Text from a server is shown as text.' },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: "SvelteAttribute[key.name='style']", message: 'Use a class or a style: directive.' },
      ],
      'no-restricted-imports': ['error', { patterns: [schemas] }],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { parser: tseslint.parser, svelteConfig },
    },
    rules: {
      'svelte/no-at-html-tags': 'error',
      'no-restricted-imports': ['error', componentImports],
    },
  },
  ...Object.entries(rooms).map(([room, others]) => ({
    files: [`src-renderer/${room}/**/*.svelte`, `src-renderer/${room}/**/*.svelte.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          ...componentImports,
          patterns: [
            ...componentImports.patterns,
            { group: others, message: 'The rooms of the window: see ARCHITECTURE.md.' },
          ],
        },
      ],
    },
  })),
  { files: ['**/*.js', '**/*.cjs'], extends: [tseslint.configs.disableTypeChecked] },
  // Rules that ask for types build a program anew for each component, which took longer than all else that is checked.
  // svelte-check knows the types of components; what can be awaited or is unsafe belongs into their `.svelte.ts` files.
  { files: ['**/*.svelte'], extends: [tseslint.configs.disableTypeChecked] },
  { files: ['**/*.svelte.ts'], languageOptions: { parser: tseslint.parser } },
);
