/** Signs in on the carrier's page and agrees, or not, as a member does. Returns the last page. */
export async function walkCarrierPage(
  url: string,
  steps: { readonly username: string; readonly decision?: 'allow' | 'deny' },
): Promise<string> {
  // A carrier's own address leads to the page.
  const { url: page } = await fetch(url);
  const post = async (path: string, form: Record<string, string>): Promise<string> =>
    (await fetch(`${page}/${path}`, { method: 'POST', body: new URLSearchParams(form) })).text();
  const signedIn = await post('sign-in', { username: steps.username, password: 'carrier password' });
  return steps.decision === undefined ? signedIn : post('decide', { decision: steps.decision });
}
