/** A carrier's login form, with a field of each kind. */
export const loginForm = {
  type: 'object' as const,
  title: 'Login',
  properties: {
    subscriber_number: { type: 'string', pattern: '^[A-Z]\\d{8}$', title: 'Subscriber number' },
    username: { type: 'string', format: 'email', minLength: 1, maxLength: 10 },
    password: { type: 'string', minLength: 1, format: 'password' },
    question: { type: 'string', enum: ['School?', 'Pet?'] },
    born: { type: 'string', format: 'date' },
    address: { type: 'object', properties: { zip: { type: 'string' } }, required: ['zip'] },
  },
  required: ['subscriber_number', 'password'],
};
