import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { DeskBridge } from '../../../contract/bridge.ts';
import { formatPersonName } from '../../../rules/person-names.ts';
import type { Condition, Row } from '../../../rules/query.ts';
import { fieldsOfReason } from '../../../rules/worklists/worklist-reasons.ts';
import { fullNameOf, type WorklistId, worklistQuery } from '../../../rules/worklists/worklist-table.ts';
import { Amount } from '../../components/amount.tsx';
import { Hint } from '../../components/text.tsx';
import { worklistClaimsList } from '../../domain/list/list-ref.ts';
import { readFirstRows } from '../../domain/list/read-first-rows.ts';
import { sayClaimReason } from '../../domain/worklist/say-claim-reason.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import styles from './start-page.module.css';
import { useOpenInWorklist } from './use-open-in-worklist.ts';

const shownClaims = 12;

const isOpen: Condition = { field: 'facts.open', operator: 'moreThan', values: [0] };

/** The worklists that the next claims come from: reminders that are due, then deadlines of what is open, then the largest open amounts. */
const sources: readonly { readonly id: WorklistId; readonly only?: Condition }[] = [
  { id: 'back' },
  { id: 'due', only: isOpen },
  { id: 'toDecide' },
];

/** A claim of the page, with the worklist that it is shown for and its position there, from 0. */
interface NextClaim {
  readonly claimId: number;
  readonly worklistId: WorklistId;
  readonly at: number;
  readonly row: Row;
}

/** The first claims of these worklists, each claim once. @throws DeskError `store.*`, `query.*` */
async function readNext(bridge: DeskBridge, workspaceId: string): Promise<NextClaim[]> {
  const found = new Map<number, NextClaim>();
  for (const { id: worklistId, only } of sources) {
    if (found.size >= shownClaims) break;
    const rows = await readFirstRows(bridge, {
      workspaceId,
      query: worklistQuery(worklistId, only && [only]),
      limit: shownClaims,
      fields: [...new Set(['id', 'patient_name', 'facts.open', ...fieldsOfReason(worklistId)])],
      isLookup: true,
    });
    for (const [at, row] of rows.entries()) {
      const claimId = Number(row.id);
      if (!found.has(claimId)) found.set(claimId, { claimId, worklistId, at, row });
    }
  }
  return [...found.values()].slice(0, shownClaims);
}

/** The claims to work on first. Each opens in its worklist, so that the next one of it follows. */
export function NextClaims({ workspaceId, today }: { workspaceId: string; today: string }) {
  const bridge = useBridge();
  const open = useOpenInWorklist(workspaceId);
  const { data } = useQuery({
    queryKey: ['worklists', workspaceId, 'next claims', today],
    queryFn: () => readNext(bridge, workspaceId),
  });
  if (data?.length === 0) return <Hint>No claim is due, and none is to be decided.</Hint>;
  return (
    <ul className={styles.next}>
      {data?.map(({ claimId, worklistId, at, row }) => (
        <li key={claimId}>
          <Link
            to="/claims/$claimId"
            params={{ claimId }}
            search={{ list: worklistClaimsList(worklistId), at }}
            className={styles.claim}
            onClick={(event) => {
              event.preventDefault();
              open(worklistId, async (source) => ({
                claimId,
                at: (await source.findNear(claimId, at)) ?? at,
              }));
            }}
          >
            <b>{typeof row.patient_name === 'string' ? formatPersonName(row.patient_name) : 'No patient'}</b>
            <span className={styles.number}>Claim {claimId}</span>
            <span className={styles.why}>
              {fullNameOf(worklistId)}: {sayClaimReason(worklistId, row, today)}
            </span>
            <span className={styles.amount}>
              <Amount value={row['facts.open'] ?? null} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
