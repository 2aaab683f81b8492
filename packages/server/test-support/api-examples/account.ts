import { makeResetLink, renewToken, requestEmailChange } from '../../src/modules/accounts/index.ts'
import type { Recording } from './recording.ts'

export const account: Recording = async (recorder) => {
  const { anonymous, app } = recorder
  const { data: noor } = await anonymous.show().auth.register({
    username: 'noor',
    email: 'noor@example.org',
    password: 'Slow-harbour-2208',
    display_name: 'Noor Haddad',
  })

  let nonce: string | null = null
  const browser = recorder.browser(() => nonce)
  nonce = (await browser.show().auth.login({ login: 'noor', password: 'Slow-harbour-2208' })).nonce
  await browser.show().auth.session()

  const { data: phone } = await browser.show().account.createApplicationPassword({ name: 'phone' })
  await browser.show().account.applicationPasswords()
  await browser.show().account.deleteApplicationPassword({ id: phone.id })
  await browser.show().account.changeEmail({ current_password: 'Slow-harbour-2208', email: 'noor@example.net' })
  await browser.show().account.changePassword({ current_password: 'Slow-harbour-2208', new_password: 'Green-window-5190' })
  await browser.show().auth.logout()

  await anonymous.show().auth.forgotPassword({ login: 'noor@example.net' })
  await recorder.runPendingJobs()
  const { url } = await app.write(null, (ctx) => makeResetLink(ctx.db, noor.id, ctx.now, 'https://community.example'))
  await anonymous.show().auth.resetPassword({ token: new URL(url).searchParams.get('token') ?? '', password: 'Cold-lantern-6634' })

  const token = await app.write(null, async (ctx) => {
    await requestEmailChange(ctx, noor.id, 'noor@example.com')
    return renewToken(ctx.db, { userId: noor.id, purpose: 'email', email: 'noor@example.com', now: ctx.now })
  })
  await anonymous.show().auth.confirmEmail({ token: token ?? '' })
  const undo = await app.write(null, ({ db, now }) => renewToken(db, { userId: noor.id, purpose: 'undo', email: 'noor@example.net', now }))
  await anonymous.show().auth.undoEmailChange({ token: undo ?? '' })
}
