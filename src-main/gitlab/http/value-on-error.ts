/** @file Turns errors into values where a refusal of the server says something. */
import { AppError, type ErrorCode } from '../../../src-contract/errors.ts';

/** Resolves with the value of the error's code instead of rejecting with the error; other errors pass. */
export async function valueOnError<T, V>(
  values: Partial<Record<ErrorCode, V>>,
  asked: Promise<T>,
): Promise<T | V> {
  try {
    return await asked;
  } catch (thrown) {
    const value = thrown instanceof AppError ? values[thrown.code] : undefined;
    if (value === undefined) throw thrown;
    return value;
  }
}
