/** @file Keeps `docs/coverage.md` true to the code, and lets what is owed only shrink. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';
import { asksGitlab } from '../../../src-main/hosts/cli/asks-gitlab.ts';
import { operations, type OperationId } from '../../../src-preload/contract/operations/operations.ts';
import {
  columns,
  commandsOf,
  coverageOf,
  coveragePage,
  type Column,
  type Coverage,
} from '../../support/coverage.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Cells that are still empty. One that is filled is taken out here; none may be added. */
const owed: Partial<Record<OperationId, readonly Column[]>> = {
  'list-projects': ['test', 'client', 'command', 'view'],
  'list-user-projects': ['test', 'client', 'command', 'view'],
  'list-contributed-projects': ['test', 'client', 'command', 'view'],
  'list-starred-projects': ['test', 'client', 'command', 'view'],
  'list-forks': ['test', 'client', 'command', 'view'],
  'get-project': ['test', 'client', 'command', 'view'],
  'list-project-users': ['test', 'client', 'command', 'view'],
  'list-project-groups': ['test', 'client', 'command', 'view'],
  'list-share-locations': ['test', 'client', 'command', 'view'],
  'list-starrers': ['test', 'client', 'command', 'view'],
  'get-languages': ['test', 'client', 'command', 'view'],
  'create-project': ['test', 'client', 'command', 'view'],
  'create-project-for-user': ['test', 'client', 'command', 'view'],
  'edit-project': ['test', 'client', 'command', 'view'],
  'fork-project': ['test', 'client', 'command', 'view'],
  'star-project': ['test', 'client', 'command', 'view'],
  'unstar-project': ['test', 'client', 'command', 'view'],
  'archive-project': ['test', 'client', 'command', 'view'],
  'unarchive-project': ['test', 'client', 'command', 'view'],
  'delete-project': ['test', 'client', 'command', 'view'],
  'restore-project': ['test', 'client', 'command', 'view'],
  'upload-file': ['test', 'client', 'command', 'view'],
  'list-uploads': ['test', 'client', 'command', 'view'],
  'download-upload': ['test', 'client', 'command', 'view'],
  'start-export': ['test', 'client', 'command', 'view'],
  'get-export-status': ['test', 'client', 'command', 'view'],
  'download-export': ['test', 'client', 'command', 'view'],
  'import-file': ['test', 'client', 'command', 'view'],
  'import-remote-file': ['test', 'client', 'command', 'view'],
  'import-relation': ['test', 'client', 'command', 'view'],
  'list-relation-imports': ['test', 'client', 'command', 'view'],
  'import-from-s3': ['test', 'client', 'command', 'view'],
  'get-import-status': ['test', 'client', 'command', 'view'],
  'list-tokens': ['test', 'client', 'command', 'view'],
  'get-token': ['test', 'client', 'command', 'view'],
  'get-own-token': ['test', 'client', 'command', 'view'],
  'rotate-token': ['test', 'client', 'command', 'view'],
  'rotate-own-token': ['test', 'client', 'command', 'view'],
  'revoke-token': ['test', 'client', 'command', 'view'],
  'revoke-own-token': ['test', 'client', 'command', 'view'],
};

describe('the coverage of the operations', () => {
  const root = resolve(import.meta.dirname, '../../..');
  let coverage: Coverage;
  beforeAll(async () => {
    coverage = coverageOf(root, await commandsOf(root));
  });

  test('is told by docs/coverage.md', async () => {
    await expect(await coveragePage(coverage)).toMatchFileSnapshot(join(root, 'docs/coverage.md'));
  });

  test('has no empty cell but those that are owed', () => {
    const empty = operations.flatMap(({ id }) => {
      const cells = columns.filter((column) => coverage[id][column].length === 0);
      return cells.length === 0 ? [] : [[id, cells]];
    });
    expect(Object.fromEntries(empty)).toEqual(owed);
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
  ])('by the title of a conformance test: %s is one: %s', (text, covers) => {
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
    expect(found({ 'src-main/instance/forks.ts': text })['fork-project'].client).toEqual(names);
  });

  test('by the help of a command', () => {
    const program = new Command('packhorse');
    const project = program.command('project');
    asksGitlab(project.command('fork'), 'fork-project', 'list-uploads').description('copy a project');
    project.command('star');
    const coverage = found({}, program);
    expect(coverage['fork-project'].command).toEqual(['project fork']);
    expect(coverage['list-uploads'].command).toEqual(['project fork']);
    expect(coverage['star-project'].command).toEqual([]);
  });

  test.each([
    ['<script lang="ts">\n  /** Asks for a fork: `POST /projects/:id/fork`. */\n</script>', true],
    ['<p>`POST /projects/:id/fork`</p>', false],
  ])('by the comment of a file of the window: %s is one: %s', (text, covers) => {
    expect(found({ 'src-renderer/views/projects/ForkDialog.svelte': text })['fork-project'].view).toEqual(
      covers ? ['views/projects/ForkDialog.svelte'] : [],
    );
  });
});

test('the help of a command tells what it asks of GitLab, and what that needs', () => {
  let help = '';
  const command = new Command('fork').configureOutput({ writeOut: (text) => (help += text) });
  asksGitlab(command, 'fork-project', 'list-uploads', 'restore-project').outputHelp();
  expect(help).toContain(
    [
      'Asks GitLab:',
      '  POST /projects/:id/fork     for all who see the project',
      '  GET /projects/:id/uploads   from the role Maintainer, since GitLab 17.2',
      '  POST /projects/:id/restore  from the role Owner, higher tiers',
    ].join('\n'),
  );
});
