import { z } from 'zod';

/** A made-up member who is already in the sample, with their connections: the fields of the bootstrap and of its reply. */
export const samplePersonSchema = z.object({
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  systemKey: z.string(),
  vendor: z.string(),
  memberSystemKey: z.string().nullable(),
  employer: z.object({ id: z.number(), name: z.string(), supportEmail: z.string().nullable() }),
  tenant: z.object({ id: z.number(), name: z.string() }),
  connections: z.array(
    z.object({
      id: z.number(),
      payerId: z.number(),
      payerName: z.string(),
      payerGroupId: z.number().nullable(),
      username: z.string(),
      loginProblem: z.string().nullable(),
      correctionMessage: z.string().nullable(),
      lastCrawlEnd: z.string().nullable(),
      createdDate: z.string(),
      claimsSynced: z.number(),
      newestClaimOn: z.string().nullable(),
    }),
  ),
});
export type SamplePerson = z.infer<typeof samplePersonSchema>;
