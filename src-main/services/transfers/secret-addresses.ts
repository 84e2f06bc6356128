/**
 * @file Handles secret addresses, such as presigned URLs. Only the plain part is stored; the full address is in memory
 * only.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { StoredJob } from '../../../src-contract/runs/job.ts';
import { z } from '../../../src-contract/schema.ts';
import type { Lease } from '../../catalogue/lease.ts';
import type { Secrets } from '../../platform/secrets.ts';

/** Shorter parts of an address are ordinary words, not secrets. */
const minLength = 12;

/**
 * Returns the address without name and password, query and fragment. Throws `invalid-input` for text that is not an
 * http or https address.
 */
export function stripUrlSecrets(address: string): string {
  const url = URL.parse(address.trim());
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new AppError('invalid-input', 'This is not a web address (https://…).');
  }
  return `${url.origin}${url.pathname}`;
}

const keyedSchema = z.object({ secret: z.string() });
const sourceSchema = z.object({ source: keyedSchema });

export class SecretAddresses {
  readonly #secrets: Secrets;
  readonly #lease: Pick<Lease, 'isHeldByAnother'>;

  constructor(secrets: Secrets, lease: Pick<Lease, 'isHeldByAnother'>) {
    this.#secrets = secrets;
    this.#lease = lease;
  }

  /**
   * @returns the key of the address in memory. Throws `jobs-elsewhere` if another process would run the job that needs
   * the address.
   */
  store(address: string, key?: string): string {
    // The process that runs the job needs the address, and only the current process knows the address.
    if (this.#lease.isHeldByAnother()) {
      throw new AppError(
        'jobs-elsewhere',
        'Another process runs the jobs of this data folder, and secret addresses are not passed to it.',
      );
    }
    const url = URL.parse(address);
    const values = url === null ? [] : [...url.searchParams.values()];
    const parts = [
      url?.search.slice(1) ?? '',
      url?.password ?? '',
      ...values,
      ...values.map(encodeURIComponent),
    ];
    return this.#secrets.store(
      address,
      parts.filter((part) => part.length >= minLength),
      key,
    );
  }

  /**
   * If the request joined an open job, stores the secret under that job's key. The process that held the job's own
   * secret may have ended. Throws `secret-lost`.
   */
  storeUnderKeyOf(job: StoredJob, requestKey: string | null): void {
    if (requestKey === null) return;
    const jobKey =
      keyedSchema.safeParse(job.input).data?.secret ?? sourceSchema.safeParse(job.input).data?.source.secret;
    if (jobKey !== undefined && jobKey !== requestKey) this.store(this.#secrets.reveal(requestKey), jobKey);
  }
}
