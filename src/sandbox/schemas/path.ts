import { z } from 'zod';

/** Ids in paths. No document of the service gives their types; here they are whole numbers. */
export const idTextSchema = z.string().regex(/^[1-9]\d{0,14}$/);
