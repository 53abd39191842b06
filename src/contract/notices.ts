/** Notices about the computer that Claimdesk runs on. They are no errors. */
export const noticeTable = {
  policyIgnored:
    'The policy file of this computer is ignored, because no administrator owns it. Ask your IT to set it again.',
  tlsSettingIgnored:
    'NODE_TLS_REJECT_UNAUTHORIZED=0 is set on this computer. Claimdesk ignores it and verifies every certificate.',
  networkFolder:
    'The profile is in a network folder. Use it from one computer at a time, or keep it on a disk of this computer.',
} as const;

export type Notice = keyof typeof noticeTable;

export const notices = Object.keys(noticeTable) as [Notice, ...Notice[]];
