import { beforeEach, expect, test, vi } from 'vitest';
import { tokenClipboard } from '../../../../../src-main/hosts/desktop/window/electron-token-clipboard.ts';
import { Token } from '../../../../../src-main/platform/token.ts';

const electron = vi.hoisted(() => ({
  clipboard: { writeText: vi.fn<(text: string) => Promise<void>>() },
  dialog: { showMessageBox: vi.fn<(...shown: unknown[]) => Promise<unknown>>() },
}));
vi.mock('electron', () => electron);

const newToken = { instance: 'work', id: 31, name: 'laptop', token: new Token('glpat-new-secret') };
beforeEach(() => {
  electron.clipboard.writeText.mockReset().mockResolvedValue();
  electron.dialog.showMessageBox.mockReset().mockResolvedValue({});
});

test('a new token is copied to the clipboard only after the user has agreed, and is never shown', async () => {
  let agree = (): void => undefined;
  electron.dialog.showMessageBox.mockImplementation(
    () =>
      new Promise(
        (resolve) =>
          (agree = () => {
            resolve({});
          }),
      ),
  );
  const copied = tokenClipboard(() => null)(newToken);
  await Promise.resolve();
  expect(electron.clipboard.writeText).not.toHaveBeenCalled();
  expect(JSON.stringify(electron.dialog.showMessageBox.mock.calls)).toContain('laptop');
  expect(JSON.stringify(electron.dialog.showMessageBox.mock.calls)).not.toContain('glpat');
  agree();
  await copied;
  expect(electron.clipboard.writeText.mock.calls).toEqual([['glpat-new-secret']]);
});

test('an error of the clipboard is passed to the caller', async () => {
  electron.clipboard.writeText.mockRejectedValue(new Error('no clipboard'));
  await expect(tokenClipboard(() => null)(newToken)).rejects.toThrow('no clipboard');
});
