import type { SamplePerson } from '../../../contract/sample-person.ts';
import { logFailure } from '../../lib/log-failure.ts';
import { maskUsername } from './assess-connection.ts';
import type { ConnectData, StoredConnection } from './connect-file.ts';
import { listMembers } from './members.ts';
import { nowText, type WorkspaceConnect } from './workspace-connect.ts';

/** Adds the sample's connected people once per start of its service, and again if that failed. */
export async function showSamplePeople(connect: WorkspaceConnect): Promise<void> {
  const { samplePeople } = connect;
  const sample = await connect.getSample();
  if (sample === null || connect.isReadOnly) return;
  const { publicToken } = sample;
  const adding = samplePeople.get(publicToken) ?? addPeople(connect, publicToken);
  samplePeople.set(publicToken, adding);
  await adding.catch((thrown) => {
    samplePeople.delete(publicToken);
    logFailure(connect.log, 'connect.samplePeopleFailed', thrown);
  });
}

async function addPeople(connect: WorkspaceConnect, publicToken: string): Promise<void> {
  const { integration, file } = connect;
  const settings = await integration.getSettings();
  if (settings.publicToken !== publicToken || (await listMembers(connect)).length > 0) return;
  const { scope } = await integration.open();
  const people = await connect.getSamplePeople();
  if (people.length > 0)
    await file.update((current) => withSamplePeople(current, scope, people, nowText(connect)));
}

/**
 * Returns the sample's Connect data with these people, each added when their first connection was. Earlier data belongs
 * to a service that has ended and is dropped.
 */
export function withSamplePeople(
  current: ConnectData,
  scope: string,
  people: readonly SamplePerson[],
  readAt: string,
): ConnectData {
  const employers = new Map(
    people.map(({ employer: { id, name }, tenant, systemKey, vendor }) => [
      id,
      { scope, id, name, tenant, systemKey, vendor },
    ]),
  );
  return {
    ...current,
    employers: [...employers.values()],
    members: people.map(({ employer, connections, ...person }) => ({
      scope,
      email: person.email,
      firstName: person.firstName,
      lastName: person.lastName,
      employer: { id: employer.id, name: employer.name },
      tenant: person.tenant,
      systemKey: person.systemKey,
      vendor: person.vendor,
      memberSystemKey: person.memberSystemKey,
      supportEmail: employer.supportEmail,
      bootstrappedAt: connections.map(({ createdDate }) => createdDate).sort()[0] ?? readAt,
    })),
    connections: people.flatMap(({ email, connections }) =>
      connections.map(
        ({ id, username, lastCrawlEnd, createdDate, ...connection }): StoredConnection => ({
          ...connection,
          scope,
          email,
          policyHolderId: id,
          usernameHint: maskUsername(username),
          needsCorrection: connection.correctionMessage !== null,
          lastSuccessAt: lastCrawlEnd,
          createdAt: createdDate,
          isRunning: false,
          verdict: null,
          consent: null,
          readAt,
        }),
      ),
    ),
  };
}
