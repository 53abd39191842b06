import { z } from 'zod';

/** Ids in paths. Their types are not shown in the interface document; here they are whole numbers. */
export const idTextSchema = z.string().regex(/^[1-9]\d{0,14}$/);
