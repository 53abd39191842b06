import { Account } from './auth/account.ts';
import { SandboxClock } from './clock.ts';
import type { Connect } from './connect/connect.ts';
import { createConnect } from './connect/connect.ts';
import { Schedule } from './control/schedule.ts';
import { World } from './data/world.ts';
import { ActiveFaults } from './faults/active-faults.ts';
import { Journal } from './journal.ts';
import type { SandboxOptions } from './options.ts';

/** What the routes of the service and of the control address have in common. */
export type Service = {
  readonly options: SandboxOptions;
  readonly clock: SandboxClock;
  readonly account: Account;
  readonly journal: Journal;
  readonly world: World;
  readonly faults: ActiveFaults;
  readonly schedule: Schedule;
  readonly connect: Connect;
};

export function createService(options: SandboxOptions): Service {
  const clock = new SandboxClock(options.today);
  const world = new World(
    { seed: options.seed, members: options.members, claims: options.claims, order: options.order },
    clock,
  );
  return {
    options,
    clock,
    world,
    account: new Account(options.email),
    journal: new Journal(),
    faults: new ActiveFaults(options.seed),
    schedule: new Schedule(),
    connect: createConnect(world, clock),
  };
}
