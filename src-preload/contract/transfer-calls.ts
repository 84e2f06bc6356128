/** @file Calls about exports and imports beyond backups. */
import { findingSchema, verdicts } from './archive.ts';
import { z } from './schema.ts';

/** Full path or id. */
const onProject = { instance: z.string(), project: z.string() };

export const transferCalls = {
  /** The account's own export of the project; `project` is its full path, `state` GitLab's own word. */
  'export.status': {
    request: z.object(onProject),
    reply: z.object({ project: z.string(), state: z.string() }),
  },
  /**
   * Downloads the account's finished export, reading it to its end on the way, to `to`: a folder that exists, or a file. Null: the
   * folder for downloads. Nothing is ever replaced, and nothing unusable kept (`archive-corrupt`). Tells progress.
   */
  'export.download': {
    request: z.object({ ...onProject, to: z.string().nullable() }),
    reply: z.object({
      path: z.string(),
      sizeBytes: z.number(),
      sha256: z.string(),
      verdict: z.enum(verdicts),
      findings: z.array(findingSchema),
    }),
  },
} as const;
