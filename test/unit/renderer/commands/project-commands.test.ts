/** @file The real program reads the equivalent commands in the panel of one project as the same request. */
import { test } from 'vitest';
import { exportCommand } from '../../../../src-main/hosts/cli/transfers/export.ts';
import { importCommand } from '../../../../src-main/hosts/cli/transfers/import.ts';
import { projectCommand } from '../../../../src-main/hosts/cli/projects/project.ts';
import { projectCommands as commands } from '../../../../src-renderer/data/commands/project-commands.ts';
import { expectParsed, type ExpectedLine } from '../../../support/understood.ts';

const registers = [projectCommand, exportCommand, importCommand];
const odd = "it's $HOME/`a`";
const project = ['work', 'group/app'] as const;
const options = { instance: 'work' };

const lines: Record<keyof typeof commands, ExpectedLine[]> = {
  projectCreate: [
    [
      commands.projectCreate('work', 'group/app', null, { name: odd, topics: ['maps', 'north'] }),
      {
        command: 'project create',
        args: ['group/app'],
        options: { ...options, set: [`name=${odd}`, 'topics=maps,north'] },
      },
    ],
    [
      commands.projectCreate('work', 'ada/app', 7, { import_url: 'https://ada:secret@example.com/a.git' }),
      {
        command: 'project create',
        args: ['ada/app'],
        options: { ...options, forUser: 7, importUrlStdin: true },
      },
    ],
  ],
  projectEdit: [
    [
      commands.projectEdit(...project, {
        description: odd,
        topics: ['maps', 'north'],
        lfs_enabled: false,
        container_expiration_policy_attributes: { keep_n: 5 },
        import_url: 'https://ada:secret@example.com/a.git',
      }),
      {
        command: 'project edit',
        args: ['group/app'],
        options: {
          ...options,
          importUrlStdin: true,
          set: [
            `description=${odd}`,
            'topics=maps,north',
            'lfs_enabled=false',
            'container_expiration_policy_attributes={"keep_n":5}',
          ],
        },
      },
    ],
  ],
  projectFork: [
    [
      commands.projectFork(...project, {
        namespace: 'partners',
        path: 'two',
        name: odd,
        description: null,
        visibility: 'private',
        branches: 'main',
        mergeIntoItself: true,
      }),
      {
        command: 'project fork',
        args: ['group/app'],
        options: {
          ...options,
          namespace: 'partners',
          path: 'two',
          name: odd,
          visibility: 'private',
          branches: 'main',
          mrTargetSelf: true,
          wait: true,
        },
      },
    ],
  ],
  projectStar: [
    [commands.projectStar(...project, true), { command: 'project star', args: ['group/app'], options }],
    [commands.projectStar(...project, false), { command: 'project unstar' }],
  ],
  projectSetArchived: [
    [commands.projectSetArchived(...project, true), { command: 'project set-archived', options }],
    [commands.projectSetArchived(...project, false), { options: { ...options, off: true } }],
  ],
  projectDelete: [
    [commands.projectDelete(...project, false), { command: 'project delete', options }],
    [commands.projectDelete(...project, true), { options: { ...options, permanently: true } }],
  ],
  projectRestore: [[commands.projectRestore(...project), { command: 'project restore', options }]],
  exportStart: [
    [
      commands.exportStart(...project, { description: odd, method: 'POST' }),
      {
        command: 'export start',
        options: { ...options, description: odd, uploadUrlStdin: true, uploadMethod: 'POST' },
      },
    ],
    [commands.exportStart(...project, { description: null, method: null }), { options }],
  ],
  importRelation: [
    [
      commands.importRelation(...project, 'issues', '/archives/a.tar.gz', false),
      {
        command: 'import relation',
        args: ['group/app', 'issues'],
        options: { ...options, archive: '/archives/a.tar.gz' },
      },
    ],
    [
      commands.importRelation(...project, 'issues', '/archives/a.tar.gz', true),
      { options: { ...options, archive: '/archives/a.tar.gz', removeMembers: true } },
    ],
  ],
  exportDownload: [[commands.exportDownload(...project), { command: 'export download', options }]],
};

test.each(Object.entries(lines).flatMap(([name, rows]) => rows.map((row) => [name, row[0], row] as const)))(
  'the program reads the command of %s as the same request: %s',
  (_name, _line, row) => {
    expectParsed(row, registers);
  },
);
