/** Pure: the environment for a child: ours without our own variables, of which one may be a passphrase. */
export function childEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('CLAIMDESK_')));
}
