/** @file The options for how long archives are kept: one for each limit. */
import type { OptionDeclaration } from '../../options.ts';
import { boundsOf, mapLimits, unitOf, type RetentionLimit } from '../retention-periods.ts';

type LimitOption = Extract<OptionDeclaration, { kind: 'number' }>;

/** `--keep all` removes every limit, not only its own. */
export const retentionOptions: Readonly<Record<RetentionLimit, LimitOption>> = mapLimits(declare);

function declare(limit: RetentionLimit): LimitOption {
  const common = { kind: 'number', bounds: boundsOf(limit), removalWord: 'none' } as const;
  if (limit === 'keepLast') {
    const help = 'newest archives to keep of each project, or "all"';
    return { ...common, flag: 'keep', placeholder: 'count', help, removalWord: 'all' };
  }
  if (limit === 'withinDays') {
    const help = 'also keep all archives of the given number of days; "none" removes this limit';
    return { ...common, flag: 'keep-days', placeholder: 'days', help };
  }
  const unit = unitOf(limit);
  const help = `also keep one archive per ${unit}, for this many ${unit}s`;
  return { ...common, flag: `keep-${limit}`, placeholder: 'count', help };
}
