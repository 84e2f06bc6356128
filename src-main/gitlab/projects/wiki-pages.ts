/** @file Reads the pages of a project's wiki, to compare a migration's result. */
import { createHash } from 'node:crypto';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { valueOnError } from '../http/value-on-error.ts';
import { projectPath } from './project-wire.ts';
import { nullIfDenied } from './relation-lists.ts';

const pagesWire = z.array(
  z.object({ slug: z.string(), format: z.string().nullish(), content: z.string().nullish() }),
);

/**
 * `GET /projects/:id/wikis?with_content=true`, any reader, 200, 403, 404: all pages in one reply. Returns null if they may
 * not be read. The digest is null if the reply with all contents is too large.
 */
export async function readWikiPages(
  client: InstanceClient,
  projectId: number,
  { signal }: Cancellable = {},
): Promise<{ slug: string; sha256: string | null }[] | null> {
  const read = (query: Record<string, boolean>) =>
    nullIfDenied(
      client.getJson(`${projectPath(projectId)}/wikis`, pagesWire, {
        ...{ query, signal, details: { project: projectId } },
      }),
    );
  const complete = await valueOnError(
    { 'response-too-large': 'too-large' as const },
    read({ with_content: true }),
  );
  const response = complete === 'too-large' ? await read({}) : complete;
  return (
    response?.data.map(({ slug, format, content }) => ({
      slug,
      sha256: typeof content === 'string' ? digestOf(`${format ?? ''}\n${content}`) : null,
    })) ?? null
  );
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
