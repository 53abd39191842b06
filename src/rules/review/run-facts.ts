import { z } from 'zod';

/** Events of a reimbursement run, whose ID is that of its `run` event. The amount of each claim is with the claim. */
export const runFactSchemas = [
  /**
   * Claims with an open amount are put into a run, each with what was open of it then; and claims of the same members of
   * which something is owed back, with an amount below zero, by which the run pays the member less.
   */
  z.object({
    kind: z.literal('run'),
    name: z.string().trim().min(1).max(80),
    /** What it is paid from, or by: a text of the person. */
    account: z.string().trim().max(200).default(''),
    /** How many claims it had then, and their sum in ten-thousandths of a dollar: claims may be removed later. */
    claims: z.int().min(1),
    amount: z.int(),
    /** It holds what differs from what was sent, also amounts below zero that no other claim of the member covers. */
    corrections: z.literal(true).optional(),
  }),
  /** Somebody looked at the run before it is sent. */
  z.object({ kind: z.literal('runChecked'), run: z.string().max(60) }),
  /** Its claims were sent to whoever pays; with the file, where one was made. */
  z.object({
    kind: z.literal('runSent'),
    run: z.string().max(60),
    file: z.object({ name: z.string().max(255), sha256: z.string().max(64) }).nullable(),
  }),
  /**
   * Claims leave the run: whoever pays rejected them, or a person left them out. `reason` null: it is with each claim.
   * Where a claim was recorded as reimbursed, that is reversed by the same event.
   */
  z.object({
    kind: z.literal('runLeft'),
    run: z.string().max(60),
    reason: z.string().trim().min(1).max(1000).nullable(),
  }),
] as const;

/**
 * The state of a claim in a run. `left`: it was rejected or left out; `inOther`: it never was in the run, because
 * another computer had put it into a run before. The first three are open: the claim can be in one such run only.
 */
export const runStates = ['made', 'checked', 'sent', 'recorded', 'left', 'inOther'] as const;
export type RunState = (typeof runStates)[number];

export const isOpenIn = (state: RunState): boolean =>
  state === 'made' || state === 'checked' || state === 'sent';

export const runStateLabels: Readonly<Record<RunState, string>> = {
  made: 'Made',
  checked: 'Checked',
  sent: 'Sent',
  recorded: 'Recorded',
  left: 'Left out',
  inOther: 'In another run',
};

/** A run of one claim, as computed from the claim's events. */
export const claimRunSchema = z.object({
  /** The ID of the run. */
  id: z.string(),
  name: z.string(),
  /** Ten-thousandths of a dollar. */
  amount: z.int(),
  state: z.enum(runStates),
  /** With `left`: why. With `inOther`: the ID of that run. */
  reason: z.string().nullable(),
  /** With `left`: whoever pays rejected it. */
  isRejected: z.literal(true).optional(),
  /** It paid another claim that had the ID before: what tells that claim. */
  ofEarlier: z.string().optional(),
});
export type ClaimRun = z.infer<typeof claimRunSchema>;

/** The open run that a claim is in: what it is paid by then. */
export const findOpenRun = <Of extends Pick<ClaimRun, 'state'>>(runs: readonly Of[]): Of | undefined =>
  runs.find(({ state }) => isOpenIn(state));

/** The field for filtering claims by their run; it has no column. */
export const runField = 'run';
const idLength = 36;
/** A run as the value of a filter, which shows its name. */
export const writeRunFilter = (id: string, name: string): string => `${id} ${name}`;

export const readRunFilter = (text: string): { id: string; name: string } => ({
  id: text.slice(0, idLength),
  name: text.slice(idLength + 1),
});
