/** @file Applies the scripted faults that omit or duplicate parts of an export. */
import { applyContentFaults } from './content-losses.ts';
import {
  linesOf,
  singleRecordRelations,
  type JsonRecord,
  type ProjectContent,
} from '../content/project-content.ts';
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

/** Returns the content to pack and its losses. @param path for a shorter bundle, if the original is a file. */
export async function applyExportFaults(
  content: ProjectContent,
  project: Project,
  faults: readonly ExportFault[],
  path: string,
): Promise<{ content: ProjectContent; losses: Loss[] }> {
  const recordFaults = recordFaultsIn(faults);
  const repeats = faults.filter((fault) => fault.kind === 'repeat-records');
  const losses: Loss[] = [];
  const lose = (lost: Pick<Loss, 'relation' | 'line'> & LostPart): void => {
    losses.push({ phase: 'export', project: fullPath(project), ...lost, reason: 'fault', listed: false });
  };
  const relations = new Map(content.relations);
  const concerned = [...recordFaults, ...repeats].map((fault) =>
    fault.kind === 'drop-diffs' ? 'merge_requests' : fault.relation,
  );
  for (const relation of new Set(concerned)) {
    const bytes = relations.get(relation);
    if (bytes === undefined || singleRecordRelations.has(relation)) continue;
    const loseOf: Lose = (line, part) => {
      lose({ relation, line, ...part });
    };
    const kept = shortened(relation, linesOf(bytes), recordFaults, loseOf);
    const own = repeats.filter((fault) => fault.relation === relation);
    const texts = repeated(kept, own, loseOf);
    relations.set(relation, Buffer.from(texts.map((text) => `${text}\n`).join('')));
  }
  const withRelations = { ...content, relations };
  const parts = await applyContentFaults(withRelations, contentFaultsIn(faults), project.defaultBranch, path);
  for (const part of parts.lost) lose({ ...part, line: null });
  return { content: parts.content, losses };
}

interface Line {
  /** Zero-based line in the original file. */
  line: number;
  text: string;
}
type Lose = (line: number, part: LostPart) => void;

function shortened(
  relation: string,
  lines: readonly string[],
  faults: readonly RecordFault[],
  lose: Lose,
): Line[] {
  const losing = new RecordLosses(relation, lines.length, faults);
  return lines.flatMap((text, line): Line[] => {
    const record = JSON.parse(text) as JsonRecord;
    if (losing.isDropped(line)) {
      lose(line, { part: 'record', name: nameOf(record) });
      return [];
    }
    const shorter = losing.dropParts(record);
    for (const part of shorter.lost) lose(line, part);
    return [{ line, text: shorter.record === record ? text : JSON.stringify(shorter.record) }];
  });
}

/** Repeats the first records, after the last records or instead of them. */
function repeated(lines: readonly Line[], faults: readonly RepeatFault[], lose: Lose): string[] {
  let texts = lines.map(({ text }) => text);
  for (const { count, instead } of faults) {
    const copies = texts.slice(0, count);
    if (instead !== true) texts.push(...copies);
    else {
      for (const { line, text } of lines.slice(-copies.length)) {
        lose(line, { part: 'record', name: nameOf(JSON.parse(text)) });
      }
      texts = [...texts.slice(0, -copies.length), ...copies];
    }
  }
  return texts;
}
