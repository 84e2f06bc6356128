/** @file Builds the passport page of one project. Pure. */
import {
  chosenDepthText,
  declaredBesidesGaps,
  gapsOf,
  gapsTitle,
} from '../../../../src-contract/words/depths.ts';
import { errorText } from '../../../../src-contract/error-messages.ts';
import type { ErrorData } from '../../../../src-contract/errors.ts';
import { graveLossCount } from '../../../../src-contract/transfers/gravity.ts';
import type { Comparison } from '../../../../src-contract/transfers/import.ts';
import type { Passport } from '../../../../src-contract/migrations/passport-schema.ts';
import { comparisonVerdictText } from '../../../../src-contract/words/migrations.ts';
import { unlistedFailuresText } from '../../../../src-contract/words/failed-records.ts';
import { unconfirmedText } from '../../../../src-contract/words/relations.ts';
import { lowerFirst } from '../../../../src-contract/words/first-letter.ts';
import { differencesPart } from './differences-part.ts';
import { passportDocument } from './document.ts';
import { descriptionList, html, link, list, section, table, time, type Html } from './html.ts';
import { hasFailedPart } from './finishing.ts';
import {
  acceptedLossesPart,
  archivePart,
  checkPart,
  failuresPart,
  finishesPart,
  jobsPart,
  replacedFailuresPart,
  requestsPart,
} from './page-parts.ts';
import { notComparedPart } from './not-compared.ts';
import { outcomeOf } from './words.ts';

export function passportPage(passport: Passport): string {
  const { migration, source, retries, reconciliation } = passport;
  const declared =
    reconciliation === null ? [] : besidesVerdict(declaredBesidesGaps(reconciliation), passport);
  return passportDocument(
    `Passport of ${source.project.fullPath}`,
    html`<header>
      <h1>${source.project.fullPath}</h1>
      <p class="sub">
        Passport of a migrated project · ${migration.name}, wave ${passport.wave} · made
        ${time(passport.madeAt)}
      </p>
    </header>`,
    verdictPart(passport),
    sidesPart(passport),
    section('Archive', archivePart(passport.archive)),
    section('What arrived', reconciliationPart(passport)),
    section(`Accepted losses (${passport.accepted.length})`, acceptedLossesPart(passport.accepted)),
    section(`Failures (${passport.failures.total})`, failuresPart(passport.failures.records)),
    replacedFailuresSection(passport.failures),
    section(
      'Retries',
      table(
        [
          { title: 'Relation', renderCell: ({ relation }) => relation, kind: 'code' },
          { title: 'Outcome', renderCell: ({ status }) => status, kind: 'short' },
          { title: 'Before', renderCell: ({ before }) => before, kind: 'number' },
          { title: 'After', renderCell: ({ after }) => after, kind: 'number' },
          { title: 'Error', renderCell: ({ error }) => (error === null ? null : shortError(error)) },
          { title: 'Job', renderCell: ({ jobId }) => jobId, kind: 'code' },
        ],
        retries,
      ),
    ),
    section('Checks before the migration', checkPart(passport.check)),
    section(
      'What an export never carries',
      html`<p class="dim">No archive contains this data. Set it up again on the target.</p>`,
      list(passport.neverCarried),
      declared.length === 0
        ? null
        : html`<h3>Expected differences, and facts that are not known</h3>
            ${list(declared)}`,
    ),
    section('Not compared', notComparedPart(reconciliation)),
    section('Changes to the source afterwards', finishesPart(passport.finishes)),
    section('Jobs', jobsPart(passport.jobs)),
    section('Requests that may have changed something', requestsPart(passport.requests)),
    html`<footer>
      Packhorse ${passport.appVersion} · migration ${migration.id} · schema ${passport.schemaVersion} · state
      ${outcomeOf(passport).word}
    </footer>`,
  );
}

/** Returns an empty part if no other import has failures. */
const replacedFailuresSection = (failures: Passport['failures']): Html => {
  const { length } = failures.ofReplacedImports;
  if (length === 0) return html``;
  return section(`Failures of other imports (${length})`, replacedFailuresPart(failures));
};

const shortError = (error: ErrorData): string => errorText(error, 'command-line').what;

/** Returns the sentences of a comparison, without the one that the verdict has. */
const besidesVerdict = (sentences: readonly string[], { failures }: Passport): readonly string[] =>
  failures.hasUnlisted
    ? sentences.filter((sentence) => sentence !== unlistedFailuresText(failures.unlistedCount))
    : sentences;

