/** @file Texts on screen are in a `….text.ts` next to the component that shows them, not in its markup. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'svelte/compiler';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../../src-renderer');
/** Attributes and properties whose text is shown or read aloud. */
const shown =
  /^(label|title|subtitle|text|hint|placeholder|alt|description|summary|stays|confirmLabel|none|empty|header|aria-(label|description|valuetext|roledescription))$/;
const word = /\p{L}{2}/u;

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Returns the literal texts of the template: between tags, and in attributes that are shown. */
function literals(node: unknown, found: { start: number; text: string }[] = []): typeof found {
  if (Array.isArray(node)) for (const child of node) literals(child, found);
  if (!isNode(node)) return found;
  const text = (value: unknown, start: number): void => {
    if (typeof value === 'string' && word.test(value)) found.push({ start, text: value.trim() });
  };
  if (node.type === 'Text') text(node['data'], node.start);
  else if (node.type === 'ExpressionTag') {
    const { expression } = node as unknown as { expression: Node };
    if (expression.type === 'Literal') text(expression['value'], node.start);
    if (expression.type === 'TemplateLiteral') {
      const { quasis } = expression as unknown as { quasis: { value: { raw: string } }[] };
      text(quasis.map(({ value }) => value.raw).join('…'), node.start);
    }
  } else if (node.type === 'Attribute') {
    if (shown.test(String(node['name']))) literals(node['value'], found);
  } else if (!/^(StyleDirective|ClassDirective|SvelteOptions)$/.test(node.type)) {
    for (const [key, value] of Object.entries(node)) {
      if (key !== 'expression' && key !== 'parent') literals(value, found);
    }
  }
  return found;
}

function inFile(source: string): string[] {
  const { fragment } = parse(source, { modern: true });
  return literals(fragment).map(({ start, text }) => `${source.slice(0, start).split('\n').length}: ${text}`);
}

test.each([
  ['<p>Hello there</p>', ['1: Hello there']],
  ['<Button label="Save it" />', ['1: Save it']],
  ['{#if on}\n<p title={`Of ${n} rows`}>{x}</p>{/if}', ['2: Of … rows']],
  ["{#each list as one}<p>{'word'}</p>{/each}", ['1: word']],
  ['{#snippet foot()}Save{/snippet}', ['1: Save']],
  ['<p class="quiet small" style:color="red">{text.hello} · {1}</p>', []],
])('in %j the check finds the texts %j', (source, found) => {
  expect(inFile(source)).toEqual(found);
});

const files = globSync('**/*.svelte', { cwd: root });

test('the check finds more than 40 components', () => {
  expect(files.length).toBeGreaterThan(40);
});

test.each(files)('the markup of %s contains no text', (file) => {
  expect(inFile(readFileSync(join(root, file), 'utf8'))).toEqual([]);
});
