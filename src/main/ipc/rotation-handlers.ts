import type { Handlers } from '../../contract/procedures.ts';
import { type DeskState, spaceOf } from './desk-state.ts';
import type { RotationRunner } from './rotation-runner.ts';

type Names = 'rotation:begin' | 'rotation:get' | 'rotation:answer' | 'rotation:resume';

/** Rotation of a workspace's key, as windows and the command line ask for it. */
export function createRotationHandlers(state: DeskState, runner: RotationRunner): Handlers<Names> {
  return {
    'rotation:begin': async ({ workspaceId, type }) =>
      runner.begin(await spaceOf(state, workspaceId), workspaceId, type),
    'rotation:get': async ({ workspaceId }) => runner.get(await spaceOf(state, workspaceId), workspaceId),
    'rotation:answer': async ({ workspaceId, answer }) =>
      runner.answer(await spaceOf(state, workspaceId), workspaceId, answer),
    'rotation:resume': async ({ workspaceId }) =>
      runner.resume(await spaceOf(state, workspaceId), workspaceId),
  };
}
