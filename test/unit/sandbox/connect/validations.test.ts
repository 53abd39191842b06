import { describe, expect, it } from 'vitest';
import { SandboxClock } from '../../../../src/sandbox/clock.ts';
import type { Connection } from '../../../../src/sandbox/connect/realm.ts';
import { DEFAULT_SETTINGS } from '../../../../src/sandbox/connect/settings.ts';
import { planFor } from '../../../../src/sandbox/connect/test-carriers.ts';
import { Validations } from '../../../../src/sandbox/connect/validations.ts';

const connection = (): Connection => ({
  id: 1,
  uuid: 'u',
  payerId: 16,
  memberId: 2,
  username: 'dana',
  loginProblem: 'invalid',
  correctionMessage: 'Again, please.',
  lastCrawlEnd: null,
  createdDate: '2026-11-20T12:00:00Z',
  taskId: null,
});

const carrier = { hasTwoFactor: true, restsAfterCode: false };

function start(username: string, { restsAfterCode } = carrier) {
  const clock = new SandboxClock(20_777);
  const validations = new Validations(clock, () => DEFAULT_SETTINGS);
  const held = connection();
  const { isFast, ...plan } = planFor(username, { hasTwoFactor: true, restsAfterCode });
  return { clock, validations, held, task: validations.start(held, plan, isFast) };
}

describe('Validations', () => {
  it('follows the server’s clock: setting it moves them along, reporting each state in between', () => {
    const { clock, validations, task } = start('single');
    const told: string[] = [];
    validations.subscribe(task, ({ state }) => told.push(state));
    clock.setSkewSeconds(10);
    validations.clockMoved();
    expect(told).toEqual(['STARTED', 'TRIGGERING_TWO_FACTOR_AUTH', 'WAITING_FOR_TWO_FACTOR_CODE']);
    clock.setSkewSeconds(3600);
    validations.clockMoved();
    expect(told.at(-1)).toBe('FAILURE');
  });

  it('a clock set back does not undo what has happened', () => {
    const { clock, validations, task } = start('single');
    clock.setSkewSeconds(10);
    expect(validations.find(task.id)?.validation.state).toBe('WAITING_FOR_TWO_FACTOR_CODE');
    clock.setSkewSeconds(-3600);
    validations.clockMoved();
    expect(validations.find(task.id)?.validation.state).toBe('WAITING_FOR_TWO_FACTOR_CODE');
  });

  it('updates its connection at the end, only as long as no newer one runs on it', () => {
    const { clock, validations, held, task } = start('single');
    expect([held.taskId, held.loginProblem]).toEqual([task.id, null]);
    const { isFast, ...plan } = planFor('invalid', carrier);
    const newer = validations.start(held, plan, isFast);
    expect(validations.find(task.id)?.validation.state).toBe('FAILURE');
    expect([held.taskId, held.loginProblem]).toEqual([newer.id, null]);
    clock.setSkewSeconds(10);
    validations.clockMoved();
    expect([held.taskId, held.loginProblem]).toEqual([null, 'invalid']);
    expect(held.correctionMessage).toMatch(/enter them again/);
  });

  it.each([
    ['dana', null, 'valid'],
    ['hanging', 'its task', null],
  ])(
    '%s rests after the code; the connection then has the task %s and the problem %s',
    (name, taskId, problem) => {
      const { clock, validations, held, task } = start(`single-${name}`, {
        ...carrier,
        restsAfterCode: true,
      });
      clock.setSkewSeconds(10);
      validations.clockMoved();
      validations.answer(task, { kind: 'code', code: '123456' });
      clock.setSkewSeconds(20);
      validations.clockMoved();
      clock.setSkewSeconds(3_600);
      validations.clockMoved();
      expect(validations.find(task.id)?.validation.state).toBe('TWO_FACTOR_AUTH_COMPLETE');
      expect([held.taskId, held.loginProblem]).toEqual([taskId && task.id, problem]);
    },
  );

  it('fast has ended when the submit is answered', () => {
    const { held, task } = start('fast');
    expect([task.validation.state, held.taskId]).toEqual(['SUCCESS', null]);
  });

  it('a watcher that stops, even twice, does not affect others', () => {
    const { clock, validations, task } = start('single');
    const told: string[] = [];
    const stop = validations.subscribe(task, () => told.push('first'));
    stop();
    validations.subscribe(task, ({ state }) => told.push(state));
    stop();
    clock.setSkewSeconds(1);
    validations.clockMoved();
    expect(told).toEqual(['STARTED']);
  });

  it('forgets the oldest that have ended, never a running one', () => {
    const { validations, held, task } = start('single');
    const { isFast, ...plan } = planFor('fast', carrier);
    for (let n = 0; n < 10_050; n += 1) validations.start({ ...held, taskId: null }, plan, isFast);
    expect(validations.list().length).toBeLessThanOrEqual(10_001);
    expect(validations.find(task.id)).toBe(task);
  });

  it('an answer that nothing waits for changes nothing and says so', () => {
    const { validations, task } = start('dana');
    expect(validations.answer(task, { kind: 'code', code: '123456' })).toBe(false);
    expect(task.validation.state).toBe('PENDING');
  });
});
