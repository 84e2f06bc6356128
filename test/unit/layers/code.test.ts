/** @file Lints planted code as if it were in our tree, for rules of the layers that dependency-cruiser cannot check. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ESLint } from 'eslint';
import { describe, expect, test } from 'vitest';
import { z } from '../../../src-contract/schema.ts';

const eslint = new ESLint({
  cwd: join(import.meta.dirname, '../../..'),
  // Planted files are in no TypeScript program, so the rules that need types are left to `npm run lint`.
  overrideConfig: { languageOptions: { parserOptions: { project: null } } },
  ruleFilter: ({ ruleId }) => !ruleId.startsWith('@typescript-eslint/'),
});

/** Returns the rules that reject `code` in `file`. */
async function rulesAgainst(file: string, code: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(code, { filePath: file });
  const rules = result?.messages
    .filter(({ ruleId }) => ruleId !== 'no-unused-vars')
    .map(({ ruleId }) => ruleId);
  return [...new Set(rules)];
}

const inScript = (code: string): string => `<script lang="ts">\n  ${code}\n</script>\n`;

describe('only the clock may use the wall clock and timers', () => {
  test.each([
    ['Date.now();', 'no-restricted-properties'],
    ['const { now } = Date;', 'no-restricted-properties'],
    ['new Date();', 'no-restricted-syntax'],
    ['Date();', 'no-restricted-syntax'],
    ['setTimeout(() => 1, 5);', 'no-restricted-globals'],
    ['setInterval(() => 1, 5);', 'no-restricted-globals'],
    ['globalThis.setTimeout(() => 1, 5);', 'no-restricted-properties'],
    ['performance.now();', 'no-restricted-globals'],
    ['process.hrtime.bigint();', 'no-restricted-properties'],
    ['AbortSignal.timeout(5);', 'no-restricted-properties'],
    ["import { setTimeout } from 'node:timers/promises';", 'no-restricted-imports'],
    ["import { setInterval as every } from 'timers';", 'no-restricted-imports'],
    ["import { performance as watch } from 'node:perf_hooks';", 'no-restricted-imports'],
    ["import { systemClock } from '../platform/clock.ts';", 'no-restricted-imports'],
  ])('%s', async (code, rule) => {
    expect(await rulesAgainst('src-main/jobs/planted.ts', code)).toContain(rule);
    expect(await rulesAgainst('src-main/gitlab/planted.ts', code)).toContain(rule);
  });

  test('any file may use a given time', async () => {
    expect(
      await rulesAgainst('src-main/jobs/planted.ts', 'export const at = new Date(5).toISOString();'),
    ).toEqual([]);
  });

  test('the app may import the real clock to pass it on, but not read it', async () => {
    const code = "export { systemClock } from '../platform/clock.ts';";
    expect(await rulesAgainst('src-main/compose/planted.ts', code)).toEqual([]);
    expect(await rulesAgainst('src-main/compose/planted.ts', 'Date.now();')).toContain(
      'no-restricted-properties',
    );
  });
});

describe('only the Electron transport may import ipcMain', () => {
  const code = "import { app, ipcMain } from 'electron';";
  test.each(['src-main/hosts/desktop.ts', 'src-main/compose/compose.ts', 'src-main/bridge/planted.ts'])(
    'not %s',
    async (file) => {
      expect(await rulesAgainst(file, code)).toContain('no-restricted-imports');
    },
  );
  test('src-main/bridge/transports/electron.ts may', async () => {
    expect(await rulesAgainst('src-main/bridge/transports/electron.ts', code)).toEqual([]);
  });
});

describe('a component may import only the contract and packages for user interfaces', () => {
  test.each([
    "import { paths } from '../src-main/platform/paths.ts';",
    "import type { Clock } from '../src-main/platform/clock.ts';",
    "import '../src-preload/preload.ts';",
    "import { readFile } from 'node:fs/promises';",
    "import { readFile } from 'fs/promises';",
    "import type { IpcRenderer } from 'electron';",
    "import { z } from 'zod';",
  ])('%s', async (code) => {
    expect(await rulesAgainst('src-renderer/Planted.svelte', inScript(code))).toContain(
      'no-restricted-imports',
    );
    expect(await rulesAgainst('src-renderer/data/planted.svelte.ts', code)).toContain(
      'no-restricted-imports',
    );
  });

  test('the contract is allowed', async () => {
    const code = "import { callNames } from '../src-contract/call-names.ts';\n  callNames.at(0);";
    expect(await rulesAgainst('src-renderer/Planted.svelte', inScript(code))).toEqual([]);
  });
});

