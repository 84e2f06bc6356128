/** @file The records of a seeded project with discussions: issues, merge requests and snippets; and notes on commits. */
import type { JsonRecord } from './project-content.ts';
import { emptyLists, nullFields } from './record-fields.ts';
import type { Recipe } from './recipes.ts';
import { RecordMaker, type Author } from './records.ts';
import type { AddedFile, TopicBranch } from './repository.ts';

export class NoteableMaker extends RecordMaker {
  issue(index: number, recipe: Recipe, labels: JsonRecord[], milestones: JsonRecord[]): JsonRecord {
    const closed = index % 3 === 2;
    const times = this.times();
    return {
      title: this.random.words(3 + this.random.integerBelow(4)),
      author_id: index % 5 === 3 ? this.colleague.id : this.author.id,
      project_id: this.projectId,
      ...times,
      description: `${this.random.words(20)}\n\n- [ ] ${this.random.words(4)}`,
      iid: index + 1,
      confidential: index % 11 === 10,
      lock_version: 0,
      time_estimate: 0,
      relative_position: (index + 1) * 513,
      ...nullFields('updated_by_id weight due_date last_edited_at last_edited_by_id'),
      ...nullFields('discussion_locked health_status external_key'),
      closed_at: closed ? times.updated_at : null,
      closed_by_id: closed ? this.author.id : null,
      state: closed ? 'closed' : 'opened',
      events: [this.event('created', 'Issue')],
      notes: this.#conversation('Issue', recipe.discussions),
      label_links: this.#labelLinks('Issue', labels),
      ...this.#milestoneField(index, milestones),
      ...this.#activity(index, 'Issue', times),
      ...this.#history(index, times, labels[0], milestones[0]),
      issue_assignees: this.#users(index % 4 === 1, this.colleague, index % 2 === 1, this.author),
      ...emptyLists('designs design_versions zoom_meetings'),
      work_item_type: { base_type: 'issue' },
    };
  }

