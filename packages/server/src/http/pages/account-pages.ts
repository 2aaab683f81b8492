import { lazy } from '@lyceum/content/lazy'
import type { FastifyInstance } from 'fastify'
import { pageFile, sendPage } from './page-file.ts'

interface Field {
  readonly name: string
  readonly label: string
  readonly type: 'text' | 'email' | 'password'
  /** Value of `autocomplete` for browsers and password managers. */
  readonly autocomplete: string
  readonly hint?: string
  readonly optional?: true
}

/** A page with one form that posts JSON to an operation of the API, with the `token` of its own URL if there is one. */
interface FormPage {
  readonly title: string
  readonly intro: string
  /** Path below the API root. */
  readonly operation: string
  readonly fields: readonly Field[]
  readonly button: string
  /** Text shown after success. */
  readonly done: string
}

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

const form = pageFile('form.html', "connect-src 'self'", "form-action 'none'")

export const registerFormPages = (app: FastifyInstance, apiRoot: string) => {
  for (const [path, { operation, fields, ...texts }] of Object.entries(PAGES)) {
    const inputs = fields.map((field) => ({ hint: null, optional: false, ...field }))
    const page = lazy(() => form({ ...texts, operation: apiRoot + operation, fields: inputs }))
    app.get(path, (_request, reply) => sendPage(reply, page()))
  }
}
