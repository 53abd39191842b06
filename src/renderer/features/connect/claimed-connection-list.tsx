import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { SmallPrint } from '../../components/text.tsx';
import { formatDateTime } from '../../lib/format-date.ts';
import { formatCountOf } from '../../lib/format-value.ts';
import styles from './connect.module.css';
import type { ClaimedConnection } from './connections-of-claims.ts';
import { StateMark } from './state-mark.tsx';

/** Connections that are known from claims alone: their state is not, and is not guessed. */
export function ClaimedConnectionList(props: {
  connections: readonly ClaimedConnection[];
  actions: (policyHolderId: number, name: string) => ReactNode;
}) {
  return (
    <ul className={styles.list} aria-label="Connections in claims">
      {props.connections.map(({ policyHolderId, carrier, subscriber, claims, lastChangedAt }) => (
        <li key={policyHolderId} className={styles.entry}>
          <div className={styles.state}>
            <StateMark label="State unknown" tone="none" />
          </div>
          <div className={styles.text}>
            <Text size="sm" fw={600}>
              {carrier ?? 'Carrier unknown'}
            </Text>
            <SmallPrint>
              {[
                lastChangedAt === null
                  ? 'Last claim update not reported'
                  : `Last claim update ${formatDateTime(lastChangedAt)}`,
                formatCountOf(claims, 'claim'),
                subscriber === '' ? null : `Subscriber ${subscriber}`,
                `Connection ${policyHolderId}`,
              ]
                .filter(Boolean)
                .join(' · ')}
            </SmallPrint>
          </div>
          <div className={styles.act}>
            {props.actions(policyHolderId, carrier ?? `connection ${policyHolderId}`)}
          </div>
        </li>
      ))}
    </ul>
  );
}
