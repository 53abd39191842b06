import { execFileSync } from 'node:child_process';
import { keychainServiceName } from '../../src/main/keychain/keychain-store.ts';

const service = 'org.freedesktop.secrets';

function ask(path: string, ...call: string[]): string {
  const args = ['--session', '--print-reply', `--dest=${service}`, path, ...call];
  return execFileSync('dbus-send', args, { encoding: 'utf8' });
}

/**
 * The accounts of all entries of Claimdesk in the Secret Service, read from the service itself. Runs within the session
 * bus. Throws where the service is missing or its reply is not understood.
 */
export function listKeychainAccounts(): string[] {
  const found = ask(
    '/org/freedesktop/secrets',
    'org.freedesktop.Secret.Service.SearchItems',
    `dict:string:string:service,${keychainServiceName}`,
  );
  const items = [...found.matchAll(/object path "([^"]+)"/g)].map((match) => match[1] ?? '');
  return items
    .map((item) => {
      const attributes = ask(
        item,
        'org.freedesktop.DBus.Properties.Get',
        'string:org.freedesktop.Secret.Item',
        'string:Attributes',
      );
      const account = /string "account"\s+string "([^"]+)"/.exec(attributes)?.[1];
      if (account === undefined) throw new Error('An entry has no account.');
      return account;
    })
    .sort();
}
