"""Runs the operations with python-gitlab: `python_gitlab_walk.py URL TOKEN FOLDER`. Fails at the first unexpected reply."""
import os
import sys
import time

import gitlab

url, token, folder = sys.argv[1:]
client = gitlab.Gitlab(url, private_token=token, per_page=5)
archive = os.path.join(folder, "compass.tar.gz")


def until(read, wanted):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        state = read()
        if state == wanted:
            return
        time.sleep(0.01)
    raise AssertionError(f"still {state}, not {wanted}")


def refused(call, status):
    try:
        call()
    except gitlab.exceptions.GitlabError as error:
        assert error.response_code == status, error
    else:
        raise AssertionError(f"was not refused with {status}")


def imported(project_id):
    project = client.projects.get(project_id)
    until(lambda: project.imports.get().import_status, "finished")
    return client.projects.get(project_id, statistics=True)


# Lists and pages: pages by number, pages by keyset and one list return the same rows.
every = client.projects.list(get_all=True)
names = sorted(row.path_with_namespace for row in every)
by_key = client.projects.list(iterator=True, pagination="keyset", order_by="id", per_page=2)
assert sorted(row.path_with_namespace for row in by_key) == names
pages = client.projects.list(iterator=True, per_page=3)
assert pages.total == len(names) and pages.per_page == 3 and pages.next_page == 2
root = client.users.list(username="root")[0]
assert [row.id for row in client.users.get(root.id).projects.list()] == []
for path in ("contributed_projects", "starred_projects"):
    assert isinstance(client.http_get(f"/users/{root.id}/{path}"), list)

# One project and its parts.
compass = client.projects.get("atlas/compass", statistics=True, license=True)
commits, open_issues = compass.statistics["commit_count"], compass.open_issues_count
assert commits > 0 and open_issues > 0
assert {user.username for user in compass.users.list(get_all=True)} >= {"root", "maintainer"}
assert compass.groups.list()[0].full_path == "atlas"
assert isinstance(compass.languages(), dict)
assert isinstance(client.http_get("/projects/atlas%2Fcompass/share_locations"), list)
compass.star()
assert client.http_get("/projects/atlas%2Fcompass/starrers")[0]["user"]["username"] == "root"
compass.unstar()
compass.archive()
compass.unarchive()

# Projects that the administrator creates, edits, forks, deletes and restores, also in the name of another user.
created = client.projects.create({"name": "By python", "initialize_with_readme": True, "pages_access_level": "public"})
created.description = "edited"
created.merge_method = "ff"
created.save()
assert client.projects.get(created.id).merge_method == "ff"
theirs = client.projects.create({"name": "In their name"}, sudo="maintainer")
assert theirs.path_with_namespace == "maintainer/in-their-name"
refused(lambda: client.projects.create({"name": "Nobody's"}, sudo="nobody"), 404)
for_guest = client.users.list(username="guest")[0].projects.create({"name": "Given"})
assert for_guest.path_with_namespace == "guest/given"
fork = compass.forks.create({"path": "compass-by-python", "name": "Compass by python"})
imported(fork.id)
assert [row.id for row in compass.forks.list()] == [fork.id]
client.projects.delete(for_guest.id)
client.http_post(f"/projects/{for_guest.id}/restore")
assert client.projects.get(for_guest.id).path_with_namespace == "guest/given"

# Uploads, by the administrator and as a developer.
uploaded = compass.upload("every byte.bin", filedata=bytes(range(256)))
assert uploaded["alt"] == "every_byte.bin"
[upload] = client.http_get("/projects/atlas%2Fcompass/uploads", per_page=1)
body = client.http_get(f"/projects/atlas%2Fcompass/uploads/{upload['id']}", streamed=False, raw=True)
assert body.content == bytes(range(256))

# Exports and imports.
export = compass.exports.create()
until(lambda: compass.exports.get().export_status, "finished")
with open(archive, "wb") as file:
    compass.exports.get().download(streamed=True, action=file.write)
with open(archive, "rb") as file:
    record = client.projects.import_project(
        file, path="by-python", namespace="atlas", name="By python", override_params={"visibility": "internal"}
    )
copy = imported(record["id"])
assert copy.visibility == "internal"
assert (copy.statistics["commit_count"], copy.open_issues_count) == (commits, open_issues)
refused(lambda: client.projects.remote_import("ftp://a.example/b.tar.gz", "by-url"), 400)
refused(
    lambda: client.projects.remote_import_s3("by-s3", "eu", "bucket", "key", "id", "secret"),
    400,
)
with open(archive, "rb") as file:
    tracker = client.http_post(
        "/projects/import-relation",
        post_data={"path": "atlas/by-python", "relation": "issues"},
        files={"file": ("a.tar.gz", file, "application/octet-stream")},
    )
assert tracker["status"] == "created"
until(lambda: client.http_get("/projects/atlas%2Fby-python/relation-imports")[-1]["status"], "finished")

# Tokens.
spare = client.users.get(root.id).personal_access_tokens.create({"name": "spare", "scopes": ["api"]})
assert client.http_get("/personal_access_tokens/self")["name"] == "administrator"
assert client.http_get(f"/personal_access_tokens/{spare.id}")["last_used_at"] is None
assert "spare" in [row.name for row in client.personal_access_tokens.list(get_all=True, state="active")]
rotated = client.http_post(f"/personal_access_tokens/{spare.id}/rotate")
other = gitlab.Gitlab(url, private_token=rotated["token"])
again = other.http_post("/personal_access_tokens/self/rotate")
refused(lambda: other.http_get("/personal_access_tokens/self"), 401)
client.personal_access_tokens.delete(again["id"])
last = client.users.get(root.id).personal_access_tokens.create({"name": "last", "scopes": ["api"]})
gitlab.Gitlab(url, private_token=last.token).http_delete("/personal_access_tokens/self")
