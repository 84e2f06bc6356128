/** @file Keeps `docs/coverage.md` consistent with the code. The list of empty cells may only shrink. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';
import { addOperationsHelp } from '../../../src-main/hosts/cli/instances/operations-help.ts';
import { operations, type OperationId } from '../../../src-contract/operations.ts';
import {
  columns,
  commandsOf,
  coverageOf,
  coveragePage,
  type Column,
  type Coverage,
} from '../../support/coverage.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Cells that are still empty. A cell that is filled is removed here; none may be added. */
const knownEmpty: Partial<Record<OperationId, readonly Column[]>> = {};

describe('the coverage of the operations', () => {
  const root = resolve(import.meta.dirname, '../../..');
  let coverage: Coverage;
  beforeAll(async () => {
    coverage = coverageOf(root, await commandsOf(root));
  });

  test('is documented in docs/coverage.md', async () => {
    await expect(await coveragePage(coverage)).toMatchFileSnapshot(join(root, 'docs/coverage.md'));
  });

  test('has no empty cell except the known ones', () => {
    const empty = operations.flatMap(({ id }) => {
      const cells = columns.filter((column) => coverage[id][column].length === 0);
      return cells.length === 0 ? [] : [[id, cells]];
    });
    expect(Object.fromEntries(empty)).toEqual(knownEmpty);
  });
});

describe('an operation is covered', () => {
  const found = (files: Record<string, string>, program = new Command()): Coverage => {
    const folder = temporaryFolder();
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return coverageOf(folder, program);
  };
  const test1 = 'test/integration/conformance/forks.test.ts';

  test.each([
    ["test('fork-project answers 201', () => {});", true],
    ["describe('fork-project', () => { test('answers 201', () => {}); });", true],
    ["test.each([[1, '(']])('fork-project: %s', () => {});", true],
    ['test(`fork-project ${1}`, () => {});', true],
    ["test.skip('fork-project answers 201', () => {});", false],
    ["test('fork-project-later', () => {});", false],
    ["test('a fork-project', () => {});", false],
    ["operation('fork-project');", false],
    ["// test('fork-project', () => {});", false],
  ])('by the title of a conformance test: %s counts: %s', (text, covers) => {
    expect(found({ [test1]: text })['fork-project'].test).toEqual(covers ? ['forks.test.ts'] : []);
  });

  test.each([
    ['/** Forks: `POST /projects/:id/fork`. */\nexport async function forkProject() {}', ['forkProject']],
    ['/** Forks: `POST /projects/:id/fork`. */\nexport const forkProject = () => 1;', ['forkProject']],
    ['/** Forks: `POST /projects/:id/fork`. */\nfunction forkProject() {}', []],
    ['/** Forks: `POST /projects/:id/forks`. */\nexport function forkProject() {}', []],
    ['/** Forks: POST /projects/:id/fork. */\nexport function forkProject() {}', []],
    ['/** `POST /projects/:id/fork` */\n\n/** Other. */\nexport function forkProject() {}', []],
  ])('by the comment of an exported function of the client: %s gives %j', (text, names) => {
    expect(found({ 'src-main/gitlab/projects/forks.ts': text })['fork-project'].client).toEqual(names);
  });

  test('by the help of a command', () => {
    const program = new Command('packhorse');
    const project = program.command('project');
    addOperationsHelp(project.command('fork'), 'fork-project', 'list-uploads').description('copy a project');
    project.command('star');
    const coverage = found({}, program);
    expect(coverage['fork-project'].command).toEqual(['project fork']);
    expect(coverage['list-uploads'].command).toEqual(['project fork']);
    expect(coverage['star-project'].command).toEqual([]);
  });

  test.each([
    ['<script lang="ts">\n  /** Asks for a fork: `POST /projects/:id/fork`. */\n</script>', true],
    ['<p>`POST /projects/:id/fork`</p>', false],
  ])('by a comment in a file of the window: %s counts: %s', (text, covers) => {
    expect(found({ 'src-renderer/views/projects/ForkDialog.svelte': text })['fork-project'].view).toEqual(
      covers ? ['views/projects/ForkDialog.svelte'] : [],
    );
  });
});

test('the help of a command lists its requests to GitLab and their requirements', () => {
  let help = '';
  const command = new Command('fork').configureOutput({ writeOut: (text) => (help += text) });
  addOperationsHelp(command, 'fork-project', 'list-uploads', 'restore-project').outputHelp();
  expect(help).toContain(
    [
      'GitLab requests:',
      '  POST /projects/:id/fork     for everyone who can see the project',
      '  GET /projects/:id/uploads   at least the role Maintainer, since GitLab 17.2',
      '  POST /projects/:id/restore  at least the role Owner, Premium or Ultimate only',
    ].join('\n'),
  );
});
