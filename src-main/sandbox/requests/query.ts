/**
 * @file Reads query parameters like GitLab. Returns null for an absent parameter, and throws 400 for an invalid one.
 */
import type { FastifyRequest } from 'fastify';
import { parameterError } from './api-error.ts';

export function queryOf(request: FastifyRequest): URLSearchParams {
  const at = request.url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1));
}

/** Returns null if the text is neither yes nor no. */
export function parseBoolean(text: string): boolean | null {
  const lower = text.toLowerCase();
  if (['true', 't', '1', 'yes', 'y', 'on'].includes(lower)) return true;
  return ['false', 'f', '0', 'no', 'n', 'off'].includes(lower) ? false : null;
}

const given = (query: URLSearchParams, name: string): string | null => query.get(name) || null;

export function booleanOf(query: URLSearchParams, name: string): boolean | null {
  const text = given(query, name);
  const value = text === null ? null : parseBoolean(text);
  if (text !== null && value === null) throw parameterError(400, `${name} is invalid`);
  return value;
}

export function numberOf(query: URLSearchParams, name: string): number | null {
  const text = given(query, name);
  if (text !== null && !/^\d+$/.test(text)) throw parameterError(400, `${name} is invalid`);
  return text === null ? null : Number(text);
}

export function timeOf(query: URLSearchParams, name: string): number | null {
  const text = given(query, name);
  if (text === null) return null;
  const time = Date.parse(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(time)) throw parameterError(400, `${name} is invalid`);
  return time;
}

export function choiceOf<Choice extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const text = given(query, name);
  const choice = choices.find((word) => word === text) ?? null;
  if (text !== null && choice === null) throw parameterError(400, `${name} does not have a valid value`);
  return choice;
}

/** Returns the numbers of `name[]=1&name[]=2` or `name=1,2`. */
export function numbersOf(query: URLSearchParams, name: string): number[] {
  const texts = [...query.getAll(`${name}[]`), ...query.getAll(name).flatMap((text) => text.split(','))];
  return texts
    .filter((text) => text !== '')
    .map((text) => {
      if (!/^\d+$/.test(text)) throw parameterError(400, `${name} is invalid`);
      return Number(text);
    });
}

/** Returns a parameter as text; null when it is absent, blank or not a plain value. */
export function textParameter(parameters: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = parameters[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}
