/**
 * @file Creates the simpler records of a seeded project, with the field names of GitLab's exports (gitlab-facts 5.4).
 */
import { timeAtMinute, type SeededRandom } from './seeded-random.ts';
import type { JsonRecord } from './project-content.ts';
import { memberRecord, nullFields } from './record-fields.ts';
import type { User } from '../sandbox-database.ts';

export type Author = Pick<User, 'id' | 'name' | 'email' | 'username'>;

/** Creates the records of one project by two authors. Each record is some minutes newer than the previous one. */
export class RecordMaker {
  protected readonly random: SeededRandom;
  protected readonly projectId: number;
  protected readonly author: Author;
  /** Another user, who wrote some records. */
  protected readonly colleague: Author;
  #minute = 0;

  constructor(random: SeededRandom, projectId: number, author: Author, colleague: Author) {
    this.random = random;
    this.projectId = projectId;
    this.author = author;
    this.colleague = colleague;
  }

  label(index: number): JsonRecord {
    return {
      title: `${this.random.words(1)}::${index + 1}`,
      color: `#${this.random.hex(6)}`,
      project_id: this.projectId,
      ...this.times(),
      template: false,
      description: index % 2 === 0 ? null : this.random.words(5),
      group_id: null,
      type: 'ProjectLabel',
      priorities: [],
    };
  }

  milestone(index: number): JsonRecord {
    const due = index % 3 === 0 ? null : timeAtMinute((index + 30) * 1440).slice(0, 10);
    return {
      title: `${index + 1}.0 ${this.random.words(1)}`,
      project_id: this.projectId,
      description: this.random.words(8),
      due_date: due,
      ...this.times(),
      state: index % 4 === 3 ? 'closed' : 'active',
      iid: index + 1,
      ...nullFields('start_date group_id'),
      events: [this.event('created', 'Milestone')],
    };
  }

  release(index: number, tag: { name: string; sha: string } | undefined): JsonRecord {
    const times = this.times();
    return {
      tag: tag?.name ?? `v0.${index + 1}.0`,
      description: this.random.words(12),
      project_id: this.projectId,
      ...times,
      author_id: this.author.id,
      name: `Release ${index + 1}`,
      sha: tag?.sha ?? this.random.hex(40),
      released_at: times.updated_at,
      links: [],
      milestone_releases: [],
    };
  }

  pipeline(index: number, sha: string): JsonRecord {
    const times = this.times();
    const status = this.random.pick(['success', 'failed', 'canceled', 'skipped']);
    return {
      project_id: this.projectId,
      ref: 'main',
      sha,
      before_sha: '0'.repeat(40),
      ...times,
      tag: false,
      ...nullFields('yaml_errors committed_at'),
      status,
      started_at: times.created_at,
      finished_at: times.updated_at,
      duration: 60,
      user_id: this.author.id,
      source: 'push',
      iid: index + 1,
      lock_version: 0,
      protected: true,
      stages: this.#stages(status, times, { isWithOthers: index % 3 === 2 }),
    };
  }

