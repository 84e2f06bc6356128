/** @file Runs benches at their smallest size, at which their measurements mean nothing. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtProduct } from './product-build.ts';

const repository = join(import.meta.dirname, '../../..');

/** The end of the report of every bench. */
export const benchVerdict = /: (reached|MISSED)/;

/** Runs a bench and returns its output. A missed goal is allowed; any other error throws with the output of the bench. */
export async function runBench(name: string): Promise<string> {
  const product = await builtProduct();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(repository, 'test/bench/bench.ts'), name, '--smallest'],
    { cwd: repository, env: { ...process.env, PACKHORSE_BENCH_OUT: join(product, 'out') } },
  ).catch((error: unknown) => {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    // A bench that misses its goal still prints a complete report.
    if (/goal .*: (reached|MISSED)/.test(stdout)) return { stdout };
    throw new Error(`${stdout}\n${stderr}`);
  });
  return stdout;
}
