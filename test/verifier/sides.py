"""Reads the sides of a migration: a project of a GitLab instance, and an archive."""
import collections
import email.utils
import hashlib
import http.client
import itertools
import json
import re
import tarfile
import time
import urllib.parse

from fields import ABSENT, RELATIONS, number, second

# Relations with notes, and the number by which the API finds a record.
EVENTS = ("resource_state_events", "resource_label_events", "resource_milestone_events")
NOTEABLES = {"issues": "iid", "merge_requests": "iid", "snippets": "id"}


def at(record, path):
    """The value at that place of a record, or ABSENT."""
    value, steps = record, path.lstrip("?").split(".")
    for index, step in enumerate(steps):
        if step == "*":
            return [at(element, ".".join(steps[index + 1 :])) for element in value]
        value = value.get(step, None if path.startswith("?") else ABSENT)
        if value is None or value is ABSENT:
            return value
    return value


def by_key(records, path):
    groups = collections.defaultdict(list)
    for record in records:
        groups[second(record[path]) if path == "created_at" else at(record, path)].append(record)
    return groups


class Instance:
    """Reads from a GitLab instance over one connection."""

    def __init__(self, url, token):
        self.url, self.token = urllib.parse.urlsplit(url), token
        kind = http.client.HTTPSConnection if self.url.scheme == "https" else http.client.HTTPConnection
        self.connection = kind(self.url.netloc, timeout=60)
        self.total = self.skew = None

    def get(self, path, parse=json.loads):
        """The parsed reply and the next page of a list; None if the instance refuses it, and an empty list for null."""
        self.connection.request("GET", f"{self.url.path}/api/v4/{path}", headers={"PRIVATE-TOKEN": self.token})
        reply = self.connection.getresponse()
        body = reply.read()
        self.total = reply.headers.get("X-Total")
        if self.skew is None:
            # How much the clock of the instance is ahead of this one. Replies name whole seconds.
            skew = email.utils.parsedate_to_datetime(reply.headers["Date"]).timestamp() - time.time()
            self.skew = 0 if -1.5 < skew <= 0 else skew
        if reply.status in (403, 404):
            return None, None
        if reply.status != 200:
            raise RuntimeError(f"GET {path}: {reply.status} {body[:200]!r}")
        return parse(body) or [], reply.headers.get("X-Next-Page")

    def list(self, path, counts_hidden=False):
        """All rows of a list; None if it is refused, or contradicts itself in two readings."""
        for _ in range(2):
            rows, page = [], "1"
            while page:
                part, page = self.get(f"{path}?per_page=100&page={page}")
                if part is None:
                    return None
                rows += part
            keys = {row.get("id") or row.get("tag_name") or row.get("name") for row in rows}
            total = len(rows) if self.total is None or counts_hidden else int(self.total)
            if len(keys) == len(rows) == total:
                return rows
        return None

    def notes(self, path):
        """The notes, and whether the instance announces more of them than it shows."""
        # The list of discussions shows the thread of a note.
        threads = self.list(f"{path}/discussions", counts_hidden=True)
        if threads is None:
            return None, False
        return read_notes(thread["notes"] for thread in threads), int(self.total or 0) > len(threads)

    def read_uploads(self, project, uploads):
        for upload in uploads or []:
            path = f"projects/{urllib.parse.quote(project, safe='')}/uploads/{upload['id']}"
            upload["content"], _ = self.get(path, sha256)

    def read_reactions(self, path, record, reacted):
        if reaction_key(record) in reacted:
            record["reactions"] = self.list(f"{path}/award_emoji")

    def user_ids(self, parameter, text):
        users = self.get(f"users?{parameter}={urllib.parse.quote(text)}")[0] if text else []
        return [user["id"] for user in users]

    def read(self, project, commits, reacted):
        """The records of each relation; None for a list that the instance does not return."""
        path = f"projects/{urllib.parse.quote(project, safe='')}"
        settings, _ = self.get(f"{path}?statistics=true&with_custom_attributes=true")
        if settings is None:
            raise RuntimeError(f"{project} cannot be read.")
        lists = {name: self.list(f"{path}/{relation.path}") for name, relation in RELATIONS.items() if relation.path}
        for record in lists["merge_requests"] or []:
            # Only the reply for a single merge request has the number of its changes.
            for part in ("", "/approvals"):
                record.update(self.get(f"{path}/merge_requests/{record['iid']}{part}")[0] or {})
        for name, number in NOTEABLES.items():
            for record in lists[name] or []:
                address = f"{path}/{name}/{record[number]}"
                self.read_reactions(address, record, reacted)
                for part in EVENTS if name != "snippets" and reaction_key(record) in reacted else ():
                    record[part] = self.list(f"{address}/{part}")
                record["all_notes"], record["hides_notes"] = self.notes(address)
                for note in record["all_notes"] or []:
                    self.read_reactions(f"{address}/notes/{note['id']}", note, reacted)
        lists["commit_notes"] = []
        for commit in commits:
            for note in self.notes(f"{path}/repository/commits/{commit}")[0] or []:
                lists["commit_notes"] += [] if note.get("system") else [{**note, "title": f"{commit[:8]}: {note['body']}"}]
        for record in lists["ci_pipelines"] or []:
            jobs = self.list(f"{path}/pipelines/{record['id']}/jobs") or []
            record["jobs"] = [[job["stage"], job["name"], job["status"]] for job in jobs]
        for record in lists["snippets"] or []:
            digest, _ = self.get(f"{path}/snippets/{record['id']}/raw", sha256)
            record["files"] = [record["file_name"], digest]
        for record in lists["uploads"] or []:
            record["name"] = f"{record['filename']} ({record['size']} bytes)"
        # The list also has the badges of groups.
        badges = lists["project_badges"]
        lists["project_badges"] = badges and [with_key(badge) for badge in badges if badge["kind"] == "project"]
        rule, _ = self.get(f"{path}/push_rule")
        pages, _ = self.get(f"{path}/wikis?with_content=true")
        lists["push_rule"] = [rule] if rule else rule
        lists["wiki"] = pages and [{"pages": [[page["slug"], page["format"], page["content"]] for page in pages]}]
        return {**lists, "settings": [settings], "lfs_objects": [settings]}


