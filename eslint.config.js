import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const clockOnly = 'Take a Clock (src-main/platform/clock.ts); only that file reads wall clock and timers.';

export default tseslint.config(
  { ignores: ['node_modules/', 'out/', 'dist/', 'coverage/'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  ...svelte.configs.recommended,
  {
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
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['src-main/**/*.ts'],
    ignores: ['src-main/platform/clock.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'setTimeout', message: clockOnly },
        { name: 'setInterval', message: clockOnly },
        { name: 'performance', message: clockOnly },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: clockOnly },
        {
          selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
          message: clockOnly,
        },
      ],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { globals: globals.browser, parserOptions: { parser: tseslint.parser } },
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['**/src-main/**'], message: 'The renderer sees only the contract.' },
            {
              group: ['**/preload.ts'],
              message: 'The renderer reaches the preload through window.packhorse.',
            },
            { group: ['node:*', 'electron'], message: 'The renderer has no Node and no Electron.' },
            { group: ['zod'], message: 'zod is used through contract/schema.ts only.' },
          ],
        },
      ],
    },
  },
  { files: ['**/*.js', '**/*.cjs'], extends: [tseslint.configs.disableTypeChecked] },
);
