import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../../../src/contract/error-codes.ts';
import { createReachability } from '../../../../../src/main/engine/service/reachability.ts';
import type { HttpRequest, Transport } from '../../../../../src/main/engine/service/transport.ts';
import { DeskError } from '../../../../../src/main/lib/errors.ts';
import { reply } from '../../../../support/engine-service.ts';

const request: HttpRequest = {
  method: 'GET',
  url: new URL('https://service.example/api/v2/member'),
  headers: {},
  timeoutMs: 1_000,
};
const failing =
  (code: ErrorCode): Transport =>
  async () => {
    throw new DeskError(code);
  };
const answering =
  (status: number): Transport =>
  async () =>
    reply({ status });

function given() {
  const told: [string, boolean][] = [];
  const reachability = createReachability((workspaceId, isReachable) =>
    told.push([workspaceId, isReachable]),
  );
  const send = (transport: Transport, workspaceId = 'w', wanted: HttpRequest = request) =>
    reachability
      .watch(
        workspaceId,
        transport,
      )(wanted)
      .then(
        () => 'replied',
        (error: DeskError) => error.code,
      );
  return { told, reachability, send };
}

describe('whether a service answers', () => {
  it('is unknown before the first request', () => {
    expect(given().reachability.isReachable('w')).toBeNull();
  });

  it.each([
    'service.unreachable',
    'service.nameUnknown',
    'service.timeout',
    'service.connectionLost',
  ] as const)('ends with %s, which is passed on', async (code) => {
    const { reachability, send } = given();
    expect(await send(failing(code))).toBe(code);
    expect(reachability.isReachable('w')).toBe(false);
  });

  it.each([200, 401, 404, 429, 503])('begins again with any reply, even a %i', async (status) => {
    const { reachability, send } = given();
    await send(failing('service.unreachable'));
    expect(await send(answering(status))).toBe('replied');
    expect(reachability.isReachable('w')).toBe(true);
  });

  it.each(['sync.canceled', 'service.tlsRefused', 'service.replyTooLarge'] as const)(
    'does not change after %s',
    async (code) => {
      const { reachability, send } = given();
      await send(failing(code));
      expect(reachability.isReachable('w')).toBeNull();
      await send(answering(200));
      await send(failing(code));
      expect(reachability.isReachable('w')).toBe(true);
    },
  );

  it('is reported when it changes, and only for its own workspace', async () => {
    const { told, reachability, send } = given();
    for (const transport of [answering(200), answering(200), failing('service.timeout')]) {
      await send(transport);
    }
    await send(failing('service.timeout'));
    await send(answering(500));
    expect(told).toEqual([
      ['w', true],
      ['w', false],
      ['w', true],
    ]);
    expect(reachability.isReachable('other')).toBeNull();
  });

  it('is known from the first part of a stream, and not from its end', async () => {
    const { reachability, send } = given();
    await send(failing('service.unreachable'));
    const chunks: Uint8Array[] = [];
    const stream: Transport = async ({ onChunk }) => {
      onChunk?.(new Uint8Array([1]));
      expect(reachability.isReachable('w')).toBe(true);
      throw new DeskError('service.connectionLost');
    };
    await send(stream, 'w', { ...request, onChunk: (chunk) => chunks.push(chunk) });
    expect(chunks).toHaveLength(1);
    expect(reachability.isReachable('w')).toBe(true);
  });
});
