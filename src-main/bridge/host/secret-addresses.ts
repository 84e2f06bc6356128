/** @file Addresses that are secrets, as presigned ones: what is stored of them, and what is kept in memory alone. */
import { AppError } from '../../../src-preload/contract/errors.ts';
import type { Job } from '../../../src-preload/contract/job.ts';
import { z } from '../../../src-preload/contract/schema.ts';
import type { Services } from '../../services/services.ts';

/** Shorter parts of an address are words, not secrets. */
const shortest = 12;

/** What may be stored and shown: without name and password, query and fragment. Throws `invalid-input` for no web address. */
export function plainAddress(address: string): string {
  const url = URL.parse(address.trim());
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new AppError('invalid-input', 'This is no web address (https://…).');
  }
  return `${url.origin}${url.pathname}`;
}

/** @returns the key under which it is kept in memory. */
export function keepSecret(services: Pick<Services, 'secrets'>, address: string, key?: string): string {
  const url = URL.parse(address);
  const values = url === null ? [] : [...url.searchParams.values()];
  const parts = [
    url?.search.slice(1) ?? '',
    url?.password ?? '',
    ...values,
    ...values.map(encodeURIComponent),
  ];
  return services.secrets.keep(
    address,
    parts.filter((part) => part.length >= shortest),
    key,
  );
}

const keyed = z.object({ secret: z.string() });
const fromSource = z.object({ source: keyed });

/** The job may be an open one that was joined, whose own secret went with an earlier process; it gets this one. */
export function keepUnderKeyOf(services: Pick<Services, 'secrets'>, job: Job, ours: string | null): void {
  if (ours === null) return;
  const theirs =
    keyed.safeParse(job.input).data?.secret ?? fromSource.safeParse(job.input).data?.source.secret;
  if (theirs !== undefined && theirs !== ours) keepSecret(services, services.secrets.reveal(ours), theirs);
}