describe('a component may import only its own folder and those below', () => {
  test.each([
    ['kit', "import { settings } from '../data/settings.svelte.ts';"],
    ['kit', "import { call } from '../client.ts';"],
    ['kit', "import type { Filter } from '../views/find/find-query.ts';"],
    ['kit', "import { rank } from '../shell/rank.ts';"],
    ['kit', "import type { CallReply } from '../../src-contract/calls.ts';"],
    ['data', "import type { Filter } from '../views/find/find-query.ts';"],
    ['data', "import { rank } from '../shell/rank.ts';"],
    ['shell', "import type { Filter } from '../views/find/find-query.ts';"],
    ['views', "import { rank } from '../shell/rank.ts';"],
  ])('not in %s: %s', async (folder, code) => {
    for (const [file, text] of [
      [`src-renderer/${folder}/Planted.svelte`, inScript(code)],
      [`src-renderer/${folder}/planted.svelte.ts`, code],
    ] as const) {
      expect(await rulesAgainst(file, text), file).toContain('no-restricted-imports');
    }
  });

  test.each([
    ['kit', "import type { ErrorData } from '../../src-contract/errors.ts';"],
    ['data', "import type { Tone } from '../kit/feedback/tones.ts';"],
    ['shell', "import type { ViewName } from '../data/places/router.svelte.ts';"],
    ['views', "import type { ViewName } from '../data/places/router.svelte.ts';"],
  ])('but in %s: %s', async (folder, code) => {
    expect(await rulesAgainst(`src-renderer/${folder}/Planted.svelte`, inScript(code))).toEqual([]);
  });
});

describe('the page may not import a schema of the contract', () => {
  test.each([
    "import { planSchema } from '../../src-contract/plans/plan-schema.ts';",
    "import { type Plan, planSchema } from '../../src-contract/plans/plan-schema.ts';",
    "import { calls } from '../../src-contract/calls.ts';",
    "import { archiveReference } from '../../src-contract/calls/archive-calls.ts';",
    "import { z } from '../../src-contract/schema.ts';",
    "import '../../src-contract/schema.ts';",
    "import { z } from 'zod';",
    "import * as mini from 'zod/mini';",
    "import * as plans from '../../src-contract/plans/plan-schema.ts';",
    "export { planSchema } from '../../src-contract/plans/plan-schema.ts';",
    "export { calls } from '../../src-contract/calls.ts';",
    "export * from '../../src-contract/plans/plan-schema.ts';",
  ])('%s', async (code) => {
    for (const file of ['src-renderer/data/planted.ts', 'src-renderer/data/planted.svelte.ts']) {
      expect(await rulesAgainst(file, code), file).toContain('no-restricted-imports');
    }
    if (code.startsWith('export')) return;
    for (const file of ['src-renderer/Planted.svelte', 'src-renderer/views/Planted.svelte']) {
      expect(await rulesAgainst(file, inScript(code)), file).toContain('no-restricted-imports');
    }
  });

  test.each([
    "import { type Plan, retentionReasons } from '../../src-contract/plans/plan.ts';",
    "import type { CallReply } from '../../src-contract/calls.ts';",
    "import * as plans from '../../src-contract/plans/plan.ts';",
  ])('but %s', async (code) => {
    expect(await rulesAgainst('src-renderer/data/planted.ts', code)).toEqual([]);
    expect(await rulesAgainst('src-renderer/views/Planted.svelte', inScript(code))).toEqual([]);
  });

  test('and each schema is in a file whose name the rule matches', async () => {
    const folder = join(import.meta.dirname, '../../../src-contract');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.ts') && !/(^|-)schema\.ts$|^calls\.ts$|^calls\//.test(file));
    const hidden: string[] = [];
    for (const file of files) {
      const names = (await import(pathToFileURL(join(folder, file)).href)) as Record<string, unknown>;
      for (const [name, value] of Object.entries(names)) {
        if (value instanceof z.ZodType) hidden.push(`${name} of ${file}`);
      }
    }
    expect(files.length).toBeGreaterThan(20);
    expect(hidden).toEqual([]);
  });
});

describe('the window puts nothing into the page that its content security policy would block', () => {
  test.each([
    ['{@html name}', 'svelte/no-at-html-tags'],
    ['<p style="color: red">{name}</p>', 'no-restricted-syntax'],
  ])('%s', async (markup, rule) => {
    const component = `${inScript('const { name }: { name: string } = $props();')}${markup}\n`;
    expect(await rulesAgainst('src-renderer/Planted.svelte', component)).toContain(rule);
  });

  test.each([
    ['document.body.innerHTML = text;', 'no-restricted-properties'],
    ["document.body.insertAdjacentHTML('beforeend', text);", 'no-restricted-properties'],
    ['document.write(text);', 'no-restricted-properties'],
    ['eval(text);', 'no-eval'],
  ])('%s', async (code, rule) => {
    expect(await rulesAgainst('src-renderer/planted.ts', `const text = '';\n${code}`)).toContain(rule);
  });
});
