/** @file Builds the part of a passport page about everything that the comparison left out. Pure. */
import type { Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { upperFirst } from '../../../../src-contract/words/first-letter.ts';
import {
  lessComparedGroups,
  maxShownFields,
  type LessComparedGroup,
} from '../../../../src-contract/words/reached-relations.ts';
import {
  uncomparedGroups,
  uncomparedPartText,
  uncomparedReasonText,
} from '../../../../src-contract/words/uncompared-parts.ts';
import { descriptionList, html, table, type Html } from './html.ts';

/** Returns null before a comparison. */
export function notComparedPart(reconciliation: Reconciliation | null): Html | null {
  if (reconciliation === null) return null;
  const groups = lessComparedGroups(reconciliation);
  return html`${
    groups.length === 0
      ? null
      : html`<h3>Relations that were not compared completely</h3>
          ${groups.map(groupPart)}
          <h3>Parts that no comparison covers</h3>`
  }
  ${table(
    [
      { title: 'Part', renderCell: ({ part }) => upperFirst(uncomparedPartText(part)) },
      { title: 'Records in the archive', renderCell: ({ records }) => records, kind: 'number' },
      { title: 'Reason', renderCell: ({ reason }) => uncomparedReasonText[reason] },
    ],
    uncomparedGroups(reconciliation.notCompared).flatMap(({ reason, parts }) =>
      parts.map((part) => ({ ...part, reason })),
    ),
  )}`;
}

function groupPart({ title, names, fields, fieldCount: count }: LessComparedGroup): Html {
  const fieldList = descriptionList(
    fields.map(({ name, fields: some }) => [
      upperFirst(name),
      some.map((field, index) => html`${index === 0 ? '' : ', '}<code>${field}</code>`),
    ]),
  );
  return html`<p><strong>${title}:</strong> ${names.join(', ')}.</p>
    ${
      count === 0
        ? null
        : count <= maxShownFields
          ? fieldList
          : html`<details>
              <summary>${count} fields that were not compared</summary>
              ${fieldList}
            </details>`
    }`;
}
