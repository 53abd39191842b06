import { Stack } from '@mantine/core';
import { Section } from '../../components/page.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { useWorkspaces } from '../../domain/workspace/use-workspaces.ts';
import { DeclineCausesForm } from './decline-causes-form.tsx';
import { ExportReviews, ImportReviews } from './hand-over.tsx';
import { ImportPayments } from './import-payments.tsx';
import { NoteTemplatesForm } from './note-templates-form.tsx';
import { ReimbursementRulesForm } from './reimbursement-rules-form.tsx';
import { ReopenTable } from './reopen-table.tsx';
import { ScopeSetting } from './scope-setting.tsx';

/** Which claims are reviewed, what is reimbursed, note templates, reasons for declining, payments and reviews from files, what reopens a review. */
export function ReviewSettings() {
  const { active } = useWorkspaces();
  if (active === null) {
    return <Hint>No workspaces yet, so there is nothing to review.</Hint>;
  }
  return (
    <Stack gap="lg">
      <ScopeSetting workspace={active} />
      <ReimbursementRulesForm workspace={active} />
      <Section title="Payments">
        <Stack gap="xs" align="flex-start">
          <Hint>
            Record what was reimbursed from a CSV file with the columns claim (ID or number), amount, and
            date. For your records: Claimdesk moves no money.
          </Hint>
          <ImportPayments workspaceId={active.id} />
        </Stack>
      </Section>
      <Section title="Notes">
        <NoteTemplatesForm workspaceId={active.id} />
      </Section>
      <Section title="Reasons for declining">
        <DeclineCausesForm workspaceId={active.id} />
      </Section>
      <Section title="Hand over">
        <Stack gap="xs" align="flex-start">
          <Hint>
            All reviews, notes, and payments of this workspace as one encrypted file, to continue on another
            computer. An import adds what is new; the newest decision counts.
          </Hint>
          <ExportReviews workspaceId={active.id} />
          <ImportReviews workspaceId={active.id} />
        </Stack>
      </Section>
      <Section title="What reopens a review">
        <ReopenTable />
        <SmallPrint pt={6}>
          Spaces, capitals, dashes in an NPI, TIN or NDC, and numbers sent as text are no changes.
        </SmallPrint>
      </Section>
    </Stack>
  );
}
