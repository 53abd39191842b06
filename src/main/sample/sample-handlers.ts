import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MainHandlers } from '../../contract/procedures.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Workspace } from '../../contract/workspace.ts';
import { localDayOf } from '../../rules/days.ts';
import { defaultReimbursementRules, employerKeyOf, serviceOf } from '../../rules/money/reimbursement.ts';
import {
  type Layers,
  noLimit,
  type PlanRules,
  type PlanYearRules,
  startOf,
  startPlanYear,
} from '../../rules/plans/plan-rules.ts';
import { firstDayOfPlanYear } from '../../rules/plans/plan-year.ts';
import type { DeskState, SampleService } from '../desk/desk-state.ts';
import { openSpace } from '../desk/spaces.ts';
import { createEphemeralStore } from '../keychain/secret-store.ts';
import { DeskError, toDeskError } from '../lib/errors.ts';

const dollars = (amount: number): number => amount * 10_000;
const service = serviceOf({ baseUrl: '', isSample: true });
/** The amount of one person, alone or within a family, and of the family. */
const limitOf = (person: number, family: number) => ({
  alone: dollars(person),
  person: dollars(person),
  family: dollars(family),
});

/** Before every plan year of the sample, so that the rules hold in all of them. */
const from = '2015-01-01';

const sampleLayers: Layers = [
  { payer: 'account', amount: dollars(500) },
  { payer: 'member', amount: dollars(200) },
  { payer: 'account', amount: null },
];

/**
 * By employer ID of the sample service: a plan with a deductible for facilities and an out-of-pocket maximum, of each person
 * and of the family, and an account in layers. The limits are such that some families meet them, and that the carrier
 * disagrees on few claims.
 */
const planYears: Readonly<Record<number, Partial<PlanYearRules>>> = {
  200: {
    deductible: { ...startOf.deductible, inNetwork: limitOf(200, 400), types: ['facility'] },
    outOfPocket: { ...startOf.outOfPocket, inNetwork: limitOf(2_000, 4_000) },
  },
  202: {
    account: {
      per: 'family',
      layers: { alone: sampleLayers, family: sampleLayers },
      limit: noLimit,
      carryOver: null,
    },
  },
};

/**
 * Settings with the rules of the sample instead of those that an earlier sample left: claims in their last days to reimburse
 * and to decide, people of high cost, and two employers with plan rules.
 */
function withSampleRules(
  settings: Settings,
  nowMs: number,
): Pick<Settings, 'planRules' | 'reimbursementRules'> {
  const today = localDayOf(new Date(nowMs));
  const begins = Date.parse(firstDayOfPlanYear(today, settings.planYearStart));
  const daysOfYear = Math.round((Date.parse(today) - begins) / 86_400_000);
  const rules = {
    ...defaultReimbursementRules,
    runOutDays: daysOfYear + 21,
    highCostFrom: dollars(5_000),
    decideDays: Math.max(1, daysOfYear - 20),
  };
  const plans = Object.entries(planYears).map(([employerId, year]): [string, PlanRules] => [
    employerKeyOf(service, Number(employerId)),
    { years: [{ ...startPlanYear(from), ...year }] },
  ]);
  return {
    planRules: { ...withoutSample(settings.planRules), ...Object.fromEntries(plans) },
    reimbursementRules: { ...withoutSample(settings.reimbursementRules), [service]: rules },
  };
}

const withoutSample = <T>(byKey: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(byKey).filter(([key]) => key !== service && !key.startsWith(`${service}#`)),
  );

/**
 * Answers the procedures about sample data: the sandbox as a child process, a space of its own in a temporary folder,
 * and secrets in memory only. Keys, requests and syncs work as with a real service; the real profile is not touched.
 */
