/** @file The sentences that users read: for each error code, what happened and what to do. `details` fill the gaps. */
import { keychainTimeoutMs } from './keychain-timeout.ts';
import {
  messageWithAdvice,
  detail,
  fixedText,
  pathSentence,
  serverSentence,
  toSentence,
  type ErrorText,
  type ErrorTextBuilder,
} from './sentence-parts.ts';
import type { ErrorCode, ErrorData, ErrorDetails } from './errors.ts';

/** Advice for working without the keychain. Names the variable if the instance is known. */
const adviceWithoutKeychain = (details: ErrorDetails): string =>
  details['heartbeat'] !== undefined
    ? 'send the heartbeat with a program that the plan starts after the run. Secrets are never written to a plain file.'
    : details['storage'] === undefined
      ? `set ${detail(details, 'variable', 'PACKHORSE_TOKEN_<NAME>')} to the token before Packhorse starts. Tokens are never written to a plain file.`
      : 'let Packhorse keep the key in memory until it ends, or import from a presigned address of the archive. Secrets are never written to a plain file.';
const commandHintWithoutKeychain = (details: ErrorDetails): string =>
  details['storage'] === undefined
    ? 'Give the token with --token-stdin; "instance add --no-keychain" does not store it.'
    : 'Use "storage add --keep-no-secret", and "import s3 --secret-stdin" or the variable PACKHORSE_S3_SECRET_<NAME>; or use "packhorse import url".';

/** Reports a token variable that is set but empty, for example after a mistake in a script. */
const emptyVariableSentence = (details: ErrorDetails): string =>
  details['variableEmpty'] === true
    ? ` The variable ${detail(details, 'variable', 'for it')} is set, but empty.`
    : '';

/** Explains a project that an import of the same migration left behind. */
const leftoverSentence = (details: ErrorDetails): string =>
  typeof details['leftBy'] === 'string'
    ? ` A failed import of this migration left it: ${details['leftBy']}`
    : '';

/**
 * Returns an error text that names the token variable, if that variable was read before the keychain failed; else null.
 */
const missingTokenText = (
  details: ErrorDetails,
  why: string,
  remedy: string,
): (ErrorText & { commandHint: string }) | null =>
  details['tokenSought'] === true
    ? {
        what: `No token is available for the instance "${detail(details, 'instance', '?')}": the variable ${detail(details, 'variable', 'PACKHORSE_TOKEN_<NAME>')} is ${details['variableEmpty'] === true ? 'set, but empty' : 'not set'}, and ${why}.`,
        todo: `Set ${detail(details, 'variable', 'PACKHORSE_TOKEN_<NAME>')} to the token before Packhorse starts. If the token is in the keychain, ${remedy}. Tokens are never written to a plain file.`,
        commandHint: 'For one command, give the token with --token-stdin or --token-file.',
      }
    : null;

const newTokenAdvice = {
  todo: 'Make a new personal access token on the instance and enter it for the instance here.',
  commandHint:
    'For an existing instance, "packhorse instance set-token" stores it in the keychain. Without a keychain, set the variable PACKHORSE_TOKEN_<NAME>.',
};

/** Returns the advice on an invalid request. */
function correction(details: ErrorDetails): string {
  if (details['port'] !== undefined) return 'Choose another port, or stop the program that uses this one.';
  if (typeof details['id'] === 'string') return `Give more characters of the id than "${details['id']}".`;
  if (details['attributes'] === '') return 'Name an attribute to change, and try again.';
  switch (details['wrong']) {
    case 'options':
      return 'Correct the options of the command and try again; nothing was changed.';
    case 'state':
      return 'Check its state before you try again; nothing was changed.';
    default:
      return 'Correct the value and try again; nothing was changed.';
  }
}

/** Names the project of the failed request, if the request contained its path. */
const forProject = (details: ErrorDetails): string =>
  typeof details['project'] === 'string' && details['project'].includes('/')
    ? ` for ${details['project']}`
    : '';

