import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ReportSource } from '../../../contract/export.ts';
import type { Paper } from '../../../contract/papers.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { formatDay, localDayOf } from '../../../rules/days.ts';
import { letterTable } from '../../../rules/letters/letter-kinds.ts';
import type { Condition } from '../../../rules/query.ts';
import { DataTable } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { LoadingState } from '../../components/states.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { ExportReport, openColumns } from './export-report.tsx';
import { column } from './report-rows.ts';
import styles from './reports-page.module.css';

const shownRows = 100;
const title = 'Letters';
const conditions: readonly Condition[] = [{ field: 'review.letter', operator: 'isNotEmpty', values: [] }];
const columns = [...openColumns, 'review.letter', 'review.letter_day', 'facts.letter_untrue'];

const dayOf = ({ at }: Paper): string => localDayOf(new Date(at));
const labelOf = ({ letter }: Paper): string => (letter === null ? '' : letterTable[letter].label);

const toTable = (papers: readonly Paper[]): ReportSource => ({
  kind: 'report',
  title,
  columns: [
    column('Day', 'date'),
    column('Letter', 'text'),
    column('Claim', 'integer'),
    { ...column('Patient', 'text'), identifies: true },
    column('By', 'text'),
    column('No longer true', 'text'),
    column('SHA-256 of its text', 'text'),
  ],
  rows: papers.map((paper) => [
    dayOf(paper),
    labelOf(paper),
    paper.claimId,
    paper.patient,
    paper.author,
    paper.isUntrue ? 'Yes' : '',
    paper.digest,
  ]),
});

/** The log of letters, one row each, the newest first; in sight where the address asks for it. */
export function LettersReport({ workspaceId }: { workspaceId: string }) {
  const answer = useDeskQuery('reviews:listPapers', { workspaceId }, { keepsPrevious: true });
  const { papers = [], isWhole = true } = answer.data ?? {};
  const isAskedFor = useLocation({ select: ({ hash }) => hash === 'letters' });
  const place = useRef<HTMLSpanElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the section grows when the letters are there
  useEffect(() => {
    if (isAskedFor) place.current?.closest('section')?.scrollIntoView?.();
  }, [isAskedFor, answer.isPending]);
  const untrue = papers.filter(({ isUntrue }) => isUntrue).length;
  return (
    <Section
      title={title}
      actions={
        <ExportReport
          workspaceId={workspaceId}
          table={toTable(papers)}
          conditions={conditions}
          columns={columns}
          total={new Set(papers.map(({ claimId }) => claimId)).size}
          includesMissing
        />
      }
    >
      <span ref={place} />
      <ErrorNotice error={answer.error} title="Couldn’t load the letters" onRetry={answer.refetch} />
      {answer.isPending && <LoadingState what="the letters" />}
      {answer.data !== undefined && papers.length === 0 && <Hint>No letters yet.</Hint>}
      {papers.length > 0 && (
        <Scrollable label="Letters, scrollable">
          <DataTable
            label="Letters"
            verticalSpacing={2}
            className={styles.figures ?? ''}
            rows={papers.slice(0, shownRows)}
            keyOf={({ id }) => id}
            columns={[
              ['Day', (paper) => formatDay(dayOf(paper))],
              ['Letter', labelOf, styles.text],
              [
                'Claim',
                ({ claimId }) => (
                  <AnchorLink to="/claims/$claimId" params={{ claimId }}>
                    {claimId}
                  </AnchorLink>
                ),
              ],
              ['Patient', ({ patient }) => patient ?? '–', styles.text],
              ['By', ({ author }) => author, styles.text],
              ['', ({ isUntrue }) => isUntrue && <b>No longer true</b>, styles.text],
              ['SHA-256', ({ digest }) => <span title={digest}>{digest.slice(0, 16)}…</span>, styles.text],
            ]}
          />
          <SmallPrint>
            {formatCountOf(papers.length, 'letter')}
            {papers.length > shownRows && `; the ${formatCount(shownRows)} newest are shown`}
            {!isWhole && '; those of the newest 10,000 claims with a letter'}.{' '}
            {untrue > 0 && (
              <AnchorLink to="/worklists/$worklistId" params={{ worklistId: 'lettersUntrue' }}>
                Letter no longer true ({formatCount(untrue)})
              </AnchorLink>
            )}
          </SmallPrint>
        </Scrollable>
      )}
    </Section>
  );
}
