"""An independent verifier of migrations, written from GitLab's documentation and docs/what-is-compared.md.

Reads source, archive and target itself and uses no code of Packhorse, so that it repeats no mistake of the product.
`verify.py < request.json` prints one result for each project. Times are in seconds since 1970. The tokens are in the
request, because other users can read the arguments of a process:

    {"source": {"url", "token"}, "target": {"url", "token"}, "byAdministrator": true, "importer": username, "projects": [
        {"source": path, "target": path, "archive": file, "exportedAt": 0, "importedAt": 0, "comparedAt": 0, "newestLabelId": 0, "overrides": {}}]}

`newestLabelId` is the highest id of the labels of the source before the export; null if it is not known.

A result is {"project", "verdict", "differences": [{"side", "relation", "key", "field"}], "unread"}. The verdict is
"agrees" or "differs". The field is null if the whole record is missing. `unread` names lists that an instance does not
return, and that are not compared.
"""
import collections
import concurrent.futures
import itertools
import json
import sys

from fields import ABSENT, FIELDS, PEOPLE, RELATIONS, SHOWN_ACTIONS, SILENT
from fields import moment, own_text, plain, role, second
from sides import EVENTS, NOTEABLES, Instance, at, by_key, reaction_key, read_archive

# Before and after an export or import, and the columns of the tables with the places of values there.
Side = collections.namedtuple("Side", "name before old_place after new_place")
EXPORT = Side("on-export", "source", "api", "archive", "archive")
IMPORT = Side("on-import", "archive", "archive", "target", "api")
MAINTAINER = 40
# Untimed records of which no id from before the export is known.
IDENTIFIED = ("boards", "project_badges")
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


