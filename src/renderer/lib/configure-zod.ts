import { z } from 'zod';

// Must run before any schema is made: the content security policy forbids the compiled fast path.
z.config({ jitless: true });
