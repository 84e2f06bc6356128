"""An independent verifier of migrations and imports, written from GitLab's documentation and docs/what-is-compared.md.

The reply has the differences of each project: [side, relation, key, field or null for a record, answer]. "lost" is
certain, "explained" may be an edit or a default, or is not known, "optional" may be newer, "unread" is a list."""
import base64
import collections
import csv
import datetime
import functools
import http.client
import json
import re
import sys
import tarfile
import urllib.parse

ABSENT = object()


def rows(file):
    with open(f"{sys.path[0]}/{file}", newline="") as table:
        return [collections.namedtuple("Row", row)(**row) for row in csv.DictReader(table)]


def at(record, path):
    """The value at a place of a record, or ABSENT. `CONTRIBUTING.md` says what places are."""
    place, star, inner = path.partition(".*.")
    if star and not isinstance(found := at(record, place), list):
        return found
    if star or "+" in path:
        values = [at(each, inner) for each in found] if star else [at(record, each) for each in path.split("+")]
        return ABSENT if ABSENT in values else values
    (place, _, other), value = path.partition("|"), record
    for step in place.lstrip("?").split("."):
        value = (value or [{}])[0] if isinstance(value, list) else value
        value = value.get(step, None if place.startswith("?") else ABSENT)
        if value in (None, "", ABSENT):
            return at(record, other) if other else value
    return value


def seconds(time):
    """Seconds since 1970; 0 without a time. Old archives have times like "2019-11-25 19:42:00 UTC", or none at all."""
    return int(datetime.datetime.fromisoformat(time.replace(" UTC", "Z")).timestamp()) if str(time)[:1].isdigit() else 0


def plain(value):
    """An empty value, 0 and a switch that is off equal a missing value. Lists have no order, times no fractions."""
    if isinstance(value, list):
        return sorted(filter(None, map(plain, value)), key=str) or None
    is_time = isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*( UTC)?", value)
    return seconds(value) if is_time else value or None


def is_of_group(row):
    return bool(row.get("group_id")) or at(row, "is_project_label|kind|type") in (False, "group", "GroupLabel")


def by_key(records, path):
    groups = collections.defaultdict(list)
    for record in records:
        groups[str(plain(at(record, path)))].append(record)
    return groups


RELATIONS = {row.relation: row for row in rows("relations.csv")}
FIELDS = [row._replace(api=row.api or row.field, archive=row.archive or row.field) for row in rows("fields.csv")]
NAMES = {(row.read, row.value): row.name for row in rows("values.csv")}
READERS = {
    "bytes": lambda value: plain([value.encode()] if isinstance(value, str) else value), "import role": int,
    "users": lambda value: plain(list(set(value if isinstance(value, list) else [value]))),
    "bool": bool, "count": lambda value: len(value or []) if isinstance(value, list) else int(value or 0),
    "jobs": lambda jobs: {name: sorted(str(plain(end)) for _, key, end in jobs if key == name) for _, name, _ in jobs},
    "sum": lambda value: sum(value) if isinstance(value, list) else value,
    "known": lambda value: ABSENT if value in (None, []) else plain(value),  # An empty value is not known.
    # Each import adds the name of an author whom it does not know.
    "note": lambda text: re.sub(r"(\n\n ?\*By .+ on .+\*( \(imported .+\))?)+$|^\*Blank note\*", "", text or ""),
    "branch": lambda value: value and value.removeprefix("refs/heads/"),
    "download": lambda urls: plain(re.findall(r"(?:/-/releases/[^/']+(?:/downloads)?|')(/[^']*)", str(urls))),
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
    # Attempts of jobs, and entries, that one side has less often are losses of another field.
    "both": lambda before, after: any(LOSSES["equally many"](before[job], after.get(job)) for job in before),
    "equally many": lambda before, after: before != after and len(after or []) == len(before or []),
}


