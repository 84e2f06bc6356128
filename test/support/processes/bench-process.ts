/** @file Runs benches at their smallest size, at which their measurements mean nothing. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtProduct } from './product-build.ts';

const repository = join(import.meta.dirname, '../../..');

/**
 * Runs benches in one process, because loading the product takes as long as a small bench. Resolves with the names of the
 * benches that printed a complete report. A missed goal is allowed; any other error throws with the output of the benches.
 */
export async function runBenches(names: readonly string[]): Promise<string[]> {
  const product = await builtProduct();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(repository, 'test/bench/bench.ts'), ...names, '--smallest'],
    { cwd: repository, env: { ...process.env, PACKHORSE_BENCH_OUT: join(product, 'out') } },
  ).catch((error: unknown) => {
    const { stdout = '', stderr = '', code } = error as { stdout?: string; stderr?: string; code?: unknown };
    // A bench that misses its goal still prints a complete report.
    if (code === 1 && namesOfReports(stdout).length === names.length) return { stdout };
    throw new Error(`${stdout}\n${stderr}`);
  });
  return namesOfReports(stdout);
}

/** Returns the names of the benches, each from the first line of a report that says whether a goal was reached. */
function namesOfReports(output: string): string[] {
  const reports = output.matchAll(/^([a-z-]+): .+\n.+\n\n {2}\S+ {2}.*; goal .*: (?:reached|MISSED)$/gm);
  return [...reports].map(([, name = '']) => name);
}
