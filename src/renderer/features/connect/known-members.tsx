import { Text } from '@mantine/core';
import { useState } from 'react';
import type { ConnectMember } from '../../../contract/connect-members.ts';
import { ConfirmButton } from '../../components/dialog.tsx';
import { Section } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { useWorkspaceMutation } from '../../lib/desk-query.ts';
import { formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import styles from './connect.module.css';

const shownAtFirst = 3;
const shownMore = 50;

/** Members who were added from this computer, with actions to connect a carrier and to remove them here. */
export function KnownMembers(props: {
  members: readonly ConnectMember[];
  onChoose: (member: ConnectMember) => void;
}) {
  const now = useNow();
  const [shownCount, setShownCount] = useState(shownAtFirst);
  const forget = useWorkspaceMutation('connect:forgetMember');
  if (props.members.length === 0) return null;
  const shown = props.members.slice(0, shownCount);
  return (
    <Section title={`Recently added members (${props.members.length})`}>
      <ul className={styles.list} aria-label="Recently added members">
        {shown.map((member) => {
          const name = `${member.firstName} ${member.lastName}`;
          return (
            <li key={`${member.email} ${member.employer.id}`} className={styles.entry}>
              <div className={styles.text}>
                <Text size="sm" fw={600}>
                  {name}
                </Text>
                <SmallPrint>
                  {member.email} · {member.employer.name} · added {formatWhen(member.bootstrappedAt, now)}
                </SmallPrint>
                <ConfirmButton
                  label="Remove…"
                  button={{
                    size: 'compact-xs',
                    variant: 'transparent',
                    px: 0,
                    'aria-label': `Remove ${name} from this computer`,
                  }}
                  title="Remove this member from this computer?"
                  action="Remove member"
                  isDestructive
                  onConfirm={() => forget.mutateAsync({ email: member.email })}
                >
                  <Text size="sm">
                    This removes {name} and their connections from this computer. Nothing changes at the
                    claims service, and you can add the member again.
                  </Text>
                </ConfirmButton>
              </div>
              <div className={styles.act}>
                <SmallButton
                  aria-label={`Connect a carrier for ${name}`}
                  onClick={() => props.onChoose(member)}
                >
                  Connect a carrier
                </SmallButton>
              </div>
            </li>
          );
        })}
      </ul>
      {props.members.length > shownCount && (
        <SmallButton mt="xs" onClick={() => setShownCount(shownCount + shownMore)}>
          Show {Math.min(shownMore, props.members.length - shownCount)} more
        </SmallButton>
      )}
    </Section>
  );
}
