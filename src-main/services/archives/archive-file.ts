/** @file Reads an export archive that is just a file: no store, no catalogue, no data folder. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Finding, Inspection, Manifest } from '../../../src-contract/archives/archive.ts';
import { manifestSchema } from '../../../src-contract/archives/archive-schema.ts';
import { finding, verdictOf } from '../../archive/findings.ts';
import { inspectFile, type InspectFileOptions } from '../../archive/inspect.ts';
import { manifestSuffix } from '../../archive/names.ts';

/** Reads the file to its end. With a manifest next to it, the result includes the comparison with its source and its bytes. */
export async function inspectArchiveFile(path: string, options: InspectFileOptions): Promise<Inspection> {
  const inspection = await inspectFile(path, options);
  const findings = [
    ...inspection.findings,
    ...manifestFindings(path, inspection.sha256, await readManifest(path)),
  ];
  return { ...inspection, verdict: verdictOf(findings), findings };
}

function manifestFindings(path: string, sha256: string, manifest: Manifest | null): Finding[] {
  if (manifest?.sha256 === sha256) return manifest.findings;
  if (manifest?.file !== basename(path)) return [];
  const message = `It was changed after it was stored: it hashes to ${sha256}, its manifest says ${manifest.sha256}.`;
  return [finding('content-changed', message)];
}

/** Returns the manifest next to the file, as where a store was copied; null where none is of that SHA-256. */
export async function manifestBeside(path: string, sha256: string): Promise<Manifest | null> {
  const manifest = await readManifest(path);
  return manifest?.sha256 === sha256 ? manifest : null;
}

async function readManifest(path: string): Promise<Manifest | null> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(path + manifestSuffix, 'utf8')));
  } catch {
    // Most files have no manifest, and an unreadable neighbour must not stop the reading of a file.
    return null;
  }
}
