import { type MissingAnswer, missingAnswers } from '../../../../rules/money/chain-claim.ts';
import type { Condition, ListQuery } from '../../../../rules/query.ts';
import type { Printer } from '../output.ts';
import { type Command, parseFilter, parseId } from '../parse-command.ts';
import { inWorkspace } from '../run-in-session.ts';
import { UsageError } from '../usage.ts';

const isMissing: Condition = { field: 'facts.exceptions', operator: 'contains', values: ['Gone'] };

export const missingVerb = 'gone';

/** `claimdesk review gone …`: decides in one act about claims that the service no longer returns. */
export async function runMissing(command: Command, output: Printer): Promise<number> {
  const [, , word, ...ids] = command.words;
  const answer: MissingAnswer | undefined = missingAnswers.find((missingAnswer) => missingAnswer === word);
  if (answer === undefined) throw new UsageError(`review gone needs one of ${missingAnswers.join(', ')}`);
  const act = { kind: 'missing', answer } as const;
  return inWorkspace(command, true, async (session, workspaceId) => {
    if (ids.length > 0) {
      const target = { claimIds: ids.map(parseId) };
      await output.json(await session.call('reviews:act', { workspaceId, target, act }));
      return;
    }
    await session.call('worklists:update', { workspaceId });
    const filters = (command.options.filter ?? []).map(parseFilter);
    const query: ListQuery = {
      entity: 'claims',
      conditions: [isMissing, ...filters],
      includesMissing: true,
    };
    const { snapshotId } = await session.call('records:open', { workspaceId, query });
    const { selectionId } = await session.call('reviews:freeze', {
      workspaceId,
      from: { kind: 'list', snapshotId },
    });
    await output.json(await session.call('reviews:act', { workspaceId, target: { selectionId }, act }));
  });
}
