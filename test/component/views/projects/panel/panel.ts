/**
 * @file The panel of one project for component tests: the details from its instance, and the view with one part of it
 * open.
 */
import { page } from 'vitest/browser';
import type { CallReply } from '../../../../../src-contract/calls.ts';
import type { ChangeResult, Change } from '../../../../../src-contract/projects/change.ts';
import type { Instance } from '../../../../../src-contract/instances/instance.ts';
import type { Job } from '../../../../../src-contract/runs/job.ts';
import type { Project, ProjectRow } from '../../../../../src-contract/projects/project.ts';
import { projectSchema } from '../../../../../src-contract/projects/project-schema.ts';
import ProjectsView from '../../../../../src-renderer/views/projects/ProjectsView.svelte';
import { exampleJob } from '../../../support/examples.ts';
import { exampleInstance } from '../../../support/overview-examples.ts';
import { fails, scriptWindow, type Script, type ScriptedWindow } from '../../../support/window.ts';
import { showView } from '../../show-view.ts';
import { pagesOf, projectRow } from '../rows.ts';

export const panel = page.getByRole('complementary');
export const dialog = page.getByRole('dialog');

export const project = (change: Partial<Project> = {}): Project =>
  projectSchema.parse({ ...projectRow(1), accessLevel: 50, ...change });

export const details = (
  change: Partial<CallReply<'project.details'>> = {},
): CallReply<'project.details'> => ({
  project: project(),
  attributes: {
    name: 'Project 00001',
    path: 'project-00001',
    description: 'Where the maps are.\nAll of them.',
    visibility: 'private',
    topics: ['atlas', 'maps'],
    issues_access_level: 'enabled',
    lfs_enabled: true,
    build_timeout: 3600,
    container_expiration_policy: { cadence: '1d', enabled: false, keep_n: 10, older_than: '90d' },
  },
  starCount: 12,
  forksCount: 3,
  openIssuesCount: 41,
  topics: ['atlas', 'maps'],
  forkedFrom: { fullPath: 'origin/atlas', webUrl: 'https://gitlab.example.com/origin/atlas' },
  owner: null,
  license: { key: 'mit', name: 'MIT License', url: null },
  statistics: { commit_count: 1204, storage_size: 8_200_000, repository_size: 6_100_000, wiki_size: 0 },
  customAttributes: [{ key: 'team', value: 'cartography' }],
  markedForDeletionOn: null,
  ...change,
});

export const person = (id: number, username: string, state = 'active') => ({
  id,
  username,
  name: `${username.slice(0, 1).toUpperCase()}${username.slice(1)} Example`,
  state,
  webUrl: `https://gitlab.example.com/${username}`,
});

export const group = (id: number, fullPath: string) => ({
  id,
  name: fullPath,
  fullName: `The ${fullPath}`,
  fullPath,
  webUrl: `https://gitlab.example.com/${fullPath}`,
});

export const upload = (id: number, fileName: string) => ({
  id,
  sizeBytes: 120_000 * id,
  fileName,
  createdAt: '2026-11-10T09:00:00.000Z',
  uploadedBy: 'Ada',
});

/** A job for this change, in this state. */
export function changeJob(change: Change, state: Job['state'], result: Partial<ChangeResult> = {}): Job {
  return exampleJob({
    id: 'job-1',
    runId: 'run-1',
    kind: 'change',
    project: 'group/project-00001',
    step: state.status === 'running' ? 'send' : null,
    state,
    input: { change, projectId: 1, secret: null },
    result:
      state.status === 'succeeded'
        ? { changed: true, project: project(), notTaken: [], deletion: null, uploaded: null, ...result }
        : null,
  });
}

export const started = { runId: 'run-1', jobId: 'job-1' };

export type Part = 'overview' | 'details' | 'people' | 'files' | 'changes';

/** Shows the view of projects with the panel open at this part. */
export async function showPart(
  part: Part,
  {
    script = {},
    row = {},
    instance = {},
    width,
    height = 720,
  }: {
    script?: Script;
    row?: Partial<ProjectRow>;
    instance?: Partial<Instance>;
    width?: number;
    height?: number;
  } = {},
): Promise<ScriptedWindow> {
  const bridge = scriptWindow({
    'instance.list': { instances: [exampleInstance(instance)] },
    'project.page': pagesOf([projectRow(1, { accessLevel: 50, ...row }), projectRow(2)]),
    'archive.list': { archives: [], next: null },
    'job.list': { jobs: [], next: null },
    'settings.change': fails('internal'),
    'project.details': details(),
    'project.languages': { languages: { TypeScript: 71.4, Svelte: 22.1, CSS: 6.5 } },
    'project.users': {
      users: [person(7, 'ada'), person(8, 'brook'), person(9, 'casey', 'blocked')],
      next: null,
    },
    'project.groups': { groups: [group(3, 'group'), group(4, 'partners')], next: null },
    'project.shareLocations': { groups: [group(5, 'others')], next: null },
    'project.starrers': {
      starrers: [{ starredSince: '2026-10-01T00:00:00.000Z', user: person(8, 'brook') }],
      next: null,
    },
    'project.find': {
      projects: [project({ id: 71, fullPath: 'brook/project-00001' })],
      next: null,
      total: 1,
    },
    'project.uploads': { uploads: [upload(2, 'map.png'), upload(1, 'notes.pdf')], next: null },
    'import.relations': {
      relationImports: [
        {
          id: 1,
          projectPath: 'group/project-00001',
          relation: 'issues',
          status: 'finished',
          createdAt: '2026-11-12T09:00:00.000Z',
          updatedAt: '2026-11-12T09:05:00.000Z',
        },
      ],
    },
    'export.status': { project: 'group/project-00001', state: 'finished' },
    ...script,
  });
  await showView(ProjectsView, 'projects', {
    parameters: {
      project: 'group/project-00001',
      of: 'work',
      part: part === 'overview' ? null : part,
    },
    height,
    ...(width === undefined ? {} : { width }),
  });
  return bridge;
}
