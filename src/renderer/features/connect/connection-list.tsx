import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CarrierConnection } from '../../../contract/carrier-connections.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { SmallButtonLink } from '../../components/links.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { formatDateTime } from '../../lib/format-date.ts';
import { CarrierSays } from './carrier-says.tsx';
import styles from './connect.module.css';
import { mayCorrect, severityLabels, severityTones } from './connect-labels.ts';
import { describeClaims, isWrong } from './connection-facts.ts';
import type { ClaimedConnection } from './connections-of-claims.ts';
import { NextStep, StateLabel } from './state-label.tsx';

/** Connections in the given order: status, time of the status, and next step. */
export const ConnectionList = (props: {
  connections: readonly CarrierConnection[];
  /** The member of the connection, where the page does not name them. */
  showsMember: (connection: CarrierConnection) => boolean;
  actions?: ((policyHolderId: number, name: string) => ReactNode) | undefined;
}) => (
  <ul className={styles.list} aria-label="Connections">
    {props.connections.map((connection) => (
      <ConnectionEntry
        key={connection.policyHolderId}
        connection={connection}
        showsMember={props.showsMember(connection)}
        actions={props.actions}
      />
    ))}
  </ul>
);

/** A connection: its state, its name, its facts, and its actions. */
const Entry = (props: {
  mark: ReactNode;
  name: string;
  facts: readonly (string | null)[];
  actions: ReactNode;
  children?: ReactNode;
}) => (
  <li className={styles.entry}>
    <div className={styles.state}>{props.mark}</div>
    <div className={styles.text}>
      <Text size="sm" fw={600}>
        {props.name}
      </Text>
      {props.children}
      <SmallPrint>{props.facts.filter(Boolean).join(' · ')}</SmallPrint>
    </div>
    <div className={styles.act}>{props.actions}</div>
  </li>
);

function ConnectionEntry(
  props: Pick<Parameters<typeof ConnectionList>[0], 'actions'> & {
    connection: CarrierConnection;
    showsMember: boolean;
  },
) {
  const { connection, showsMember } = props;
  const { policyHolderId, payerName, memberName, severity, lastSuccessAt } = connection;
  const carrier = payerName ?? 'Carrier not named';
  const whose = `${carrier} of ${memberName}`;
  return (
    <Entry
      mark={<StateLabel label={severityLabels[severity]} tone={severityTones[severity]} />}
      name={showsMember ? `${memberName} · ${carrier}` : carrier}
      facts={[
        lastSuccessAt === null
          ? 'No successful update yet'
          : `Last successful update ${formatDateTime(lastSuccessAt)}`,
        describeClaims(connection),
        showsMember ? connection.employerName : null,
      ]}
      actions={
        <>
          {props.actions?.(policyHolderId, carrier)}
          {!connection.isRunning && mayCorrect(connection, null) && (
            <SmallButtonLink
              to="/connections/$policyHolderId/correct"
              params={{ policyHolderId }}
              aria-label={`Update login: ${whose}`}
            >
              Update login
            </SmallButtonLink>
          )}
          <SmallButtonLink
            to="/connections/$policyHolderId"
            params={{ policyHolderId }}
            aria-label={`View ${whose}`}
          >
            View
          </SmallButtonLink>
        </>
      }
    >
      <Text size="sm">{connection.sentence}</Text>
      {connection.correctionMessage !== null && isWrong(connection) && (
        <CarrierSays carrierName={payerName} message={connection.correctionMessage} />
      )}
      <NextStep step={connection.nextStep} />
    </Entry>
  );
}

/** Connections that are known from claims only, whose state is unknown. */
export const ClaimedConnectionList = (props: {
  connections: readonly ClaimedConnection[];
  actions: (policyHolderId: number, name: string) => ReactNode;
}) => (
  <ul className={styles.list} aria-label="Connections in claims">
    {props.connections.map(({ policyHolderId, carrier, subscriber, claims, lastChangedAt }) => (
      <Entry
        key={policyHolderId}
        mark={<StateLabel label="State unknown" tone="none" />}
        name={carrier ?? 'Carrier unknown'}
        facts={[
          lastChangedAt === null
            ? 'Last claim update not reported'
            : `Last claim update ${formatDateTime(lastChangedAt)}`,
          formatCountOf(claims, 'claim'),
          subscriber === '' ? null : `Subscriber ${subscriber}`,
          `Connection ${policyHolderId}`,
        ]}
        actions={props.actions(policyHolderId, carrier ?? `connection ${policyHolderId}`)}
      />
    ))}
  </ul>
);
