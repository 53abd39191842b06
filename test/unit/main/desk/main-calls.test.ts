import { expect, test, vi } from 'vitest';
import type { DeskState } from '../../../../src/main/desk/desk-state.ts';
import { createMainCalls } from '../../../../src/main/desk/main-calls.ts';

function open(sample: object | null = null) {
  const openUrl = vi.fn(async (_url: URL) => true);
  const main = createMainCalls({ ports: { openUrl }, sample } as unknown as DeskState);
  return { main, openUrl };
}

test.each(['https://carrier.example/sign-in?x=1', 'http://127.0.0.1:8000/carrier/authorize/x'])(
  '%s is opened in the system’s browser',
  async (address) => {
    const { main, openUrl } = open();
    expect(await main.openUrl(address)).toBe(true);
    expect(openUrl.mock.calls[0]?.[0].href).toBe(address);
  },
);

test.each([
  'http://carrier.example/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'smb://x/y',
  'no address',
])('%s is not', async (address) => {
  const { main, openUrl } = open();
  await expect(main.openUrl(address)).rejects.toMatchObject({ code: 'connect.badCarrierUrl' });
  expect(openUrl).not.toHaveBeenCalled();
});

test('the sample’s integration is returned only while the sample is open', async () => {
  const connect = { publicToken: 'pk_1', secretKey: 'sk_1' };
  expect(await open({ service: { getConnect: () => connect } }).main.getSampleConnect()).toEqual(connect);
  expect(await open().main.getSampleConnect()).toBeNull();
});

test('a locked desk signs no file', async () => {
  const main = createMainCalls({ isLocked: true } as unknown as DeskState);
  const signed = main.signFile({ workspaceId: 'w', sha512: '00' });
  await expect(signed).rejects.toMatchObject({ code: 'app.locked' });
});
