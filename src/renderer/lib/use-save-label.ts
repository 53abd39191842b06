import { useDeskQuery } from './desk-query.ts';

/** What a button that saves a file says: the browser shell chooses the folder itself, without a dialog. */
export function useSaveLabel(): string {
  const info = useDeskQuery('app:getInfo', {});
  return info.data?.shell === 'browser' ? 'Save file' : 'Save as…';
}
