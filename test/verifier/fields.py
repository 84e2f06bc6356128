"""The tables of the verifier: the names of records and fields in GitLab's API and in its archives.

Written from GitLab's documentation. A field is added with one row. docs/what-is-compared.md lists the compared fields.
"""
import collections
import datetime
import operator
import re

ABSENT = object()


def plain(value):
    """An empty text or list, and a switch that is off, equal a missing value."""
    if value is None or value is False or value == "" or value == []:
        return None
    return sorted(map(plain, value), key=str) if isinstance(value, list) else value


def number(value):
    """The number in 5, "5" or "1000+"; 0 for a missing one."""
    return int(re.match(r"\d*", str(value)).group() or 0)


def moment(value):
    """Seconds since 1970, or None for no time. Old archives have times like "2019-11-25 19:42:00 UTC"."""
    try:
        return datetime.datetime.fromisoformat(re.sub(" UTC|Z", "+00:00", value)).timestamp()
    except (TypeError, ValueError):
        return None


def second(value):
    time = moment(value)
    return value if time is None else int(time)


def first(values):
    return plain(values[0] if isinstance(values, list) and values else values)


def named(names):
    """Archives have numbers or switches for these names."""
    return lambda value: names.get(value, value)


def user_notes(notes):
    """The number of notes that are no system notes, from the API or from an archive."""
    return notes if isinstance(notes, int) else sum(not note.get("system") for note in notes or [])


def role(levels):
    """The lowest role that has a right to a protected branch or tag; None if only single users and groups have it."""
    rows = [row for row in levels or [] if not row.get("user_id") and not row.get("group_id")]
    return min((row["access_level"] for row in rows), default=None)


def loses_role(before, after):
    return before is not None and before != after


def board_lists(rows):
    """The labels and milestones of the lists of a board, in their order. The other lists are on every board."""
    ordered = sorted(rows or [], key=lambda row: row["position"] or 0)
    shown = [row.get("label") or row.get("milestone") for row in ordered]
    return [row.get("name") or row["title"] for row in shown if row]


def branch(ref):
    return ref and ref.removeprefix("refs/heads/")


def links(rows):
    return sorted((row["name"], row["url"]) for row in rows or [])


def time_spent(value):
    """The seconds of all time logs. Newer versions show at most a year."""
    total = sum(value) if isinstance(value, list) else value
    return total and max(-31557600, min(total, 31557600))


def votes(emoji):
    return lambda value: value.count(emoji) if isinstance(value, list) else value


def inherited(value):
    """A setting that has no value in an archive has the value of the instance."""
    return ABSENT if value is None else value


def own_text(value):
    """The text without the name of an author, which an import adds."""
    return re.sub(r"\n\n ?\*By .+ on .+\*( \(imported from GitLab( project)?\))?$", "", value or "")


def position(value):
    return value and [value.get(name) for name in ("old_path", "old_line", "new_path", "new_line")]


level = named({0: "disabled", 10: "private", 20: "enabled", 30: "public"})
visibility = named({0: "private", 10: "internal", 20: "public"})
strategy = named({True: "fetch", False: "clone"})

# A list of records: its path in the API, the key of a record there and in the archive, and what shows that a record was
# edited after the export or import: its "time", for the source the last "activity" of the project, or "nothing". An
# `untimed` list does not show when a record was created. Its ids may show it: they grow. A result names a record by its `title`, by default its key.
# Relations without a path have one record, and no key.
RELATION_DEFAULTS = ("name", "name", "activity", False, None)
Relation = collections.namedtuple("Relation", "path api archive edited untimed title", defaults=RELATION_DEFAULTS)
RELATIONS = {
    "issues": Relation("issues", "iid", "iid", "time"),
    "merge_requests": Relation("merge_requests", "iid", "iid", "time"),
    "milestones": Relation("milestones", "iid", "iid", "time"),
    "labels": Relation("labels", "name", "title", "nothing", untimed=True),
    "releases": Relation("releases", "tag_name", "tag", "nothing"),
    "ci_pipelines": Relation("pipelines", "iid", "iid", "time"),
    "branches": Relation("repository/branches", untimed=True),
    "tags": Relation("repository/tags", untimed=True),
    "project_members": Relation("members", "username", "user.username"),
    "protected_branches": Relation("protected_branches"),
    "protected_tags": Relation("protected_tags"),
    "uploads": Relation("uploads"),
    "boards": Relation("boards", edited="nothing", untimed=True),
    "snippets": Relation("snippets", "created_at", "created_at", "time", title="title"),
    "project_badges": Relation("badges", "key", "key", "nothing", untimed=True, title="name"),
    "pipeline_schedules": Relation("pipeline_schedules", "created_at", "created_at", "time", title="description"),
    "push_rule": Relation(None, "?", "?", "nothing"),
    "commit_notes": Relation(None, "created_at", "created_at", "time", title="title"),
    "settings": Relation(None, "?", "?"),
    "lfs_objects": Relation(None, "?", "?"),
    "wiki": Relation(None, "?", "?"),
}

