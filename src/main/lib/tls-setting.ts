/** The environment variable that makes Node accept any certificate. Every connection of Claimdesk overrides it. */
export const tlsSetting = 'NODE_TLS_REJECT_UNAUTHORIZED';

/** Pure: whether the environment turns certificate checks off, by the value that Node tests for. */
export const asksForUnverifiedTls = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  environment[tlsSetting] === '0';
