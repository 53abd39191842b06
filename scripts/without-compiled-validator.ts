import type { Plugin } from 'vite';

const name = '@rjsf/validator-ajv8';
const emptyId = '\0without-compiled-validator';

/**
 * Replaces the validator that compiles schemas with `new Function` by an empty module. The content security policy
 * forbids it and Claimdesk does not use it, but a test helper inside @rjsf/core imports it without depending on it.
 */
export const withoutCompiledValidator: Plugin = {
  name: 'without-compiled-validator',
  enforce: 'pre',
  resolveId: (id) => (id === name ? emptyId : null),
  load: (id) => (id === emptyId ? 'export default undefined;' : null),
};
