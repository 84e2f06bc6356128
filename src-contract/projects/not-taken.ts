/**
 * @file An attribute that an instance accepted and did not apply, as on a tier that lacks it.
 */

export interface IgnoredAttribute {
  attribute: string;
  asked: unknown;
  is: unknown;
}

export const ignoredAttributeSentence = ({ attribute, asked, is }: IgnoredAttribute): string =>
  `The instance did not take "${attribute}": asked was ${JSON.stringify(asked)}, it is ${JSON.stringify(is ?? null)}.`;
