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
  awaitsCorrection: 'A correction is in process',
  notStanding: 'Replaced, reversed, gone, or not clear how it relates to others',
  inRun: 'In another run',
};

export const markLabels: Readonly<Record<RunMark, string>> = {
  removed: 'No longer on this computer',
  missing: 'No longer in the service',
  notStanding: 'Replaced, reversed, or gone: leaves the run when it is checked or sent',
  reopened: 'No longer decided as eligible, or partly',
  amount: 'Another amount is open',
};
