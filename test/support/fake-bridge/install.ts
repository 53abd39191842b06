import { z } from 'zod';
import { createFakeDesk, type FakeStart } from './fake-desk.ts';

z.config({ jitless: true });

const asked = new URLSearchParams(location.search);
const start: FakeStart = {
  scene: (asked.get('scene') ?? 'working') as FakeStart['scene'],
  theme: (asked.get('theme') ?? 'light') as FakeStart['theme'],
  claims: Number(asked.get('claims') ?? '2000'),
};
Object.defineProperty(window, 'claimdesk', { value: createFakeDesk(start) });
