import type { SandboxClock } from '../clock.ts';
import type { World } from '../data/world.ts';
import { CookieJarWatch } from './cookies.ts';
import { Crawls } from './crawls.ts';
import { createDemoDirectory } from './demo-directory.ts';
import { Integrations } from './integrations.ts';
import { PatientAccess } from './patient-access.ts';
import type { Connection } from './realm.ts';
import { Realm } from './realm.ts';
import type { ConnectSettings } from './settings.ts';
import { DEFAULT_SETTINGS } from './settings.ts';
import { TokenMint } from './token-mint.ts';
import { Validations } from './validations.ts';
import { connectTenants, createWorldDirectory } from './world-directory.ts';

/** The state of the Connect side of the service. */
export type Connect = {
  readonly integrations: Integrations;
  readonly tokens: TokenMint;
  readonly production: Realm;
  readonly demo: Realm;
  readonly validations: Validations;
  readonly crawls: Crawls;
  readonly patientAccess: PatientAccess;
  readonly cookies: CookieJarWatch;
  /** Functions that end the open streams, for the control address. */
  readonly openStreams: Set<(how: 'end' | 'reset') => void>;
  settings: ConnectSettings;
};

export function createConnect(world: World, clock: SandboxClock): Connect {
  const settings = (): ConnectSettings => connect.settings;
  const crawl = (connection: Connection): void => {
    const { production, demo, crawls } = connect;
    crawls.begin(connection, production.findConnection(connection.id) === connection ? production : demo);
  };
  const connect: Connect = {
    integrations: new Integrations(connectTenants(world)),
    tokens: new TokenMint(),
    production: new Realm('production', createWorldDirectory(world)),
    demo: new Realm('demo', createDemoDirectory(clock)),
    validations: new Validations(clock, settings, crawl),
    crawls: new Crawls(clock, settings),
    patientAccess: new PatientAccess(clock, crawl),
    cookies: new CookieJarWatch(),
    openStreams: new Set(),
    settings: DEFAULT_SETTINGS,
  };
  return connect;
}
