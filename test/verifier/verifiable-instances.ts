/** @file The sandboxes that the independent verifier can read, by their addresses. */
import { readFileSync } from 'node:fs';
import type { Settings } from '../../src-main/platform/settings.ts';
import { createDataPaths } from '../../src-main/platform/paths.ts';
import type { VerifiedInstance } from './run-verifier.ts';

const verifiable = new Map<string, VerifiedInstance>();

/** Makes a sandbox known by its address, so that comparisons of its projects can be verified. */
export function addVerifiable({ url, tokens }: VerifiedInstance): void {
  verifiable.set(url, { url, tokens });
}

/**
 * Returns a function that finds the sandbox of an instance, by the name in the settings of the data folder or by its
 * address. The function throws if no sandbox is known there.
 */
export function verifiableInstances(dataDir: string): (instance: string) => VerifiedInstance {
  const { instances } = JSON.parse(readFileSync(createDataPaths(dataDir).settings, 'utf8')) as Settings;
  return (instance) => {
    const url = instances.find(({ name }) => name === instance)?.url ?? instance;
    const found = verifiable.get(url);
    if (found === undefined)
      throw new Error(`A comparison cannot be verified, because no sandbox is known at ${url}.`);
    return found;
  };
}