# A field of records: its place in the API and in the archive, the function that gives a value the same form on each
# side, and the function that returns true for a loss. In a place, `*` stands for each element of a list. With a leading
# `?`, an absent value means that there is none; other absent values are not compared. The target instance may set the
# value `decided` (docs/migrations.md).
FIELD_DEFAULTS = (plain, operator.ne, ABSENT)
Field = collections.namedtuple("Field", "relation name api archive read is_lost decided", defaults=FIELD_DEFAULTS)


def same(relation, names, **options):
    """Fields with the same name in the API and in the archive."""
    return [Field(relation, name, name, name, **options) for name in names.split()]


def author(relation):
    return Field(relation, "author", "author.id", "author_id")


def people(relation, name, archive):
    return Field(relation, name, f"{name}.*.id", f"{archive}.*.user_id")


def noteable(relation):
    """The fields that issues and merge requests share."""
    return [
        *same(relation, "title description state discussion_locked"),
        Field(relation, "labels", "labels", "label_links.*.label.title"),
        Field(relation, "milestone", "milestone.title", "?milestone.title"),
        Field(relation, "time_estimate", "time_stats.time_estimate", "time_estimate", number),
        Field(relation, "total_time_spent", "time_stats.total_time_spent", "timelogs.*.time_spent", time_spent),
        Field(relation, "upvotes", "upvotes", "award_emoji.*.name", votes("thumbsup")),
        Field(relation, "downvotes", "downvotes", "award_emoji.*.name", votes("thumbsdown")),
        *same(relation, "created_at", read=second),
        author(relation),
        Field(relation, "notes", "user_notes_count", "notes", user_notes, operator.gt),
    ]


def setting(api, archive, read=plain, **options):
    return Field("settings", api, api, archive, read, **options)


def feature(name, **options):
    return setting(f"{name}_access_level", f"project_feature.{name}_access_level", level, **options)


FEATURES = """analytics builds environments feature_flags forking infrastructure issues merge_requests model_experiments
    model_registry monitor pages releases repository requirements security_and_compliance snippets wiki"""
COLUMNS = """description build_timeout request_access_enabled only_allow_merge_if_pipeline_succeeds squash_option
    only_allow_merge_if_all_discussions_are_resolved resolve_outdated_diff_discussions auto_cancel_pending_pipelines
    printing_merge_request_link_enabled autoclose_referenced_issues remove_source_branch_after_merge
    allow_merge_on_skipped_pipeline suggestion_commit_message merge_commit_template squash_commit_template
    issues_template merge_requests_template merge_method default_branch"""

