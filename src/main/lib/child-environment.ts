import { tlsSetting } from './tls-setting.ts';

/**
 * Pure: the environment for a child process: this one's, without Claimdesk's own variables (one may be a passphrase)
 * and without the variable that turns certificate checks off. `CLAIMDESK_DEBUG` is passed on.
 */
export const childEnvironment = (
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => name === 'CLAIMDESK_DEBUG' || !(name.startsWith('CLAIMDESK_') || name === tlsSetting),
    ),
  );
