import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { KeyRefused } from '../auth/public-keys.ts';
import { errorBody } from '../http/api-error.ts';
import { isForeign } from '../http/own-origin.ts';
import type { Service } from '../service.ts';
import { PAGE_HEADERS } from './page.ts';
import type { PageState } from './settings-page.ts';
import { renderSettingsPage } from './settings-page.ts';

const addFormSchema = z.looseObject({
  name: z.string().max(1000).optional(),
  public_key: z.string().max(65_536).optional(),
});
const deleteFormSchema = z.looseObject({ id: z.string().max(20).optional() });

const notices: Readonly<Record<string, string>> = {
  added: 'The key is registered.',
  deleted: 'The key is deleted.',
};

/**
 * The page where a person registers public keys: `{base_url}/settings/ssh`.
 *
 * docs/service.md, "SSH-JWT": a web page, no documented API. On loopback there is no login; a request from another
 * site's page is refused by its `Origin` or its `Host`.
 */
export async function addSettingsRoutes(app: FastifyInstance, service: Service): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    if (isForeign(request)) {
      return reply
        .code(403)
        .type('application/json; charset=utf-8')
        .send(errorBody('This page answers only itself', { errorCode: 'origin_not_allowed' }));
    }
  });

  app.get('/settings/ssh', async (request, reply) => {
    const noticeName = z.looseObject({ note: z.string() }).safeParse(request.query).data?.note ?? '';
    return sendPage(service, reply, 200, { notice: notices[noticeName] ?? '' });
  });

  app.post('/settings/ssh', async (request, reply) => {
    const form = addFormSchema.safeParse(request.body ?? {}).data;
    if (form === undefined) return sendPage(service, reply, 422, { error: 'The form could not be read.' });
    const name = form.name ?? '';
    const text = form.public_key ?? '';
    try {
      await service.account.addKey(name, text, service.clock.serverNowMs());
    } catch (error) {
      if (!(error instanceof KeyRefused)) throw error;
      return sendPage(service, reply, 422, { error: error.message, name, publicKey: text });
    }
    return reply.code(303).header('location', '/settings/ssh?note=added').send();
  });

  app.post('/settings/ssh/delete', async (request, reply) => {
    const id = deleteFormSchema.safeParse(request.body ?? {}).data?.id ?? '';
    if (!service.account.deleteKey(id))
      return sendPage(service, reply, 404, { error: 'There is no such key.' });
    return reply.code(303).header('location', '/settings/ssh?note=deleted').send();
  });
}

function sendPage(service: Service, reply: FastifyReply, status: number, state: PageState): FastifyReply {
  return reply.code(status).headers(PAGE_HEADERS).send(renderSettingsPage(service.account, state));
}
