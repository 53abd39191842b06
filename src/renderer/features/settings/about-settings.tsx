import { FieldList } from '../../components/page.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';

const kinds = {
  keychain: 'This computer’s keychain',
  vault: 'Unlock passphrase',
  ephemeral: 'In memory only, cleared on exit',
} as const;
const states = { ready: '', locked: ' (locked)', missing: ' (missing)' } as const;
const shells = { electron: 'Desktop window', browser: 'Browser window', cli: 'Command line' } as const;

/** Which Claimdesk this is, and where it keeps its secrets. */
export function AboutSettings() {
  const { data } = useDeskQuery('app:getInfo', {});
  if (data === undefined) return null;
  return (
    <FieldList
      fields={[
        ['Version', data.version],
        ['Running as', shells[data.shell]],
        ['System', data.platform],
        ['Secrets', `${kinds[data.secrets.kind]}${states[data.secrets.state]}`],
        [
          'Access',
          data.isReadOnly ? 'Read-only: Claimdesk is already open in another window' : 'Read and write',
        ],
      ]}
    />
  );
}
