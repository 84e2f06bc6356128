/** @file Imports on the command line that are refused before the upload or by the target, and the requests sent until then. */
import { countedRelations } from '../../../src-contract/relations.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { archive, exportMembers, exportWith, member } from '../../support/archives/archive-builder.ts';
import { manifestFields } from '../../support/archives/archive-root.ts';
import { Cli, tokenOption } from '../../support/processes/cli.ts';
import { inspectFile } from '../../../src-main/archive/inspect.ts';
import { type Manifest, type ProjectCounts } from '../../../src-contract/archives/archive.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { openTestSandbox } from '../../support/world.ts';

let cli: Cli;
let sandbox: Sandbox;

async function target(options: Parameters<typeof openTestSandbox>[0] = {}): Promise<void> {
  sandbox = await openTestSandbox(options);
  await cli.add('gl', sandbox);
}

beforeEach(() => {
  cli = new Cli();
});

/** Writes an archive into the folder in which the commands run. */
function file(name: string, bytes: Uint8Array = exportWith()): string {
  writeFileSync(join(cli.folder, name), bytes);
  return name;
}

const importing = (archiveName: string, ...more: string[]): string[] => [
  ...['import', 'file', archiveName, '--instance', 'gl', '--namespace', 'atlas', ...more],
];
const as = (name: keyof Sandbox['tokens']) => tokenOption('gl', sandbox.tokens[name]);
/** Creates a manifest for a file whose source had three milestones. */
async function manifestOf(path: string): Promise<Manifest> {
  const inspection = await inspectFile(path, {});
  const { sha256, sizeBytes } = inspection;
  const none = Object.fromEntries(countedRelations.map((relation) => [relation, null])) as ProjectCounts;
  const counted = {
    at: '2026-11-20T12:00:00.000Z',
    counts: { ...none, milestones: 3 },
    lastActivityAt: null,
  };
  const sourceCounts = { before: counted, after: counted };
  const storedAt = '2026-11-20T12:00:00.000Z';
  return {
    ...{ schemaVersion: 1, file: basename(path), sizeBytes, sha256, storedAt },
    ...{ ...manifestFields, inspection, sourceCounts },
  };
}

const uploads = (): number =>
  sandbox.requests.filter(({ method, path }) => method === 'POST' && path.includes('/projects/import'))
    .length;

