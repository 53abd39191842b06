/** What a step of the connection doctor came to: `warning` works for now, `skipped` could or need not be tried. */
export const doctorStatuses = ['ok', 'failed', 'warning', 'skipped'] as const;
export type DoctorStatus = (typeof doctorStatuses)[number];

interface FindingText {
  readonly status: DoctorStatus;
  /** For a benefits admin; `{name}` stands for the fact of that name. */
  readonly sentence: string;
  readonly remedy: string | null;
}

const ok = (sentence: string): FindingText => ({ status: 'ok', sentence, remedy: null });
const skipped = (sentence: string): FindingText => ({ status: 'skipped', sentence, remedy: null });
const failed = (sentence: string, remedy: string): FindingText => ({ status: 'failed', sentence, remedy });
const warning = (sentence: string, remedy: string): FindingText => ({ status: 'warning', sentence, remedy });

/**
 * The closed union of what the connection doctor can find, each with its status, sentence and remedy. None
 * names a person, an address or a host: they are fit for a report that is handed on. Where the causes come
 * from: interface.md, "SSH-JWT" and "Errors"; field-notes §1 and §2.
 */
export const findingTable = {
  'step.notTried': skipped('Not tried, because an earlier step has to work first.'),
  'step.byProxy': skipped('Left to the proxy, which all requests go through.'),
  'step.bypassed': skipped(
    'The direct way is closed, but requests reach the service; your system’s own proxy or certificates see to that.',
  ),
  'step.noEngine': failed(
    'The part of Claimdesk that speaks with the service did not answer.',
    'Restart Claimdesk and run the doctor again.',
  ),

  'dns.found': ok('The name of the service was found.'),
  'dns.notNeeded': ok('The address is a number or this computer, so no name has to be looked up.'),
  'dns.unknown': failed(
    'The name of the service does not exist on this network.',
    'Check the address of the workspace for a typing mistake. If it is right, connect to your organization’s network or VPN and try again.',
  ),
  'dns.noAnswer': failed(
    'This computer could not look up the name of the service.',
    'Check that this computer is online. If other websites work, ask your IT department about the name servers.',
  ),

  'tcp.open': ok('The service’s computer takes connections.'),
  'tcp.refused': failed(
    'The computer at this address refuses the connection: nothing is listening there.',
    'Check the address of the workspace, its port above all. If it is right, the service is down; try again later or ask its support.',
  ),
  'tcp.noAnswer': failed(
    'The computer at this address does not answer within {limitSeconds} seconds.',
    'Connect to your organization’s network or VPN. If you are, ask your IT department whether a firewall blocks this address.',
  ),
  'tcp.noRoute': failed(
    'There is no way from this computer to that address.',
    'Check that this computer is online, and connect to your organization’s network or VPN.',
  ),
  'tcp.blocked': failed(
    'Something on this computer does not let Claimdesk connect.',
    'Ask your IT department to allow Claimdesk in the firewall or security software of this computer.',
  ),

  'proxy.none': ok('No proxy is set for this address.'),
  'proxy.passed': ok('The proxy lets requests through to the service.'),
  'proxy.nameUnknown': failed(
    'The name of the proxy cannot be found.',
    'Check the proxy in the settings of this computer (or HTTPS_PROXY), or connect to your organization’s network.',
  ),
  'proxy.unreachable': failed(
    'The proxy cannot be reached.',
    'Connect to your organization’s network, or ask your IT department whether the proxy (or HTTPS_PROXY) is still right.',
  ),
  'proxy.loginNeeded': failed(
    'The proxy asks for a user name and password.',
    'Ask your IT department how programs on this computer log in to the proxy, or to let this address pass without it.',
  ),
  'proxy.refused': failed(
    'The proxy does not let Claimdesk through to the service (status {status}).',
    'Ask your IT department to allow the address of the service on the proxy.',
  ),
  'proxy.cannotReach': failed(
    'The proxy itself cannot reach the service (status {status}).',
    'Check the address of the workspace. If it is right, ask your IT department whether the proxy can reach it.',
  ),
  'proxy.notAProxy': failed(
    'What answers at the address of the proxy is not a proxy that Claimdesk can use.',
    'Ask your IT department for the right proxy (HTTPS_PROXY); it begins with http://, https:// or socks5://.',
  ),
  'proxy.systemFailed': failed(
    'The proxy of this system does not carry the request.',
    'Ask your IT department about the proxy settings of this computer.',
  ),

  'tls.verified': ok('The service proved its identity; its certificate is valid until {validUntil}.'),
  'tls.notUsed': ok('The address is on this computer and not encrypted.'),
  'tls.expiresSoon': warning(
    'The service’s certificate is valid for {daysLeft} more days only.',
    'Tell the service’s support that its certificate ends on {validUntil}; after that nothing works.',
  ),
  'tls.wrongHost': failed(
    'The certificate is that of another name: what answers there may not be the service.',
    'Check the address of the workspace for a typing mistake. If it is right, tell your IT department; Claimdesk sends nothing meanwhile.',
  ),
  'tls.expired': failed(
    'The certificate of the service ended on {validUntil}.',
    'Check that the date of this computer is right. If it is, tell the service’s support that its certificate has expired.',
  ),
  'tls.notYetValid': failed(
    'The certificate of the service is not valid yet.',
    'Check that the date of this computer is right. If it is, tell the service’s support.',
  ),
  'tls.unknownAuthority': failed(
    'The certificate is signed by an authority that this computer does not know.',
    'Ask your IT department: if your network inspects encrypted traffic, its authority has to be installed on this computer. Claimdesk sends nothing meanwhile.',
  ),
  'tls.revoked': failed(
    'The certificate of the service was revoked.',
    'Do not connect. Tell the service’s support.',
  ),
  'tls.refused': failed(
    'The identity of the service could not be verified.',
    'Ask your IT department about the certificate; Claimdesk sends nothing meanwhile.',
  ),
  'tls.notTls': failed(
    'What answers at this address is not encrypted, so it is not the service.',
    'Check the address of the workspace, its port above all.',
  ),
  'tls.handshakeFailed': failed(
    'This computer and the service could not agree on how to encrypt.',
    'Ask your IT department whether something on the network interferes with encrypted connections.',
  ),
  'tls.closed': failed(
    'The connection was closed while it was being encrypted.',
    'Ask your IT department whether a firewall cuts connections to this address; if not, the service’s support.',
  ),
  'tls.noAnswer': failed(
    'The connection stands, but the other side stays silent for {limitSeconds} seconds.',
    'Check the port in the address of the workspace. If it is right, ask your IT department about a firewall, then the service’s support.',
  ),

  'http.answered': ok('The service answers.'),
  'http.noAnswer': failed(
    'The service took the connection but did not answer within {limitSeconds} seconds.',
    'Try again in a few minutes. If it stays, tell the service’s support.',
  ),
  'http.connectionLost': failed(
    'The connection broke before the service had answered.',
    'Try again. If it stays, ask your IT department whether a firewall cuts connections, then the service’s support.',
  ),
  'http.notHttp': failed(
    'Something answers at this address, but it is not a web service.',
    'Check the address of the workspace, its port above all.',
  ),
  'http.speaksTls': failed(
    'The address begins with http, but what answers there is encrypted.',
    'Add the workspace again with an address that begins with https.',
  ),
  'http.noSuchPath': failed(
    'There is a web service at this address, but not the data of your health plan (status {status}).',
    'Check the address of the workspace: it is the root address of the service, such as https://claims.example.com.',
  ),
  'http.fault': failed(
    'The service has a fault of its own (status {status}).',
    'Try again in a few minutes. If it stays, give the service’s support the request id.',
  ),
  'http.gateway': failed(
    'The service is being worked on or is overloaded (status {status}).',
    'Try again in a few minutes. If it stays, tell the service’s support.',
  ),
  'http.failed': failed(
    'The request did not get through, though the way to the service is open.',
    'Ask your IT department whether security software on this computer inspects the traffic.',
  ),

  'clock.right': ok('The clock of this computer agrees with that of the service.'),
  'clock.unknown': skipped('The service did not tell its time.'),
  'clock.off': warning(
    'The clock of this computer is {off} the clock of the service, which allows for no difference. Claimdesk signs in the service’s time meanwhile.',
    'Set the date and time of this computer to be set automatically.',
  ),

  'keychain.ready': ok('The keychain is open.'),
  'keychain.vaultReady': ok('The vault is open.'),
  'keychain.inMemory': ok('The sample keeps its secrets in memory only.'),
  'keychain.missing': failed(
    'No keychain is available on this computer, so the SSH key cannot be opened.',
    'Start the keychain service of this system, or use a vault passphrase (CLAIMDESK_VAULT_PASSPHRASE).',
  ),
  'keychain.locked': failed(
    'The keychain of this computer is locked.',
    'Unlock the keychain and run the doctor again. Nothing was lost.',
  ),
  'keychain.dismissed': failed(
    'The keychain did not let Claimdesk in.',
    'Answer the keychain’s question with yes and run the doctor again.',
  ),
  'keychain.entryGone': failed(
    'The secret that opens your SSH keys is gone from the keychain or vault.',
    'Restore the keychain or vault from a backup, or make a new SSH key and register it with the service.',
  ),
  'keychain.noAnswer': failed(
    'The keychain did not answer in time.',
    'Look for a window in which the keychain asks for your consent, answer it, and run the doctor again.',
  ),
  'keychain.passphraseNeeded': failed(
    'The secrets lie in a vault, and its passphrase was not given.',
    'Unlock Claimdesk with the passphrase of the vault, or set CLAIMDESK_VAULT_PASSPHRASE.',
  ),
  'keychain.wrongPassphrase': failed(
    'The passphrase of the vault is not the right one.',
    'Enter the passphrase that the vault was made with.',
  ),
  'keychain.vaultDamaged': failed(
    'The vault file is damaged.',
    'Restore the vault file from a backup, or set up Claimdesk anew.',
  ),
  'keychain.unreadable': failed(
    'The place of your secrets could not be read.',
    'Check that the disk is not full and that the profile folder may be read and written.',
  ),

  'key.ready': ok('The SSH key can be opened and used.'),
  'key.none': failed(
    'This workspace has no SSH key yet.',
    'Make or import an SSH key under Settings, then register its public key with the service.',
  ),
  'key.gone': failed(
    'The SSH key that this workspace uses is no longer on this computer.',
    'Let the workspace use another key, or make a new one and register it with the service.',
  ),
  'key.damaged': failed(
    'The file of the SSH key is damaged.',
    'Restore the profile from a backup, or make a new key and register it with the service.',
  ),

  'token.sound': ok('Claimdesk signs requests as the service wants them.'),
  'token.unsigned': failed(
    'The SSH key could not be made to sign.',
    'Restart Claimdesk. If it stays, make a new key and register it with the service.',
  ),
  'token.wrongForm': failed(
    'What Claimdesk signs does not have the form that the service wants.',
    'This is a fault of Claimdesk: install the newest version, and report the code.',
  ),
  'token.wrongAccount': failed(
    'Claimdesk signed for another account than that of this workspace.',
    'Lock and unlock Claimdesk, then run the doctor again.',
  ),
  'token.wrongAlgorithm': failed(
    'Claimdesk signed in a way that does not fit the type of the SSH key.',
    'This is a fault of Claimdesk: make a key of type Ed25519 meanwhile, and report the code.',
  ),
  'token.wrongTimes': failed(
    'The times in what Claimdesk signs do not fit the clock.',
    'Set the date and time of this computer to be set automatically, then restart Claimdesk.',
  ),

  'acceptance.accepted': ok('The service accepts the signature.'),
  'acceptance.noToken': skipped('Not tried, because no request could be signed.'),
  'acceptance.unclear': skipped('The service answered before it looked at the signature.'),
  'acceptance.refused': failed(
    'The service does not accept the signature. It does not say why: an unknown key and an unknown email get the same answer.',
    'Go through the list, from the top; the most likely reason comes first.',
  ),
  'acceptance.timeRefused': failed(
    'The service considers what Claimdesk signed expired or not yet valid.',
    'Set the date and time of this computer to be set automatically and run the doctor again. If it stays, the clock of the service is uneven: tell its support.',
  ),
  'acceptance.notUnderstood': failed(
    'The service does not understand what Claimdesk signed (status {status}).',
    'Install the newest Claimdesk. If it stays, give the service’s support the request id.',
  ),

  'permission.granted': ok('Your account may read the data.'),
  'permission.refused': failed(
    'The service knows your key, but does not permit this request. It does not say why.',
    'Go through the list, from the top; the most likely reason comes first.',
  ),
  'permission.refusedEarly': failed(
    'The service turns requests from here away before it looks at the signature.',
    'Ask the service’s support to allow the network address of your organization; at home, connect to the VPN first.',
  ),

  'rateLimit.free': ok('The service does not ask for fewer requests.'),
  'rateLimit.limited': failed(
    'The service asks for fewer requests.',
    'Wait {wait} and try again. If it stays, ask whether other programs use the same account.',
  ),

  'reply.fits': ok('The reply has the form that it should have.'),
  'reply.html': failed(
    'A web page came in place of data: something between here and the service answers in its stead.',
    'Open the address in a browser: if a network asks you to log in, do so. Else ask your IT department about the proxy, then the service’s support.',
  ),
  'reply.empty': failed(
    'The service answered with nothing in it.',
    'Try again. If it stays, give the service’s support the request id.',
  ),
  'reply.truncated': failed(
    'The reply ends in its middle.',
    'Try again. If it stays, ask your IT department whether a proxy cuts replies, then the service’s support.',
  ),
  'reply.brokenOff': failed(
    'The connection broke in the middle of the reply.',
    'Try again. If it stays, ask your IT department whether a firewall cuts connections, then the service’s support.',
  ),
  'reply.notJson': failed(
    'The reply is not data that Claimdesk can read.',
    'Check the address of the workspace. If it is right, give the service’s support the request id.',
  ),
  'reply.otherShape': failed(
    'The reply is data, but not in the form that the service’s data has.',
    'Check the address of the workspace. If it is right, install the newest Claimdesk or ask the service’s support.',
  ),
  'reply.redirected': failed(
    'The service sends Claimdesk to another address. It did not follow, so nothing signed went there.',
    'Check the address of the workspace; if the service has moved, ask its support for the new one.',
  ),
  'reply.tooLarge': failed(
    'The reply is larger than Claimdesk accepts.',
    'Give the service’s support the request id.',
  ),
  'reply.unexpectedStatus': failed(
    'The service refused the request (status {status}).',
    'Install the newest Claimdesk. If it stays, give the service’s support the request id.',
  ),
} as const satisfies Record<string, FindingText>;

