import { type ApiErrorBody, type ApiErrorCode, apiErrors } from '../team-protocol/api.ts';

/** The error with which a request is refused. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  constructor(code: ApiErrorCode) {
    super(code);
    this.code = code;
  }
}

/** Errors that contain the server's time, by which a computer corrects its own. */
const withTime: readonly ApiErrorCode[] = ['entry.ahead', 'token.expired'];

export const describeError = (code: ApiErrorCode, nowMs: number): ApiErrorBody => ({
  code,
  message: apiErrors[code][1],
  ...(withTime.includes(code) ? { now: new Date(nowMs).toISOString() } : {}),
});
