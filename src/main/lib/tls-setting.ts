/** The variable by which Node would take any certificate. Every connection of Claimdesk overrides it. */
export const tlsSetting = 'NODE_TLS_REJECT_UNAUTHORIZED';

/** Pure: whether the environment asks for unverified certificates, by the value that Node goes by. */
export function asksForUnverifiedTls(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment[tlsSetting] === '0';
}
