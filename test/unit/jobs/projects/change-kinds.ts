/** @file Lists every kind of change with its effect on the server and a way to script another reply. */
import type { Change } from '../../../../src-contract/projects/change.ts';
import { isoTime } from '../../../../src-main/platform/clock.ts';
import { projectOf } from '../../../support/jobs/fake-instance.ts';
import type { ChangeHarness } from './change-harness.ts';

export interface ChangeKind {
  name: string;
  change: Change;
  /** The effect on the server when it receives the request. */
  applyEffect(harness: ChangeHarness): void;
  /** Name of the call that sends the change. */
  call: string;
  /** Makes the server run `answer` when it receives the request, with or without the effect. */
  script(harness: ChangeHarness, answer: () => void): void;
  at?: string;
}

export const uploadAt = (harness: ChangeHarness, id: number) => ({
  id,
  sizeBytes: 5,
  fileName: 'a_b.txt',
  createdAt: isoTime(harness.clock.now()),
  uploadedBy: 'me',
});

/** Adds a project that the account has just created. */
export function addCreatedProject(harness: ChangeHarness, id: number, fullPath: string): void {
  harness.project = projectOf({
    id,
    fullPath,
    creatorId: 3,
    createdAt: isoTime(harness.clock.now()),
    importStatus: 'finished',
  });
}

export const changeKinds: ChangeKind[] = [
  {
    name: 'an edit',
    change: { kind: 'edit', attributes: { description: 'New' } },
    call: 'edit',
    applyEffect: (harness) => {
      harness.attributes = { description: 'New' };
    },
    script: (harness, answer) => {
      harness.attributes = { description: 'Old' };
      harness.instance.changes.onEdit = () => {
        answer();
        return { project: projectOf(), notTaken: [] };
      };
    },
  },
  {
    name: 'a star',
    change: { kind: 'star' },
    call: 'star',
    applyEffect: (harness) => {
      harness.instance.changes.starred = true;
    },
    script: (harness, answer) => {
      harness.instance.changes.onStar = () => {
        answer();
        return true;
      };
    },
  },
  {
    name: 'the removal of a star',
    change: { kind: 'unstar' },
    call: 'star',
    applyEffect: (harness) => {
      harness.instance.changes.starred = false;
    },
    script: (harness, answer) => {
      harness.instance.changes.starred = true;
      harness.instance.changes.onStar = () => {
        answer();
        return true;
      };
    },
  },
  {
    name: 'a request to archive',
    change: { kind: 'set-archived', archived: true },
    call: 'set archived',
    applyEffect: (harness) => {
      harness.project = projectOf({ archived: true });
    },
    script: (harness, answer) => {
      harness.instance.changes.onSetArchived = answer;
    },
  },
  {
    name: 'a deletion',
    change: { kind: 'delete', permanently: false },
    call: 'delete',
    applyEffect: (harness) => {
      harness.markedOn = '2026-11-20';
    },
    script: (harness, answer) => {
      harness.instance.changes.onDelete = answer;
    },
  },
  {
    name: 'a deletion without delay',
    change: { kind: 'delete', permanently: false },
    call: 'delete',
    applyEffect: (harness) => {
      harness.project = null;
    },
    script: (harness, answer) => {
      harness.instance.changes.onDelete = answer;
    },
  },
  {
    name: 'a permanent deletion',
    change: { kind: 'delete', permanently: true },
    call: 'delete',
    applyEffect: (harness) => {
      harness.project = null;
    },
    script: (harness, answer) => {
      harness.markedOn = '2026-11-19';
      harness.instance.changes.onDelete = answer;
    },
  },
  {
    name: 'a restoration',
    change: { kind: 'restore' },
    call: 'restore',
    applyEffect: (harness) => {
      harness.markedOn = null;
    },
    script: (harness, answer) => {
      harness.markedOn = '2026-11-19';
      harness.instance.changes.onRestore = answer;
    },
  },
  {
    name: 'an upload',
    change: { kind: 'upload', file: '/files/a b.txt', sizeBytes: 5 },
    call: 'upload',
    applyEffect: (harness) => {
      harness.instance.changes.onUploads = () => [uploadAt(harness, 9)];
    },
    script: (harness, answer) => {
      harness.instance.changes.onUpload = () => {
        answer();
        return { id: 9, name: 'a_b.txt', url: '/uploads/x/a_b.txt', markdown: '[a]' };
      };
    },
  },
  {
    name: 'an export request',
    change: { kind: 'export', description: null, pushTo: null },
    call: 'request',
    applyEffect: (harness) => {
      harness.instance.onState = () => 'started';
    },
    script: (harness, answer) => {
      harness.instance.onRequest = answer;
    },
  },
  {
    name: 'a creation',
    change: { kind: 'create', namespace: 'group', forUser: null, attributes: { path: 'new' } },
    call: 'create',
    at: 'group/new',
    applyEffect: (harness) => {
      addCreatedProject(harness, 90, 'group/new');
    },
    script: (harness, answer) => {
      harness.project = null;
      harness.instance.changes.onCreate = () => {
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
    applyEffect: (harness) => {
      addCreatedProject(harness, 90, 'mine/project');
    },
    script: (harness, answer) => {
      harness.instance.changes.onFork = () => {
        answer();
        return projectOf({ id: 90, fullPath: 'mine/project' });
      };
    },
  },
];
