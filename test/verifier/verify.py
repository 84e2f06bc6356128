"""An independent verifier of migrations, written from GitLab's documentation and docs/what-is-compared.md.

Reads source, archive and target itself and uses no code of Packhorse. `verify.py < request.json` prints the differences
of each project. The tokens are in the request, because other users can read the arguments of a process:

    {"source": {"url", "token"}, "target": {"url", "token"}, "byAdministrator", "importer": username,
     "projects": [{"source": path, "target": path, "archive": file, "exportedAt": seconds since 1970, "overrides": {}}]}

A difference is [side, relation, key, field, answer]. Without a field, the whole record is missing. The answer is "lost"
if nothing explains it, "explained" if an edit may explain it or it cannot be judged, "optional" if it follows from
another difference or the record may be newer, and "unread" for a relation that was not compared.
"""
import collections
import itertools
import json
import operator
import sys
import urllib.parse

from sides import ABSENT, NOTEABLES, RELATIONS, Instance, at, by_key, plain, read_archive, rows, seconds

LOST, EXPLAINED, OPTIONAL, UNREAD = "lost", "explained", "optional", "unread"
# Before and after an export or import, and the columns of the tables with the places of values there.
Side = collections.namedtuple("Side", "name before old_place after new_place")
EXPORT = Side("on-export", "source", "api", "archive", "archive")
IMPORT = Side("on-import", "archive", "archive", "target", "api")
# Clocks differ by seconds, and GitLab stores the time of an activity at most once an hour.
MARGIN, ACTIVITY = 5, 3600


READERS = {
    "": plain,
    "bool": bool,
    "option": lambda value: value in (True, "true", "1"),
    # Newer versions show at most a year.
    "time_spent": lambda value: min(sum(value) if isinstance(value, list) else value or 0, 31557600),
    "branch": lambda value: value and value.removeprefix("refs/heads/"),
    "first": lambda value: value[0] if isinstance(value, list) and value else plain(value),
    "attributes": lambda value: sorted((row["key"], row["value"]) for row in value),
    "events": lambda value: sorted(
        (seconds(row["created_at"]), row.get("action") or row["state"]) for row in value or []
    ),
    "reactions": lambda value: plain([name for name in value if name not in ("thumbsup", "thumbsdown")]),
    "links": lambda value: sorted((link["name"], link["url"]) for link in value),
    "upvotes": lambda value: value.count("thumbsup") if isinstance(value, list) else value,
    "downvotes": lambda value: value.count("thumbsdown") if isinstance(value, list) else value,
    # The lowest role that has a right; None if only single users and groups have it.
    "role": lambda value: min(
        (row["access_level"] for row in value if not row.get("user_id") and not row.get("group_id")), default=None
    ),
    # The other lists are on every board.
    "board_lists": lambda value: [
        at(row, "?label.name|?label.title|?milestone.title")
        for row in sorted(value, key=lambda row: row["position"] or 0)
        if row.get("label") or row.get("milestone")
    ],
    # A setting that has no value in an archive has the value of the instance.
    "inherited": lambda value: ABSENT if value is None else value,
    "position": lambda value: value and [value.get(name) for name in ("old_path", "old_line", "new_path", "new_line")],
    "level": lambda value: {0: "disabled", 10: "private", 20: "enabled", 30: "public"}.get(value, value),
    "visibility": lambda value: {0: "private", 10: "internal", 20: "public"}.get(value, value),
    "strategy": lambda value: {True: "fetch", False: "clone"}.get(value, value),
    "merge_method": lambda value: (
        value if isinstance(value, str)
        else "ff" if value.get("merge_requests_ff_only_enabled")
        else "rebase_merge" if value.get("merge_requests_rebase_enabled") else "merge"
    ),
}
ENDED = ("success", "failed", "skipped")
# The kinds of differences that are losses.
LOSSES = {
    "": operator.ne,
    "less": lambda before, after: (before or 0) > (after or 0),
    "role": lambda before, after: before is not None and before != after,
    # Fewer files of a merge request are a loss of another field.
    "files": lambda before, after: before != after and len(after or []) >= len(before or []),
    # An import cancels pipelines that have not ended.
    "status": lambda before, after: before != after and (before in ENDED or after != "canceled"),
}
# `fields.csv` has the place of each field in the API and in the archive. Some fields change without a trace: `doubt`.
FIELDS = [row._replace(api=row.api or row.field, archive=row.archive or row.field) for row in rows("fields.csv")]
# Fields with ids of users. An import maps these.
PEOPLE = ("author", "merged_by", "closed_by", "assignees", "reviewers", "approvers")


