import { afterAll, beforeAll } from 'vitest';
import { type Sandbox, startSandbox } from './start-sandbox.ts';

/** The sandbox of a test file: started before its tests, which is when it is filled in, and stopped after them. */
export function givenSandbox(...args: string[]): Sandbox {
  const sandbox = {} as Sandbox;
  beforeAll(async () => {
    Object.assign(sandbox, await startSandbox(...args));
  });
  afterAll(async () => sandbox.stop?.());
  return sandbox;
}
