import { formatCode } from '../../../contract/code-labels.ts';
import type { DependentRecord } from '../../../contract/records.ts';
import { Aside } from '../../components/fact-row.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { formatDateField } from '../../lib/format-date.ts';
import styles from './family.module.css';

/** A member's dependents with relationship and date of birth, each linked to their page but for the one shown. */
export function Family(props: {
  dependents: readonly DependentRecord[] | null | undefined;
  shownId?: number | null | undefined;
}) {
  const { dependents } = props;
  if (dependents == null || dependents.length === 0) return 'No dependents on file';
  return (
    <ul className={styles.family}>
      {dependents.map((dependent, index) => (
        <li key={dependent.id ?? index} className={styles.person}>
          <DependentName dependent={dependent} isShown={dependent.id === props.shownId} />
        </li>
      ))}
    </ul>
  );
}

function DependentName({ dependent, isShown }: { dependent: DependentRecord; isShown: boolean }) {
  const name = dependent.first_name || dependent.last_name || 'No name';
  const about = [
    formatCode('relationship', dependent.relationship),
    formatDateField(dependent.date_of_birth),
  ];
  return (
    <>
      {typeof dependent.id === 'number' && !isShown ? (
        <AnchorLink to="/dependents/$dependentId" params={{ dependentId: dependent.id }}>
          {name}
        </AnchorLink>
      ) : (
        name
      )}{' '}
      <Aside>{about.filter((part) => part && part !== '–').join(' · ')}</Aside>
    </>
  );
}
