/**
 * @file Content of a seeded project: records with the field names of GitLab's NDJSON exports, a repository, a wiki,
 * uploads and large files. The same recipe and seed give the same bytes.
 */
import { createHash } from 'node:crypto';
import { Chance, minuteAfterEpoch } from './chance.ts';
import { generateRepository, generateWiki } from './repository.ts';
import { emptyContent, encodeRecords, type JsonRecord, type ProjectContent } from './project-content.ts';
import type { Recipe } from './recipes.ts';

const visibilityLevel = { private: 0, internal: 10, public: 20 };

export interface SeedPeople {
  /** Becomes the author of everything. */
  author: { id: number; name: string; email: string; username: string };
}

export function generateContent(
  recipe: Recipe,
  projectId: number,
  seed: number,
  { author }: SeedPeople,
): ProjectContent {
  const chance = new Chance(seed, recipe.words);
  const content = emptyContent();
  const repository = recipe.commits === 0 ? null : generateRepository(recipe, chance, author);
  const make = new RecordMaker(chance, projectId, author);
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
  };
  for (const [name, records] of Object.entries(collections)) {
    if (records.length > 0) content.relations.set(name, encodeRecords(records));
  }
  for (const [name, value] of Object.entries(make.singletons())) {
    content.relations.set(name, Buffer.from(JSON.stringify(value)));
  }
  content.attributes = {
    description: recipe.description,
    visibility_level: visibilityLevel[recipe.visibility],
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
  if (repository !== null) content.members.set('project.bundle', repository.bundle);
  if (recipe.wiki) content.members.set('project.wiki.bundle', generateWiki(chance, author));
  addFiles(content, recipe, chance);
  return content;
}

function addFiles(content: ProjectContent, recipe: Recipe, chance: Chance): void {
  for (let index = 0; index < recipe.uploads; index += 1) {
    const text = chance.words(40 + chance.below(400));
    content.members.set(`uploads/${chance.hex(32)}/note-${index + 1}.txt`, Buffer.from(text));
  }
  const oids: Record<string, number[]> = {};
  for (let index = 0; index < recipe.lfsObjects; index += 1) {
    const bytes = Buffer.from(chance.words(2000));
    const oid = createHash('sha256').update(bytes).digest('hex');
    oids[oid] = [0];
    content.members.set(`lfs-objects/${oid}`, bytes);
  }
  content.members.set('lfs-objects.json', Buffer.from(JSON.stringify(oids)));
}

/** Builds single records; knows the project, the author and the passing of time, nothing of relations. */
class RecordMaker {
  readonly #chance: Chance;
  readonly #projectId: number;
  readonly #author: SeedPeople['author'];
  #minute = 0;

  constructor(chance: Chance, projectId: number, author: SeedPeople['author']) {
    this.#chance = chance;
    this.#projectId = projectId;
    this.#author = author;
  }

  label(index: number): JsonRecord {
    return {
      title: `${this.#chance.words(1)}::${index + 1}`,
      color: `#${this.#chance.hex(6)}`,
      project_id: this.#projectId,
      ...this.#times(),
      template: false,
      description: index % 2 === 0 ? null : this.#chance.words(5),
      group_id: null,
      type: 'ProjectLabel',
      priorities: [],
    };
  }

