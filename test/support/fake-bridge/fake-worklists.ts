import type { EngineProcedureName, Handlers } from '../../../src/contract/procedures.ts';
import type { ClaimRecord } from '../../../src/contract/records.ts';
import { type WorklistId, worklistIds } from '../../../src/contract/worklists.ts';

const counts: Partial<Record<WorklistId, number>> = {
  new: 86,
  changed: 3,
  ready: 41,
  waiting: 4,
  denied: 12,
  pending: 7,
  amountsDisagree: 2,
  duplicates: 2,
};

/** Worklists by their counts alone, and two claims that look like one. */
export function createFakeWorklists(
  claims: () => readonly ClaimRecord[],
): Partial<Handlers<EngineProcedureName>> {
  return {
    'worklists:counts': () => ({
      day: '2026-02-01',
      isCurrent: true,
      worklists: worklistIds.map((id) => ({
        id,
        claims: claims().length === 0 ? 0 : (counts[id] ?? 0),
        patientResponsibility: (counts[id] ?? 0) * 412_300,
      })),
      pending: { days30: 7, days60: 3, days90: 1 },
      connections: claims().length === 0 ? 0 : 1,
      feedWarning: null,
    }),
    'worklists:update': () => ({ isDone: true }),
    'worklists:report': () => ({
      done: [
        { day: '2026-02-01', outcome: 'eligible', claims: 31, reopened: 1 },
        { day: '2026-02-01', outcome: 'noAction', claims: 4, reopened: 0 },
        { day: '2026-01-31', outcome: 'partlyEligible', claims: 6, reopened: 2 },
      ],
      reimbursed: [
        { employerId: 2, planYear: '2026', claims: 18, eligible: 24_507_500, reimbursed: 11_200_000 },
        { employerId: 2, planYear: '2025', claims: 44, eligible: 61_000_000, reimbursed: 61_000_000 },
      ],
    }),
    'worklists:why': () => ({ worklists: [] }),
    'duplicates:of': ({ claimId }) => {
      const other = claims().find(({ id }) => id !== claimId);
      if (other === undefined) return { pairs: [] };
      const field = (name: string, label: string, left: string | number, right: string | number) => ({
        field: name,
        label,
        left,
        right,
        agrees: left === right,
      });
      return {
        pairs: [
          {
            left: Math.min(claimId, other.id),
            right: Math.max(claimId, other.id),
            kind: 'suspected',
            payableTwice: 357_500,
            judged: null,
            fingerprint: 'a',
            fields: [
              field('patient_name', 'Patient', 'EDWARDS, MARGARET', 'EDWARDS, MARGARET'),
              field('service_provider', 'Provider', 'Lakeside Clinic', 'Lakeside Clinic'),
              field('amount_billed', 'Billed', 180, 212.5),
              field('patient_responsibility', 'Patient responsibility', 35.75, 35.75),
              field('status', 'Status', 'Processed', 'Adjusted'),
            ],
          },
        ],
      };
    },
  };
}
