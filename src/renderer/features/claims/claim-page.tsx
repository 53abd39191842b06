import { Badge } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { memo, type ReactNode, useCallback, useLayoutEffect, useRef } from 'react';
import { formatCode } from '../../../contract/code-labels.ts';
import type { Output } from '../../../contract/procedures.ts';
import type { ClaimRecord } from '../../../contract/records.ts';
import { AllFields } from '../../components/all-fields.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SmallButtonLink } from '../../components/links.tsx';
import { Page } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { LoadingNote, LoadingState } from '../../components/states.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { OpenElsewhere } from '../../domain/claim/open-elsewhere.tsx';
import { useLease } from '../../domain/claim/use-lease.ts';
import { LeaveRecord } from '../../domain/list/leave-record.tsx';
import { type ListRef, worklistOf } from '../../domain/list/list-ref.ts';
import { ListWalk, type Walk } from '../../domain/list/list-walk.tsx';
import { MissingBadge } from '../../domain/list/missing-badge.tsx';
import { type RecordGate, useIsLoading, useNewGate } from '../../domain/list/record-gate.ts';
import { sayEndOfList } from '../../domain/list/say-end-of-list.tsx';
import { WhatChanged } from '../../domain/review/review-changes.tsx';
import { ReviewPanel } from '../../domain/review/review-panel.tsx';
import { SavedStrip } from '../../domain/review/saved-strip.tsx';
import { prefetchReview } from '../../domain/review/use-review.ts';
import { runAfterFrame } from '../../lib/after-frame.ts';
import { useAppActions } from '../../lib/app-actions.tsx';
import { isTurnedDown, toneOfStatus } from '../../lib/claim-status.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useAuditOpened } from '../../lib/use-audit-opened.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { AmountTable, ClaimChain } from './claim-chain.tsx';
import { ClaimHeader, ClaimNumbers } from './claim-header.tsx';
import { ClaimLines } from './claim-lines.tsx';
import styles from './claim-page.module.css';
import { ClaimFactSheet } from './claim-sections.tsx';
import { LetterButton } from './letter-dialog.tsx';
import { NearbyClaims } from './nearby-claims.tsx';

const panelParts = { decision: styles.decision, record: styles.record };

/**
 * One claim as an explanation of benefits: the facts that identify it, the reason, the amounts, the lines; then the
 * rest.
 */
export function ClaimPage(props: {
  claimId: number;
  from: ListRef;
  /** The claim is in a pane beside a list that shows what was just saved. */
  isBesideReviews?: true;
}) {
  const { claimId, from } = props;
  const workspace = useWorkspace();
  const query = useWorkspaceQuery('records:getClaim', { id: claimId }, { keepsPrevious: true });
  const claim = query.data?.claim;
  // While the next claim is read, a press still opens something of the one on screen.
  const shownId = claim?.id ?? claimId;
  useAuditOpened('claims', claim?.id);
  const bridge = useBridge();
  const cache = useQueryClient();
  const prefetch = useCallback(
    (id: number) => prefetchReview(cache, bridge, workspace.id, id),
    [cache, bridge, workspace.id],
  );
  const walk = useRef<Walk | null>(null);
  const lease = useLease(claimId);
  const gate = useNewGate(claimId, query.isError ? claimId : claim?.id, from);
  const hasList = from.list !== undefined;
  // After the frame that shows the decision, because drawing the next claim takes longer than a frame. Until then no key acts.
  const goToNext = useCallback(() => {
    const stay = gate.leave();
    runAfterFrame(() => stay() && walk.current?.next());
  }, [gate]);
  return (
    <Page
      title={`Claim ${shownId}`}
      documentTitle="Claim"
      facts={claim !== undefined && <LinkedHeader claim={claim} />}
      numbers={claim !== undefined && <ClaimNumbers claim={claim} />}
      beside={
        <>
          {claim !== undefined && <Flags claim={claim} />}
          <MissingBadge missing={query.data?.missing} />
          <OpenElsewhere others={lease.others} />
          {claim !== undefined && <NextClaim gate={gate} next={claim.id === claimId ? null : claimId} />}
        </>
      }
      actions={
        <>
          <ListWalk
            gate={gate}
            id={claimId}
            from={from}
            of="claims"
            walk={walk}
            onNeighbor={prefetch}
            page={worklistOf(from.list) === undefined ? null : lease.page}
            onEnd={(open) => sayEndOfList('claim', from.list, open)}
          />
          <SmallButtonLink to="/claims/$claimId/file" params={{ claimId: shownId }} search={from}>
            Claim file…
          </SmallButtonLink>
          <StatementButton claimId={shownId} />
          <LetterButton key={shownId} claimId={shownId} mayPress={() => gate.mayPress(shownId)} />
          <LeaveRecord from={from} usual="claims" />
        </>
      }
    >
      <ErrorNotice error={query.error} title="Couldn’t load this claim" onRetry={query.refetch} />
      {query.isPending && <LoadingState what="the claim" />}
      {query.data !== undefined && (
        <ClaimBody
          shown={query.data}
          gate={gate}
          onNext={hasList ? goToNext : null}
          hasStrip={!props.isBesideReviews}
        />
      )}
    </Page>
  );
}

