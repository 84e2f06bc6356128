"""Reads the sides of a migration, a project and an archive: a list of records for each relation."""
import collections
import csv
import datetime
import hashlib
import http.client
import itertools
import json
import pathlib
import re
import tarfile
import urllib.parse

ABSENT = object()


def rows(file):
    with open(pathlib.Path(__file__).with_name(file), newline="") as table:
        return [collections.namedtuple("Row", row)(**row) for row in csv.DictReader(table)]


# `relations.csv` has the path of each list in the API, and the key of a record there and in the archive: `?` if there
# is only one record. `edited` is what shows that a record was edited: its "time", the last "activity" of the project,
# or "nothing". In some lists, records may be `renamed` without a trace. A result names a record by its `title`.
RELATIONS = {row.relation: row for row in rows("relations.csv")}
SETTINGS = ("project", "project_feature", "ci_cd_settings", "auto_devops", "container_expiration_policy", "error_tracking_setting")
# Relations with notes, and the number by which the API finds a record.
EVENTS = ("resource_state_events", "resource_label_events", "resource_milestone_events")
NOTEABLES = {"issues": "iid", "merge_requests": "iid", "snippets": "id"}


def at(record, path):
    """The value at that place of a record, or ABSENT; None with a leading `?`. After `|` is a place for no value."""
    place, _, other = path.partition("|")
    value, steps = record, place.lstrip("?").split(".")
    for index, step in enumerate(steps):
        if step == "*":
            return [at(element, ".".join(steps[index + 1 :])) for element in value]
        value = value.get(step, None if place.startswith("?") else ABSENT)
        if value in (None, "", ABSENT):
            return at(record, other) if other else value
    return value


def seconds(time):
    """Seconds since 1970; 0 without a time. Old archives have times like "2019-11-25 19:42:00 UTC"."""
    return int(datetime.datetime.fromisoformat(re.sub(" UTC|Z", "+00:00", time)).timestamp()) if time else 0


def digest(content):
    return hashlib.sha256(content).hexdigest()


def by_key(records, path):
    groups = collections.defaultdict(list)
    for record in records:
        key = at(record, path)
        groups[seconds(key) if path == "created_at" else key].append(record)
    return groups


def plain(value):
    """An empty value, 0 and a switch that is off equal a missing value. Lists have no order, times no fractions."""
    if isinstance(value, list):
        return sorted(filter(None, map(plain, value)), key=str) or None
    is_time = isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*( UTC)?", value)
    return seconds(value) if is_time else value or None


def by_key(records, path):
    groups = collections.defaultdict(list)
    for record in records:
        groups[plain(at(record, path))].append(record)
    return groups


def read_notes(threads):
    """The notes of users and of the system. A reply has the time of the first note in its thread."""
    notes = [{**note, "thread": min(other["created_at"] for other in thread)} for thread in threads for note in thread]
    for note in notes:
        # Each import adds the name of an author whom it does not know.
        text = re.sub(r"(\n\n ?\*By .+ on .+\*( \(imported .+\))?)+$", "", at(note, "?note|?body") or "")
        note["text"] = "" if text == "*Blank note*" else text
        note["second"] = seconds(note["created_at"])
        note["thread"] = note["thread"] if note["thread"] != note["created_at"] else None
    return notes


def identity(record):
    return record.get("iid") or seconds(record["created_at"])


