import { fineLoginProblems } from '../../../contract/carrier-connections.ts';
import type { Flow, HolderNews, Outcome } from './validation-state.ts';

/** Ends only the watching: the validation continues at the service. */
export function giveUp(flow: Flow): Flow {
  return { ...flow, outcome: 'unknown', taskToken: null, step: { kind: 'rest' } };
}

/** The end, by the last state: `SUCCESS` alone is not the end (docs/service.md, "Validation"). */
export function end(flow: Flow): Flow {
  const hasProblem = flow.loginProblem !== null && !isFine(flow.loginProblem);
  let outcome: Outcome = 'connected';
  if (flow.state === 'FAILURE') outcome = 'failed';
  else if (flow.credentialsAreValid === false || hasProblem) outcome = 'attention';
  else if (flow.isPending) outcome = 'provisional';
  return { ...flow, outcome, taskToken: null, step: { kind: 'rest' } };
}

/** The end, where only the policy holder can tell: all null is not success. */
export function endByHolder(flow: Flow, holder: HolderNews): Flow {
  const { loginProblem, lastSuccessAt } = holder;
  let outcome: Outcome = 'unknown';
  if (loginProblem !== null && !isFine(loginProblem)) outcome = 'attention';
  else if (flow.credentialsAreValid === false) outcome = 'attention';
  else if (flow.credentialsAreValid || lastSuccessAt !== null || loginProblem === 'valid')
    outcome = 'connected';
  return { ...flow, loginProblem, outcome, taskToken: null, step: { kind: 'rest' } };
}

const isFine = (problem: string): boolean => (fineLoginProblems as readonly string[]).includes(problem);