describe('an archive', () => {
  test('that is missing, or named too briefly or ambiguously, is not guessed', async () => {
    await target();
    const missing = { code: 'archive-missing', exit: 2, todo: /archive list/ };
    await cli.fails(importing('nothing.tar.gz'), missing, as('maintainer'));
    await cli.fails(importing('0123456789abcdef'), missing, as('maintainer'));
    const { what } = await cli.fails(importing('0123456'), missing, as('maintainer'));
    expect(what).toContain('at least 8 digits');
    for (const digit of ['a', 'b']) {
      const path = join(cli.dataDir, 'archives', 'gl', `${digit}_export.tar.gz`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, exportWith());
      const sha256 = `01234567${digit.repeat(56)}`;
      writeFileSync(`${path}.manifest.json`, JSON.stringify({ ...(await manifestOf(path)), sha256 }));
    }
    await cli.run(['archive', 'rescan']);
    const ambiguous = { code: 'archive-ambiguous', exit: 2, todo: /more digits/ };
    await cli.fails(importing('01234567'), ambiguous, as('maintainer'));
    await cli.fails(
      importing('.'),
      { code: 'archive-unsafe', exit: 1, todo: /the archive file itself/ },
      as('maintainer'),
    );
    expect(sandbox.requests).toEqual([]);
  });

  test.each([
    ['is an empty file', new Uint8Array(0)],
    ['is a web page', Buffer.from('<!doctype html><title>Sign in</title>')],
    ['is truncated', exportWith().subarray(0, 300)],
  ])('that %s is refused before any request', async (_what, bytes) => {
    await target();
    const name = file('x_export.tar.gz', bytes);
    await cli.fails(
      importing(name),
      { code: 'archive-corrupt', exit: 1, todo: /^(?!.*trash).*new backup/ },
      as('maintainer'),
    );
    expect(sandbox.requests).toEqual([]);
    expect((await cli.json(['job', 'list'])).document).toEqual({ jobs: [], next: null });
  });

  test('that is suspicious is uploaded only after an explicit option, and the refusal of GitLab is shown', async () => {
    await target();
    const link = member({ name: './uploads/passwords', type: '2', linkName: '/etc/passwd' });
    const bytes = exportWith({ './uploads/passwords': link, './VERSION': null });
    const name = file('linked_export.tar.gz', bytes);
    const expected = { code: 'archive-unsafe', exit: 1, todo: /--allow-suspicious/ };
    const { what } = await cli.fails(importing(name), expected, as('maintainer'));
    expect(what).toMatch(/link/);
    expect(uploads()).toBe(0);

    const refused = await cli.fails(
      importing(name, '--allow-suspicious', '--path', 'linked'),
      { code: 'import-failed', exit: 1, todo: /delete it/ },
      as('maintainer'),
    );
    expect(refused.what).toMatch(/The server said: .+/);
    expect(refused.details).toMatchObject({ project: 'atlas/linked' });
    expect(uploads()).toBe(1);
  });

  test('of the legacy layout is refused before the upload', async () => {
    await target();
    const legacy = archive(
      ...[...exportMembers()].filter(([name]) => !name.startsWith('./tree')).map(([, bytes]) => bytes),
      member({ name: './project.json', content: '{"issues":[]}' }),
    );
    const name = file('old_export.tar.gz', legacy);
    const expected = { code: 'layout-refused', exit: 1, todo: /15\.10 or older/ };
    const { what } = await cli.fails(importing(name, '--path', 'old'), expected, as('maintainer'));
    expect(what).toMatch(/one document.*18\.5/);
    expect(uploads()).toBe(0);
    expect((await cli.json(['job', 'list'])).document).toEqual({ jobs: [], next: null });
    expect(sandbox.state.paths).toEqual([]);
  });
});

describe('a target', () => {
  test('without the namespace is refused before the upload', async () => {
    await target();
    const name = file('one_export.tar.gz');
    const expected = { code: 'namespace-missing', exit: 2, todo: /--namespace/ };
    const args = ['import', 'file', name, '--instance', 'gl', '--namespace', 'nowhere'];
    const { what } = await cli.fails(args, expected, as('maintainer'));
    expect(what).toContain('"nowhere"');
    expect(uploads()).toBe(0);
  });

  test('whose path is taken, in upper or lower case, is refused before the upload', async () => {
    await target({ projectCount: 1 });
    const name = file('compass_export.tar.gz');
    const expected = { code: 'path-taken', exit: 1, todo: /--path.*--overwrite/ };
    await cli.fails(importing(name), expected, as('maintainer'));
    await cli.fails(importing(name, '--path', 'Compass'), expected, as('maintainer'));
    expect(uploads()).toBe(0);
    expect(sandbox.state.paths).toEqual(['atlas/compass']);
  });

  test('path that GitLab would reject, or an override without a value, is wrong usage', async () => {
    await target();
    const expected = { code: 'invalid-input', exit: 2, todo: /Correct/ };
    await cli.fails(importing(file('one_export.tar.gz'), '--path', 'a/b'), expected, as('maintainer'));
    await cli.fails(importing('one_export.tar.gz', '--override', 'visibility'), expected, as('maintainer'));
  });

  test('with disabled imports, a size limit or a read-only token is refused with its own error', async () => {
    await target({ maxImportSize: 500 });
    const name = file('one_export.tar.gz');
    await cli.fails(
      importing(name),
      { code: 'upload-too-large', exit: 1, todo: /maximum import size/ },
      as('maintainer'),
    );
    await cli.fails(importing(name), { code: 'token-scope', exit: 4, todo: /"api"/ }, as('readOnly'));
    sandbox.faults.add({
      match: { method: 'POST', path: '/projects/import' },
      action: { kind: 'respond', status: 403, body: { message: '403 Forbidden' } },
    });
    await cli.fails(
      importing(name),
      { code: 'import-disabled', exit: 4, todo: /administrator/ },
      as('maintainer'),
    );
    expect(sandbox.state.paths).toEqual([]);
  });
});

