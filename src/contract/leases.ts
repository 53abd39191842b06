import { z } from 'zod';
import { done, inEngine, withoutRecords, workspaceRef } from './procedure-parts.ts';

const claimIds = z.array(z.int()).max(1_000);
/** A page of a window that shows a claim; random, so that each page gives back what it had open. */
const page = z.string().min(1).max(60);

/** How often a page tells that it still shows its claim. */
export const showEveryMs = 20_000;

/** Who of a team has which claim open. Without a team nobody has. */
export const leaseProcedures = {
  /** This page shows a claim; null: none any more. Nothing waits for the server. */
  'leases:show': inEngine(workspaceRef.extend({ page, claimId: z.int().nullable() }), done, withoutRecords),
  /**
   * Chooses what this page shows next: the first of these claims that nobody else has open, or decided since the list was
   * opened (`listedAt`, milliseconds since 1970). Where the server does not answer in time, the first that is free as far as
   * it is known here. `open`: how many were passed over because somebody else has them open.
   */
  'leases:next': inEngine(
    workspaceRef.extend({ page, claimIds, listedAt: z.number() }),
    z.object({ claimId: z.int().nullable(), open: z.int() }),
    withoutRecords,
  ),
  /**
   * Which of these claims others have open; a person's other computers are others as well. `isFirst`: they opened it before
   * anybody else who has it open.
   */
  'leases:list': inEngine(
    workspaceRef.extend({ claimIds }),
    z.object({ leases: z.array(z.object({ claimId: z.int(), email: z.string(), isFirst: z.boolean() })) }),
    withoutRecords,
  ),
} as const;