def may_be_hidden(note):
    """True for a system note that mentions something. GitLab hides such a note from users who may not see that."""
    action = (note.get("system_note_metadata") or {}).get("action")
    mentions = "mentioned in" in (note["note"] or "").lower() if action is None else action not in SHOWN_ACTIONS
    return bool(note.get("system") and mentions)


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
    def __init__(self, lists, project, people):
        self.people = people
        # Without a name, GitLab uses the path.
        self.lists, self.overrides = lists, {"name": project["target"].split("/")[-1], **project["overrides"]}
        self.exported, self.newest_label = project["exportedAt"], project["newestLabelId"]
        # Records that the target has changed since then, and that the import would have left as they were, are edited.
        self.imported = moment(lists["target"]["settings"][0]["created_at"])
        settings = lists["source"]["settings"][0]
        was_edited = is_later(settings, "updated_at", self.exported)
        # GitLab stores the time of an activity at most once an hour.
        self.was_active = was_edited or is_later(settings, "last_activity_at", self.exported - 3600)
        self.is_late = project["comparedAt"] - project["importedAt"] > SECONDS_WITHOUT_EDITS
        self.renamed = self.renamed_on_target()
        self.titles = {"labels": self.known_titles("labels"), "milestone": self.known_titles("milestones")}

    def known_titles(self, name):
        """The labels or milestones that both source and archive know."""
        sides = (self.lists[part][name] or [] for part in ("source", "archive"))
        return set.intersection(*({record.get("name", record.get("title")) for record in side} for side in sides))

    def renamed_on_target(self):
        """The old and new names of labels and milestones that the target may have renamed."""
        olds, news = ({name: self.lists[part][name] or [] for name in RELATIONS} for part in ("archive", "target"))
        names, milestones = set(), {new["iid"]: new for new in news["milestones"]}
        for old in olds["milestones"]:
            new = milestones.get(old["iid"], old)
            if old["title"] != new["title"] and self.is_edited(old, new):
                names |= {old["title"], new["title"]}
        for name in ("labels", *IDENTIFIED):
            relation = RELATIONS[name]
            ids = {new[relation.api]: new["id"] for new in news[name]}
            keys = [old[relation.archive] for old in olds[name]]
            fields = [field for field in FIELDS if field.relation == name and field.name != "lists"]
            added = [new for new in news[name] if new[relation.api] not in keys and is_own(new)]
            for line, old in enumerate(olds[name]):
                # An import creates records in the order of their lines.
                before, after = ([ids[key] for key in part if key in ids] for part in (keys[:line], keys[line:]))
                for new in added if keys[line] not in ids else ():
                    is_between = max(before, default=0) < new["id"] < min(after, default=new["id"] + 1)
                    if is_between and not any(is_changed(one, at(old, one.archive), at(new, one.api)) for one in fields):
                        names |= {keys[line], new[relation.api]}
        return names

    def is_edited(self, old, new):
        """True if the target edited the record after the import."""
        return is_later(new, "updated_at", self.imported) and moment(new["updated_at"]) != moment(old.get("updated_at"))

    def is_replacement(self, old, new):
        """True if the target created another record with the number of a lost one."""
        before, after = (record.get("created_at") for record in (old, new))
        is_new = None not in (before, after) and is_later(new, "created_at", self.imported)
        # A lost time of creation is another loss. An import also keeps the time of the last change.
        return is_new and second(before) != second(after) and moment(old.get("updated_at")) != moment(new.get("updated_at"))

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
        all_olds = by_key(olds, getattr(relation, side.old_place))
        if side is EXPORT:
            olds = [old for old in olds if is_own(old) and not self.is_new(name, old, news)]
        olds, news = by_key(olds, getattr(relation, side.old_place)), by_key(news, getattr(relation, side.new_place))
        for key in olds if side is IMPORT else ():
            if len(olds[key]) == len(news.get(key, [])) == 1 and self.is_replacement(olds[key][0], news[key][0]):
                news[key] = []
        missing = [key for key in olds for _ in range(len(olds[key]) - len(news.get(key, [])))]
        if side is EXPORT and relation.untimed and any(key not in all_olds for key in news):
            # The missing record may have another name now.
            missing = []
        if side is EXPORT and name in IDENTIFIED:
            # Only a record with a lower id than an archived one is certainly older than the archive.
            newest = max((old["id"] for key in olds if key in news for old in olds[key]), default=0)
            missing = [key for key in missing if max(old["id"] for old in olds[key]) < newest]
        if side is IMPORT and name in ("labels", *IDENTIFIED):
            missing = [key for key in missing if key not in self.renamed]
        for key in missing:
            yield at(olds[key][0], relation.title) if relation.title else key, None
        for key in olds:
            # Records with the same key cannot be distinguished.
            if len(olds[key]) == len(news.get(key, [])) == 1 and is_own(news[key][0]):
                old, new = olds[key][0], news[key][0]
                title = at(new if side is EXPORT else old, relation.title) if relation.title else key
                yield from ((title, field) for field in self.lost_fields(side, name, old, new))

    def is_new(self, name, record, news):
        """True if a record of the source may be newer than the archive."""
        if name == "labels":
            return self.newest_label is not None and record["id"] > self.newest_label
        if name in IDENTIFIED:
            return False
        if name in ("protected_environments", "approval_rules"):
            # Neither they nor their project show a time.
            return True
        if name == "issues" and is_later(record, "updated_at", self.exported):
            # An issue that was moved here keeps the time of its creation.
            if record["iid"] > max((new["iid"] for new in news), default=0):
                return True
        return is_later(record, "created_at", self.exported) if "created_at" in record else self.was_active

    def may_be_edited(self, side, edited, old, new):
        if edited == "time":
            return is_later(old, "updated_at", self.exported) if side is EXPORT else self.is_edited(old, new)
        if edited == "nothing":
            return side is EXPORT or self.is_late
        return side is EXPORT and self.was_active

    def lost_fields(self, side, name, old, new):
        has_notes = name in NOTEABLES and None not in (old["all_notes"], new["all_notes"])
        has_all_notes = has_notes and not old.get("hides_notes") and not new.get("hides_notes")
        if has_notes:
            users, system = ([note for note in old["all_notes"] if note.get("system", False) == kind] for kind in (False, True))
            # System notes of a record without comments are not compared.
            for olds, kind in ((users, "note"), (users and system, "system note")):
                news = [note for note in new["all_notes"] if note.get("system", False) == (kind != "note")]
                yield from self.lost_note_fields(side, kind, olds, news, new.get("hides_notes"))
        # Nothing shows when a membership of the source changed.
        is_member = side is EXPORT and name == "project_members"
        is_edited = is_member or self.may_be_edited(side, RELATIONS[name].edited, old, new)
        for field in FIELDS:
            # Nobody can change an author.
            if field.relation != name or is_edited and field.name != "author":
                continue
            if has_all_notes and field.name == "notes" or name == "settings" and field.name in self.overrides:
                continue
            before, after = self.values(side, field, old, new)
            is_target = side is IMPORT
            if name == "settings" and side is EXPORT and after is not ABSENT and not field.archive.startswith("project."):
                # GitLab stores these settings in other tables, and shows no time of their changes.
                continue
            if name == "settings" and side is EXPORT and after is ABSENT:
                # Only the target shows whether a setting that the archive does not have was lost.
                is_target, after = True, at(self.lists["target"]["settings"][0], field.api)
            if name == "wiki" and (self.was_active or self.is_late):
                continue
            if field.name in SILENT and (side is EXPORT or self.is_late):
                continue
            if field.name in self.titles and self.may_be_renamed(side, field, before, after):
                continue
            if side is IMPORT and field.name in ("labels", "milestone", "lists"):
                names = [texts(field.read(value)) for value in (before, after)]
                if names[0] ^ names[1] <= self.renamed:
                    continue
            if field.name == "status" and side is IMPORT and before not in ENDED:
                # An import cancels pipelines that had not ended.
                before = "canceled"
            if field.name == "expires_at" and before is None and new.get("access_level", 0) > old["access_level"]:
                # A member with a higher role may have another membership, with its own end.
                continue
            if before is ABSENT or after is ABSENT or is_target and field.decided == str(after).lower() != "":
                continue
            if field.read is role and side is IMPORT and 0 < (role(before) or 0) < MAINTAINER == role(after):
                # An import raises levels to Maintainer.
                continue
            if is_changed(field, before, after):
                yield field.name

    def values(self, side, field, old, new):
        before, after = at(old, getattr(field, side.old_place)), at(new, getattr(field, side.new_place))
        if field.name in PEOPLE and side is IMPORT:
            users = before if isinstance(before, list) else [] if before in (None, ABSENT) else [before]
            mapped = sorted({self.people[user] for user in users})
            nobody = ABSENT if field.name == "author" else before
            before = mapped if isinstance(before, list) else mapped[0] if mapped else nobody
        return before, after

    def lost_note_fields(self, side, name, olds, news, hides_notes):
        if side is EXPORT:
            olds = [note for note in olds if not is_later(note, "created_at", self.exported)]
        pairs = paired_notes(side, olds, news)
        found = [id(new) for _, new in pairs]
        lost = [old for old, new in pairs if new is None]
        # A thread whose first note is on one side only is no loss of its own.
        single = {second(note["created_at"]) for note in lost + [new for new in news if id(new) not in found]}
        if not hides_notes and any(side is EXPORT or not may_be_hidden(note) for note in lost):
            yield f"{name}s"
        for old, new in pairs:
            if new is None:
                continue
            is_edited = self.may_be_edited(side, "time", old, new)
            for field in FIELDS:
                if field.relation != "notes" or is_edited and field.name != "author":
                    continue
                before, after = self.values(side, field, old, new)
                if field.name == "text" and has_same_text(side, old, new):
                    continue
                if field.name == "thread" and {second(before), second(after)} & single:
                    continue
                if field.name in ("position", "emoji") and side is EXPORT:
                    # GitLab moves the position of a note after a push, without a time.
                    continue
                if field.name == "position" and old.get("type") != "DiffNote":
                    continue
                if before is not ABSENT and after is not ABSENT and is_changed(field, before, after):
                    yield f"{field.name} of a {name}"

    def may_be_renamed(self, side, field, before, after):
        """True if the difference may be another name of a label or milestone."""
        return self.is_late if side is IMPORT else (texts(before) | texts(after)) - self.titles[field.name]


