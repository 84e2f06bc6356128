/**
 * @file Keeps the machine from falling asleep by itself while archives travel. What cannot be had is done without: nobody
 * waits for it, and nothing fails over it.
 */
import { spawn } from 'node:child_process';

export interface Power {
  /** The machine stays awake until the returned function is called, which may be called twice. */
  keepAwake(): () => void;
}

/** The machine sleeps when it likes. */
export const noPower: Power = { keepAwake: () => () => undefined };

/** Starts to keep it awake once, however many want it, and stops when the last one does not any more. */
export function sharedPower(start: () => () => void): Power {
  let holders = 0;
  let stop: () => void = () => undefined;
  return {
    keepAwake() {
      if (holders === 0) stop = start();
      holders += 1;
      let holds = true;
      return () => {
        if (!holds) return;
        holds = false;
        holders -= 1;
        if (holders === 0) stop();
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
): Power {
  const command = commands[platform];
  if (command === undefined) return noPower;
  const [program, ...given] = command;
  return sharedPower(() => {
    const child = spawn(program, given, { env: { PATH: env['PATH'] }, stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', () => undefined);
    child.stdin.on('error', () => undefined);
    child.unref();
    return () => {
      child.stdin.end();
      child.kill();
    };
  });
}
