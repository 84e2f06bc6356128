/**
 * @file Decides which browsers may use the server: those that opened a link that the server printed. A link is
 * exchanged once for a session cookie. A session lasts as long as the process. Secrets are stored as hashes and
 * compared in constant time.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { GrantedPaths } from '../../bridge/archives/granted-paths.ts';
import type { Clock } from '../../platform/clock.ts';

const secretBytes = 32;
const maxSessions = 100;
const maxLinks = 10;

export interface Session {
  readonly grantedPaths: GrantedPaths;
}

export interface Access {
  /**
   * Returns the secret of a new link. The secret expires after `validForMs` milliseconds, when it is used, or when ten
   * newer secrets exist.
   */
  newLinkSecret(validForMs?: number): string;
  /**
   * Exchanges the secret of a link for a session, once. Returns the value of the `Set-Cookie` header, or null if the
   * secret is not valid.
   */
  redeem(secret: string): string | null;
  sessionOf(cookieHeader: string | undefined): Session | null;
}

export function createAccess(clock: Pick<Clock, 'monotonic'>): Access {
  // All ports of a host share their cookies, so each process uses its own cookie name.
  const cookieName = `packhorse-${randomBytes(6).toString('hex')}`;
  let links: { hash: Buffer; until: number }[] = [];
  const sessions: (Session & { hash: Buffer })[] = [];

  return {
    newLinkSecret(validForMs = Infinity) {
      const secret = newSecret();
      links = [...links, { hash: hashOf(secret), until: clock.monotonic() + validForMs }].slice(-maxLinks);
      return secret;
    },
    redeem(secret) {
      const offeredHash = hashOf(secret);
      const now = clock.monotonic();
      const [usedLink] = links.filter(
        ({ hash, until: expiresAt }) => timingSafeEqual(hash, offeredHash) && now <= expiresAt,
      );
      if (usedLink === undefined) return null;
      links = links.filter((link) => link !== usedLink);
      const secretOfSession = newSecret();
      sessions.push({ hash: hashOf(secretOfSession), grantedPaths: new GrantedPaths() });
      if (sessions.length > maxSessions) sessions.shift();
      return `${cookieName}=${secretOfSession}; Path=/; HttpOnly; SameSite=Strict`;
    },
    sessionOf(cookieHeader) {
      const offeredHashes = (cookieHeader ?? '')
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${cookieName}=`))
        .map((pair) => hashOf(pair.slice(cookieName.length + 1)));
      let found: Session | null = null;
      for (const hash of offeredHashes) {
        for (const session of sessions) if (timingSafeEqual(hash, session.hash)) found = session;
      }
      return found;
    },
  };
}

const newSecret = (): string => randomBytes(secretBytes).toString('base64url');

/** `timingSafeEqual` requires equal lengths, which hashes have. */
const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
