/** @file GitLab changes some records while it imports them. These changes are no losses. */
import { expect, it, onTestFinished } from 'vitest';
import {
  openMigrationScene,
  storedReconciliations,
  type MigrationScene,
} from '../../support/migrations/migration-scene.ts';
import { SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const path = 'atlas/tools/ferry';
const developersMayPush = {
  name: 'release',
  push_access_levels: [{ access_level: 30 }],
  merge_access_levels: [{ access_level: 30 }],
};
const at = '2024-01-02T03:04:05.678Z';
const nightly = {
  description: 'Nightly',
  cron: '0 1 * * *',
  cron_timezone: 'UTC',
  ref: 'main',
  active: true,
};
const running = { iid: 900, ref: 'main', sha: 'a'.repeat(40), status: 'running', source: 'push' };

type Importer = MigrationScene['importer'];

/** Opens a source with the project and an empty target, for an import by that account. */
async function opened(importer: Importer): Promise<MigrationScene> {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 2 }, importer });
  onTestFinished(() => scene.close());
  return scene;
}

/** Migrates the project into `group`, and returns its place and its comparison. */
async function migrated(scene: MigrationScene, group = groupFor(scene.importer)) {
  const rules = [{ from: 'atlas/tools', to: group }];
  const { id } = await scene.migration([path], { rules });
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const targetPath = `${group}/ferry`;
  const { missing, declared, rows, settings } = storedReconciliations(scene.dataDir).get(path) ?? notCompared;
  // An import by a Maintainer brings no members.
  const lost = missing.filter(({ relation }) => relation !== 'project_members');
  return { project: await scene.target.state.project(targetPath), lost, declared, rows, settings };
}
const notCompared = { missing: [], declared: ['not compared'], rows: [], settings: [] };
const groupFor = (importer: Importer): string => (importer === 'maintainer' ? 'atlas' : 'atlas/tools');

it.each([
  { importer: 'administrator', rewritesNotes: false, levels: [30, 30], raised: 0 },
  { importer: 'maintainer', rewritesNotes: true, levels: [40, 40], raised: 1 },
] as const)(
  'records that an import by the $importer changes are reported neither as lost nor as changed',
  async ({ importer, rewritesNotes, levels, raised }) => {
    const scene = await opened(importer);
    scene.source.state.append(path, 'protected_branches', developersMayPush);
    scene.source.state.append(path, 'ci_pipelines', { ...running, created_at: at, updated_at: at });
    scene.source.state.append(path, 'pipeline_schedules', { ...nightly, created_at: at, updated_at: at });
    const longAgo = Date.now() - 86_400_000;
    scene.source.state.change(path, { lastActivityAt: longAgo, updatedAt: longAgo });
    const { project, lost, declared } = await migrated(scene);

    const { relations } = project;
    const notes = (relations['issues'] ?? []).flatMap(({ notes: all }) => all as { note: string }[]);
    // Only an administrator's import maps the user `Administrator`.
    expect(notes.some(({ note }) => /\n\n \*By Administrator on 20.+\*$/.test(note))).toBe(rewritesNotes);
    expect(relations['ci_pipelines']?.at(-1)).toMatchObject({ iid: 900, status: 'canceled' });
    expect(relations['pipeline_schedules']?.at(-1)).toMatchObject({ cron: nightly.cron, active: false });
    const release = relations['protected_branches']?.find(({ name }) => name === 'release');
    expect(release).toMatchObject({
      push_access_levels: [{ access_level: levels[0] }],
      merge_access_levels: [{ access_level: levels[1] }],
    });

    expect(lost).toEqual([]);
    expect(declared.filter((sentence) => /raised access levels .*: release/.test(sentence))).toHaveLength(
      raised,
    );
  },
);

it.each(['administrator', 'maintainer'] as const)(
  'a label and a milestone of the target’s group, which an import by the %s uses instead of the archived ones, are no losses',
  async (importer) => {
    const scene = await opened(importer);
    const { title } = (await scene.source.state.project(path)).relations['milestones']?.[0] ?? {};
    // The group above the project’s group has them.
    scene.target.state.addGroupMilestone('atlas', String(title));
    scene.source.state.append(path, 'labels', {
      title: 'group::shared',
      color: '#000000',
      type: 'ProjectLabel',
    });
    const { project, lost, rows } = await migrated(scene);

    const { relations } = project;
    const titles = [...(relations['milestones'] ?? []), ...(relations['labels'] ?? [])].map(
      (one) => one['title'],
    );
    expect(titles).not.toContain(title);
    expect(titles).not.toContain('group::shared');
    expect(lost).toEqual([]);
    for (const relation of ['labels', 'milestones'])
      expect(rows.find((row) => row.relation === relation)).toMatchObject({ verdict: 'equal' });
  },
);

/** Only an administrator may read which visibilities the instance restricts. */
it.each([
  {
    importer: 'administrator',
    limit: { group: 'atlas', to: 'internal' },
    becomes: 'internal',
    isKnown: true,
  },
  { importer: 'maintainer', limit: { group: 'atlas', to: 'internal' }, becomes: 'internal', isKnown: true },
  { importer: 'administrator', limit: { restricted: 'public' }, becomes: 'private', isKnown: true },
  { importer: 'maintainer', limit: { restricted: 'public' }, becomes: 'private', isKnown: false },
] as const)(
  'the visibility that an import by the $importer lowers to $becomes is no difference if the limit is known',
  async ({ importer, limit, becomes, isKnown }) => {
    const scene = await opened(importer);
    scene.target.state.limitVisibility(limit);
    const calls = new SandboxCalls(scene.source, scene.source.tokens.administrator);
    await calls.call(`/projects/${encodeURIComponent(path)}`, 'PUT', { visibility: 'public' });
    const { project, settings, declared } = await migrated(scene, 'atlas');

    expect(project.visibility).toBe(becomes);
    const lowered = `The import lowered the visibility, because the group or the instance of the target allows no more: visibility is ${becomes} and was public.`;
    expect(settings.map(({ attribute }) => attribute)).toEqual(isKnown ? [] : ['visibility']);
    expect(declared.includes(lowered)).toBe(isKnown);
  },
);