class Instance:
    """Reads a project from a GitLab instance. A server closes connections that are idle, so no connection is kept."""

    def __init__(self, side, project, archive, url, token):
        self.side, self.url, self.token, self.path = side, urllib.parse.urlsplit(url), token, project[side]
        self.project, self.list = "projects/" + urllib.parse.quote(self.path, ""), functools.lru_cache(1000)(self.list)
        self.connection = http.client.HTTPConnection(self.url.netloc, timeout=60)
        self.root, *_ = self.list(f"{self.project}?statistics=true&with_custom_attributes=true") or [None]
        self.lists = self.read(archive) if self.root else {}

    def list(self, path, is_file=False):
        """All rows of a list, one object, or a file; None if it is refused, or has other rows than it announces."""
        found, page, mark = [], "1", "&" if "?" in path else "?"
        while page:
            address = f"{self.url.path}/api/v4/{path}{mark}per_page=100&page={page}"
            self.connection.request("GET", address, headers={"PRIVATE-TOKEN": self.token, "Connection": "close"})
            body = (reply := self.connection.getresponse()).read()
            if reply.status in (403, 404):
                return None
            assert reply.status == 200, f"GET {path}: {reply.status} {body[:200]!r}"
            part, page = body if is_file else json.loads(body), reply.headers.get("X-Next-Page")
            found += part if isinstance(part, list) else [part]
        total = int(reply.headers.get("X-Total") or len(found))
        return [row for row in found if row] if len(set(map(str, found))) == len(found) == total else None

    def notes(self, noteable):
        """The notes of users and of the system, with the time of the first one in their thread."""
        threads = self.list(f"{self.project}/{noteable}/discussions")
        starts = [(thread["notes"], thread["notes"][0]["created_at"]) for thread in threads or []]
        return threads and [{**note, "noteable": noteable, "thread": start} for all, start in starts for note in all]

    def read(self, archive):
        """The records of each relation; None for a list that the instance does not return."""
        lists = {name: self.list(f"{self.project}/{row.path}") for name, row in RELATIONS.items() if row.path}
        for row in lists["merge_requests"] or []:
            row["version"] = (self.list(f"{self.project}/merge_requests/{row['iid']}/versions") or [{"id": 0}])[0]["id"]
        noted_commits = {note["commit_id"] for note in archive["commit_notes"]}
        notes = [note for commit in noted_commits for note in self.notes(f"repository/commits/{commit}") or []]
        lists.update(settings=[self.root], avatar=[{}], wiki=lists["wiki"] and [{"pages": lists["wiki"]}])
        oids = {*archive.get("lfs-objects", [{}])[0], *(file["filename"] for file in archive["lfs_objects"])}
        body = json.dumps({"operation": "download", "objects": [{"oid": oid, "size": 0} for oid in oids]})
        login = "Basic " + base64.b64encode(f"verifier:{self.token}".encode()).decode()
        headers = {"Authorization": login, "Content-Type": "application/vnd.git-lfs+json", "Connection": "close"}
        self.connection.request("POST", f"{self.url.path}/{self.path}.git/info/lfs/objects/batch", body, headers)
        found = json.load(self.connection.getresponse()).get("objects")
        return {**lists, "commit_notes": notes, "lfs_objects": found and [each for each in found if "actions" in each]}


def read_archive(path):
    """The records of each relation in an archive."""
    lists = collections.defaultdict(list)
    with tarfile.open(path, "r|gz") as archive:
        for member in filter(tarfile.TarInfo.isfile, archive):
            folder, _, name = member.name.removeprefix("./").rpartition("/")
            file = archive.extractfile(member)
            if re.fullmatch(r"tree(/project)?/[^.]+\.(nd)?json|/lfs-objects\.json", f"{folder}/{name}"):
                records = map(json.loads, filter(bytes.strip, file)) if ".nd" in name else [json.load(file)]
                lists[name.rpartition(".")[0]] = [record for record in records if record is not None]
            elif name == "project.bundle":
                head = file.read().partition(b"\n\n")[0].decode()
                for sha, kind, ref in re.findall(r"^(\w+) refs/(heads|tags)/(.+)$", head, re.MULTILINE):
                    lists["branches" if kind == "heads" else "tags"].append({"sha": sha, "name": ref})
            elif re.fullmatch(r"(avatar|lfs-objects|uploads/[0-9a-f]{32})/.+|/project.wiki.bundle", f"{folder}/{name}"):
                files = lists[(folder or "wiki").partition("/")[0].replace("-", "_")]
                files.append({"filename": name, "size": member.size, "content": [file.read()]})
    for record in lists["issues"] + lists["merge_requests"] + lists["snippets"]:
        starts = {None: ABSENT}  # Old archives do not show the threads of some notes.
        for note in record.setdefault("notes", []):
            note["thread"] = starts.setdefault(note.get("discussion_id"), note.get("created_at"))
    owners = lists["issues"] + lists["merge_requests"] + lists["boards"] + lists["releases"]
    owners += [part for owner in owners for value in owner.values() if isinstance(value, list) for part in value]
    projects = {owner.get("project_id", owner.get("target_project_id")) for owner in owners}
    for name in ("label", "milestone"):
        lists[f"group_{name}s"] += [owner[name] for owner in owners if owner.get(name) and is_of_group(owner[name])]
    for label in lists["group_labels"]:
        label["priorities"] = [row for row in label.get("priorities") or [] if row.get("project_id") in projects]
    for pipeline in lists["ci_pipelines"]:
        for key in ("builds", "bridges", "generic_commit_statuses"):
            jobs = [{**job, "stage": row["name"]} for row in pipeline.get("stages") or [] for job in row.get(key) or []]
            latest = [job for job in jobs if not job.get("retried")]
            pipeline.update({key: jobs if key == "builds" else latest, "jobs": pipeline.get("jobs", []) + latest})
    # A member of a project and of its group is exported twice. An invitation is a member without a user.
    members = sorted(lists["project_members"], key=lambda member: member["access_level"])
    lists["project_members"] = list({user["id"]: row for row in members if (user := row.get("user"))}.values())
    lists["invitations"] = [member for member in members if not member.get("user")]
    return {**dict.fromkeys(RELATIONS, []), "avatar": [{}], **lists, "settings": [lists]}


