import { type ErrorCode, errorTable } from './error-codes.ts';

/**
 * The result of a step of the connection doctor. `warning`: works for now; `skipped`: could not or need not be tried.
 */
export const doctorStatuses = ['ok', 'failed', 'warning', 'skipped'] as const;
export type DoctorStatus = (typeof doctorStatuses)[number];

/** The same cause and next step as the error that a sync ends with. */
const failedAs = (code: ErrorCode, status: DoctorStatus = 'failed') =>
  `${status}: ${errorTable[code].message} → ${errorTable[code].nextStep}` as const;

type FindingText = `${DoctorStatus}: ${string}`;

/**
 * A step: its title and its findings. Each finding is its status, a sentence for a benefits admin and, behind the arrow,
 * a remedy; `{name}` is replaced by the fact of that name. They contain no person, address or host, so that a report
 * with them can be sent to others.
 */
function step<Code extends string>(title: string, findings: Readonly<Record<Code, FindingText>>) {
  return { title, findings };
}

/** Findings that every step can have. */
const findingsOfAny = {
  'step.notTried': 'skipped: An earlier step has to work first.',
  'step.byProxy': 'skipped: Left to the proxy, which all requests go through.',
  'step.bypassed':
    'skipped: The direct connection is blocked, but requests reach the service through your system’s proxy or certificates.',
  'step.notInTime':
    'failed: This couldn’t be checked in time, because this computer is busy. → Wait until other programs have finished, then run the check again.',
  'step.noEngine':
    'failed: Claimdesk’s database process didn’t respond. → Restart Claimdesk and run the check again.',
} as const satisfies Record<string, FindingText>;

/**
 * The steps of the connection doctor, in this order: each can only work if those before it do. The causes are from
 * docs/service.md, "SSH-JWT", "Errors" and "Lists and values".
 */
