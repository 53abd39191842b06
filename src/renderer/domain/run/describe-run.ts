import type { LeftOutReason, Run, RunMark } from '../../../contract/run-procedures.ts';

export const stateLabels: Readonly<Record<Run['state'], string>> = {
  made: 'Made',
  checked: 'Checked',
  sent: 'Sent',
  recorded: 'Recorded',
  empty: 'Empty',
};

export const leftOutLabels: Readonly<Record<LeftOutReason, string>> = {
  notDecided: 'Not decided as eligible, or partly',
  notKnown: 'Open amount not known',
  nothingOpen: 'Nothing open',
  inRun: 'In another run',
};

export const markLabels: Readonly<Record<RunMark, string>> = {
  removed: 'No longer on this computer',
  missing: 'No longer in the service',
  reopened: 'No longer decided as eligible, or partly',
  amount: 'Another amount is open',
};
