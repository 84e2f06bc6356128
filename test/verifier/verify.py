"""An independent verifier of migrations and imports, written from GitLab's documentation and docs/what-is-compared.md.

The reply has the differences of each project: [side, relation, key, field or null for a record, answer]. "lost" is
certain, "explained" may be an edit or a default, or is not known, "optional" may be newer, "unread" is a list."""
import collections
import json
import re
import sys
import urllib.parse

from sides import ABSENT, RELATIONS, Instance, at, by_key, plain, read_archive, rows, seconds

FIELDS = [row._replace(api=row.api or row.field, archive=row.archive or row.field) for row in rows("fields.csv")]
# An import cancels pipelines that have not ended, and makes Owners Maintainers. The archive has numbers of levels.
NAMES = {(row.read, row.value): row.name for row in rows("values.csv")}
READERS = {
    "bytes": lambda value: plain([value.encode()] if isinstance(value, str) else value), "limited": int,
    "users": lambda value: plain(list(set(value if isinstance(value, list) else [value]))),
    "bool": bool, "count": lambda value: len(value or []) if isinstance(value, list) else int(value or 0),
    "jobs": lambda jobs: {name: sorted(str(plain(end)) for _, key, end in jobs if key == name) for _, name, _ in jobs},
    "sum": lambda value: sum(value) if isinstance(value, list) else value,
    "known": lambda value: ABSENT if value in (None, []) else plain(value),  # An empty value is not known.
    # Each import adds the name of an author whom it does not know.
    "note": lambda text: re.sub(r"(\n\n ?\*By .+ on .+\*( \(imported .+\))?)+$|^\*Blank note\*", "", text or ""),
    "branch": lambda value: value and value.removeprefix("refs/heads/"),
    "download": lambda urls: plain(re.findall(r"(?m)(?:/-/releases/[^/\n]+(?:/downloads)?|^)(/.*)", "\n".join(map(str, urls)))),
    "ordered": (ordered := lambda value: list(filter(None, value))), "ordered users": ordered,
    "reactions": lambda value: plain([name for name in value if name not in ("thumbsup", "thumbsdown")]),
    "upvotes": lambda value: value.count("thumbsup") if isinstance(value, list) else value,
    "downvotes": lambda value: value.count("thumbsdown") if isinstance(value, list) else value,
    # The lowest role that has a right; 99 if nobody has it, None if no role has it.
    "role": lambda value: min((role or 99 for role, *others in value if not any(others)), default=None),
}
LOSSES = {
    "": lambda before, after: before != after,
    "less": lambda before, after: (before or 0) > (after or 0),
    "known": lambda before, after: before is not None and before != after,
    "both known": lambda before, after: None not in (before, after) and before != after,
    # Attempts of jobs, and entries, that one side has less often are losses of another field.
    "both": lambda before, after: any(LOSSES["equally many"](before[job], after.get(job)) for job in before),
    "equally many": lambda before, after: before != after and len(after or []) == len(before or []),
}


def is_of_group(row):
    return bool(row.get("group_id")) or at(row, "is_project_label|kind") in (False, "group")