function verdictPart(passport: Passport): Html {
  const { error, accepted, changedSince, failures, finishes, reconciliation } = passport;
  const { word, tone, hint } = outcomeOf(passport);
  const missing = reconciliation?.missingCount ?? 0;
  const graveCount = reconciliation === null ? 0 : graveLossCount(reconciliation);
  const unconfirmed = unconfirmedText(reconciliation?.unproven);
  return html`<div class="verdict ${tone}">
    ${word.slice(0, 1).toUpperCase() + word.slice(1)}
    <p>${hint}</p>
    ${unconfirmed === null ? null : html`<p>${unconfirmed}</p>`}
    ${error === null ? null : html`<p>${shortError(error)}</p>`}
    ${failures.open === 0 ? null : html`<p>${failures.open} of ${failures.total} failures are open.</p>`}
    ${failures.hasUnlisted ? html`<p>${unlistedFailuresText(failures.unlistedCount)}</p>` : null}
    ${
      missing === 0
        ? null
        : html`<p>
            ${missing === 1 ? 'One record, or part of one, is' : `${missing} records, or parts of records, are`}
            known to be missing.
          </p>`
    }
    ${
      graveCount === 0
        ? null
        : html`<p>
            ${graveCount === 1 ? 'One of the differences is grave' : `${graveCount} of the differences are grave`}:
            people can see or do more on the target than on the source.
          </p>`
    }
    ${
      accepted.length === 0
        ? null
        : html`<p>
            ${accepted.length === 1 ? 'One loss was' : `${accepted.length} losses were`} accepted: see below,
            with the note.
          </p>`
    }
    ${
      changedSince === null
        ? null
        : html`<p>The source changed after its export began: last on ${time(changedSince)}.</p>`
    }
    ${
      hasFailedPart(finishes)
        ? html`<p>The requested changes to the source were not made, or only in part.</p>`
        : null
    }
  </div>`;
}

function sidesPart({ migration, source, target, imports, frozen }: Passport): Html {
  const overrides = Object.entries(target.wanted.overrideParams);
  const place = `${target.wanted.namespace}/${target.wanted.path}`;
  const [last] = imports.slice(-1);
  const { text, hint } = chosenDepthText[migration.compare];
  return html`<div class="sides">
    <div>
      <h3>Source</h3>
      ${descriptionList([
        ['Instance', html`${source.instance.name} · ${link(source.instance.url, source.instance.url)}`],
        ['GitLab', source.instance.version],
        ['User', source.instance.username],
        ['Project', link(source.project.url, source.project.fullPath)],
        ['Id', source.project.id],
        ['Marked', frozen ? 'marked as archived for the migration' : null],
      ])}
    </div>
    <div>
      <h3>Target</h3>
      ${descriptionList([
        ['Instance', html`${target.instance.name} · ${link(target.instance.url, target.instance.url)}`],
        ['GitLab', target.instance.version],
        ['User', target.instance.username],
        [
          'Project',
          target.project === null
            ? html`<span class="dim">not there; planned for</span> ${place}`
            : link(target.project.url, target.project.fullPath),
        ],
        ['Id', target.project?.id ?? null],
        ['Replaced', target.wanted.overwrite ? 'what was there before' : null],
        [
          'Overrides',
          overrides.length === 0
            ? null
            : overrides.map(([key, value]) => html`<code>${key}=${value}</code> `),
        ],
        ['Compared', `${text}. ${hint}`],
        ['Correlation id', last?.correlationId ?? null],
        ['Import job', last?.jobId ?? null],
      ])}
    </div>
  </div>`;
}

/** True if target and archive agree and nothing is known about the source. */
const isSourceUnknown = ({ verdict, source }: Comparison): boolean => verdict === 'equal' && source === null;
const verdictOf = (row: Comparison): string =>
  isSourceUnknown(row) ? 'as archived' : lowerFirst(comparisonVerdictText[row.verdict]);
const toneOf = (row: Comparison): string =>
  row.verdict.startsWith('lost') ? 'bad' : row.verdict === 'equal' && !isSourceUnknown(row) ? 'good' : 'warn';

function reconciliationPart(passport: Passport): Html {
  const { reconciliation, state } = passport;
  if (reconciliation === null) {
    return html`<p class="none">
      ${state === 'failed' || state === 'cancelled' ? 'Nothing arrived.' : 'Not compared yet.'}
    </p>`;
  }
  const { at, rows, missing, missingCount } = reconciliation;
  const gaps = besidesVerdict(gapsOf(reconciliation), passport);
  return html`<p class="dim">Source, archive and target as they were on ${time(at)}.</p>
    ${table(
      [
        { title: 'Relation', renderCell: ({ relation }) => relation, kind: 'code' },
        { title: 'Source', renderCell: ({ source }) => source ?? '–', kind: 'number' },
        { title: 'Archive', renderCell: ({ archive }) => archive ?? '–', kind: 'number' },
        { title: 'Target', renderCell: ({ target }) => target ?? '–', kind: 'number' },
        {
          title: 'Result',
          renderCell: (row) => html`<span class="tag ${toneOf(row)}">${verdictOf(row)}</span>`,
        },
      ],
      rows,
    )}
    ${
      gaps.length === 0
        ? null
        : html`<h3>${gapsTitle}</h3>
            ${list(gaps)}`
    }
    ${differencesPart(reconciliation)}
    ${
      missingCount > missing.length
        ? html`<p class="dim">
            Only the first missing records of each relation are listed: ${missing.length} of ${missingCount}.
          </p>`
        : null
    }`;
}
