/** @file Builds parts of passport pages: archive, checks, failures, jobs, requests. Pure. */
import { errorText } from '../../../../src-contract/error-messages.ts';
import type { Finding } from '../../../../src-contract/archives/archive.ts';
import type { MissingRecord } from '../../../../src-contract/transfers/import.ts';
import type {
  AcceptedLoss,
  FinishPart,
  FinishRecord,
  JobRecord,
  Passport,
} from '../../../../src-contract/migrations/passport-schema.ts';
import { recordAbsenceText, undecidableFailureText } from '../../../../src-contract/words/failed-records.ts';
import { descriptionList, html, link, list, table, time, type Html } from './html.ts';
import { finishWords } from './words.ts';

export function archivePart(archive: Passport['archive']): Html {
  if (archive === null) return html`<p class="none">Nothing was exported.</p>`;
  const { path, sha256, sizeBytes, description } = archive;
  if (description === null) {
    return html`${descriptionList([
        ['SHA-256', html`<code>${sha256}</code>`],
        ['Size', `${formatCount(sizeBytes)} bytes`],
      ])}
      <p class="none">The archive is no longer in the store, or its disk is absent.</p>`;
  }
  const { proofs, damaged, findings } = description;
  return html`${descriptionList([
    ['File', html`<code>${path}</code>`],
    ['SHA-256', html`<code>${sha256}</code>`],
    ['Size', `${formatCount(sizeBytes)} bytes`],
    ['Stored', `${time(description.storedAt) ?? ''} by Packhorse ${description.appVersion}`],
    ['Exported by', description.serverVersion === null ? null : `GitLab ${description.serverVersion}`],
    ['Verdict', description.verdict],
    [
      'Proof',
      proofs.length === 0
        ? 'none'
        : list(
            proofs.map(
              ({ level, at, detail }) =>
                `${levels[level]}, ${time(at) ?? ''}${detail === null ? '' : `: ${detail}`}`,
            ),
          ),
    ],
    ['Damaged', damaged === null ? null : `${time(damaged.at) ?? ''}: ${damaged.reason}`],
  ])}
  ${
    findings.length === 0
      ? null
      : html`<h3>Findings in the archive</h3>
          ${findingsPart(findings)}`
  }`;
}

const levels = { L1: 'stored (L1)', L2: 'readable (L2)', L3: 'proven (L3)' };

const formatCount = (count: number): string => count.toLocaleString('en-US');

const findingsPart = (findings: readonly Finding[]): Html =>
  table(
    [
      { title: 'Severity', renderCell: ({ severity }) => severity },
      { title: 'Finding', renderCell: ({ message }) => message },
      { title: 'Where', renderCell: ({ where }) => where, kind: 'code' },
    ],
    findings,
  );

export function checkPart(check: Passport['check']): Html {
  if (check === null) return html`<p class="none">No check was stored before the migration.</p>`;
  return html`<p class="dim">Checked on ${time(check.at)}.</p>
    ${
      check.placedSince
        ? html`<p>The placement was changed after this check and was not checked again.</p>`
        : null
    }
    ${table(
      [
        {
          title: 'Severity',
          renderCell: ({ severity }) =>
            html`<span
              class="tag ${severity === 'blocker' ? 'bad' : severity === 'warning' ? 'warn' : 'good'}"
              >${severity}</span
            >`,
        },
        {
          title: 'About',
          renderCell: ({ project }) => (project === null ? 'the migration' : 'this project'),
          kind: 'short',
        },
        {
          title: 'Finding',
          renderCell: ({ message, advice }) => html`${message} <span class="dim">${advice}</span>`,
        },
        {
          title: 'Overridden',
          renderCell: ({ overridden }) =>
            overridden === null ? null : `${overridden.note} (${time(overridden.at) ?? ''})`,
        },
      ],
      check.findings,
    )}`;
}

export const failuresPart = (records: Passport['failures']['records']): Html =>
  html`${records.length === 0 ? html`<p class="none">GitLab listed none.</p>` : records.map(failurePart)}`;

export function replacedFailuresPart({ ofReplacedImports }: Passport['failures']): Html {
  return html`<p class="dim">
      These are failures of other imports. They say nothing about the project that is there now.
    </p>
    ${ofReplacedImports.map(failurePart)}`;
}

type FailureRecord = Passport['failures']['records'][number];

function failurePart(failure: FailureRecord): Html {
  const { relation, line, record, state } = failure;
  const tone = state === 'open' || state === 'retried' ? 'bad' : state === 'accepted' ? 'warn' : 'good';
  const name = [
    ...(record === null || record.iid === null ? [] : [`#${record.iid}`]),
    ...(record === null || record.title === null ? [] : [record.title]),
  ].join(' ');
  return html`<article class="failure">
    <h3>
      <span class="tag ${tone}">${state}</span> ${relation ?? 'relation unknown'}${
        line === null ? null : `, line ${line}`
      }${name === '' ? null : html`: ${name}`}
    </h3>
    ${descriptionList([
      ['Exception', html`<code>${failure.exceptionClass}</code>`],
      ['Message', failure.exceptionMessage],
      ['Seen in', failure.source],
      ['When', time(failure.createdAt)],
      ['Meaning', failure.meaning],
      ['Advice', failure.advice],
      ['Note', failure.note],
      ['Id', `${failure.id} (import job ${failure.importJob})`],
    ])}
    ${failure.text === null ? html`<p class="none">${absenceText(failure)}</p>` : html`<pre>${failure.text}${failure.textCut ? html`<span class="dim"> … cut here</span>` : null}</pre>`}
  </article>`;
}