class Comparison(collections.namedtuple("Comparison", "project archive people is_export instance instances")):
    """Compares an archive with the source of its export, or with the target of its import."""

    def differences(self):
        for name, relation in RELATIONS.items():
            archived, listed = self.archive[name], self.instance.lists.get(name)
            lost = archived and [(None, None, "unread")] if listed is None else self.compare(relation, archived, listed)
            of_groups = self.compare_groups(relation, listed or []) if f"group_{name}" in self.archive else []
            yield from (("on-export" if self.is_export else "on-import", name, *each) for each in (*lost, *of_groups))

    def compare_groups(self, relation, listed):
        """Only records that use those of groups have them. An import uses that of any group, and does not change it."""
        shown, own = by_key(listed, "name|title"), self.archive[relation.relation]
        for title, (old, *_) in by_key(self.archive[f"group_{relation.relation}"] + own, "title").items():
            found = sorted(shown.get(title, []), key=is_of_group, reverse=self.is_export)
            found = [row for row in found if is_of_group(row) == is_of_group(found[0])]
            is_fixed = not self.is_export and any(map(is_of_group, found))
            compared = [dict(self.compare_record(relation, old, row)) for row in found] or [{None: "explained"}]
            for field, answer in min(compared, key=len).items() if old not in own or is_fixed else []:
                is_doubtful = is_fixed and field != "priority" or not all(field in each for each in compared)
                if not (is_fixed and field == "created_at"):
                    yield title, field, "explained" if is_doubtful else answer

    def compare(self, relation, archived, listed):
        listed = [row for row in listed if str(row.get(relation.column)) not in relation.unexported.split()]
        # An import uses the label or milestone of a group instead of creating one with the same title.
        shared = [at(row, "username|name|title") for row in listed if is_of_group(row) or row.get("username")]
        listed = by_key((row for row in listed if not is_of_group(row)), relation.api)
        archived = by_key(archived, relation.archive)
        olds, news = (listed, archived) if self.is_export else (archived, listed)
        for key, before in olds.items():
            title = at((archived.get(key) or before)[0], relation.title)
            for old in before[len(news.get(key, [])) :]:
                is_newer = seconds(old.get("created_at")) >= self.project["exportedAt"]
                is_optional = is_newer if self.is_export else at(old, "name|title") in shared
                is_doubtful = relation.renamed or old.get("has_no_account") or self.may_be_edited({}, old)
                yield title, None, "optional" if is_optional else "explained" if is_doubtful else "lost"
            if len(before) == len(news.get(key, [])) == 1:
                yield from ((title, *each) for each in self.compare_record(relation, archived[key][0], listed[key][0]))

    def may_be_edited(self, archived, listed, time="updated_at"):
        before, after = (seconds(record.get(time)) for record in (archived, listed))
        is_newer = self.project["isLate"] or 0 < before != after >= seconds(self.instance.root["created_at"])
        is_pushed = 0 < self.project["exportedAt"] <= seconds(at(listed, "?commit.committed_date"))
        return not 0 < after < self.project["exportedAt"] if self.is_export else is_newer or is_pushed

    def compare_record(self, relation, archived, listed):
        is_edited, is_setting = self.may_be_edited(archived, listed), relation.relation == "settings"
        overrides = {name: str(value).lower() for name, value in self.project["overrides"].items() if is_setting}
        notes = self.instance.notes(relation.notes.format_map(listed)) if relation.notes else []
        yield from [("notes", "explained")] if notes is None else self.compare_notes(archived.get("notes", []), notes)
        for field in (each for each in FIELDS if each.relation == relation.relation):
            shown = [self.value(field, each.root, each) for each in self.instances if is_setting and each.root]
            old = self.value(field, archived)
            is_without = field.only == "archive" and not self.is_export and old in (ABSENT, None, [])
            new = ABSENT if is_without else self.value(field, listed, self.instance)
            is_doubtful = field.doubt in ("yes", self.instance.side) or is_edited and field.doubt != "never"
            is_doubtful = is_doubtful or "_at" in field.doubt and self.may_be_edited({}, listed, field.doubt)
            if old is ABSENT and self.is_export and is_setting:
                # Only the target shows whether a setting that the archive does not have was lost.
                old, is_doubtful = shown[-1], True
            if field.field in overrides:
                shown, old, new = [], overrides[field.field], ABSENT if self.is_export else str(new).lower()
            before, after = (new, old) if self.is_export else (old, new)
            if ABSENT not in (before, after) and LOSSES[field.loss](before, after):
                is_doubtful = is_doubtful or is_setting and not (self.is_export or old and self.project["overrides"])
                is_forced = [str(value) for value in shown] == 2 * [field.forced]
                yield field.field, "optional" if is_forced else "explained" if is_doubtful else "lost"

    def value(self, field, record, instance=None):
        """The value that an instance shows, or that an archive has for the instance."""
        if instance and field.address:
            part = instance.list(f"{instance.project}/{field.address}".format_map(record), field.read == "bytes")
            record = {} if part is None else {"part": part}
        value, is_imported = at(record, field.api if instance else field.archive), not (instance or self.is_export)
        value = NAMES.get((field.read, str(value)), value) if is_imported or "import" not in field.read else value
        value = value if value is ABSENT else READERS.get(field.read, plain)(value)
        is_mapped = is_imported and field.read.endswith("users") and value is not ABSENT
        return READERS[field.read]([self.people[user] for user in value or []]) if is_mapped else value

    def compare_notes(self, archived, listed):
        # GitLab hides system notes that mention something.
        is_doubtful = not self.is_export or all(note["system"] for note in listed)
        # A thread whose first note is on one side only is no loss of its own.
        known = ["thread"] if by_key(archived, "created_at").keys() != by_key(listed, "created_at").keys() else []
        for is_system, field, answer in self.compare(RELATIONS["notes"], archived, listed):
            answer = "explained" if is_system and is_doubtful and answer == "lost" else answer
            kind = "system note" if is_system else "note"
            yield f"{field} of a {kind}" if field else f"{kind}s", "optional" if field in known else answer


