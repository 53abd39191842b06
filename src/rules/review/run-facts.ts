import { z } from 'zod';

/**
 * The state of a claim in a run. `left`: it was rejected or left out; `inOther`: it was never in the run, because
 * another computer had added it to an earlier one. The first three are open: a claim can be in only one such run.
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

export const claimRunSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Ten-thousandths of a dollar. */
  amount: z.int(),
  state: z.enum(runStates),
  /** The reason with `left`, or the ID of the other run with `inOther`. */
  reason: z.string().nullable(),
  /** Whether the payer rejected it; only with `left`. */
  isRejected: z.literal(true).optional(),
  /** It paid another claim that had the ID before; this identifies that claim. */
  ofEarlier: z.string().optional(),
});
export type ClaimRun = z.infer<typeof claimRunSchema>;

/** The open run that a claim is in, which pays it. */
export const findOpenRun = <Of extends Pick<ClaimRun, 'state'>>(runs: readonly Of[]): Of | undefined =>
  runs.find(({ state }) => isOpenIn(state));