const serviceSteps = {
  dns: step('Server name (DNS)', {
    'dns.found': 'ok: The server name was found.',
    'dns.notNeeded': 'ok: The service URL is a number or this computer, so no name lookup is needed.',
    'dns.unknown':
      'failed: The server name doesn’t exist on this network. → Check the workspace’s service URL for typos. If it is right, connect to your organization’s network or VPN and try again.',
    'dns.noAnswer':
      'failed: This computer couldn’t look up the server name. → Check that this computer is online. If other websites work, ask your IT department about DNS.',
  }),
  tcp: step('Server connection', {
    'tcp.open': 'ok: The server is reachable.',
    'tcp.refused':
      'failed: The server at this address refused the connection. → Check the workspace’s service URL, especially the port. If it is right, the service is down; try again later or contact support.',
    'tcp.noAnswer':
      'failed: The server at this address didn’t respond within {limitSeconds} seconds. → Connect to your organization’s network or VPN. If you are, ask your IT department whether a firewall blocks this address.',
    'tcp.noRoute':
      'failed: This computer can’t reach that address. → Check that this computer is online, and connect to your organization’s network or VPN.',
    'tcp.blocked':
      'failed: Software on this computer blocks Claimdesk’s connection. → Ask your IT department to allow Claimdesk in this computer’s firewall or security software.',
  }),
  proxy: step('Proxy', {
    'proxy.none': 'ok: No proxy is set for this address.',
    'proxy.passed': 'ok: The proxy lets requests through to the service.',
    'proxy.nameUnknown':
      'failed: The proxy’s server name can’t be found. → Check the proxy in this computer’s settings (or HTTPS_PROXY), or connect to your organization’s network.',
    'proxy.unreachable':
      'failed: Can’t reach the proxy. → Connect to your organization’s network, or ask your IT department whether the proxy (or HTTPS_PROXY) is still right.',
    'proxy.loginNeeded': failedAs('service.proxyLogin'),
    'proxy.refused':
      'failed: The proxy blocks Claimdesk from the service (status {status}). → Ask your IT department to allow the service URL on the proxy.',
    'proxy.cannotReach':
      'failed: The proxy can’t reach the service (status {status}). → Check the workspace’s service URL. If it is right, ask your IT department whether the proxy can reach it.',
    'proxy.notAProxy':
      'failed: The proxy address doesn’t lead to a proxy that Claimdesk can use. → Ask your IT department for the right proxy (HTTPS_PROXY); it begins with http://, https:// or socks5://.',
    'proxy.systemFailed':
      'failed: This computer’s proxy didn’t forward the request. → Ask your IT department about this computer’s proxy settings.',
  }),
  tls: step('Encryption (TLS)', {
    'tls.verified': 'ok: The service’s identity is verified. Its certificate is valid until {validUntil}.',
    'tls.notUsed': 'ok: The service runs on this computer, so encryption isn’t needed.',
    'tls.expiresSoon':
      'warning: The service’s certificate expires in {daysLeft} days. → Tell the service’s support that its certificate expires on {validUntil}. Claimdesk can’t connect after that.',
    'tls.wrongHost':
      'failed: The certificate is for another server name, so this may not be your service. → Check the workspace’s service URL for typos. If it is right, tell your IT department. Claimdesk sends nothing until the certificate is valid.',
    'tls.expired':
      'failed: The service’s certificate expired on {validUntil}. → Check this computer’s date. If it is right, tell the service’s support that the certificate has expired.',
    'tls.intermediateExpired':
      'failed: A certificate between the service’s own and its authority’s expired on {validUntil}. → Check this computer’s date. If it is right, tell the service’s support that an intermediate certificate has expired; the service’s own is still valid.',
    'tls.intermediateMissing':
      'failed: The service doesn’t send the intermediate certificate that connects its own with an authority. → Tell the service’s support that its server has to send its intermediate certificates too. Browsers often hide this, because they fetch or remember them.',
    'tls.notYetValid':
      'failed: The service’s certificate isn’t valid yet. → Check this computer’s date. If it is right, contact the service’s support.',
    'tls.unknownAuthority':
      'failed: This computer doesn’t trust the authority that signed the certificate. → Ask your IT department: if your network inspects encrypted traffic, its authority must be installed on this computer. Claimdesk sends nothing until the certificate is trusted.',
    'tls.revoked':
      'failed: The service’s certificate was revoked. → Do not connect. Contact the service’s support.',
    'tls.refused':
      'failed: The service’s identity couldn’t be verified. → Ask your IT department about the certificate. Claimdesk sends nothing until it is valid.',
    'tls.notTls':
      'failed: This address isn’t using encryption, so it isn’t your service. → Check the workspace’s service URL, especially the port.',
    'tls.handshakeFailed':
      'failed: This computer and the service couldn’t agree on encryption. → Ask your IT department whether something on the network interferes with encrypted connections.',
    'tls.closed':
      'failed: The connection was closed while encryption was being set up. → Ask your IT department whether a firewall blocks this address. If not, contact the service’s support.',
    'tls.noAnswer':
      'failed: The server accepted the connection but didn’t respond within {limitSeconds} seconds. → Check the port in the workspace’s service URL. If it is right, ask your IT department about a firewall, then contact the service’s support.',
  }),
  http: step('Service response', {
    'http.answered': 'ok: The service responds.',
    'http.noAnswer':
      'failed: The service accepted the connection but didn’t respond within {limitSeconds} seconds. → Try again in a few minutes. If the problem continues, contact support.',
    'http.connectionLost':
      'failed: The connection was lost before the service responded. → Try again. If the problem continues, ask your IT department about a firewall, then contact the service’s support.',
    'http.notHttp':
      'failed: This address responds, but it isn’t a web service. → Check the workspace’s service URL, especially the port.',
    'http.speaksTls':
      'failed: The service URL begins with http, but the server uses encryption. → Add the workspace again with a service URL that begins with https.',
    'http.noSuchPath':
      'failed: There is a web service at this address, but not your claims service (status {status}). → Check the workspace’s service URL: it should be the root address, for example https://claims.example.com.',
    'http.networkSignIn': failedAs('service.networkSignIn'),
    'http.fault':
      'failed: The service had an error (status {status}). → Try again in a few minutes. If the problem continues, send the request ID to support.',
    'http.gateway':
      'failed: The service is under maintenance or overloaded (status {status}). → Try again in a few minutes. If the problem continues, contact support.',
    'http.failed':
      'failed: The server is reachable, but the request didn’t get through. → Ask your IT department whether security software on this computer inspects the traffic.',
  }),
  clock: step('Clock', {
    'clock.right': 'ok: This computer’s clock matches the service’s.',
    'clock.unknown': 'skipped: The service didn’t report its time.',
    'clock.off':
      'warning: This computer’s clock is {off} the service’s clock. Claimdesk adjusts for the difference. → Set this computer’s date and time to automatic.',
    'clock.skewed':
      'failed: This computer’s clock is {off} the service’s clock. Claimdesk doesn’t sign in with a difference of more than ten minutes. → Set this computer’s date and time to automatic. If they’re right, ask the service’s support, and accept its clock for a day only if they confirm it.',
  }),
  keychain: step('Keychain', {
    'keychain.ready': 'ok: The keychain is open.',
    'keychain.vaultReady': 'ok: The profile is open with your unlock passphrase.',
    'keychain.inMemory': 'ok: The sample’s secrets are in memory only.',
    'keychain.missing':
      'failed: This computer has no keychain, so the SSH key can’t be opened. → Start this computer’s keychain service, or choose an unlock passphrase (on the command line: --passphrase-fd).',
    'keychain.locked':
      'failed: This computer’s keychain is locked. → Unlock the keychain and run the check again.',
    'keychain.dismissed':
      'failed: Keychain access was denied. → Click Allow when the keychain asks, then run the check again.',
    'keychain.entryMissing':
      'failed: The secret that opens your SSH keys is missing. → Restore the keychain. If you can’t, delete the profile folder and set up again.',
    'keychain.recoverable':
      'failed: The secret that opens your SSH keys is missing. → Lock Claimdesk and use your recovery code, or restore the keychain.',
    'keychain.noAnswer':
      'failed: The keychain didn’t respond in time. → Look for a window where the keychain asks for permission, click Allow, then run the check again.',
    'keychain.passphraseNeeded':
      'failed: This profile needs its unlock passphrase. → Enter the passphrase (on the command line: in a terminal, or with --passphrase-fd).',
    'keychain.wrongPassphrase':
      'failed: The passphrase is incorrect. → Check Caps Lock and the keyboard layout, and enter your unlock passphrase again.',
    'keychain.vaultDamaged':
      'failed: The file that holds this profile’s keys is damaged. → Restore secrets.json from a backup of the profile, or delete the profile folder and set up again.',
    'keychain.unreadable':
      'failed: Your stored secrets couldn’t be read. → Check that the disk isn’t full and that you have permission to use the profile folder.',
  }),
  key: step('SSH key', {
    'key.ready': 'ok: The SSH key can be opened and used.',
    'key.none':
      'failed: This workspace has no SSH key yet. → Make or import an SSH key under Settings, then register its public key with the service.',
    'key.gone':
      'failed: The SSH key that this workspace uses is no longer on this computer. → Choose another key for the workspace, or make a new one and register it with the service.',
    'key.damaged':
      'failed: The SSH key’s file is damaged. → Restore the profile from a backup, or make a new key and register it with the service.',
  }),
  token: step('Request signing', {
    'token.sound': 'ok: Claimdesk can sign requests.',
    'token.unsigned':
      'failed: The SSH key couldn’t sign the request. → Restart Claimdesk. If the problem continues, make a new key and register it with the service.',
    'token.wrongForm':
      'failed: Claimdesk’s signature isn’t in the format the service requires. → Install the latest version of Claimdesk. If the problem continues, send the code to support.',
    'token.wrongAccount':
      'failed: Claimdesk signed for an account that isn’t this workspace’s. → Lock and unlock Claimdesk, then run the check again.',
    'token.wrongAlgorithm':
      'failed: Claimdesk’s signature doesn’t match the SSH key’s type. → Make an Ed25519 key, register it, and send the code to support.',
    'token.wrongTimes':
      'failed: The times in Claimdesk’s signature don’t match the clock. → Set this computer’s date and time to automatic, then restart Claimdesk.',
  }),
  acceptance: step('Key accepted by service', {
    'acceptance.accepted': 'ok: The service accepts your key.',
    'acceptance.noToken': 'skipped: No request could be signed.',
    'acceptance.unclear': 'skipped: The service responded before checking the key.',
    'acceptance.refused':
      'failed: The service didn’t accept your key. It doesn’t say whether the key or the email is the problem. → Check the list below. The most likely reason is first.',
    'acceptance.timeRefused':
      'failed: The service says the sign-in token is expired or not valid yet. → Set this computer’s date and time to automatic and run the check again. If the problem continues, tell the service’s support that its clock is off.',
    'acceptance.notUnderstood':
      'failed: The service couldn’t read the sign-in token (status {status}). → Install the latest version of Claimdesk. If the problem continues, send the request ID to support.',
  }),
  permission: step('Permission', {
    'permission.granted': 'ok: Your account has access to the data.',
    'permission.refused':
      'failed: The service accepts your key but doesn’t allow this request. → Check the list below. The most likely reason is first.',
    'permission.refusedEarly':
      'failed: The service blocks requests from this network. → Ask the service’s support to allow the network address of your organization; at home, connect to the VPN first.',
  }),
  rateLimit: step('Rate limit', {
    'rateLimit.free': 'ok: The service isn’t limiting requests.',
    'rateLimit.limited':
      'failed: Too many requests were sent to the service. → Wait {wait} and try again. If the problem continues, check whether other programs use the same account.',
  }),
  reply: step('Response format', {
    'reply.fits': 'ok: The response format is correct.',
    'reply.smallPages':
      'ok: The response format is correct. The service refuses pages of more than {perPage} records; Claimdesk asks for {perPage}.',
    'reply.html': failedAs('service.webPage'),
    'reply.empty':
      'failed: The service’s response was empty. → Try again. If the problem continues, send the request ID to support.',
    'reply.truncated':
      'failed: The response was cut off. → Try again. If the problem continues, ask your IT department about the proxy, then contact the service’s support.',
    'reply.brokenOff':
      'failed: The connection was lost during the response. → Try again. If the problem continues, ask your IT department about a firewall, then contact the service’s support.',
    'reply.notJson':
      'failed: Claimdesk can’t read the response. → Check the workspace’s service URL. If it is right, send the request ID to support.',
    'reply.otherShape':
      'failed: The response isn’t in the service’s data format. → Check the workspace’s service URL. If it is right, install the latest version of Claimdesk or contact support.',
    'reply.redirected':
      'failed: The service redirected to another address, and Claimdesk didn’t follow. → Check the workspace’s service URL; if the service has moved, ask its support for the new URL.',
    'reply.tooLarge': 'failed: The response is too large. → Send the request ID to support.',
    'reply.unexpectedStatus':
      'failed: The service refused the request (status {status}). → Install the latest version of Claimdesk. If the problem continues, send the request ID to support.',
  }),
};

