/** @file Lists every kind of change with its effect on the server and a way to script another reply. */
import type { Change } from '../../../../src-contract/projects/change.ts';
import { isoTime } from '../../../../src-main/platform/clock.ts';
import { projectOf } from '../../../support/jobs/fake-instance.ts';
import type { ChangeHarness } from './change-harness.ts';

export interface ChangeKind {
  name: string;
  change: Change;
  /** The effect on the server when it receives the request. */
  applyEffect(bench: ChangeHarness): void;
  /** Name of the call that sends the change. */
  call: string;
  /** Makes the server run `answer` when it receives the request, with or without the effect. */
  script(bench: ChangeHarness, answer: () => void): void;
  at?: string;
}

export const uploadAt = (bench: ChangeHarness, id: number) => ({
  id,
  sizeBytes: 5,
  fileName: 'a_b.txt',
  createdAt: isoTime(bench.clock.now()),
  uploadedBy: 'me',
});

/** Adds a project that the account has just created. */
export function addCreatedProject(bench: ChangeHarness, id: number, fullPath: string): void {
  bench.project = projectOf({
    id,
    fullPath,
    creatorId: 3,
    createdAt: isoTime(bench.clock.now()),
    importStatus: 'finished',
  });
}

export const changeKinds: ChangeKind[] = [
  {
    name: 'an edit',
    change: { kind: 'edit', attributes: { description: 'New' } },
    call: 'edit',
    applyEffect: (bench) => {
      bench.attributes = { description: 'New' };
    },
    script: (bench, answer) => {
      bench.attributes = { description: 'Old' };
      bench.instance.changes.onEdit = () => {
        answer();
        return { project: projectOf(), notTaken: [] };
      };
    },
  },
  {
    name: 'a star',
    change: { kind: 'star' },
    call: 'star',
    applyEffect: (bench) => {
      bench.instance.changes.starred = true;
    },
    script: (bench, answer) => {
      bench.instance.changes.onStar = () => {
        answer();
        return true;
      };
    },
  },
  {
    name: 'the removal of a star',
    change: { kind: 'unstar' },
    call: 'star',
    applyEffect: (bench) => {
      bench.instance.changes.starred = false;
    },
    script: (bench, answer) => {
      bench.instance.changes.starred = true;
      bench.instance.changes.onStar = () => {
        answer();
        return true;
      };
    },
  },
  {
    name: 'a request to archive',
    change: { kind: 'set-archived', archived: true },
    call: 'set archived',
    applyEffect: (bench) => {
      bench.project = projectOf({ archived: true });
    },
    script: (bench, answer) => {
      bench.instance.changes.onSetArchived = answer;
    },
  },
  {
    name: 'a deletion',
    change: { kind: 'delete', permanently: false },
    call: 'delete',
    applyEffect: (bench) => {
      bench.markedOn = '2026-11-20';
    },
    script: (bench, answer) => {
      bench.instance.changes.onDelete = answer;
    },
  },
  {
    name: 'a deletion without delay',
    change: { kind: 'delete', permanently: false },
    call: 'delete',
    applyEffect: (bench) => {
      bench.project = null;
    },
    script: (bench, answer) => {
      bench.instance.changes.onDelete = answer;
    },
  },
  {
    name: 'a permanent deletion',
    change: { kind: 'delete', permanently: true },
    call: 'delete',
    applyEffect: (bench) => {
      bench.project = null;
    },
    script: (bench, answer) => {
      bench.markedOn = '2026-11-19';
      bench.instance.changes.onDelete = answer;
    },
  },
  {
    name: 'a restoration',
    change: { kind: 'restore' },
    call: 'restore',
    applyEffect: (bench) => {
      bench.markedOn = null;
    },
    script: (bench, answer) => {
      bench.markedOn = '2026-11-19';
      bench.instance.changes.onRestore = answer;
    },
  },
  {
    name: 'an upload',
    change: { kind: 'upload', file: '/files/a b.txt', sizeBytes: 5 },
    call: 'upload',
    applyEffect: (bench) => {
      bench.instance.changes.onUploads = () => [uploadAt(bench, 9)];
    },
    script: (bench, answer) => {
      bench.instance.changes.onUpload = () => {
        answer();
        return { id: 9, name: 'a_b.txt', url: '/uploads/x/a_b.txt', markdown: '[a]' };
      };
    },
  },
  {
    name: 'an export request',
    change: { kind: 'export', description: null, pushTo: null },
    call: 'request',
    applyEffect: (bench) => {
      bench.instance.onState = () => 'started';
    },
    script: (bench, answer) => {
      bench.instance.onRequest = answer;
    },
  },
  {
    name: 'a creation',
    change: { kind: 'create', namespace: 'group', forUser: null, attributes: { path: 'new' } },
    call: 'create',
    at: 'group/new',
    applyEffect: (bench) => {
      addCreatedProject(bench, 90, 'group/new');
    },
    script: (bench, answer) => {
      bench.project = null;
      bench.instance.changes.onCreate = () => {
        answer();
        return { project: projectOf({ id: 90, fullPath: 'group/new' }), notTaken: [] };
      };
    },
  },
  {
    name: 'a fork',
    change: {
      kind: 'fork',
      namespace: 'mine',
      name: null,
      path: null,
      description: null,
      visibility: null,
      branches: null,
      mergeIntoItself: null,
    },
    call: 'fork',
    applyEffect: (bench) => {
      addCreatedProject(bench, 90, 'mine/project');
    },
    script: (bench, answer) => {
      bench.instance.changes.onFork = () => {
        answer();
        return projectOf({ id: 90, fullPath: 'mine/project' });
      };
    },
  },
];
