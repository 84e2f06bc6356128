/**
 * @file Runs the programs before and after the runs of plans, and sends heartbeats. Heartbeat addresses are in the
 * keychain.
 */
import { AppError } from '../../../src-contract/errors.ts';
import { parseHeartbeatUrl, sendHeartbeat } from '../../gitlab/heartbeat.ts';
import type { RunProgram } from '../../jobs/plans/hook-programs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { KeychainEntries } from '../../platform/credentials-keychain.ts';
import { runProgram } from '../../platform/program.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Environment variables of Packhorse that programs get in addition to their own. Other variables may contain tokens.
 */
const inheritedNames = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'],
  ...['Path', 'SystemRoot', 'TEMP', 'TMP', 'USERPROFILE'],
];
const defaultPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Returns a function that runs programs. They get only the variables in `inheritedNames` and their own. */
export function programRunner(env: Environment, clock: Clock): RunProgram {
  const inherited = Object.fromEntries(
    inheritedNames.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const base = process.platform === 'win32' ? inherited : { PATH: defaultPath, ...inherited };
  return ({ input: variables, ...call }, signal) =>
    runProgram({ ...call, environment: { ...base, ...variables } }, clock, signal);
}

export type Heartbeats = ReturnType<typeof createHeartbeats>;

/** Instance names have no spaces, so this name cannot collide with one. */
const accountOf = (planId: string): string => `heartbeat ${planId}`;

/** @param proxy returns the address of the proxy, read for each request; null for none. */
export function createHeartbeats(keychain: KeychainEntries, proxy: () => string | null, clock: Clock) {
  const markErrors = async <Value>(work: Promise<Value>): Promise<Value> => {
    try {
      return await work;
    } catch (thrown) {
      throw AppError.from(thrown).withDetails({ heartbeat: true });
    }
  };
  return {
    /** Throws `invalid-input` if the address cannot be a heartbeat address. */
    check(address: string) {
      parseHeartbeatUrl(address);
    },
    /**
     * Stores the address for a plan. @returns the part that is not secret. Throws `invalid-input` and the keychain's
     * errors.
     */
    async storeAddress(planId: string, address: string) {
      const { url, origin } = parseHeartbeatUrl(address);
      await markErrors(keychain.write(accountOf(planId), url.href));
      return { origin };
    },
    async forget(planId: string) {
      await markErrors(keychain.remove(accountOf(planId)));
    },
    /** Sends a heartbeat. Errors contain only the origin of the address. */
    async send(planId: string, signal: AbortSignal) {
      const address = await markErrors(keychain.read(accountOf(planId)));
      if (address === null)
        throw new AppError('not-found', 'The address of the heartbeat is not in the keychain.');
      await sendHeartbeat(address, proxy(), clock, signal);
    },
  };
}
