/** @file The options of `packhorse sandbox` for the kind of server, and their conversion to options of the sandbox. */
import { InvalidArgumentError } from 'commander';
import type { openSandbox } from '../../../services/sandbox/embedded-sandbox.ts';
import { integerParser, omitUndefined } from '../terminal/options.ts';
import type { AppCommand } from './app-command.ts';

type SandboxOptions = Parameters<typeof openSandbox>[0];

/** Sizes are in bytes. */
export interface ServerOptions extends Pick<
  SandboxOptions,
  | 'tier'
  | 'maxImportSize'
  | 'maxExportSize'
  | 'maxAttachmentSize'
  | 's3Endpoint'
  | 'allowHttpImports'
  | 'allowLocalRequests'
  | 'showsFailureMessages'
> {
  gitlabVersion?: string;
  disable?: NonNullable<SandboxOptions['disabledFeatures']>;
  deletion?: keyof typeof deletionPolicies;
  objectStorage?: SandboxOptions['hasObjectStorage'];
  previousExport?: SandboxOptions['earlierExportPolicy'];
  tokenExpiry: boolean;
}

const deletionPolicies = {
  delayed: { delayed: true },
  'delayed-only': { delayed: true, immediateAllowed: false },
  immediate: { delayed: false },
} as const satisfies Record<string, SandboxOptions['deletion']>;

const maxMebibytes = 1_000_000;
const sizeOption = (
  flag: string,
  what: string,
): [flags: string, text: string, parse: (text: string) => number] => [
  `${flag} <MiB>`,
  `${what}; 0 for no limit`,
  (text) => integerParser(0, maxMebibytes)(text) * 2 ** 20,
];

export function addServerOptions(command: AppCommand): AppCommand {
  return command
    .choiceOption(
      '--tier <tier>',
      'subscription; attributes that it lacks are accepted and ignored (default: premium)',
      ['free', 'premium', 'ultimate'],
    )
    .option(
      '--gitlab-version <version>',
      'the GitLab release that it reports, such as 17.2.0-ee',
      parseVersion,
    )
    .choiceOption('--disable <features...>', 'what its administrators have turned off', [
      'export',
      'import',
      'remote-import',
      'relation-import',
      'repository-import',
    ])
    .option(...sizeOption('--max-import-size', 'largest archive that it imports'))
    .option(...sizeOption('--max-export-size', 'largest project that it exports'))
    .option(...sizeOption('--max-attachment-size', 'largest upload to a project (default: 100)'))
    .option(
      '--s3-endpoint <url>',
      "address of the object storage for imports (default: Amazon's)",
      parseOrigin,
    )
    .option('--object-storage', 'redirect downloads of exports to another origin')
    .option('--allow-http-imports', 'also import archives from http:// addresses (the default)', true)
    .option('--no-allow-http-imports', 'import archives from https:// addresses only, as real servers do')
    .option('--allow-local-requests', 'call addresses of this machine itself (the default)', true)
    .option('--no-allow-local-requests', 'refuse to call addresses of this machine, as real servers do')
    .choiceOption(
      '--deletion <how>',
      'delayed: marked, deleted after 30 days; delayed-only: never earlier; immediate: deleted at once (default: by tier and release)',
      Object.keys(deletionPolicies),
    )
    .choiceOption(
      '--previous-export <how>',
      'what happens to the previous file when another export is requested (default: kept)',
      ['kept', 'removed'],
    )
    .option(
      '--failure-messages',
      'report in failed_relations why a record was refused; real servers hide the reason since 13.0',
    )
    .option('--no-token-expiry', 'let tokens without an expiry date never expire');
}

/** Returns the sandbox's own options; those that were not typed keep their defaults. */
export function serverOptions(options: ServerOptions): Partial<SandboxOptions> {
  const { gitlabVersion, disable, deletion, objectStorage, previousExport, tokenExpiry, ...others } = options;
  return {
    ...others,
    ...omitUndefined({
      version: gitlabVersion,
      disabledFeatures: disable,
      hasObjectStorage: objectStorage,
      earlierExportPolicy: previousExport,
      deletion: deletion && deletionPolicies[deletion],
    }),
    tokensMustExpire: tokenExpiry,
  };
}

function parseVersion(text: string): string {
  if (/^\d{1,3}\.\d{1,3}\.\d{1,3}(?:-[ce]e)?$/.test(text)) return text;
  throw new InvalidArgumentError('Give a release of GitLab, such as 17.2.0-ee.');
}

function parseOrigin(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.origin;
  throw new InvalidArgumentError('Give an address that begins with http:// or https://.');
}