  mergeRequest(
    index: number,
    recipe: Recipe,
    branches: readonly TopicBranch[],
    labels: JsonRecord[],
    milestones: JsonRecord[],
  ): JsonRecord {
    const branch = branches[index % Math.max(1, branches.length)];
    const head = branch?.sha ?? this.random.hex(40);
    const base = branch?.base ?? this.random.hex(40);
    const files = branch?.files ?? [{ path: 'README.md', text: '' }];
    const path = files[0]?.path ?? '';
    const state = this.random.pick(['opened', 'merged', 'closed']);
    const times = this.times();
    return {
      target_branch: 'main',
      source_branch: branch?.name ?? `gone-${index + 1}`,
      source_project_id: this.projectId,
      author_id: this.author.id,
      title: this.random.words(4),
      ...times,
      merge_status: 'can_be_merged',
      target_project_id: this.projectId,
      iid: index + 1,
      description: this.random.words(15),
      merge_params: { force_remove_source_branch: '1' },
      merge_when_pipeline_succeeds: false,
      ...nullFields(
        'updated_by_id merge_error merge_user_id merge_commit_sha discussion_locked squash_commit_sha',
      ),
      ...nullFields('merge_ref_sha approvals_before_merge'),
      lock_version: 0,
      time_estimate: 0,
      squash: index % 4 === 1,
      draft: index % 5 === 4,
      diff_head_sha: head,
      source_branch_sha: head,
      target_branch_sha: base,
      state,
      metrics: {
        ...times,
        merged_at: state === 'merged' ? times.updated_at : null,
        latest_closed_at: state === 'closed' ? times.updated_at : null,
        merged_by_id: state === 'merged' ? this.author.id : null,
        latest_closed_by_id: state === 'closed' ? this.author.id : null,
        target_project_id: this.projectId,
        ...this.#builds(index, times),
      },
      notes: [
        ...this.#conversation('MergeRequest', recipe.discussions),
        ...Array.from({ length: recipe.diffNotes }, (_, line) =>
          this.#diffNote(path, base, head, line + 1, {
            emoji: index === 0 ? ['eyes'] : [],
            isResolved: line % 2 === 1,
          }),
        ),
      ],
      merge_request_diff: this.#diff(files, base, head, times),
      events: [this.event('created', 'MergeRequest')],
      label_links: this.#labelLinks('MergeRequest', labels),
      ...this.#milestoneField(index, milestones),
      ...this.#activity(index, 'MergeRequest', times),
      merge_request_assignees: this.#users(index % 3 === 0, this.author, false, this.author),
      merge_request_reviewers: this.#users(index % 3 !== 1, this.colleague, index % 3 === 1, this.author).map(
        (reviewer) => ({
          ...reviewer,
          ...{ created_at: times.created_at, state: ['unreviewed', 'reviewed', 'approved'][index % 3] },
        }),
      ),
      approvals: this.#users(index % 3 === 2, this.colleague, index % 6 === 5, this.author).map(
        (approval) => ({
          ...approval,
          created_at: times.created_at,
        }),
      ),
      ...this.#history(index, times, labels[0], milestones[0]),
    };
  }

  /** Returns build times for every third merge request, and none for the others. */
  #builds(index: number, { created_at: startedAt, updated_at: endedAt }: JsonRecord): JsonRecord {
    const hasBuilds = index % 3 === 2;
    return {
      latest_build_started_at: hasBuilds ? startedAt : null,
      latest_build_finished_at: hasBuilds ? endedAt : null,
      first_deployed_to_production_at: hasBuilds ? endedAt : null,
    };
  }

  /** Each user for whom the condition before is true. */
  #users(isFirst: boolean, first: Author, isSecond: boolean, second: Author): JsonRecord[] {
    return [...(isFirst ? [first] : []), ...(isSecond ? [second] : [])].map(({ id }) => ({ user_id: id }));
  }

  /** Changes of some records. */
  #history(index: number, times: JsonRecord, label?: JsonRecord, milestone?: JsonRecord): JsonRecord {
    const event = { user_id: this.author.id, created_at: times['created_at'] };
    const hasHistory = index % 3 === 2;
    const added = (name: string, value: JsonRecord | undefined): JsonRecord[] =>
      hasHistory && value !== undefined ? [{ ...event, action: 'add', [name]: value }] : [];
    return {
      resource_state_events: hasHistory ? [{ ...event, state: 'closed', source_commit: null }] : [],
      resource_label_events: added('label', label),
      resource_milestone_events: added('milestone', milestone),
    };
  }

  /** Time logs and votes of some records. */
  #activity(index: number, awardable: string, times: JsonRecord): JsonRecord {
    const log = { time_spent: 1800, user_id: this.author.id, project_id: this.projectId, summary: null };
    const vote = { user_id: this.author.id, awardable_type: awardable, ...times };
    const votes = index % 7 === 0 ? ['thumbsup', 'rocket'] : index % 7 === 4 ? ['thumbsdown'] : [];
    const emoji = index % 3 === 2 ? ['rocket'] : votes;
    return {
      timelogs:
        index % 5 === 1 ? [1, 2].map(() => ({ ...log, spent_at: times['created_at'], ...times })) : [],
      award_emoji: emoji.map((name) => ({ ...vote, name })),
    };
  }

  snippet(index: number): JsonRecord {
    const times = this.times();
    const reaction = { user_id: this.colleague.id, awardable_type: 'Snippet', ...times };
    return {
      title: this.random.words(2),
      description: '',
      content: `puts "${this.random.words(6)}"\n`,
      author_id: this.author.id,
      project_id: this.projectId,
      ...times,
      file_name: `snippet-${index + 1}.rb`,
      visibility_level: 0,
      award_emoji: [{ name: 'heart', ...reaction }],
      notes: [this.#note('Snippet', { discussion_id: this.random.hex(40) })],
    };
  }

  commitNote(commit: string): JsonRecord {
    return this.#note('Commit', { commit_id: commit });
  }

  #conversation(noteable: string, discussions: number): JsonRecord[] {
    const notes: JsonRecord[] = [];
    for (let index = 0; index < discussions; index += 1) {
      const discussion = this.random.hex(40);
      const count = 1 + this.random.integerBelow(3);
      for (let note = 0; note < count; note += 1) {
        const type = count === 1 ? null : 'DiscussionNote';
        const writer = note === 0 ? this.author : this.colleague;
        const author = { author_id: writer.id, author: { name: writer.name } };
        notes.push(this.#note(noteable, { type, discussion_id: discussion, ...author }));
      }
    }
    const system_note_metadata = { action: 'description', commit_count: null };
    notes.push(this.#note(noteable, { system: true, note: 'changed the description', system_note_metadata }));
    return notes;
  }

  #diffNote(
    path: string,
    base: string,
    head: string,
    line: number,
    { emoji, isResolved }: { emoji: readonly string[]; isResolved: boolean },
  ): JsonRecord {
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
      ignore_whitespace_change: false,
    };
    const note = this.#note('MergeRequest', {
      ...{ type: 'DiffNote', position, original_position: position },
      ...(emoji.length > 0 && this.#reactions(emoji)),
    });
    const resolution = { resolved_at: note['updated_at'], resolved_by_id: this.author.id };
    return isResolved ? { ...note, ...resolution } : note;
  }

  /** The reactions to a note, which set the time of its last change. */
  #reactions(emoji: readonly string[]): JsonRecord {
    const times = this.times();
    const reaction = { user_id: this.author.id, awardable_type: 'Note', created_at: times.updated_at };
    return { ...times, award_emoji: emoji.map((name) => ({ name, ...reaction })) };
  }

  #note(noteable: string, fields: JsonRecord): JsonRecord {
    const { created_at: at } = this.times();
    return {
      note: this.random.words(10),
      noteable_type: noteable,
      author_id: this.author.id,
      ...{ created_at: at, updated_at: at },
      project_id: this.projectId,
      attachment: { url: null },
      system: false,
      ...nullFields('line_code commit_id st_diff updated_by_id type position original_position resolved_at'),
      ...nullFields('resolved_by_id change_position resolved_by_push confidential'),
      discussion_id: this.random.hex(40),
      author: { name: this.author.name },
      ...emptyLists(noteable === 'MergeRequest' ? 'award_emoji events suggestions' : 'award_emoji events'),
      ...fields,
    };
  }

  #diff(files: readonly AddedFile[], base: string, head: string, times: JsonRecord): JsonRecord {
    const identity = { name: this.author.name, email: this.author.email };
    return {
      state: 'collected',
      ...times,
      base_commit_sha: base,
      start_commit_sha: base,
      head_commit_sha: head,
      real_size: String(files.length),
      commits_count: 1,
      files_count: files.length,
      sorted: true,
      diff_type: 'regular',
      merge_request_diff_commits: [
        {
          authored_date: times['created_at'],
          committed_date: times['created_at'],
          relative_order: 0,
          sha: head,
          message: `Change ${files[0]?.path ?? ''}`,
          trailers: {},
          commit_author: identity,
          committer: identity,
        },
      ],
      merge_request_diff_files: files.map(({ path, text }, index) => ({
        relative_order: index,
        new_file: true,
        renamed_file: false,
        deleted_file: false,
        too_large: false,
        a_mode: '0',
        b_mode: '100644',
        new_path: path,
        old_path: path,
        binary: false,
        utf8_diff: addedLines(text),
      })),
    };
  }

  #labelLinks(target: string, labels: JsonRecord[]): JsonRecord[] {
    if (labels.length === 0) return [];
    return [{ target_type: target, ...this.times(), label: this.random.pick(labels) }];
  }

  #milestoneField(index: number, milestones: JsonRecord[]): JsonRecord {
    return milestones.length === 0 || index % 2 === 0 ? {} : { milestone: this.random.pick(milestones) };
  }
}

function addedLines(text: string): string {
  const lines = text.split('\n').filter(Boolean);
  return `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
}
