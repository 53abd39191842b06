import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { describeFinding } from '../../../src/contract/doctor.ts';
import { revoke } from '../../../src/main/engine/team/change-members.ts';
import { diagnoseTeam } from '../../../src/main/engine/team/diagnose-team.ts';
import { DeskError } from '../../../src/main/lib/errors.ts';
import { createCertificateMaker } from '../../../src/sandbox/tls/make-certificates.ts';
import { openTeam } from '../../support/open-team.ts';
import { decisionOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';

/** Longer than any answer takes: only a stream that is held is not waited for. */
const limits = { answerMs: 60_000, streamMs: 60_000 };
async function diagnose({ sessionOf, ports }: Member, streamMs = limits.streamMs): Promise<string[]> {
  const { client } = await sessionOf();
  const findings = Object.values(await diagnoseTeam(client, ports.clock.now, { ...limits, streamMs }));
  for (const one of findings) expect(describeFinding(one).status).not.toBe('failed');
  return findings.map(({ code }) => code);
}
const [connected, right, open] = ['team.connected', 'team.clockRight', 'team.streamOpen'];
const alone = (code: string) => [code, 'step.notTried', 'step.notTried'];

test('the doctor reports whether a team’s server answers, the clocks agree, and the stream arrives', async () => {
  const { members, clock } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  expect(await diagnose(ana)).toEqual([connected, right, open]);
  ana.network.chunk = () => undefined;
  expect(await diagnose(ana, 300)).toEqual([connected, right, 'team.streamHeld']);
  const behind = await diagnoseTeam((await ben.sessionOf()).client, () => clock.nowMs - 300_000, limits);
  expect(describeFinding(behind.teamClock).sentence).toContain('differs by 300 seconds');
  await revoke(ana.ports, await ana.sessionOf(), { computer: ben.computer });
  expect(await diagnose(ben)).toEqual(alone('team.notMember'));
});

test('it says why a server can’t be used: no answer, a certificate, another program, a full disk, a policy', async () => {
  const { members, close } = await openTeam('ana');
  const [ana] = members;
  const say = async (thrown: DeskError) => {
    ana.network.before = async () => {
      throw thrown;
    };
    const codes = await diagnose(ana);
    delete ana.network.before;
    return codes;
  };
  expect(await say(new DeskError('service.nameUnknown'))).toEqual(alone('team.nameUnknown'));
  expect(await say(new DeskError('service.tlsRefused'))).toEqual(alone('team.badCertificate'));
  expect(await say(new DeskError('service.certificateAhead'))).toEqual(alone('team.clockRefused'));
  expect(await say(new DeskError('service.timeout'))).toEqual(alone('team.noConnection'));
  const answer = (status: number, body: string) => {
    ana.network.reply = (reply) => ({ ...reply, status, body: new TextEncoder().encode(body) });
  };
  const error = (code: string) => JSON.stringify({ error: { code, message: 'It is so.' } });
  answer(200, '<html>Sign in</html>');
  expect(await diagnose(ana)).toEqual(alone('team.otherAnswer'));
  answer(502, '<html>Bad gateway</html>');
  expect(await diagnose(ana)).toEqual(alone('team.otherAnswer'));
  answer(507, error('store.full'));
  expect(await diagnose(ana)).toEqual(alone('team.troubled'));
  answer(404, error('request.notFound'));
  expect(await diagnose(ana)).toEqual(alone('team.otherVersion'));
  delete ana.network.reply;
  const { getTeamToken } = ana.ports.main;
  Object.assign(ana.ports.main, {
    getTeamToken: () => Promise.reject(new DeskError('team.serverNotAllowed')),
  });
  expect(await diagnose(ana)).toEqual(alone('team.notAllowed'));
  await close();
  Object.assign(ana.ports.main, { getTeamToken });
  expect(await diagnose(ana)).toEqual(alone('team.noConnection'));
});

test('a server whose certificate is not trusted gets no token and no entry, and is reported', async () => {
  const { members } = await openTeam('ana');
  const [ana] = members;
  const { issue } = await createCertificateMaker();
  const { key, cert } = await issue('unknown-authority');
  const asked: string[] = [];
  const impostor = createServer({ key, cert }, ({ url = '' }, response) => {
    asked.push(url);
    response.end();
  });
  await new Promise<void>((resolve) => void impostor.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void impostor.close());
  const { port } = impostor.address() as AddressInfo;
  ana.network.route = ({ pathname }) => new URL(`https://localhost:${port}${pathname}`);
  await ana.act([1], decisionOf('eligible'));
  await expect(ana.exchange()).rejects.toMatchObject({ code: 'team.unreachable' });
  expect(await diagnose(ana)).toEqual(alone('team.badCertificate'));
  expect(asked).toEqual([]);
  delete ana.network.route;
  await ana.exchange();
  expect(ana.unsent()).toBe(0);
});
