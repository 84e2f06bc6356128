/** @file Writes docs/performance.md from the measurements of the benches, with a section for each bench. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { format, resolveConfig } from 'prettier';
import { systemClock } from '../../src-main/platform/clock.ts';
import type { Report, Row } from './measuring.ts';

export interface Measurement {
  /** The name that `npm run bench` accepts. */
  name: string;
  quiet: Report;
  /** Measured with a neighbour that keeps one core busy; null if only counts are measured. */
  beside: Report | null;
}

const page = new URL('../../docs/performance.md', import.meta.url);
const cell = (text: string): string => text.replaceAll('|', '\\|');

function machine(): string {
  const [processor] = cpus();
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  return `${type()} ${release()}, ${availableParallelism()} × ${processor?.model ?? 'unknown processor'}, ${gigabytes} GB of memory`;
}

function line(row: Row, beside: Row | undefined): string {
  const result = ({ measured, isReached }: Row): string => `${measured}${isReached ? '' : ' **missed**'}`;
  const columns = [
    row.goal,
    row.what,
    row.goalValue,
    result(row),
    beside === undefined ? '–' : result(beside),
  ];
  return `| ${columns.map(cell).join(' | ')} |`;
}

function section({ name, quiet, beside }: Measurement): string {
  return [
    `## ${name}`,
    '',
    `${quiet.title}.`,
    '',
    '| Goal | What | Wanted | Quiet | With a neighbour |',
    '| --- | --- | --- | --- | --- |',
    ...quiet.rows.map((row, at) => line(row, beside?.rows[at])),
    '',
    [...quiet.versions, `Packhorse ${packhorseVersion()}`, today(), machine()].join(' · '),
    '',
  ].join('\n');
}

function packhorseVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

const today = (): string => new Date(systemClock.now()).toISOString().slice(0, 10);

/** Returns the present sections by name, each with its heading. */
function readSections(): Map<string, string> {
  const text = existsSync(page) ? readFileSync(page, 'utf8') : '';
  const sections = text.split(/^(?=## )/m).slice(1);
  return new Map(sections.map((each) => [/^## (.*)$/m.exec(each)?.[1] ?? '', each]));
}

function head(): string {
  return [
    '# Performance',
    '',
    '`npm run bench -- all` wrote this page; nothing in it is written by hand. Both sides of a ratio take turns in one run: a ratio',
    'is the median of the rounds, with the lowest and the highest in parentheses. The neighbour is a process that keeps one core busy.',
    'Everything runs on loopback; on a real network the network dominates. Each section ends with its versions, date and machine.',
    '',
  ].join('\n');
}

export function deletePage(): void {
  rmSync(page, { force: true });
}

/** Replaces a section of the page and formats the page as the checks require. The other sections stay. */
export async function replaceSection(measurement: Measurement): Promise<void> {
  const sections = readSections();
  sections.set(measurement.name, section(measurement));
  const inOrder = [...sections].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  const text = [head(), ...inOrder].join('\n');
  writeFileSync(page, await format(text, { ...(await resolveConfig(page)), parser: 'markdown' }));
}
