"""The measured program of the end-to-end bench with python-gitlab, which works like published scripts: `end_to_end.py URL
FOLDER THREADS` with the token in GITLAB_TOKEN. Exports each project, waits for the export, downloads it to a flushed file, and
lists the archive. Prints the number of projects and of bytes."""
import concurrent.futures
import json
import os
import sys
import tarfile
import time

import gitlab

url, folder, threads = sys.argv[1:]
token = os.environ["GITLAB_TOKEN"]

# Published scripts sleep a second or more between two polls. These are the intervals of the product.
FIRST_POLL, LONGEST_POLL = 0.020, 0.250


def back_up(project):
    export = project.exports.create()
    wait = FIRST_POLL
    while True:
        export.refresh()
        if export.export_status == "finished":
            break
        # Right after the request, the status is still the one from before it.
        if export.export_status not in ("none", "queued", "started", "regeneration_in_progress"):
            raise RuntimeError(f"{project.path_with_namespace}: {export.export_status}")
        time.sleep(wait)
        wait = min(wait * 1.5, LONGEST_POLL)
    name = os.path.join(folder, f"{project.path_with_namespace.replace('/', '_')}.tar.gz")
    with open(name, "wb") as file:
        export.download(streamed=True, action=file.write, chunk_size=1024 * 1024)
        file.flush()
        os.fsync(file.fileno())
    with tarfile.open(name, "r:gz") as archive:
        names = archive.getnames()
    if "./VERSION" not in names or "./tree/project.json" not in names:
        raise RuntimeError(f"{project.path_with_namespace}: members are missing")
    return os.path.getsize(name)


client = gitlab.Gitlab(url, private_token=token, per_page=100)
projects = client.projects.list(membership=True, get_all=True)
if threads == "1":
    sizes = [back_up(project) for project in projects]
else:
    with concurrent.futures.ThreadPoolExecutor(int(threads)) as pool:
        sizes = list(pool.map(back_up, projects))
print(json.dumps({"projects": len(sizes), "bytes": sum(sizes)}))
