/** @file The sentences that people read: for each code, what happened and what to do. `details` fill the gaps. */
import { keychainTimeoutMs } from './keychain-timeout.ts';
import {
  messageAsWhat,
  detail,
  fixed,
  place,
  serverWords,
  sentence,
  type ErrorText,
  type Row,
} from './sentence-parts.ts';
import type { ErrorCode, ErrorData, ErrorDetails } from './errors.ts';

/** Advice for use without the keychain; names the variable where the instance is known. */
const withoutKeychain = (details: ErrorDetails): string =>
  details['heartbeat'] !== undefined
    ? 'let the program that runs after the run ask for the address instead. Secrets are never written to a plain file.'
    : details['storage'] === undefined
      ? `set ${detail(details, 'variable', 'PACKHORSE_TOKEN_<NAME>')} to the token before Packhorse starts. Tokens are never written to a plain file.`
      : 'let Packhorse keep the key in memory until it ends, or import from a presigned address of the archive. Secrets are never written to a plain file.';
const typedWithoutKeychain = (details: ErrorDetails): string =>
  details['storage'] === undefined
    ? '--token-stdin gives it with the command; "instance add --no-keychain" then stores none.'
    : 'That is "storage add --keep-no-secret", and "import s3 --secret-stdin" or the variable PACKHORSE_S3_SECRET_<NAME>; or "packhorse import url".';

/** A variable for the token that is set but empty, as after a mistake in a script. */
const emptyVariable = (details: ErrorDetails): string =>
  details['variableEmpty'] === true
    ? ` The variable ${detail(details, 'variable', 'for it')} is set, but empty.`
    : '';

/** Why the project is there, where an import of the same migration left it. */
const leftovers = (details: ErrorDetails): string =>
  typeof details['leftBy'] === 'string'
    ? ` An import of this migration that failed left it: ${details['leftBy']}`
    : '';

/** Names the variable of the token where it was searched first: without a keychain it is missing. */
const withoutToken = (
  details: ErrorDetails,
  why: string,
  mending: string,
): (ErrorText & { typed: string }) | null =>
  details['tokenSought'] === true
    ? {
        what: `No token is available for the instance "${detail(details, 'instance', '?')}": the variable ${detail(details, 'variable', 'PACKHORSE_TOKEN_<NAME>')} is ${details['variableEmpty'] === true ? 'set, but empty' : 'not set'}, and ${why}.`,
        todo: `Set ${detail(details, 'variable', 'PACKHORSE_TOKEN_<NAME>')} to the token before Packhorse starts. If the token is in the keychain, ${mending}. Tokens are never written to a plain file.`,
        typed: 'For one command, give the token with --token-stdin or --token-file.',
      }
    : null;

const newToken = {
  todo: 'Make a new personal access token on the instance and enter it for the instance here.',
  typed:
    'For an instance that is added already, "packhorse instance set-token" stores it in the keychain; where there is none, set its variable PACKHORSE_TOKEN_<NAME>.',
};

/** Returns the advice on the request, which is not always about a wrong value. */
function correction(details: ErrorDetails): string {
  if (details['port'] !== undefined) return 'Choose another port, or end what uses this one.';
  if (typeof details['id'] === 'string') return `Give more of the id than "${details['id']}".`;
  if (details['attributes'] === '') return 'Say what is to be changed, and try again.';
  switch (details['wrong']) {
    case 'options':
      return 'Change what the command is given, and try again; nothing was changed.';
    case 'state':
      return 'Look at its state before you try again; nothing was changed.';
    default:
      return 'Correct the value and try again; nothing was changed.';
  }
}

