import type { FastifyInstance } from 'fastify'
import { FORM_PAGE_POLICY, type FormPage, formPage } from './html-form.ts'

const NEW_PASSWORD = {
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 10 characters, not a common one.',
} as const

/** Pages that work in a browser before the web app is set up. */
const PAGES: Readonly<Record<string, FormPage>> = {
  '/setup': {
    title: 'Set up Lyceum',
    intro: 'Make the account of the first administrator. This link works once.',
    operation: '/auth/setup',
    fields: [
      { name: 'username', label: 'Username', type: 'text', autocomplete: 'username', hint: '3 to 30 letters a-z, digits, _ and -.' },
      { name: 'email', label: 'Email address', type: 'email', autocomplete: 'email' },
      { name: 'password', ...NEW_PASSWORD },
      {
        name: 'display_name',
        label: 'Your name',
        type: 'text',
        autocomplete: 'name',
        hint: 'As others see it; may be left out.',
        optional: true,
      },
    ],
    button: 'Create the account',
    done: 'The administrator’s account is ready. You can sign in now.',
  },
  '/forgot-password': {
    title: 'Forgot your password?',
    intro: 'Enter your username or email address. If there is such an account, a mail with a link is sent to it.',
    operation: '/auth/forgot-password',
    fields: [{ name: 'login', label: 'Username or email address', type: 'text', autocomplete: 'username' }],
    button: 'Send the link',
    done: 'If there is such an account, a mail is on its way. The link in it works for an hour.',
  },
  '/verify-email': {
    title: 'Confirm your email address',
    intro: 'One more step: say that the address is yours.',
    operation: '/auth/verify-email',
    fields: [],
    button: 'Confirm',
    done: 'Your address is confirmed. You can sign in, unless an administrator has to approve your account first: then a mail tells you.',
  },
  '/reset-password': {
    title: 'Choose a new password',
    intro: 'Afterwards you are signed out everywhere and can sign in with the new password.',
    operation: '/auth/reset-password',
    fields: [{ name: 'password', ...NEW_PASSWORD, label: 'New password' }],
    button: 'Save the password',
    done: 'The new password is saved. You can sign in with it now.',
  },
}

export const registerFormPages = (app: FastifyInstance, apiRoot: string) => {
  for (const [path, page] of Object.entries(PAGES)) {
    const html = formPage(page, apiRoot)
    app.get(path, (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', FORM_PAGE_POLICY)
        // The URL contains a token, which must not reach caches or other sites.
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .send(html),
    )
  }
}
