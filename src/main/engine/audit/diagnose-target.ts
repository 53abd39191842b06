import { setTimeout as wait } from 'node:timers/promises';
import { type DoctorFinding, finding } from '../../../contract/doctor.ts';
import type { FindingCode } from '../../../contract/doctor-steps.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import type { AuditForwarder } from './forward-audit.ts';

const limitMs = 3_500;

const codeOfError: Readonly<Record<string, FindingCode>> = {
  'audit.targetUntrusted': 'auditTarget.untrusted',
  'audit.targetRefused': 'auditTarget.refused',
};

/**
 * Finds out whether the audit target accepts entries by resending the newest one. Finds nothing if the log is empty.
 * Never rejects.
 */
export async function diagnoseTarget(
  forwarder: Pick<AuditForwarder, 'check'>,
): Promise<DoctorFinding | null> {
  const began = performance.now();
  const find = (code: FindingCode): DoctorFinding =>
    finding('auditTarget', code, { tookMs: performance.now() - began });
  try {
    const late = wait(limitMs, null, { ref: false });
    const isSent = await Promise.race([forwarder.check(), late]);
    if (isSent === null) throw new DeskError('audit.targetUnreachable');
    return isSent ? find('auditTarget.accepted') : null;
  } catch (thrown) {
    return find(codeOfError[toDeskError(thrown).code] ?? 'auditTarget.unreachable');
  }
}
