/** The two parts of an address that decide whether it may be used, as returned by the URL parser. */
interface AddressParts {
  /** `https:` */
  readonly protocol: string;
  /** `claims.example.com`, `[::1]` */
  readonly hostname: string;
}

/** Whether a host name means this computer and nothing else: 127.0.0.0/8, ::1, localhost. */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

/** Whether the address is http on this computer, where the sample service runs; no data is sent over a network. */
export const isLoopbackHttp = ({ protocol, hostname }: AddressParts): boolean =>
  protocol === 'http:' && isLoopbackHost(hostname);

/** Whether the address is https, or http on this computer. Other schemes could start a program. */
export const isSecureAddress = (address: AddressParts): boolean =>
  address.protocol === 'https:' || isLoopbackHttp(address);
