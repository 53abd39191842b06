import type { connectBases } from '../../../../contract/connect-settings.ts';

type ConnectBase = (typeof connectBases)[number];

/** The routes of docs/service.md, "Connect calls", "Connect access token" and "Legacy spellings". */
const templates = {
  current: {
    bootstrap: '/connect/v1/bootstrap',
    payer: '/connect/v1/payer/{employer_id}/{payer_id}',
    terms: '/connect/v1/terms_of_service',
    policyHolders: '/connect/v1/policy_holder',
    policyHolder: '/connect/v1/policy_holder/{id}',
    validation: '/connect/v1/validate-credentials/{policy_holder_id}/{task_id}',
    fix: '/connect/v1/fix-credentials',
    interop: '/connect/v1/interop',
    stream: '/v3/connect/progress/{task_id}/stream',
    mint: '/api/create-connect-token',
  },
  legacy: {
    bootstrap: '/sdk-api/tpastream_sdk',
    payer: '/sdk-api/payer/{employer_id}/{payer_id}',
    terms: '/sdk-api/terms_of_service',
    policyHolders: '/sdk-api/policy_holder_sdk/policy_holder',
    policyHolder: '/sdk-api/policy_holder_sdk/policy_holder/{id}',
    validation: '/sdk-api/validate-credentials/{policy_holder_id}/{task_id}',
    fix: '/sdk-api/fix-credentials',
    interop: '/sdk-api/interop',
    stream: '/v3/sdk/progress/{task_id}/stream',
    mint: '/api/create-connect-token',
  },
} as const satisfies Record<ConnectBase, Record<string, string>>;

export type RouteName = keyof (typeof templates)['current'];

/** The route for logs and messages: without values of the request. */
export const templateOf = (base: ConnectBase, route: RouteName): string => templates[base][route];

/** The path of one request, with the values in the order of the template. */
export function pathOf(base: ConnectBase, route: RouteName, values: readonly (string | number)[]): string {
  const left = [...values];
  return templateOf(base, route).replace(/\{\w+\}/g, () => encodeURIComponent(String(left.shift() ?? '')));
}