class Instance:
    """Reads from a GitLab instance over one connection."""

    def __init__(self, url, token):
        self.url, self.token = urllib.parse.urlsplit(url), token
        self.connection = http.client.HTTPConnection(self.url.netloc, timeout=60)

    def get(self, path, parse=json.loads):
        """The parsed reply, and its headers; None if the instance refuses it, and an empty list for null."""
        self.connection.request("GET", f"{self.url.path}/api/v4/{path}", headers={"PRIVATE-TOKEN": self.token})
        reply = self.connection.getresponse()
        body = reply.read()
        if reply.status not in (200, 403, 404):
            raise RuntimeError(f"GET {path}: {reply.status} {body[:200]!r}")
        return (parse(body) or [] if reply.status == 200 else None), reply.headers

    def list(self, path):
        """All rows of a list; None if it is refused, or has other rows than it announces."""
        found, page = [], "1"
        while page:
            part, headers = self.get(f"{path}?per_page=100&page={page}")
            if part is None:
                return None
            found += part if isinstance(part, list) else [part]
            page = headers.get("X-Next-Page")
        keys = {row.get("id") or row.get("tag_name") or row.get("name") for row in found}
        return found if len(keys) == len(found) == int(headers.get("X-Total") or len(found)) else None

    def notes(self, path):
        # The list of discussions shows the thread of a note.
        threads = self.list(f"{path}/discussions")
        return None if threads is None else read_notes(thread["notes"] for thread in threads)

    def read(self, project, archive, is_target):
        """The records of each relation; None for a list that the instance does not return."""
        # Only records with reactions or events in the archive are compared in these, and only its commits with notes.
        commits = {note["commit_id"] for note in archive["commit_notes"]}
        records = [record for name in NOTEABLES for record in archive[name]]
        notes = [note for record in records for note in record["all_notes"]]
        parts = ("award_emoji", *EVENTS)
        identities = {identity(record) for record in records + notes if any(map(record.get, parts))}
        path = f"projects/{urllib.parse.quote(project, safe='')}"
        settings, _ = self.get(f"{path}?statistics=true&with_custom_attributes=true")
        if settings is None:
            return dict.fromkeys(RELATIONS)
        settings["error_tracking"] = self.get(f"{path}/error_tracking/settings")[0] or {}
        lists = {name: self.list(f"{path}/{relation.path}") for name, relation in RELATIONS.items() if relation.path}
        for record in lists["merge_requests"] or []:
            address = f"{path}/merge_requests/{record['iid']}"
            versions, _ = self.get(f"{address}/versions")
            version = self.get(f"{address}/versions/{versions[0]['id']}")[0] if versions else {}
            add_changes(record, version, version.get("diffs"), "diff", version.get("commits"), "id")
            if not is_target:
                # An import copies the number that GitLab recorded, also without the files.
                record["changes"] = max(record["changes"], int(version.get("real_size") or 0))
            record.update(self.get(f"{address}/approvals")[0] or {})
        for name, number in NOTEABLES.items():
            for record in lists[name] or []:
                address = f"{path}/{name}/{record[number]}"
                record["all_notes"] = self.notes(address) if record.get("user_notes_count") != 0 else []
                for part in EVENTS if name != "snippets" and identity(record) in identities else ():
                    record[part] = self.list(f"{address}/{part}")
                notes = [(f"{address}/notes/{note['id']}", note) for note in record["all_notes"] or []]
                for place, reacted in [(address, record), *notes]:
                    if identity(reacted) in identities:
                        reacted["reactions"] = self.list(f"{place}/award_emoji")
        for record in lists["ci_pipelines"] or []:
            jobs = self.list(f"{path}/pipelines/{record['id']}/jobs") or []
            record["jobs"] = [[job["stage"], job["name"], job["status"]] for job in jobs]
        for snippet in lists["snippets"] or []:
            content, _ = self.get(f"{path}/snippets/{snippet['id']}/raw", digest)
            snippet["files"] = [snippet.get("file_name"), content]
        for upload in lists["uploads"] or []:
            upload["name"] = f"{upload['filename']} ({upload['size']} bytes)"
            upload["content"] = self.get(f"{path}/uploads/{upload['id']}", digest)[0] or ABSENT
        notes = [self.notes(f"{path}/repository/commits/{commit}") or [] for commit in commits]
        lists["commit_notes"] = [note for note in itertools.chain.from_iterable(notes) if not note.get("system")]
        pages, _ = self.get(f"{path}/wikis?with_content=true")
        lists["avatar"] = [{"content": self.get(f"{path}/avatar", digest)[0]}]
        lists["wiki"] = pages and [{"pages": [[page["slug"], page["format"], page["content"]] for page in pages]}]
        return {**lists, "settings": [settings], "notes": []}


