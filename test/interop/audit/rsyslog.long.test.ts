import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createUndiciTransport } from '../../../src/main/engine/service/undici-transport.ts';
import { createLog } from '../../../src/team-server/log.ts';
import { findClosedPort } from '../../integration/doctor/odd-servers.ts';
import { opened, openTestAudit } from '../../support/audit-log.ts';
import { certificates, collect, openReceiver, type Received } from '../../support/siem-receiver.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

/** The part of a document that shows a configuration, with these texts in place of others. */
function readShown(
  document: string,
  begin: string,
  ...replaced: readonly (readonly [string, string])[]
): string {
  const text = readFileSync(document, 'utf8');
  const at = text.indexOf(begin);
  const shown = text.slice(at, text.indexOf('```', at));
  return replaced.reduce((changed, [before, after]) => {
    expect(changed).toContain(before);
    return changed.replaceAll(before, after);
  }, shown);
}

/** An rsyslog of its own, with a configuration that is made for its folder. */
async function openRsyslog(configure: (folder: string) => string) {
  const folder = makeTempFolder();
  const at = (name: string): string => join(folder, name);
  const maker = await certificates;
  const { key, cert } = await maker.issue('good');
  for (const [name, text] of Object.entries({ 'ca.pem': maker.caPem, 'key.pem': key, 'cert.pem': cert }))
    writeFileSync(at(name), text);
  writeFileSync(at('rsyslog.conf'), `global(workDirectory="${folder}")\n${configure(folder)}`);
  // A copy: on Ubuntu a rule of AppArmor for the path of the system's own lets it read no other folder.
  copyFileSync('/usr/sbin/rsyslogd', at('rsyslogd'));
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    child = spawn(at('rsyslogd'), ['-n', '-f', at('rsyslog.conf'), '-i', at('pid')], { stdio: 'ignore' });
    await vi.waitFor(() => expect(existsSync(at('pid'))).toBe(true), { timeout: 20_000, interval: 50 });
  };
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  await start();
  onTestFinished(stop);
  return { folder, caPem: maker.caPem, start, stop };
}

test('rsyslog that is stopped, for an hour and again and again in the middle, loses nothing', async () => {
  const port = await findClosedPort();
  const rsyslog = await openRsyslog((folder) =>
    readShown(
      'docs/security.md',
      'global(defaultNetstreamDriver',
      ['/etc/rsyslog.d/', `${folder}/`],
      ['port="6514"', `address="127.0.0.1" port="${port}"`],
      ['/var/log/', `${folder}/`],
    ),
  );
  const read = (): Received[] =>
    readFileSync(join(rsyslog.folder, 'claimdesk-audit.jsonl'), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Received);
  const { transport, close } = createUndiciTransport({});
  const audit = openTestAudit({
    address: `syslog+tls://127.0.0.1:${port}`,
    transport,
    readTrusted: () => [rsyslog.caPem],
  });
  onTestFinished(close);
  let last = 0;
  const append = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      last += 1;
      await audit.log.append(opened(last));
    }
  };
  const arrived = () =>
    vi.waitFor(() => expect(collect(read()).entries.at(-1)?.seq).toBe(last), {
      timeout: 40_000,
      interval: 100,
    });
  await append(5);
  await arrived();
  await vi.waitFor(async () => expect(await audit.forwarder?.readThrough()).toBe(5));
  await rsyslog.stop();
  const stoppedMs = audit.now();
  while (audit.now() < stoppedMs + 3_600_000) {
    await append(1);
    await wait(100);
  }
  expect(await audit.forwarder?.read()).toMatchObject({
    ...{ through: 5, failing: { code: 'audit.targetUnreachable' } },
  });
  await rsyslog.start();
  await arrived();
  expect(collect(read()).again).toEqual([]);

  for (let round = 0; round < 8; round += 1) {
    const appending = append(40);
    await wait(40 * round);
    await rsyslog.stop();
    await appending;
    await rsyslog.start();
  }
  await arrived();
  const { entries } = collect(read());
  expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: last }, (_, index) => index + 1));
});

test('the log of the team server gets to a SIEM as the page shows it, also after that was away', async () => {
  const siem = await openReceiver('syslog+tls');
  onTestFinished(() => siem.stop().catch(() => undefined));
  const { port } = new URL(siem.address);
  const rsyslog = await openRsyslog(
    (folder) =>
      `module(load="imuxsock" sysSock.use="off")\ninput(type="imuxsock" socket="${folder}/log")\n${readShown(
        'docs/team-server.md',
        'if $programname ==',
        ['siem.example.com', 'localhost'],
        ['6514', port],
        ['/etc/ssl/certs/ca-certificates.crt', `${folder}/ca.pem`],
      )}`,
  );
  /** Writes a line as systemd passes the server's on, by the name in its unit. */
  const log = createLog(
    {
      write: (line: string) => {
        const options = ['--socket', join(rsyslog.folder, 'log'), '--tag', 'claimdesk-team-server'];
        execFileSync('logger', options, { input: line });
        return true;
      },
    },
    () => Date.UTC(2026, 10, 28, 14),
  );
  const arrived = (event: string) =>
    vi.waitFor(() => expect(siem.messages.at(-1)).toContain(`"event":"${event}"`), { timeout: 40_000 });
  log('refused', { code: 'token.expired', route: 'POST /entries', status: 401 });
  await arrived('refused');
  expect(siem.messages[0]).toMatch(
    /^<\d+>1 \S+ \S+ claimdesk-team-server - - - +\{"time":"2026-11-28T14:00:00.000Z","event":"refused",/,
  );
  await rsyslog.stop();
  await rsyslog.start();
  log('started');
  await arrived('started');
});
