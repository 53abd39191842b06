import { z } from 'zod';

/** Ids in paths. No document of the service gives their types; here they are whole numbers. */
export const idTextSchema = z.string().regex(/^[1-9]\d{0,14}$/);

/** A documented path, with `{name}` for a parameter, as fastify spells it. */
export const toRoutePath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');
