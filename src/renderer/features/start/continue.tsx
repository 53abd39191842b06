import { Text } from '@mantine/core';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { useListMemory } from '../../domain/list/list-memory.tsx';
import { listRouteOf } from '../../domain/list/list-ref.ts';
import { useRowsById } from '../../domain/list/use-rows-by-id.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { formatPersonName } from '../../lib/format-name.ts';
import { formatCount } from '../../lib/format-value.ts';

/** The claim that was read last on this computer, and the row of its list. */
export function Continue({ workspaceId }: { workspaceId: string }) {
  const memory = useListMemory();
  // It is known once the saved views are.
  useDeskQuery('views:list', { workspaceId });
  const lastRead = memory.session.findLastRead(workspaceId);
  const row = useRowsById(workspaceId, 'claims', lastRead === null ? [] : [lastRead.claimId], [
    'patient_name',
    'service_provider',
  ]).get(lastRead?.claimId ?? 0);
  if (lastRead === null || row === undefined) return null;
  const { claimId, list, at } = lastRead;
  const ref = list === null ? {} : { list, ...(at === null ? {} : { at }) };
  const back = listRouteOf(list ?? undefined, 'claims');
  const patient = typeof row.patient_name === 'string' ? formatPersonName(row.patient_name) : null;
  return (
    <Section title="Continue where you were">
      <Text size="sm">
        <AnchorLink to="/claims/$claimId" params={{ claimId }} search={ref}>
          Claim {claimId}
        </AnchorLink>{' '}
        {[patient, row.service_provider].filter(Boolean).join(' · ')}
      </Text>
      {list !== null && at !== null && (
        <Text size="sm" onClick={() => memory.beginAt(workspaceId, list, at)}>
          <AnchorLink {...back.to}>
            {back.label.replace(/^Back to /, '').replace(/^./, (letter) => letter.toUpperCase())}
          </AnchorLink>
          , row {formatCount(at + 1)}
        </Text>
      )}
    </Section>
  );
}
