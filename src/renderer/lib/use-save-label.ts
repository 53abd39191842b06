import { useDeskQuery } from './desk-query.ts';

/** What a button that saves a file says. The browser shell chooses the folder itself: no dialog, and no ellipsis. */
export function useSaveLabel(what = 'file'): string {
  const info = useDeskQuery('app:getInfo', {});
  return `Save ${what}${info.data?.shell === 'browser' ? '' : '…'}`;
}
