import { expect, test } from 'vitest';
import { connectHeadersSchema } from '../../../../../../src/contract/connect-settings.ts';
import {
  followProgress,
  type StreamNews,
} from '../../../../../../src/main/engine/service/connect/progress-stream.ts';
import { createFakeClock } from '../../../../../support/engine-service.ts';

const integration = {
  baseUrl: 'https://service.example',
  publicToken: 'pk_1',
  tenantLabel: null,
  tenantKey: null,
  isDemo: false,
  base: 'current',
  headers: connectHeadersSchema.parse({}),
} as const;

/** Returns the news of a state event. */
async function hear(event: object): Promise<StreamNews | undefined> {
  const heard: StreamNews[] = [];
  const ports = {
    clock: createFakeClock(),
    onCall: () => undefined,
    transport: async ({ onChunk }: { onChunk?: (chunk: Uint8Array) => void }) => {
      onChunk?.(Buffer.from(`event: state\ndata: ${JSON.stringify(event)}\n\n`));
      return { status: 200, headers: {}, body: new Uint8Array() };
    },
  };
  const wanted = { taskId: 't', taskToken: 'k', signal: new AbortController().signal };
  await followProgress(integration, ports as never, wanted, (news) => heard.push(news));
  return heard[0];
}

const news = (more: object) => ({
  kind: 'state',
  news: { methods: [], message: null, credentialsAreValid: null, isPending: false, ...more },
});

test.each([
  [
    { status: 'FAILURE', result: ' The carrier says no. ' },
    { state: 'FAILURE', message: 'The carrier says no.' },
  ],
  [{ status: 'FAILURE', result: '  ' }, { state: 'FAILURE' }],
  [
    { status: 'FAILURE', result: 'x'.repeat(5_000) },
    { state: 'FAILURE', message: 'x'.repeat(1_000) },
  ],
  [
    { status: 'FAILURE', result: { message: 'No.', credentials_are_valid: false } },
    { state: 'FAILURE', message: 'No.', credentialsAreValid: false },
  ],
  // A text beside another state is no sentence about a refused code.
  [{ status: 'WAITING_FOR_TWO_FACTOR_CODE', result: 'sent' }, { state: 'WAITING_FOR_TWO_FACTOR_CODE' }],
  [{ status: 'SUCCESS', result: 'done' }, { state: 'SUCCESS' }],
  [{ status: 'PENDING', result: [1] }, { state: 'PENDING' }],
])('%j is read as %j', async (event, heard) => {
  expect(await hear(event)).toEqual(news(heard));
});
