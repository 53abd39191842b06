import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isReason } from '../../../contract/export.ts';
import type { EngineHandlers } from '../../../contract/procedures.ts';
import type { TeamVerdict } from '../../../contract/team.ts';
import { DeskError } from '../../lib/errors.ts';
import { checkExportPolicy } from '../export/check-export-policy.ts';
import { removeLeftovers, writeOutput } from '../export/output-file.ts';
import type { EngineState } from '../state/engine-state.ts';
import { createLogChecker } from './check-log.ts';
import { createLeftOutFilter } from './leave-out.ts';
import { type LogLine, logLineSchema } from './log-lines.ts';
import type { TeamSession } from './team-ports.ts';

type State = Pick<EngineState, 'main' | 'clock' | 'policy' | 'auditAction' | 'maskSsns' | 'getStore'>;

/** Answers the procedures that check the log of a team and write it to a file. */
export function createTeamLogHandlers(
  state: State,
  sessionOf: (workspaceId: string) => Promise<TeamSession>,
) {
  const { checkCertificate } = state.main;
  const checkerOf = ({ log }: TeamSession) => {
    const { number, hash } = log.state.position;
    return createLogChecker({ checkCertificate, known: number === 0 ? null : { number, hash } });
  };
  const now = (): string => new Date(state.clock.now()).toISOString();
  return {
    'team:verify': async ({ workspaceId }) => {
      const session = await sessionOf(workspaceId);
      const checker = checkerOf(session);
      for await (const line of session.readLog(now())) if (!(await checker.take(line))) break;
      return checker.end();
    },
    'team:export': async ({ workspaceId, targetId, reason = '' }) => {
      checkExportPolicy(state.policy, { isSsnShown: false, reason });
      if (!isReason(reason)) throw new DeskError('export.reasonMissing');
      const path = await state.main.resolveSaveTarget({ targetId, purpose: 'teamLog' });
      const session = await sessionOf(workspaceId);
      const { team } = session;
      await removeLeftovers(path, state.clock.now());
      return writeOutput(path, async (file) => {
        const checker = checkerOf(session);
        const store = await state.getStore(workspaceId);
        const findLeftOut = createLeftOutFilter(store, (value) => state.maskSsns(workspaceId, value));
        for await (const line of session.readLog(now(), findLeftOut)) {
          const goesOn = await checker.take(line);
          await file.write(Buffer.from(`${JSON.stringify(line)}\n`, 'utf8'));
          if (!goesOn) break;
        }
        const verdict = checker.end();
        const { bytes, sha256 } = file.readDigest();
        const { entries, isWhole } = verdict;
        await state.auditAction(workspaceId, 'team.exported', { team, entries, isWhole, sha256, reason });
        return { verdict, bytes, sha256 };
      });
    },
  } satisfies EngineHandlers;
}

/**
 * Checks an exported log using only its own content.
 * @throws DeskError `team.notALog`
 */
export async function verifyTeamFile(
  path: string,
  { checkCertificate }: Pick<State['main'], 'checkCertificate'>,
): Promise<TeamVerdict> {
  const checker = createLogChecker({ checkCertificate });
  const input = createReadStream(path, 'utf8');
  let number = 0;
  const read = (text: string): LogLine => {
    number += 1;
    try {
      return logLineSchema.parse(JSON.parse(text));
    } catch {
      // The cause's message is left out, because it quotes what was read.
      throw new DeskError('team.notALog', { details: { line: number } });
    }
  };
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
      if (!(await checker.take(read(text)))) break;
  } catch (thrown) {
    throw thrown instanceof DeskError ? thrown : new DeskError('team.notALog');
  } finally {
    input.destroy();
  }
  return checker.end();
}
