/** @file The view of imports on a window whose instances and stored archives are scripted. */
import { onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import {
  presetPaces,
  type Instance,
  type InstanceCheck,
  instanceDefaults,
} from '../../../../../src-contract/instances/instance.ts';
import { router, type RouteParameters } from '../../../../../src-renderer/data/places/router.svelte.ts';
import ImportView from '../../../../../src-renderer/views/transfers/import/ImportView.svelte';
import { fails, pending, type Script } from '../../../support/window.ts';
import { archive, archivedProject, described, projectPages } from '../../archives/archives.ts';
import { showView } from '../../show-view.ts';

/** A script that would run if a server's text were rendered as HTML. */
export const payload = '<img src=x onerror="document.title=\'ran\'">';

export const instance = (name: string, change: Partial<Instance> = {}): Instance => ({
  name,
  url: `https://${name}.example.com`,
  caFile: null,
  pacePreset: 'gitlab',
  pace: presetPaces.gitlab,
  username: 'mel',
  userId: 7,
  administrator: false,
  serverVersion: '18.5.0',
  tokenExpiresOn: null,
  tokenCanWrite: null,
  addedAt: '2026-11-01T08:00:00.000Z',
  ...instanceDefaults,
  ...change,
});

/** The reply of an instance with that name when its token is checked. */
export const check = (name: string, change: Partial<InstanceCheck> = {}): InstanceCheck => ({
  name,
  url: `https://${name}.example.com`,
  version: '18.5.0',
  userId: 7,
  username: 'mel',
  administrator: false,
  tokenSource: 'session',
  scopes: ['api'],
  expiresOn: '2027-02-01',
  canRead: true,
  canWrite: true,
  clockSkewMs: 0,
  notes: [],
  ...change,
});

/** The newer of two archives of one project. */
export const stored = archive(1);

/** Replies with which an import can be started. */
export const script = (change: Script = {}): Script => ({
  'instance.list': { instances: [instance('work'), instance('new')] },
  'instance.check': ({ name }) => check(name),
  'archive.projects': projectPages([archivedProject(stored)]),
  'archive.list': { archives: [stored, archive(2)], next: null },
  'archive.show': ({ archive: id }) => described(id === 'archive-2' ? archive(2) : stored),
  'import.start': { runId: 'run-1', jobId: 'job-1', target: 'mel/app', comparison: null },
  'job.list': { jobs: [], next: null },
  'job.show': pending,
  'job.steps': pending,
  'settings.change': fails('internal'),
  ...change,
});

/** Shows the view at this address, in a window of this size. */
export async function show(parameters: RouteParameters = {}, size: { width?: number; height?: number } = {}) {
  await showView(ImportView, 'import', { parameters, ...size });
  onTestFinished(router.follow());
}

export const start = page.getByRole('button', { name: 'Start the import' });