  /**
   * Every third pipeline triggers another one, and has a job that was tried twice and a status that another system
   * reported.
   */
  #stages(status: string, times: JsonRecord, { isWithOthers }: { isWithOthers: boolean }): JsonRecord[] {
    const job = (type: string, stage: string, name: string): JsonRecord => ({
      ...{ name, status, type, stage, retried: false },
      ...{ ref: 'main', tag: false, allow_failure: false, user_id: this.author.id },
      ...{ started_at: times['created_at'], finished_at: times['updated_at'] },
      ...nullFields('coverage failure_reason erased_at artifacts_expire_at description target_url'),
      ...times,
    });
    const stage = (name: string, position: number, lists: JsonRecord): JsonRecord => ({
      ...{ name, status: status === 'success' ? 3 : 4, position, project_id: this.projectId, ...times },
      ...{ builds: [], generic_commit_statuses: [], bridges: [], ...lists },
    });
    const tests = ['lint', 'rspec'].map((name) => job('Ci::Build', 'test', name));
    const earlierAttempt = { ...job('Ci::Build', 'test', 'rspec'), status: 'failed', retried: true };
    const deploy = job('Ci::Bridge', 'deploy', 'deploy documentation');
    const scan = job('GenericCommitStatus', 'external', 'licence scan');
    return [
      stage('test', 0, { builds: isWithOthers ? [earlierAttempt, ...tests] : tests }),
      ...(isWithOthers
        ? [
            stage('deploy', 1, { bridges: [deploy] }),
            stage('external', 1_000_000, { generic_commit_statuses: [scan] }),
          ]
        : []),
    ];
  }

  member(): JsonRecord {
    return memberRecord(this.author, 40, this.author.id, this.times());
  }

  protectedBranch(): JsonRecord {
    const level = { access_level: 40, ...this.times(), user_id: null, group_id: null };
    return {
      project_id: this.projectId,
      name: 'main',
      ...this.times(),
      code_owner_approval_required: false,
      allow_force_push: false,
      merge_access_levels: [level],
      push_access_levels: [level],
      unprotect_access_levels: [],
    };
  }

  protectedEnvironment(): JsonRecord {
    return {
      ...{ project_id: this.projectId, group_id: null, name: 'production' },
      ...this.times(),
      deploy_access_levels: [{ access_level: 40, ...this.times(), user_id: null, group_id: null }],
    };
  }

  approvalRule(): JsonRecord {
    return {
      ...{ name: 'Security', rule_type: 'regular', report_type: null, approvals_required: 2 },
      ...{ applies_to_all_protected_branches: false, orchestration_policy_idx: null },
      approval_project_rules_protected_branches: [{ branch_name: 'main' }],
      approval_project_rules_users: [{ user_id: this.author.id }],
    };
  }

  board(labels: JsonRecord[]): JsonRecord {
    const lists = labels.slice(0, 2).map((label, position) => ({
      ...{ list_type: 'label', position, label },
      ...{ max_issue_count: position === 0 ? 5 : 0, max_issue_weight: 0, limit_metric: null },
    }));
    const ofAuthor = { list_type: 'assignee', position: lists.length, user_id: this.author.id };
    return {
      project_id: this.projectId,
      ...this.times(),
      name: 'Development',
      weight: null,
      hide_backlog_list: false,
      hide_closed_list: false,
      lists: [...lists, { ...ofAuthor, max_issue_count: 0, max_issue_weight: 0, limit_metric: null }],
    };
  }

  badge(index: number): JsonRecord {
    return {
      name: `Badge ${index + 1}`,
      link_url: `https://badges.example/%{project_path}/${index + 1}`,
      image_url: `https://badges.example/%{project_path}/${index + 1}.svg`,
      project_id: this.projectId,
      ...this.times(),
      type: 'ProjectBadge',
    };
  }

  /** An export contains everything but the field `active`. */
  pipelineSchedule(index: number): JsonRecord {
    return {
      description: `Schedule ${index + 1}`,
      ref: index % 2 === 0 ? 'refs/heads/main' : 'main',
      cron: `${index} 4 * * 1`,
      cron_timezone: 'Europe/Warsaw',
      next_run_at: timeAtMinute((index + 1) * 10_080),
      project_id: this.projectId,
      owner_id: this.author.id,
      ...this.times(),
      active: true,
    };
  }

  /** An export contains everything but the time of creation and `commit_committer_name_check`. */
  errorTrackingSetting(): JsonRecord {
    return {
      api_url: 'https://sentry.example/api/0/projects/sandbox/errors/',
      ...{ project_name: 'Errors', organization_name: 'Sandbox', project_id: this.projectId },
    };
  }

  pushRule(): JsonRecord {
    return {
      ...nullFields('force_push_regex delete_branch_regex commit_message_regex author_email_regex'),
      file_name_regex: '(exe|jar)$',
      ...nullFields('branch_name_regex commit_message_negative_regex'),
      deny_delete_tag: null,
      member_check: false,
      is_sample: false,
      max_file_size: 100,
      prevent_secrets: false,
      reject_unsigned_commits: false,
      commit_committer_check: false,
      regexp_uses_re2: true,
      reject_non_dco_commits: false,
      created_at: this.times().created_at,
      commit_committer_name_check: false,
    };
  }

  singleRecordRelations(): Record<string, unknown> {
    return {
      ...nullFields('auto_devops error_tracking_setting service_desk_setting container_expiration_policy'),
      // All real archives that were examined have only these pipeline settings.
      ci_cd_settings: {
        group_runners_enabled: true,
        default_git_depth: 20,
        runner_token_expiration_interval: null,
      },
      project_feature: {
        project_id: this.projectId,
        merge_requests_access_level: 20,
        issues_access_level: 20,
        wiki_access_level: 20,
        snippets_access_level: 20,
        builds_access_level: 20,
        ...this.times(),
        repository_access_level: 20,
      },
    };
  }

  protected times(): { created_at: string; updated_at: string } {
    this.#minute += 7;
    return {
      created_at: timeAtMinute(this.#minute),
      updated_at: timeAtMinute(this.#minute + 3),
    };
  }

  protected event(action: string, target: string): JsonRecord {
    return {
      project_id: this.projectId,
      author_id: this.author.id,
      ...this.times(),
      action,
      target_type: target,
      fingerprint: null,
    };
  }
}
