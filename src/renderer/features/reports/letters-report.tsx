import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ReportSource } from '../../../contract/export.ts';
import { formatCount } from '../../../rules/count.ts';
import type { Condition } from '../../../rules/query.ts';
import { NotLoaded } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { Hint } from '../../components/text.tsx';
import { PapersTable } from '../../domain/letter/papers-table.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { ExportReport, openColumns } from './export-report.tsx';
import { column } from './report-rows.ts';

const conditions: readonly Condition[] = [{ field: 'review.letter', operator: 'isNotEmpty', values: [] }];
const columns = [...openColumns, 'review.letter', 'review.letter_day', 'facts.letter_untrue'];

const table: ReportSource = {
  kind: 'report',
  of: 'letters',
  title: 'Letters',
  columns: [
    column('Day', 'date'),
    column('What', 'text'),
    column('Claim', 'integer'),
    { ...column('Patient', 'text'), identifies: true },
    column('By', 'text'),
    column('No longer true', 'text'),
    column('SHA-256 of its text', 'text'),
  ],
  rows: [],
};

/** The log of letters, one row each, the newest first; scrolled into view if the address asks for it. */
export function LettersReport() {
  const answer = useWorkspaceQuery('reviews:listPapers', {}, { keepsPrevious: true });
  const { papers = [], isWhole = true } = answer.data ?? {};
  const isAskedFor = useLocation({ select: ({ hash }) => hash === 'letters' });
  const place = useRef<HTMLSpanElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the section grows when the letters are there
  useEffect(() => {
    if (isAskedFor) place.current?.closest('section')?.scrollIntoView?.();
  }, [isAskedFor, answer.isPending]);
  /** How many claims, because the link leads to a list of claims. */
  const untrue = new Set(papers.filter(({ isUntrue }) => isUntrue).map(({ claimId }) => claimId)).size;
  return (
    <Section
      title="Letters"
      actions={
        <ExportReport
          table={table}
          rows={papers.length}
          conditions={conditions}
          columns={columns}
          total={new Set(papers.map(({ claimId }) => claimId)).size}
          includesMissing
        />
      }
    >
      <span ref={place} />
      {answer.data === undefined && <NotLoaded query={answer} what="the letters" />}
      {answer.data !== undefined && papers.length === 0 && <Hint>No letters yet.</Hint>}
      {papers.length > 0 && <PapersTable label="Letters" papers={papers} isWhole={isWhole} />}
      {untrue > 0 && (
        <AnchorLink to="/worklists/$worklistId" params={{ worklistId: 'lettersUntrue' }}>
          Letter no longer true ({formatCount(untrue)})
        </AnchorLink>
      )}
    </Section>
  );
}
