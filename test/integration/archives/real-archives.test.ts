import { beforeEach, describe, expect, it } from 'vitest';
import { importResultSchema } from '../../../src-contract/runs/job-schema.ts';
import type { Job } from '../../../src-contract/runs/job.ts';
import type { Sandbox } from '../../../src-main/services/sandbox/embedded-sandbox.ts';
import { realArchive, withoutRealArchives } from '../../support/archives/real-archives.ts';
import { backUp, importInto, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

/** The contents of each archive, counted without this product. Relations that are not named are empty or missing. */
const sound: Record<
  string,
  {
    relations: Record<string, number>;
    notes: Record<string, number>;
    branches: number;
    /** Settings that get another value, because the sandbox is newer. */
    settings?: string[];
  }
> = {
  'gitlab-15.10-minimal': {
    relations: {
      ci_cd_settings: 1,
      container_expiration_policy: 1,
      issues: 1,
      labels: 1,
      merge_requests: 1,
      metrics_setting: 1,
      milestones: 1,
      project_feature: 1,
      project_members: 1,
      protected_branches: 1,
      security_setting: 1,
    },
    notes: { issues: 1, merge_requests: 1 },
    branches: 2,
  },
  'gitlab-13.8-sample': {
    relations: {
      ci_cd_settings: 1,
      container_expiration_policy: 1,
      issues: 30,
      labels: 30,
      merge_requests: 30,
      metrics_setting: 1,
      milestones: 3,
      project_feature: 1,
      project_members: 1,
      protected_branches: 1,
    },
    notes: { issues: 387, merge_requests: 290 },
    branches: 31,
    settings: ['environments', 'feature_flags', 'infrastructure', 'monitor'].map(
      (feature) => `${feature}_access_level`,
    ),
  },
  lightweight: {
    relations: {
      ci_cd_settings: 1,
      issues: 1,
      labels: 1,
      merge_requests: 1,
      milestones: 1,
      project_feature: 1,
      project_members: 1,
      protected_branches: 1,
    },
    notes: { merge_requests: 2 },
    branches: 2,
  },
  'gitlab-17.11-appledouble': {
    relations: {
      ci_cd_settings: 1,
      container_expiration_policy: 1,
      project_feature: 1,
      project_members: 1,
      protected_branches: 1,
      security_setting: 1,
    },
    notes: {},
    branches: 1,
  },
};

/** The only archive whose wiki has pages. No archive has uploads. */
const withWiki = 'gitlab-15.10-minimal';

const without0 = (counts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

const resultOf = (job: Job) => importResultSchema.parse(job.result);

describe.skipIf(withoutRealArchives)('real archives', () => {
  let world: World;
  let target: Sandbox;
  beforeEach(async () => {
    world = await openWorld();
    target = await openTestSandbox({ seed: 2 });
    await register(world, 'target', target);
  });

  const inspect = (name: string) => world.client.call('archive.inspect', { archive: realArchive(name) });

  describe.each(Object.entries(sound))('%s', (name, expected) => {
    it('is sound and has the counted contents', async () => {
      const read = await inspect(name);
      expect(read).toMatchObject({ verdict: 'sound', layout: 'ndjson', version: '0.2.4', findings: [] });
      expect(without0(read.relations)).toEqual(expected.relations);
      expect(without0(read.notes)).toEqual(expected.notes);
      expect(read.bundles.find(({ member }) => member === 'project.bundle')?.branches).toBe(
        expected.branches,
      );
    });

    it('is imported without a failure, and the target has all of its records and notes, apart from members', async () => {
      const result = resultOf(await importInto(world, 'target', realArchive(name)));
      expect(result.failures).toEqual([]);
      const { settings = [] } = expected;
      expect(result.reconciliation.settings.map(({ attribute }) => attribute)).toEqual(settings);
      expect(result.reconciliation.reconciled).toBe(settings.length === 0);
      const state = await target.state.project(result.fullPath);
      expect(state.importStatus).toBe('finished');
      const counts = Object.entries(state.relationBytes).map(([relation, bytes]): [string, number] => [
        relation,
        state.relations[relation]?.length ?? (bytes.toString() === 'null' ? 0 : 1),
      ]);
      const { project_members: _, ...restored } = expected.relations;
      expect(without0(Object.fromEntries(counts))).toEqual(restored);
      expect(without0(state.notes)).toEqual(expected.notes);
    });

    it('survives a complete round: it is seeded, backed up, verified, imported elsewhere and reconciled', async () => {
      const source = await openTestSandbox({ seedArchives: [realArchive(name)], seed: 3 });
      await register(world, 'source', source);
      const [job] = await backUp(world, 'source', 'all');
      expect(job?.state).toEqual({ status: 'succeeded', warnings: [] });
      const { archives } = await world.client.call(
        'archive.list',
        archiveFilter({ instance: 'source', limit: 10 }),
      );
      expect(archives).toHaveLength(1);
      const [archive] = archives;
      if (archive === undefined) throw new Error('nothing stored');
      expect(archive.fullPath.split('/').at(-1)).toBe(name);
      const verified = await world.client.call('archive.verify', { archive: archive.path, level: 'L2' });
      expect(verified).toMatchObject({ proof: { level: 'L2' }, damaged: null });

      const result = resultOf(await importInto(world, 'target', archive.path));
      expect(result.failures).toEqual([]);
      expect(result.reconciliation.reconciled).toBe(true);
      const { rows } = result.reconciliation;
      const isUncounted = ({ relation }: { relation: string }) =>
        relation === 'uploads' || relation === 'wiki';
      // No backup counts these at the source, and an import alone does not request them.
      expect(rows.filter(isUncounted)).toEqual([
        { relation: 'uploads', source: null, archive: 0, target: 0, verdict: 'equal' },
        ...(name === withWiki
          ? [{ relation: 'wiki', source: null, archive: 1, target: 1, verdict: 'equal' }]
          : []),
      ]);
      const counted = rows.filter((row) => !isUncounted(row));
      expect(counted).not.toEqual([]);
      expect(
        counted.filter(({ source, archive, target: arrived }) => source !== archive || archive !== arrived),
      ).toEqual([]);
      const shown = await world.client.call('archive.show', { archive: archive.path });
      expect(shown.state.proofs.map((proof) => proof.level)).not.toContain('L3');
    });
  });

  it('nested-diffnote: the import lists no failure, and the comparison finds the lost note', async () => {
    const read = await inspect('nested-diffnote');
    const bundleOf = async (name: string) => (await inspect(name)).bundles;
    expect(read.verdict).toBe('sound');
    expect(read.bundles).toEqual(await bundleOf('lightweight'));

    const result = resultOf(await importInto(world, 'target', realArchive('nested-diffnote')));
    expect(result.failures).toEqual([]);
    expect(result.reconciliation.reconciled).toBe(false);
    const lost = result.reconciliation.rows.filter((row) => row.verdict.startsWith('lost'));
    expect(lost).toEqual([
      { relation: 'merge_request_notes', source: null, archive: 2, target: 1, verdict: 'lost-on-import' },
    ]);
  });

  it('invalid-milestone: the import reports exactly one failure, with its record', async () => {
    const read = await inspect('invalid-milestone');
    expect(read).toMatchObject({ verdict: 'sound', relations: { milestones: 2 } });

    const job = await importInto(world, 'target', realArchive('invalid-milestone'));
    const result = resultOf(job);
    expect(result.failures).toHaveLength(1);
    const [failed] = result.failures;
    expect(failed).toMatchObject({
      failure: { relation: 'milestones', line: 0, exceptionMessage: null },
      record: { relation: 'milestones', line: 0, value: { title: null, created_at: 'NOT A DATE' } },
    });
    const state = await target.state.project(result.fullPath);
    expect(state.relations['milestones']?.map((record) => record['title'])).toEqual(['A valid milestone']);
    expect(job.state).toMatchObject({ status: 'succeeded' });
  });

  it('gitlab-11-legacy: the archive is read with counts per key, and refused before the upload', async () => {
    const read = await inspect('gitlab-11-legacy');
    expect(read).toMatchObject({ layout: 'legacy', verdict: 'sound' });
    expect(without0(read.relations)).toEqual({
      issues: 10,
      merge_requests: 9,
      milestones: 5,
      project_feature: 1,
      project_members: 1,
    });
    await expect(importInto(world, 'target', realArchive('gitlab-11-legacy'))).rejects.toMatchObject({
      code: 'layout-refused',
    });
    expect(target.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('gitlab-11-legacy: a source seeded with the archive backs it up in the newer layout, and its import is reconciled', async () => {
    const source = await openTestSandbox({ seedArchives: [realArchive('gitlab-11-legacy')], seed: 3 });
    await register(world, 'source', source);
    const [job] = await backUp(world, 'source', 'all');
    expect(job?.state.status).toBe('succeeded');
    const { archives } = await world.client.call(
      'archive.list',
      archiveFilter({ instance: 'source', limit: 10 }),
    );
    const path = archives[0]?.path ?? '';
    expect(await world.client.call('archive.inspect', { archive: path })).toMatchObject({ layout: 'ndjson' });
    const result = resultOf(await importInto(world, 'target', path));
    expect(result.reconciliation.reconciled).toBe(true);
    const counted = Object.fromEntries(result.reconciliation.rows.map((row) => [row.relation, row.archive]));
    expect(counted).toMatchObject({ issues: 10, merge_requests: 9, milestones: 5, branches: 27, tags: 2 });
  });

  it('symlink: the archive is suspicious for its link and missing VERSION, is imported only on request, and is then refused for its layout', async () => {
    const read = await inspect('symlink');
    expect(read.verdict).toBe('suspicious');
    expect(read.findings.map((finding) => finding.code)).toEqual(
      expect.arrayContaining(['link', 'version-missing']),
    );
    await expect(importInto(world, 'target', realArchive('symlink'))).rejects.toMatchObject({
      code: 'archive-unsafe',
    });
    expect(target.requests.filter(({ method }) => method === 'POST')).toEqual([]);

    await expect(
      importInto(world, 'target', realArchive('symlink'), { allowSuspicious: true }),
    ).rejects.toMatchObject({ code: 'layout-refused' });
    expect(target.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});
