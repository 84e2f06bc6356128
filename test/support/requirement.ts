/**
 * @file Requirements of tests on the machine. A missing part skips the tests that need it, and is reported with the way
 * to enable them. With `PACKHORSE_REQUIRE_ALL=1` it is a failure, so that no test is skipped unnoticed.
 */
import { appendFileSync } from 'node:fs';

/**
 * Returns whether `name` is missing, for `test.skipIf(…)` and `describe.skipIf(…)`. A skip is written as one line of
 * JSON (`{"name", "howToEnable"}`) to the file that `PACKHORSE_SKIPS_FILE` names.
 */
export function requirement(name: string, available: boolean, howToEnable: string): boolean {
  if (available) return false;
  if (process.env['PACKHORSE_REQUIRE_ALL'] === '1') {
    throw new Error(`${name} is required here and missing; to enable it: ${howToEnable}`);
  }
  return skip(name, howToEnable);
}

/** Reports a missing requirement, without which some tests are skipped; always returns true. */
export function skip(name: string, howToEnable: string): true {
  const file = process.env['PACKHORSE_SKIPS_FILE'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ name, howToEnable })}\n`);
  return true;
}
