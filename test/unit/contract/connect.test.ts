import { expect, it } from 'vitest';
import {
  criticalLoginProblems,
  fineLoginProblems,
  terminalValidationStates,
  validationStateSchema,
  waitingValidationStates,
  warningLoginProblems,
} from '../../../src/contract/connect.ts';

it('has the states of docs/service.md, and tells apart those that end and those that wait', () => {
  expect(validationStateSchema.options).toHaveLength(8);
  expect(validationStateSchema.safeParse('STARTED').success).toBe(false);
  const special = [...terminalValidationStates, ...waitingValidationStates];
  expect(new Set(special).size).toBe(4);
  for (const state of special) expect(validationStateSchema.options).toContain(state);
});

it('no login problem is of two kinds', () => {
  const all: readonly string[] = [...criticalLoginProblems, ...warningLoginProblems, ...fineLoginProblems];
  expect(new Set(all).size).toBe(13);
});