def reaction_key(record):
    return record.get("iid") or second(record["created_at"])


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def with_key(badge):
    return {**badge, "key": badge.get("name") or f"{badge['link_url']} {badge['image_url']}"}


def read_archive(path):
    """The records of each relation in an archive."""
    lists = {name: [] for name in RELATIONS}
    values = {"project": {}, "project_feature": {}, "ci_cd_settings": {}, "auto_devops": {}, "lfs_objects_size": 0}
    values |= {"container_expiration_policy": {}, "custom_attributes": []}
    with tarfile.open(path, "r|gz") as archive:
        for member in archive:
            folder, _, name = member.name.removeprefix("./").rpartition("/")
            relation = name.rpartition(".")[0]
            if folder == "tree/project" and relation == "custom_attributes":
                values[relation] = [json.loads(line) for line in archive.extractfile(member) if line.strip()]
            elif folder in ("tree", "tree/project") and relation in values:
                values[relation] = json.load(archive.extractfile(member)) or {}
            elif folder == "tree/project" and relation in lists:
                records = (json.loads(line) for line in archive.extractfile(member) if line.strip())
                lists[relation] = [record for record in records if record is not None]
            elif (folder, name) == ("", "project.bundle"):
                lists["branches"], lists["tags"] = read_refs(archive.extractfile(member))
            elif (folder, name) == ("", "project.wiki.bundle"):
                lists["wiki"] = [{}]
            elif re.fullmatch("uploads/[0-9a-f]{32}", folder) and member.isfile():
                content = sha256(archive.extractfile(member).read())
                lists["uploads"].append({"name": f"{name} ({member.size} bytes)", "content": content})
            elif folder == "lfs-objects":
                values["lfs_objects_size"] += member.size
    project = values["project"]
    if "merge_requests_ff_only_enabled" in project or "merge_requests_rebase_enabled" in project:
        method = "rebase_merge" if project.get("merge_requests_rebase_enabled") else "merge"
        project["merge_method"] = "ff" if project.get("merge_requests_ff_only_enabled") else method
    for record in (record for name in NOTEABLES for record in lists[name]):
        threads = by_key(record.get("notes") or [], "?discussion_id")
        # Old archives do not show the threads of some notes.
        others = [{**note, "thread": ABSENT} for note in threads.pop(None, [])]
        record["all_notes"] = read_notes(threads.values()) + others
    for issue in lists["issues"]:
        # Older archives have the type itself.
        issue.update({"issue_type": issue["work_item_type"]["base_type"]} if issue.get("work_item_type") else {})
    lists["commit_notes"] = [note for note in lists["commit_notes"] if not note["system"]]
    for note in lists["commit_notes"]:
        note["title"] = f"{note['commit_id'][:8]}: {note['note']}"
    for pipeline in lists["ci_pipelines"]:
        jobs = [(stage["name"], job) for stage in pipeline.get("stages") or [] for job in stage.get("builds") or []]
        pipeline["jobs"] = [[stage, job["name"], job["status"]] for stage, job in jobs]
    for snippet in lists["snippets"]:
        snippet["files"] = [snippet["file_name"], sha256(snippet["content"].encode())]
    for request in lists["merge_requests"]:
        # An import keeps GitLab's number of files, which the API shows, also without the files.
        diff = request.get("merge_request_diff") or {}
        request["changes"] = min(number(diff.get("real_size")), len(diff.get("merge_request_diff_files") or []))
    # A member of a project and of its group is exported twice.
    members = {member["user"]["username"]: member for member in lists["project_members"]}
    lists["project_members"] = list(members.values())
    lists["project_badges"] = [with_key(badge) for badge in lists["project_badges"]]
    for release in lists["releases"]:
        # GitLab shows these values instead of missing ones.
        release["name"] = release.get("name") or release["tag"]
        release["released_at"] = release.get("released_at") or release.get("created_at")
    return {**lists, "settings": [values], "lfs_objects": [values]}


def read_notes(threads):
    """The notes. A reply has the time of the first note in its thread."""
    notes = []
    for thread in threads:
        start = min(note["created_at"] for note in thread)
        notes += [{**note, "thread": start if note["created_at"] != start else None} for note in thread]
    return notes


def read_refs(bundle):
    """The branches and tags in the head of a Git bundle, which ends with an empty line."""
    refs = {"heads": [], "tags": []}
    for line in itertools.takewhile(lambda line: line != b"\n", bundle):
        for sha, kind, name in re.findall(r"^(\w+) refs/(heads|tags)/(.+)$", line.decode()):
            refs[kind].append({"sha": sha, "name": name})
    return refs["heads"], refs["tags"]
