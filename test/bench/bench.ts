/** @file `npm run bench [-- NAME…]`: measures side by side with other tools and prints what of the goals is reached. */
import type { Report } from './measuring.ts';

const benches: Record<string, () => Promise<{ run(): Promise<Report> }>> = {
  catalogue: () => import('./catalogue.ts'),
  download: () => import('./download.ts'),
  idle: () => import('./idle.ts'),
  inspect: () => import('./inspect-archive.ts'),
  listing: () => import('./listing.ts'),
  plan: () => import('./plan.ts'),
  rotation: () => import('./rotation.ts'),
  upload: () => import('./upload.ts'),
  ui: () => import('./window.ts'),
};

const asked = process.argv.slice(2);
const names = asked.length === 0 ? Object.keys(benches) : asked;
for (const name of names) {
  const bench = benches[name];
  if (bench === undefined) {
    process.stderr.write(`There is no bench "${name}"; there are: ${Object.keys(benches).join(', ')}.\n`);
    process.exitCode = 2;
    break;
  }
  const { title, rows, rounds, versions } = await (await bench()).run();
  process.stdout.write(`${title}\n${versions.join(' · ')}\n\n`);
  for (const row of rows) {
    const verdict = row.reached ? 'reached' : 'MISSED';
    process.stdout.write(`  ${row.goal}  ${row.what}: ${row.measured}; goal ${row.wanted}: ${verdict}\n`);
  }
  process.stdout.write(`\n${rounds.map((round) => `  ${round}`).join('\n')}\n\n`);
}
