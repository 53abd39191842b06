import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ConnectMember } from '../../../contract/connect-members.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { NotLoaded } from '../../components/error-notice.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import styles from './connect.module.css';
import { findCarriers, findNamed } from './connect-labels.ts';

/** The choice of the member's carrier, with a name filter. */
export function CarrierStep(props: { member: ConnectMember; onChoose: (payerId: number) => void }) {
  const { member } = props;
  const [typed, setTyped] = useState('');
  const payers = useWorkspaceQuery('connect:listPayers', {
    email: member.email,
    employerId: member.employer.id,
  });
  const connections = useWorkspaceQuery('connect:listConnections', { email: member.email });
  const inUse = new Set(connections.data?.connections.map(({ payerId }) => payerId));
  if (payers.error !== null || payers.data === undefined)
    return <NotLoaded query={payers} what="the carriers" />;
  const fitting = findCarriers(payers.data.payers, typed);
  return (
    <Stack gap="xs">
      <TextField
        label="Carrier"
        autoFocus
        description="A part of its name is enough."
        value={typed}
        onChange={setTyped}
        onKeyDown={(event) => {
          const meant = fitting.length === 1 ? fitting[0] : findNamed(fitting, typed);
          if (event.key === 'Enter' && meant !== undefined) props.onChoose(meant.id);
        }}
      />
      <SmallPrint role="status">
        {formatCountOf(fitting.length, 'carrier')} of {member.employer.name}
      </SmallPrint>
      {fitting.length === 0 ? (
        <Text size="sm">No carriers match.</Text>
      ) : (
        <ul className={styles.choices} aria-label="Carriers">
          {fitting.map((payer) => (
            <li key={payer.id}>
              <button type="button" className={styles.choice} onClick={() => props.onChoose(payer.id)}>
                {payer.name}
                {inUse.has(payer.id) && <SmallPrint span>In use: add a dependent’s login</SmallPrint>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}
