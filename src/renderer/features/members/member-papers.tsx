import { useState } from 'react';
import type { Paper } from '../../../contract/papers.ts';
import { formatDay, localDayOf } from '../../../rules/days.ts';
import { documentLabels } from '../../../rules/documents.ts';
import { letterTable } from '../../../rules/letters/letter-kinds.ts';
import { ScrollableTable } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { TextButton } from '../../components/text-button.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';

const shownAtFirst = 10;

function sayWhat({ letter, document, name }: Paper): string {
  if (letter !== null) return `Letter: ${letterTable[letter].label.toLowerCase()}`;
  return document === null ? (name ?? '') : `${documentLabels[document]}: ${name}`;
}

/** The documents and letters of the claims of a member; nothing where there are none. The claim shows and saves them. */
export function MemberPapers({ workspaceId, memberId }: { workspaceId: string; memberId: number }) {
  const { data, error, refetch } = useDeskQuery('reviews:listPapers', { workspaceId, memberId });
  const [isAll, setIsAll] = useState(false);
  const papers = data?.papers ?? [];
  if (error === null && papers.length === 0) return null;
  return (
    <Section title={`Documents and letters of claims (${papers.length})`}>
      <ErrorNotice error={error} title="Couldn’t load documents and letters" onRetry={refetch} />
      <ScrollableTable
        label="Documents and letters of claims"
        rows={isAll ? papers : papers.slice(0, shownAtFirst)}
        keyOf={({ id }) => id}
        columns={[
          [
            'Claim',
            ({ claimId }) => (
              <AnchorLink to="/claims/$claimId" params={{ claimId }}>
                {claimId}
              </AnchorLink>
            ),
          ],
          ['Day', ({ at }) => formatDay(localDayOf(new Date(at)))],
          [
            'What',
            (paper) => (
              <>
                {sayWhat(paper)}
                {paper.isUntrue && (
                  <>
                    . <b>No longer true</b>
                  </>
                )}
              </>
            ),
          ],
          ['By', ({ author }) => author],
          ['SHA-256', ({ digest }) => <span title={digest}>{digest.slice(0, 16)}…</span>],
        ]}
      />
      {!isAll && papers.length > shownAtFirst && (
        <TextButton onClick={() => setIsAll(true)}>Show all {papers.length}</TextButton>
      )}
      {data?.isWhole === false && <SmallPrint>Those of the newest 10,000 claims.</SmallPrint>}
    </Section>
  );
}