export function createSampleHandlers(state: DeskState) {
  let opening: Promise<Workspace> | null = null;
  const emitActive = (activeId: string | null): void =>
    state.emit({ name: 'workspaces:changed', payload: { activeId } });
  const emitRunning = (isRunning: boolean): void =>
    state.emit({ name: 'sample:changed', payload: { isRunning } });

  return {
    'sample:open': async () => {
      if (state.ports.policy.allowSample === false) throw new DeskError('policy.sampleNotAllowed');
      if (state.sample === null) {
        opening ??= openSample(state).finally(() => {
          opening = null;
        });
        const workspace = await opening;
        emitActive(workspace.id);
        emitRunning(true);
        return workspace;
      }
      const [workspace] = (await state.sample.space.book.list()) as [Workspace];
      state.activeSampleId = workspace.id;
      emitActive(workspace.id);
      return { ...workspace, isSample: true };
    },
    'sample:setServiceRunning': async ({ isRunning }) => {
      const { sample } = state;
      if (sample === null) return { isRunning: false };
      if (isRunning !== sample.isRunning) await (isRunning ? sample.service.start() : sample.service.stop());
      sample.isRunning = isRunning;
      emitRunning(isRunning);
      return { isRunning };
    },
    'sample:nextDay': async ({ claimIds }) => {
      if (state.sample === null) throw new DeskError('sandbox.failed');
      await state.sample.service.nextDay(claimIds);
      return { isDone: true };
    },
    'sample:startTeam': async () => {
      if (state.sample === null) throw new DeskError('sandbox.failed');
      const { service, space } = state.sample;
      return service.startTeam(join(space.profileDir, 'team-server'));
    },
    'sample:addColleague': async ({ invitation, claimIds }) => {
      if (state.sample === null) throw new DeskError('sandbox.failed');
      return state.sample.service.addColleague(invitation, claimIds);
    },
    'sample:getState': () => ({
      isOpen: state.sample !== null,
      isRunning: state.sample?.isRunning ?? false,
      daysLeft: state.sample?.service.countDaysLeft() ?? 0,
    }),
    'sample:registerKey': async ({ keyId }) => {
      const { sample } = state;
      if (sample === null) throw new DeskError('key.unknown');
      // A real key must not be registered on the sample's page.
      const { name, publicKey } = await sample.space.keyRing.get(keyId);
      await sample.service.register(name, publicKey);
      return { isDone: true };
    },
    'sample:close': async () => {
      await closeSample(state);
      emitActive(await state.real.book.getActiveId());
      return { isDone: true };
    },
  } satisfies MainHandlers;
}

async function openSample(state: DeskState): Promise<Workspace> {
  const profileDir = await mkdtemp(join(tmpdir(), 'claimdesk-sample-'));
  let service: SampleService | null = null;
  try {
    service = await state.ports.startSampleService().catch((thrown) => {
      throw toDeskError(thrown);
    });
    const { baseUrl, email } = service;
    const secrets = createEphemeralStore();
    const { clock } = state.ports;
    const space = openSpace({ profileDir, secrets, anchors: secrets, clock, isSample: true });
    const name = 'Sample data';
    const added = await space.book.add({ baseUrl, email, name, color: 'orange', isSample: true });
    const key = await space.keyRing.generate({ type: 'ed25519', name: 'Sample key', baseUrl });
    await service.register('Sample key', key.publicKey);
    const workspace = await space.book.setKey(added.id, key.id);
    await state.settings.set(withSampleRules(await state.settings.get(), clock.now()));
    state.emit({ name: 'settings:changed', payload: {} });
    state.sample = { space, service, isRunning: true };
    state.activeSampleId = workspace.id;
    return { ...workspace, isSample: true };
  } catch (thrown) {
    await service?.close();
    await rm(profileDir, { recursive: true, force: true });
    throw thrown;
  }
}

export async function closeSample(state: DeskState): Promise<void> {
  const { sample } = state;
  if (sample === null) return;
  if (!state.isLocked) {
    const engine = await state.getEngine();
    for (const { id } of await sample.space.book.list())
      await engine.closeWorkspace(id).catch(() => undefined);
  }
  state.sample = null;
  state.activeSampleId = null;
  await sample.service.close();
  await rm(sample.space.profileDir, { recursive: true, force: true, maxRetries: 5 });
  state.emit({ name: 'sample:changed', payload: { isRunning: false } });
}
