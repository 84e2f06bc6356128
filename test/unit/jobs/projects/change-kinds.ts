/** @file Every kind of change, with its effect on the server, and how to script another answer. */
import type { Change } from '../../../../src-contract/projects/change.ts';
import { isoTime } from '../../../../src-main/platform/clock.ts';
import { projectOf } from '../../../support/jobs/fake-instance.ts';
import type { ChangeHarness } from './change-harness.ts';

export interface ChangeKind {
  name: string;
  change: Change;
  /** The effect on the server when it receives the request. */
  does(bench: ChangeHarness): void;
  /** Name of the call that sends it. */
  call: string;
  /** Makes the server answer as scripted, with or without the effect. */
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

/** A project that the account has just created. */
export function made(bench: ChangeHarness, id: number, fullPath: string): void {
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
    does: (bench) => {
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
    does: (bench) => {
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
    name: 'a star taken back',
    change: { kind: 'unstar' },
    call: 'star',
    does: (bench) => {
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
    name: 'marking as archived',
    change: { kind: 'set-archived', archived: true },
    call: 'set archived',
    does: (bench) => {
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
    does: (bench) => {
      bench.markedOn = '2026-11-20';
    },
    script: (bench, answer) => {
      bench.instance.changes.onDelete = answer;
    },
  },
  {
    name: 'a deletion where none is delayed',
    change: { kind: 'delete', permanently: false },
    call: 'delete',
    does: (bench) => {
      bench.project = null;
    },
    script: (bench, answer) => {
      bench.instance.changes.onDelete = answer;
    },
  },
  {
    name: 'a deletion for good',
    change: { kind: 'delete', permanently: true },
    call: 'delete',
    does: (bench) => {
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
    does: (bench) => {
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
    does: (bench) => {
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
    does: (bench) => {
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
    does: (bench) => {
      made(bench, 90, 'group/new');
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
    does: (bench) => {
      made(bench, 90, 'mine/project');
    },
    script: (bench, answer) => {
      bench.instance.changes.onFork = () => {
        answer();
        return projectOf({ id: 90, fullPath: 'mine/project' });
      };
    },
  },
];
