import { Button, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { DeskBridge } from '../../../contract/bridge.ts';
import { worklistQuery } from '../../../contract/worklist-table.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Hint } from '../../components/text.tsx';
import { readFirstRows } from '../../domain/list/read-first-rows.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { useSecretWork } from '../../lib/use-secret-call.ts';

/** The colleague begins after the claims that a person sees first. */
const claimsOfPerson = 20;
const claimsOfColleague = 40;

async function tryTeam(bridge: DeskBridge, workspaceId: string): Promise<void> {
  const wanted = await ask(bridge, 'sample:startTeam', {});
  const { recoveryKey } = await ask(bridge, 'team:create', { workspaceId, ...wanted });
  const { invitation } = await ask(bridge, 'team:invite', { workspaceId, recoveryKey });
  const ready = await readFirstRows(bridge, {
    workspaceId,
    query: worklistQuery('ready'),
    limit: claimsOfPerson + claimsOfColleague,
    fields: ['id'],
    isLookup: true,
  });
  const claimIds = ready.slice(claimsOfPerson).map(({ id }) => Number(id));
  const { computer } = await ask(bridge, 'sample:addColleague', { invitation, claimIds });
  await ask(bridge, 'team:approve', { workspaceId, computer, role: 'reviewer' });
}

/** Makes a team with the sample in one step. */
export function TryTeam({ workspaceId }: { workspaceId: string }) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const { run, isPending, error } = useSecretWork();
  const start = async () => {
    await run(() => tryTeam(bridge, workspaceId));
    await cache.invalidateQueries({ queryKey: keyPrefixes.domain('team') });
  };
  return (
    <Stack gap={4} align="flex-start">
      <Button loading={isPending} onClick={start}>
        Try it as a team
      </Button>
      <Hint>
        Starts a team server on this computer, and a simulated colleague who decides sample claims beside you
        and answers what you decide.
      </Hint>
      <ErrorNotice error={error} title="Couldn’t try it as a team" />
    </Stack>
  );
}
