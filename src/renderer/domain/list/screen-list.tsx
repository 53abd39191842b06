import { type ReactNode, useEffect } from 'react';
import { LoadingState } from '../../components/states.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useListMemory } from './list-memory.tsx';
import { RecordList, type RecordListProps } from './record-list.tsx';
import { findSession, lastSettingsOf, lastViewOf } from './saved-views.ts';

/**
 * A list that is a screen of its own: it begins with its last settings, and its views can be saved. Its id is the
 * entity that it lists.
 */
export function ScreenList(props: Omit<RecordListProps, 'listId' | 'start' | 'isScreen'>): ReactNode {
  const { workspace, entity, plan } = props;
  const memory = useListMemory();
  const views = useDeskQuery('views:list', { workspaceId: workspace.id });
  const isReady = !views.isPending;
  const found = views.data === undefined ? null : findSession(views.data.views);
  if (isReady) memory.session.begin(workspace.id, found);
  useEffect(() => {
    if (!isReady) return;
    const list = memory.obtain(workspace.id, entity, plan);
    return list.subscribe(() =>
      memory.session.keep(workspace.id, entity, lastViewOf(list.getSettings(), list.plan.initial)),
    );
  }, [isReady, memory, workspace.id, entity, plan]);
  if (!isReady) return props.frame(null, <LoadingState what={props.many} />);
  const left = memory.session.find(workspace.id, entity);
  return (
    <RecordList
      {...props}
      listId={entity}
      isScreen
      start={left === undefined ? undefined : lastSettingsOf(entity, left, plan.initial)}
    />
  );
}
