/** @file Applies the scripted faults that remove or change a project's files, refs and settings. */
import { createHash } from 'node:crypto';
import { parentFinder } from '../content/parent-commits.ts';
import { createBundleWithChangedRefs } from '../content/shorter-bundle.ts';
import { generateWiki } from '../content/repository.ts';
import { SeededRandom } from '../content/seeded-random.ts';
import { refsOf, sizeOf, type JsonRecord, type ProjectContent } from '../content/project-content.ts';
import type { Ref } from '../content/git-bundle.ts';
import type { FaultOf } from '../faults/fault-kinds.ts';
import type { ContentFault, Loss } from './losses.ts';
import { withoutCustomAttributes } from './custom-attributes.ts';
import { withoutColumns } from './setting-relations.ts';

type ContentLoss = Pick<Loss, 'relation' | 'part' | 'name'>;

/**
 * Applies each fault to the last entries in name order. Never removes the default branch, but moves it first. @param path where the shorter
 * bundle is written if the original bundle is a file.
 */
export async function applyContentFaults(
  content: ProjectContent,
  faults: readonly ContentFault[],
  defaultBranch: string | null,
  path: string,
): Promise<{ content: ProjectContent; lost: ContentLoss[] }> {
  const lost: ContentLoss[] = [];
  let shorter = content;
  for (const fault of faults) {
    if (fault.kind === 'drop-files') shorter = withoutFiles(shorter, fault, lost);
    else if (fault.kind === 'change-files') shorter = withChangedFiles(shorter, fault, lost);
    else if (fault.kind === 'drop-settings') shorter = withoutSettings(shorter, fault, lost);
  }
  const refFaults = faults.filter((fault) => fault.kind === 'drop-refs' || fault.kind === 'move-refs');
  shorter = await withChangedRefs(shorter, refFaults, defaultBranch, path, lost);
  return { content: shorter, lost };
}

function withoutFiles(
  content: ProjectContent,
  { of, count, isListed = false }: FaultOf<'drop-files'>,
  lost: ContentLoss[],
): ProjectContent {
  if (of === 'wiki') return withoutWiki(content, lost);
  const folder = `${of}/`;
  const names = [...content.otherFiles.keys()].filter((name) => name.startsWith(folder)).sort();
  const dropped = names.slice(-count);
  const otherFiles = new Map([...content.otherFiles].filter(([name]) => !dropped.includes(name)));
  if (of === 'lfs-objects' && !isListed) {
    const names = new Set(dropped);
    changeLfsListing(otherFiles, (oids) => oids.filter(([oid]) => !names.has(`${folder}${oid}`)));
  }
  const relation = of === 'lfs-objects' ? 'lfs_objects' : of;
  const part = of === 'avatar' ? 'content' : 'file';
  for (const name of dropped) lost.push({ relation, part, name: name.slice(folder.length) });
  return { ...content, otherFiles };
}

type ListedOids = [oid: string, repositoryTypes: unknown][];

function changeLfsListing(
  otherFiles: ProjectContent['otherFiles'],
  change: (oids: ListedOids) => ListedOids,
): void {
  const listing = otherFiles.get('lfs-objects.json');
  if (!Buffer.isBuffer(listing)) return;
  const oids = Object.entries(JSON.parse(listing.toString('utf8')) as JsonRecord);
  otherFiles.set('lfs-objects.json', Buffer.from(JSON.stringify(Object.fromEntries(change(oids)))));
}

const wikiBundle = 'project.wiki.bundle';

/** Removes the whole wiki, which has one page. */
function withoutWiki(content: ProjectContent, lost: ContentLoss[]): ProjectContent {
  const otherFiles = new Map(content.otherFiles);
  if (otherFiles.delete(wikiBundle)) lost.push({ relation: 'wiki', part: 'content', name: 'home' });
  return { ...content, otherFiles };
}

