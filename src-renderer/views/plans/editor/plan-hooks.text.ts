/** @file Texts about the programs before and after the runs of a plan, and its heartbeat. */
export const hookText = {
  title: 'Before and after a run',
  warning: 'A program set here runs with your rights',
  warningText:
    'The program runs at each run of the plan, even unattended. Choose only a program that nobody else can change. It is started without a shell and receives no token.',
  readOnly: 'Programs cannot be changed from a browser',
  readOnlyText:
    'They run with the rights of the user that runs Packhorse. Use the desktop window, or “packhorse plan edit” on that machine. Saving this form does not change them.',
  before: 'Before each run',
  after: 'After each run, with any outcome',
  none: 'No program.',
  program: 'Program',
  choose: 'Choose a program…',
  chooseOther: 'Choose another…',
  remove: 'Run no program',
  arguments: 'Arguments',
  argumentsHint: 'One per line, passed on unchanged. They are stored as plain text.',
  timeLimit: 'Time limit in seconds',
  ifFails: 'If it fails',
  skip: 'Skip the run and mark it as failed',
  run: 'Run anyway, with a warning',
  heartbeat: 'Heartbeat',
  heartbeatTarget: (origin: string) =>
    origin.startsWith('http:')
      ? `Sent to ${origin}, not encrypted: anyone on the network path can read the address.`
      : `Sent to ${origin}.`,
  heartbeatAddress: 'Address to request after each successful run',
  newHeartbeatAddress: 'New address',
  heartbeatHint:
    'The address of a monitoring service such as Healthchecks. The address is stored in the keychain.',
  heartbeatRemove: 'Remove the heartbeat',
} as const;
