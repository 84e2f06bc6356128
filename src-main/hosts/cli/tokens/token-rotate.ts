/**
 * @file `packhorse token rotate` for a token that the user stores: the new token is written to a file or to the screen,
 * and nowhere else.
 */
import { requestConfirmation } from '../terminal/confirm.ts';
import { followTokenJob } from './token-follow.ts';
import { makeTokenFile } from './new-token-file.ts';
import { resolveUserPath } from '../../../platform/paths.ts';
import type { Session } from '../running/session.ts';
import type { ExitCode } from '../terminal/terminal.ts';
import type { InstanceOptions } from '../running/app-command.ts';
import { usageError } from '../terminal/options.ts';

export interface RotateOptions extends InstanceOptions {
  spare?: boolean;
  expiresOn?: string;
  toFile?: string;
  show?: boolean;
  yes?: boolean;
}

/** Throws `invalid-input` for options that give no destination for the new token, or two. */
export function assertOneDestination(id: number | undefined, { spare, toFile, show }: RotateOptions): void {
  if (toFile !== undefined && show === true) throw usageError('Give either --to-file or --show, not both.');
  const isHandedOver = toFile !== undefined || show === true;
  if (spare === true && (id !== undefined || isHandedOver)) {
    throw usageError(
      'With --spare the new token goes to the keychain: leave out the id, --to-file and --show.',
    );
  }
  if (id !== undefined && !isHandedOver) {
    throw usageError('The new token is shown only once. Choose where it goes with --to-file FILE or --show.');
  }
}

/**
 * Asks for confirmation, because GitLab revokes the old token at once. Creates the file for the new token before the
 * request is sent.
 */
export async function rotateAndHandOver(
  session: Session,
  id: number | null,
  options: RotateOptions,
): Promise<ExitCode> {
  const { app, client, terminal } = session;
  const { instance, expiresOn = null, toFile } = options;
  if (toFile === undefined && !terminal.hasTTY) {
    throw usageError('There is no screen to show the new token on: use --to-file.');
  }
  const file = toFile === undefined ? null : await makeTokenFile(resolveUserPath(toFile));
  const clearRecipient = app.tokenRecipient.set(async ({ id: newId, name, token }) => {
    if (file !== null) await file.write(token);
    else
      terminal.showSecret(`The new token "${name}" (id ${newId}), shown only once:\n\n  ${token.reveal()}\n`);
  });
  try {
    const tokenId = id === null ? null : String(id);
    terminal.note(
      'GitLab revokes the old token at once, and the new token is shown only once. Programs that use the old token need the new one.',
    );
    const request = { action: 'token.rotate', instance, project: tokenId } as const;
    const confirmation = await requestConfirmation(session, request, options);
    const started = await client.call('token.handOver', { instance, id, expiresOn, confirmation });
    const exit = await followTokenJob(session, started);
    if (file !== null) terminal.note(`The new token is in ${file.path}.`);
    if (id === null) {
      terminal.note(
        'From now on, pass the new token with --token-file or the environment, or store it with "packhorse instance set-token".',
      );
    }
    return exit;
  } finally {
    clearRecipient();
    await file?.close();
  }
}
