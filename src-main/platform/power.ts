/**
 * @file Keeps the machine from falling asleep by itself while archives travel. What cannot be had is done without: nobody
 * waits for it, and nothing fails over it.
 */
import { spawn } from 'node:child_process';
import { systemClock, type Clock } from './clock.ts';

export interface Power {
  /** The machine stays awake until the returned function is called, which may be called twice. */
  keepAwake(): () => void;
}

/** The machine sleeps when it likes. */
export const noPower: Power = { keepAwake: () => () => undefined };

/** The jobs of a run transfer one after the other, with short pauses between: it is not let sleep in those. */
const lingerMs = 10_000;

/** Starts to keep it awake once, however many want it, and stops some seconds after the last one does not any more. */
export function sharedPower(start: () => () => void, clock: Clock = systemClock): Power {
  let holders = 0;
  let stop: (() => void) | null = null;
  let stay: () => void = () => undefined;
  return {
    keepAwake() {
      stay();
      stop ??= start();
      holders += 1;
      let holds = true;
      return () => {
        if (!holds) return;
        holds = false;
        holders -= 1;
        if (holders > 0) return;
        stay = clock.timer(lingerMs, () => {
          stop?.();
          stop = null;
        });
      };
    },
  };
}

/** Commands that keep it awake as long as they run. They end with this process, also where it is killed. */
const commands: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['caffeinate', '-i', '-w', String(process.pid)],
  // `cat` ends with the pipe that it reads from.
  linux: [
    'systemd-inhibit',
    '--what=idle:sleep',
    '--who=Packhorse',
    '--why=Archives are being transferred',
    'cat',
  ],
};

/** For hosts without a window, by a command of the system; on Windows there is none. */
export function systemPower(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock = systemClock,
): Power {
  const command = commands[platform];
  if (command === undefined) return noPower;
  const [program, ...given] = command;
  let isThere = true;
  return sharedPower(() => {
    if (!isThere) return () => undefined;
    const child = spawn(program, given, { env: { PATH: env['PATH'] }, stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', () => {
      isThere = false;
    });
    child.stdin.on('error', () => undefined);
    // It must not keep this process from ending, with which it ends.
    child.unref();
    return () => {
      child.stdin.end();
      child.kill();
    };
  }, clock);
}
