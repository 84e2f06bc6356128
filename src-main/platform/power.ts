/** @file Keeps the machine awake during transfers if possible. If it is not possible, nothing waits or fails. */
import { spawn } from 'node:child_process';
import { systemClock, type Clock } from './clock.ts';

export interface Power {
  /** Keeps the machine awake until the returned function is called, which may be called twice. */
  keepAwake(): () => void;
}

export const noopPower: Power = { keepAwake: () => () => undefined };

/** The jobs of a run transfer one after another, with short pauses. The machine must stay awake during those. */
const lingerMs = 10_000;

/** Calls `start` once for all transfers, and stops some seconds after the last transfer has ended. */
export function sharedPower(start: () => () => void, clock: Clock = systemClock): Power {
  let holders = 0;
  let stop: (() => void) | null = null;
  let cancelStop: () => void = () => undefined;
  return {
    keepAwake() {
      cancelStop();
      stop ??= start();
      holders += 1;
      let isHolding = true;
      return () => {
        if (!isHolding) return;
        isHolding = false;
        holders -= 1;
        if (holders > 0) return;
        cancelStop = clock.timer(lingerMs, () => {
          stop?.();
          stop = null;
        });
      };
    },
  };
}

/** Commands that keep the machine awake while they run. They end with this process, even if it is killed. */
const commands: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['caffeinate', '-i', '-w', String(process.pid)],
  // `cat` ends when the pipe of its input closes.
  linux: [
    'systemd-inhibit',
    '--what=idle:sleep',
    '--who=Packhorse',
    '--why=Archives are being transferred',
    'cat',
  ],
};

/** For hosts without a window. Uses a command of the system; Windows has no such command. */
export function systemPower(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock = systemClock,
): Power {
  const command = commands[platform];
  if (command === undefined) return noopPower;
  const [program, ...args] = command;
  let isAvailable = true;
  return sharedPower(() => {
    if (!isAvailable) return () => undefined;
    const child = spawn(program, args, { env: { PATH: env['PATH'] }, stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', () => {
      isAvailable = false;
    });
    child.stdin.on('error', () => undefined);
    // The command ends with this process and must not keep it alive.
    child.unref();
    return () => {
      child.stdin.end();
      child.kill();
    };
  }, clock);
}