/** The claim's facts, drawn again with links to its people when the member is known. */
function LinkedHeader({ claim }: { claim: ClaimRecord }) {
  const memberId = claim.members?.[0]?.id;
  const { data } = useWorkspaceQuery(
    'records:getMember',
    { id: memberId ?? 0, isLookup: true },
    { enabled: typeof memberId === 'number' },
  );
  return <ClaimHeader claim={claim} member={data?.member} />;
}

/** The page below the header; the header is drawn again when another user opens the claim. */
const ClaimBody = memo(function ClaimBody(props: {
  shown: Output<'records:getClaim'>;
  gate: RecordGate;
  onNext: (() => void) | null;
  hasStrip: boolean;
}) {
  const { shown, gate, onNext, hasStrip } = props;
  const { claim } = shown;
  const body = useTop(claim.id);
  return (
    <>
      <div className={styles.body} ref={body}>
        <PanelFrame gate={gate}>
          <ReviewPanel gate={gate} claimId={claim.id} onNext={onNext} classNames={panelParts} />
        </PanelFrame>
        <div className={styles.claim}>
          <Remarks claim={claim} />
          <WhatChanged claimId={claim.id} />
          <ClaimChain claim={claim} />
          <ClaimLines {...shown} />
          <NearbyClaims claim={claim} />
          <ClaimFactSheet {...shown} />
          <AmountTable claim={claim} />
          <AllFields record={claim} unknownFields={shown.unknownFields} omit={['claim_medical_lines']} />
        </div>
      </div>
      {hasStrip && <SavedStrip isSaid={(event) => event.claimId !== claim.id} />}
    </>
  );
});

/** The review beside the claim; it is pale while the next claim is being found or read. */
function PanelFrame({ gate, children }: { gate: RecordGate; children: ReactNode }) {
  const isLoading = useIsLoading(gate);
  return (
    <section className={styles.panel} aria-label="Review panel" aria-busy={isLoading} data-panel>
      {children}
    </section>
  );
}

/** Announces that another claim is read. `next`: its ID; null: the list is still searched for it. */
function NextClaim({ gate, next }: { gate: RecordGate; next: number | null }) {
  if (!useIsLoading(gate)) return null;
  return <LoadingNote>{next === null ? 'Loading the next claim…' : `Loading claim ${next}…`}</LoadingNote>;
}

function StatementButton({ claimId }: { claimId: number }) {
  const { id: workspaceId } = useWorkspace();
  const { requestExport } = useAppActions();
  const conditions = [{ field: 'id', operator: 'is' as const, values: [claimId] }];
  const query = { entity: 'claims' as const, conditions, includesMissing: true };
  return (
    <SmallButton
      onClick={() =>
        requestExport({ workspaceId, source: { kind: 'statements', query }, total: 1, shownColumns: [] })
      }
    >
      Statement…
    </SmallButton>
  );
}

/** Scrolls to the top, where the decision is, whenever another claim is shown. */
function useTop(claimId: number) {
  const body = useRef<HTMLDivElement>(null);
  const shown = useRef<number>(undefined);
  useLayoutEffect(() => {
    const isNext = shown.current !== undefined && shown.current !== claimId;
    shown.current = claimId;
    if (!isNext) return;
    body.current?.parentElement?.scrollIntoView?.({ block: 'start' });
    body.current?.querySelector('[data-panel]')?.scrollTo?.({ top: 0 });
  }, [claimId]);
  return body;
}

/** Shows the carrier's reasons for its decision, verbatim, or that a denial has none. */
function Remarks({ claim }: { claim: ClaimRecord }) {
  if (!claim.remarks && !isTurnedDown(claim.status)) return null;
  return (
    <p className={styles.remarks} data-tone={toneOfStatus(claim.status) ?? undefined}>
      {claim.remarks ? (
        <>
          <span className={styles.remarksLabel}>Carrier’s reason</span> {claim.remarks}
        </>
      ) : (
        'No reason given by the carrier.'
      )}
    </p>
  );
}

function Flags({ claim }: { claim: ClaimRecord }) {
  return (
    <>
      {claim.status && (
        <StatusChip label={formatCode('status', claim.status)} tone={toneOfStatus(claim.status)} />
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