def add_changes(request, diff, files, text, commits, sha):
    """Adds the changes of a merge request. A diff without commits has no known ones."""
    columns = ("old_path", "new_path", "a_mode", "b_mode", "new_file", "renamed_file", "deleted_file", text)
    request["changes"] = len(files or [])
    request["diffs"] = [[file.get(name) for name in columns] for file in files or []]
    if commits:
        shas = {name: diff[name] for name in (f"{commit}_commit_sha" for commit in ("base", "start", "head")) if diff.get(name)}
        request.update(shas, commits=[commit[sha] for commit in commits])


def read_archive(path):
    """The records of each relation in an archive."""
    lists, lfs_bytes = {name: [] for name in (*RELATIONS, *SETTINGS, "custom_attributes")}, 0
    with tarfile.open(path, "r|gz") as archive:
        for member in archive:
            folder, _, name = member.name.removeprefix("./").rpartition("/")
            relation, file = name.rpartition(".")[0], archive.extractfile(member)
            if folder in ("tree", "tree/project") and relation in lists:
                records = [json.loads(line) for line in file if line.strip()]
                lists[relation] = [record for record in records if record is not None]
            elif (folder, name) == ("", "project.bundle"):
                # The head of a Git bundle ends with an empty line.
                for line in itertools.takewhile(lambda line: line != b"\n", file):
                    for sha, kind, ref in re.findall(r"^(\w+) refs/(heads|tags)/(.+)$", line.decode()):
                        lists["branches" if kind == "heads" else "tags"].append({"sha": sha, "name": ref})
            elif (folder, name) == ("", "project.wiki.bundle"):
                lists["wiki"] = [{}]
            elif re.fullmatch("uploads/[0-9a-f]{32}", folder) and member.isfile():
                lists["uploads"].append({"name": f"{name} ({member.size} bytes)", "content": digest(file.read())})
            elif folder == "avatar":
                lists["avatar"] = [{"content": digest(file.read())}]
            elif folder == "lfs-objects":
                lfs_bytes += member.size
    for record in itertools.chain.from_iterable(lists[name] for name in NOTEABLES):
        threads = by_key(record.get("notes") or [], "?discussion_id")
        # Old archives do not show the threads of some notes.
        others = read_notes([note] for note in threads.pop(None, []))
        record["all_notes"] = read_notes(threads.values()) + [{**note, "thread": ABSENT} for note in others]
    for request in lists["merge_requests"]:
        diff = request.get("merge_request_diff") or {}
        files, commits = (diff.get(f"merge_request_diff_{name}") for name in ("files", "commits"))
        add_changes(request, diff, files, "utf8_diff", commits, "sha")
    for snippet in lists["snippets"]:
        snippet["files"] = [snippet.get("file_name"), digest((snippet.get("content") or "").encode())]
    lists["avatar"] = lists["avatar"] or [{"content": None}]
    lists["commit_notes"] = read_notes([note] for note in lists["commit_notes"] if not note.get("system"))
    # A member of a project and of its group is exported twice.
    members = sorted(lists["project_members"], key=lambda member: member["access_level"])
    lists["project_members"] = list({member["user"]["id"]: member for member in members}.values())
    for pipeline in lists["ci_pipelines"]:
        jobs = [(stage["name"], job) for stage in pipeline.get("stages") or [] for job in stage.get("builds") or []]
        pipeline["jobs"] = [[stage, job["name"], job["status"]] for stage, job in jobs]
    settings = {name: (lists.pop(name) or [{}])[0] for name in SETTINGS}
    settings["custom_attributes"] = lists.pop("custom_attributes")
    return {**lists, "settings": [{**settings, "statistics": {"lfs_objects_size": lfs_bytes}}]}