export type FindingCode = keyof typeof findingTable;
export const findingCodes = Object.keys(findingTable) as [FindingCode, ...FindingCode[]];

/** What to look at where the service hides the cause, in words that name nobody. */
export const checkTable = {
  'check.registered':
    'The public key is not registered with the service. Open its page for SSH keys and look for the fingerprint; if it is not there, add the public key.',
  'check.registeredStill':
    'The public key was accepted before and may have been deleted since. Open the service’s page for SSH keys and look for the fingerprint; if it is not there, add the public key again.',
  'check.otherAccount':
    'The public key is registered, but under another account. See on the service’s page who is logged in: it has to be the account whose email this workspace has.',
  'check.emailTyped':
    'The email of this workspace has a typing mistake. Compare it letter by letter with the email of your account; capitals do not matter.',
  'check.otherKey':
    'The workspace uses another SSH key than the one that is registered. Compare the fingerprints of your keys under Settings with those on the service’s page.',
  'check.scheme':
    'The service may not have looked for a signature at all: the answer is the same as without one. Ask its support in which header and under which scheme it expects the token; both are settings of the workspace.',
  'check.networkAddress':
    'The service admits your account from certain networks only. Connect to your organization’s network or VPN, or ask the service’s support which addresses are allowed.',
  'check.accountRights':
    'Your account may not read members and claims. Ask whoever manages the account at the service to grant it.',
} as const satisfies Record<string, string>;

export type CheckCode = keyof typeof checkTable;
export const checkCodes = Object.keys(checkTable) as [CheckCode, ...CheckCode[]];
