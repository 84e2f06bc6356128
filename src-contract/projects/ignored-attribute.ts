/** @file An attribute that an instance accepted and did not apply, for example because its tier lacks it. */
import type { z } from '../schema.ts';
import type * as schemas from './ignored-attribute-schema.ts';

export type IgnoredAttribute = z.output<typeof schemas.ignoredAttributeSchema>;

export const ignoredAttributeSentence = ({ attribute, asked, is }: IgnoredAttribute): string =>
  `The instance ignored "${attribute}": the requested value was ${JSON.stringify(asked)}, the current one is ${JSON.stringify(is ?? null)}.`;