def is_own(record):
    """False for a label or badge of a group."""
    return record.get("is_project_label", True) and record.get("kind") != "group"


def paired(olds, news):
    """Pairs notes by time and text, then by text, then by time. Returns also the old ones without a new one."""
    pairs, olds, news = [], list(olds), list(news)
    for facts in (("second", "text"), ("text",), ("second",)):
        for old in list(olds):
            new = next((new for new in news if all(old[fact] == new[fact] for fact in facts)), None)
            if new is not None:
                pairs.append((old, new))
                olds.remove(old)
                news.remove(new)
    return pairs, olds


def as_text(value):
    """A value as an override has it. GitLab keeps the first spelling of a topic."""
    return ",".join(sorted(value) if isinstance(value, list) else str(value).split(",")).lower()


class Comparison:
    def __init__(self, lists, project, people):
        self.lists, self.people, self.exported = lists, people, project["exportedAt"] - MARGIN
        # Without a name, GitLab uses the path.
        self.overrides = {"name": project["target"].split("/")[-1], **project["overrides"]}
        self.target, source = lists["target"]["settings"][0], (lists["source"]["settings"] or [{}])[0]
        activity = seconds(source.get("last_activity_at")) + ACTIVITY
        self.was_active = max(seconds(source.get("updated_at")), activity) >= self.exported

    def differences(self):
        for name, value in self.overrides.items():
            if as_text(value) != as_text(self.target.get(name)):
                yield IMPORT.name, "settings", None, name, LOST
        for side, relation in itertools.product((EXPORT, IMPORT), RELATIONS.values()):
            olds, news = (self.lists[part][relation.relation] for part in (side.before, side.after))
            if olds is not None and news is not None:
                for title, field, answer in self.compare(side, relation, olds, news):
                    yield side.name, relation.relation, title, field, answer
            elif olds or news:
                yield side.name, relation.relation, None, None, UNREAD

    def compare(self, side, relation, olds, news):
        olds, news = by_key(olds, getattr(relation, side.old_place)), by_key(news, getattr(relation, side.new_place))
        # A missing record may be another one with a new name.
        added = [key for key in news if key not in olds and is_own(news[key][0])]
        may_be_renamed = added and (side is EXPORT or relation.renamed)
        newest = max((old.get("id", 0) for key in olds if key in news for old in olds[key]), default=0)
        for key, before in olds.items():
            after, title = news.get(key, []), at(before[0], relation.title)
            for old in before[len(after) :] if is_own(before[0]) else []:
                yield title, None, EXPLAINED if may_be_renamed else self.why_missing(side, relation, old, newest)
            if len(before) == len(after) == 1 and is_own(before[0]) and is_own(after[0]):
                if side is IMPORT and seconds(before[0].get("created_at")) != seconds(after[0].get("created_at")):
                    # Somebody may have created another record with the number of a lost one.
                    yield title, None, OPTIONAL
                title = title if side is IMPORT else at(after[0], relation.title)
                for field, answer in self.compare_record(side, relation, before[0], after[0]):
                    yield title, field, answer

    def why_missing(self, side, relation, old, newest):
        if side is IMPORT:
            return EXPLAINED if old.get("has_no_account") else LOST
        if "created_at" not in old:
            # Ids of such lists grow, so a record with a lower id than an archived one is older than the archive.
            is_old = relation.renamed and old["id"] < newest
            return LOST if is_old or relation.edited == "activity" and not self.was_active else EXPLAINED
        if seconds(old["created_at"]) >= self.exported:
            return OPTIONAL
        # An issue that was moved here keeps the time of its creation.
        return EXPLAINED if seconds(old.get("updated_at")) >= self.exported else LOST

    def may_be_edited(self, side, edited, old, new):
        if edited == "time":
            times = [seconds(record.get("updated_at")) for record in (old, new)]
            created = seconds(self.target["created_at"])
            return times[0] >= self.exported if side is EXPORT else times[1] >= created and times[0] != times[1]
        return edited == "nothing" or side is EXPORT and self.was_active

    def compare_record(self, side, relation, old, new):
        if relation.relation in NOTEABLES:
            yield from self.compare_notes(side, old["all_notes"], new["all_notes"])
        is_edited = self.may_be_edited(side, relation.edited, old, new)
        for field in FIELDS:
            if field.relation != relation.relation or relation.relation == "settings" and field.field in self.overrides:
                continue
            before, after = self.value(field, old, side.old_place), self.value(field, new, side.new_place)
            is_doubtful = field.doubt or is_edited and field.field != "author"
            if relation.relation == "settings" and side is EXPORT and after is ABSENT:
                # Only the target shows whether a setting that the archive does not have was lost.
                is_doubtful, after = True, self.value(field, self.target, "api")
            if side is IMPORT and field.field in PEOPLE and before is not ABSENT:
                is_list = isinstance(after, list) or isinstance(before, list)
                ids = before if isinstance(before, list) else [before] if before else []
                mapped = plain(list({self.people[user] for user in ids}))
                before = mapped if is_list or not mapped else mapped[0]
                before = ABSENT if field.field == "author" and not ids else before
            if ABSENT not in (before, after) and LOSSES[field.loss](before, after):
                yield field.field, EXPLAINED if is_doubtful else LOST

    def value(self, field, record, place):
        value = at(record, getattr(field, place))
        return value if value is ABSENT else READERS[field.read](value)

    def compare_notes(self, side, olds, news):
        for kind, is_system in (("note", False), ("system note", True)):
            if olds is None or news is None:
                yield f"{kind}s", EXPLAINED
                continue
            before = [note for note in olds if bool(note.get("system")) == is_system]
            after = [note for note in news if bool(note.get("system")) == is_system]
            pairs, lost = paired(before, after)
            # GitLab hides system notes that mention something, and those of records without comments are not compared.
            is_doubtful = is_system and (side is IMPORT or len(before) == len(olds))
            for note in lost:
                is_newer = side is EXPORT and seconds(note["created_at"]) >= self.exported
                yield f"{kind}s", OPTIONAL if is_newer else EXPLAINED if is_doubtful else LOST
            for old, new in pairs:
                for field, answer in self.compare_record(side, RELATIONS["notes"], old, new):
                    # A thread whose first note is on one side only is no loss of its own.
                    is_known = field == "thread" and not len(pairs) == len(before) == len(after)
                    yield f"{field} of a {kind}", OPTIONAL if is_known else EXPLAINED if is_doubtful else answer


