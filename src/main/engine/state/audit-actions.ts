import type { AuditAction, AuditRecord } from '../../../contract/audit.ts';
import { logFailure } from '../../lib/log-failure.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { EnginePorts } from '../engine-ports.ts';

type OpenedList = 'members' | 'dependents' | 'claims';

/** Writes audit entries about actions in a workspace; there are none about the sample. */
export interface AuditActions {
  auditAction(workspaceId: string, action: AuditAction, details: AuditRecord['details']): Promise<void>;
  /** Writes the entry after the answer was sent; a failure is logged. */
  auditLater(workspaceId: string, make: () => Promise<Pick<AuditRecord, 'action' | 'details'>>): void;
  /** Records after the answer that a record was opened, once a day for each record. */
  auditOpened(workspaceId: string, list: OpenedList, recordId: number): void;
}

export function createAuditActions(
  { clock, host, log }: Pick<EnginePorts, 'clock' | 'host' | 'log'>,
  audit: AuditLog,
): AuditActions & { /** Waits for entries that are being written. */ settled(): Promise<unknown> } {
  const writing = new Set<Promise<void>>();
  const later = (act: () => Promise<void>): void => {
    const running = act()
      .catch((thrown) => logFailure(log, 'store.auditFailed', thrown))
      .finally(() => writing.delete(running));
    writing.add(running);
  };
  const isReal = async (workspaceId: string): Promise<boolean> =>
    !(await host.findWorkspace(workspaceId)).workspace.isSample;
  /** The records that were opened on the day that began at `since`. */
  let opened = { since: '', records: new Set<string>() };
  return {
    async auditAction(workspaceId, action, details) {
      if (await isReal(workspaceId)) await audit.append({ action, workspaceId, details });
    },
    auditLater(workspaceId, make) {
      later(async () => {
        if (await isReal(workspaceId)) await audit.append({ workspaceId, ...(await make()) });
      });
    },
    auditOpened(workspaceId, list, recordId) {
      const day = new Date(clock.now());
      day.setHours(0, 0, 0, 0);
      const since = day.toISOString();
      if (opened.since !== since) opened = { since, records: new Set() };
      const { records } = opened;
      const record = `${workspaceId} ${list} ${recordId}`;
      if (records.has(record)) return;
      records.add(record);
      later(async () => {
        try {
          if (!(await isReal(workspaceId))) return;
          const details = { list, recordId };
          await audit.append({ action: 'record.opened', workspaceId, details }, { onceSince: since });
        } catch (thrown) {
          records.delete(record);
          throw thrown;
        }
      });
    },
    settled: () => Promise.all(writing),
  };
}
