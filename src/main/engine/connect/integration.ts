import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { ConnectSettings, connectSettingsChangeSchema } from '../../../contract/connect-settings.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import type { Clock } from '../../lib/clock.ts';
import { DeskError } from '../../lib/errors.ts';
import { type ConnectApi, createConnectApi } from '../service/connect/connect-api.ts';
import { followProgress } from '../service/connect/progress-stream.ts';
import type { ConnectCall, ConnectPorts, Integration } from '../service/connect/send-connect.ts';
import type { Transport } from '../service/transport.ts';
import type { ConnectFile } from './connect-file.ts';
import type { WatchPorts } from './watch-validation.ts';

/**
 * Stores the secret key of the workspace's integration for one address. `workspaces.json` is not sealed, and the key
 * must not be sent to an address that was written into it from outside.
 */
export interface IntegrationSecret {
  read(baseUrl: string): Promise<string | null>;
  /** null removes it. */
  write(value: string | null, baseUrl: string): Promise<void>;
}

type SettingsChange = z.output<typeof connectSettingsChangeSchema>;

interface OpenIntegration {
  readonly api: ConnectApi;
  readonly follow: WatchPorts['follow'];
  readonly baseUrl: string;
  readonly hasSecret: boolean;
  readonly isDemo: boolean;
  readonly tenantLabel: string | null;
  /** Token, tenant and kind of data: members under one scope are unknown under another. */
  readonly scope: string;
}

export interface IntegrationPorts {
  readonly findWorkspace: () => Promise<Workspace>;
  readonly file: ConnectFile;
  readonly secret: IntegrationSecret;
  /** The sample's own integration; null in a real workspace. */
  readonly getSample: () => Promise<{ publicToken: string; secretKey: string } | null>;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random?: () => number;
  readonly onCall: (call: ConnectCall) => void;
}

/** The integration of one workspace: its settings, and the client made from them. */
export function createIntegration(ports: IntegrationPorts) {
  let held: { readonly key: string; readonly opened: OpenIntegration } | null = null;

  /** The sample uses the service's own settings unless the user entered others. */
  const readSettings = async () => {
    const { settings } = await ports.file.read();
    if (settings.publicToken !== null) return { settings, secretKey: null };
    const sample = await ports.getSample();
    if (sample === null) return { settings, secretKey: null };
    return {
      settings: { ...settings, publicToken: sample.publicToken, hasSecret: true },
      secretKey: sample.secretKey,
    };
  };

  return {
    getSettings: async (): Promise<ConnectSettings> => (await readSettings()).settings,

    /** @throws DeskError `usage.invalid` for two headers of one name, `keychain.*`, `vault.*` */
    async saveSettings(change: SettingsChange): Promise<ConnectSettings> {
      const { secretKey, headers, ...rest } = change;
      const { settings: before } = await ports.file.read();
      const changed: ConnectSettings = {
        ...before,
        ...withoutUndefined(rest),
        headers: { ...before.headers, ...withoutUndefined(headers ?? {}) },
        hasSecret: secretKey === undefined ? before.hasSecret : secretKey !== null,
      };
      const names = Object.values(changed.headers).map((name) => name.toLowerCase());
      if (new Set(names).size < names.length) throw new DeskError('usage.invalid');
      if ((changed.tenantLabel === null) !== (changed.tenantKey === null))
        throw new DeskError('connect.tenantNeeded');
      // The secret is written first: settings for a missing secret would cause later errors.
      if (secretKey !== undefined) await ports.secret.write(secretKey, (await ports.findWorkspace()).baseUrl);
      await ports.file.update((data) => ({ ...data, settings: changed }));
      held = null;
      return (await readSettings()).settings;
    },

    /** @throws DeskError `connect.notSetUp` */
    async open(): Promise<OpenIntegration> {
      const { settings, secretKey } = await readSettings();
      const { publicToken } = settings;
      if (publicToken === null) throw new DeskError('connect.notSetUp');
      const { baseUrl } = await ports.findWorkspace();
      const key = JSON.stringify([baseUrl, settings, secretKey]);
      if (held?.key === key) return held.opened;
      const integration: Integration = { ...settings, baseUrl, publicToken };
      const send: ConnectPorts = ports;
      const readSecret = async (): Promise<string> => {
        const value = secretKey ?? (await ports.secret.read(baseUrl));
        if (value === null) throw new DeskError('connect.secretMissing');
        return value;
      };
      const api = createConnectApi(integration, send, {
        readSecret: settings.hasSecret ? readSecret : null,
        correction: settings.correction,
      });
      const opened: OpenIntegration = {
        api,
        follow: (task, onNews) => followProgress(integration, send, task, onNews),
        baseUrl,
        hasSecret: settings.hasSecret,
        isDemo: settings.isDemo,
        tenantLabel: settings.tenantLabel,
        scope: scopeOf(integration),
      };
      held = { key, opened };
      return opened;
    },
  };
}

export type WorkspaceIntegration = ReturnType<typeof createIntegration>;

function scopeOf({ baseUrl, publicToken, tenantLabel, tenantKey, isDemo }: Integration): string {
  const named = JSON.stringify([baseUrl, publicToken, tenantLabel, tenantKey, isDemo]);
  return createHash('sha256').update(named).digest('hex').slice(0, 16);
}

const withoutUndefined = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, property]) => property !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