  milestone(index: number): JsonRecord {
    const due = index % 3 === 0 ? null : minuteAfterEpoch((index + 30) * 1440).slice(0, 10);
    return {
      title: `${index + 1}.0 ${this.#chance.words(1)}`,
      project_id: this.#projectId,
      description: this.#chance.words(8),
      due_date: due,
      ...this.#times(),
      state: index % 4 === 3 ? 'closed' : 'active',
      iid: index + 1,
      start_date: null,
      group_id: null,
      events: [this.#event('created', 'Milestone')],
    };
  }

  issue(index: number, recipe: Recipe, labels: JsonRecord[], milestones: JsonRecord[]): JsonRecord {
    const closed = index % 3 === 2;
    const times = this.#times();
    return {
      title: this.#chance.words(3 + this.#chance.below(4)),
      author_id: this.#author.id,
      project_id: this.#projectId,
      ...times,
      description: `${this.#chance.words(20)}\n\n- [ ] ${this.#chance.words(4)}`,
      iid: index + 1,
      updated_by_id: null,
      weight: null,
      confidential: index % 11 === 10,
      due_date: null,
      lock_version: 0,
      time_estimate: 0,
      relative_position: (index + 1) * 513,
      last_edited_at: null,
      last_edited_by_id: null,
      discussion_locked: null,
      closed_at: closed ? times.updated_at : null,
      closed_by_id: closed ? this.#author.id : null,
      health_status: null,
      external_key: null,
      state: closed ? 'closed' : 'opened',
      events: [this.#event('created', 'Issue')],
      timelogs: [],
      notes: this.#conversation('Issue', recipe.discussions),
      label_links: this.#labelLinks('Issue', labels),
      ...this.#inMilestone(index, milestones),
      resource_label_events: [],
      resource_milestone_events: [],
      resource_state_events: [],
      designs: [],
      design_versions: [],
      issue_assignees: [],
      zoom_meetings: [],
      award_emoji: [],
      work_item_type: { base_type: 'issue' },
    };
  }

  mergeRequest(
    index: number,
    recipe: Recipe,
    branches: { name: string; sha: string; base: string; path: string; text: string }[],
    labels: JsonRecord[],
    milestones: JsonRecord[],
  ): JsonRecord {
    const branch = branches[index % Math.max(1, branches.length)];
    const head = branch?.sha ?? this.#chance.hex(40);
    const base = branch?.base ?? this.#chance.hex(40);
    const path = branch?.path ?? 'README.md';
    const state = this.#chance.pick(['opened', 'merged', 'closed']);
    const times = this.#times();
    return {
      target_branch: 'main',
      source_branch: branch?.name ?? `gone-${index + 1}`,
      source_project_id: this.#projectId,
      author_id: this.#author.id,
      title: this.#chance.words(4),
      ...times,
      merge_status: 'can_be_merged',
      target_project_id: this.#projectId,
      iid: index + 1,
      description: this.#chance.words(15),
      updated_by_id: null,
      merge_error: null,
      merge_params: { force_remove_source_branch: '1' },
      merge_when_pipeline_succeeds: false,
      merge_user_id: null,
      merge_commit_sha: null,
      lock_version: 0,
      time_estimate: 0,
      squash: false,
      discussion_locked: null,
      squash_commit_sha: null,
      merge_ref_sha: null,
      draft: index % 5 === 4,
      diff_head_sha: head,
      source_branch_sha: head,
      target_branch_sha: base,
      state,
      approvals: [],
      metrics: {
        ...times,
        merged_at: state === 'merged' ? times.updated_at : null,
        target_project_id: this.#projectId,
      },
      award_emoji: [],
      merge_request_assignees: [],
      merge_request_reviewers: [],
      notes: [
        ...this.#conversation('MergeRequest', recipe.discussions),
        ...Array.from({ length: recipe.diffNotes }, (_, line) => this.#diffNote(path, base, head, line + 1)),
      ],
      merge_request_diff: this.#diff(path, base, head, branch?.text ?? '', times),
      events: [this.#event('created', 'MergeRequest')],
      timelogs: [],
      label_links: this.#labelLinks('MergeRequest', labels),
      ...this.#inMilestone(index, milestones),
      resource_label_events: [],
      resource_milestone_events: [],
      resource_state_events: [],
    };
  }

  snippet(index: number): JsonRecord {
    return {
      title: this.#chance.words(2),
      description: '',
      content: `puts "${this.#chance.words(6)}"\n`,
      author_id: this.#author.id,
      project_id: this.#projectId,
      ...this.#times(),
      file_name: `snippet-${index + 1}.rb`,
      visibility_level: 0,
      notes: [],
    };
  }

  release(index: number, tag: { name: string; sha: string } | undefined): JsonRecord {
    const times = this.#times();
    return {
      tag: tag?.name ?? `v0.${index + 1}.0`,
      description: this.#chance.words(12),
      project_id: this.#projectId,
      ...times,
      author_id: this.#author.id,
      name: `Release ${index + 1}`,
      sha: tag?.sha ?? this.#chance.hex(40),
      released_at: times.updated_at,
      links: [],
      milestone_releases: [],
    };
  }

  pipeline(index: number, sha: string): JsonRecord {
    const times = this.#times();
    const status = this.#chance.pick(['success', 'failed', 'canceled', 'skipped']);
    return {
      project_id: this.#projectId,
      ref: 'main',
      sha,
      before_sha: '0'.repeat(40),
      ...times,
      tag: false,
      yaml_errors: null,
      status,
      started_at: times.created_at,
      finished_at: times.updated_at,
      duration: 60,
      user_id: this.#author.id,
      source: 'push',
      iid: index + 1,
      lock_version: 0,
      protected: true,
      stages: [
        {
          name: 'test',
          status: status === 'success' ? 3 : 4,
          position: 0,
          project_id: this.#projectId,
          ...times,
          builds: [],
          generic_commit_statuses: [],
          bridges: [],
        },
      ],
    };
  }

  member(): JsonRecord {
    const { id, username, email } = this.#author;
    return {
      access_level: 40,
      source_type: 'Project',
      user_id: id,
      notification_level: 3,
      ...this.#times(),
      created_by_id: id,
      invite_email: null,
      requested_at: null,
      expires_at: null,
      ldap: false,
      override: false,
      user: { id, username, public_email: email },
    };
  }

  protectedBranch(): JsonRecord {
    const level = { access_level: 40, ...this.#times(), user_id: null, group_id: null };
    return {
      project_id: this.#projectId,
      name: 'main',
      ...this.#times(),
      code_owner_approval_required: false,
      allow_force_push: false,
      merge_access_levels: [level],
      push_access_levels: [level],
      unprotect_access_levels: [],
    };
  }

  board(labels: JsonRecord[]): JsonRecord {
    const lists = labels.slice(0, 2).map((label, position) => ({ list_type: 'label', position, label }));
    return {
      project_id: this.#projectId,
      ...this.#times(),
      name: 'Development',
      weight: null,
      hide_backlog_list: false,
      hide_closed_list: false,
      lists,
    };
  }

  singletons(): Record<string, unknown> {
    return {
      auto_devops: null,
      error_tracking_setting: null,
      service_desk_setting: null,
      container_expiration_policy: null,
      ci_cd_settings: { group_runners_enabled: true, default_git_depth: 20, keep_latest_artifact: true },
      project_feature: {
        project_id: this.#projectId,
        merge_requests_access_level: 20,
        issues_access_level: 20,
        wiki_access_level: 20,
        snippets_access_level: 20,
        builds_access_level: 20,
        ...this.#times(),
        repository_access_level: 20,
      },
    };
  }

  #times(): { created_at: string; updated_at: string } {
    this.#minute += 7;
    return { created_at: minuteAfterEpoch(this.#minute), updated_at: minuteAfterEpoch(this.#minute + 3) };
  }

  #event(action: string, target: string): JsonRecord {
    return {
      project_id: this.#projectId,
      author_id: this.#author.id,
      ...this.#times(),
      action,
      target_type: target,
      fingerprint: null,
    };
  }

  /** Discussions of one to three notes, and one note that GitLab wrote. */
  #conversation(noteable: string, discussions: number): JsonRecord[] {
    const notes: JsonRecord[] = [];
    for (let index = 0; index < discussions; index += 1) {
      const discussion = this.#chance.hex(40);
      const count = 1 + this.#chance.below(3);
      for (let note = 0; note < count; note += 1) {
        const type = count === 1 ? null : 'DiscussionNote';
        notes.push(this.#note(noteable, { type, discussion_id: discussion }));
      }
    }
    notes.push(this.#note(noteable, { system: true, note: 'changed the description' }));
    return notes;
  }

  #diffNote(path: string, base: string, head: string, line: number): JsonRecord {
    const position = {
      base_sha: base,
      start_sha: base,
      head_sha: head,
      old_path: path,
      new_path: path,
      position_type: 'text',
      old_line: null,
      new_line: line,
      line_range: null,
    };
    return this.#note('MergeRequest', { type: 'DiffNote', position, original_position: position });
  }

  #note(noteable: string, fields: JsonRecord): JsonRecord {
    return {
      note: this.#chance.words(10),
      noteable_type: noteable,
      author_id: this.#author.id,
      ...this.#times(),
      project_id: this.#projectId,
      attachment: { url: null },
      line_code: null,
      commit_id: null,
      system: false,
      st_diff: null,
      updated_by_id: null,
      type: null,
      position: null,
      original_position: null,
      resolved_at: null,
      resolved_by_id: null,
      discussion_id: this.#chance.hex(40),
      change_position: null,
      resolved_by_push: null,
      confidential: null,
      author: { name: this.#author.name },
      award_emoji: [],
      events: [],
      ...(noteable === 'MergeRequest' ? { suggestions: [] } : {}),
      ...fields,
    };
  }

  #diff(path: string, base: string, head: string, text: string, times: JsonRecord): JsonRecord {
    const who = { name: this.#author.name, email: this.#author.email };
    const lines = text.split('\n').filter(Boolean);
    return {
      state: 'collected',
      ...times,
      base_commit_sha: base,
      start_commit_sha: base,
      head_commit_sha: head,
      real_size: '1',
      commits_count: 1,
      files_count: 1,
      sorted: true,
      diff_type: 'regular',
      merge_request_diff_commits: [
        {
          authored_date: times['created_at'],
          committed_date: times['created_at'],
          relative_order: 0,
          sha: head,
          message: `Change ${path}`,
          trailers: {},
          commit_author: who,
          committer: who,
        },
      ],
      merge_request_diff_files: [
        {
          relative_order: 0,
          new_file: true,
          renamed_file: false,
          deleted_file: false,
          too_large: false,
          a_mode: '0',
          b_mode: '100644',
          new_path: path,
          old_path: path,
          binary: false,
          utf8_diff: `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`,
        },
      ],
    };
  }

  #labelLinks(target: string, labels: JsonRecord[]): JsonRecord[] {
    if (labels.length === 0) return [];
    return [{ target_type: target, ...this.#times(), label: this.#chance.pick(labels) }];
  }

  #inMilestone(index: number, milestones: JsonRecord[]): JsonRecord {
    return milestones.length === 0 || index % 2 === 0 ? {} : { milestone: this.#chance.pick(milestones) };
  }
}
