import { createHash } from 'node:crypto';
import type { Handlers } from '../../../contract/procedures.ts';
import { openAtomicFile } from '../../lib/atomic-file.ts';
import { DeskError } from '../../lib/errors.ts';
import { toExportError } from '../export/export-error.ts';
import type { EngineState } from './engine-state.ts';

type Names = 'audit:list' | 'audit:verify' | 'audit:accept' | 'audit:export';

/** Answers the procedures about the audit log: list, verify, export. */
export function createAuditHandlers(
  state: Pick<EngineState, 'audit' | 'host' | 'isReadOnly'>,
): Handlers<Names> {
  const { audit } = state;
  return {
    'audit:list': (page) => audit.list(page),
    'audit:verify': () => audit.verify(),
    'audit:accept': (seen) => {
      if (state.isReadOnly) throw new DeskError('profile.busy');
      return audit.accept(seen);
    },
    'audit:export': async ({ targetId }) => {
      const path = await state.host.resolveSaveTarget({ targetId, purpose: 'auditLog' });
      // The entry is written first: without it, nothing is exported.
      await audit.append({ action: 'audit.exported', workspaceId: null, details: {} });
      const digest = createHash('sha256');
      let entries = 0;
      try {
        const file = await openAtomicFile(path);
        try {
          for await (const lines of audit.readLines()) {
            const text = lines.join('');
            digest.update(text);
            entries += lines.length;
            await file.write(text);
          }
          await file.commit();
        } catch (thrown) {
          await file.abort();
          throw thrown;
        }
      } catch (thrown) {
        throw toExportError(thrown);
      }
      return { entries, sha256: digest.digest('hex') };
    },
  };
}
