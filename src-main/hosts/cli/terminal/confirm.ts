/** @file Prints what a command will destroy and requires a confirmation: typed on a terminal, elsewhere by `--yes`. */
import { createInterface } from 'node:readline/promises';
import type { CallRequest } from '../../../../src-contract/calls.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import type { DeletionForecast, DestroyedData } from '../../../../src-contract/host.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { relationText } from '../../../../src-contract/words/relations.ts';
import { joinLines, plural, toPrintable } from './format.ts';
import type { Session } from '../running/session.ts';
import { usageError } from './options.ts';

function textOf({ what, name, count }: DestroyedData): string {
  switch (what) {
    case 'token':
      return `the token of "${name}" in the keychain and in memory`;
    case 'project-list':
      return `the list of projects of "${name}"${count === null ? '' : ` (${plural(count, 'project')})`}`;
    case 'plan':
      return `the schedule of "${name}"`;
    case 'project':
      return `the project ${name} with all that is in it`;
    case 'records':
      return `  ${relationText(name)}: ${count ?? 'some'}`;
    case 'access-token':
      return `the token ${name} on the instance; everything that uses it loses access`;
    case 'trash':
      return `everything in the trash folder (${formatBytes(count ?? 0)}), for good`;
  }
}

function deletionText({ delayed, finalOn }: DeletionForecast, permanently: boolean): string {
  if (permanently) return 'It is deleted at once and for good: it cannot be restored.';
  if (delayed === false) return 'It cannot be restored.';
  if (delayed === null) return 'The instance does not report whether the project can be restored afterwards.';
  return `The project is first marked for deletion. With the default deletion delay, it can be restored${finalOn === null ? ' for some days' : ` until ${finalOn}`}.`;
}

/**
 * Resolves if the user types yes, or types `word` if it is given. Throws `invalid-input` without a terminal, else
 * `cancelled`.
 */
export async function confirmInTerminal(session: Session, question: string, word?: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw usageError('There is no terminal to ask for confirmation. Add --yes to confirm.');
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = (await lines.question(question, { signal: session.signal })).trim();
    if (word === undefined ? !/^y(es)?$/i.test(answer) : answer !== word) {
      throw new AppError('cancelled', 'The action was not confirmed.', { details: { unchanged: true } });
    }
  } catch (thrown) {
    if (!session.signal.aborted) throw thrown;
    throw new AppError('interrupted', 'Interrupted.', { details: { unchanged: true } });
  } finally {
    lines.close();
  }
}

/**
 * Returns the confirmation that allows the action. With `requiresPath`, the user must type the project's path. Throws
 * `cancelled`. Throws `invalid-input` without a terminal and without `yes`, and for a permanent deletion of a project
 * that is not marked for deletion.
 */
export async function requestConfirmation(
  session: Session,
  request: CallRequest<'host.confirm'>,
  options: { yes?: boolean; requiresPath?: boolean; permanently?: boolean },
): Promise<string> {
  const { client, terminal } = session;
  const { permanently = false } = options;
  const first = await client.call('host.confirm', request);
  // Only a project that is already marked is certain to be deleted without delay.
  if (permanently && first.deletion?.delayed !== false) {
    throw new AppError(
      'invalid-input',
      `${first.destroys.find(({ what }) => what === 'project')?.name ?? request.project} is not marked for deletion. Only marked projects can be deleted permanently: delete it without --permanently first.`,
      { details: { wrong: 'state' } },
    );
  }
  if (first.destroys.length > 0) {
    terminal.note(
      joinLines(
        'This destroys:',
        first.destroys.map((one) => `  ${textOf(one)}`),
        first.deletion !== null && deletionText(first.deletion, permanently),
      ),
    );
  }
  if (options.yes === true || first.destroys.length === 0) return first.confirmation;
  const path =
    options.requiresPath === true ? first.destroys.find(({ what }) => what === 'project')?.name : undefined;
  const question = path === undefined ? 'Continue? [y/N] ' : `Type ${toPrintable(path)} to continue: `;
  await confirmInTerminal(session, question, path);
  // The user may have needed long to type, and a confirmation is valid for a minute only.
  return (await client.call('host.confirm', request)).confirmation;
}
