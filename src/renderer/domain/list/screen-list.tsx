import { type ReactNode, useCallback, useEffect } from 'react';
import { Page } from '../../components/page.tsx';
import { LoadingState } from '../../components/states.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { useListMemory } from './list-memory.tsx';
import { planOf, usePlan } from './list-plan.ts';
import { nounsOf } from './open-record.ts';
import { RecordList, type RecordListProps } from './record-list.tsx';
import { findSession, lastSettingsOf, lastViewOf } from './view-settings.ts';

/**
 * A list that is a screen: it begins with its last settings, and its views can be saved. Its ID is the entity that it
 * lists.
 */
export function ScreenList(
  props: Omit<RecordListProps, 'listId' | 'start' | 'isScreen' | 'plan' | 'frame'> & { dialogs?: ReactNode },
) {
  const { entity, layouts, dialogs, ...list } = props;
  const { id: workspaceId } = useWorkspace();
  const { title, many } = nounsOf[entity];
  const plan = usePlan(useCallback((windowPx) => planOf(entity, layouts, windowPx), [entity, layouts]));
  const memory = useListMemory();
  const views = useWorkspaceQuery('views:list');
  const isReady = !views.isPending;
  const savedSession = views.data === undefined ? null : findSession(views.data.views);
  if (isReady) memory.session.begin(workspaceId, savedSession);
  useEffect(() => {
    if (!isReady) return;
    const kept = memory.obtain(workspaceId, entity, plan);
    return kept.subscribe(() =>
      memory.session.keep(workspaceId, entity, lastViewOf(kept.getSettings(), kept.plan.initial)),
    );
  }, [isReady, memory, workspaceId, entity, plan]);
  const frame = (actions: ReactNode, content: ReactNode) => (
    <Page title={title} documentTitle={title} actions={actions}>
      {content}
      {dialogs}
    </Page>
  );
  if (!isReady) return frame(null, <LoadingState what={many} />);
  const left = memory.session.find(workspaceId, entity);
  return (
    <RecordList
      {...list}
      entity={entity}
      layouts={layouts}
      plan={plan}
      listId={entity}
      isScreen
      start={left === undefined ? undefined : lastSettingsOf(entity, left, plan.initial)}
      frame={frame}
    />
  );
}
