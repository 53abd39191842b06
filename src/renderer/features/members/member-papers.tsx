import { ErrorNotice } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { PapersTable } from '../../domain/letter/papers-table.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';

/** The documents and letters of the claims of a member; nothing where there are none. The claim shows and saves them. */
export function MemberPapers({ memberId }: { memberId: number }) {
  const { data, error, refetch } = useWorkspaceQuery('reviews:listPapers', { memberId });
  const { papers = [], isWhole = true } = data ?? {};
  if (error === null && papers.length === 0) return null;
  return (
    <Section title={`Documents and letters of claims (${papers.length})`}>
      <ErrorNotice error={error} title="Couldn’t load documents and letters" onRetry={refetch} />
      <PapersTable label="Documents and letters of claims" papers={papers} isWhole={isWhole} />
    </Section>
  );
}