FIELDS = [
    *noteable("issues"),
    *same("issues", "confidential due_date weight health_status"),
    *same("issues", "closed_at", read=second),
    people("issues", "assignees", "issue_assignees"),
    people("merge_requests", "assignees", "merge_request_assignees"),
    people("merge_requests", "reviewers", "merge_request_reviewers"),
    author("releases"),
    author("snippets"),
    Field("issues", "issue_type", "issue_type", "issue_type"),
    *noteable("merge_requests"),
    *same("merge_requests", "source_branch target_branch merge_commit_sha squash_commit_sha squash"),
    Field("merge_requests", "merged_at", "merged_at", "metrics.merged_at", second),
    Field("merge_requests", "closed_at", "closed_at", "metrics.latest_closed_at", second),
    Field("merge_requests", "sha", "sha", "diff_head_sha"),
    Field("merge_requests", "changes", "changes_count", "changes", number, operator.gt),
    *same("milestones", "title description state start_date due_date"),
    *same("labels", "color description"),
    Field("labels", "priority", "priority", "priorities.*.priority", first),
    *same("releases", "name description"),
    *same("releases", "released_at", read=second),
    Field("releases", "milestones", "?milestones.*.title", "milestone_releases.*.milestone.title"),
    Field("releases", "links", "assets.links", "links", links),
    *same("ci_pipelines", "ref sha source status"),
    Field("branches", "sha", "commit.id", "sha"),
    Field("tags", "sha", "target", "sha"),
    *same("project_members", "expires_at"),
    *same("project_members", "access_level", read=number, is_lost=operator.gt),
    *same("protected_branches", "push_access_levels merge_access_levels", read=role, is_lost=loses_role),
    *same("protected_branches", "allow_force_push code_owner_approval_required"),
    *same("protected_tags", "create_access_levels", read=role, is_lost=loses_role),
    *same("uploads", "content"),
    *same("boards", "hide_backlog_list hide_closed_list weight"),
    *same("boards", "lists", read=board_lists),
    *same("snippets", "title description"),
    Field("snippets", "visibility", "visibility", "visibility_level", visibility),
    *same("project_badges", "link_url image_url"),
    *same("pipeline_schedules", "description cron cron_timezone"),
    *same("pipeline_schedules", "ref", read=branch),
    *same("push_rule", "author_email_regex branch_name_regex commit_message_regex commit_message_negative_regex"),
    *same("push_rule", "file_name_regex max_file_size deny_delete_tag member_check prevent_secrets"),
    *same("push_rule", "commit_committer_check reject_unsigned_commits reject_non_dco_commits", read=inherited),
    Field("commit_notes", "text", "body", "note", own_text),
    Field("commit_notes", "internal", "internal", "confidential"),
    author("commit_notes"),
    *(setting(name, f"project.{name}") for name in COLUMNS.split()),
    setting("visibility", "project.visibility_level", visibility),
    setting("public_jobs", "project.public_builds"),
    setting("build_git_strategy", "project.build_allow_git_fetch", strategy),
    setting("shared_runners_enabled", "project.shared_runners_enabled", decided=False),
    *(feature(name) for name in FEATURES.split()),
    *(feature(name, decided="disabled") for name in ("container_registry", "package_registry")),
    setting("group_runners_enabled", "ci_cd_settings.group_runners_enabled"),
    setting("ci_default_git_depth", "ci_cd_settings.default_git_depth"),
    setting("runner_token_expiration_interval", "ci_cd_settings.runner_token_expiration_interval"),
    setting("auto_devops_enabled", "?auto_devops.enabled", inherited),
    setting("auto_devops_deploy_strategy", "auto_devops.deploy_strategy"),
    Field("lfs_objects", "size", "statistics.lfs_objects_size", "lfs_objects_size", number, operator.gt),
]

# Fields with ids of users. An import maps these.
PEOPLE = ("author", "assignees", "reviewers")
# Votes change without a new time of the last change.
SILENT = ("upvotes", "downvotes")

# Fields of the notes of issues and merge requests. Both sides have the time of a thread, see `read_notes`.
NOTE_FIELDS = [
    Field("notes", "text", "body", "note"),
    Field("notes", "resolved", "resolved", "resolved_at", bool),
    Field("notes", "internal", "internal", "confidential"),
    Field("notes", "position", "position", "position", position),
    Field("notes", "thread", "thread", "thread", second),
    author("notes"),
]

# Actions of system notes that every reader sees.
SHOWN_ACTIONS = """description title assignee reviewer due_date start_date_or_due_date time_tracking confidential visible
    locked unlocked opened branch discussion task weight health_status status severity approved unapproved tag
    outdated""".split()
