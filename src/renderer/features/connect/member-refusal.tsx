import { Button } from '@mantine/core';
import type { Confirmation, ConnectEmployer } from '../../../contract/connect-members.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { reportOf } from '../../lib/desk-error.ts';

const confirmable: Readonly<Record<string, { readonly what: Confirmation; readonly label: string }>> = {
  'connect.employerExists': { what: 'sameName', label: 'Create second employer' },
  'connect.memberElsewhere': { what: 'otherEmployer', label: 'Add under this employer too' },
  'connect.employerKeyUnknown': { what: 'unknownKey', label: 'Use this employer ID anyway' },
};

/** Why a member was not added as entered, with a choice of the existing employer, or a button that confirms. */
export function MemberRefusal(props: {
  error: unknown;
  employers: readonly ConnectEmployer[];
  onEmployer: (employer: ConnectEmployer) => void;
  onConfirm: (what: Confirmation) => void;
}) {
  const { code, details } = reportOf(props.error);
  const confirmation = confirmable[code];
  const other =
    code === 'connect.employerMismatch'
      ? undefined
      : props.employers.find(({ id, otherIds }) => [id, ...otherIds].includes(Number(details?.employerId)));
  return (
    <ErrorNotice
      error={props.error}
      title="Member not added"
      action={
        <>
          {other !== undefined && (
            <Button size="compact-sm" onClick={() => props.onEmployer(other)}>
              Use {other.name} (ID {other.id})
            </Button>
          )}
          {confirmation !== undefined && (
            <SmallButton onClick={() => props.onConfirm(confirmation.what)}>{confirmation.label}</SmallButton>
          )}
        </>
      }
    />
  );
}
