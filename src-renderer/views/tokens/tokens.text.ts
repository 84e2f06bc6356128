/** @file Texts about the tokens of an instance: list, scopes, rotation, revocation, and the requests sent with them. */
import { rotationDays } from '../../../src-contract/tokens/rotation-days.ts';
import type { TokenSlot } from '../../../src-contract/tokens/token.ts';
import { formatDate, formatNumber } from '../../kit/format.ts';

/** A scope in words; GitLab's own name is shown next to it. */
const scopes: Readonly<Record<string, string>> = {
  api: 'Do everything the account may do: back up, import, change',
  read_api: 'Read everything the account may see',
  read_user: 'Read the profile of the account',
  read_repository: 'Clone and pull code',
  write_repository: 'Push code',
  read_registry: 'Pull container images',
  write_registry: 'Push container images',
  read_virtual_registry: 'Pull from virtual registries',
  write_virtual_registry: 'Push to virtual registries',
  create_runner: 'Register runners',
  manage_runner: 'Manage runners',
  ai_features: 'Use GitLab’s assistant',
  k8s_proxy: 'Access Kubernetes clusters through GitLab',
  self_rotate: 'Rotate itself',
  read_service_ping: 'Read usage data of the instance',
  sudo: 'Act as any user',
  admin_mode: 'Use the rights of an administrator',
};

export const tokensText = {
  subtitle: 'Personal access tokens of an account: what each can do, and until when it works.',
  instance: 'Instance',
  noInstanceTitle: 'No instance yet',
  noInstanceText: 'Add a GitLab server with a token; its other tokens are then listed here.',
  addInstance: 'Add an instance',
  anonymousTitle: 'This instance is used without an account',
  anonymousText: 'It has no tokens: public projects can be read, and nothing can be changed.',

  showAll: 'Show its tokens',
  list: 'Tokens of the account',
  listAdministrator: 'Tokens of all users',
  table: 'Tokens',
  emptyTitle: 'No token matches',
  emptyText: 'Remove a filter to see other tokens.',
  filters: 'Token filters',
  search: 'Search by name',
  state: 'State',
  states: { any: 'Any state', active: 'Works', inactive: 'Does not work' },
  revokedFilter: 'Revoked or not',
  revokedAny: 'Revoked or not',
  revokedYes: 'Revoked',
  revokedNo: 'Not revoked',
  moreFilters: 'Filter by dates and user',
  moreFiltersOwn: 'Filter by dates',
  createdAfter: 'Created from',
  createdBefore: 'Created until',
  lastUsedAfter: 'Used from',
  lastUsedBefore: 'Used until',
  user: 'User',
  userHint: 'ID or username. If empty, all users.',
  userWrong: 'Enter a username, or the number that GitLab shows as the user ID.',
  clearFilters: 'Clear filters',
  showMore: 'Show more',
  columns: {
    name: 'Name',
    state: 'State',
    expires: 'Expires',
    lastUsed: 'Last used',
    capabilities: 'Scopes',
  },

  slots: { main: 'In use', spare: 'Spare' } satisfies Record<TokenSlot, string>,
  slotHints: {
    main: 'Packhorse uses it for this instance.',
    spare: 'Packhorse keeps it to replace the one in use safely.',
  } satisfies Record<TokenSlot, string>,
  working: 'Works',
  revoked: 'Revoked',
  expired: 'Expired',
  notWorking: 'Does not work',
  expiresSoon: 'Expires soon',
  never: 'Never',
  noExpiry: 'Never',

  capabilities: 'What it can do',
  scopeUnknown: 'A scope that Packhorse does not know',
  detailsTitle: 'About the token',
  id: 'ID',
  description: 'Description',
  userId: 'User ID',
  created: 'Created',
  lastUsed: 'Last used',
  expires: 'Expires',
  scope: (name: string) => scopes[name] ?? tokensText.scopeUnknown,

  inUse: 'The token in use',
  noExpiryLong: 'It has no expiry date.',
  expiresIn: (day: string, distance: string) => `Expires on ${day}, ${distance}.`,

  stopsTitle: 'What stops when it expires',
  stopsNothing: 'Nothing in Packhorse: this is not the token in use.',
  affectedByHand: 'Backups and imports that you start',
  affectedPlan: (plan: string, scheduleWords: string) => `The plan ${plan}, ${scheduleWords}`,
  affectedPlanOff: (plan: string, scheduleWords: string) =>
    `The plan ${plan}, ${scheduleWords}, which is switched off now`,
  stopsFrom: (day: string) => `This would fail from ${formatDate(day)}:`,
  stopsNever: 'It has no expiry date, so nothing stops.',
} as const;

