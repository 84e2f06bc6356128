/** @file The error of a command whose arguments or options do not fit together, although each value is valid. */
import { AppError } from '../../../../src-contract/errors.ts';

export const misused = (message: string): AppError =>
  new AppError('invalid-input', message, { details: { wrong: 'options' } });
