/** @file Builds the list of all passports of a migration, as a page and as a table for spreadsheets. Pure. */
import { errorText } from '../../../../src-contract/error-messages.ts';
import type {
  AcceptedLoss,
  FinishPart,
  PassportIndex,
} from '../../../../src-contract/migrations/passport-schema.ts';
import { migratingStates } from '../../../../src-contract/migrations/migration.ts';
import { lowerFirst } from '../../../../src-contract/words/first-letter.ts';
import { everyArrivedText, stateCountText } from '../../../../src-contract/words/migrations.ts';
import { writeCsv } from '../placement/csv.ts';
import { listDocument } from './document.ts';
import { hasFailedPart, hasFailed, currentFinishStatus } from './finishing.ts';
import {
  descriptionList,
  html,
  link,
  pathText,
  section,
  table,
  time,
  type Column,
  type Html,
} from './html.ts';
import { jobsPart, requestsPart } from './page-parts.ts';
import { finishWords, outcomeLine } from './words.ts';

const headlineWhenOver = (migration: PassportIndex['migration']): string =>
  migration.projects.arrived === 0 ? 'No project was moved' : everyArrivedText(migration);

export function indexPage(index: PassportIndex): string {
  const { migration, projects } = index;
  return listDocument(
    `Migration ${migration.name}`,
    html`<header>
        <h1>${migration.name}</h1>
        <p class="sub">Passports of a migration · made ${time(index.madeAt)}</p>
      </header>
      ${verdictPart(index)}
      ${descriptionList([
        ['From', instanceText(migration.source)],
        ['To', instanceText(migration.target)],
        ['Created', time(migration.createdAt)],
        ['Sources', sourcesText(index)],
      ])}`,
    section(`Projects (${projects.length})`, table(columnsOf(projects), projects)),
    index.jobs.length === 0
      ? html``
      : section(
          'Jobs for the whole migration',
          jobsPart(index.jobs),
          html`<h3>Requests</h3>`,
          requestsPart(index.requests),
        ),
    html`<footer>
      Packhorse ${index.appVersion} · migration ${migration.id} · schema ${index.schemaVersion}
    </footer>`,
  );
}

function verdictPart({ migration, projects }: PassportIndex): Html {
  const states = migratingStates.filter((state) => migration.projects[state] > 0);
  const isOver = projects.every(({ state }) => state === 'arrived' || state === 'left-out');
  const accepted = projects.filter((project) => project.state === 'arrived' && project.accepted.length > 0);
  const unlisted = projects.filter(({ hasUnlistedFailures }) => hasUnlistedFailures);
  const halfDone = projects.filter(({ finishes }) => hasFailedPart(finishes));
  const hasMoved = migration.projects.arrived > 0;
  const isLimited = !hasMoved || [accepted, unlisted, halfDone].some(({ length }) => length > 0);
  const tone = !isOver ? 'bad' : isLimited ? 'warn' : 'good';
  return html`<div class="verdict ${tone}">
    ${isOver ? headlineWhenOver(migration) : 'Not every project arrived completely'}
    <p>
      ${states.map((state) => `${migration.projects[state]} ${lowerFirst(stateCountText(state, migration))}`).join(' · ')}
    </p>
    ${accepted.length === 0 ? null : html`<p>${accepted.length} with losses that somebody accepted.</p>`}
    ${
      unlisted.length === 0
        ? null
        : html`<p>
            For ${unlisted.length}, GitLab may not have listed all failures. It is not known which records the
            other failures concern.
          </p>`
    }
    ${
      halfDone.length === 0
        ? null
        : html`<p>
            For ${halfDone.length}, the requested changes on the source were not made, or only in part.
          </p>`
    }
  </div>`;
}

const instanceText = ({ name, url, version, username }: PassportIndex['migration']['source']): Html =>
  html`${name} ·
  ${link(url, url)}${version === null ? null : ` · GitLab ${version}`}${
    username === null ? null : ` · as ${username}`
  }`;

type Row = PassportIndex['projects'][number];

const columnsOf = (projects: readonly Row[]): Column<Row>[] => [
  {
    title: 'Source',
    renderCell: ({ sourcePath, html: page }) => html`<a href="${page}">${pathText(sourcePath)}</a>`,
    kind: 'path',
  },
  {
    title: 'Target',
    renderCell: ({ targetPath, targetUrl, wanted }) =>
      targetPath === null
        ? html`<span class="dim">${pathText(wanted)}</span>`
        : link(targetUrl ?? '', pathText(targetPath)),
    kind: 'path',
  },
  { title: 'Wave', renderCell: ({ wave }) => wave, kind: 'number' },
  {
    title: 'State',
    kind: 'actions',
    renderCell: (project) =>
      html`<span class="tag ${outcomeLine(project).tone}">${outcomeLine(project).word}</span
        >${project.error === null ? null : html`<br />${project.error}`}`,
  },
  {
    title: 'Open failures',
    renderCell: ({ openFailures, failures }) => (failures === 0 ? 0 : `${openFailures} of ${failures}`),
    kind: 'number',
  },
  { title: 'Missing', renderCell: ({ missing }) => missing ?? '–', kind: 'number' },
  { title: 'Accepted', renderCell: ({ accepted: losses }) => losses.length, kind: 'number' },
  ...optionalColumns(projects),
  {
    title: 'Archive',
    renderCell: ({ sha256 }) => (sha256 === null ? null : html`<code>${sha256.slice(0, 12)}</code>`),
    kind: 'short',
  },
];

