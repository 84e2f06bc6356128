/**
 * @file An attribute that an instance accepted and did not apply, as on a tier that lacks it.
 */

export interface NotTaken {
  attribute: string;
  asked: unknown;
  is: unknown;
}

export const notTakenSentence = ({ attribute, asked, is }: NotTaken): string =>
  `The instance did not take "${attribute}": asked was ${JSON.stringify(asked)}, it is ${JSON.stringify(is ?? null)}.`;
