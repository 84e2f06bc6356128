/** @file Turns errors into values if a refusal of the server is itself a result. */
import { AppError, type ErrorCode } from '../../../src-contract/errors.ts';

/** If the request fails with one of these error codes, resolves with the code's value. Rejects with any other error. */
export async function valueOnError<T, V>(
  values: Partial<Record<ErrorCode, V>>,
  request: Promise<T>,
): Promise<T | V> {
  try {
    return await request;
  } catch (thrown) {
    const value = thrown instanceof AppError ? values[thrown.code] : undefined;
    if (value === undefined) throw thrown;
    return value;
  }
}