def verify(request, project):
    archive = read_archive(project["archive"])
    source, target = (Instance(**request[part]) for part in ("source", "target"))
    lists = {"archive": archive, "source": source.read(project["source"], archive, False)}
    lists["target"] = target.read(project["target"], archive, True)
    # The archive has the pages in a repository, so those of the target are compared with the source.
    archive["wiki"] = archive["wiki"] and (lists["source"]["wiki"] or [{}])
    # An import uses its own account for all users that it does not map.
    importer, _ = target.get(f"users?username={request['importer']}")
    people = collections.defaultdict(lambda: importer[0]["id"])
    members = {member["id"]: member for member in lists["source"]["project_members"] or []}
    addresses = {member.get("public_email"): member for member in lists["target"]["project_members"] or []}
    for archived in archive["project_members"]:
        user, address = archived["user"], archived["user"].get("public_email")
        accounts = target.get(f"users?search={urllib.parse.quote(address)}")[0] if address else []
        archived["has_no_account"] = not accounts or not request["byAdministrator"]
        if accounts and request["byAdministrator"]:
            people[user["id"]] = accounts[0]["id"]
        # Users may have another name on each side.
        for member in (members.get(user["id"]), addresses.get(address) if address else None):
            if member is not None:
                member["username"] = user["username"]
    return list(Comparison(lists, project, people).differences())


if __name__ == "__main__":
    request = json.load(sys.stdin)
    json.dump([verify(request, project) for project in request["projects"]], sys.stdout)
