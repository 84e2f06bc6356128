/** @file Generates the content of a seeded project. The same recipe and seed give the same bytes. */
import { createHash } from 'node:crypto';
import { SeededRandom } from './seeded-random.ts';
import { NoteableMaker } from './noteable-records.ts';
import { generateRepository, generateWiki } from './repository.ts';
import { emptyContent, encodeRecords, type JsonRecord, type ProjectContent } from './project-content.ts';
import type { Recipe } from './recipes.ts';
import type { Author } from './records.ts';
import { withAvatar, type Avatar } from '../projects/avatar.ts';
import { visibilityLevels } from '../exporting/root-attributes.ts';

export function generateContent(
  recipe: Recipe,
  projectId: number,
  seed: number,
  author: Author,
  colleague: Author = author,
): ProjectContent {
  const random = new SeededRandom(seed, recipe.words);
  const content = emptyContent();
  const repository = recipe.commits === 0 ? null : generateRepository(recipe, random, author);
  const make = new NoteableMaker(random, projectId, author, colleague);
  const many = (count: number, one: (index: number) => JsonRecord): JsonRecord[] =>
    Array.from({ length: count }, (_, index) => one(index));

  const labels = many(recipe.labels, (index) => make.label(index));
  const milestones = many(recipe.milestones, (index) => make.milestone(index));
  const issues = many(recipe.issues, (index) => make.issue(index, recipe, labels, milestones));
  const mergeRequests = many(recipe.mergeRequests, (index) =>
    make.mergeRequest(index, recipe, repository?.branches ?? [], labels, milestones),
  );
  const collections: Record<string, JsonRecord[]> = {
    labels: labels.map((label) => ({ ...label, textColor: '#FFFFFF' })),
    milestones,
    issues,
    merge_requests: mergeRequests,
    snippets: many(recipe.snippets, (index) => make.snippet(index)),
    releases: many(recipe.releases, (index) => make.release(index, repository?.tags[index])),
    ci_pipelines: many(recipe.pipelines, (index) => make.pipeline(index, repository?.head ?? '')),
    project_members: [make.member()],
    protected_branches: repository === null ? [] : [make.protectedBranch()],
    boards: labels.length === 0 ? [] : [make.board(labels)],
    commit_notes: many(recipe.commitNotes, (index) =>
      make.commitNote((index % 3 < 2 ? repository?.head : repository?.branches[0]?.sha) ?? ''),
    ),
  };
  for (const [name, records] of Object.entries(collections)) {
    if (records.length > 0) content.relations.set(name, encodeRecords(records));
  }
  for (const [name, value] of Object.entries(make.singleRecordRelations())) {
    content.relations.set(name, Buffer.from(JSON.stringify(value)));
  }
  if (recipe.badges > 0)
    content.relations.set('project_badges', encodeRecords(many(recipe.badges, (index) => make.badge(index))));
  if (recipe.schedules > 0) {
    const schedules = many(recipe.schedules, (index) => make.pipelineSchedule(index));
    content.relations.set('pipeline_schedules', encodeRecords(schedules));
  }
  if (recipe.environments > 0) {
    const environments = many(recipe.environments, () => make.protectedEnvironment());
    content.relations.set('protected_environments', encodeRecords(environments));
    content.relations.set('protected_tags', encodeRecords(environments.map(protectedTag)));
  }
  if (recipe.approvalRules > 0)
    content.relations.set(
      'approval_rules',
      encodeRecords(many(recipe.approvalRules, () => make.approvalRule())),
    );
  if (recipe.pushRules > 0) content.relations.set('push_rule', Buffer.from(JSON.stringify(make.pushRule())));
  if (recipe.errorTrackings > 0)
    content.relations.set('error_tracking_setting', Buffer.from(JSON.stringify(make.errorTrackingSetting())));
  content.attributes = {
    description: recipe.description,
    visibility_level: visibilityLevels[recipe.visibility],
    archived: recipe.archived,
    merge_requests_rebase_enabled: false,
    shared_runners_enabled: true,
    build_timeout: 3600,
    public_builds: true,
    request_access_enabled: true,
    printing_merge_request_link_enabled: true,
    auto_cancel_pending_pipelines: 'enabled',
    autoclose_referenced_issues: true,
    remove_source_branch_after_merge: true,
    suggestion_commit_message: null,
    squash_option: 'default_off',
  };
  if (repository !== null) content.otherFiles.set('project.bundle', repository.bundle);
  if (recipe.wiki) content.otherFiles.set('project.wiki.bundle', generateWiki(random, author));
  addFiles(content, recipe, random);
  return withAvatar(content, avatarOf(recipe));
}

/** Returns the avatar of a seeded project; null without one. The sandbox shows it before the content is generated. */
export const avatarOf = ({ avatars, path }: Recipe): Avatar | null =>
  avatars === 0 ? null : { name: 'logo.png', bytes: Buffer.from(`PNG ${path}`) };

function addFiles(content: ProjectContent, recipe: Recipe, random: SeededRandom): void {
  for (let index = 0; index < recipe.uploads; index += 1) {
    const text = random.words(40 + random.integerBelow(400));
    content.otherFiles.set(`uploads/${random.hex(32)}/note-${index + 1}.txt`, Buffer.from(text));
  }
  const oids: Record<string, number[]> = {};
  for (let index = 0; index < recipe.lfsObjects; index += 1) {
    const bytes = Buffer.from(random.words(2000));
    const oid = createHash('sha256').update(bytes).digest('hex');
    oids[oid] = [0];
    content.otherFiles.set(`lfs-objects/${oid}`, bytes);
  }
  content.otherFiles.set('lfs-objects.json', Buffer.from(JSON.stringify(oids)));
}

/** Returns a protected tag with the levels and times of a protected environment. */
const protectedTag = ({ deploy_access_levels: levels, group_id: _, ...times }: JsonRecord): JsonRecord => ({
  ...times,
  name: 'v*',
  create_access_levels: levels,
});
