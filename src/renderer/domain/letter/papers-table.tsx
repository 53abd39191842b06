import { dayOfPaper, type Paper, sayPaper } from '../../../contract/papers.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { formatDay } from '../../../rules/days.ts';
import { ScrollableTable } from '../../components/data-table.tsx';
import { linkClaim } from '../../components/links.tsx';
import { SmallPrint } from '../../components/text.tsx';

const shownRows = 100;

/** The newest letters and documents, each with its claim and its digest. */
export function PapersTable(props: { label: string; papers: readonly Paper[]; isWhole: boolean }) {
  const { label, papers, isWhole } = props;
  return (
    <>
      <ScrollableTable
        label={label}
        rows={papers.slice(0, shownRows)}
        keyOf={({ id }) => id}
        columns={[
          ['Day', (paper) => formatDay(dayOfPaper(paper))],
          [
            'What',
            (paper) => (
              <>
                {sayPaper(paper)}
                {paper.isUntrue && <b> · No longer true</b>}
              </>
            ),
          ],
          ['Claim', linkClaim],
          ['Patient', ({ patient }) => patient ?? '–'],
          ['By', ({ author }) => author],
          ['SHA-256', ({ digest }) => <span title={digest}>{digest.slice(0, 16)}…</span>],
        ]}
      />
      {(papers.length > shownRows || !isWhole) && (
        <SmallPrint>
          {formatCountOf(papers.length, 'row')}; the {formatCount(shownRows)} newest are shown.
          {!isWhole && ' Only 10,000 claims are checked.'}
        </SmallPrint>
      )}
    </>
  );
}
