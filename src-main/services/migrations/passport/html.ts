/**
 * @file Builds HTML from untrusted texts. Values are escaped, and characters that hide or reverse text are shown as
 * code points. Pure.
 */

/** Finished HTML, which is inserted without escaping. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | null | readonly Part[];

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(
    strings.map((text, index) => text + (index < parts.length ? render(parts[index] ?? null) : '')).join(''),
  );
}

function render(part: Part): string {
  if (part === null) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return part.map(render).join('');
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters except line ends and tabs, and characters that reverse, join or hide text. */
const hiddenCharacters =
  // eslint-disable-next-line no-control-regex -- the expression finds control characters, to show them
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '')
    .replace(hiddenCharacters, (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      return `<span class="code" title="U+${code}">U+${code}</span>`;
    });
}

/** Returns a link for an http or https address; otherwise only the text. */
export function link(address: string, text: string | Html): Html {
  return /^https?:\/\//i.test(address)
    ? html`<a href="${new Html(escapeAttribute(address))}" rel="noreferrer">${text}</a>`
    : html`${text}`;
}

/** Longer parts of a path would make a table too wide. */
const maxPartLength = 30;

/** Returns a path that breaks after its slashes, and inside a part only if the part is too long for a table. */
export const pathText = (path: string): Html =>
  html`${path
    .split(/(?<=\/)/)
    .map(
      (part) => html`<span class="${part.length > maxPartLength ? 'long' : 'part'}">${part}</span><wbr />`,
    )}`;

/** Escapes text for an attribute. Hidden characters are not marked, because an attribute is not shown. */
const escapeAttribute = (text: string): string =>
  encodeURI(text.toWellFormed())
    .replaceAll('%25', '%')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '');

export interface Column<Row> {
  title: string;
  renderCell: (row: Row) => Part;
  kind?: 'number' | 'code' | 'short' | 'path' | 'actions';
}

export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Html {
  if (rows.length === 0) return html`<p class="none">None.</p>`;
  const classOf = ({ kind }: Column<Row>): Html => new Html(kind === undefined ? '' : ` class="${kind}"`);
  return html`<div class="wide">
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col" ${classOf(column)}>${column.title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map((column) => html`<td${classOf(column)}>${column.renderCell(row)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Returns a list of names and values. Entries with a null value are left out. */
export function descriptionList(entries: readonly (readonly [name: string, value: Part])[]): Html {
  return html`<dl>
    ${entries
      .filter(([, value]) => value !== null)
      .map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
  </dl>`;
}

export const section = (title: string, ...content: Part[]): Html =>
  html`<section>
    <h2>${title}</h2>
    ${content}
  </section>`;

export const list = (sentences: readonly Part[]): Html =>
  html`<ul>
    ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
  </ul>`;

/** Returns the form `2026-11-21 02:45:12 UTC`; null for an unknown time. */
export const time = (iso: string | null): string | null =>
  iso === null ? null : `${iso.slice(0, 19).replace('T', ' ')} UTC`;
