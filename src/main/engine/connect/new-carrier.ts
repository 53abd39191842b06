import type { ConnectPayer } from '../../../contract/connect-members.ts';
import { DeskError } from '../../lib/errors.ts';
import type { ConnectFile } from './connect-file.ts';
import type { Connections } from './connections.ts';
import type { WorkspaceIntegration } from './integration.ts';
import type { Members } from './members.ts';

/** Concurrent requests for a carrier's group, and their limit. */
const carriersAtOnce = 4;
const carriersInAll = 300;

/**
 * Finds the carrier that the members of a migrating one move to: another one of the same `payer_group_id`
 * (docs/service.md, "Login problems"). Where the service's lists contain no groups, each carrier is requested by
 * itself.
 * @throws DeskError `connect.newCarrierUnknown`, `connect.*`, `service.*`
 */
export function createNewCarrier(ports: {
  readonly integration: WorkspaceIntegration;
  readonly members: Members;
  readonly connections: Connections;
  readonly file: ConnectFile;
}) {
  const { integration, members, connections, file } = ports;

  return async (policyHolderId: number): Promise<ConnectPayer> => {
    const { api, scope } = await integration.open();
    const { email, payerId, payerGroupId, loginProblem } = await connections.find(policyHolderId);
    if (loginProblem !== 'migrating' || payerId === null) throw new DeskError('connect.newCarrierUnknown');
    const member = await members.find(email);
    const readGroup = async (id: number): Promise<number | null> => {
      const wanted = { email: member.email, employerId: member.employer.id, payerId: id };
      return (await api.readPayer(wanted)).data.payer_group_id;
    };
    const group = payerGroupId ?? (await readGroup(payerId));
    if (group === null) throw new DeskError('connect.newCarrierUnknown');

    // Requests a first list where none is known.
    await members.listPayers(email);
    const known = (await file.read()).payers.find((one) => one.scope === scope)?.payers ?? [];
    const others = known.filter(({ id }) => id !== payerId);
    let found = others.find(({ groupId }) => groupId === group);
    const unread = others.every(({ groupId }) => groupId === null) ? others.slice(0, carriersInAll) : [];
    const work = async (): Promise<void> => {
      for (let next = unread.shift(); next !== undefined && found === undefined; next = unread.shift()) {
        if ((await readGroup(next.id)) === group) found ??= next;
      }
    };
    await Promise.all(Array.from({ length: carriersAtOnce }, work));
    if (found === undefined) throw new DeskError('connect.newCarrierUnknown');
    return { id: found.id, name: found.name };
  };
}