def verify(request, project):
    archive = read_archive(project["archive"])
    instances = [Instance(side, project, archive, **request[side]) for side in ("source", "target") if request[side]]
    # The archive has the pages in a repository, so those of the target are compared with the source.
    archive["wiki"] = archive["wiki"] and (len(instances) == 2 and instances[0].lists.get("wiki") or [{}])
    people = collections.defaultdict(lambda: project["importer"].get("id"))  # For users that an import does not map.
    for member in archive["project_members"]:
        address = project["importer"].get("is_admin") and member["user"].get("public_email")
        accounts = instances[-1].list(f"users?search={urllib.parse.quote(address)}") if address else []
        people.update({member["user"]["id"]: account["id"] for account in accounts})
        member["has_no_account"] = not accounts
        # The product finds a member without an address by its username.
        member["name"] = None if member["user"].get("public_email") else member["user"]["username"]
    # Only an administrator imports invitations. An accepted one is a member with its time.
    members = [member for each in instances for member in each.lists.get("project_members") or []]
    for invitation in archive["invitations"]:
        accepted = [member for member in members if member["created_at"] == invitation["created_at"]]
        for row in [*accepted, invitation]:
            row["has_no_account"] = bool(accepted) or not project["importer"].get("is_admin")
    for each in instances:
        yield from Comparison(project, archive, people, each.side == "source", each, instances).differences()


for request in map(json.loads, sys.stdin):
    print(json.dumps([list(verify(request, each)) for each in request["projects"]], default=str), flush=True)
