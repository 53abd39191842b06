import { Group, Stack, Text } from '@mantine/core';
import { type DocumentsCheck, type DocumentsReport, documentProblems } from '../../../contract/store.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { memberOfSubject } from '../../../rules/review/member-subject.ts';
import { ReportNotice } from '../../components/error-notice.tsx';
import { AnchorLink, linkClaim } from '../../components/links.tsx';
import { FieldList, Section } from '../../components/page.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { reportOfCode } from '../../lib/desk-error.ts';
import { formatDateTime } from '../../lib/format-date.ts';

/** The findings of a check of the documents, in a few words. */
export function describeDocuments(check: DocumentsCheck): string {
  const { documents, damaged, notHere, mended, unused } = check;
  const counts = [
    [damaged, 'damaged'],
    [notHere, 'not here'],
    [mended, 'restored from the second copy'],
    [unused, 'of no claim or member, kept'],
  ] as const;
  const texts = counts.flatMap(([count, what]) => (count === 0 ? [] : [`${formatCount(count)} ${what}`]));
  return [...(check.isSound ? ['OK'] : []), formatCountOf(documents, 'document'), ...texts].join(', ');
}

/** The documents on this computer, and the claims and members whose documents have to be attached again. */
export function DocumentFacts({ check, report }: { check: DocumentsCheck; report: DocumentsReport | null }) {
  const { unused, undone } = check;
  return (
    <Section title="Documents">
      <Stack gap="sm">
        <FieldList
          fields={[
            ['Status', describeDocuments(check)],
            ['Last checked', `${formatDateTime(check.at)}${check.isFull ? ' (every document)' : ''}`],
          ]}
        />
        {unused > 0 && (
          <SmallPrint>
            Files of no claim or member may be documents whose reviews were lost. Claimdesk never deletes
            them.
          </SmallPrint>
        )}
        {undone > 0 && (
          <SmallPrint>
            {formatCountOf(undone, 'document')} whose attaching was undone {undone === 1 ? 'is' : 'are'} kept
            until the claim or member is removed.
          </SmallPrint>
        )}
        {documentProblems.map((code) => {
          if (check[code === 'document.damaged' ? 'damaged' : 'notHere'] === 0) return null;
          const claims = report?.problems.filter((problem) => problem.code === code) ?? [];
          return (
            <Stack key={code} gap="xs">
              <ReportNotice report={reportOfCode(code, null)} />
              <Group gap="xs">
                <Text size="sm">
                  {claims.length === 0 ? 'Check now to see where they are attached.' : 'Attached to:'}
                </Text>
                {[...new Set(claims.map(({ claimId }) => claimId))].map((claimId) => (
                  <span key={claimId}>{linkSubject(claimId)}</span>
                ))}
              </Group>
            </Stack>
          );
        })}
      </Stack>
    </Section>
  );
}

function linkSubject(claimId: number) {
  const memberId = memberOfSubject(claimId);
  if (memberId === null) return linkClaim({ claimId });
  return (
    <AnchorLink to="/members/$memberId" params={{ memberId }}>
      Member {memberId}
    </AnchorLink>
  );
}
