import { z } from 'zod';
import { done, inEngine, withoutRecords, workspaceRef } from './procedure-parts.ts';

const claimIds = z.array(z.int()).max(1_000);
/** A page of a window that shows a claim; random, so that each page gives back what it had open. */
const page = z.string().min(1).max(60);

/** How often a page that shows a claim sends a heartbeat. */
export const showEveryMs = 20_000;

/** The procedures for who in a team has which claim open. Without a team, no claim has an entry. */
export const leaseProcedures = {
  /** This page shows a claim; null: it shows none. Nothing waits for the server. */
  'leases:show': inEngine(workspaceRef.extend({ page, claimId: z.int().nullable() }), done, withoutRecords),
  /**
   * Chooses what this page shows next: the first of these claims that no one else has open, or has decided
   * since the list was opened (`listedAt`, milliseconds since 1970). If the server does not answer in time,
   * uses what is known here. `open`: the number of claims skipped because others have them open.
   */
  'leases:next': inEngine(
    workspaceRef.extend({ page, claimIds, listedAt: z.number() }),
    z.object({ claimId: z.int().nullable(), open: z.int() }),
    withoutRecords,
  ),
  /**
   * Returns which of these claims others have open, including the user on other computers. `isFirst`: they
   * opened it before everyone else who has it open.
   */
  'leases:list': inEngine(
    workspaceRef.extend({ claimIds }),
    z.object({ leases: z.array(z.object({ claimId: z.int(), email: z.string(), isFirst: z.boolean() })) }),
    withoutRecords,
  ),
} as const;
