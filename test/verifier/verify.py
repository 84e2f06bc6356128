"""An independent verifier of migrations, written from GitLab's documentation and docs/what-is-compared.md.

Reads source, archive and target itself and uses no code of Packhorse, so that it repeats no mistake of the product.
`verify.py < request.json` prints one result for each project. Times are in seconds since 1970. The tokens are in the
request, because other users can read the arguments of a process:

    {"source": {"url", "token"}, "target": {"url", "token"}, "byAdministrator": true, "projects": [{"source": path,
        "target": path, "archive": file, "exportedAt": 0, "importedAt": 0, "comparedAt": 0, "overrides": {}}]}

A result is {"project", "verdict", "differences": [{"side", "relation", "key", "field"}], "unread"}. The verdict is
"agrees" or "differs". The field is null if the whole record is missing. `unread` names lists that an instance does not
return, and that are not compared.
"""
import collections
import concurrent.futures
import itertools
import json
import sys

from fields import ABSENT, FIELDS, NOTE_FIELDS, RELATIONS, SILENT, moment, own_text, plain, role, second
from sides import NOTEABLES, Instance, at, by_key, read_archive

# Before and after an export or import, and the columns of the tables with the places of values there.
Side = collections.namedtuple("Side", "name before old_place after new_place")
EXPORT = Side("on-export", "source", "api", "archive", "archive")
IMPORT = Side("on-import", "archive", "archive", "target", "api")
MAINTAINER = 40
ENDED = ("success", "failed", "canceled", "skipped")
# Lists without times of changes are compared only so long after the import.
SECONDS_WITHOUT_EDITS = 900


def is_later(record, name, time):
    return (moment(record.get(name)) or 0) > time


def is_own(label):
    """False for a label of a group. It is not exported, but an import uses it instead of an archived label."""
    return label.get("is_project_label", True)


def is_changed(field, before, after):
    before, after = field.read(before), field.read(after)
    return before is not ABSENT and after is not ABSENT and field.is_lost(before, after)


def has_same_text(side, old, new):
    """True also if an import added the name of an author that it could not map."""
    before, after = (note["note"] if "note" in note else note["body"] for note in (old, new))
    if side is IMPORT and before != after:
        return own_text(after) == (before or "*Blank note*")
    return plain(before) == plain(after)


def has_same_time(side, old, new):
    return second(old["created_at"]) == second(new["created_at"])


def paired_notes(side, olds, news):
    """Pairs notes by time and text, then by text, then by time; with None for a missing note."""
    pairs, left = [], list(news)
    for rules in ((has_same_time, has_same_text), (has_same_text,), (has_same_time,)):
        for old in list(olds):
            new = next((new for new in left if all(rule(side, old, new) for rule in rules)), None)
            if new is not None:
                pairs.append((old, new))
                olds = [note for note in olds if note is not old]
                left = [note for note in left if note is not new]
    return pairs + [(old, None) for old in olds]


def texts(value):
    return set(value) if isinstance(value, list) else {value} - {None, ABSENT}


def as_text(value):
    """A value as an override has it. GitLab keeps the first spelling of a topic."""
    return ",".join(sorted(value) if isinstance(value, list) else str(value).split(",")).lower()


