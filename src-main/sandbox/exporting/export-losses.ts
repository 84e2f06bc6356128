/** @file Applies the scripted faults that omit or duplicate parts of an export. */
import { applyContentFaults } from './content-losses.ts';
import { encodeLines, isObject, linesOf, type ProjectContent } from '../content/project-content.ts';
import type { FaultOf } from '../faults/fault-kinds.ts';
import {
  contentFaultsIn,
  type ExportFault,
  nameOf,
  recordFaultsIn,
  RecordLosses,
  type Loss,
  type LostPart,
  type RecordFault,
} from './losses.ts';
import { fullPath, type Project } from '../sandbox-database.ts';

type RepeatFault = FaultOf<'repeat-records'>;

/** Returns the content to pack and its losses. @param path where a reduced copy of a bundle file is written. */
export async function applyExportFaults(
  content: ProjectContent,
  project: Project,
  faults: readonly ExportFault[],
  path: string,
): Promise<{ content: ProjectContent; losses: Loss[] }> {
  const recordFaults = recordFaultsIn(faults);
  const repeats = faults.filter((fault) => fault.kind === 'repeat-records');
  const losses: Loss[] = [];
  const addLoss = (loss: Pick<Loss, 'relation' | 'line'> & LostPart): void => {
    losses.push({ phase: 'export', project: fullPath(project), ...loss, reason: 'fault', listed: false });
  };
  const relations = new Map(content.relations);
  const affectedRelations = [...recordFaults, ...repeats].map((fault) =>
    fault.kind === 'drop-diffs' ? 'merge_requests' : fault.relation,
  );
  for (const relation of new Set(affectedRelations)) {
    const bytes = relations.get(relation);
    if (bytes === undefined) continue;
    const addRelationLoss: OnLoss = (line, part) => {
      addLoss({ relation, line, ...part });
    };
    const keptLines = applyRecordFaults(relation, linesOf(bytes), recordFaults, addRelationLoss);
    const relationRepeats = repeats.filter((fault) => fault.relation === relation);
    const texts = applyRepeatFaults(keptLines, relationRepeats, addRelationLoss);
    relations.set(relation, encodeLines(relation, texts));
  }
  const changedContent = { ...content, relations };
  const contentResult = await applyContentFaults(
    changedContent,
    contentFaultsIn(faults),
    project.defaultBranch,
    path,
  );
  for (const part of contentResult.lost) addLoss({ ...part, line: null });
  return { content: contentResult.content, losses };
}

interface Line {
  /** Zero-based line in the original file. */
  line: number;
  text: string;
}
type OnLoss = (line: number, part: LostPart) => void;

function applyRecordFaults(
  relation: string,
  lines: readonly string[],
  faults: readonly RecordFault[],
  onLoss: OnLoss,
): Line[] {
  const recordLosses = new RecordLosses(relation, lines.length, faults);
  return lines.flatMap((text, line): Line[] => {
    const record: unknown = JSON.parse(text);
    // A relation of one record is `null` without it.
    if (!isObject(record)) return [{ line, text }];
    if (recordLosses.isDropped(line)) {
      onLoss(line, { part: 'record', name: nameOf(record) });
      return [];
    }
    const result = recordLosses.dropParts(line, record);
    for (const part of result.lost) onLoss(line, part);
    return [{ line, text: result.record === record ? text : JSON.stringify(result.record) }];
  });
}

/** Appends copies of the first records, or replaces the last records with them. */
function applyRepeatFaults(lines: readonly Line[], faults: readonly RepeatFault[], onLoss: OnLoss): string[] {
  let texts = lines.map(({ text }) => text);
  for (const { count, instead } of faults) {
    const copies = texts.slice(0, count);
    if (instead !== true) texts.push(...copies);
    else {
      for (const { line, text } of lines.slice(-copies.length)) {
        onLoss(line, { part: 'record', name: nameOf(JSON.parse(text)) });
      }
      texts = [...texts.slice(0, -copies.length), ...copies];
    }
  }
  return texts;
}
