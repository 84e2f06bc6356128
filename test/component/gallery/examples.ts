/** @file Contents of the gallery's samples. */
import type { ErrorData } from '../../../src-contract/errors.ts';

export const exampleError: ErrorData = {
  code: 'connection-refused',
  message: 'connect ECONNREFUSED 10.0.0.12:443',
  retry: 'later',
  details: { host: 'gitlab.example.com', port: 443 },
};

export interface ExampleRow {
  path: string;
  instance: string;
  backupStatus: 'current' | 'changed' | 'never' | 'failed';
  bytes: number;
  at: number;
}

const statusCounts = ['current', 'current', 'changed', 'never', 'current', 'failed'] as const;

/** A table row generated from its index. */
export function exampleRow(index: number): ExampleRow {
  return {
    path: `group-${index % 37}/subgroup/project-${index}`,
    instance: index % 3 === 0 ? 'work' : 'home',
    backupStatus: statusCounts[index % statusCounts.length] ?? 'current',
    bytes: (index * 7_919_123) % 4_000_000_000,
    at: Date.UTC(2026, 10, 20) - index * 3_600_000,
  };
}
