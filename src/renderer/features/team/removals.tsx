import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { NotLoaded } from '../../components/error-notice.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { describeDone, describeMissing, describeRule, type ListedRemoval } from './describe-removal.ts';
import { RemoveForTeam } from './remove-for-team.tsx';
import styles from './team.module.css';

/** Shows what was removed for the team and on which computers it is carried out; an admin can remove. */
export function Removals({ isAdmin }: { isAdmin: boolean }) {
  const list = useWorkspaceQuery('team:listRemovals');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Stack gap="xs" role="region" aria-label="Removals">
      <Text fw={600}>Removals</Text>
      {list.data === undefined ? (
        <NotLoaded query={list} what="the removals" />
      ) : list.data.removals.length === 0 ? (
        <Hint>Nothing was removed for the team.</Hint>
      ) : (
        <ul className={styles.list} aria-label="Removals for the team">
          {list.data.removals.map((entry) => (
            <Removal key={entry.removal} removal={entry} />
          ))}
        </ul>
      )}
      {isAdmin &&
        (isOpen ? (
          <RemoveForTeam onClose={() => setIsOpen(false)} />
        ) : (
          <div>
            <Button variant="default" onClick={() => setIsOpen(true)}>
              Remove for the team…
            </Button>
          </div>
        ))}
    </Stack>
  );
}

const Removal = ({ removal }: { removal: ListedRemoval }) => (
  <li className={styles.entry}>
    <Text size="sm" fw={600}>
      {describeRule(removal.rule)}
    </Text>
    <Text size="sm">{describeDone(removal)}</Text>
    {describeMissing(removal).map((line) => (
      <Text size="sm" key={line}>
        {line}
      </Text>
    ))}
    <Text size="sm">Reason: {removal.reason}</Text>
    <SmallPrint>
      {removal.by} · {formatDateTime(removal.at)}
    </SmallPrint>
  </li>
);