class Comparison:
    def __init__(self, lists, project):
        # Without a name, GitLab uses the path.
        self.lists, self.overrides = lists, {"name": project["target"].split("/")[-1], **project["overrides"]}
        self.exported, self.imported = project["exportedAt"], project["importedAt"]
        times = ("last_activity_at", "updated_at")
        self.was_active = any(is_later(lists["source"]["settings"][0], name, self.exported) for name in times)
        self.is_late = project["comparedAt"] - self.imported > SECONDS_WITHOUT_EDITS
        self.titles = {"labels": self.known_titles("labels"), "milestone": self.known_titles("milestones")}

    def known_titles(self, name):
        """The labels or milestones that both source and archive know."""
        sides = (self.lists[part][name] or [] for part in ("source", "archive"))
        return set.intersection(*({record.get("name", record.get("title")) for record in side} for side in sides))

    def differences(self):
        """Yields the side, relation, key and field of each difference."""
        for name, value in self.overrides.items():
            if as_text(value) != as_text(self.lists["target"]["settings"][0].get(name)):
                yield IMPORT.name, "settings", None, name
        for side, name in itertools.product((EXPORT, IMPORT), RELATIONS):
            for key, field in self.compare(side, name):
                yield side.name, name, key, field

    def compare(self, side, name):
        relation, olds, news = RELATIONS[name], self.lists[side.before][name], self.lists[side.after][name]
        if olds is None or news is None:
            return
        if name == "boards" and side is EXPORT and len(olds) == 1 and not olds[0]["lists"]:
            # GitLab creates such a board for the first visitor.
            olds = []
        if side is EXPORT:
            olds = [old for old in olds if is_own(old) and not self.is_new(old)]
        olds, news = by_key(olds, getattr(relation, side.old_place)), by_key(news, getattr(relation, side.new_place))
        missing = [key for key in olds for _ in range(len(olds[key]) - len(news.get(key, [])))]
        if side is EXPORT and relation.untimed:
            # A missing record may be newer than the archive. Only the difference in number is certain.
            missing.sort(key=lambda key: olds[key][0].get("id", 0))
            missing = missing[: max(0, len(olds) - len(news))]
        for key in missing:
            yield at(olds[key][0], relation.title) if relation.title else key, None
        for key in olds:
            # Records with the same key cannot be distinguished.
            if len(olds[key]) == len(news.get(key, [])) == 1 and is_own(news[key][0]):
                old, new = olds[key][0], news[key][0]
                title = at(new if side is EXPORT else old, relation.title) if relation.title else key
                yield from ((title, field) for field in self.lost_fields(side, name, old, new))

    def is_new(self, record):
        """True if a record of the source may be newer than the archive."""
        return is_later(record, "created_at", self.exported) if "created_at" in record else self.was_active

    def may_be_edited(self, side, edited, old, new):
        record, time = (old, self.exported) if side is EXPORT else (new, self.imported)
        if edited == "time":
            return is_later(record, "updated_at", time)
        if edited == "nothing":
            return side is EXPORT or self.is_late
        return side is EXPORT and self.was_active

    def lost_fields(self, side, name, old, new):
        if self.may_be_edited(side, RELATIONS[name].edited, old, new):
            return
        for field in FIELDS:
            if field.relation != name or name == "settings" and field.name in self.overrides:
                continue
            before, after = at(old, getattr(field, side.old_place)), at(new, getattr(field, side.new_place))
            is_target = side is IMPORT
            if name == "settings" and side is EXPORT and after is ABSENT:
                # Only the target shows whether a setting that the archive does not have was lost.
                is_target, after = True, at(self.lists["target"]["settings"][0], field.api)
            if field.name in SILENT and (side is EXPORT or self.is_late):
                continue
            if field.name in self.titles and self.may_be_renamed(side, field, before, after):
                continue
            if field.name == "status" and side is IMPORT and before not in ENDED:
                # An import cancels pipelines that had not ended.
                before = "canceled"
            if field.name == "expires_at" and before is None and new.get("access_level", 0) > old["access_level"]:
                # A member with a higher role may have another membership, with its own end.
                continue
            if before is ABSENT or after is ABSENT or is_target and after == field.decided:
                continue
            if field.read is role and side is IMPORT and 0 < (role(before) or 0) < MAINTAINER == role(after):
                # An import raises levels to Maintainer.
                continue
            if is_changed(field, before, after):
                yield field.name
        if name in NOTEABLES and None not in (old["all_notes"], new["all_notes"]):
            yield from self.lost_note_fields(side, old["all_notes"], new["all_notes"])

    def lost_note_fields(self, side, olds, news):
        pairs = paired_notes(side, olds, news)
        missing = {second(old["created_at"]) for old, new in pairs if new is None}
        for old, new in pairs:
            if new is None:
                yield "notes"
                continue
            for field in NOTE_FIELDS:
                before, after = at(old, getattr(field, side.old_place)), at(new, getattr(field, side.new_place))
                if field.name == "text" and has_same_text(side, old, new):
                    continue
                if field.name == "thread" and second(before) in missing:
                    # The first note of the thread is missing itself.
                    continue
                if field.name == "position" and (side is EXPORT or old.get("type") != "DiffNote"):
                    # GitLab moves the position of a note after a push, without a time.
                    continue
                if before is not ABSENT and after is not ABSENT and is_changed(field, before, after):
                    yield f"{field.name} of a note"

    def may_be_renamed(self, side, field, before, after):
        """True if the difference may be another name of a label or milestone."""
        return self.is_late if side is IMPORT else (texts(before) | texts(after)) - self.titles[field.name]


def verify(request, project):
    lists = {"archive": read_archive(project["archive"])}
    for part in ("source", "target"):
        instance = Instance(**request[part])
        lists[part] = instance.read(project[part], {note["commit_id"] for note in lists["archive"]["commit_notes"]})
    if not request["byAdministrator"]:
        # Other accounts import no members.
        lists["target"]["project_members"] = None
    members = lists["target"]["project_members"] or []
    for user in (member["user"] for member in lists["archive"]["project_members"]):
        # An import finds users by their public e-mail addresses, and these may have another name on the target.
        name, address = user["username"], user.get("public_email")
        for member in members:
            if address and member.get("public_email") == address:
                member["username"] = name
        # Users without an account on the target cannot arrive.
        if all(member["username"] != name for member in members) and not instance.has_user(address):
            members.append({"username": name})
    unread = [f"{part} {name}" for part in lists for name, records in lists[part].items() if records is None]
    rows = Comparison(lists, project).differences()
    differences = [{"side": side, "relation": name, "key": key, "field": field} for side, name, key, field in rows]
    verdict = "differs" if differences else "agrees"
    return {"project": project["source"], "verdict": verdict, "differences": differences, "unread": unread}


if __name__ == "__main__":
    request = json.load(sys.stdin)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        json.dump(list(pool.map(lambda project: verify(request, project), request["projects"])), sys.stdout)
