/**
 * @file Finds in the code where each operation of GitLab's API is tested, implemented and offered, and writes the page
 * about it. Commands are read from their help; the others from titles and doc comments.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';
import { endpointOf, type OperationId } from '../../src-contract/operations.ts';
import { AppCommand } from '../../src-main/hosts/cli/running/app-command.ts';
import { operations } from './operations/operations.ts';
import type { Specified } from './operations/specified.ts';

export const columns = ['test', 'client', 'command', 'view'] as const;
export type Column = (typeof columns)[number];

/** The mentions of one operation: names of test files, of functions, of commands, of files of the window. */
export type Found = Record<Column, string[]>;
export type Coverage = Record<OperationId, Found>;

const idsByEndpoint = new Map(operations.map((row) => [endpointOf(row), row.id]));
const known = new Set<string>(operations.map(({ id }) => id));

/** Reads the tree below `root`; the commands are those of `program`. */
export function coverageOf(root: string, program: Command): Coverage {
  const coverage = Object.fromEntries(
    operations.map(({ id }) => [id, { test: [], client: [], command: [], view: [] } satisfies Found]),
  ) as unknown as Coverage;
  const note = (column: Column, ids: Iterable<OperationId>, name: string): void => {
    for (const id of ids) {
      const names = coverage[id][column];
      if (!names.includes(name)) names.push(name);
    }
  };
  const files = (pattern: string): [path: string, text: string][] =>
    globSync(pattern, { cwd: root })
      .toSorted()
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]);

  for (const [path, text] of files('test/integration/conformance/**/*.test.ts')) {
    note('test', idsOfTitles(text), basename(path));
  }
  for (const [, text] of files('src-main/gitlab/**/*.ts')) {
    for (const [name, comment] of exportedComments(text)) note('client', idsInBackticks(comment), name);
  }
  for (const [name, help] of helpOfCommands(program)) note('command', idsInHelp(help), name);
  for (const [path, text] of files('src-renderer/**/*.{svelte,ts}')) {
    const comments = text.match(/\/\*\*.*?\*\//gs) ?? [];
    note('view', idsInBackticks(comments.join('\n')), relative('src-renderer', path));
  }
  return coverage;
}

/** Returns operations whose endpoint is in backticks in the text. */
function idsInBackticks(text: string): OperationId[] {
  return [...text.matchAll(/`([A-Z]+ \/[^\s`]*)`/g)].flatMap(
    (match) => idsByEndpoint.get(match[1] ?? '') ?? [],
  );
}

/** Returns operations that a help lists in the format of `addOperationsHelp`. */
function idsInHelp(help: string): OperationId[] {
  return [...help.matchAll(/^ {2}([A-Z]+ \/\S*)/gm)].flatMap(
    (match) => idsByEndpoint.get(match[1] ?? '') ?? [],
  );
}

/** Returns operations whose id begins the title of a test or of a group of tests; skipped ones do not count. */
function idsOfTitles(text: string): OperationId[] {
  const found: OperationId[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const first = node.arguments[0];
      const title = first === undefined ? '' : titleOf(first);
      const id = /^[a-z0-9-]+(?=[^\w-]|$)/.exec(title)?.[0] ?? '';
      if (isOperation(id)) found.push(id);
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(text));
  return found;
}

const isOperation = (id: string): id is OperationId => known.has(id);

/** Returns whether the call is `test`, `test.each(…)`, `describe.for(…)` or similar. */
function isTest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return ['test', 'it', 'describe'].includes(callee.text);
  if (ts.isCallExpression(callee)) return isTest(callee.expression);
  if (!ts.isPropertyAccessExpression(callee)) return false;
  return !['skip', 'todo'].includes(callee.name.text) && isTest(callee.expression);
}

function titleOf(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.head.text : '';
}

/** Returns every exported function or constant, with the comment before it. */
function exportedComments(text: string): [name: string, comment: string][] {
  const source = parse(text);
  return source.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (!isExported) return [];
    const comments = ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? [];
    const last = comments.at(-1);
    const comment = last === undefined ? '' : text.slice(last.pos, last.end);
    if (ts.isFunctionDeclaration(statement)) return [[statement.name?.text ?? '', comment]];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.map(({ name }): [string, string] => [
      name.getText(source),
      comment,
    ]);
  });
}

const parse = (text: string): ts.SourceFile =>
  ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);

function* helpOfCommands(command: Command, name = ''): Generator<[name: string, help: string]> {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  yield [name, help];
  for (const child of command.commands) yield* helpOfCommands(child, `${name} ${child.name()}`.trimStart());
}

/** Returns all commands of the command line, registered but never run. */
export async function commandsOf(root: string): Promise<Command> {
  const program = new AppCommand('packhorse');
  for (const path of globSync('src-main/hosts/cli/**/*.ts', { cwd: root }).toSorted()) {
    const file = (await import(pathToFileURL(join(root, path)).href)) as Record<string, unknown>;
    for (const [name, register] of Object.entries(file)) {
      if (!/^[a-z]\w*Command$/.test(name) || typeof register !== 'function') continue;
      (register as (program: AppCommand) => void)(program);
    }
  }
  return program;
}

const documents = {
  1: 'Projects',
  2: 'Exports and imports',
  3: 'Personal access tokens',
} as const;
const headings: Record<Column, string> = {
  test: 'Test against the sandbox',
  client: 'Client',
  command: 'Command',
  view: 'View',
};

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ') || '–';
const table = (heads: readonly string[], rows: readonly string[][]): string =>
  [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');

function documentTable(document: Specified['document'], coverage: Coverage): string {
  const rows = operations
    .filter((row) => row.document === document)
    .map((row) => [
      row.id,
      code([endpointOf(row)]),
      ...columns.map((column) => code(coverage[row.id][column])),
    ]);
  return table(['Operation', 'Endpoint', ...columns.map((column) => headings[column])], rows);
}

/** Returns `docs/coverage.md`, formatted. */
export async function coveragePage(coverage: Coverage): Promise<string> {
  const covered = (column: Column): string => {
    const count = operations.filter(({ id }) => coverage[id][column].length > 0).length;
    return `${count} of ${operations.length}`;
  };
  const text = [
    "# Coverage of GitLab's API",
    'The operations of the specification, and where each is tested, implemented and offered. The code generates this page, and',
    'a test fails if they differ. Run `npx vitest run --project unit test/unit/docs/coverage.test.ts -u` to write it again.',
    '',
    table(
      columns.map((column) => headings[column]),
      [columns.map(covered)],
    ),
    ...([1, 2, 3] as const).flatMap((document) => [
      `\n## ${documents[document]}\n`,
      documentTable(document, coverage),
    ]),
  ].join('\n');
  const path = 'docs/coverage.md';
  return format(text, { ...(await resolveConfig(path)), filepath: path });
}
