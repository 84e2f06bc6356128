/** @file Kinds of work that people do in a project while it migrates. Nothing is lost by any of them. */
import { createHash } from 'node:crypto';
import type { ProjectEdits } from '../../../../src-main/sandbox/projects/project-edits.ts';
import type { Sandbox } from '../../../../src-main/sandbox/sandbox.ts';
import { parts, type Part } from './recorded-parts.ts';
import type { Work } from './pairs.ts';

export interface LivelyKind {
  name: string;
  /** Changes the source before the migration. */
  prepare?: (edits: ProjectEdits, source: Sandbox) => void;
  work: readonly Work[];
}

const everyPart: readonly [string, Part][] = Object.entries(parts);
/** Boards, badges and push rules have no time, so the archive of a project without them says nothing about them. */
const source = (moment: 'export-started' | 'export-ended', change: Work['change']): Work => ({
  ...{ side: 'source', moment, change },
});
const target = (change: Work['change']): Work => ({ side: 'target', moment: 'import-ended', change });

const added = everyPart.flatMap(([name, { add }]): LivelyKind[] => [
  { name: `${name} added before the snapshot`, work: [source('export-started', add)] },
  { name: `${name} added after the export`, work: [source('export-ended', add)] },
  { name: `${name} added after the import`, work: [target(add)] },
]);

const removed = everyPart.flatMap(([name, { add, removeFirst }]): LivelyKind[] =>
  removeFirst === null
    ? []
    : [
        { name: `${name} removed before the snapshot`, work: [source('export-started', removeFirst)] },
        { name: `${name} removed after the export`, work: [source('export-ended', removeFirst)] },
        {
          name: `${name} removed before the snapshot, another added after it`,
          work: [source('export-started', removeFirst), source('export-ended', add)],
        },
      ],
);

/** Work at each moment: before the snapshot, after the export, and after the import. */
const always = (name: string, change: Work['change']): LivelyKind[] => [
  { name: `${name} before the snapshot`, work: [source('export-started', change)] },
  { name: `${name} after the export`, work: [source('export-ended', change)] },
  { name: `${name} after the import`, work: [target(change)] },
];
const onSource = (name: string, change: Work['change']): LivelyKind[] =>
  always(name, change).filter(({ work }) => work.every(({ side }) => side === 'source'));

const firstMention = 0;
const renames = [
  ...always('a label renamed', (edits) => {
    edits.rename('labels', 0, 'renamed::label');
  }),
  ...always('the last label renamed', (edits) => {
    edits.rename('labels', -1, 'last::renamed');
  }),
  ...always('a milestone renamed', (edits) => {
    edits.rename('milestones', firstMention, 'Renamed milestone');
  }),
  ...onSource('a branch renamed', (edits) =>
    edits.changeRefs((refs) => {
      const branch = refs.find(({ name }) => name.startsWith('refs/heads/') && name !== 'refs/heads/main');
      return refs.map((ref) => (ref === branch ? { ...ref, name: 'refs/heads/renamed' } : ref));
    }),
  ),
];

const texts = [
  ...always('an issue edited', (edits) => {
    edits.change('issues', 0, { title: 'Edited', description: 'Edited' });
  }),
  ...always('a merge request edited', (edits) => {
    edits.change('merge_requests', 0, { title: 'Edited', state: 'closed' });
  }),
  ...always('a milestone closed', (edits) => {
    edits.change('milestones', 0, { state: 'closed' });
  }),
  ...always('an issue reopened', (edits) => {
    edits.change('issues', 2, { state: 'opened', closed_at: null });
  }),
  ...onSource('a label edited', (edits) => {
    edits.change('labels', 0, { color: '#abcdef' });
  }),
  ...onSource('a release edited', (edits) => {
    edits.change('releases', 0, { description: 'Edited' });
  }),
  ...always('a snippet edited', (edits) => {
    edits.change('snippets', 0, { title: 'Edited' });
  }),
  ...onSource('a badge edited', (edits) => {
    edits.change('project_badges', 0, { link_url: 'https://edited.example' });
  }),
  ...onSource('a board edited', (edits) => {
    edits.change('boards', 0, { hide_backlog_list: true });
  }),
  ...always('a schedule edited', (edits) => {
    edits.change('pipeline_schedules', 0, { cron: '1 2 3 4 *' });
  }),
];

/** GitLab copies an issue with its times, and with the next number, into the other project (gitlab-facts 7.2). */
const movedHere: Work['change'] = (edits) => {
  const [first] = edits.records('issues');
  edits.add('issues', { title: 'Moved here', created_at: first?.['created_at'] });
};
const movedAway: Work['change'] = (edits) => {
  edits.change('issues', 0, { state: 'closed', moved_to_id: 1 });
};

const cleanUp: Work['change'] = (edits) => {
  edits.remove('ci_pipelines', 0);
  edits.add('ci_pipelines');
  edits.remove('ci_pipelines', 0);
};

const addDeveloper = (edits: ProjectEdits): void => {
  edits.setMember('developer', 30);
};

const others: readonly LivelyKind[] = [
  ...always('an issue moved here', movedHere),
  ...always('an issue moved away', movedAway),
  ...onSource('pipelines cleaned up', cleanUp),
  ...onSource('a feature changed', (edits) => {
    edits.setFeature('issues', 'private');
    edits.setFeature('builds', 'disabled');
  }),
  ...onSource('a large file added', (edits) => {
    const bytes = Buffer.from('A large file');
    const id = createHash('sha256').update(bytes).digest('hex');
    edits.setFile(`lfs-objects/${id}`, bytes);
    edits.setFile('lfs-objects.json', Buffer.from(JSON.stringify({ [id]: [0] })));
  }),
  ...onSource('a wiki started', (edits) => {
    edits.setFile('project.wiki.bundle', edits.file('project.bundle'));
  }).map((kind) => ({
    ...kind,
    prepare: (edits: ProjectEdits) => {
      edits.setFile('project.wiki.bundle', null);
    },
  })),
  ...onSource('a member promoted', (edits) => {
    edits.setMember('developer', 40);
  }).map((kind) => ({ ...kind, prepare: addDeveloper })),
  ...onSource('a member added', addDeveloper),
  ...onSource('a member renamed', (_edits, { state }) => {
    // The user is also a member of other projects of the migration.
    if (state.hasUser('guest')) state.renameUser('guest', 'guest.renamed');
    else state.renameUser('guest.renamed', 'guest');
  }).map((kind) => ({
    ...kind,
    prepare: (edits: ProjectEdits) => {
      edits.setMember('guest', 10);
    },
  })),
  ...onSource('the start of a thread removed', (edits) => {
    const notes = edits.records('issues')[0]?.['notes'] as Record<string, unknown>[];
    edits.removeNotes('issues', 0, (note) => note === notes[0]);
  }).map((kind) => ({
    ...kind,
    prepare: (edits: ProjectEdits) => {
      const [first] = edits.records('issues')[0]?.['notes'] as Record<string, unknown>[];
      const reply = { note: 'A reply', type: 'DiscussionNote', noteable_type: 'Issue' };
      edits.addNote('issues', 0, {
        ...{ ...reply, discussion_id: first?.['discussion_id'] },
        ...{ created_at: '2024-05-05T05:05:05.000Z', updated_at: '2024-05-05T05:05:05.000Z' },
      });
    },
  })),
];

export const livelyKinds: readonly LivelyKind[] = [...added, ...removed, ...renames, ...texts, ...others];