/**
 * Additional steps where the workspace has a team, the policy has an audit target, and a backup folder is set. None can
 * fail, because the claims service works without them.
 */
const addedSteps = {
  teamServer: step('Team server', {
    'team.connected': 'ok: The team server responds, and this computer is a member.',
    'team.nameUnknown':
      'warning: The team server’s name can’t be found. → Connect to your organization’s network or VPN. If you are, ask whoever runs the team server for its address.',
    'team.noConnection':
      'warning: The team server can’t be reached. → Ask whoever runs it whether it is running, and your IT department whether a firewall blocks it. What you do is sent later.',
    'team.badCertificate':
      'warning: The team server’s certificate isn’t trusted on this computer, has expired, or is for another name. → Tell whoever runs the team server. Nothing is sent until its certificate is right.',
    'team.otherAnswer':
      'warning: Something other than a team server answered, such as a proxy or a sign-in page. → Ask your IT department to let this computer through to the team server.',
    'team.troubled':
      'warning: The team server has a problem: it is busy, or its database is down or full. → Tell whoever runs the team server. What you do is sent later.',
    'team.otherVersion':
      'warning: The team server and this Claimdesk have different versions. → Update Claimdesk, or ask whoever runs the team server to update it.',
    'team.notMember':
      'warning: For the team server, this computer isn’t a member. → If you have asked to join, an admin of the team has to approve. Otherwise ask an admin for a new invitation.',
    'team.notAllowed':
      'warning: Your organization doesn’t allow this team server. → Ask your administrator, or leave the team in Settings, Team.',
    'team.clockRefused':
      'warning: The team server refuses this computer because of its clock. → Let this computer set its time automatically.',
  }),
  teamClock: step('Team server’s clock', {
    'team.clockRight': 'ok: This computer’s clock matches the team server’s.',
    'team.clockOff':
      'warning: The team server’s clock differs by {offsetSeconds} seconds. Claimdesk adjusts for the difference. → Let this computer set its time automatically. If it does, tell whoever runs the team server.',
  }),
  teamStream: step('Team updates', {
    'team.streamOpen': 'ok: New entries of the team arrive at once, over an open connection.',
    'team.streamHeld':
      'warning: A proxy delays the open connection to the team server, so Claimdesk sends single requests instead. → Everything works. To save requests, ask your IT department to turn off buffering for the team server in its proxy.',
  }),
  auditTarget: step('Audit server', {
    'auditTarget.accepted': 'ok: Your organization’s server for audit entries accepts them.',
    'auditTarget.unreachable': failedAs('audit.targetUnreachable', 'warning'),
    'auditTarget.untrusted': failedAs('audit.targetUntrusted', 'warning'),
    'auditTarget.refused': failedAs('audit.targetRefused', 'warning'),
  }),
  backupFolder: step('Backup folder', {
    'backupFolder.readable': 'ok: The backup folder is there, and its newest backup can be read.',
    'backupFolder.old':
      'warning: The newest backup is more than seven days old. → Make one under Settings, Data.',
    'backupFolder.missing': failedAs('backup.folderMissing', 'warning'),
    'backupFolder.unwritable': failedAs('backup.folderUnwritable', 'warning'),
    'backupFolder.damaged': failedAs('backup.damaged', 'warning'),
  }),
};

