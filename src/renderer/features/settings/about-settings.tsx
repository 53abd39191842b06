import { FieldList } from '../../components/page.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';

const kinds = {
  keychain: 'the keychain of this computer',
  vault: 'a vault with a passphrase',
  ephemeral: 'memory only; they are gone when Claimdesk ends',
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
        ['Runs as', shells[data.shell]],
        ['System', data.platform],
        ['Secrets are kept in', `${kinds[data.secrets.kind]}${states[data.secrets.state]}`],
        [
          'Access',
          data.isReadOnly ? 'Reading only: another Claimdesk works with this profile' : 'Reading and writing',
        ],
      ]}
    />
  );
}
