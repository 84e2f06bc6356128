/** @file An attribute that an instance accepted and did not take, as on a tier that lacks it. */
import { z } from '../schema.ts';

export const notTakenSchema = z.object({ attribute: z.string(), asked: z.unknown(), is: z.unknown() });

export const notTakenSentence = ({ attribute, asked, is }: z.infer<typeof notTakenSchema>): string =>
  `The instance did not take "${attribute}": asked was ${JSON.stringify(asked)}, it is ${JSON.stringify(is ?? null)}.`;
