/** @file Reads an export archive as a plain file, without store, catalogue or data folder. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Finding, Inspection, Manifest } from '../../../src-contract/archives/archive.ts';
import { manifestSchema } from '../../../src-contract/archives/archive-schema.ts';
import { finding, verdictOf } from '../../archive/findings.ts';
import { inspectFile, type InspectFileOptions } from '../../archive/inspect.ts';
import { manifestSuffix } from '../../archive/names.ts';

/**
 * Reads the whole file. If a manifest is next to it, the findings include the comparisons with the source and with the
 * stored hash.
 */
export async function inspectArchiveFile(path: string, options: InspectFileOptions): Promise<Inspection> {
  const inspection = await inspectFile(path, options);
  const findings = [
    ...inspection.findings,
    ...manifestFindings(path, inspection.sha256, await readManifestBeside(path)),
  ];
  return { ...inspection, verdict: verdictOf(findings), findings };
}

function manifestFindings(path: string, sha256: string, manifest: Manifest | null): Finding[] {
  if (manifest?.sha256 === sha256) return manifest.findings;
  if (manifest?.file !== basename(path)) return [];
  const message = `The archive was changed after it was stored: its SHA-256 is ${sha256}, but the manifest says ${manifest.sha256}.`;
  return [finding('content-changed', message)];
}

/** Returns the manifest next to the file, for example in a copied store; null if there is none with this SHA-256. */
export async function manifestBeside(path: string, sha256: string): Promise<Manifest | null> {
  const manifest = await readManifestBeside(path);
  return manifest?.sha256 === sha256 ? manifest : null;
}

/** Returns the manifest next to the file; null if there is none that can be read. */
export async function readManifestBeside(path: string): Promise<Manifest | null> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(path + manifestSuffix, 'utf8')));
  } catch {
    // Most files have no manifest, and an unreadable manifest must not prevent reading the archive.
    return null;
  }
}