class Comparison(collections.namedtuple("Comparison", "project archive people is_export instance lists sides")):
    """Compares an archive with the source of its export, or with the target of its import."""

    def differences(self):
        for name, relation in RELATIONS.items():
            archived, listed = self.archive[name], self.lists.get(name)
            lost = archived and [(None, None, "unread")] if listed is None else self.compare(relation, archived, listed)
            of_groups = self.compare_groups(name, listed or []) if f"group_{name}" in self.archive else []
            for difference in (*lost, *of_groups):
                yield "on-export" if self.is_export else "on-import", name, *difference

    def compare_groups(self, name, listed):
        """Only records that use labels and milestones of groups have them. An import does not change groups."""
        shown, own = by_key(listed, "name|title"), self.archive[name]
        for title, (archived, *_) in by_key(self.archive[f"group_{name}"] + own, "title").items():
            found = sorted(shown.get(title, []), key=is_of_group, reverse=self.is_export)
            if archived in own and (self.is_export or not found or not is_of_group(found[0])):
                continue
            if not found:
                yield title, None, "explained"
                continue
            for field, answer in self.compare_record(RELATIONS[name], archived, found[0]):
                is_fixed = is_of_group(found[0]) and field != "priority" and not self.is_export
                if not (is_fixed and field == "created_at"):
                    yield title, field, "explained" if is_fixed else answer

    def compare(self, relation, archived, listed):
        # An import uses the label or milestone of a group instead of creating one with the same title.
        grouped = list(filter(is_of_group, listed))
        shared = [at(row, "name|title") for row in grouped]
        listed = by_key((row for row in listed if row not in grouped), relation.api)
        archived = by_key(archived, relation.archive)
        olds, news = (listed, archived) if self.is_export else (archived, listed)
        for key, before in olds.items():
            title = at((archived.get(key) or before)[0], relation.title)
            for old in before[len(news.get(key, [])) :]:
                is_newer = seconds(old.get("created_at")) >= self.project["exportedAt"]
                is_optional = is_newer if self.is_export else old.get("is_namesake") or at(old, "name|title") in shared
                is_doubtful = relation.renamed or old.get("has_no_account") or self.may_be_edited({}, old)
                yield title, None, "optional" if is_optional else "explained" if is_doubtful else "lost"
            if len(before) == len(news.get(key, [])) == 1:
                for difference in self.compare_record(relation, archived[key][0], listed[key][0]):
                    yield title, *difference

    def may_be_edited(self, archived, listed):
        before, after = (seconds(record.get("updated_at")) for record in (archived, listed))
        is_newer = 0 < before != after >= seconds(self.lists["settings"][0]["created_at"])
        is_pushed = 0 < self.project["exportedAt"] <= seconds(at(listed, "?commit.committed_date"))
        return not 0 < after < self.project["exportedAt"] if self.is_export else is_newer or is_pushed

    def compare_record(self, relation, archived, listed):
        is_edited, is_setting = self.may_be_edited(archived, listed), relation.relation == "settings"
        overrides = self.project["overrides"] if is_setting else {}
        notes = self.instance.notes(relation.notes.format_map(listed)) if relation.notes else []
        yield from [("notes", "explained")] if notes is None else self.compare_notes(archived.get("notes", []), notes)
        for field in FIELDS:
            if field.relation != relation.relation or self.is_export and field.field in overrides:
                continue
            sides = [side for side in self.sides if is_setting and side.lists]
            shown = [side.value(field, side.lists["settings"][0], "api") for side in sides]
            side = "export" if self.is_export else "import"
            is_doubtful = field.doubt in ("yes", side) or is_edited and field.doubt != "never"
            old = self.value(field, archived, "archive")
            # A record without the part in the archive cannot lose it on import.
            is_without = field.only == "archive" and not self.is_export and old in (ABSENT, None, [])
            new = ABSENT if is_without else self.value(field, listed, "api")
            if old is ABSENT and self.is_export and is_setting:
                # Only the target shows whether a setting that the archive does not have was lost.
                old, is_doubtful = shown[-1], True
            if field.read.endswith("users") and not self.is_export and old is not ABSENT:
                old = READERS[field.read]([self.people[user] for user in old or []])
            if field.field in overrides:
                old, new = str(overrides[field.field]).lower(), str(new).lower()
            before, after = (new, old) if self.is_export else (old, new)
            if ABSENT not in (before, after) and LOSSES[field.loss](before, after):
                is_doubtful = is_doubtful or is_setting and not (self.is_export or old)
                is_forced = field.field not in overrides and [str(value) for value in shown] == 2 * [field.forced]
                yield field.field, "optional" if is_forced else "explained" if is_doubtful else "lost"

    def value(self, field, record, place):
        if place == "api" and field.address:
            part = self.instance.part(field.address.format_map(record), bytes if field.read == "bytes" else json.loads)
            record = {} if part is None else {"part": part}
        value, is_imported = at(record, getattr(field, place)), place == "archive" and not self.is_export
        if is_imported or field.read not in ("status", "limited"):
            value = NAMES.get((field.read, str(value)), value)
        return value if value is ABSENT else READERS.get(field.read, plain)(value)

    def compare_notes(self, archived, listed):
        # GitLab hides system notes that mention something.
        is_doubtful = not self.is_export or all(note["system"] for note in listed)
        # A thread whose first note is on one side only is no loss of its own.
        times = [{seconds(note.get("created_at")) for note in notes} for notes in (archived, listed)]
        known = ["thread"] if times[0] != times[1] else []
        for is_system, field, answer in self.compare(RELATIONS["notes"], archived, listed):
            answer = "explained" if is_system and is_doubtful and answer == "lost" else answer
            kind = "system note" if is_system else "note"
            yield f"{field} of a {kind}" if field else f"{kind}s", "optional" if field in known else answer


def verify(request, project):
    archive = read_archive(project["archive"])
    instances = [Instance(project[side], **request[side]) for side in ("source", "target") if request[side]]
    lists = [instance.read(archive) for instance in instances]
    # The archive has the pages in a repository, so those of the target are compared with the source.
    archive["wiki"] = archive["wiki"] and (len(lists) == 2 and lists[0].get("wiki") or [{}])
    # An import uses its own account for all users that it does not map.
    people = collections.defaultdict(lambda: project["importer"].get("id"))
    for member in archive["project_members"]:
        address = project["importer"].get("is_admin") and member["user"].get("public_email")
        accounts = instances[-1].list(f"users?search={urllib.parse.quote(address)}") if address else []
        people.update({member["user"]["id"]: account["id"] for account in accounts})
        member["has_no_account"] = not accounts
        # The product finds a member without an address by its username.
        namesakes = [row["username"] for row in lists[-1].get("project_members") or []]
        member["is_namesake"] = not member["user"].get("public_email") and member["user"]["username"] in namesakes
    # Only an administrator imports invitations. An accepted one is a member with its time.
    members = [member for found in lists for member in found.get("project_members") or []]
    for invitation in archive["invitations"]:
        accepted = [member for member in members if member["created_at"] == invitation["created_at"]]
        for row in [*accepted, invitation]:
            row["has_no_account"] = bool(accepted) or not project["importer"].get("is_admin")
    sides = []
    for each, found in zip(instances, lists):
        sides.append(Comparison(project, archive, people, each is not instances[-1], each, found, sides))
    yield from (difference for side in sides for difference in side.differences())


for request in map(json.loads, sys.stdin):
    print(json.dumps([list(verify(request, each)) for each in request["projects"]], default=str), flush=True)
