import { readOnboardForm } from '../../../carrier-form/read-form.ts';
import type { PayerForm } from '../../../contract/connect-members.ts';
import { DeskError } from '../../lib/errors.ts';
import type { PayerReply } from '../service/connect/connect-replies.ts';

/**
 * A carrier for the window and the command line.
 * @throws DeskError `connect.formUnusable` where neither its login form nor its own page can be used
 */
export function toPayerForm(reply: PayerReply, requestId: string | null): PayerForm {
  const registerUrl = URL.parse(reply.register_url ?? '');
  const form = readOnboardForm(reply.onboard_form, reply.onboard_ui_schema);
  const hasPatientAccess =
    reply.supports_interoperability_apis === true || (reply.interoperability_authorization_url ?? '') !== '';
  if (form.kind === 'unusable' && !hasPatientAccess)
    throw new DeskError('connect.formUnusable', { requestId: requestId ?? undefined });
  return {
    id: reply.id,
    name: reply.name,
    form: form.kind === 'form' ? (form.schema as PayerForm['form']) : null,
    uiSchema: reply.onboard_ui_schema ?? {},
    hasSecurityQuestions: reply.has_security_questions === true,
    hasPatientAccess,
    registerUrl: registerUrl?.protocol === 'https:' ? registerUrl.href : null,
    website: reply.website_home_url_netloc,
    redirectVendorName: reply.redirect_vendor_name,
    articles: reply.blogs.map(({ title, article }) => ({ title, untrustedHtml: article })),
  };
}
