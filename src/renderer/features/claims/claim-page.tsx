import { Badge } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ClaimRecord } from '../../../contract/records.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { AllFields } from '../../components/all-fields.tsx';
import { ErrorNotice, RetryButton } from '../../components/error-notice.tsx';
import { GoneBadge } from '../../components/gone-badge.tsx';
import { ListWalk } from '../../components/list-walk.tsx';
import { Columns, Page, Wide } from '../../components/page.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { LoadingState } from '../../components/states.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { type ListRef, listPlaceOf } from '../../lib/list-ref.ts';
import { AmountTable, ClaimChain } from './claim-chain.tsx';
import { ClaimLines } from './claim-lines.tsx';
import { ClaimFacts, ClaimIdentifiers, ClaimPeople, ClaimProviders } from './claim-sections.tsx';

/** One claim, like an explanation of benefits: who, where, when, the chain of amounts, its lines. */
export function ClaimPage(props: { workspace: Workspace; claimId: number; from: ListRef }) {
  const { workspace, claimId, from } = props;
  const navigate = useNavigate();
  const query = useDeskQuery(
    'records:getClaim',
    { workspaceId: workspace.id, id: claimId },
    { keepsPrevious: true },
  );
  const back = listPlaceOf(from.list, 'claims');
  const claim = query.data?.claim;
  return (
    <Page
      title={`Claim ${claim?.id ?? claimId}`}
      documentTitle="Claim"
      beside={
        <>
          {claim !== undefined && <Flags claim={claim} />}
          <GoneBadge gone={query.data?.gone} />
        </>
      }
      actions={
        <>
          <ListWalk
            workspaceId={workspace.id}
            listId={from.list}
            at={from.at}
            procedure="records:getClaim"
            onGo={(id, at) =>
              void navigate({
                to: '/claims/$claimId',
                params: { claimId: id },
                search: { ...from, at },
                replace: true,
              })
            }
          />
          <BackButton label={back.label} onBack={() => void navigate(back.to)} />
        </>
      }
    >
      {query.error !== null && (
        <ErrorNotice
          error={query.error}
          title="This claim cannot be shown"
          action={<RetryButton onRetry={() => void query.refetch()} />}
        />
      )}
      {query.isPending && <LoadingState what="the claim" />}
      {claim !== undefined && query.data !== undefined && (
        <>
          <ClaimChain claim={claim} />
          <Columns>
            <Wide>
              <AmountTable claim={claim} />
            </Wide>
            <ClaimFacts claim={claim} />
            <ClaimPeople claim={claim} />
            <Wide>
              <ClaimProviders claim={claim} />
            </Wide>
            <Wide>
              <ClaimIdentifiers claim={claim} />
            </Wide>
          </Columns>
          <ClaimLines claim={claim} />
          <AllFields record={claim} unknownFields={query.data.unknownFields} omit={['claim_medical_lines']} />
        </>
      )}
    </Page>
  );
}

function Flags({ claim }: { claim: ClaimRecord }) {
  return (
    <>
      {claim.status && (
        <Badge variant="default" size="lg">
          {claim.status}
        </Badge>
      )}
      {claim.is_incomplete && (
        <Badge variant="default" size="lg" title="Data is still missing or was redacted by the service">
          Incomplete
        </Badge>
      )}
      {claim.recrawl_requested && (
        <Badge variant="default" size="lg" title="The service was asked to fetch this claim again">
          Fetch requested
        </Badge>
      )}
    </>
  );
}
