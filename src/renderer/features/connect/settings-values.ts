import {
  type ConnectHeaders,
  type ConnectSettings,
  connectHeadersSchema,
  connectSettingsChangeSchema,
} from '../../../contract/connect-settings.ts';
import type { Input } from '../../../contract/procedures.ts';

export type SettingsValues = Readonly<ReturnType<typeof valuesOf>>;

type SettingsChange = Omit<Input<'connect:saveSettings'>, 'workspaceId' | 'secretKey'>;

export const headerNames = Object.keys(connectHeadersSchema.shape) as (keyof ConnectHeaders)[];
export const usualHeaders: ConnectHeaders = connectHeadersSchema.parse({});

export const headerLabels: Readonly<Record<keyof ConnectHeaders, string>> = {
  serviceToken: 'Public token',
  apiVersion: 'Version of the interface',
  accessToken: 'Access token',
  newAccessToken: 'New access token, in answers',
  tenantLabel: 'Tenant label',
  tenantKey: 'Tenant key',
  stateId: 'State of a carrier sign-in',
  isDemo: 'Demo data',
};

export const valuesOf = ({ hasSecret: _hasSecret, ...settings }: ConnectSettings) => ({
  ...settings,
  publicToken: settings.publicToken ?? '',
  tenantLabel: settings.tenantLabel ?? '',
  tenantKey: settings.tenantKey ?? '',
});

const complaints: Readonly<Record<string, string>> = {
  publicToken: 'Use letters A to Z, digits, spaces and ordinary punctuation, at most 500 characters.',
  tenantLabel: 'Enter one line of at most 200 characters.',
  tenantKey: 'Enter one line of at most 200 characters.',
};

/**
 * The changed settings, and a sentence for each field with an error, headers by their own names. An empty text means
 * no value; `change` is null where there is nothing to save or something to correct.
 */
export function readSettings(values: SettingsValues, kept: ConnectSettings) {
  const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
  const typedSettings = {
    publicToken: orNull(values.publicToken),
    tenantLabel: orNull(values.tenantLabel),
    tenantKey: orNull(values.tenantKey),
    isDemo: values.isDemo,
    base: values.base,
    correction: values.correction,
  };
  const differing = Object.entries(typedSettings).filter(
    ([name, value]) => value !== kept[name as keyof typeof typedSettings],
  );
  const headers = headerNames
    .map((name) => [name, values.headers[name].trim()] as const)
    .filter(([name, value]) => value !== kept.headers[name]);
  const change = {
    ...Object.fromEntries(differing),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
  };
  const parsed = connectSettingsChangeSchema.safeParse(change);
  const errors: Record<string, string> = {};
  for (const { path } of parsed.error?.issues ?? []) {
    const name = String(path.at(-1));
    errors[name] =
      complaints[name] ??
      'Start with a letter, then letters, digits, and dashes. Standard headers such as Cookie can’t be used.';
  }
  const isReady = Object.keys(change).length > 0 && parsed.success;
  return { change: isReady ? (parsed.data as SettingsChange) : null, errors };
}
