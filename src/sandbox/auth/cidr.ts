import { BlockList, isIP } from 'node:net';

/** Whether an address is in one of the CIDR ranges. IPv4 addresses mapped into IPv6 count as IPv4. */
export function isAddressAllowed(address: string, ranges: readonly string[]): boolean {
  const bare = address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix = ''] = range.split('/');
    list.addSubnet(network, Number(prefix), isIP(network) === 6 ? 'ipv6' : 'ipv4');
  }
  return list.check(bare, isIP(bare) === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a text is a CIDR range such as 10.0.0.0/8. */
export function isCidr(text: string): boolean {
  const match = /^([0-9a-fA-F:.]+)\/(\d{1,3})$/.exec(text);
  const family = isIP(match?.[1] ?? '');
  return family !== 0 && Number(match?.[2]) <= (family === 6 ? 128 : 32);
}
