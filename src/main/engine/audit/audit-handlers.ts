import type { EngineHandlers } from '../../../contract/procedures.ts';
import { DeskError } from '../../lib/errors.ts';
import { writeOutput } from '../export/output-file.ts';
import type { EngineState } from '../state/engine-state.ts';

/** Answers the procedures about the audit log. */
export function createAuditHandlers(state: Pick<EngineState, 'audit' | 'forwarder' | 'main' | 'isReadOnly'>) {
  const { audit } = state;
  return {
    'audit:list': (page) => audit.list(page),
    'audit:verify': () => audit.verify(),
    'audit:readForwarding': async () => ({ forwarding: (await state.forwarder?.read()) ?? null }),
    'audit:accept': (seen) => {
      if (state.isReadOnly) throw new DeskError('profile.busy');
      return audit.accept(seen);
    },
    'audit:export': async ({ targetId }) => {
      const path = await state.main.resolveSaveTarget({ targetId, purpose: 'auditLog' });
      // The entry is written first, so that nothing is exported without one.
      await audit.append({ action: 'audit.exported', workspaceId: null, details: {} });
      return writeOutput(path, async (file) => {
        let entries = 0;
        for await (const lines of audit.readLines()) {
          entries += lines.length;
          await file.write(Buffer.from(lines.join(''), 'utf8'));
        }
        return { entries, sha256: file.readDigest().sha256 };
      });
    },
  } satisfies EngineHandlers;
}