test('the imported project is compared with the archive, and a refused record is shown from the archive with exit code 3', async () => {
  await target();
  const milestones = '{"title":null,"iid":1}\n{"title":"Second","iid":2}\n';
  const broken = member({ name: './tree/project/milestones.ndjson', content: milestones });
  const name = file('half_export.tar.gz', exportWith({ './tree/project/milestones.ndjson': broken }));
  const { code, stdout } = await cli.run(importing(name), as('maintainer'));
  expect(code).toBe(3);
  expect(stdout).toContain('Imported as atlas/half');
  expect(stdout).toMatch(/milestones +– +2 +1 +lost-on-import/);
  expect(stdout).toMatch(
    /1 failed relation:\nmilestones:0 .*\n +milestones, line 0 \(line 1 in an editor\)\n +title +null/,
  );

  // The manifest beside the file, as in another user's store, has the counts of the source.
  const path = join(cli.folder, name);
  writeFileSync(`${path}.manifest.json`, JSON.stringify(await manifestOf(path)));
  const known = await cli.run(importing(name, '--path', 'known'), as('maintainer'));
  expect(known.stdout).toMatch(/milestones +3 +2 +1 +lost/);
  // The manifest of another file is ignored.
  const other = { ...(await manifestOf(path)), sha256: '0'.repeat(64) };
  writeFileSync(`${path}.manifest.json`, JSON.stringify(other));
  const status = await cli.json(
    ['import', 'status', 'atlas/known', '--instance', 'gl', '--archive', name],
    as('maintainer'),
  );
  const rows = expect.arrayContaining([
    { relation: 'milestones', source: null, archive: 2, target: 1, verdict: 'lost-on-import' },
  ]) as unknown;
  expect(status.document).toMatchObject({ reconciliation: { rows } });
});

test('a setting that the target has with another value is named, unless the import was to replace it', async () => {
  await target();
  const path = './tree/project/project_feature.ndjson';
  // Newer versions of GitLab replaced this level by four others, which an import of older archives does not set.
  const features = `${JSON.stringify({ operations_access_level: 0 })}\n`;
  const name = file('old_export.tar.gz', exportWith({ [path]: member({ name: path, content: features }) }));
  const lost = 'the setting monitor_access_level: [-disabled-]{+enabled+} (lost on import)';
  const imported = await cli.run(importing(name), as('maintainer'));
  expect(imported.code).toBe(3);
  expect(imported.stdout).toContain('Not everything arrived unchanged: see below.');
  expect(imported.stdout).toContain(lost);

  const overriding = ['--path', 'other', '--override', 'monitor_access_level=enabled'];
  const other = await cli.run(importing(name, ...overriding), as('maintainer'));
  expect(other.stdout).not.toContain('monitor_access_level:');
  expect(other.stdout).toContain('the setting environments_access_level: [-disabled-]{+enabled+}');
  const numbersOnly = ['--path', 'counted', '--compare', 'counts'];
  expect((await cli.run(importing(name, ...numbersOnly), as('maintainer'))).stdout).toContain(lost);

  const status = ['import', 'status', 'atlas/other', '--instance', 'gl', '--archive', name];
  const { code, document } = await cli.json(status, as('maintainer'));
  expect(code).toBe(3);
  expect(JSON.stringify(document)).not.toContain('monitor_access_level');
  const settings = expect.arrayContaining([
    {
      ...{ attribute: 'environments_access_level', expected: 'disabled', found: 'enabled' },
      lost: 'on-import',
    },
  ]) as unknown;
  expect(document).toMatchObject({ reconciliation: { settings } });
});