function withChangedFiles(
  content: ProjectContent,
  { of, count }: FaultOf<'change-files'>,
  lost: ContentLoss[],
): ProjectContent {
  const otherFiles = new Map(content.otherFiles);
  if (of === 'wiki') {
    if (otherFiles.has(wikiBundle)) lost.push({ relation: of, part: 'content', name: 'home' });
    otherFiles.set(
      wikiBundle,
      generateWiki(new SeededRandom(1), { name: 'Changed', email: 'changed@a.example' }),
    );
    return { ...content, otherFiles };
  }
  const names = [...otherFiles.keys()].filter((name) => name.startsWith(`${of}/`)).sort();
  for (const name of names.slice(-count)) {
    const changed = Buffer.alloc(sizeOf(otherFiles.get(name)), '?');
    if (of === 'lfs-objects') {
      replaceLfsObject(otherFiles, name, changed);
      lost.push({ relation: 'lfs_objects', part: 'file', name: oidOf(name) });
      continue;
    }
    otherFiles.set(name, changed);
    lost.push({ relation: of, part: 'content', name: name.slice(of.length + 1) });
  }
  return { ...content, otherFiles };
}

const oidOf = (member: string): string => member.slice('lfs-objects/'.length);

/** GitLab names an LFS object by the SHA-256 of its content, so another content is another object. */
function replaceLfsObject(otherFiles: ProjectContent['otherFiles'], member: string, content: Buffer): void {
  const oid = createHash('sha256').update(content).digest('hex');
  otherFiles.delete(member);
  otherFiles.set(`lfs-objects/${oid}`, content);
  changeLfsListing(otherFiles, (oids) =>
    oids.map(([listed, types]) => [listed === oidOf(member) ? oid : listed, types]),
  );
}

/** Removes and moves the refs of all faults at once, because a bundle file cannot be copied to its own path. */
async function withChangedRefs(
  content: ProjectContent,
  faults: readonly FaultOf<'drop-refs' | 'move-refs'>[],
  defaultBranch: string | null,
  path: string,
  lost: ContentLoss[],
): Promise<ProjectContent> {
  const bundle = content.otherFiles.get('project.bundle');
  if (bundle === undefined || faults.length === 0) return content;
  const refs = await refsOf(content);
  const changes = new Map<string, string | null>();
  const findParent = faults.some(({ kind }) => kind === 'move-refs') ? await parentFinder(bundle) : null;
  for (const { kind, of, count } of faults) {
    const prefix = of === 'branches' ? 'refs/heads/' : 'refs/tags/';
    const isDefault = ({ name }: Ref): boolean => of === 'branches' && name === defaultBranch;
    const inOrder = refs[of].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const unchanged = inOrder.filter(({ name }) => !changes.has(`${prefix}${name}`));
    const others = unchanged.filter((ref) => !isDefault(ref));
    const chosen = kind === 'move-refs' ? [...others, ...unchanged.filter(isDefault)] : others;
    for (const { name, sha } of chosen.slice(-count)) {
      const parent = kind === 'move-refs' ? (findParent?.(sha) ?? sha) : null;
      if (parent === sha) continue;
      changes.set(`${prefix}${name}`, parent);
      lost.push({ relation: of, part: kind === 'move-refs' ? 'commit' : 'ref', name });
    }
  }
  const shorter = await createBundleWithChangedRefs(bundle, changes, path);
  return { ...content, otherFiles: new Map(content.otherFiles).set('project.bundle', shorter ?? bundle) };
}

function withoutSettings(
  content: ProjectContent,
  { names }: FaultOf<'drop-settings'>,
  lost: ContentLoss[],
): ProjectContent {
  const all = Object.entries(content.attributes);
  for (const name of names) {
    if (content.attributes[name] !== undefined) lost.push({ relation: 'project', part: 'setting', name });
  }
  const attributes = Object.fromEntries(all.filter(([name]) => !names.includes(name)));
  const shorter = withoutColumns({ ...content, attributes }, names);
  const shortest = withoutCustomAttributes(shorter.content, names);
  for (const { relation, name } of [...shorter.lost, ...shortest.lost])
    lost.push({ relation, part: 'setting', name });
  return shortest.content;
}