function absenceText(failure: FailureRecord): string {
  const { recordAbsence, state } = failure;
  if (recordAbsence === null) return 'The record could not be read.';
  const remark = recordAbsence === 'no-such-line' && state === 'open' ? ` ${undecidableFailureText}` : '';
  return `${recordAbsenceText(failure, recordAbsence)}${remark}`;
}

export function finishesPart(finishes: readonly FinishRecord[]): Html {
  if (finishes.length === 0) return html`<p class="none">Nothing was requested.</p>`;
  return table(
    [
      { title: 'Requested', renderCell: ({ askedAt }) => time(askedAt) },
      { title: 'Mark as archived', renderCell: ({ mark }) => partText(mark) },
      {
        title: 'Line with the new place',
        renderCell: ({ note, newPlace }) =>
          html`${partText(note)}${newPlace === null ? null : html`<br />${link(newPlace, newPlace)}`}`,
      },
      {
        title: 'Error',
        renderCell: ({ error }) => {
          if (error === null) return null;
          const { what, todo } = errorText(error, 'command-line');
          return html`${what} <span class="dim">${todo}</span>`;
        },
      },
      { title: 'Job', renderCell: ({ jobId }) => jobId, kind: 'code' },
    ],
    finishes,
  );
}

function partText(part: FinishPart | null): Html {
  if (part === null) return html`<span class="dim">not requested</span>`;
  const { word, tone } = finishWords[part.outcome];
  return html`<span class="tag ${tone}">${word}</span>${
      part.at === null ? null : html`<br />${time(part.at)}`
    }`;
}

export const acceptedLossesPart = (losses: readonly AcceptedLoss[]): Html =>
  table(
    [
      { title: 'Loss', renderCell: ({ what }) => what },
      {
        title: 'Lost',
        renderCell: ({ lost }) => (lost === null ? null : lossPhaseWords[lost]),
        kind: 'short',
      },
      {
        title: 'Accepted',
        renderCell: ({ accepted, missing }) =>
          accepted === missing ? formatCount(missing) : `${formatCount(accepted)} of ${formatCount(missing)}`,
        kind: 'number',
      },
      { title: 'Note', renderCell: ({ note }) => note },
      { title: 'When', renderCell: ({ at }) => time(at) },
      { title: 'Failure', renderCell: ({ failure }) => failure ?? 'none was listed', kind: 'short' },
    ],
    losses,
  );

export const lossPhaseWords: Record<MissingRecord['lost'], string> = {
  'on-export': 'on export',
  'on-import': 'on import',
};

export const jobsPart = (jobs: readonly JobRecord[]): Html =>
  table(
    [
      {
        title: 'Job',
        renderCell: ({ does, id, project }) =>
          html`${does}<br /><span class="dim">${project}</span><br /><code>${id}</code>`,
      },
      { title: 'On', renderCell: ({ instance }) => instance, kind: 'short' },
      {
        title: 'Outcome',
        renderCell: ({ status, error, why, warnings }) =>
          html`${status}${error === null ? null : html`: ${errorText(error, 'command-line').what}`}${
            why === null ? null : `: ${why}`
          }${warnings.length === 0 ? null : list(warnings.map(({ message }) => message))}`,
      },
      { title: 'Created', renderCell: ({ createdAt }) => time(createdAt) },
      { title: 'Ended', renderCell: ({ endedAt }) => time(endedAt) },
      {
        title: 'Steps',
        kind: 'short',
        renderCell: ({ steps }) =>
          list(
            steps.map(
              ({ name, attempts, startedAt, finishedAt }) =>
                `${name} ${timeRange(startedAt, finishedAt)}${attempts > 1 ? `, try ${attempts}` : ''}`,
            ),
          ),
      },
    ],
    jobs,
  );

function timeRange(startedAt: string, finishedAt: string | null): string {
  const from = timeOfDay(startedAt);
  if (finishedAt === null) return `${from}, not finished`;
  return from === timeOfDay(finishedAt) ? from : `${from} – ${timeOfDay(finishedAt)}`;
}

const timeOfDay = (iso: string): string => iso.slice(11, 19);

export const requestsPart = (requests: Passport['requests']): Html =>
  table(
    [
      { title: 'When', renderCell: ({ at }) => time(at) },
      { title: 'Instance', renderCell: ({ instance }) => instance, kind: 'short' },
      { title: 'Request', renderCell: ({ method, path }) => `${method} ${path}`, kind: 'code' },
      { title: 'Response', renderCell: ({ status }) => (status === null ? 'none' : status), kind: 'number' },
      { title: 'Job', renderCell: ({ job }) => job, kind: 'code' },
    ],
    requests,
  );
