/** @file Reads the comments of a source file as sentences, each with the line where its comment begins. */
import ts from 'typescript';

export interface Sentence {
  /** Counted from 1. */
  line: number;
  text: string;
}

const scriptBlock = /(?<=<script[^>]*>).*?(?=<\/script>)/gs;
const scriptComments = /\/\*.*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/gs;
const markupComments = /<!--.*?-->|\/\*.*?\*\//gs;
const marks = /^\s*(?:\/\*+|\*(?!\/)|\/\/+|<!--)?[ \t]?|\s*(?:\*\/|-->)?\s*$/g;
const directive = /^(?:eslint-|@ts-|prettier-|svelte-ignore|v8 ignore)/;

/** Returns the sentences of all comments. Paragraphs, list items and tags such as `@returns` begin new sentences. */
export function commentSentences(path: string, text: string): Sentence[] {
  return commentsOf(path, text).flatMap(({ index, comment }) => {
    const line = text.slice(0, index).split('\n').length;
    return sentencesOf(comment).map((sentence) => ({ line, text: sentence }));
  });
}

function commentsOf(path: string, text: string): { index: number; comment: string }[] {
  const found = (masked: string, pattern: RegExp) =>
    [...masked.matchAll(pattern)].map(({ index, 0: { length } }) => ({
      index,
      comment: text.slice(index, index + length),
    }));
  if (!path.endsWith('.svelte')) return found(withoutLiterals(text), scriptComments);
  const markup = text.replaceAll(scriptBlock, blank);
  let scripts = blank(text);
  for (const { index, 0: script } of text.matchAll(scriptBlock)) {
    scripts = scripts.slice(0, index) + withoutLiterals(script) + scripts.slice(index + script.length);
  }
  return [...found(scripts, scriptComments), ...found(markup, markupComments)];
}

/** Blanks out strings, templates and regular expressions, which may look like comments. */
function withoutLiterals(code: string): string {
  let masked = code;
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralExpression(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isTemplateHead(node)) {
      const [start, end] = [node.getStart(source), node.getEnd()];
      masked = masked.slice(0, start) + blank(masked.slice(start, end)) + masked.slice(end);
    }
    ts.forEachChild(node, visit);
  };
  const source = ts.createSourceFile('source.ts', code, ts.ScriptTarget.Latest);
  visit(source);
  return masked;
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

function sentencesOf(comment: string): string[] {
  const lines = comment.split('\n').map((line) => line.replaceAll(marks, ''));
  const paragraphs = lines
    .join('\n')
    .replaceAll(/(?:^|(?<=\s))@(?:param \S+|[a-z]+)/g, '\n\n')
    .split(/\n\s*\n|\n(?=- )/);
  return paragraphs
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '' && !directive.test(paragraph))
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?][)"']?) (?=[("'`]*[A-Z])/))
    .map((sentence) => sentence.replace(/^[-("'\s]+/, ''));
}
