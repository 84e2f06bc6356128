/**
 * @file Who may use a serving process: whoever opened a link that it printed. A link is exchanged once for the cookie of a
 * session, which lasts as long as the process. Secrets are kept as hashes and compared in constant time.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { GivenPaths } from '../../bridge/archives/given-paths.ts';
import type { Clock } from '../../platform/clock.ts';

const secretBytes = 32;
const maxSessions = 100;
const maxLinks = 10;

/** Of one browser that was let in. */
export interface Session {
  /** Those of the files that it sent. */
  readonly paths: GivenPaths;
}

export interface Access {
  /** The secret of a new link. Without `validForMs` it is good until it is used or ten others were made after it. */
  newLink(validForMs?: number): string;
  /** The value of a `Set-Cookie` header for the secret of a link, once; null for anything else. */
  redeem(secret: string): string | null;
  /** The session that a `Cookie` header carries; null where it is none of ours. */
  sessionOf(cookieHeader: string | undefined): Session | null;
}

export function createAccess(clock: Pick<Clock, 'monotonic'>): Access {
  // Cookies are shared by all ports of a host, so each process names its own.
  const cookieName = `packhorse-${randomBytes(6).toString('hex')}`;
  let links: { hash: Buffer; until: number }[] = [];
  const sessions: (Session & { hash: Buffer })[] = [];

  return {
    newLink(validForMs = Infinity) {
      const secret = newSecret();
      links = [...links, { hash: hashOf(secret), until: clock.monotonic() + validForMs }].slice(-maxLinks);
      return secret;
    },
    redeem(secret) {
      const offered = hashOf(secret);
      const now = clock.monotonic();
      const [used] = links.filter(({ hash, until }) => timingSafeEqual(hash, offered) && now <= until);
      if (used === undefined) return null;
      links = links.filter((link) => link !== used);
      const secretOfSession = newSecret();
      sessions.push({ hash: hashOf(secretOfSession), paths: new GivenPaths() });
      if (sessions.length > maxSessions) sessions.shift();
      return `${cookieName}=${secretOfSession}; Path=/; HttpOnly; SameSite=Strict`;
    },
    sessionOf(cookieHeader) {
      const offered = (cookieHeader ?? '')
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${cookieName}=`))
        .map((pair) => hashOf(pair.slice(cookieName.length + 1)));
      let found: Session | null = null;
      for (const hash of offered) {
        for (const session of sessions) if (timingSafeEqual(hash, session.hash)) found = session;
      }
      return found;
    },
  };
}

const newSecret = (): string => randomBytes(secretBytes).toString('base64url');

/** Hashes have equal length whatever was offered, as `timingSafeEqual` demands. */
const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
