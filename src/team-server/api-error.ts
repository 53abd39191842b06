import { type ApiErrorBody, type ApiErrorCode, apiErrors } from '../team-protocol/api.ts';

/** What a request is refused with. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  constructor(code: ApiErrorCode) {
    super(code);
    this.code = code;
  }
}

/** These say the server's time, so that a computer can put right what it takes for the time. */
const withTime: readonly ApiErrorCode[] = ['entry.ahead', 'token.expired'];

export const describeError = (code: ApiErrorCode, nowMs: number): ApiErrorBody => ({
  code,
  message: apiErrors[code][1],
  ...(withTime.includes(code) ? { now: new Date(nowMs).toISOString() } : {}),
});
