/** @file Seeds a new sandbox: its groups, projects by recipe, and projects from export archives. */
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '../../src-contract/errors.ts';
import { readArchive, type UnpackedArchive } from './content/archive-file.ts';
import { baseTime } from './content/seeded-random.ts';
import { avatarOf, generateContent } from './content/generate.ts';
import {
  defaultBranch,
  emptyContent,
  encodeRecords,
  isObject,
  recordsOf,
  singleRecordRelations,
  type JsonRecord,
  type ProjectContent,
} from './content/project-content.ts';
import { recipeOf, recipes } from './content/recipes.ts';
import { contentOf, versionFiles } from './importing/import-archive.ts';
import { replaceAttributes } from './exporting/root-attributes.ts';
import { applySettingRelations } from './exporting/setting-relations.ts';
import { roles, type Namespace, type Project, type User, type SandboxDatabase } from './sandbox-database.ts';

/**
 * Groups of every sandbox. The group `archives` receives the projects seeded from files. Nobody may create a project in
 * `frozen`.
 */
export function seedGroups(database: SandboxDatabase): void {
  const addGroup = (name: string, path: string, fields: Partial<Namespace> = {}): Namespace => {
    const row = database.addNamespace({ kind: 'group', name, path, visibility: 'public', ...fields });
    const levels: Record<string, number> = {
      root: roles.owner,
      maintainer: roles.maintainer,
      developer: roles.developer,
      guest: roles.guest,
      group_bot: path === 'frozen' ? roles.maintainer : roles.none,
    };
    for (const user of database.users.values()) {
      const level = levels[user.username];
      if (level !== undefined && level > roles.none) row.members.set(user.id, level);
    }
    return row;
  };
  const atlas = addGroup('Atlas', 'atlas');
  atlas.labels.push({ id: database.nextId(), title: 'group::shared', color: '#428BCA' });
  addGroup('Tools', 'tools', { parent: atlas });
  addGroup('Borealis', 'borealis');
  addGroup('Archives', 'archives');
  addGroup('Frozen', 'frozen', { projectCreation: 'noone' });
}

const importedProjectPath = 'caravan';

/**
 * Adds only rows; content is generated on first use. Until then, a light project (with few records) reports the size of
 * the first light project of its recipe (see `recipeOf`). Real servers also count sizes in the background.
 */
export function seedProjects(
  database: SandboxDatabase,
  { count, seed, areLight }: { count: number; seed: number; areLight: boolean },
): void {
  const author = findAdministrator(database);
  const colleague = [...database.users.values()].find(({ username }) => username === 'developer');
  const projects: Project[] = [];
  for (let index = 0; index < count; index += 1) {
    const recipe = recipeOf(index, areLight);
    const namespace = database.namespace(recipe.group);
    if (namespace === undefined) throw new Error(`There is no group ${recipe.group}.`);
    const createdAt = baseTime + index * 60_000;
    let content: ProjectContent | null = null;
    const firstLightProject = projects[recipes.length + (index % recipes.length)];
    const project = database.addProject({
      namespace,
      path: recipe.path,
      name: recipe.name,
      description: recipe.description,
      visibility: recipe.visibility,
      archived: recipe.archived,
      defaultBranch: recipe.commits === 0 ? null : 'main',
      creatorId: author.id,
      createdAt,
      members: new Map([[author.id, roles.maintainer]]),
      lastActivityAt: createdAt + 30 * 86_400_000,
      ...(recipe.path === importedProjectPath ? { importType: 'github', importStatus: 'finished' } : {}),
      avatar: avatarOf(recipe),
      content: () =>
        (content ??= generateContent(recipe, project.id, seed * 1_000_003 + index, author, colleague)),
      statisticsContent:
        firstLightProject === undefined ? null : () => content ?? firstLightProject.content(),
    });
    projects.push(project);
  }
}

/** Adds the project of an archive to `archives`. Throws `archive-missing`, `archive-corrupt`, `already-exists`. */
export async function seedArchive(database: SandboxDatabase, file: string, folder: string): Promise<void> {
  const name = basename(file).replace(/(_export)?(\.tar)?\.gz$/, '');
  const namespace = database.namespace('archives');
  if (namespace === undefined) throw new Error('There is no group archives.');
  if (database.projectAt(`archives/${name}`) !== undefined) {
    throw new AppError('already-exists', 'Two archives would seed the same project.', { details: { name } });
  }
  const content = await readContent(file, join(folder, `seed-${database.nextId()}`));
  const project = database.addProject({
    namespace,
    path: name,
    name,
    creatorId: findAdministrator(database).id,
    createdAt: baseTime,
    defaultBranch: await defaultBranch(content),
    content: () => content,
  });
  replaceAttributes(project, content.attributes);
  applySettingRelations(project, content);
}

async function readContent(file: string, folder: string): Promise<ProjectContent> {
  await mkdir(folder, { recursive: true });
  try {
    const archive = await readArchive(file, folder);
    if (archive.isDamaged) throw new Error('The archive cannot be read to its end.');
    const content = archive.members.has('tree/project.json') ? contentOf(archive) : legacyContent(archive);
    // Parses all records now, because lists parse them on demand and would find an invalid record too late.
    for (const relation of content.relations.keys()) {
      if (!singleRecordRelations.has(relation)) recordsOf(content, relation);
    }
    return content;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const details = { file: basename(file) };
    throw isMissing
      ? new AppError('archive-missing', 'There is no archive to seed from.', { details, cause: error })
      : new AppError('archive-corrupt', 'This is not an export archive.', { details, cause: error });
  }
}

/** Relations that had another name before the NDJSON layout. */
const renamedRelations: Record<string, string> = { pipelines: 'ci_pipelines' };

/** Reads an archive with one `project.json`: its arrays and objects become relations. */
function legacyContent(archive: UnpackedArchive): ProjectContent {
  const root = archive.members.get('project.json');
  if (!Buffer.isBuffer(root)) throw new Error('The archive has no project.json.');
  const content = emptyContent();
  for (const [key, value] of Object.entries(JSON.parse(root.toString('utf8')) as JsonRecord)) {
    const relation = renamedRelations[key] ?? key;
    if (Array.isArray(value) && value.every(isObject)) content.relations.set(relation, encodeRecords(value));
    else if (isObject(value)) content.relations.set(relation, Buffer.from(JSON.stringify(value)));
    else content.attributes[key] = value;
  }
  for (const [name, bytes] of archive.members) {
    if (name !== 'project.json' && !versionFiles.has(name)) content.otherFiles.set(name, bytes);
  }
  return content;
}

function findAdministrator(database: SandboxDatabase): User {
  const user = [...database.users.values()].find((row) => row.administrator);
  if (user === undefined) throw new Error('The sandbox has no administrator.');
  return user;
}
