import { Button, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { DeskBridge } from '../../../contract/bridge.ts';
import { localDayOf } from '../../../rules/days.ts';
import { decide } from '../../../rules/review/acts/decision.ts';
import type { ReviewAct } from '../../../rules/review/event-kinds.ts';
import { worklistQuery } from '../../../rules/worklists/worklist-table.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Hint } from '../../components/text.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask as call } from '../../lib/desk-error.ts';
import { type Ask, useAsk } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { useSecretWork } from '../../lib/use-secret-call.ts';

/** The colleague begins after the claims that the user sees first. */
const claimsOfPerson = 20;
export const claimsOfColleague = 20;
export const colleagueEmail = 'colleague@example.com';

/**
 * Pays one claim and declines another as the sample's admin, so that the colleague has two acts to contradict even if
 * the user does nothing.
 */
async function actFirst(ask: Ask, claimIds: readonly number[]): Promise<void> {
  const act = (claimId: number, reviewAct: ReviewAct) =>
    ask('reviews:act', { target: { claimIds: [claimId] }, act: reviewAct });
  const [paid, declined] = claimIds;
  const day = localDayOf(new Date());
  if (paid !== undefined)
    await act(paid, { kind: 'payment', payment: 'reimbursed', amount: firstPayment, day, account: '' });
  if (declined !== undefined) await act(declined, decide('done', 'notEligible'));
}
/** The amount in ten-thousandths of a dollar. */
const firstPayment = 250_000;

/** The colleague answers within a second. */
const tryMs = 250;
const maxTries = 60;

async function tryTeam(bridge: DeskBridge, ask: Ask): Promise<void> {
  const setup = await call(bridge, 'sample:startTeam', {});
  const { recoveryKey } = await ask('team:create', setup);
  const { invitation } = await ask('team:invite', {
    email: colleagueEmail,
    role: 'reviewer',
    recoveryKey,
  });
  const ready = await ask('records:readFirst', {
    query: worklistQuery('toDecide'),
    limit: claimsOfPerson + claimsOfColleague + 2,
    fields: ['id'],
    isLookup: true,
  });
  const ids = ready.rows.map(({ id }) => Number(id));
  const claimIds = ids.slice(claimsOfPerson, -2);
  const { computer } = await call(bridge, 'sample:addColleague', { invitation, claimIds });
  const hasCode = async () => (await ask('team:listJoins', {})).joins.some(({ code }) => code !== null);
  for (let tries = 0; tries < maxTries && !(await hasCode()); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, tryMs));
  await ask('team:approve', { computer });
  await actFirst(ask, ids.slice(-2));
}

/** Makes a team with the sample in one step. */
export function TryTeam() {
  const bridge = useBridge();
  const ask = useAsk();
  const cache = useQueryClient();
  const { run, isPending, error } = useSecretWork();
  const start = async () => {
    await run(() => tryTeam(bridge, ask));
    await cache.invalidateQueries({ queryKey: keyPrefixes.domain('team') });
  };
  return (
    <Stack gap={4} align="flex-start">
      <Button loading={isPending} onClick={start}>
        Try it as a team
      </Button>
      <Hint>
        Starts a team server on this computer, and a simulated colleague who decides 20 sample claims beside
        you and answers what you decide. To get you started, it declines one claim and records a payment on
        another in your name.
      </Hint>
      <ErrorNotice error={error} title="Couldn’t try it as a team" />
    </Stack>
  );
}
