import { expect, it } from 'vitest';
import {
  criticalLoginProblems,
  fineLoginProblems,
  terminalValidationStates,
  validationStateSchema,
  warningLoginProblems,
} from '../../../src/contract/carrier-connections.ts';

it('has the states of docs/service.md, and knows the final ones', () => {
  expect(validationStateSchema.options).toHaveLength(8);
  expect(validationStateSchema.safeParse('STARTED').success).toBe(false);
  expect(new Set(terminalValidationStates).size).toBe(2);
  for (const state of terminalValidationStates) expect(validationStateSchema.options).toContain(state);
});

it('no login problem is of two kinds', () => {
  const all: readonly string[] = [...criticalLoginProblems, ...warningLoginProblems, ...fineLoginProblems];
  expect(new Set(all).size).toBe(13);
});
