/** @file Returns the SHA-256 of a file that is downloaded and not stored. */
import { createHash } from 'node:crypto';
import type { DownloadSink } from '../../../../jobs/ports.ts';

/** A download that received nothing after so many resumes fails. */
const maxEmptyResumes = 3;

export async function digestOfDownload(download: (sink: DownloadSink) => Promise<void>): Promise<string> {
  let hash = createHash('sha256');
  await download({
    onStart: () => {
      hash = createHash('sha256');
    },
    onChunk: (chunk) => {
      hash.update(chunk);
      return Promise.resolve();
    },
    beforeResume: ({ emptyResumes, error }) => {
      return emptyResumes > maxEmptyResumes ? Promise.reject(error) : Promise.resolve();
    },
  });
  return hash.digest('hex');
}
