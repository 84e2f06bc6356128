/**
 * @file Changes that people make to the records of a project, with the effects that they have in GitLab: on times, on numbers,
 * on other records and on the time of the last activity. The API of the sandbox does not have these requests.
 */
import { isoTime, type Clock } from '../../platform/clock.ts';
import { createBundleWithRefs } from '../content/shorter-bundle.ts';
import {
  encodeRecords,
  isObject,
  notesOf,
  recordsOf,
  refsOf,
  type FileBytes,
  type JsonRecord,
} from '../content/project-content.ts';
import type { Ref } from '../content/git-bundle.ts';
import type { Project, SandboxDatabase } from '../sandbox-database.ts';

/** Relations whose changes GitLab records as an activity of the project. Changes of the other relations are not recorded. */
const activeRelations: ReadonlySet<string> = new Set(['issues', 'merge_requests', 'milestones']);

/** Each change of these sets the time of the last change of their project (docs/gitlab-facts.md, section 7). */
const touchingRelations: ReadonlySet<string> = new Set(['protected_branches', 'protected_tags']);

/** GitLab stores a later activity only after this time. */
const activityMs = 3_600_000;

/** Places where records name a label or milestone, by the relation that contains it. */
const mentions = { labels: 'label', milestones: 'milestone' } as const;
const mentioningRelations = ['issues', 'merge_requests', 'boards', 'releases'] as const;

export class ProjectEdits {
  readonly #project: Project;
  readonly #database: SandboxDatabase;
  readonly #clock: Clock;

  constructor(project: Project, database: SandboxDatabase, clock: Clock) {
    this.#project = project;
    this.#database = database;
    this.#clock = clock;
  }