export const rotationText = {
  rotate: 'Replace…',
  rotateTitle: {
    main: (instance: string) => `Replace the token in use of ${instance}?`,
    spare: (instance: string) => `Replace the spare token of ${instance}?`,
  } satisfies Record<TokenSlot, (instance: string) => string>,
  rotateEffect:
    'GitLab creates a new token with the same name and scopes and revokes this one at once. Packhorse stores the new one instead; it is never shown.',
  otherUsesStop: 'Anything else that uses this token stops working.',
  withSpare:
    'The other token is available. If GitLab’s reply is lost, Packhorse uses it to find and replace the new token.',
  noSpareTitle: 'There is no spare token',
  noSpareText:
    'GitLab shows a new token once. If its reply is lost, the new token is lost permanently, and this instance is paused until you enter another one. A spare token of the same user prevents that.',
  addSpare: 'Add a spare token first…',
  noKeychainTitle: 'There is no keychain',
  noKeychainText:
    'A new token cannot be stored safely here, so none is requested. Create one on the instance and enter it.',
  expiresOn: 'Expiry of the new token',
  expiresHint: 'If empty, the new token is valid as long as the current one, at most a year.',
  expiresWrong: 'Choose a day from tomorrow to a year from now.',
  confirm: 'Replace the token',

  revoke: 'Revoke…',
  revokeTitle: (name: string) => `Revoke the token “${name}”?`,
  revokeEffect: 'Anything that uses it stops working at once. Projects and archives are not changed.',
  slotWarning: {
    main: 'This is the token in use: the instance is then paused until you enter another one.',
    spare: 'This is the spare token: without it, the token in use can no longer be replaced safely.',
  } satisfies Record<TokenSlot, string>,
  revokeConfirm: 'Revoke the token',

  job: { rotate: 'Replacing the token', revoke: 'Revoking the token' },
  rotated: (day: string | null) =>
    day === null
      ? 'The token is replaced.'
      : `The token is replaced; the new one expires on ${formatDate(day)}.`,
  revokedDone: 'The token is revoked.',
  showJob: 'Show the job',
  jobDismiss: 'Done',

  lostTitle: 'A new token is needed',
  lostText: (name: string, day: string | null) =>
    `GitLab replaced the token “${name}”, but its reply with the new one was lost. Nobody knows the new token${day === null ? '' : `, which works until ${formatDate(day)}`}. This instance is paused.`,
  lostTokenHint: (id: number) => `Revoke the lost token on GitLab: its ID is ${id}.`,
  lostFound: 'The lost token still works on GitLab. You can revoke it here.',
  lostPage: 'Open the tokens on the instance',
  enterToken: 'Enter a new token…',

  spare: 'Spare token',
  spareStored: (day: string | null) =>
    day === null
      ? 'Stored; it has no expiry date, or none is known.'
      : `Stored; it expires on ${formatDate(day)}.`,
  spareNone: 'None. With a spare token, the token in use can be replaced without the risk of losing it.',
  spareAdd: 'Add a spare token…',
  spareChange: 'Use another…',
  spareForget: 'Forget it',
  spareRemoved: 'The spare token was removed here. It still works on GitLab.',
  spareEntry: {
    title: (instance: string) => `Spare token of ${instance}`,
    description:
      'A second token of the same user, with the scope “api”. Packhorse uses it only to replace the one in use, and to find a new one if the reply was lost.',
    field: 'Spare token',
    hint: 'The token is sent to Packhorse once, checked, never shown again and never written to a plain file.',
    missing: 'Paste the token.',
    save: 'Check and keep it',
  },
  spareSaved: (name: string) => `The token “${name}” is stored as the spare token.`,

  automatic: 'Replace automatically before it expires',
  automaticHint: 'Off unless you switch it on. The spare token is also replaced, in its own run.',
  automaticNoKeychain: 'There is no usable keychain here, so a new token could not be kept.',
  automaticNoSpare:
    'There is no spare token: if GitLab’s reply is lost, the new token is lost with it, and this instance is paused until you enter another one.',
  days: 'Days before',
  daysHint: 'From 1 to 90.',
  daysWrong: `Enter a whole number from ${rotationDays.min} to ${rotationDays.max}.`,
  automaticOn: (days: number) =>
    `Tokens are replaced automatically ${days === 1 ? 'a day' : `${formatNumber(days)} days`} before they expire.`,
  automaticOff: 'Tokens are no longer replaced automatically.',
} as const;

export const requestsText = {
  title: 'Requests that changed something',
  show: 'Show the last requests that changed something',
  showJob: 'Show the requests that this job sent to change something',
  none: 'None has been sent.',
  noneOfJob: 'The job sent none.',
  storageNote: 'Each request is stored without its contents and without secrets.',
  columns: { when: 'When', method: 'Method', path: 'Path', status: 'Reply', job: 'Job' },
  noReply: 'No reply',
  noJob: 'None',
  showOfJob: 'Show',
  jobOf: (id: string) => `Show job ${id}`,
  more: 'Show more',
  capped: (count: number) => `Only the last ${formatNumber(count)} are shown here; all are stored.`,
} as const;

/** Texts for a new token that no keychain keeps: the user receives it outside the page. */
export const handOverText = {
  title: (name: string) => `Replace the token “${name}”?`,
  replaceEffect:
    'GitLab creates a new token with the same name and scopes and revokes this one at once. Packhorse gives you the new one once, outside this window, and stores it nowhere.',
  confirm: 'Replace the token',
  cannotDeliverTitle: 'This window cannot give you the new token',
  cannotDeliverText:
    'The token is shown once, and never in a browser page. The command line writes it to a file that only you can read.',
  done: (day: string | null) =>
    day === null
      ? 'The token is replaced. You have the new one.'
      : `The token is replaced. You have the new one, which expires on ${formatDate(day)}.`,
} as const;

/** Settings of an instance: with or without an account, whether anything may be changed there, and the connection. */
export const instanceSettingsText = {
  show: 'Instance settings',
  readOnly: 'Read only: change nothing there',
  readOnlyHint: 'Packhorse also refuses exports and imports, because each changes something on the instance.',
  readOnlyAnonymous: 'Without an account nothing can be changed anyway.',
  nowReadOnly: 'Nothing can be changed there now.',
  nowWritable: 'Changes are allowed again.',
  proxy: 'Proxy for this instance',
  proxyHint:
    'Address that requests to this instance go through, for example http://proxy.example.com:3128, without a password. The proxy is tested first. If empty, the proxy of the settings is used.',
  proxySave: 'Test and use it',
  proxySaved: 'The proxy setting of this instance is saved.',
  badgeReadOnly: 'Read only',
  badgeAnonymous: 'Without an account',

  anonymous: 'Without an account',
  anonymousHint: 'Public projects only, and nothing can be changed there. No token is needed.',
} as const;
