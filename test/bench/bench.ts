/**
 * @file `npm run bench [-- NAME [COUNT]…]`: measures side by side with other tools and prints what of the goals is reached. A
 * count is for benches that repeat something so often.
 */
import type { Report } from './measuring.ts';

const benches: Record<string, () => Promise<{ run(count?: number): Promise<Report> }>> = {
  archive: () => import('./inspect-archive.ts'),
  catalogue: () => import('./catalogue.ts'),
  download: () => import('./download.ts'),
  'end-to-end': () => import('./end-to-end.ts'),
  idle: () => import('./idle.ts'),
  kill: () => import('./kill.ts'),
  'kill-migration': () => import('./kill-migration.ts'),
  listing: () => import('./listing.ts'),
  loss: () => import('./loss.ts'),
  migration: () => import('./migration.ts'),
  'migration-look': () => import('./migration-look.ts'),
  plan: () => import('./plan.ts'),
  retry: () => import('./retry.ts'),
  rotation: () => import('./rotation.ts'),
  upload: () => import('./upload.ts'),
  ui: () => import('./window.ts'),
};

const asked = process.argv.slice(2);
const isCount = (text: string | undefined): boolean => /^[1-9]\d*$/.test(text ?? '');
const wanted = asked.flatMap((name, at) => {
  if (isCount(name) && at > 0) return [];
  const count = asked[at + 1];
  return [{ name, count: isCount(count) ? Number(count) : undefined }];
});
const all = Object.keys(benches).map((name) => ({ name, count: undefined }));
for (const { name, count } of wanted.length === 0 ? all : wanted) {
  const bench = benches[name];
  if (bench === undefined) {
    process.stderr.write(`There is no bench "${name}"; there are: ${Object.keys(benches).join(', ')}.\n`);
    process.exitCode = 2;
    break;
  }
  const { title, rows, rounds, versions, verdict } = await (await bench()).run(count);
  process.stdout.write(`${title}\n${versions.join(' · ')}\n\n`);
  for (const row of rows) {
    const verdict = row.reached ? 'reached' : 'MISSED';
    process.stdout.write(`  ${row.goal}  ${row.what}: ${row.measured}; goal ${row.wanted}: ${verdict}\n`);
  }
  process.stdout.write(`\n${rounds.map((round) => `  ${round}`).join('\n')}\n\n`);
  if (verdict !== undefined) process.stdout.write(`${verdict.line}\n`);
  if (verdict?.isGood === false) process.exitCode = 1;
}