  records(relation: string): readonly JsonRecord[] {
    return recordsOf(this.#project.content(), relation);
  }

  /** Adds a record like the last one, but with the next number, the current time and these fields. */
  add(relation: string, fields: JsonRecord = {}): void {
    const records = this.records(relation);
    const { notes, iid, ...last } = records.at(-1) ?? {};
    const now = this.#now();
    const record = {
      ...last,
      ...(notes === undefined ? {} : { notes: [] }),
      ...(typeof iid === 'number' && { iid: this.#nextIid(relation) }),
      ...{ created_at: now, updated_at: now },
      ...fields,
    };
    const numbers = this.#rowNumbers(relation);
    numbers.push(1 + Math.max(-1, ...numbers, ...records.keys()));
    this.#replace(relation, [...records, record]);
    if (activeRelations.has(relation)) this.#recordActivity();
  }

  /** Changes fields of a record. A negative index counts from the end. */
  change(relation: string, index: number, fields: JsonRecord): void {
    this.#replace(
      relation,
      this.#changed(relation, index, () => ({ updated_at: this.#now(), ...fields })),
    );
    if (activeRelations.has(relation)) this.#recordActivity();
  }

  /** Removes a record. Its number is never used again. Records that name the label or milestone no longer name it. */
  remove(relation: string, index: number): void {
    const records = [...this.records(relation)];
    this.#project.lastIids.set(relation, this.#nextIid(relation) - 1);
    const numbers = this.#rowNumbers(relation);
    const [removed] = records.splice(index, 1);
    numbers.splice(index, 1);
    this.#replace(relation, records);
    const isLast = records.every(({ title }) => title !== removed?.['title']);
    if (isLast && (relation === 'labels' || relation === 'milestones'))
      this.#mention(relation, removed?.['title'], null);
  }

  /** Renames a label or milestone. The records that name it keep the time of their last change. */
  rename(relation: 'labels' | 'milestones', index: number, title: string): void {
    const records = this.records(relation);
    const before = records.at(index)?.['title'];
    // GitLab refuses a title that another label or milestone of the project has.
    if (title !== before && records.some((record) => record['title'] === title))
      throw new Error(`The project already has ${title} among its ${relation}.`);
    this.change(relation, index, { title });
    this.#mention(relation, before, title);
  }

  /** Adds a note to a record, which thereby changes. */
  addNote(relation: 'issues' | 'merge_requests', index: number, fields: JsonRecord): void {
    const now = this.#now();
    const added = { system: false, type: null, author_id: this.#project.creatorId, created_at: now };
    this.#replace(
      relation,
      this.#changed(relation, index, (record) => ({
        updated_at: now,
        notes: [...notesOf(record), { ...added, updated_at: now, ...fields }],
      })),
    );
    this.#recordActivity();
  }

  /** Removes notes of a record, which keeps the time of its last change. */
  removeNotes(
    relation: 'issues' | 'merge_requests',
    index: number,
    isRemoved: (note: JsonRecord) => boolean,
  ): void {
    this.#replace(
      relation,
      this.#changed(relation, index, (record) => ({
        notes: notesOf(record).filter((note) => !isRemoved(note)),
      })),
    );
  }

  /** Pushes other branches and tags. Names are complete, such as `refs/heads/main`. */
  async changeRefs(change: (refs: Ref[]) => Ref[]): Promise<void> {
    const { otherFiles } = this.#project.content();
    const bundle = otherFiles.get('project.bundle');
    if (bundle === undefined) throw new Error('An empty repository has no refs.');
    const { branches, tags } = await refsOf(this.#project.content());
    const refs = [
      ...branches.map(({ name, sha }) => ({ name: `refs/heads/${name}`, sha })),
      ...tags.map(({ name, sha }) => ({ name: `refs/tags/${name}`, sha })),
    ];
    const path = Buffer.isBuffer(bundle) ? '' : `${bundle.path}-${this.#database.nextId()}`;
    const changed = await createBundleWithRefs(bundle, change(refs), path);
    otherFiles.set('project.bundle', changed ?? bundle);
    this.#recordActivity();
  }

  /** Names of the files of an export that start with this prefix, in the order of names. */
  files(prefix: string): string[] {
    return [...this.#project.content().otherFiles.keys()].filter((name) => name.startsWith(prefix)).sort();
  }

  file(name: string): FileBytes | null {
    return this.#project.content().otherFiles.get(name) ?? null;
  }

  /** Adds a file of an export that is as old as the project. */
  addOldFile(name: string, bytes: FileBytes): void {
    this.#project.content().otherFiles.set(name, bytes);
  }

  /** Adds a file of an export, such as `uploads/<secret>/<name>`, or removes it if `bytes` is null. */
  setFile(name: string, bytes: FileBytes | null): void {
    const { otherFiles } = this.#project.content();
    if (bytes === null) otherFiles.delete(name);
    else otherFiles.set(name, bytes);
    const [, secret, filename] = /^uploads\/([0-9a-f]{32})\/(.+)$/.exec(name) ?? [];
    if (bytes !== null && secret !== undefined && filename !== undefined) {
      const row = { id: this.#database.nextId(), archiveMember: name, createdAt: this.#clock.now() };
      this.#project.uploads.push({ ...row, secret, filename, uploaderId: this.#project.creatorId });
    }
    // GitLab records pushes and changes of wikis, and no uploads.
    if (secret === undefined) this.#recordActivity();
  }

  /** Changes the level of a feature. GitLab stores these levels in another table, without a new time of the project. */
  setFeature(feature: string, level: string): void {
    this.#project.attributes[`${feature}_access_level`] = level;
  }

  /** Changes the role of a member, without an activity. */
  setMember(username: string, level: number): void {
    const user = this.#database.userByUsername(username);
    if (user === undefined) throw new Error(`The sandbox has no ${username}.`);
    if (!this.#project.members.has(user.id)) {
      this.#project.memberSince.set(user.id, this.#clock.now());
      this.#recordActivity();
    }
    this.#project.members.set(user.id, level);
  }

  /** Makes a user a member by the user's invitation, which is the same row of GitLab: the role and the time stay. */
  acceptInvitation(email: string, username: string): void {
    const records = this.records('project_members');
    const index = records.findIndex((record) => record['invite_email'] === email);
    const [user, record] = [this.#database.userByUsername(username), records[index]];
    if (user === undefined || record === undefined)
      throw new Error(`The sandbox has no ${username}, or no invitation of ${email}.`);
    this.remove('project_members', index);
    this.#project.members.set(user.id, Number(record['access_level']));
    this.#project.memberSince.set(user.id, Date.parse(String(record['created_at'])));
  }

  #now(): string {
    return isoTime(this.#clock.now());
  }

  #nextIid(relation: string): number {
    const iids = this.records(relation).map(({ iid }) => (typeof iid === 'number' ? iid : 0));
    return 1 + Math.max(this.#project.lastIids.get(relation) ?? 0, 0, ...iids);
  }

  #rowNumbers(relation: string): number[] {
    const numbers = this.#project.rowNumbers.get(relation) ?? [...this.records(relation).keys()];
    this.#project.rowNumbers.set(relation, numbers);
    return numbers;
  }

  #changed(relation: string, index: number, change: (record: JsonRecord) => JsonRecord): JsonRecord[] {
    const records = [...this.records(relation)];
    const at = index < 0 ? records.length + index : index;
    const record = records[at];
    if (record === undefined) throw new Error(`There is no record ${index} of ${relation}.`);
    records[at] = { ...record, ...change(record) };
    return records;
  }

  #replace(relation: string, records: readonly JsonRecord[]): void {
    this.#project.content().relations.set(relation, encodeRecords(records));
    if (touchingRelations.has(relation)) this.#project.updatedAt = this.#clock.now();
  }

  /** Gives the label or milestone another title in the records that name it, or removes it from them. */
  #mention(relation: keyof typeof mentions, before: unknown, title: string | null): void {
    const name = mentions[relation];
    for (const mentioning of mentioningRelations) {
      const records = this.records(mentioning);
      if (records.length === 0) continue;
      const changed = records.map((record) => withMention(record, name, before, title) as JsonRecord);
      this.#replace(mentioning, changed);
    }
  }

  #recordActivity(): void {
    const now = this.#clock.now();
    const project = this.#project;
    if (now - project.lastActivityAt >= activityMs) project.updatedAt = project.lastActivityAt = now;
  }
}

/** Returns the value in which the named label or milestone has another title, or is missing if `title` is null. */
function withMention(value: unknown, name: string, before: unknown, title: string | null): unknown {
  const isNamed = (element: unknown): boolean =>
    isObject(element) && isObject(element[name]) && element[name]['title'] === before;
  if (Array.isArray(value))
    return value
      .filter((element) => title !== null || !isNamed(element))
      .map((element) => withMention(element, name, before, title));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    if (key !== name || !isNamed(value)) return [key, withMention(inner, name, before, title)];
    return [key, title === null ? null : { ...(inner as JsonRecord), title }];
  });
  return Object.fromEntries(entries);
}
