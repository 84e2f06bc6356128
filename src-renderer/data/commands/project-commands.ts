/** @file The command lines that do the same as the panel of one project, in addition to those of `commands.ts`. */
import type { Change } from '../../../src-contract/projects/change.ts';
import type { AttributeValues } from '../../../src-contract/projects/project-attributes.ts';
import { commandOf } from '../../kit/content/command-of.ts';

/** A value as `--set KEY=VALUE` expects it. */
const formatValue = (value: AttributeValues[string]): string =>
  Array.isArray(value) ? value.join(',') : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** An `import_url` may contain a password, so the program prompts for it. */
function setArguments({ import_url: address, ...others }: AttributeValues) {
  const words = Object.entries(others).flatMap(([name, value]) => ['--set', `${name}=${formatValue(value)}`]);
  return { words, hasImportUrl: address !== undefined };
}

export const projectCommands = {
  /** `project` is the full path of the new project, or its last part alone. */
  projectCreate: (instance: string, project: string, forUser: number | null, attributes: AttributeValues) => {
    const { words, hasImportUrl } = setArguments(attributes);
    return commandOf(['project', 'create', project, ...words], {
      instance,
      'for-user': forUser,
      'import-url-stdin': hasImportUrl,
    });
  },
  projectEdit: (instance: string, project: string, attributes: AttributeValues) => {
    const { words, hasImportUrl } = setArguments(attributes);
    return commandOf(['project', 'edit', project, ...words], { instance, 'import-url-stdin': hasImportUrl });
  },
  projectFork: (
    instance: string,
    project: string,
    { mergeIntoItself, ...options }: Omit<Extract<Change, { kind: 'fork' }>, 'kind'>,
  ) =>
    commandOf(['project', 'fork', project], {
      instance,
      ...options,
      'mr-target-self': mergeIntoItself,
      wait: true,
    }),
  projectStar: (instance: string, project: string, starred: boolean) =>
    commandOf(['project', starred ? 'star' : 'unstar', project], { instance }),
  projectSetArchived: (instance: string, project: string, archived: boolean) =>
    commandOf(['project', 'set-archived', project], { instance, off: !archived }),
  projectDelete: (instance: string, project: string, permanently: boolean) =>
    commandOf(['project', 'delete', project], { instance, permanently }),
  projectRestore: (instance: string, project: string) =>
    commandOf(['project', 'restore', project], { instance }),
  /** The program prompts for the address. If `method` is null, the export stays on the instance. */
  exportStart: (
    instance: string,
    project: string,
    options: { description: string | null; method: 'PUT' | 'POST' | null },
  ) =>
    commandOf(['export', 'start', project], {
      instance,
      description: options.description,
      'upload-url-stdin': options.method !== null,
      'upload-method': options.method,
    }),
  importRelation: (
    instance: string,
    project: string,
    relation: string,
    archive: string,
    removeMembers: boolean,
  ) =>
    commandOf(['import', 'relation', project, relation], {
      instance,
      archive,
      'remove-members': removeMembers,
    }),
  exportDownload: (instance: string, project: string) =>
    commandOf(['export', 'download', project], { instance }),
} as const;
