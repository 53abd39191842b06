import { describe, expect, test } from 'vitest';
import type { CollectionState } from '../../../../src/main/keychain/keychain-store.ts';
import { createKeychainStore } from '../../../../src/main/keychain/keychain-store.ts';

type Behaviour = {
  states?: CollectionState[];
  entries?: Record<string, string>;
  setFails?: boolean;
  getFails?: boolean;
  loadFails?: boolean;
};

/** Makes a store with faults that tests can't have: prompts that users close, locks between two calls. */
function makeStore({ states = ['ready'], entries = {}, ...fails }: Behaviour) {
  const held = new Map(Object.entries(entries));
  const asked = [...states];
  const store = createKeychainStore({
    serviceName: 'Claimdesk test',
    ports: {
      readState: async () => (asked.length > 1 ? asked.shift() : asked[0]) ?? 'ready',
      loadKeytar: async () => {
        if (fails.loadFails) throw new Error('libsecret-1.so.0: cannot open shared object file');
        return {
          getPassword: async (_, account) => {
            if (fails.getFails) throw new Error('User canceled the operation.');
            return held.get(account) ?? null;
          },
          setPassword: async (_, account, password) => {
            if (fails.setFails) throw new Error('The prompt was dismissed.');
            held.set(account, password);
          },
          deletePassword: async (_, account) => held.delete(account),
        };
      },
    },
  });
  return { store, held };
}

const code = (expected: string) => ({ code: expected });

test('stores bytes as base64', async () => {
  const { store, held } = makeStore({});
  await store.set('a', Buffer.from([0, 255, 10]));
  expect(held.get('a')).toBe('AP8K');
  expect(await store.get('a')).toEqual(Buffer.from([0, 255, 10]));
});

describe('an empty answer', () => {
  test('of an open keychain is an absent entry', async () => {
    expect(await makeStore({}).store.get('a')).toBeNull();
  });

  test('is an error if the keychain locked in the meantime', async () => {
    const { store } = makeStore({ states: ['ready', 'locked'] });
    await expect(store.get('a')).rejects.toMatchObject(code('keychain.locked'));
  });

  test('to a deletion is an error if the keychain locked in the meantime', async () => {
    const { store } = makeStore({ states: ['ready', 'locked'] });
    await expect(store.delete('a')).rejects.toMatchObject(code('keychain.locked'));
  });
});

describe('a refusal', () => {
  test('to read is reported as dismissed, never as absent', async () => {
    await expect(makeStore({ getFails: true }).store.get('a')).rejects.toMatchObject(
      code('keychain.dismissed'),
    );
  });

  test('to write is reported as dismissed', async () => {
    const set = makeStore({ setFails: true }).store.set('a', Buffer.from('x'));
    await expect(set).rejects.toMatchObject(code('keychain.dismissed'));
  });

  test('to make a first collection means no keychain', async () => {
    const set = makeStore({ states: ['empty'], setFails: true }).store.set('a', Buffer.from('x'));
    await expect(set).rejects.toMatchObject(code('keychain.missing'));
  });
});

test('a library that does not load is a missing keychain', async () => {
  const { store } = makeStore({ loadFails: true });
  expect(await store.getState()).toBe('missing');
  await expect(store.get('a')).rejects.toMatchObject(code('keychain.missing'));
});

test('a locked keychain is not asked at all', async () => {
  const { store } = makeStore({ states: ['locked'], entries: { a: 'AA==' } });
  expect(await store.getState()).toBe('locked');
  for (const call of [store.get('a'), store.set('a', Buffer.alloc(1)), store.delete('a')]) {
    await expect(call).rejects.toMatchObject(code('keychain.locked'));
  }
});

test.each(['not base64!', 'AP8', 'AP8K\n'])(
  'an entry that we did not write (%j) is not accepted',
  async (text) => {
    const { store } = makeStore({ entries: { a: text } });
    await expect(store.get('a')).rejects.toMatchObject(code('keychain.entryMissing'));
  },
);

test('a value too large for some keychain is refused on all', async () => {
  const { store, held } = makeStore({});
  await expect(store.set('a', Buffer.alloc(513))).rejects.toThrow('too large');
  expect(held.size).toBe(0);
});
