/**
 * @file Builds one self-contained HTML document: no script, an inline style, and a policy that forbids everything else.
 */
import { createHash } from 'node:crypto';
import { html, Html } from './html.ts';

const style = `
:root { color-scheme: light dark; --text: #1f2430; --dim: #5b6474; --line: #d9dde5; --soft: #f5f6f9; --page: #fff;
  --good: #176b3a; --good-soft: #e6f4ec; --bad: #a3231d; --bad-soft: #fcebea; --warn: #7a4d00; --warn-soft: #fdf3df; --link: #1f4fbf; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9ef; --dim: #a2abbb; --line: #363c48; --soft: #1f232b; --page: #15181e;
  --good: #7bd39d; --good-soft: #17301f; --bad: #ff9d96; --bad-soft: #3a1b1a; --warn: #f0c274; --warn-soft: #352813; --link: #9bb8ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 2.5rem 1.5rem 4rem; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, "Segoe UI", "Noto Sans", sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; padding-bottom: .35rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; overflow-wrap: anywhere; }
p { margin: .5rem 0; } ul { margin: .5rem 0; padding-left: 1.25rem; } li { margin: .2rem 0; } td ul { margin: 0; padding-left: 1rem; }
a { color: var(--link); overflow-wrap: anywhere; }
.sub, .none, .dim { color: var(--dim); }
.verdict { display: block; margin: 1.25rem 0; padding: .8rem 1rem; border-radius: 8px; border-left: 5px solid; font-weight: 600; }
.verdict p { font-weight: 400; margin: .25rem 0 0; }
.good { background: var(--good-soft); color: var(--good); border-color: var(--good); }
.bad { background: var(--bad-soft); color: var(--bad); border-color: var(--bad); }
.warn { background: var(--warn-soft); color: var(--warn); border-color: var(--warn); }
.verdict p { color: var(--text); }
.tag { display: inline-block; padding: 0 .5em; border-radius: 4px; font-size: .85em; font-weight: 600; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1rem; }
.sides > div { border: 1px solid var(--line); border-radius: 8px; padding: .25rem 1rem .5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; margin: .5rem 0; }
dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92em; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { color: var(--dim); font-weight: 600; white-space: nowrap; } tbody tr:nth-child(even) { background: var(--soft); }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.short { white-space: nowrap; }
td.path, td.path a { overflow-wrap: normal; } td.path { min-width: 9rem; }
.part { white-space: nowrap; } .long { overflow-wrap: anywhere; }
.list { max-width: 84rem; } .list table { font-size: .84em; } .list th { white-space: normal; overflow-wrap: normal; }
.list td { overflow-wrap: break-word; } .list td.short { min-width: 6.75rem; white-space: normal; } .list td.actions { min-width: 9.5rem; }
td.code, code, pre { font-family: ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace; font-size: .88em; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem; margin: .5rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.code { color: inherit; } span.code { background: var(--warn-soft); color: var(--warn); border-radius: 3px; padding: 0 .25em; font-size: .8em; }
.group { margin: .75rem 0; } .group > summary { cursor: pointer; font-weight: 600; padding: .25rem 0; } td p { margin: .25rem 0 0; }
.group td { overflow-wrap: break-word; }
del, ins { border-radius: 3px; padding: 0 .1em; } del { background: var(--bad-soft); color: var(--bad); text-decoration: line-through; }
ins { background: var(--good-soft); color: var(--good); text-decoration: underline; }
.failure { border-top: 1px solid var(--line); padding-top: .25rem; margin-top: 1rem; }
.failure:first-of-type { border-top: none; margin-top: 0; }
details { margin: .5rem 0; } summary { color: var(--link); cursor: pointer; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--dim); font-size: .9em; }
@page { margin: 16mm 14mm; }
@page list { size: A4 landscape; margin: 12mm; }
@media print { :root { color-scheme: light; --text: #000; --dim: #444; --line: #bbb; --soft: #f4f4f4; --page: #fff; --good: #0d5129; --good-soft: #fff;
  --bad: #8c1712; --bad-soft: #fff; --warn: #5d3b00; --warn-soft: #fff; --link: #000; }
  body { max-width: none; padding: 0; font-size: 10pt; } .wide { overflow: visible; } h2, h3 { break-after: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; } summary { color: var(--text); }
  tr, .verdict, .sides > div, .failure h3 { break-inside: avoid; } thead { display: table-header-group; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .verdict { border: 1px solid; border-left-width: 5px; } .sides { grid-template-columns: 1fr 1fr; }
  .list { page: list; font-size: 9.5pt; } .list th, .list td { padding: .25rem .4rem; } .list h2 { margin-top: 1.25rem; } }
`;

const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`;

// Every space matters, because the policy allows the style by its hash.
const styleElement = new Html(`<style>${style}</style>`);

export const passportDocument = (title: string, ...content: Html[]): string =>
  page(title, 'passport', content);

/** A list of many passports, with a wide table: printed in landscape. */
export const listDocument = (title: string, ...content: Html[]): string => page(title, 'list', content);

function page(title: string, kind: 'passport' | 'list', content: readonly Html[]): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${styleElement}
      </head>
      <body class="${kind}">
        ${content}
      </body>
    </html> `.text;
}
