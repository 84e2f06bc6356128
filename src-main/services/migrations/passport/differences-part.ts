/** @file Builds the part of a passport page with the differences of the last comparison, in groups that can be closed. Pure. */
import {
  groupDifferences,
  listDifferences,
  wordsOf,
  type DifferenceGroup,
  type ListedDifference,
} from '../../../../src-contract/migrations/difference-groups.ts';
import type { Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { piecesOf, visibleText, type ChangedWords } from '../../../../src-contract/words/changed-words.ts';
import { relationText } from '../../../../src-contract/words/relations.ts';
import {
  assessDifferences,
  type AssessedDifference,
} from '../../../jobs/migrations/comparing/differences.ts';
import { html, table, type Html } from './html.ts';
import { lossPhaseWords } from './page-parts.ts';

type Listed = ListedDifference<AssessedDifference>;

/** A page with more differences shows only the grave ones at first. */
const maxOpenDifferences = 200;

/** Grave differences come first. Each group is open if the page has few differences, and the grave ones always are. */
export function differencesPart(reconciliation: Reconciliation): Html {
  const listed = listDifferences(reconciliation, assessDifferences(reconciliation, [], []));
  const isShort = listed.length <= maxOpenDifferences;
  return html`<h3>Differences (${listed.length})</h3>
    ${listed.length === 0 ? html`<p class="none">None.</p>` : null}
    ${listed.some((entry) => wordsOf(entry) !== null) ? legend : null}
    ${groupDifferences(listed).map((group) => groupPart(group, isShort || group.isGrave))}`;
}

const legend = html`<p class="dim">
  <del>Struck words</del> were expected, and <ins>underlined words</ins> were found instead.
</p>`;

const groupPart = ({ title, isGrave, entries }: DifferenceGroup<Listed>, isOpen: boolean): Html =>
  html`<details class="group" ${isOpen ? html`open` : null}>
    <summary>
      ${title} (${entries.length}) ${isGrave ? html`<span class="tag bad">grave</span>` : null}
    </summary>
    ${table(
      [
        { title: 'What', renderCell: nameOf },
        { title: 'Part', renderCell: ({ record }) => record?.part?.name ?? null },
        { title: 'Expected', renderCell: (entry) => valueOf(entry, 'expected') },
        { title: 'Found', renderCell: (entry) => valueOf(entry, 'found') },
        {
          title: 'Lost',
          renderCell: ({ lost }) => (lost === null ? null : lossPhaseWords[lost]),
          kind: 'short',
        },
        { title: 'Line', renderCell: ({ record }) => record?.line ?? null, kind: 'number' },
      ],
      entries,
    )}
  </details>`;

/** Grave differences are of several relations, so their names begin with the relation. */
function nameOf({ record, setting, kind, relation, isGrave, difference }: Listed): Html | string | null {
  if (setting !== null) return html`<code>${setting.attribute}</code>`;
  if (record === null)
    return kind === 'number' ? `number of ${relationText(relation)}` : (difference?.what ?? null);
  const words = [record.iid === null ? '' : `#${record.iid}`, record.title ?? ''].filter(
    (word) => word !== '',
  );
  const name = words.length === 0 ? 'without a name' : words.join(' ');
  return isGrave ? html`<span class="dim">${relationText(relation)}:</span> ${name}` : name;
}

function valueOf(entry: Listed, side: 'expected' | 'found'): Html | string | null {
  const words = wordsOf(entry);
  if (words !== null) return wordsPart(words, side);
  const { kind, record, values } = entry;
  if (kind === 'record') return side === 'found' ? 'missing' : null;
  const part = record?.part ?? null;
  const missing = part !== null && 'missing' in part ? (part.missing ?? []) : [];
  const names = side === 'found' && missing.length > 0 ? ` (missing: ${missing.join(', ')})` : '';
  return values === null ? null : `${values[side]}${names}`;
}

const wordsPart = ({ pieces, limit }: ChangedWords, side: 'expected' | 'found'): Html =>
  html`${piecesOf(pieces, side).map((piece) => {
    const text = visibleText(piece);
    if (!piece.isChanged) return text;
    return side === 'expected' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;
  })}${limit === null || side === 'expected' ? null : html`<p class="dim">${limit}</p>`}`;