const rows: Record<ErrorCode, Row> = {
  'invalid-input': (d, message) => ({
    what: `${sentence(message)}${place(d, message)}${serverWords(d)}`,
    todo: correction(d),
    ...(d['wrong'] === 'options' ? { typed: 'Add --help for the options.' } : {}),
  }),
  'not-found': (d, message) =>
    d['group'] === undefined
      ? {
          what: `${sentence(message)}${place(d, message)}${serverWords(d)}`,
          todo: d['path'] === undefined ? 'Check the name or number.' : 'Check the path.',
        }
      : {
          what: `There is no group "${detail(d, 'group', '?')}" that this account can see.${serverWords(d)}`,
          todo: 'Check its full path (group/subgroup) or its id. GitLab also says "not found" for private groups the account may not read.',
        },
  'already-exists': (d, message) => ({
    what: `${sentence(message)}${place(d, message)}`,
    ...(d['port'] !== undefined
      ? { todo: 'Choose another port, or end what uses this one.' }
      : d['plan'] === undefined
        ? { todo: 'Choose another name, or remove the existing one first.' }
        : {
            todo: 'Choose another name, or change the one that is there.',
            typed: `That is "packhorse plan edit ${detail(d, 'plan', 'PLAN')}".`,
          }),
  }),
  'instance-unknown': (d) => ({
    what: `There is no instance named "${detail(d, 'name', '?')}".`,
    todo: 'Check its name or address among the known ones, or add it first.',
    typed: 'See "packhorse instance list" and "packhorse instance add".',
  }),
  'instance-exists': (d) => ({
    what: `An instance named "${detail(d, 'name', '?')}" already exists.`,
    todo: 'Choose another name, or remove that one first.',
    typed: 'See "packhorse instance remove".',
  }),
  'token-missing': (d) => ({
    what: `No token is available for the instance "${detail(d, 'instance', '?')}".${emptyVariable(d)}`,
    todo: `Enter one for it, or set the environment variable ${detail(d, 'variable', 'PACKHORSE_TOKEN_<NAME>')} before Packhorse starts.`,
    typed:
      'Give one with --token-stdin or --token-file; for an instance that is added already, "packhorse instance set-token" stores one.',
  }),
  'token-unsafe-file': (d, message) => ({
    what: `${sentence(message)}${place(d, message)}`,
    ...(d['why'] === 'others can read it'
      ? { todo: 'Make the token file readable by you alone (chmod 600) and try again.' }
      : {
          todo: 'Put the token alone into a regular file that only you can read.',
          typed: 'Or pipe it in: that is --token-stdin.',
        }),
  }),
  'token-invalid': (d) => ({
    what: `The instance does not know this token.${serverWords(d)}`,
    todo: 'Check that the whole token was pasted and belongs to this instance; make a new one under Preferences → Access tokens if it is lost.',
  }),
  'token-expired': (d) => ({
    what: `The token has expired.${serverWords(d)}`,
    ...newToken,
  }),
  'token-revoked': (d) => ({
    what: `The token was revoked on the instance.${serverWords(d)}`,
    ...newToken,
  }),
  'token-scope': (d) => ({
    what: `The token may not do this: it lacks the scope ${detail(d, 'scopes', 'api')}.`,
    todo: 'Exports and imports need a token with the scope "api"; "read_api" can only look. Make such a token and store it.',
  }),
  'account-blocked': (d) => ({
    what: `The account behind the token cannot be used.${serverWords(d)}`,
    todo: 'Sign in to the instance in a browser to see why, or ask its administrator.',
  }),
  'account-changed': (d) => ({
    what: `The token of "${detail(d, 'instance', 'the instance')}" belongs to ${detail(d, 'username', 'another account')}, and earlier tokens belonged to ${detail(d, 'expected', 'another one')}. Projects that the new account cannot see may still exist.`,
    todo: `Give the instance a token of ${detail(d, 'expected', 'the account from before')} again. If the new account is meant, check the token once: the instance is known by that account from then on.`,
    typed: `To accept the new account, run "packhorse instance check ${detail(d, 'instance', 'NAME')}".`,
  }),
  forbidden: (d) => ({
    what: `The instance refuses this to the account behind the token.${serverWords(d)}`,
    todo: 'Use an account with more rights there, or ask an administrator of the instance.',
  }),
  'keychain-missing': (d) =>
    withoutToken(
      d,
      'this system has no library for its keychain (libsecret)',
      'install the library (Debian and Ubuntu: libsecret-1-0 and gnome-keyring)',
    ) ?? {
      what: `This system has no library for its keychain (libsecret).${emptyVariable(d)}`,
      todo: `Install it (Debian and Ubuntu: libsecret-1-0 and gnome-keyring), or ${withoutKeychain(d)}`,
      typed: typedWithoutKeychain(d),
    },
  'keychain-unreachable': (d) =>
    withoutToken(
      d,
      'the keychain cannot be reached, because there is no session bus (D-Bus)',
      'run inside a desktop session or under dbus-run-session',
    ) ?? {
      what: `The keychain cannot be reached: there is no session bus (D-Bus).${emptyVariable(d)}`,
      todo: `Run inside a desktop session or under dbus-run-session, or ${withoutKeychain(d)}`,
      typed: typedWithoutKeychain(d),
    },
  'keychain-locked': fixed(
    'The keychain is locked.',
    'Unlock it (sign in to the desktop session, or open the keyring), then try again.',
  ),
  'keychain-timeout': fixed(
    `The keychain did not answer within ${keychainTimeoutMs / 1000} seconds.`,
    'A dialog asking for its password may be open, perhaps behind other windows. Answer it and try again.',
  ),
  'keychain-failed': (d, message) => ({
    what: `${sentence(message)}${serverWords(d)}${emptyVariable(d)}`,
    todo: `Check the keychain of this system, or ${withoutKeychain(d)}`,
    typed: `See "packhorse doctor". ${typedWithoutKeychain(d)}`,
  }),
  'address-unknown': (d) => ({
    what: `The address ${detail(d, 'host', 'of the instance')} cannot be found (no such host name).`,
    todo: 'Check the URL for typing mistakes, and the network or VPN.',
  }),
  'connection-refused': (d) => ({
    what: `Nothing accepts connections at ${detail(d, 'host', 'the address of the instance')}.`,
    todo: 'Check the URL and its port, and whether the server is running and reachable from here.',
  }),
  'connection-lost': messageAsWhat(
    'Check the network. Reading is tried again by itself; nothing incomplete is kept as an archive.',
  ),
  'certificate-untrusted': (d) => ({
    what: `The certificate of ${detail(d, 'host', 'the instance')} is not trusted (${detail(d, 'reason', 'unknown reason')}).`,
    todo: `If the instance uses a private certificate authority, name its PEM file where the instance is added.${typeof d['fingerprint'] === 'string' ? ` Compare the certificate's SHA-256 fingerprint first: ${d['fingerprint']}` : ''}`,
    typed: 'That is --ca-file.',
  }),
  'ca-file-unusable': messageAsWhat('Give a readable PEM file with one or more certificates.'),
  timeout: messageAsWhat('The server or the network is slow or stuck. Try again later.'),
  'not-gitlab': (d) => ({
    what: `What answers at ${detail(d, 'url', 'this address')} is not GitLab's API.`,
    todo: 'Check the URL: it is the address of the instance itself, for example https://gitlab.example.com, without a project path. A sign-in page of a proxy in between also looks like this.',
  }),
  'redirect-refused': (d) => ({
    what: `The server redirects requests to another address (${detail(d, 'target', 'unknown')}). Packhorse does not follow the redirect, because it would send the token there.`,
    todo: 'Use the final address of the instance as its URL.',
  }),
  'response-too-large': messageAsWhat(
    'This is not what GitLab sends. Check the URL and any proxy in between.',
  ),
  'unexpected-response': messageAsWhat(
    'Check that the URL is that of a GitLab instance and that no proxy changes its answers.',
  ),
  'unknown-state': messageAsWhat(
    'This version of GitLab reports a state that this program does not know. Please report it; nothing was assumed.',
  ),
  'server-error': (d) => ({
    what: `The instance failed to answer (HTTP ${detail(d, 'status', '5xx')}).${serverWords(d)}`,
    todo: 'Try again later; if it stays, the administrator of the instance finds the cause in its logs.',
  }),
  'rate-limited': fixed(
    'The instance asks to slow down (HTTP 429).',
    'A job waits as long as the server says and then continues by itself; run other commands again in a minute.',
  ),
  'request-refused': messageAsWhat('Read the message of the server; the request was not carried out.'),
  'server-too-old': messageAsWhat('Ask its administrator to upgrade the instance, or do without it there.'),
  'feature-off': (d) => ({
    what: `The instance has this feature switched off (feature flag "${detail(d, 'flag', '?')}").`,
    todo: 'Ask its administrator to enable the flag, or do without it there: an archive can always be imported as a file.',
  }),
  'instance-read-only': (d) => ({
    what: `The instance ${detail(d, 'host', 'in question')} is set to read-only here, so the request was not sent.`,
    todo: 'Switch read-only off in the settings of the instance if changes are wanted there.',
  }),
  'sign-in-needed': (d) => ({
    what: `The instance ${detail(d, 'host', 'in question')} is used without an account, which reads public projects and nothing else.`,
    todo: 'Give the instance a personal access token, then try again.',
  }),
  'rotation-refused': messageAsWhat(
    'Nothing was changed on the instance. Put right what is named, then try again.',
  ),
  'rotation-lost': (d) =>
    d['byId'] === true
      ? {
          what: `GitLab replaced the token ${detail(d, 'oldId', '?')} ("${detail(d, 'name', '?')}"), and the answer with the new one was lost.`,
          todo: `Rotate the new one${detail(d, 'orphanId', '') === '' ? ', which is in the list of tokens under the same name' : ` (id ${detail(d, 'orphanId', '')})`}: that gives one whose secret is told.`,
        }
      : {
          what: `GitLab replaced the token of "${detail(d, 'instance', 'this instance')}", and the answer with the new one was lost.`,
          todo: `Make a new token at ${detail(d, 'page', 'the page of your access tokens')} and enter it; then revoke the lost one (${detail(d, 'orphanId', '') === '' ? '' : `id ${detail(d, 'orphanId', '')}, `}named "${detail(d, 'name', '?')}", expiring on ${detail(d, 'expiresOn', '?')}). With a spare token this cannot happen.`,
          typed:
            'Store the new token with "packhorse instance set-token"; find the lost one with "packhorse token list" and revoke it. With a spare ("packhorse token spare set") this cannot happen.',
        },
  'token-changing': (d) => ({
    what: `The token of "${detail(d, 'instance', 'this instance')}" is being replaced just now.`,
    todo: 'Try again in a minute; jobs wait for it by themselves.',
  }),
  'rotation-ambiguous': messageAsWhat(
    'Do not rotate it again: if it was replaced, GitLab would take that for theft and revoke the new one too. Look at the list of tokens, or make a new token on the instance.',
    'That is "packhorse token list".',
  ),
  'secret-lost': fixed(
    'The address was kept in memory only, and the program that knew it has ended.',
    'Start it again with the address; nothing was sent since.',
  ),
  'jobs-elsewhere': messageAsWhat(
    'Give the address in the window of that program, or end it and try again. Nothing was sent.',
    'It is "packhorse serve", "packhorse daemon", another command or the window.',
  ),
  'storage-missing': messageAsWhat(
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
          todo: 'Give its full path on the source, or its id there; look at the projects that the migration has.',
          typed: `They are in "packhorse migration projects ${detail(d, 'migration', 'NAME')}"; what it chooses is in "packhorse migration show ${detail(d, 'migration', 'NAME')}".`,
        },
  'project-moved': (d) => ({
    what: `The project has moved${d['target'] === undefined ? '' : ` to ${detail(d, 'target', '')}`}.`,
    todo: 'Use its new path.',
  }),
  'namespace-missing': (d) => ({
    what: `There is no namespace "${detail(d, 'namespace', '?')}" that this account can see.`,
    todo: 'Create the group first, or name another namespace.',
    ...(d['inPath'] === true ? {} : { typed: 'That is --namespace.' }),
  }),
  'role-too-low': (d, message) =>
    d['needs'] === 'Owner'
      ? {
          what: sentence(message),
          todo: 'Have an owner raise the role, or use the token of an owner, then do it again: what was done stays.',
        }
      : {
          what: `The account's role ${typeof d['project'] === 'string' ? `in ${d['project']} ` : ''}does not allow this.${serverWords(d)}`,
          todo: 'Exports and imports need the role Maintainer or Owner. Ask an owner of the project or group.',
        },
  'export-refused': messageAsWhat(
    'Nothing was exported. Resolve what the server names, then run the backup again.',
  ),
  'export-failed': messageAsWhat(
    'GitLab mails the reason to the account that asked. Run the backup again; if it stays, ask the administrator for the export log.',
  ),
  'export-gone': (d, message) => ({
    what: `${sentence(message)}${serverWords(d)}`,
    ...(d['none'] === true
      ? {
          todo: 'Ask for an export, and save it once it is finished.',
          typed: 'See "packhorse export start" and "packhorse export status".',
        }
      : { todo: 'The finished export was no longer there. Run the backup again to ask for a fresh one.' }),
  }),
  'import-disabled': (d) => ({
    what: `The instance does not accept project imports from files.${serverWords(d)}`,
    todo: 'An administrator can switch on the import source "GitLab export" (Admin → Settings → General → Import and export settings).',
  }),
  'import-refused': messageAsWhat(
    'Nothing was imported. Resolve what the server names, then start the import again.',
  ),
  'import-failed': messageAsWhat(
    'The target keeps an empty project at that path: delete it, or choose another path, before importing again.',
  ),
  'layout-refused': messageAsWhat(
    'Nothing was sent. Import it into GitLab 15.10 or older, and export it again from there.',
  ),
  'import-ambiguous': (d, message) =>
    (d['lostJob'] === undefined
      ? messageAsWhat(
          'Look at the target in a browser. If that project is this import, follow its progress there; if not, choose another path.',
          'Follow it with "packhorse import status".',
        )
      : messageAsWhat(
          'Look at the target in a browser. Then import again: Packhorse checks the target first, and sends nothing while the lost request may still have arrived. If you are sure that it did not arrive, first confirm at this job that it did not arrive.',
          `That is "packhorse import not-arrived ${detail(d, 'lostJob', 'JOB')}".`,
        ))(d, message),
  'change-ambiguous': messageAsWhat(
    'Look at the project in a browser, and start it again if it was not done.',
  ),
  'relation-import-failed': messageAsWhat(
    'What the project had already is unchanged. Look at the records in the archive, then import the relation again.',
  ),
  'members-at-risk': messageAsWhat(
    'GitLab keeps the direct members only where the importing account is the first of them, with at least the role Maintainer. Import as that account, or confirm that the members may go.',
    'To confirm it, add --remove-members.',
  ),
  'fork-failed': messageAsWhat(
    'The fork stays without its repository: delete it before forking again. GitLab keeps the reason in its log.',
  ),
  'name-taken': (d) => ({
    what: `Another project in the same namespace already has this name.${serverWords(d)}`,
    todo: 'Choose another name.',
  }),
  // Only an import can replace an existing project.
  'path-taken': (d) => ({
    what: `There is already a project at "${detail(d, 'project', '?')}".${leftovers(d)}${serverWords(d)}`,
    ...(d['placedAnew'] !== undefined
      ? {
          todo: `${typeof d['leftBy'] === 'string' ? 'Mend that cause. ' : ''}${d['placedAnew'] === 'replaces' ? 'The next attempt replaces that project' : 'The project has another target now'}: try again.`,
          typed: 'That is "packhorse migration again".',
        }
      : typeof d['leftBy'] === 'string'
        ? {
            todo: 'Mend that cause. Look at that project on the target and remove it there, or place this one so that it replaces it; then try again.',
            typed: 'That is "packhorse migration place --overwrite", then "packhorse migration again".',
          }
        : d['replaceable'] === true
          ? {
              todo: 'Choose another path, or replace the project there.',
              typed: 'That is --path, or --overwrite.',
            }
          : { todo: 'Choose another path or name, or another namespace.' }),
  }),
  'upload-too-large': (d) => ({
    what: `The target refuses an upload of this size.${serverWords(d)}`,
    todo: 'Ask its administrator to raise the maximum import size (and that of any proxy in front of it).',
  }),
  'deadline-passed': messageAsWhat(
    'Look at the project in a browser; then start again if it makes no progress there.',
    'Follow it with "packhorse import status".',
  ),
  'archive-missing': (d, message) => ({
    what: `${sentence(message)}${place(d, message)}`,
    ...(d['trash'] === true
      ? {
          todo: 'Check the path, or look at what is in the trash folder.',
          typed: 'That is "packhorse archive trash list".',
        }
      : {
          todo: 'Check the path, or look at the list of stored archives.',
          typed: 'That is "packhorse archive list".',
        }),
  }),
  // More digits do not distinguish archives of the same bytes.
  'archive-ambiguous': (d, message) => ({
    what: sentence(message),
    todo:
      d['alike'] === true
        ? 'Give the path of the one that is meant.'
        : 'Give more digits of the SHA-256, or the path.',
  }),
  'archive-corrupt': (d, message) => ({
    what: `${sentence(message)}${place(d, message)}`,
    todo:
      d['inTrash'] === true
        ? 'It cannot be relied on and lies in the trash folder of the store: make a fresh backup.'
        : 'It cannot be relied on: choose another archive, or make a fresh backup.',
  }),
  'archive-unsafe': (d, message) => ({
    what: `${sentence(message)}${place(d, message)}`,
    todo:
      d['findings'] === undefined
        ? 'Give the path of the archive file itself; links and folders are not read.'
        : 'Look at its findings first; to import it all the same, allow it expressly.',
    ...(d['findings'] === undefined
      ? {}
      : { typed: 'See "packhorse archive inspect", and the option --allow-suspicious.' }),
  }),
  'archive-damaged': messageAsWhat(
    'The file changed after it was stored. Use another archive of the project, or make a fresh backup.',
  ),
  'archive-changed': messageAsWhat('Leave the file alone while it is read, and try again.'),
  'archive-limit': messageAsWhat(
    'This is far larger than any export should be. If it is genuine, please report it.',
  ),
  'record-missing': messageAsWhat(
    'Lines count from zero. Check the relation and the line, and that it is the archive that was imported.',
  ),
  'manifest-unreadable': messageAsWhat(
    'Keep the archive, and inspect it as a file.',
    'See "packhorse archive inspect".',
  ),
  'disk-full': (d) => ({
    what: `There is not enough space on the disk${d['path'] === undefined ? '' : ` that holds ${detail(d, 'path', '')}`}.`,
    todo: 'Free some space or choose another archive folder. What was already stored is untouched; nothing incomplete is kept.',
  }),
  'disk-denied': messageAsWhat('Check the permissions of that folder, or choose another.'),
  'disk-failed': messageAsWhat('Check the disk and its connection. What was already stored is untouched.'),
  'catalogue-newer': fixed(
    'The catalogue was written by a newer version of Packhorse.',
    'Update Packhorse. The catalogue was not touched.',
  ),
  'catalogue-damaged': messageAsWhat(
    'Start Packhorse again: it sets the file aside and indexes the archives from the store. No archive is lost.',
  ),
  'catalogue-foreign': messageAsWhat(
    'The file was not touched. Move it away to have the archives indexed in a new catalogue, which has no history of jobs, or choose another data folder.',
    'That is --data-dir.',
  ),
  'catalogue-busy': fixed('Another process keeps the catalogue busy.', 'Try again in a moment.'),
  'rescan-needed': messageAsWhat('Rescan the store first.', 'That is "packhorse archive rescan".'),
  'settings-unreadable': (d) => ({
    what: sentence(
      `The settings in ${detail(d, 'path', 'the data folder')} cannot be read: ${detail(d, 'why', 'no reason given').replace(/\s+/g, ' ')}`,
    ),
    todo: 'Correct the file or move it away; it was not overwritten.',
  }),
  'host-cannot': messageAsWhat('Use the desktop window or the command line for it.'),
  'link-refused': messageAsWhat(
    'Only pages of registered instances are opened; copy the address if you trust it.',
  ),
  'path-refused': fixed(
    'A file or folder was named that was neither chosen here nor dropped on the window.',
    'Choose it by the button, or drop it on the window. On the command line any path can be named.',
  ),
  'confirmation-missing': fixed(
    'This destroys something and was not confirmed, or was confirmed more than a minute ago.',
    'Look again at what will be destroyed, and confirm. Nothing was changed.',
  ),
  'calls-too-many': fixed('The window asked for too much at once.', 'Wait a moment and try again.'),
  'page-not-built': messageAsWhat(
    'Run "npm run build" in the checkout; an installed Packhorse carries its window.',
  ),
  'page-disconnected': fixed(
    'The connection to Packhorse is lost.',
    'If Packhorse was stopped, start it again as before, and open the link that it prints.',
  ),
  'hook-failed': messageAsWhat(
    'Look at what it printed, and try it by hand as the user that runs Packhorse. The plan tries again at its next due time.',
  ),
  'plan-missing': messageAsWhat('Look at the plans that there are.', 'See "packhorse plan list".'),
  'migration-missing': messageAsWhat(
    'Look at the migrations that there are.',
    'See "packhorse migration list".',
  ),
  'migration-started': messageAsWhat(
    'Make another migration for what is to go elsewhere; what has moved stays where it is.',
  ),
  'migration-blocked': (d, message) => ({
    what: sentence(message),
    ...(d['lacksGroups'] === true
      ? {
          todo: 'Start it with the groups to be created, or create them on the target and check it again.',
          typed: 'That is "packhorse migration run --create-groups".',
        }
      : {
          todo: 'Check it, and remove each blocker or override it with a note.',
          typed: 'See "packhorse migration check".',
        }),
  }),
  'migration-differs': messageAsWhat(
    'Accept the losses, or confirm that the source is finished despite them.',
    'See "packhorse migration reconcile"; to finish all the same, add --despite-differences.',
  ),
  'failure-missing': messageAsWhat(
    'Look at the failures that are known.',
    'See "packhorse migration failures".',
  ),
  'attention-missing': messageAsWhat(
    'Look at the overview again. What says that data is not protected now cannot be dismissed.',
    'See "packhorse overview".',
  ),
  'job-missing': (d, message) => ({
    what: d['id'] === undefined ? sentence(message) : `There is no job "${detail(d, 'id', '?')}".`,
    todo: 'Look at the jobs that there are.',
    typed: 'See "packhorse job list".',
  }),
  'job-ended': messageAsWhat('Start a new one if it is still wanted.'),
  'job-busy': messageAsWhat('Try again when it has ended, or cancel it.', 'See "packhorse job list".'),
  interrupted: (d, message) => ({
    what: sentence(message),
    todo:
      d['unchanged'] === true
        ? 'Nothing was changed.'
        : 'Start the same command again; what was already stored or accepted is not done twice.',
  }),
  cancelled: (d) => ({
    what: d['unchanged'] === true ? 'Not confirmed.' : 'It was cancelled.',
    todo: d['unchanged'] === true ? 'Nothing was changed.' : 'Nothing incomplete was kept.',
  }),
  internal: messageAsWhat('This is a mistake in Packhorse. Please report it with the log file.'),
};

/** Returns the two sentences for an error. Every host shows these; the command line adds the command to type. */
export function errorText(error: ErrorData, host: 'window' | 'command-line' = 'window'): ErrorText {
  const { what, todo, typed } = rows[error.code](error.details, error.message);
  return { what, todo: host === 'window' || typed === undefined ? todo : `${todo} ${typed}` };
}
