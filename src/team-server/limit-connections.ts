import type { Server, Socket } from 'node:net';
import type { GoodAddresses, Limits } from './limits.ts';

/**
 * Closes connections beyond the limit of an address and beyond the limit of strangers: the remaining ones are reserved
 * for addresses that recently sent a valid token. `isBehindProxy`: all connections come from this computer.
 */
export function limitConnections(
  server: Server,
  limits: Pick<Limits, 'maxConnections' | 'reservedConnections' | 'maxConnectionsOfAddress'>,
  good: Pick<GoodAddresses, 'has'>,
  isBehindProxy: boolean,
) {
  const counts = new Map<string, number>();
  let count = 0;
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const ofAddress = (counts.get(address) ?? 0) + 1;
    count += 1;
    counts.set(address, ofAddress);
    socket.once('close', () => {
      count -= 1;
      const left = (counts.get(address) ?? 1) - 1;
      if (left === 0) counts.delete(address);
      else counts.set(address, left);
    });
    if (isBehindProxy) return;
    const most = limits.maxConnections - (good.has(address) ? 0 : limits.reservedConnections);
    if (ofAddress > limits.maxConnectionsOfAddress || count > most) socket.destroy();
  });
  return { count: () => count };
}
