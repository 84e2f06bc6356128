/** @file Calls that change a project on its instance. */
import { idSchema, referenceSchema, textSchema } from '../ids-schema.ts';
import { attributesSchema, requestedChangeSchema } from '../projects/change-schema.ts';
import { attributeUses } from '../projects/project-attributes.ts';
import { z } from '../schema.ts';

const startedJobSchema = z.object({ runId: idSchema, jobId: idSchema });

export const projectCalls = {
  /**
   * Starts one change as a job; see `ChangeResult`. `project` is a full path or an id; for `create`, the new full path
   * or its last part alone. `delete` requires a `confirmation` from `host.confirm`.
   */
  'project.change': {
    request: z.object({
      instance: referenceSchema,
      project: referenceSchema,
      change: requestedChangeSchema,
      confirmation: textSchema.nullable().default(null),
    }),
    reply: startedJobSchema,
  },
  /** Returns the attributes as they would be sent. Throws like `checkAttributes` for invalid ones. Sends no request. */
  'project.checkAttributes': {
    request: z.object({ use: z.enum(attributeUses), attributes: attributesSchema }),
    reply: z.object({ attributes: attributesSchema }),
  },
} as const;
