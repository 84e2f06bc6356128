/** @file The one sentence that answers "is everything backed up?", and the facts under it. Pure. */
import type { Overview } from '../../../src-preload/contract/overview.ts';
import { standings, type Standing } from '../../../src-preload/contract/projects/project.ts';
import { overviewText } from '../../text/frame/overview.ts';
import type { Tone } from '../../ui/feedback/tones.ts';

export interface Headline {
  tone: Tone;
  sentence: string;
  facts: string[];
}

/** Projects of all instances by standing. */
export function totalStandings(overview: Overview): Record<Standing, number> {
  const total = Object.fromEntries(standings.map((standing) => [standing, 0])) as Record<Standing, number>;
  for (const instance of overview.instances) {
    for (const standing of standings) total[standing] += instance.standings[standing];
  }
  return total;
}

export function headlineOf(overview: Overview): Headline {
  const words = overviewText.headline;
  const total = totalStandings(overview);
  const broken = total.absent + total.damaged + total.incomplete + total.failed;
  const backedUp = total.current + total.changed;
  const counted = broken + total.never + backedUp;
  const unlisted = overview.instances
    .filter(({ refreshedAt }) => refreshedAt === null)
    .map(({ name }) => name);
  const facts = factsOf(overview, total, counted > 0 ? unlisted : []);

  const { absent } = overview.archives;
  // Before anything else: without them nothing below is known to be so.
  if (absent > 0) return { tone: 'bad', sentence: words.absent(absent), facts };
  if (overview.instances.length === 0) return { tone: 'info', sentence: words.noInstances, facts };
  if (unlisted.length === overview.instances.length) return { tone: 'info', sentence: words.noLists, facts };
  if (counted === 0) return { tone: 'info', sentence: words.noProjects, facts };
  if (broken > 0) return { tone: 'bad', sentence: words.attention(broken + total.never), facts };
  if (backedUp === 0) return { tone: 'warn', sentence: words.neverAll(counted), facts };
  if (total.never > 0) return { tone: 'warn', sentence: words.attention(total.never), facts };
  return { tone: 'good', sentence: words.allCurrent(counted), facts };
}

function factsOf(overview: Overview, total: Record<Standing, number>, unlisted: string[]): string[] {
  const words = overviewText.facts;
  const things = overview.attention.length + overview.moreAttention;
  return [
    ...(total.changed > 0 ? [words.changed(total.changed)] : []),
    ...(total['not-allowed'] > 0 ? [words.notAllowed(total['not-allowed'])] : []),
    ...(unlisted.length > 0 ? [words.listsMissing(unlisted.join(', '))] : []),
    things > 0 ? words.things(things) : words.allWell,
  ];
}