function sourcesText({ migration, projects }: PassportIndex): string {
  const requested = projects.filter(({ finishes }) => finishes.length > 0);
  const before = migration.freeze ? 'marked as archived before their export' : 'left as they were';
  if (requested.length === 0) return before;
  const countText = (part: 'mark' | 'note', label: string): string[] => {
    const all = requested.flatMap(({ finishes }) => currentFinishStatus(finishes, part) ?? []);
    const done = all.filter(({ outcome }) => outcome === 'done' || outcome === 'already').length;
    const failedCount = all.length - done;
    if (all.length === 0) return [];
    return [`${done} ${label}${failedCount === 0 ? '' : ` (${failedCount} not, although requested)`}`];
  };
  const after = [
    ...countText('mark', 'marked as archived'),
    ...countText('note', 'with a note of the new place'),
  ];
  return `${migration.freeze ? before : 'left as they were until their projects had moved'}; afterwards ${after.join(', ')}`;
}

/** Returns the optional columns. A column that would be empty for all projects is left out. */
const optionalColumns = (projects: readonly Row[]): Column<Row>[] =>
  [
    {
      title: 'Unlisted failures',
      renderCell: ({ hasUnlistedFailures, unlistedFailureCount }: Row) =>
        !hasUnlistedFailures
          ? null
          : unlistedFailureCount === null
            ? 'unknown'
            : `about ${unlistedFailureCount}`,
      kind: 'short' as const,
    },
    {
      title: 'Changed since',
      renderCell: ({ changedSince }: Row) => time(changedSince),
      kind: 'short' as const,
    },
    { title: 'Source afterwards', renderCell: finishTags, kind: 'actions' as const },
  ].filter(({ renderCell }) => projects.some((project) => renderCell(project) !== null));

function finishTags({ finishes }: Row): Html | null {
  if (finishes.length === 0) return null;
  const tag = (name: string, part: FinishPart | null): Html | null =>
    part === null
      ? null
      : html`${name}:
          <span class="tag ${finishWords[part.outcome].tone}">${finishWords[part.outcome].word}</span><br />`;
  return html`${tag('Mark as archived', currentFinishStatus(finishes, 'mark'))}${tag(
    'New place',
    currentFinishStatus(finishes, 'note'),
  )}${whyNot(finishes)}`;
}

/** Returns why a part is not done; null if all parts are done, or no reason is known. */
function whyNot(finishes: Row['finishes']): string | null {
  const last = finishes.findLast(
    ({ mark, note, error }) => error !== null && (hasFailed(mark) || hasFailed(note)),
  );
  if (!hasFailedPart(finishes) || last?.error === undefined || last.error === null) return null;
  return errorText(last.error, 'command-line').what;
}

const columns = [
  'source_id',
  'source_path',
  'state',
  'wave',
  'wanted_path',
  'target_path',
  'target_url',
  'archive_sha256',
  'failures',
  'failures_open',
  'missing',
  'reconciled',
  'changed_since',
  'error',
  'passport',
  'finish_asked_at',
  'finish_mark_source',
  'finish_mark_source_at',
  'finish_note_new_place',
  'finish_note_new_place_at',
  'finish_why_not',
  'accepted',
  'accepted_losses',
  'failures_unlisted',
];

export function indexCsv({ projects }: PassportIndex): string {
  return writeCsv(
    columns,
    projects.map((project) => [
      String(project.sourceId),
      project.sourcePath,
      project.state === 'arrived' ? project.outcome : project.state,
      String(project.wave),
      project.wanted,
      project.targetPath ?? '',
      project.targetUrl ?? '',
      project.sha256 ?? '',
      String(project.failures),
      String(project.openFailures),
      project.missing === null ? '' : String(project.missing),
      project.reconciled === null ? '' : project.reconciled ? 'yes' : 'no',
      project.changedSince ?? '',
      project.error ?? '',
      project.html,
      ...finishCells(project),
      String(project.accepted.length),
      project.accepted.map(acceptedText).join('; '),
      project.hasUnlistedFailures ? String(project.unlistedFailureCount ?? 'unknown') : '',
    ]),
  );
}

const acceptedText = ({ what, note, at }: AcceptedLoss): string => `${what} (${note ?? ''}, ${at})`;

function finishCells({ finishes }: Row): string[] {
  const cells = (part: FinishPart | null): string[] => [part?.outcome ?? '', part?.at ?? ''];
  return [
    finishes.at(-1)?.askedAt ?? '',
    ...cells(currentFinishStatus(finishes, 'mark')),
    ...cells(currentFinishStatus(finishes, 'note')),
    whyNot(finishes) ?? '',
  ];
}
