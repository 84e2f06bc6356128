/** @file Reads the titles of the tests in a file, each with its line. */
import ts from 'typescript';
import type { Sentence } from './comments.ts';

const titled = new Set(['describe', 'it', 'test']);

/**
 * Returns the titles of all `describe`, `it` and `test` calls, those with `each` and `skipIf` included. The title of a
 * nested call follows that of its `describe`, as in reports: both form one sentence.
 */
export function testTitles(path: string, text: string): Sentence[] {
  const titles: Sentence[] = [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const visit = (node: ts.Node, outer: string): void => {
    let whole = outer;
    if (ts.isCallExpression(node) && titled.has(rootNameOf(node.expression))) {
      const [title] = node.arguments;
      if (title !== undefined && ts.isStringLiteralLike(title)) {
        const line = source.getLineAndCharacterOfPosition(title.getStart(source)).line + 1;
        whole = `${outer} ${title.text}`.trim();
        titles.push({ line, text: whole });
      }
    }
    ts.forEachChild(node, (child) => {
      visit(child, whole);
    });
  };
  visit(source, '');
  return titles;
}

/** Returns the name at the beginning of `test.each(rows)` or `it.skipIf(condition)`; empty for other expressions. */
function rootNameOf(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression))
    return rootNameOf(expression.expression);
  return '';
}