export const doctorSteps = { ...serviceSteps, ...addedSteps };
export type AddedStepId = keyof typeof addedSteps;
export type DoctorStepId = keyof typeof doctorSteps;
export const doctorStepIds = Object.keys(serviceSteps) as [DoctorStepId, ...DoctorStepId[]];
export const addedStepIds = Object.keys(addedSteps) as AddedStepId[];

export type FindingCode =
  | keyof typeof findingsOfAny
  | { [Id in DoctorStepId]: keyof (typeof doctorSteps)[Id]['findings'] }[DoctorStepId];

const findingTexts: Record<FindingCode, FindingText> = Object.assign(
  { ...findingsOfAny },
  ...Object.values(doctorSteps).map(({ findings }) => findings),
);
export const findingCodes = Object.keys(findingTexts) as [FindingCode, ...FindingCode[]];
export const findingTable = Object.fromEntries(
  Object.entries(findingTexts).map(([code, text]) => {
    const [, status, sentence, remedy = null] = /^(\w+): (.+?)(?: → (.+))?$/.exec(text) ?? [];
    return [code, { status, sentence, remedy }];
  }),
) as Record<FindingCode, { status: DoctorStatus; sentence: string; remedy: string | null }>;

/** The checks that the user can make where the service's answer does not show the cause; free of names. */
export const checkTable = {
  'check.registered':
    'The public key is not registered with the service. Open the service’s SSH keys page and look for the fingerprint. If it isn’t there, add the public key.',
  'check.registeredStill':
    'The public key was accepted before and may have been deleted since. Open the service’s SSH keys page and look for the fingerprint. If it isn’t there, add the public key again.',
  'check.otherAccount':
    'The public key is registered under another account. Check who is signed in on the service’s website: it must be the account with this workspace’s email.',
  'check.emailTyped':
    'The workspace’s email has a typo. Compare it letter by letter with your account’s email; case is ignored.',
  'check.otherKey':
    'The workspace uses an SSH key that isn’t the registered one. Compare the fingerprints under Settings with those on the service’s SSH keys page.',
  'check.scheme':
    'The service may not have found the token. Ask its support which header and scheme it expects, then change both in the workspace’s settings.',
  'check.networkAddress':
    'The service allows your account only from certain networks. Connect to your organization’s network or VPN, or ask the service’s support which addresses are allowed.',
  'check.accountRights':
    'Your account doesn’t have access to members and claims. Ask whoever manages the account to grant it.',
} as const satisfies Record<string, string>;

type CheckCode = keyof typeof checkTable;
export const checkCodes = Object.keys(checkTable) as [CheckCode, ...CheckCode[]];