def verify(request, project):
    lists = {"archive": read_archive(project["archive"])}
    commits = {note["commit_id"] for note in lists["archive"]["commit_notes"]}
    # Only records and notes with reactions or events in the archive are compared.
    records = [record for name in NOTEABLES for record in lists["archive"][name]]
    notes = [note for record in records for note in record["all_notes"]]
    parts = ("award_emoji", *EVENTS)
    reacted = {reaction_key(record) for record in records + notes if any(record.get(part) for part in parts)}
    for part in ("source", "target"):
        instance = Instance(**request[part])
        lists[part] = instance.read(project[part], commits, reacted)
        if part == "source":
            # The archive has the pages in a repository, so those of the target are compared with the source.
            lists["archive"]["wiki"] = lists["archive"]["wiki"] and (lists["source"]["wiki"] or [{"pages": ABSENT}])
            project["exportedAt"] += instance.skew
    # A user of the source may have another name now.
    names = {member["user"]["id"]: member["user"]["username"] for member in lists["archive"]["project_members"]}
    for member in lists["source"]["project_members"] or []:
        member["username"] = names.get(member["id"], member["username"])
    instance.read_uploads(project["target"], lists["target"]["uploads"])
    if not request["byAdministrator"]:
        # Other accounts import no members.
        lists["target"]["project_members"] = None
    members = lists["target"]["project_members"] or []
    # An import uses its own account for all users that it does not map.
    importer = instance.user_ids("username", request["importer"])[0]
    people = collections.defaultdict(lambda: importer)
    for user in (member["user"] for member in lists["archive"]["project_members"]):
        # An import finds users by their public e-mail addresses, and these may have another name on the target.
        name, address = user["username"], user.get("public_email")
        if request["byAdministrator"] and address:
            people.update({user["id"]: found for found in instance.user_ids("search", address)})
        for member in members:
            if address and member.get("public_email") == address:
                member["username"] = name
        # Users without an account on the target cannot arrive.
        if all(member["username"] != name for member in members) and not instance.user_ids("search", address):
            members.append({"username": name})
    unread = [f"{part} {name}" for part in lists for name, records in lists[part].items() if records is None]
    rows = Comparison(lists, project, people).differences()
    differences = [{"side": side, "relation": name, "key": key, "field": field} for side, name, key, field in rows]
    verdict = "differs" if differences else "agrees"
    return {"project": project["source"], "verdict": verdict, "differences": differences, "unread": unread}


if __name__ == "__main__":
    request = json.load(sys.stdin)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        json.dump(list(pool.map(lambda project: verify(request, project), request["projects"])), sys.stdout)
