import type { ConnectionView } from '../../../contract/connect-views.ts';

type Named = Pick<ConnectionView, 'memberName' | 'email' | 'employerName' | 'payerName'>;

/** Those that have every word typed, in whatever names them. */
export function findConnections<C extends Named>(connections: readonly C[], typed: string): C[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return connections.filter(({ memberName, email, employerName, payerName }) => {
    const text = [memberName, email, employerName, payerName].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** "12 connections, 3 do not work, 1 needs a look". */
export function describeConnections(connections: readonly Pick<ConnectionView, 'severity'>[]): string {
  const count = (severity: ConnectionView['severity']) =>
    connections.filter((connection) => connection.severity === severity).length;
  const critical = count('critical');
  const warning = count('warning');
  return [
    connections.length === 1 ? '1 connection' : `${connections.length} connections`,
    ...(critical === 0 ? [] : [critical === 1 ? '1 does not work' : `${critical} do not work`]),
    ...(warning === 0 ? [] : [warning === 1 ? '1 needs a look' : `${warning} need a look`]),
  ].join(', ');
}
