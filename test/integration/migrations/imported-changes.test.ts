/** @file GitLab changes some records while it imports them. These changes are no losses. */
import { expect, it, onTestFinished } from 'vitest';
import { openMigrationScene, storedReconciliations } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const path = 'atlas/tools/ferry';
const developersMayPush = {
  name: 'release',
  push_access_levels: [{ access_level: 30 }],
  merge_access_levels: [{ access_level: 30 }],
};
const at = '2024-01-02T03:04:05.678Z';
const running = { iid: 900, ref: 'main', sha: 'a'.repeat(40), status: 'running', source: 'push' };

it.each([
  { importer: 'administrator', rewritesNotes: false, levels: [30, 30], raised: 0 },
  { importer: 'maintainer', rewritesNotes: true, levels: [40, 40], raised: 1 },
] as const)(
  'records that an import by the $importer changes are reported neither as lost nor as changed',
  async ({ importer, rewritesNotes, levels, raised }) => {
    const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 2 }, importer });
    onTestFinished(() => scene.close());
    scene.source.state.append(path, 'protected_branches', developersMayPush);
    scene.source.state.append(path, 'ci_pipelines', { ...running, created_at: at, updated_at: at });
    const longAgo = Date.now() - 86_400_000;
    scene.source.state.change(path, { lastActivityAt: longAgo, updatedAt: longAgo });
    const rules = [{ from: 'atlas/tools', to: importer === 'maintainer' ? 'atlas' : 'atlas/tools' }];
    const { id } = await scene.migration([path], { rules });
    await scene.start(id);
    await scene.until(id, ({ status }) => status === 'ended');

    const [project] = await scene.projects(id);
    const { relations } = await scene.target.state.project(project?.targetPath ?? '');
    const notes = (relations['issues'] ?? []).flatMap(({ notes: all }) => all as { note: string }[]);
    // Only an administrator's import maps the user `Administrator`.
    expect(notes.some(({ note }) => /\n\n \*By Administrator on 20.+\*$/.test(note))).toBe(rewritesNotes);
    expect(relations['ci_pipelines']?.at(-1)).toMatchObject({ iid: 900, status: 'canceled' });
    const release = relations['protected_branches']?.find(({ name }) => name === 'release');
    expect(release).toMatchObject({
      push_access_levels: [{ access_level: levels[0] }],
      merge_access_levels: [{ access_level: levels[1] }],
    });

    const { missing = [], declared = [] } = storedReconciliations(scene.dataDir).get(path) ?? {};
    expect(missing.filter(({ relation }) => relation !== 'project_members')).toEqual([]);
    expect(declared.filter((sentence) => /raised access levels .*: release/.test(sentence))).toHaveLength(
      raised,
    );
  },
);
