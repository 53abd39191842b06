import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import type { ClaimGroup } from '../../../rules/review/review.ts';
import { Dialog, DialogForm } from '../../components/dialog.tsx';
import { Status } from '../../components/text.tsx';
import { useWorkspaceMutation } from '../../lib/desk-query.ts';
import { showNotice } from '../../lib/notice.ts';
import { spellKeys } from '../../lib/shortcuts.ts';
import { addUp } from '../claim/plan-year-sums.ts';
import { useMembers } from '../team/use-members.ts';
import { BulkGroups, type BulkRequest, FrozenClaims, type FrozenGroups } from './bulk-dialog.tsx';
import styles from './bulk-groups.module.css';

export type DealRequest = Omit<BulkRequest, 'act'>;

interface Props {
  /** Null: closed. */
  request: DealRequest | null;
  onClose: () => void;
}

/** Makes people of the team the owners of the claims of a list, in equal parts. */
export const DealDialog = ({ request, ...props }: Props) => (
  <Dialog isOpen={request !== null} onClose={props.onClose} title="Assign to people">
    {request !== null && (
      <FrozenClaims from={request.from}>
        {(frozen) => <Deal {...frozen} {...props} request={request} />}
      </FrozenClaims>
    )}
  </Dialog>
);

function Deal(props: {
  selectionId: string;
  groups: FrozenGroups;
  request: DealRequest;
  onClose: () => void;
}) {
  const { selectionId, groups, request, onClose } = props;
  const deal = useWorkspaceMutation('reviews:deal');
  return (
    <DealForm
      groups={groups}
      isPending={deal.isPending}
      error={deal.error}
      onClose={onClose}
      onDeal={(owners, chosen) =>
        deal.mutate(
          { selectionId, groups: chosen, owners },
          {
            onSuccess: ({ dealt, leftOut }) => {
              request.onDone();
              const shares = dealt.map(({ owner, claims }) => `${owner}: ${formatCount(claims)}`);
              const left = leftOut.length === 0 ? [] : [`left out, changed: ${formatCount(leftOut.length)}`];
              const undo = `Press ${spellKeys('Ctrl Z', navigator.platform)} to undo.`;
              const message = `${[...shares, ...left].join(' · ')}. ${undo}`;
              showNotice('review', { title: 'Assigned', message });
              onClose();
            },
          },
        )
      }
    />
  );
}

/** How many claims each of these people gets. */
const shareOf = (claims: number, people: number, at: number): number =>
  Math.floor(claims / people) + (at < claims % people ? 1 : 0);

function DealForm(props: {
  groups: FrozenGroups;
  isPending: boolean;
  error: unknown;
  onClose: () => void;
  onDeal: (owners: string[], groups: ClaimGroup[]) => void;
}) {
  const { groups } = props;
  const members = useMembers() ?? [];
  const [left, setLeft] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState(() => groups.map(({ group }) => group));
  const owners = members.filter((email) => !left.includes(email));
  const claims = addUp(
    groups.filter(({ group }) => chosen.includes(group)).map((group) => group.totals),
  ).count;
  return (
    <DialogForm
      action={`Assign ${formatCountOf(claims, 'claim')}`}
      isReady={owners.length > 0 && claims > 0}
      isPending={props.isPending}
      error={props.error}
      errorTitle="Couldn’t assign the claims"
      onCancel={props.onClose}
      onSubmit={() => props.onDeal(owners, chosen)}
    >
      <BulkGroups groups={groups} chosen={chosen} onChoose={setChosen} />
      <fieldset className={styles.groups}>
        <legend className={styles.legend}>To whom</legend>
        {members.map((email, at) => (
          <div key={email} className={styles.group}>
            <Checkbox
              size="sm"
              label={at === 0 ? `${email} (you)` : email}
              checked={owners.includes(email)}
              onChange={({ currentTarget: { checked } }) =>
                setLeft(checked ? left.filter((address) => address !== email) : [...left, email])
              }
            />
            {owners.includes(email) && (
              <span className={styles.amount}>
                {formatCount(shareOf(claims, owners.length, owners.indexOf(email)))}
              </span>
            )}
          </div>
        ))}
      </fieldset>
      <Status>
        The claims are assigned in turn, in the order of the list. One undo reverts all of it. Earlier owners
        are replaced.
      </Status>
    </DialogForm>
  );
}
