import { Badge } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ClaimRecord } from '../../../contract/records.ts';
import { AllFields } from '../../components/all-fields.tsx';
import { ErrorNotice, RetryButton } from '../../components/error-notice.tsx';
import { Columns, Page, Wide } from '../../components/page.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { LoadingState } from '../../components/states.tsx';
import { type ListRef, listPlaceOf } from '../../domain/list/list-ref.ts';
import { ListWalk } from '../../domain/list/list-walk.tsx';
import { MissingBadge } from '../../domain/list/missing-badge.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { AmountTable, ClaimChain } from './claim-chain.tsx';
import { ClaimLines } from './claim-lines.tsx';
import {
  ClaimFacts,
  ClaimIdentifiers,
  ClaimPeople,
  ClaimProviders,
  ClaimTechnicalDetails,
} from './claim-sections.tsx';

/** One claim, like an explanation of benefits: who, where, when, the chain of amounts, its lines. */
export function ClaimPage({ claimId, from }: { claimId: number; from: ListRef }) {
  const workspace = useWorkspace();
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
          <MissingBadge missing={query.data?.missing} />
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
          title="Couldn’t load this claim"
          action={<RetryButton onRetry={() => void query.refetch()} />}
        />
      )}
      {query.isPending && <LoadingState what="the claim" />}
      {claim !== undefined && query.data !== undefined && (
        <>
          <ClaimChain claim={claim} />
          <AmountTable claim={claim} />
          <Columns>
            <Wide>
              <ClaimFacts claim={claim} />
            </Wide>
            <Wide>
              <ClaimPeople claim={claim} />
            </Wide>
            <Wide>
              <ClaimProviders claim={claim} />
            </Wide>
            <Wide>
              <ClaimIdentifiers claim={claim} />
            </Wide>
          </Columns>
          <ClaimLines claim={claim} />
          <ClaimTechnicalDetails claim={claim} />
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
        <Badge variant="default" size="lg" title="Data is missing or was redacted by the service">
          Incomplete
        </Badge>
      )}
      {claim.recrawl_requested && (
        <Badge variant="default" size="lg" title="The service was asked to refresh this claim">
          Refresh requested
        </Badge>
      )}
    </>
  );
}
