/** @file Checks that a request is plain data of limited size and depth, before any schema sees it. Pure. */
import { AppError } from '../../../src-contract/errors.ts';

/** The maximum size of a request as text; bytes. */
export const maxRequestBytes = 1_000_000;
const maxDepth = 32;
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** Throws `invalid-input` for a request that is not plain data. Undefined counts as plain, like in Electron's IPC. */
export function checkPlainRequest(request: unknown): void {
  let bytesLeft = maxRequestBytes;
  const spend = (bytes: number): void => {
    bytesLeft -= bytes;
    if (bytesLeft < 0) throw new AppError('invalid-input', `A request has at most ${maxRequestBytes} bytes.`);
  };

  const check = (value: unknown, depth: number): void => {
    if (depth > maxDepth)
      throw new AppError('invalid-input', `A request is at most ${maxDepth} levels deep.`);
    // Every value counts at least one byte, so that neither holes nor empty values are free.
    spend(1);
    if (typeof value === 'string') spend(Buffer.byteLength(value));
    else if (typeof value === 'number') spend(8);
    else if (Array.isArray(value))
      for (let index = 0; index < value.length; index++) check(value[index], depth + 1);
    else if (typeof value === 'object' && value !== null) checkObject(value, depth);
    else if (typeof value !== 'boolean' && value !== undefined && value !== null) refuse(typeof value);
  };

  const checkObject = (object: object, depth: number): void => {
    if (!isPlain(object)) refuse(Object.prototype.toString.call(object));
    for (const key of Reflect.ownKeys(object)) {
      if (typeof key === 'symbol') refuse('a symbol');
      if (forbiddenKeys.has(key))
        throw new AppError('invalid-input', `A request must not have the key "${key}".`);
      spend(Buffer.byteLength(key));
      check((object as Record<string, unknown>)[key], depth + 1);
    }
  };

  check(request, 0);
}

function refuse(what: string): never {
  throw new AppError('invalid-input', `A request must be plain data, but it contains ${what}.`);
}

function isPlain(object: object): boolean {
  const prototype = Object.getPrototypeOf(object) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
