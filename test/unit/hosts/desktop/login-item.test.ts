import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  autostartEntry,
  autostartPath,
  setAutostart,
} from '../../../../src-main/hosts/desktop/login-item.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

test.each([
  [{ XDG_CONFIG_HOME: '/cfg' }, '/cfg/autostart/packhorse.desktop'],
  [{ XDG_CONFIG_HOME: 'relative' }, '/home/ada/.config/autostart/packhorse.desktop'],
  [{}, '/home/ada/.config/autostart/packhorse.desktop'],
])('with the environment %o the path of the autostart entry is %s', (env, path) => {
  expect(autostartPath(env, '/home/ada')).toBe(path);
});

describe('the command of an autostart entry is quoted twice: for the command line, then for the file', () => {
  const exec = (command: string[]): string | undefined => /^Exec=(.*)$/m.exec(autostartEntry(command))?.[1];
  test.each([
    ['/opt/Packhorse/packhorse', '"/opt/Packhorse/packhorse" "--hidden"'],
    ['/home/a b/Pack horse', '"/home/a b/Pack horse" "--hidden"'],
    ['/a"b', '"/a\\\\"b" "--hidden"'],
    ['/a$HOME`id`', '"/a\\\\$HOME\\\\`id\\\\`" "--hidden"'],
    ['/a\\b', '"/a\\\\\\\\b" "--hidden"'],
    ['/a%U', '"/a%%U" "--hidden"'],
    ['/a;rm -rf ~', '"/a;rm -rf ~" "--hidden"'],
  ])('%s', (program, expected) => {
    expect(exec([program])).toBe(expected);
  });

  test.each(['/a\nExec=evil', '/a\rb', '/a\0b', '/a\u007f'])('%j is rejected', (program) => {
    expect(() => autostartEntry([program])).toThrow('control characters');
  });

  test('a shell that reads the unquoted command gets the original path', () => {
    const program = '/home/a b/"$x`y\\z;&|';
    const unescaped = (exec([program]) ?? '').replaceAll('\\\\', '\\');
    const printed = execFileSync('/bin/sh', ['-c', `printf '%s|' ${unescaped}`], { encoding: 'utf8' });
    expect(printed).toBe(`${program}|--hidden|`);
  });
});

test('the autostart entry is created, replaced and deleted; deleting it again has no effect', () => {
  const path = join(temporaryFolder(), 'config/autostart/packhorse.desktop');
  setAutostart(true, ['/old/packhorse'], path);
  setAutostart(true, ['/new/packhorse'], path);
  expect(readFileSync(path, 'utf8')).toBe(autostartEntry(['/new/packhorse']));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  setAutostart(false, ['/new/packhorse'], path);
  expect(existsSync(path)).toBe(false);
  setAutostart(false, ['/new/packhorse'], path);
});
