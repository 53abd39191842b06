import { setTimeout as wait } from 'node:timers/promises';
import type { DoctorFinding } from '../../../contract/doctor.ts';
import type { FindingCode } from '../../../contract/doctor-findings.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import type { AuditForwarder } from './forward-audit.ts';

const limitMs = 3_500;

const codeOfError: Readonly<Record<string, FindingCode>> = {
  'audit.targetUntrusted': 'auditTarget.untrusted',
  'audit.targetRefused': 'auditTarget.refused',
};

/**
 * Finds whether the audit target accepts entries, by sending the newest one again. Nothing is found where the log is
 * empty. Never rejects.
 */
export async function diagnoseTarget(forwarder: Pick<AuditForwarder, 'check'>): Promise<DoctorFinding[]> {
  const began = performance.now();
  const find = (code: FindingCode): DoctorFinding[] => [
    { id: 'auditTarget', code, durationMs: Math.round(performance.now() - began), facts: {}, shown: {} },
  ];
  try {
    const late = wait(limitMs, null, { ref: false });
    const isSent = await Promise.race([forwarder.check(), late]);
    if (isSent === null) throw new DeskError('audit.targetUnreachable');
    return isSent ? find('auditTarget.accepted') : [];
  } catch (thrown) {
    return find(codeOfError[toDeskError(thrown).code] ?? 'auditTarget.unreachable');
  }
}
