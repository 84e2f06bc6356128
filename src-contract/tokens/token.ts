/** @file The noun *token*: a personal access token as an instance lists it, always without its secret. */
import type { z } from '../schema.ts';
import type * as schemas from './token-schema.ts';

export type PersonalAccessToken = z.output<typeof schemas.tokenSchema>;
export type ListedToken = z.output<typeof schemas.listedTokenSchema>;
export type TokenFilter = z.output<typeof schemas.tokenFilterSchema>;
export type TokenInput = z.output<typeof schemas.tokenInputSchema>;
export type TokenResult = z.output<typeof schemas.tokenResultSchema>;

/** The tokens that Packhorse uses for an instance: the one in use, and a spare of the same user for safe rotation. */
export const tokenSlots = ['main', 'spare'] as const;
export type TokenSlot = (typeof tokenSlots)[number];
