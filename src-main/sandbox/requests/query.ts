/** @file Reads query parameters like GitLab: all text, validated, with `true`, `1` and `t` meaning yes. */
import type { FastifyRequest } from 'fastify';
import { invalid } from './api-error.ts';

export function queryOf(request: FastifyRequest): URLSearchParams {
  const at = request.url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1));
}

/** Returns yes or no for a parameter's text; null when it is neither. */
export function booleanIn(text: string): boolean | null {
  const lower = text.toLowerCase();
  if (['true', 't', '1', 'yes', 'y', 'on'].includes(lower)) return true;
  return ['false', 'f', '0', 'no', 'n', 'off'].includes(lower) ? false : null;
}

/** Returns null when the parameter is absent; throws 400 for a value other than yes or no. */
export function booleanOf(query: URLSearchParams, name: string): boolean | null {
  const text = query.get(name);
  if (text === null || text === '') return null;
  const value = booleanIn(text);
  if (value === null) throw invalid(400, `${name} is invalid`);
  return value;
}

/** Returns the number in a parameter, or null when it is absent; throws 400 for another value. */
export function numberOf(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null || text === '') return null;
  if (!/^\d+$/.test(text)) throw invalid(400, `${name} is invalid`);
  return Number(text);
}

/** Returns epoch milliseconds of a date or time, or null when it is absent; throws 400 for another value. */
export function timeOf(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null || text === '') return null;
  const time = Date.parse(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(time)) throw invalid(400, `${name} is invalid`);
  return time;
}

/** Returns one of a few words, or null when the parameter is absent; throws 400 for another value. */
export function choiceOf<Choice extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const text = query.get(name);
  if (text === null || text === '') return null;
  const choice = choices.find((word) => word === text);
  if (choice === undefined) throw invalid(400, `${name} does not have a valid value`);
  return choice;
}

/** Returns the numbers of `name[]=1&name[]=2` or `name=1,2`. */
export function numbersOf(query: URLSearchParams, name: string): number[] {
  const texts = [...query.getAll(`${name}[]`), ...query.getAll(name).flatMap((text) => text.split(','))];
  return texts
    .filter((text) => text !== '')
    .map((text) => {
      if (!/^\d+$/.test(text)) throw invalid(400, `${name} is invalid`);
      return Number(text);
    });
}

/** Returns a parameter as text; null when it is absent, blank or not a plain value. */
export function textIn(parameters: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = parameters[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}
