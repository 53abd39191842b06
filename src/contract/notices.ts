/** What people should know about the computer that Claimdesk runs on. Nothing is broken by it. */
export const noticeTable = {
  tlsSettingIgnored:
    'NODE_TLS_REJECT_UNAUTHORIZED=0 is set on this computer. Claimdesk ignores it and verifies every certificate.',
} as const;

export type Notice = keyof typeof noticeTable;

export const notices = Object.keys(noticeTable) as [Notice, ...Notice[]];
