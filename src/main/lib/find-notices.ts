import type { Notice } from '../../contract/notices.ts';
import { isInNetworkFolder } from './network-folder.ts';
import { asksForUnverifiedTls } from './tls-setting.ts';

/** Notices about this computer that people should see. Never rejects. */
export async function findNotices(facts: {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly profileDir: string;
}): Promise<Notice[]> {
  return [
    ...(asksForUnverifiedTls(facts.environment) ? (['tlsSettingIgnored'] as const) : []),
    ...((await isInNetworkFolder(facts.profileDir)) ? (['networkFolder'] as const) : []),
  ];
}
