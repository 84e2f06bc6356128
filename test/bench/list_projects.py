"""The measured program of the listing bench with python-gitlab: `list_projects.py URL TOKEN` prints seconds and the number
of projects."""
import json
import sys
import time

import gitlab

url, token = sys.argv[1:]
client = gitlab.Gitlab(url, private_token=token)
start = time.perf_counter()
projects = client.projects.list(
    membership=True,
    statistics=True,
    pagination="keyset",
    order_by="id",
    sort="asc",
    per_page=100,
    get_all=True,
)
print(json.dumps({"seconds": time.perf_counter() - start, "projects": len(projects)}))
