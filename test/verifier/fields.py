"""The tables of the verifier: the names of records and fields in GitLab's API and in its archives.

Written from GitLab's documentation. A field is added with one row of `fields.csv`. docs/what-is-compared.md lists the
compared fields.
"""
import collections
import csv
import datetime
import operator
import pathlib
import re

ABSENT = object()


def plain(value):
    """An empty text or list, and a switch that is off, equal a missing value."""
    if value is None or value is False or value == "" or value == []:
        return None
    return sorted(map(plain, value), key=str) if isinstance(value, list) else value


def number(value):
    """The number in 5, "5" or "1000+"; 0 for a missing one."""
    return int(re.match(r"\d*", str(value)).group() or 0)


def moment(value):
    """Seconds since 1970, or None for no time. Old archives have times like "2019-11-25 19:42:00 UTC"."""
    try:
        return datetime.datetime.fromisoformat(re.sub(" UTC|Z", "+00:00", value)).timestamp()
    except (TypeError, ValueError):
        return None


def second(value):
    time = moment(value)
    return value if time is None else int(time)


def first(values):
    return plain(values[0] if isinstance(values, list) and values else values)


def named(names):
    """Archives have numbers or switches for these names."""
    return lambda value: names.get(value, value)


def user_notes(notes):
    """The number of notes that are no system notes, from the API or from an archive."""
    return notes if isinstance(notes, int) else sum(not note.get("system") for note in notes or [])


def role(levels):
    """The lowest role that has a right to a protected branch or tag; None if only single users and groups have it."""
    rows = [row for row in levels or [] if not row.get("user_id") and not row.get("group_id")]
    return min((row["access_level"] for row in rows), default=None)


def loses_role(before, after):
    return before is not None and before != after


def shown_lists(rows):
    """The lists of a board for a label or milestone, in their order. The other lists are on every board."""
    ordered = sorted(rows or [], key=lambda row: row["position"] or 0)
    return [row for row in ordered if row.get("label") or row.get("milestone")]


def board_lists(rows):
    shown = [row.get("label") or row.get("milestone") for row in shown_lists(rows)]
    return [row.get("name") or row["title"] for row in shown]


def board_limits(name):
    """Only instances with Premium show limits."""
    values = lambda rows: [row.get(name, ABSENT) for row in shown_lists(rows)]
    return lambda rows: ABSENT if ABSENT in values(rows) else [value or 0 for value in values(rows)]


def branch(ref):
    return ref and ref.removeprefix("refs/heads/")


def links(rows):
    return sorted((row["name"], row["url"]) for row in rows or [])


def time_spent(value):
    """The seconds of all time logs. Newer versions show at most a year."""
    total = sum(value) if isinstance(value, list) else value
    return total and max(-31557600, min(total, 31557600))


def votes(emoji):
    return lambda value: value.count(emoji) if isinstance(value, list) else value


def inherited(value):
    """A setting that has no value in an archive has the value of the instance."""
    return ABSENT if value is None else value


def own_text(value):
    """The text without the name of an author, which an import adds."""
    return re.sub(r"\n\n ?\*By .+ on .+\*( \(imported from GitLab( project)?\))?$", "", value or "")


def position(value):
    return value and [value.get(name) for name in ("old_path", "old_line", "new_path", "new_line")]


level = named({0: "disabled", 10: "private", 20: "enabled", 30: "public"})
visibility = named({0: "private", 10: "internal", 20: "public"})
strategy = named({True: "fetch", False: "clone"})

def events(rows):
    return sorted([second(row["created_at"]), row.get("action") or row["state"]] for row in rows or [])


def reactions(names):
    return plain([name for name in names if name not in ("thumbsup", "thumbsdown")])


READERS = {
    "reactions": reactions,
    "events": events,
    "upvotes": votes("thumbsup"),
    "downvotes": votes("thumbsdown"),
    "bool": bool,
    "plain": plain,
    "number": number,
    "second": second,
    "first": first,
    "user_notes": user_notes,
    "role": role,
    "board_lists": board_lists,
    **{name: board_limits(name) for name in ("max_issue_count", "max_issue_weight", "limit_metric")},
    "option": lambda value: value in (True, "true", "1"),
    "attributes": lambda rows: sorted((row["key"], row["value"]) for row in rows),
    "branch": branch,
    "links": links,
    "time_spent": time_spent,
    "inherited": inherited,
    "own_text": own_text,
    "position": position,
    "level": level,
    "visibility": visibility,
    "strategy": strategy,
}


def rows(file):
    """The rows of a table in this folder."""
    with open(pathlib.Path(__file__).with_name(file), newline="") as table:
        reader = csv.DictReader(table)
        row_type = collections.namedtuple("Row", reader.fieldnames)
        return [row_type(**row) for row in reader]


# Lists of records. `relations.csv` has the path of each list in the API, and the key of a record there and in the
# archive. The column `edited` is what shows that a record was edited after the export or import: its "time", for the
# source the last "activity" of the project, or "nothing". An `untimed` list does not show when a record was created. Its
# ids may show it: they grow. A result names a record by its `title`, by default its key. Relations without a path have
# one record, and no key.
RELATIONS = {row.relation: row for row in rows("relations.csv")}

# Fields of records. `fields.csv` has the place of each field in the API and in the archive, by default the name of the
# field. In a place, `*` stands for each element of a list. With a leading `?`, an absent value means that there is none;
# other absent values are not compared. The column `read` names the function that gives a value the same form on each
# side, by default `plain`. The column `loss` is the kind of difference that is a loss, by default each one. The target
# instance may set the value `decided` (docs/migrations.md). Both sides have the time of a thread, see `read_notes`.
LOSSES = {"": operator.ne, "less": operator.gt, "role": loses_role}
Field = collections.namedtuple("Field", "relation name api archive read is_lost decided")


def to_field(row):
    read = READERS[row.read or "plain"]
    places = (row.api or row.field, row.archive or row.field)
    return Field(row.relation, row.field, *places, read, LOSSES[row.loss], row.decided)


FIELDS = [to_field(row) for row in rows("fields.csv")]

# Fields with ids of users. An import maps these.
PEOPLE = ("author", "assignees", "reviewers", "approvers", "merged_by", "closed_by")
# Votes, reactions, approvals, and events of deleted labels and milestones change without a new time of the last change.
SILENT = ("upvotes", "downvotes", "emoji", "approvers", "label_events", "milestone_events")

# Actions of system notes that every reader sees.
SHOWN_ACTIONS = """description title assignee reviewer due_date start_date_or_due_date time_tracking confidential visible
    locked unlocked opened branch discussion task weight health_status status severity approved unapproved tag
    outdated""".split()
