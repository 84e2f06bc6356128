/** @file The command line at a real terminal: its questions to the user, and the effect of the answers. */
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { Cli, tokenOption } from '../../support/processes/cli.ts';
import { projectUrl, SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { runAtTerminal, withoutTerminal } from '../../support/processes/terminal.ts';

const project = 'atlas/compass';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ clock: systemClock, projectCount: 1 });
});
afterAll(() => sandbox.close());

test.skipIf(withoutTerminal)(
  'a project is deleted only after its full path is typed, and any other answer deletes nothing',
  async () => {
    const cli = new Cli();
    await cli.add('gl', sandbox);
    const { env } = tokenOption('gl', sandbox.tokens.administrator);
    const calls = new SandboxCalls(sandbox, sandbox.tokens.administrator);
    const { id } = (await calls.get(projectUrl(project))) as { id: number };
    const marked = async (): Promise<unknown> =>
      ((await calls.get(`/projects/${id}`)) as Record<string, unknown>)['marked_for_deletion_on'];
    const deleting = ['project', 'delete', project, '--instance', 'gl'];

    for (const answer of ['y', 'compass', '']) {
      const no = runAtTerminal(cli, deleting, env);
      await no.waitFor(/This destroys:[^]*the project atlas\/compass with all that is in it[^]*issues: \d+/);
      await no.waitFor(/Type atlas\/compass to continue: /);
      no.type(answer);
      expect(await no.ended, answer).toBe(1);
      expect(no.output()).toContain('Nothing was changed.');
    }
    expect(await marked()).toBeNull();

    const yes = runAtTerminal(cli, deleting, env);
    await yes.waitFor(/does not report whether the project can be restored/);
    await yes.waitFor(/to continue: /);
    yes.type(project);
    expect(await yes.ended).toBe(0);
    expect(yes.output()).toMatch(/Marked .* for deletion/);
    expect(await marked()).toMatch(/^\d{4}-\d\d-\d\d$/);
  },
);

test.skipIf(withoutTerminal)('a token is typed without being shown, and works', async () => {
  const cli = new Cli();
  await cli.add('gl', sandbox);
  const token = sandbox.tokens.maintainer;
  const checking = runAtTerminal(cli, ['instance', 'check', 'gl', '--token-stdin']);
  await checking.waitFor(/Token: /);
  checking.type(token);
  expect(await checking.ended).toBe(0);
  expect(checking.output()).toContain('maintainer');
  expect(checking.output()).not.toContain(token);
});

test.skipIf(withoutTerminal)(
  'tables fit the width of the terminal, and are printed in full without a terminal',
  async () => {
    const cli = new Cli();
    const untouched = await startSandbox({ clock: systemClock, projectCount: 1 });
    onTestFinished(() => untouched.close());
    await cli.add('gl', untouched);
    const { env } = tokenOption('gl', untouched.tokens.maintainer);
    const findProjects = ['project', 'find', '--instance', 'gl'];
    const tableOf = (shown: string): string[] =>
      stripVTControlCharacters(shown)
        .split(/\r?\n/)
        // The progress line is redrawn in place.
        .map((line) => line.slice(line.lastIndexOf('\r') + 1))
        .filter((line) => line !== '');
    const at = async (columns: number): Promise<string[]> => {
      const shown = runAtTerminal(cli, findProjects, env, columns);
      expect(await shown.ended).toBe(0);
      return tableOf(shown.output());
    };
    const piped = tableOf((await cli.run(findProjects, { env })).stdout);
    const [head = '', row = ''] = piped;
    expect(row).toContain(project);
    expect(head.length).toBeGreaterThan(60);

    expect(await at(200)).toEqual(piped);
    const narrow = await at(60);
    expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(narrow.join('\n')).toContain(project);
    expect(await at(40)).toContainEqual(expect.stringMatching(/^PROJECT +atlas\/compass$/));
  },
);
