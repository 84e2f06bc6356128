"""Reads the sides of a migration, a project and an archive: a list of records for each relation."""
import base64
import collections
import csv
import datetime
import functools
import http.client
import json
import pathlib
import re
import tarfile
import urllib.parse

ABSENT = object()
# Lists whose entries have a label or a milestone.
GROUP_PARTS = ("label_links", "lists", "milestone_releases", "resource_label_events", "resource_milestone_events")


def rows(file):
    with open(pathlib.Path(__file__).with_name(file), newline="") as table:
        return [collections.namedtuple("Row", row)(**row) for row in csv.DictReader(table)]


# No export contains pipelines of these sources.
DANGLING = """webide ondemand_dast_scan ondemand_dast_validation security_orchestration_policy duo_workflow
container_registry_push pipeline_execution_policy_schedule""".split()
# `CONTRIBUTING.md` says what the columns are. Records of some lists may be `renamed` without a trace.
RELATIONS = {row.relation: row for row in rows("relations.csv")}


def at(record, path):
    """The value at a place of a record, or ABSENT. `CONTRIBUTING.md` says what places are."""
    place, star, inner = path.partition(".*.")
    if star:
        found = at(record, place)
        values = [at(element, inner) for element in found] if isinstance(found, list) else found
        return ABSENT if isinstance(found, list) and ABSENT in values else values
    if "+" in path:
        return ABSENT if ABSENT in (values := [at(record, each) for each in path.split("+")]) else values
    place, _, other = path.partition("|")
    value = record
    for step in place.lstrip("?").split("."):
        value = (value or [{}])[0] if isinstance(value, list) else value
        value = value.get(step, None if place.startswith("?") else ABSENT)
        if value in (None, "", ABSENT):
            return at(record, other) if other else value
    return value


def seconds(time):
    """Seconds since 1970; 0 without a time. Old archives have times like "2019-11-25 19:42:00 UTC"."""
    return int(datetime.datetime.fromisoformat(re.sub(" UTC|Z", "+00:00", time)).timestamp()) if time else 0


def plain(value):
    """An empty value, 0 and a switch that is off equal a missing value. Lists have no order, times no fractions."""
    if isinstance(value, list):
        return sorted(filter(None, map(plain, value)), key=str) or None
    is_time = isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*( UTC)?", value)
    return seconds(value) if is_time else value or None


def by_key(records, path):
    groups = collections.defaultdict(list)
    for record in records:
        groups[str(plain(at(record, path)))].append(record)
    return groups


class Instance:
    """Reads a project from a GitLab instance over one connection."""

    def __init__(self, project, url, token):
        self.url, self.token, self.path = urllib.parse.urlsplit(url), token, project
        self.project, self.list = f"projects/{urllib.parse.quote(project, safe='')}", functools.cache(self.list)
        self.connection = http.client.HTTPConnection(self.url.netloc, timeout=60)

    def list(self, path, parse=json.loads):
        """All rows of a list, one object, or a file; None if it is refused, or has other rows than it announces."""
        found, page, mark = [], "1", "&" if "?" in path else "?"
        while page:
            address = f"{self.url.path}/api/v4/{path}{mark}per_page=100&page={page}"
            self.connection.request("GET", address, headers={"PRIVATE-TOKEN": self.token})
            reply = self.connection.getresponse()
            body = reply.read()
            if reply.status in (403, 404):
                return None
            assert reply.status == 200, f"GET {path}: {reply.status} {body[:200]!r}"
            part, page = parse(body), reply.headers.get("X-Next-Page")
            found += part if isinstance(part, list) else [part]
        total = int(reply.headers.get("X-Total") or len(found))
        return [row for row in found if row] if len(set(map(str, found))) == len(found) == total else None

    def part(self, path, parse=json.loads):
        return self.list(f"{self.project}/{path}", parse)

    def notes(self, noteable):
        """The notes of users and of the system, with the time of the first one in their thread."""
        threads = self.part(f"{noteable}/discussions")
        starts = [(thread["notes"], thread["notes"][0]["created_at"]) for thread in threads or []]
        return threads and [{**note, "noteable": noteable, "thread": start} for all, start in starts for note in all]

    def lfs_objects(self, archive):
        """The objects of an archive that the project has; None if its Git server refuses to answer."""
        oids = {*archive.get("lfs-objects", [{}])[0], *(file["filename"] for file in archive["lfs_objects"])}
        body = json.dumps({"operation": "download", "objects": [{"oid": oid, "size": 0} for oid in oids]})
        login = base64.b64encode(f"verifier:{self.token}".encode()).decode()
        headers = {"Authorization": f"Basic {login}", "Content-Type": "application/vnd.git-lfs+json"}
        self.connection.request("POST", f"{self.url.path}/{self.path}.git/info/lfs/objects/batch", body, headers)
        found = json.load(self.connection.getresponse()).get("objects")
        return found and [each for each in found if "actions" in each]

    def read(self, archive):
        """The records of each relation; None for a list that the instance does not return."""
        root = self.list(f"{self.project}?statistics=true&with_custom_attributes=true")
        if root is None:
            return {}
        lists = {name: self.part(relation.path) for name, relation in RELATIONS.items() if relation.path}
        for record in lists["merge_requests"] or []:
            record["version"] = (self.part(f"merge_requests/{record['iid']}/versions") or [{"id": 0}])[0]["id"]
        # The rows that no export of a project contains.
        for name, column, values in ("ci_pipelines", "source", DANGLING), ("protected_branches", "inherited", [True]):
            lists[name] = lists[name] and [row for row in lists[name] if row.get(column) not in values]
        noted_commits = {note["commit_id"] for note in archive["commit_notes"]}
        notes = [note for commit in noted_commits for note in self.notes(f"repository/commits/{commit}") or []]
        lists.update(settings=root, avatar=[{}], commit_notes=notes, wiki=lists["wiki"] and [{"pages": lists["wiki"]}])
        return {**lists, "lfs_objects": self.lfs_objects(archive)}


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
    of_groups = {"label": lists["group_labels"], "milestone": lists["group_milestones"]}
    for record in lists["issues"] + lists["merge_requests"] + lists["boards"] + lists["releases"]:
        project = record.get("project_id", record.get("target_project_id"))
        for part in [record, *(part for name in GROUP_PARTS for part in record.get(name) or [])]:
            for name, row in ((name, part.get(name)) for name in of_groups):
                if isinstance(row, dict) and (row.get("type") == "GroupLabel" or row.get("group_id")):
                    own = [each for each in row.get("priorities") or [] if each.get("project_id", project) == project]
                    of_groups[name].append({**row, "priorities": own})
    for pipeline in lists["ci_pipelines"]:
        stages = pipeline.get("stages") or []
        for kind in ("builds", "bridges", "generic_commit_statuses"):
            jobs = [{**job, "stage": stage["name"]} for stage in stages for job in stage.get(kind) or []]
            latest = [job for job in jobs if not job.get("retried")]
            pipeline.update({kind: jobs if kind == "builds" else latest, "jobs": pipeline.get("jobs", []) + latest})
    # A member of a project and of its group is exported twice. An invitation is a member without a user.
    members = sorted(lists["project_members"], key=lambda member: member["access_level"])
    lists["project_members"] = list({user["id"]: row for row in members if (user := row.get("user"))}.values())
    lists["invitations"] = [member for member in members if not member.get("user")]
    return {**dict.fromkeys(RELATIONS, []), "avatar": [{}], **lists, "settings": [lists]}
