import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { opened, openTestAudit, testAuditKey } from '../../support/audit-log.ts';
import { runUntilKilled } from '../../support/killed-program.ts';
import { certificates, collect, openReceiver } from '../../support/siem-receiver.ts';

const supportFile = (name: string) => fileURLToPath(new URL(`../../support/${name}`, import.meta.url));
const program = ['--import', supportFile('kill-at-step.ts'), supportFile('forward-program.ts')];

test.each(['https', 'syslog+tls'] as const)(
  'killed at every step of forwarding by %s, no entry is skipped',
  async (kind) => {
    const audit = openTestAudit();
    // Two batches.
    for (let id = 1; id <= 250; id += 1) await audit.log.append(opened(id));
    await audit.close();
    const { caPem } = await certificates;
    const cursor = join(audit.folder, 'audit-forwarded.json');
    let killed = 0;
    for (let step = 1; ; step += 1) {
      rmSync(cursor, { force: true });
      const receiver = await openReceiver(kind);
      const run = (killStep: number) => {
        vi.stubEnv('CLAIMDESK_KILL_STEP', String(killStep));
        const args = [audit.filePath, testAuditKey, cursor, receiver.address, caPem];
        return runUntilKilled([...program, ...args], null);
      };
      const { isDone } = await run(step);
      const before = receiver.received.length;
      if (!isDone) expect((await run(0)).isDone).toBe(true);
      const { entries, again } = collect(receiver.received);
      expect(receiver.faults).toEqual([]);
      expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
      // What arrives twice is the batch at which it was killed, and the entry with which the program begins again.
      const [firstAgain = 0] = again;
      expect(before === 0 || isDone || firstAgain > before - 201).toBe(true);
      await receiver.stop();
      if (isDone) break;
      killed += 1;
    }
    expect(killed).toBeGreaterThan(10);
  },
);
