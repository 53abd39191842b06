import { useDeskQuery } from './desk-query.ts';

/** Returns a save button's label. The browser shell chooses the folder itself: no dialog, and no ellipsis. */
export function useSaveLabel(what = 'file'): string {
  const info = useDeskQuery('app:getInfo', {});
  return `Save ${what}${info.data?.shell === 'browser' ? '' : '…'}`;
}
