import { tlsSetting } from './tls-setting.ts';

/**
 * Pure: the environment for a child: ours without our own variables, of which one may be a passphrase, and without the
 * one that turns certificates off. The switch for debugging goes along.
 */
export function childEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => name === 'CLAIMDESK_DEBUG' || !(name.startsWith('CLAIMDESK_') || name === tlsSetting),
    ),
  );
}