const rows: Record<ErrorCode, ErrorTextBuilder> = {
  'invalid-input': (d, message) => ({
    what: `${toSentence(message)}${pathSentence(d, message)}${serverSentence(d)}`,
    todo: correction(d),
    ...(d['wrong'] === 'options' ? { commandHint: 'Add --help for the options.' } : {}),
  }),
  'not-found': (d, message) =>
    d['group'] === undefined
      ? {
          what: `${toSentence(message)}${pathSentence(d, message)}${serverSentence(d)}`,
          todo: d['path'] === undefined ? 'Check the name or number.' : 'Check the path.',
        }
      : {
          what: `There is no group "${detail(d, 'group', '?')}" that this account can see.${serverSentence(d)}`,
          todo: 'Check its full path (group/subgroup) or its id. GitLab also says "not found" for private groups the account may not read.',
        },
  'already-exists': (d, message) => ({
    what: `${toSentence(message)}${pathSentence(d, message)}`,
    ...(d['port'] !== undefined
      ? { todo: 'Choose another port, or stop the program that uses this one.' }
      : d['plan'] === undefined
        ? { todo: 'Choose another name, or remove the existing one first.' }
        : {
            todo: 'Choose another name, or change the existing plan.',
            commandHint: `See "packhorse plan edit ${detail(d, 'plan', 'PLAN')}".`,
          }),
  }),
  'instance-unknown': (d) => ({
    what: `There is no instance named "${detail(d, 'name', '?')}".`,
    todo: 'Check the name or address in the list of instances, or add the instance first.',
    commandHint: 'See "packhorse instance list" and "packhorse instance add".',
  }),
  'instance-exists': (d) => ({
    what: `An instance named "${detail(d, 'name', '?')}" already exists.`,
    todo: 'Choose another name, or remove that instance first.',
    commandHint: 'See "packhorse instance remove".',
  }),
  'token-missing': (d) => ({
    what: `No token is available for the instance "${detail(d, 'instance', '?')}".${emptyVariableSentence(d)}`,
    todo: `Enter a token for it, or set the environment variable ${detail(d, 'variable', 'PACKHORSE_TOKEN_<NAME>')} before Packhorse starts.`,
    commandHint:
      'Give a token with --token-stdin or --token-file. For an existing instance, "packhorse instance set-token" stores it.',
  }),
  'token-unsafe-file': (d, message) => ({
    what: `${toSentence(message)}${pathSentence(d, message)}`,
    ...(d['why'] === 'others can read it'
      ? { todo: 'Make the token file readable by you alone (chmod 600) and try again.' }
      : {
          todo: 'Put only the token into a regular file that no other user can read.',
          commandHint: 'Or pipe it in with --token-stdin.',
        }),
  }),
  'token-invalid': (d) => ({
    what: `The instance does not know this token.${serverSentence(d)}`,
    todo: 'Check that the whole token was pasted and belongs to this instance; if it is lost, make a new one under Preferences → Access tokens.',
  }),
  'token-expired': (d) => ({
    what: `The token has expired.${serverSentence(d)}`,
    ...newTokenAdvice,
  }),
  'token-revoked': (d) => ({
    what: `The token was revoked on the instance.${serverSentence(d)}`,
    ...newTokenAdvice,
  }),
  'token-scope': (d) => ({
    what: `The token may not do this: it lacks the scope ${detail(d, 'scopes', 'api')}.`,
    todo: 'Exports and imports need a token with the scope "api"; "read_api" can only read. Make such a token and store it.',
  }),
  'account-blocked': (d) => ({
    what: `The account behind the token cannot be used.${serverSentence(d)}`,
    todo: 'Sign in to the instance in a browser to see why, or ask its administrator.',
  }),
  'account-changed': (d) => ({
    what: `The token of "${detail(d, 'instance', 'the instance')}" belongs to ${detail(d, 'username', 'another account')}, and earlier tokens belonged to ${detail(d, 'expected', 'another one')}. Projects that the new account cannot see may still exist.`,
    todo: `Give the instance a token of ${detail(d, 'expected', 'the account from before')} again. To switch to the new account, check the token once.`,
    commandHint: `To accept the new account, run "packhorse instance check ${detail(d, 'instance', 'NAME')}".`,
  }),
  forbidden: (d) => ({
    what: `The instance refuses this to the account behind the token.${serverSentence(d)}`,
    todo: 'Use an account with more rights there, or ask an administrator of the instance.',
  }),
  'keychain-missing': (d) =>
    missingTokenText(
      d,
      'this system has no library for its keychain (libsecret)',
      'install the library (Debian and Ubuntu: libsecret-1-0 and gnome-keyring)',
    ) ?? {
      what: `This system has no library for its keychain (libsecret).${emptyVariableSentence(d)}`,
      todo: `Install it (Debian and Ubuntu: libsecret-1-0 and gnome-keyring), or ${adviceWithoutKeychain(d)}`,
      commandHint: commandHintWithoutKeychain(d),
    },
  'keychain-unreachable': (d) =>
    missingTokenText(
      d,
      'the keychain cannot be reached, because there is no session bus (D-Bus)',
      'run inside a desktop session or under dbus-run-session',
    ) ?? {
      what: `The keychain cannot be reached: there is no session bus (D-Bus).${emptyVariableSentence(d)}`,
      todo: `Run inside a desktop session or under dbus-run-session, or ${adviceWithoutKeychain(d)}`,
      commandHint: commandHintWithoutKeychain(d),
    },
  'keychain-locked': fixedText(
    'The keychain is locked.',
    'Unlock it (sign in to the desktop session, or open the keyring), then try again.',
  ),
  'keychain-timeout': fixedText(
    `The keychain did not respond within ${keychainTimeoutMs / 1000} seconds.`,
    'A dialog asking for its password may be open, perhaps behind other windows. Answer it and try again.',
  ),
  'keychain-failed': (d, message) => ({
    what: `${toSentence(message)}${serverSentence(d)}${emptyVariableSentence(d)}`,
    todo: `Check the keychain of this system, or ${adviceWithoutKeychain(d)}`,
    commandHint: `See "packhorse doctor". ${commandHintWithoutKeychain(d)}`,
  }),
  'address-unknown': (d) => ({
    what: `The address ${detail(d, 'host', 'of the instance')} cannot be found (no such host name).`,
    todo: 'Check the URL for typing mistakes, and the network or VPN.',
  }),
  'connection-refused': (d) => ({
    what: `Nothing accepts connections at ${detail(d, 'host', 'the address of the instance')}.`,
    todo: 'Check the URL and its port, and whether the server is running and reachable from here.',
  }),
  'connection-lost': messageWithAdvice(
    'Check the network. Reading is retried automatically; an incomplete file is never stored as an archive.',
  ),
  'certificate-untrusted': (d) => ({
    what: `The certificate of ${detail(d, 'host', 'the instance')} is not trusted (${detail(d, 'reason', 'unknown reason')}).`,
    todo: `If the instance uses a private certificate authority, give its PEM file when you add the instance.${typeof d['fingerprint'] === 'string' ? ` Compare the certificate's SHA-256 fingerprint first: ${d['fingerprint']}` : ''}`,
    commandHint: 'The option is --ca-file.',
  }),
  'ca-file-unusable': messageWithAdvice('Give a readable PEM file with one or more certificates.'),
  timeout: messageWithAdvice('The server or the network is slow or stuck. Try again later.'),
  'not-gitlab': (d) => ({
    what: `The server at ${detail(d, 'url', 'this address')} does not respond like GitLab's API.`,
    todo: 'Check the URL: give the address of the instance itself, for example https://gitlab.example.com, without a project path. The sign-in page of a proxy can also cause this error.',
  }),
  'redirect-refused': (d) => ({
    what: `The server redirects requests to another address (${detail(d, 'target', 'unknown')}). Packhorse does not follow the redirect, because it would send the token there.`,
    todo: 'Use the final address of the instance as its URL.',
  }),
  'response-too-large': messageWithAdvice(
    'This is not what GitLab sends. Check the URL and any proxy in between.',
  ),
  'unexpected-response': messageWithAdvice(
    'Check that the URL is that of a GitLab instance and that no proxy changes its responses.',
  ),
  'unknown-state': messageWithAdvice(
    'This version of GitLab reports a state that Packhorse does not know. Please report it.',
  ),
  'server-error': (d) => ({
    what: `The instance failed with HTTP ${detail(d, 'status', '5xx')}${forProject(d)}.${serverSentence(d)}`,
    todo: 'Try again later. If the error persists, the administrator of the instance finds the cause in its logs.',
  }),
  'rate-limited': fixedText(
    'The instance asks to slow down (HTTP 429).',
    'A job waits as long as the server says and then continues automatically. Run other commands again in a minute.',
  ),
  'request-refused': messageWithAdvice(
    'Read the message of the server. The request was refused and changed nothing.',
  ),
  'server-too-old': messageWithAdvice(
    'Ask the administrator to upgrade the instance, or do without this feature there.',
  ),
  'feature-off': (d) => ({
    what: `The instance has this feature switched off (feature flag "${detail(d, 'flag', '?')}").`,
    todo: 'Ask the administrator to enable the flag, or do without this feature there: an archive can always be imported as a file.',
  }),
  'instance-read-only': (d) => ({
    what: `The instance ${detail(d, 'host', 'in question')} is set to read-only here, so the request was not sent.`,
    todo: 'To allow changes there, switch off read-only in the settings of the instance.',
  }),
  'sign-in-needed': (d) => ({
    what: `The instance ${detail(d, 'host', 'in question')} is used without an account, which can only read public projects.`,
    todo: 'Give the instance a personal access token, then try again.',
  }),
  'rotation-refused': messageWithAdvice(
    'Nothing was changed on the instance. Correct the named problem, then try again.',
  ),
  'rotation-lost': (d) =>
    d['byId'] === true
      ? {
          what: `GitLab replaced the token ${detail(d, 'oldId', '?')} ("${detail(d, 'name', '?')}"), and the response with the new one was lost.`,
          todo: `Rotate the new one${detail(d, 'orphanId', '') === '' ? ', which is in the list of tokens under the same name' : ` (id ${detail(d, 'orphanId', '')})`}. That gives you a token with a known secret.`,
        }
      : {
          what: `GitLab replaced the token of "${detail(d, 'instance', 'this instance')}", and the response with the new one was lost.`,
          todo: `Make a new token at ${detail(d, 'page', 'the page of your access tokens')} and enter it; then revoke the lost one (${detail(d, 'orphanId', '') === '' ? '' : `id ${detail(d, 'orphanId', '')}, `}named "${detail(d, 'name', '?')}", expiring on ${detail(d, 'expiresOn', '?')}). With a spare token this cannot happen.`,
          commandHint:
            'Store the new token with "packhorse instance set-token"; find the lost one with "packhorse token list" and revoke it. With a spare ("packhorse token spare set") this cannot happen.',
        },
  'token-changing': (d) => ({
    what: `The token of "${detail(d, 'instance', 'this instance')}" is being replaced at the moment.`,
    todo: 'Try again in a minute; jobs wait for it automatically.',
  }),
  'rotation-ambiguous': messageWithAdvice(
    'Do not rotate it again: if it was replaced, GitLab would treat that as theft and revoke the new token too. Check the list of tokens, or make a new token on the instance.',
    'See "packhorse token list".',
  ),
  'secret-lost': fixedText(
    'The address was kept only in memory, and the program that had it has ended.',
    'Start the job again with the address. Nothing was sent.',
  ),
  'jobs-elsewhere': messageWithAdvice(
    'Give the address in the window of that program, or end that program and try again. Nothing was sent.',
    'That program is "packhorse serve", "packhorse daemon", another command or the window.',
  ),
  'storage-missing': messageWithAdvice(
    'Save the storage with its secret access key, or choose another.',
    'For one import, give the key with --secret-stdin or the variable PACKHORSE_S3_SECRET_<NAME>.',
  ),
  'project-missing': (d) =>
    d['migration'] === undefined
      ? {
          what: `There is no project "${detail(d, 'project', '?')}" that this account can see.`,
          todo:
            d['marked'] === true
              ? 'GitLab moves a project that is marked for deletion to a path like group/project-deletion_scheduled-123: give that path, or the id of the project.'
              : 'Check the full path (group/subgroup/project). GitLab also says "not found" for private projects the account may not read.',
        }
      : {
          what: `The migration "${detail(d, 'migration', '?')}" has no project "${detail(d, 'project', '?')}".`,
          todo: 'Give its full path or its id on the source. Check the projects of the migration.',
          commandHint: `See "packhorse migration projects ${detail(d, 'migration', 'NAME')}". Its selection is in "packhorse migration show ${detail(d, 'migration', 'NAME')}".`,
        },
  'project-moved': (d) => ({
    what: `The project has moved${d['target'] === undefined ? '' : ` to ${detail(d, 'target', '')}`}.`,
    todo: 'Use its new path.',
  }),
  'namespace-missing': (d) => ({
    what: `There is no namespace "${detail(d, 'namespace', '?')}" that this account can see.`,
    todo: 'Create the group first, or name another namespace.',
    ...(d['inPath'] === true ? {} : { commandHint: 'The option is --namespace.' }),
  }),
  'role-too-low': (d, message) =>
    d['needs'] === 'Owner'
      ? {
          what: toSentence(message),
          todo: 'Ask an owner to raise the role, or use the token of an owner, then try again. Completed steps stay.',
        }
      : {
          what: `The account's role ${typeof d['project'] === 'string' ? `in ${d['project']} ` : ''}does not allow this.${serverSentence(d)}`,
          todo: 'Exports and imports need the role Maintainer or Owner. Ask an owner of the project or group.',
        },
  'export-refused': messageWithAdvice(
    'Nothing was exported. Resolve the problem in the server’s message, then run the backup again.',
  ),
  'export-failed': messageWithAdvice(
    'GitLab mails the reason to the account that requested the export. Run the backup again. If the error persists, ask the administrator for the export log.',
  ),
  'export-gone': (d, message) => ({
    what: `${toSentence(message)}${serverSentence(d)}`,
    ...(d['none'] === true
      ? {
          todo: 'Start an export, and save it once it is finished.',
          commandHint: 'See "packhorse export start" and "packhorse export status".',
        }
      : { todo: 'The finished export no longer exists. Run the backup again to request a new one.' }),
  }),
  'import-disabled': (d) => ({
    what: `The instance does not accept project imports from files.${serverSentence(d)}`,
    todo: 'An administrator can switch on the import source "GitLab export" (Admin → Settings → General → Import and export settings).',
  }),
  'import-refused': messageWithAdvice(
    'Nothing was imported. Resolve the problem in the server’s message, then start the import again.',
  ),
  'import-failed': messageWithAdvice(
    'The target keeps an empty project at that path: delete it, or choose another path, before importing again.',
  ),
  'layout-refused': messageWithAdvice(
    'Nothing was sent. Import it into GitLab 15.10 or older, and export it again from there.',
  ),
  'import-ambiguous': (d, message) =>
    (d['lostJob'] === undefined
      ? messageWithAdvice(
          'Look at the target in a browser. If this import created that project, follow its progress there; if not, choose another path.',
          'Follow it with "packhorse import status".',
        )
      : messageWithAdvice(
          'Look at the target in a browser. Then import again: Packhorse checks the target first, and sends nothing as long as the lost request may have arrived. If you are sure that it did not arrive, first confirm this at the job.',
          `See "packhorse import not-arrived ${detail(d, 'lostJob', 'JOB')}".`,
        ))(d, message),
  'change-ambiguous': messageWithAdvice(
    'Look at the project in a browser. If the change was not made, start it again.',
  ),
  'relation-import-failed': messageWithAdvice(
    'Existing records of the project are unchanged. Check the records in the archive, then import the relation again.',
  ),
  'members-at-risk': messageWithAdvice(
    'GitLab keeps the direct members only if the importing account is the first of them and has at least the role Maintainer. Import as that account, or confirm that the members may be removed.',
    'To confirm it, add --remove-members.',
  ),
  'fork-failed': messageWithAdvice(
    'The fork remains without a repository: delete it before you fork again. The reason is in the log of GitLab.',
  ),
  'name-taken': (d) => ({
    what: `Another project in the same namespace already has this name.${serverSentence(d)}`,
    todo: 'Choose another name.',
  }),
  // Only an import can replace an existing project.
  'path-taken': (d) => ({
    what: `There is already a project at "${detail(d, 'project', '?')}".${leftoverSentence(d)}${serverSentence(d)}`,
    ...(d['placedAnew'] !== undefined
      ? {
          todo: `${typeof d['leftBy'] === 'string' ? 'Fix that cause. ' : ''}${d['placedAnew'] === 'replaces' ? 'The next attempt replaces that project' : 'The project has another target now'}: try again.`,
          commandHint: 'See "packhorse migration again".',
        }
      : typeof d['leftBy'] === 'string'
        ? {
            todo: 'Fix that cause. Look at the existing project on the target and remove it there, or let this project replace it. Then try again.',
            commandHint: 'Use "packhorse migration place --overwrite", then "packhorse migration again".',
          }
        : d['replaceable'] === true
          ? {
              todo: 'Choose another path, or replace the project there.',
              commandHint: 'The options are --path and --overwrite.',
            }
          : { todo: 'Choose another path or name, or another namespace.' }),
  }),
  'upload-too-large': (d) => ({
    what: `The target refuses an upload of this size.${serverSentence(d)}`,
    todo: 'Ask its administrator to raise the maximum import size (and that of any proxy in front of it).',
  }),
  'deadline-passed': messageWithAdvice(
    'Look at the project in a browser. If it makes no progress there, start again.',
    'Follow it with "packhorse import status".',
  ),
  'archive-missing': (d, message) => ({
    what: `${toSentence(message)}${pathSentence(d, message)}`,
    ...(d['trash'] === true
      ? {
          todo: 'Check the path, or the list of archives in the trash folder.',
          commandHint: 'See "packhorse archive trash list".',
        }
      : {
          todo: 'Check the path, or the list of stored archives.',
          commandHint: 'See "packhorse archive list".',
        }),
  }),
  // More digits do not distinguish archives of the same bytes.
  'archive-ambiguous': (d, message) => ({
    what: toSentence(message),
    todo:
      d['alike'] === true ? 'Give the path of the archive.' : 'Give more digits of the SHA-256, or the path.',
  }),
  'archive-corrupt': (d, message) => ({
    what: `${toSentence(message)}${pathSentence(d, message)}`,
    todo:
      d['inTrash'] === true
        ? 'The archive is unreliable and is now in the trash folder of the store: make a new backup.'
        : 'The archive is unreliable: choose another one, or make a new backup.',
  }),
  'archive-unsafe': (d, message) => ({
    what: `${toSentence(message)}${pathSentence(d, message)}`,
    todo:
      d['findings'] === undefined
        ? 'Give the path of the archive file itself; links and folders are not read.'
        : 'Check its findings first. To import it anyway, allow suspicious archives.',
    ...(d['findings'] === undefined
      ? {}
      : { commandHint: 'See "packhorse archive inspect", and the option --allow-suspicious.' }),
  }),
  'archive-damaged': messageWithAdvice(
    'The file changed after it was stored. Use another archive of the project, or make a new backup.',
  ),
  'archive-changed': messageWithAdvice('Do not change the file while it is read, and try again.'),
  'archive-limit': messageWithAdvice(
    'This is far larger than any export should be. If it is genuine, please report it.',
  ),
  'record-missing': messageWithAdvice(
    'Lines count from zero. Check the relation and the line, and that this is the imported archive.',
  ),
  'manifest-unreadable': messageWithAdvice(
    'Keep the archive, and inspect it as a file.',
    'See "packhorse archive inspect".',
  ),
  'disk-full': (d) => ({
    what: `There is not enough space on the disk${d['path'] === undefined ? '' : ` that holds ${detail(d, 'path', '')}`}.`,
    todo: 'Free some space or choose another archive folder. Stored archives are unchanged; incomplete files were removed.',
  }),
  'disk-denied': messageWithAdvice('Check the permissions of that folder, or choose another.'),
  'disk-failed': messageWithAdvice('Check the disk and its connection. Stored archives are unchanged.'),
  'catalogue-newer': fixedText(
    'The catalogue was written by a newer version of Packhorse.',
    'Update Packhorse. The catalogue was not changed.',
  ),
  'catalogue-damaged': messageWithAdvice(
    'Start Packhorse again: it moves the file aside and indexes the archives from the store. No archive is lost.',
  ),
  'catalogue-foreign': messageWithAdvice(
    'The file was not changed. Move it away, and Packhorse indexes the archives in a new catalogue without the history of jobs. Or choose another data folder.',
    'The option is --data-dir.',
  ),
  'catalogue-busy': fixedText('Another process keeps the catalogue busy.', 'Try again in a moment.'),
  'rescan-needed': messageWithAdvice('Rescan the store first.', 'See "packhorse archive rescan".'),
  'settings-unreadable': (d) => ({
    what: toSentence(
      `The settings in ${detail(d, 'path', 'the data folder')} cannot be read: ${detail(d, 'why', 'no reason given').replace(/\s+/g, ' ')}`,
    ),
    todo: 'Correct the file or move it away; it was not overwritten.',
  }),
  'host-cannot': messageWithAdvice('Use the desktop window or the command line instead.'),
  'link-refused': messageWithAdvice(
    'Only pages of registered instances are opened; copy the address if you trust it.',
  ),
  'path-refused': fixedText(
    'The file or folder was neither chosen in the window nor dropped on it.',
    'Choose it with the button, or drop it on the window. The command line accepts any path.',
  ),
  'confirmation-missing': fixedText(
    'This action destroys data and was not confirmed within the last minute.',
    'Check what will be destroyed, and confirm. Nothing was changed.',
  ),
  'calls-too-many': fixedText('The window made too many calls at once.', 'Wait a moment and try again.'),
  'page-not-built': messageWithAdvice(
    'Run "npm run build" in the checkout. An installed Packhorse contains its window.',
  ),
  'page-disconnected': fixedText(
    'The connection to Packhorse is lost.',
    'If Packhorse was stopped, start it again in the same way, and open the link that it prints.',
  ),
  'hook-failed': messageWithAdvice(
    'Check its output, and run the program by hand as the user that runs Packhorse. The plan runs it again at its next due time.',
  ),
  'plan-missing': messageWithAdvice('Check the list of plans.', 'See "packhorse plan list".'),
  'migration-missing': messageWithAdvice('Check the list of migrations.', 'See "packhorse migration list".'),
  'migration-started': messageWithAdvice(
    'Create another migration for projects with another target. Imported projects stay where they are.',
  ),
  'migration-blocked': (d, message) => ({
    what: toSentence(message),
    ...(d['lacksGroups'] === true
      ? {
          todo: 'Start the migration with the creation of groups, or create the groups on the target and check again.',
          commandHint: 'See "packhorse migration run --create-groups".',
        }
      : {
          todo: 'Check the migration, and remove each blocker or override it with a note.',
          commandHint: 'See "packhorse migration check".',
        }),
  }),
  'migration-differs': messageWithAdvice(
    'Accept the losses, or confirm that the source is finished despite them.',
    'See "packhorse migration reconcile". To finish anyway, add --despite-differences.',
  ),
  'failure-missing': messageWithAdvice('Check the list of failures.', 'See "packhorse migration failures".'),
  'attention-missing': messageWithAdvice(
    'Check the overview again. Items about unprotected data cannot be dismissed.',
    'See "packhorse overview".',
  ),
  'job-missing': (d, message) => ({
    what: d['id'] === undefined ? toSentence(message) : `There is no job "${detail(d, 'id', '?')}".`,
    todo: 'Check the list of jobs.',
    commandHint: 'See "packhorse job list".',
  }),
  'job-ended': messageWithAdvice('If you still need it, start a new job.'),
  'job-busy': messageWithAdvice(
    'Try again when that job has ended, or cancel it.',
    'See "packhorse job list".',
  ),
  interrupted: (d, message) => ({
    what: toSentence(message),
    todo:
      d['unchanged'] === true
        ? 'Nothing was changed.'
        : 'Start the same command again. Completed steps are not repeated.',
  }),
  cancelled: (d) => ({
    what: d['unchanged'] === true ? 'Not confirmed.' : 'It was cancelled.',
    todo: d['unchanged'] === true ? 'Nothing was changed.' : 'Incomplete files were removed.',
  }),
  internal: messageWithAdvice('This is a bug in Packhorse. Please report it with the log file.'),
};

/** Returns the two sentences for an error, which every host shows. The command line adds the command to type. */
export function errorText(error: ErrorData, host: 'window' | 'command-line' = 'window'): ErrorText {
  const { what, todo, commandHint } = rows[error.code](error.details, error.message);
  return { what, todo: host === 'window' || commandHint === undefined ? todo : `${todo} ${commandHint}` };
}
