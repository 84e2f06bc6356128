/** @file Declares the GitLab requests of a command for its help and for `docs/coverage.md`. */
import type { Command } from 'commander';
import {
  endpointOf,
  operation,
  type RequiredAccess,
  type Operation,
  type OperationId,
} from '../../../../src-contract/operations.ts';

/** Adds the GitLab operations of a command, and what each requires, to its help. Returns the command. */
export function addOperationsHelp<T extends Command>(command: T, ...ids: readonly OperationId[]): T {
  const rows = ids.map(operation);
  const width = Math.max(...rows.map((row) => endpointOf(row).length));
  const lines = rows.map((row) => `  ${endpointOf(row).padEnd(width)}  ${requirementsText(row)}`);
  return command.addHelpText('after', ['', 'GitLab requests:', ...lines].join('\n'));
}

const requiredAccessTexts: Record<RequiredAccess, string> = {
  anyone: 'for everybody',
  'signed-in': 'with a token',
  reader: 'for everyone who can see the project',
  maintainer: 'at least the role Maintainer',
  owner: 'at least the role Owner',
  administrator: 'for administrators',
};

const requirementsText = ({ requiredAccess, since, tier }: Operation): string =>
  [
    requiredAccessTexts[requiredAccess],
    ...(since === undefined ? [] : [`since GitLab ${since}`]),
    ...(tier === undefined ? [] : ['Premium or Ultimate only']),
  ].join(', ');
