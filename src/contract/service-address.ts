/** The two parts of an address that decide whether it may be used, as the URL parser gives them. */
export interface AddressParts {
  /** `https:` */
  readonly protocol: string;
  /** `claims.example.com`, `[::1]` */
  readonly hostname: string;
}

/** Whether a host name means this computer and nothing else: 127.0.0.0/8, ::1, localhost. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** http to this computer, where the sample service is: nothing of it crosses a network. */
export function isLoopbackHttp({ protocol, hostname }: AddressParts): boolean {
  return protocol === 'http:' && isLoopbackHost(hostname);
}

/** https anywhere; http on this computer only. Any other scheme could start any program. */
export function isSecureAddress(address: AddressParts): boolean {
  return address.protocol === 'https:' || isLoopbackHttp(address);
}
