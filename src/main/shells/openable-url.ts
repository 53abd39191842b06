/** Pure: https anywhere; http on this computer only. Any other scheme could start any program. */
export function isOpenable(url: URL): boolean {
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}
