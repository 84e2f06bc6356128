/** @file What scripted faults leave out of an export: the last records of a relation, or the first notes nested in it. */
import { singletons, type JsonRecord, type ProjectContent } from './content/project-content.ts';
import type { ExportFault } from './fault-schema.ts';
import { withoutUserNotes } from './restoring.ts';
import type { Loss } from './world.ts';

/** The content that is packed, and what it lacks. */
export function withLosses(
  content: ProjectContent,
  project: string,
  faults: readonly ExportFault[],
): { content: ProjectContent; losses: Loss[] } {
  const relations = new Map(content.relations);
  const losses: Loss[] = [];
  for (const fault of faults) {
    if (fault.kind === 'end-export' || singletons.has(fault.relation)) continue;
    const { relation, count, kind } = fault;
    const lines = (relations.get(relation)?.toString('utf8') ?? '').split('\n');
    if (lines.at(-1) === '') lines.pop();
    const kept: string[] = [];
    let left = count;
    for (const [line, text] of lines.entries()) {
      const lose = (part: Loss['part']): void => {
        losses.push({ phase: 'export', project, relation, line, part, reason: 'fault', listed: false });
      };
      if (kind === 'drop-records') {
        if (line < lines.length - count) kept.push(text);
        else lose('record');
        continue;
      }
      const shorter = withoutUserNotes(JSON.parse(text) as JsonRecord, left);
      left -= shorter.dropped;
      for (let note = 0; note < shorter.dropped; note += 1) lose('note');
      kept.push(shorter.dropped === 0 ? text : JSON.stringify(shorter.record));
    }
    relations.set(relation, Buffer.from(kept.map((text) => `${text}\n`).join('')));
  }
  return { content: { ...content, relations }, losses };
}
